"""Texts that are in two parts of the data: the same but for case and spaces, or nearly the same.

Texts are near where their sets A and B of runs of five words have |A & B| / |A | B| >= 0.8. Only candidates are
compared, which are pairs whose smallest hashes agree in a band of several hash functions (Broder 1997). With 5 bands of
5, a pair at 0.8 is a candidate with a probability of 0.86, and one at 0.9 with 0.99.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from linnet.core.types import U32, Json
from linnet.features import TextFeatures

NEAR = 0.8
"""The share of runs of words in common from which on two texts are near."""
_BANDS, _ROWS = 5, 5
"""The number of bands, and of hashes in each."""
_SHINGLES = "words:5 presence hash=22"
"""The features (features/spec.py) that stand for the runs of five words of a text."""


@dataclass(frozen=True)
class Duplicates:
    """Pairs (row of the first part, row of the second), each row of the second in one pair at most."""

    exact: list[tuple[int, int]]
    near: list[tuple[int, int]]

    def as_dict(self) -> dict[str, Json]:
        return {"exact": len(self.exact), "near": len(self.near)}


def across(first: Sequence[str], second: Sequence[str]) -> Duplicates:
    """The texts of the second part that are in the first.

    >>> across(["A fine  film"], ["a fine film", "another"]).exact
    [(0, 0)]
    """
    at: dict[str, int] = {}
    for i, text in enumerate(map(_plain, first)):
        at.setdefault(text, i)
    plain = list(map(_plain, second))
    exact = [(at[text], j) for j, text in enumerate(plain) if text in at]
    left = np.setdiff1d(np.arange(len(plain)), [j for _, j in exact])
    return Duplicates(exact, _near([*first, *(second[j] for j in left)], len(first), left))


def _plain(text: str) -> str:
    """A text without differences of case and spaces."""
    return " ".join(text.casefold().split())


def _near(texts: list[str], n: int, rows: npt.NDArray[np.int64]) -> list[tuple[int, int]]:
    """The pairs of one of the first n texts, which are the first part, and a later one that is near it; texts[n + k] is row
    rows[k] of the second part."""
    indptr, shingles, _ = TextFeatures(_SHINGLES).fit_transform(texts)
    full = np.flatnonzero(np.diff(indptr))
    if not len(full):
        return []
    sets = {int(i): shingles[a:b] for i, (a, b) in enumerate(pairwise(indptr.tolist())) if b > a}
    rng = np.random.default_rng(0)
    found: dict[int, tuple[float, int]] = {}
    for _ in range(_BANDS):
        band = np.stack([_least(shingles, indptr[full], rng) for _ in range(_ROWS)], axis=1)
        buckets: dict[bytes, list[int]] = defaultdict(list)
        for i, key in zip(full.tolist(), map(bytes, band), strict=True):
            if i < n:
                buckets[key].append(i)
                continue
            for other in buckets.get(key, ())[:20]:  # Text that very many share must not make this slow.
                alike = _jaccard(sets[i], sets[other])
                if alike >= max(NEAR, found.get(i, (0.0, 0))[0]):
                    found[i] = (alike, other)
    return [(other, int(rows[i - n])) for i, (_, other) in sorted(found.items())]


def _least(shingles: U32, starts: npt.NDArray[np.int64], rng: np.random.Generator) -> U32:
    """The smallest hash of the shingles of each row, by a random hash function. `starts` says where each row starts; none is
    empty."""
    a, b = rng.integers(1 << 63, size=2, dtype=np.uint64)
    with np.errstate(over="ignore"):
        hashed = ((shingles.astype(np.uint64) + b) * (a | np.uint64(1))) >> np.uint64(32)
    return np.minimum.reduceat(hashed.astype(np.uint32), starts)


def _jaccard(a: npt.NDArray[np.uint32], b: npt.NDArray[np.uint32]) -> float:
    """The Jaccard index |A & B| / |A | B| of two sets, which are not both empty."""
    both = len(np.intersect1d(a, b, assume_unique=True))
    return both / (len(a) + len(b) - both)
