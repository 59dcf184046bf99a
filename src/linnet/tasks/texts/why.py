"""Explaining one text: what each of its features, and so each of its words, adds to one label against another.

    w.f(x, y) - w.f(x, y') = (w_0,y - w_0,y') + sum_j x_j (w_j,y - w_j,y')

Nothing is estimated: the contributions sum to the difference of the scores.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from linnet.features import Table, TextFeatures
from linnet.learners.weights import Matrix


@dataclass(frozen=True)
class Contribution:
    """A feature of the text: its value, its weight for the label less that for the other label, and their product. `spans` are
    its places in the text, in characters."""

    feature: str
    value: float
    weight: float
    contribution: float
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Word:
    """A word or punctuation mark of the text, with its share of every feature that covers it."""

    text: str
    start: int
    end: int
    contribution: float


@dataclass(frozen=True)
class Explanation:
    """Why a text has `label` and not `against`: bias + contributions = score, the difference of the scores of the two
    labels. If `against` is "", it is the score of `label` itself."""

    text: str
    label: str
    against: str
    score: float
    bias: float
    contributions: tuple[Contribution, ...]
    words: tuple[Word, ...]
    elsewhere: float
    """The sum of contributions that belong to no word, such as those of features of the text as a whole."""


def explain_text(
    features: TextFeatures,
    weights: Matrix,
    labels: Sequence[str],
    row: Table,
    y: int | None = None,
    other: int | None = None,
    *,
    alone: bool = False,
) -> Explanation:
    """Explain the best label against the second best, or label y against `other`; with `alone`, explain its score itself."""
    rows, text = features.transform(row), row.text[0].as_py()
    j, x = rows.indices.astype(np.int64), rows.values.astype(np.float64)
    k = len(labels)
    W = weights[1 + j, :k].astype(np.float64)
    bias = weights[0, :k].astype(np.float64)
    order = np.argsort(-(x @ W + bias), kind="stable")
    y = int(order[0]) if y is None else y
    w, w_0 = W[:, y], bias[y]
    if not alone:
        other = int(order[order != y][0]) if other is None else other
        with np.errstate(invalid="ignore"):
            w, w_0 = w - W[:, other], w_0 - bias[other]
    parts = x * w
    spans = _spans(features, text)
    found = [
        Contribution(_name(features, int(f), spans, text), float(v), float(d), float(c), tuple(spans.get(int(f), ())))
        for f, v, d, c in zip(j, x, w, parts, strict=True)
    ]
    found.sort(key=lambda item: -abs(item.contribution))
    words, elsewhere = _share(text, _units(features, text), found)
    return Explanation(
        text=text,
        label=labels[y],
        against="" if other is None else labels[other],
        score=float(parts.sum() + w_0),
        bias=float(w_0),
        contributions=tuple(found),
        words=words,
        elsewhere=elsewhere,
    )


def _spans(features: TextFeatures, text: str) -> dict[int, list[tuple[int, int]]]:
    spans: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for feature, start, end in zip(*features.occurrences(text), strict=True):
        if end > start:
            spans[int(feature)].append((int(start), int(end)))
    return spans


def _name(features: TextFeatures, feature: int, spans: dict[int, list[tuple[int, int]]], text: str) -> str:
    """The name of a feature. A hashed feature has no name of its own, but the text shows what it stands for."""
    if features.spec.hash_bits and feature in spans:
        start, end = spans[feature][0]
        return text[start:end] if features.spec.case else text[start:end].lower()
    return features.name(feature)


def _units(features: TextFeatures, text: str) -> list[tuple[int, int]]:
    """The places of words and punctuation marks in a text. An accent or a vowel sign belongs to the letter before it."""
    units: list[tuple[int, int]] = []
    for start, end in zip(*(places.tolist() for places in features.places(text)), strict=True):
        if units and units[-1][1] == start and unicodedata.category(text[start])[0] == "M":
            units[-1] = units[-1][0], end
        else:
            units.append((start, end))
    return units


def _share(
    text: str, units: Sequence[tuple[int, int]], found: Sequence[Contribution]
) -> tuple[tuple[Word, ...], float]:
    """Spread each contribution evenly over its occurrences, and each of these over the words that it covers."""
    starts = np.array([start for start, _ in units])
    ends = np.array([end for _, end in units])
    shares = np.zeros(len(units))
    elsewhere = 0.0
    for item in found:
        placed = False
        for start, end in item.spans:
            first, last = np.searchsorted(ends, start, "right"), np.searchsorted(starts, end, "left")
            if last > first:
                shares[first:last] += item.contribution / len(item.spans) / (last - first)
                placed = True
        if not placed:
            elsewhere += item.contribution
    words = tuple(
        Word(text[start:end], start, end, float(share)) for (start, end), share in zip(units, shares, strict=True)
    )
    return words, elsewhere
