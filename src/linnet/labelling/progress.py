"""How good the model is by now, measured on answers that it has not learned from, and whether more answers would help.

The held-out texts are a random sample, so the measure of the task over them is an estimate for all texts, with the interval of
Wilson (1927) around it. Where a text has many parts, such as tags, these are not drawn one by one: then the interval is that of
as many independent parts as would vary as much (the effective sample size of Kish 1965). What another order of the texts would
have given cannot be known from one labelling, and is not claimed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from linnet.core.types import Reals
from linnet.fitting.contract import Counts
from linnet.labelling.learner import Answers, Belief, Learner

_Z = 1.959963984540054
"""The 97.5% quantile of the normal distribution."""
_POINTS = (10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 10240)
"""The numbers of answers at which the learning curve is measured, beside the last."""
_WORTH = 0.01
"""The gain in accuracy that would be worth going on for."""
_ENOUGH = 30
"""The number of held-out answers from which on something can be said."""


Measured = Callable[[Belief | None, Answers], Counts]
"""A function that counts how right a belief is about held-out answers, text by text."""


@dataclass(frozen=True)
class Share:
    """How much of the held-out answers is right, by the measure of the task, with the 95% interval of the share for all
    texts."""

    measure: str
    """The name of the measure: accuracy, F1, ..."""
    share: float
    """The share; 0 where there is nothing to measure by."""
    n: int
    """The number of held-out texts."""
    low: float
    high: float


def share(counts: Counts) -> Share:
    """The share sum(right) / sum(total), and the interval around it.

    >>> found = share(Counts("accuracy", np.array([1.0] * 8 + [0.0] * 2), np.ones(10)))
    >>> found.share, round(found.low, 3), round(found.high, 3)
    (0.8, 0.49, 0.943)
    """
    n = int((counts.total > 0).sum())
    if not n:
        return Share(counts.measure, 0.0, 0, 0.0, 1.0)
    p = min(1.0, counts.score)
    variance = float(np.square(_influence(counts)).sum())
    # The effective sample size: so many independent parts would vary as much. Where all is right or wrong, each text is
    # one.
    parts = p * (1 - p) / variance if variance > 0 and 0 < p < 1 else n
    return Share(counts.measure, p, n, *wilson(p, parts))


def _influence(counts: Counts) -> Reals:
    """How much each text moves the share up or down, to first order. These numbers sum to 0."""
    moved: Reals = (counts.right - counts.score * counts.total) / max(float(counts.total.sum()), 1e-300)
    return moved


def wilson(p: float, n: float) -> tuple[float, float]:
    """The interval of Wilson around the share p of n.

    >>> low, high = wilson(0.8, 10)
    >>> round(low, 3), round(high, 3)
    (0.49, 0.943)
    """
    z2 = _Z * _Z
    middle = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = _Z / (1 + z2 / n) * math.sqrt(p * (1 - p) / n + z2 / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(frozen=True)
class Point:
    """A point of the learning curve: how good the model was after so many answers that it learned from."""

    answers: int
    held_out: Share


@dataclass(frozen=True)
class Progress:
    """The learning curve, and what it says."""

    curve: tuple[Point, ...]
    advice: str
    stop: bool
    """Whether it is time to stop."""


def progress(learner: Learner, labels: Sequence[str], learned: Answers, held: Answers, measured: Measured) -> Progress:
    """Measure the learning curve: learn from the first answers, from more and from all, and compare with the held-out ones."""
    n = len(learned)
    sizes = sorted({*(size for size in _POINTS if size < n), *((n // 2,) if n >= 2 * _POINTS[0] else ()), n} - {0})
    found: dict[int, Counts] = {}
    for size, belief in zip(sizes, learner.course(labels, learned, sizes), strict=True):
        if belief is not None:
            found[size] = measured(belief, held)
    curve = tuple(Point(size, share(counts)) for size, counts in found.items())
    return Progress(curve, *_advice(n, found.get(n // 2), found.get(n)))


def _advice(n: int, half: Counts | None, whole: Counts | None) -> tuple[str, bool]:
    """What the last doubling of the answers has brought, in a sentence, and whether to stop."""
    enough = 0 if whole is None else len(whole.right)
    if whole is None or half is None or enough < _ENOUGH:
        return (
            f"Go on: {enough} held-out answers are too few to say whether more would help (at least {_ENOUGH}).",
            False,
        )
    gain, low, high = gained(half, whole)
    said = (
        f"The last doubling, from {n // 2:,} to {n:,} answers, changed the held-out {whole.measure} by {100 * gain:+.1f} "
        f"points (between {100 * low:+.1f} and {100 * high:+.1f})"
    )
    if high < _WORTH:
        return f"{said}: twice as many would bring little. It is time to stop.", True
    if low > 0:
        return f"{said}: more answers help. Go on.", False
    return f"{said}: whether more would help cannot be told yet.", False


def gained(before: Counts, after: Counts) -> tuple[float, float, float]:
    """By how much a share has changed on the same texts, and the ends of the 95% interval around that. Two more texts
    are assumed, one of which has changed, half of it in each direction (Agresti and Min 2005): otherwise the interval
    would have no width where no text has changed.

    >>> before = Counts("accuracy", np.zeros(100), np.ones(100))
    >>> gain, low, high = gained(before, before._replace(right=np.array([1.0] * 2 + [0.0] * 98)))
    >>> round(gain, 3), low < 0 < high
    (0.02, True)
    """
    n = len(before.right)
    gain = after.score - before.score
    varies = n * n * float(np.square(_influence(after) - _influence(before)).sum())
    half = _Z * math.sqrt(varies + 1) / (n + 2)
    middle = gain * n / (n + 2)
    return gain, middle - half, middle + half
