"""GEN(x): one file per structure, and the registry of their names."""

STRUCTURES = {
    "labels": "one label per example",
    "labelset": "any number of labels per example",
    "ranking": "all labels in order, the right ones first",
    "chain": "a tag per token",
    "compression": "which tokens of a sentence to keep",
    "hierarchy": "one label out of a tree of them",
    "tree": "a head and a relation for each token, projective or not",
    "siblings": "trees that also score each child with the one before it",
    "grandparents": "the same, and each child with the head of its head",
    "ordinal": "a rating: one score, and thresholds",
    "candidates": "the best of the candidates that each example has",
    "candidate-pairs": "the same, learned by which of two is better",
}
