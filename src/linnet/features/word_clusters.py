"""Clusters of words by their places (word_places.py), found by spherical k-means. The most frequent words are the first
centres.

A cluster is named after its most frequent words, so that the name of a feature tells what it means:
`vector-cluster:64=said,told,asked`.
"""

from __future__ import annotations

import numpy as np

from linnet.core.types import F32, I64
from linnet.features.word_places import WordPlaces
from linnet.features.word_values import WordValues

_PASSES = 15
_NAMED = 3
"""How many of its words are in the name of a cluster."""


def clusters(places: WordPlaces, n: int) -> WordValues:
    """The cluster of each word that has a place, among at most n."""
    found = _nearest(places, _centres(places, n))
    names: dict[int, list[str]] = {}
    for word, cluster in zip(places.words, found.tolist(), strict=True):
        called = names.setdefault(cluster, [])
        if len(called) < _NAMED:
            called.append(word)
    return WordValues.of(places.words, [",".join(names[cluster]) for cluster in found.tolist()])


def _centres(places: WordPlaces, n: int) -> F32:
    """The centres of at most n clusters. A word counts by the square root of how often it was seen."""
    weight = np.sqrt(places.counts).astype(np.float32)[:, None]
    centres = places.table[:n]
    for _ in range(_PASSES):
        nearest = _nearest(places, centres)
        order = np.argsort(nearest, kind="stable")
        there, first = np.unique(nearest[order], return_index=True)
        sums = np.add.reduceat((places.table * weight)[order], first, axis=0) if len(there) else places.table
        centres = sums / np.maximum(np.sqrt((sums**2).sum(axis=1, keepdims=True)), np.float32(1e-12))
    return centres


def _nearest(places: WordPlaces, centres: F32) -> I64:
    """The number of the centre that each word is nearest to."""
    found = [cosines.argmax(axis=1) for _, cosines in places.nearness(centres)]
    return np.concatenate([np.zeros(0, np.int64), *found])
