"""The four losses over the margin, computed by the losses that learners use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
import numpy.typing as npt

from linnet.core.blocks import Block
from linnet.core.form import Loss
from linnet.core.loops.online import Online
from linnet.core.weights import stride_of
from linnet.losses.exponential import Exponential
from linnet.losses.hinge import Hinge
from linnet.losses.log import Log
from linnet.losses.perceptron import Perceptron
from linnet.plot.axes import Axes
from linnet.report.drawing import Box, Point, words
from linnet.report.pictures import Panel, Picture
from linnet.steps.constant import Constant
from linnet.structures.labels import Labels

Floats = npt.NDArray[np.float64]

LOW, HIGH, MOST = -3.0, 3.0, 4.0
"""The least and the greatest margin, and the greatest loss, that are drawn."""
LOSSES: Mapping[str, Callable[[], Loss]] = {
    "perceptron": Perceptron,
    "hinge": Hinge,
    "log": Log,
    "exponential": Exponential,
}
"""The losses that are drawn, by their names."""
_NOTES = (
    "The margin is how far the right output is ahead of the best other one: below 0, the prediction is wrong. The hinge, the "
    "log loss and the exponential loss cost something even where the prediction is right, if it is not right by enough.",
)
_STYLE = """
svg path.curve { stroke-width: 2; } svg path.zero { stroke: var(--dim); stroke-width: 1.4; stroke-dasharray: 2 3; }
svg path.perceptron { stroke: var(--for); } svg text.perceptron { fill: var(--for); }
svg path.hinge { stroke: var(--one); } svg text.hinge { fill: var(--one); }
svg path.log { stroke: var(--two); } svg text.log { fill: var(--two); }
svg path.exponential { stroke: var(--against); } svg text.exponential { fill: var(--against); }
"""


FORMULAS = {
    "perceptron": "max(0, -m)",
    "hinge": "max(0, 1 - m)",
    "log": "ln(1 + exp(-m))",
    "exponential": "exp(-m)",
}
"""The losses as functions of the margin, where there are two outputs."""


def losses() -> Picture:
    """Draw the perceptron's loss, the hinge, the log loss and the exponential loss over the margin, beside the 0-1 loss.

    >>> losses()
    <linnet picture: Four losses over the margin, 1 panel>
    """
    margins = np.linspace(LOW, HIGH, 121)
    axes = Axes(Box(30, 26, 428, 276), (LOW, HIGH), (0.0, MOST))
    parts = [*axes.levels(range(int(MOST) + 1)), *axes.below(range(int(LOW), int(HIGH) + 1))]
    parts += axes.named("margin m = w.f(x, y) - max over y' of w.f(x, y')", "loss")
    parts.append(axes.line([(LOW, 1.0), (0.0, 1.0), (0.0, 0.0), (HIGH, 0.0)], "curve zero"))
    for name, loss in LOSSES.items():
        parts.append(axes.line(_seen(margins, of_margins(loss(), margins)[0]), f"curve {name}"))
    parts += _names(axes)
    return Picture(
        "Four losses over the margin", (Panel("losses", 440, 308, tuple(parts)),), notes=_NOTES, style=_STYLE
    )


def _names(axes: Axes) -> Iterator[str]:
    """The name of each curve, along it and in its colour."""
    said = {name: f"{name}: {formula}" for name, formula in FORMULAS.items()}
    yield axes.along(said["hinge"], ((-2.6, 3.6), (-1.2, 2.2)), 6, "hinge")
    yield axes.along(said["log"], ((-2.5, 2.58), (-0.9, 1.24)), 6, "log")
    yield axes.along(said["perceptron"], ((-2.9, 2.9), (-1.4, 1.4)), -14, "perceptron")
    yield words(said["exponential"], axes.x(-1.2), axes.y(3.7), "exponential")
    yield words("0-1: 1 if m <= 0", axes.x(LOW) + 3, axes.y(1) - 5, "zero")


def _seen(margins: Floats, values: Floats) -> list[Point]:
    """The points of a falling curve, from the one where it comes in at the top of the picture."""
    first = int(np.argmax(values <= MOST))
    points = [*zip(margins[first:].tolist(), values[first:].tolist(), strict=True)]
    if not first:
        return points
    share = (values[first - 1] - MOST) / (values[first - 1] - values[first])
    return [(float(margins[first - 1] + share * (margins[first] - margins[first - 1])), MOST), *points]


def of_margins(loss: Loss, margins: Floats) -> tuple[Floats, Floats]:
    """The loss of two labels, the right one with score m / 2 and the other with -m / 2; and its derivative by m."""
    W = np.zeros((2, stride_of(2)), np.float32)
    W[1, :2] = 0.5, -0.5
    online = Online(Labels(2), loss, Constant(0), (1,))
    online.restore({"v0": W}, {})
    n = len(margins)
    block = Block(np.arange(n + 1), np.zeros(n, np.uint32), np.asarray(margins, np.float32))
    y, y_at = np.zeros(n, np.int32), np.arange(n + 1)
    values, slopes = np.empty(n), np.empty(n)
    for i in range(n):
        online.begin()
        online.run((block,), y, y_at, np.array([i]))
        values[i] = online.total
        right, other = np.asarray(online.slopes()[0])[0, :2].tolist()
        slopes[i] = (right - other) / 2
    return values, slopes
