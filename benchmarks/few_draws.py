"""The texts of the benchmarks with few labels: which are labelled, which are there without labels, and which are tested on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import datasets

POOL = 20_000
"""The largest number of texts of the training part that are there, with or without labels."""
TEST = 2000
"""The largest number of texts to test on."""
FOLDS = 10
"""The number of folds of a set that has some."""
DRAWS = ("random", "equal")
"""How labelled texts are drawn: at random from all, or as many of each label, as far as there are."""


def pool(n: int) -> np.ndarray:
    """The numbers of the texts of the training part that are there: all of n, or a random sample."""
    return np.arange(n) if n <= POOL else np.random.default_rng(0).permutation(n)[:POOL]


def order(labels: Sequence[str], seed: int, draw: str) -> np.ndarray:
    """The numbers of the texts of the training part, in an order in which the first n are those that have labels."""
    found = np.random.default_rng(seed).permutation(pool(len(labels)))
    if draw == "random":
        return found
    seen: dict[str, int] = {}
    rank = []
    for i in found:
        rank.append(seen.get(labels[i], 0))
        seen[labels[i]] = rank[-1] + 1
    return found[np.argsort(rank, kind="stable")]


def parts(name: str, seed: int = 0) -> tuple[list[str], list[str], list[str], list[str]]:
    """Texts and labels to learn from, and those to test on: a random sample of the test part, or of a set with folds two of
    them, by turns, so that five draws test on all of it."""
    if datasets.SOURCES[name].folds:
        whole = datasets.read(name)
        tested = (2 * seed % FOLDS, (2 * seed + 1) % FOLDS)
        train = [i for i, fold in enumerate(whole.folds) if fold not in tested]
        test = [i for i, fold in enumerate(whole.folds) if fold in tested]
        texts, labels, test_texts, test_labels = (
            [of[i] for i in some] for some in (train, test) for of in (whole.texts, whole.labels)
        )
        return texts, labels, test_texts, test_labels
    first, second = datasets.read(name, "train"), datasets.read(name, "test")
    sample = np.random.default_rng(0).permutation(len(second.texts))[:TEST]
    return first.texts, first.labels, [second.texts[i] for i in sample], [second.labels[i] for i in sample]
