"""A head for each token of a sentence, and how it depends on it: dependency trees."""
