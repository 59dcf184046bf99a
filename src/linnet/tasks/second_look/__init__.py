"""A second look: a model that chooses among the k best outputs of another one, by features of whole outputs."""
