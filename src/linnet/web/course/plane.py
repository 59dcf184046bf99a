"""Learners on the points of a plane, example by example."""

from __future__ import annotations

import math

import numpy as np

from linnet.core.types import Json
from linnet.fitting.traced import Step
from linnet.learners import Fit
from linnet.plot.courses import Learned, fitted, steps
from linnet.plot.points import Floats, Points
from linnet.web.course.learners import NAMES, STEPWISE, SVM, wanted
from linnet.web.problems import RefusedError
from linnet.web.questions import Asked, check_names

MOST_POINTS = 40
HIGHEST = 10.0
"""The largest coordinate of a point; the least is 0, as that of a count."""
LABELS = ("−", "+")
"""The labels of points, in the order of their numbers. Both are there even where no point has one of them."""
_HARD = {"C": 1000.0, **SVM.fixed}
"""The options of the support vector machine that looks for the largest margin. With a C this large, it allows hardly
any loss."""
_PASSES = 200
"""The number of epochs of that machine."""


def plane(asked: Asked) -> Json:
    """The trace of a learner on points: for each step what was seen and found, and the weights after it."""
    check_names(asked, "points", *NAMES)
    points, how = _points(asked), wanted(asked, STEPWISE)
    course = steps(points, how.taught.name, how.options, epochs=how.epochs, shuffle=how.shuffle)
    found: list[Json] = []
    mistakes = 0
    while True:
        try:
            step, learned = next(course)
        except StopIteration as end:
            fit: Fit = end.value
            break
        mistakes += step.right is False
        found.append({**_seen(step), **_known(step, learned), "mistakes": None if step.right is None else mistakes})
    return {"steps": found, "stopped": fit.stopped, "radius": _radius(points), **_separated(points)}


def _points(asked: Asked) -> Points:
    """The points of a question: a list of [x, y, label]."""
    given = asked.get("points")
    if not isinstance(given, list) or not 2 <= len(given) <= MOST_POINTS:
        raise RefusedError(422, f'expected from 2 to {MOST_POINTS} points as "points". Add or remove some.')
    if not all(map(_is_point, given)):
        raise RefusedError(422, f"expected each point as [x, y, label]: two numbers from 0 to {HIGHEST:g}, and 0 or 1.")
    at = np.array([one[:2] for one in given], np.float64)
    y = np.array([one[2] for one in given], np.int32)
    return Points(at, y, LABELS, ("x₁", "x₂"), np.zeros(2), np.ones(2), "points")


def _is_point(one: Json) -> bool:
    return (
        isinstance(one, list)
        and len(one) == 3
        and all(isinstance(part, int | float) and not isinstance(part, bool) for part in one)
        and all(0 <= part <= HIGHEST for part in one[:2])
        and one[2] in (0, 1)
    )


def _seen(step: Step) -> dict[str, Json]:
    """What a step saw and found: those of its fields that the page shows."""
    names = ("t", "epoch", "example", "y", "y_hat", "right", "score", "score_of_y", "loss", "tau")
    return {name: getattr(step, name) for name in names}


def _known(step: Step, learned: Learned) -> dict[str, Json]:
    """What the learner knows after a step: u = w₊ - w₋ with its bias first, the points that are wrong, and the margin."""
    moved = math.sqrt(sum((one.after - one.before) ** 2 for some in step.changes[:1] for one in some.largest))
    return {
        "u": _difference(learned.weights[0]),
        "moved": moved,
        "margin": learned.margin,
        "wrong": np.flatnonzero(learned.wrong).tolist(),
        "support": np.flatnonzero(learned.support).tolist(),
    }


def _difference(W: Floats) -> list[float]:
    """The weights of + less those of −: of the bias and of both coordinates."""
    both = np.asarray(W, np.float64)
    return [float(one) for one in both[:, 1] - both[:, 0]]


def _radius(points: Points) -> float:
    """R for one vector u of weights: the length of the longest point, with the constant 1 of the bias."""
    return math.sqrt(1 + float((points.at**2).sum(axis=1).max()))


def _separated(points: Points) -> dict[str, Json]:
    """The largest margin γ of any line between the points of both labels, and (R/γ)², the most mistakes that a
    perceptron can make; both are null where no line separates the labels."""
    if len(set(points.y.tolist())) < 2:
        return {"gamma": None, "bound": None}
    theory = fitted(points, SVM.name, _HARD, epochs=_PASSES).theory
    if theory is None or not theory.signed_margin:
        return {"gamma": None, "bound": None}
    return {"gamma": theory.signed_margin, "bound": theory.mistake_bound}
