"""How good the model is by now, by the answers that it has not learned from, and whether more answers would help.

The held-out texts are a random sample, so the share of them that the model gets right is an estimate for all texts, with the
interval of Wilson (1927) around it. What another order of the texts would have given cannot be known from one labelling, and
is not claimed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from linnet.labelling.learner import Answers, Belief, Learner

_Z = 1.959963984540054
"""The 97.5% quantile of the normal distribution."""
_POINTS = (10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 10240)
"""The numbers of answers at which the learning curve is measured, beside the last."""
_WORTH = 0.01
"""The gain in accuracy that would be worth going on for."""
_ENOUGH = 30
"""The number of held-out answers from which on something can be said."""


@dataclass(frozen=True)
class Share:
    """A share of right answers, with the interval in which that of all texts is, 19 times of 20."""

    right: int
    n: int
    low: float
    high: float

    @property
    def share(self) -> float:
        return self.right / self.n if self.n else math.nan


def wilson(right: int, n: int) -> Share:
    """The interval of Wilson for a share.

    >>> found = wilson(8, 10)
    >>> round(found.low, 3), round(found.high, 3)
    (0.49, 0.943)
    """
    if not n:
        return Share(0, 0, 0.0, 1.0)
    p, z2 = right / n, _Z * _Z
    middle = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = _Z / (1 + z2 / n) * math.sqrt(p * (1 - p) / n + z2 / (4 * n * n))
    return Share(right, n, max(0.0, middle - half), min(1.0, middle + half))


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


def right_answers(belief: Belief | None, held: Answers) -> dict[int, bool]:
    """Which held-out texts the model gets right."""
    return {} if belief is None else {row: set(belief.guess(row)) == set(labels) for row, labels in held.items()}


def progress(learner: Learner, labels: Sequence[str], learned: Answers, held: Answers) -> Progress:
    """Measure the learning curve: learn from the first answers, from more and from all, and compare with the held-out ones."""
    rows, n = list(learned), len(learned)
    sizes = sorted({*(size for size in _POINTS if size < n), *((n // 2,) if n >= 2 * _POINTS[0] else ()), n} - {0})
    curve: list[Point] = []
    right: dict[int, dict[int, bool]] = {}
    for size in sizes:
        belief = learner.learn(labels, {row: learned[row] for row in rows[:size]})
        if belief is not None:
            right[size] = right_answers(belief, held)
            curve.append(Point(size, wilson(sum(right[size].values()), len(held))))
    half, whole = right.get(n // 2), right.get(n)
    return Progress(tuple(curve), *_advice(n, half, whole))


def _advice(n: int, half: dict[int, bool] | None, whole: dict[int, bool] | None) -> tuple[str, bool]:
    """What the last doubling of the answers has brought, in a sentence, and whether to stop."""
    if not whole or half is None or len(whole) < _ENOUGH:
        found = len(whole or ())
        return (
            f"Go on: {found} held-out answers are too few to say whether more would help (at least {_ENOUGH}).",
            False,
        )
    gain, low, high = gained([whole[row] - half[row] for row in whole])
    said = (
        f"The last doubling, from {n // 2:,} to {n:,} answers, changed the held-out accuracy by {100 * gain:+.1f} points "
        f"(between {100 * low:+.1f} and {100 * high:+.1f})"
    )
    if high < _WORTH:
        return f"{said}: twice as many would bring little. It is time to stop.", True
    if low > 0:
        return f"{said}: more answers help. Go on.", False
    return f"{said}: whether more would help cannot be told yet.", False


def gained(differences: Sequence[int]) -> tuple[float, float, float]:
    """The mean of differences of right and wrong (-1, 0 or 1) on the same texts, and the interval around it. One text that
    changed more in each direction is assumed (Agresti and Min 2005), so that no change at all is not certain.

    >>> gain, low, high = gained([0] * 98 + [1] * 2)
    >>> round(gain, 3), low < 0 < high
    (0.02, True)
    """
    n = len(differences)
    up, down = sum(d > 0 for d in differences) + 0.5, sum(d < 0 for d in differences) + 0.5
    mean = (up - down) / (n + 2)
    half = _Z * math.sqrt(max(0.0, up + down - (up - down) ** 2 / (n + 2))) / (n + 2)
    return sum(differences) / n, mean - half, mean + half
