"""GEN(x): one file per structure, and the registry of their names."""

STRUCTURES = {
    "labels": "one label per example",
    "labelset": "any number of labels per example",
    "chain": "a tag per token",
    "compression": "which tokens of a sentence to keep",
    "hierarchy": "one label out of a tree of them",
    "tree": "a head and a relation for each token, projective or not",
    "ordinal": "a rating: one score, and thresholds",
}
