"""GEN(x): one file per structure, and the registry of their names."""

STRUCTURES = {
    "labels": "one label per example",
    "labelset": "any number of labels per example",
    "whole-set": "the same, where a set is right or wrong as a whole",
    "ranking": "all labels in order, the right ones first",
    "chain": "a tag per token",
    "compression": "which tokens of a sentence to keep",
    "hierarchy": "one label out of a tree of them",
    "tree": "a head and a relation for each token, projective or not",
    "siblings": "trees that also score each child with the one before it",
    "grandparents": "the same, and each child with the head of its head",
    "brackets": "constituent trees: spans of words with labels, one inside the other",
    "matching": "links between two sentences, at most one for each token",
    "one-to-many": "links that each target token picks by itself, or none",
    "monotone": "links one to one that do not cross",
    "itg": "links one to one that cross as phrases do",
    "ordinal": "a rating: one score, and thresholds",
    "candidates": "the best of the candidates that each example has",
    "candidate-pairs": "the same, learned by which of two is better",
    "own": "one of your own, a class in Python",
}
