"""A second look at outputs: a reranker chooses among the k best outputs of a first model, by features of whole outputs."""
