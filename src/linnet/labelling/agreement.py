"""How much annotators agree, beyond what chance would give.

Cohen's kappa (1960) of two annotators, over the texts that both have answered, with p_o the share of equal answers and p_e the
share that would be equal if each drew labels at random, as often as that annotator gives them:

    kappa = (p_o - p_e) / (1 - p_e)

Krippendorff's alpha (2011) of any number of annotators, over the texts that at least two have answered, with delta the distance
of two answers, D_o its mean over pairs of answers to the same text, and D_e its mean over all pairs of answers:

    alpha = 1 - D_o / D_e
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, TypeAlias

Answers: TypeAlias = Mapping[Any, Any]
"""The answers of an annotator, keyed by text, or by text and place."""
Distance: TypeAlias = Callable[[Any, Any], float]


def nominal(a: Hashable, b: Hashable) -> float:
    """The distance of answers that are equal or not."""
    return float(a != b)


def interval(a: float, b: float) -> float:
    """The distance of answers that are numbers."""
    return (a - b) ** 2


def cohens_kappa(one: Answers, other: Answers) -> tuple[float, int]:
    """Cohen's kappa of two annotators, and the number of texts that both have answered. Kappa is nan where they have no
    texts in common, or where chance alone would make them agree.

    >>> cohens_kappa({1: "a", 2: "a", 3: "b", 4: "b"}, {1: "a", 2: "b", 3: "b", 4: "b"})
    (0.5, 4)
    """
    both = sorted(one.keys() & other.keys())
    n = len(both)
    if not n:
        return math.nan, 0
    equal = sum(one[row] == other[row] for row in both) / n
    of_one, of_other = Counter(one[row] for row in both), Counter(other[row] for row in both)
    chance = sum(of_one[label] * of_other[label] for label in of_one) / (n * n)
    return ((equal - chance) / (1 - chance) if chance < 1 else math.nan), n


def kappas(annotators: Mapping[str, Answers]) -> Iterator[tuple[str, str, float, int]]:
    """Cohen's kappa of all pairs of annotators that have texts in common, and the number of these."""
    for one, other in combinations(sorted(annotators), 2):
        kappa, n = cohens_kappa(annotators[one], annotators[other])
        if n:
            yield one, other, kappa, n


def krippendorffs_alpha(annotators: Sequence[Answers], distance: Distance = nominal) -> tuple[float, int]:
    """Krippendorff's alpha, and the number of texts with at least two answers. Alpha is nan where there are no such
    texts, or where all answers are the same.

    >>> krippendorffs_alpha([{1: "a", 2: "a", 3: "b"}, {1: "a", 2: "b", 3: "b"}])[1]
    3
    """
    rows = {row for answers in annotators for row in answers}
    units = [[answers[row] for answers in annotators if row in answers] for row in sorted(rows)]
    units = [unit for unit in units if len(unit) > 1]
    values = Counter(value for unit in units for value in unit)
    n = sum(values.values())
    observed = sum(_pairs(Counter(unit), distance) / (len(unit) - 1) for unit in units)
    expected = _pairs(values, distance) / (n - 1) if n > 1 else 0.0
    return (1 - observed / expected if expected else math.nan), len(units)


def _pairs(values: Counter[Any], distance: Distance) -> float:
    """The sum of the distances of all ordered pairs of values."""
    return sum(values[a] * values[b] * distance(a, b) for a in values for b in values)
