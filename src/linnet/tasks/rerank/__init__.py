"""The task `rerank`: put the candidates of each example, such as an n-best list, in a better order."""
