"""How learning went, epoch by epoch: mistakes, loss, held-out accuracy, and how far the weights moved."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from linnet.core.types import Json
from linnet.errors import UsageError
from linnet.model.base import Model
from linnet.plot.axes import Axes, powers
from linnet.report.drawing import Box, Point, marks, words
from linnet.report.pictures import Panel, Picture
from linnet.tasks import load

_WIDTH, _HEIGHT = 250.0, 176.0
_BOX = Box(44, 30, 238, 140)
_MOST_DOTS = 24
"""The largest number of epochs that have a dot each."""
_STYLE = """
svg circle.one { stroke: none; } svg circle.best { fill: var(--paper); stroke: var(--ink); stroke-width: 1.6; }
"""


@dataclass(frozen=True)
class _Measure:
    """Something that each epoch has a number of."""

    name: str
    key: str
    """The name of the measure in the report of a model."""
    said: Callable[[float], str]
    log: bool = False
    from_zero: bool = True
    """Whether the axis begins at 0."""

    def shows(self, value: float) -> bool:
        """Whether a value can be drawn: an axis of powers of ten has no 0."""
        return math.isfinite(value) and (value > 0 or not self.log)


def _percent(value: float) -> str:
    return f"{100 * value:.3g}%"


_MEASURES = (
    _Measure("mistakes", "mistakes", "{:,.0f}".format),
    _Measure("mean loss", "loss", "{:.3g}".format),
    _Measure("accuracy on held-out data", "dev", _percent, from_zero=False),
    _Measure("change of the weights", "moved", _percent, log=True),
    _Measure("distance to the optimum", "gap", _percent, log=True),
    _Measure("support vectors", "support", "{:,.0f}".format),
)

Course = list[Point]
"""The number of each epoch in a run, with its value."""


def learning(model: Model | str | os.PathLike[str]) -> Picture:
    """Draw how a model was learned, epoch by epoch: its mistakes, its loss, its accuracy on held-out data, and how far the
    weights moved. What its learner does not know is left out.

    model: a model, or the path of a model file.
    """
    if not isinstance(model, Model):
        model = load(model)
    report = model.report
    trial = report.get("trial")
    courses = {"trial": [] if trial is None else trial["epochs"], "": report.get("epochs", [])}
    best = _best(report if trial is None else trial)
    panels = [panel for measure in _MEASURES for panel in _panel(measure, courses, best)]
    if not panels:
        raise UsageError(
            f"the model was learned by {model.learner!r} in {_passes(courses[''])}, so there is no course to draw. Train it "
            "with more epochs, or by a learner that goes over the data again and again, such as 'averaged-mira'."
        )
    notes = [f"Learned by {model.learner}. {_capital(str(report.get('stopped', '')))}."]
    if trial is not None:
        notes.append("Lines are of all data, dashes of the trial before, for which a part was held out.")
    if best is not None:
        notes.append("The ring is the epoch that was best on held-out data.")
    return Picture("How learning went", tuple(panels), notes=(" ".join(notes),), style=_STYLE)


def _best(report: Mapping[str, Json]) -> Point | None:
    """The epoch of its run that was best on held-out data, and its accuracy there; None where nothing was held out."""
    epochs = report.get("epochs", [])
    found = next((epoch for epoch in epochs if epoch["epoch"] == report["best"] and epoch["dev"] is not None), None)
    if found is None:
        return None
    return [epoch for epoch in epochs if epoch["run"] == found["run"]].index(found) + 1, found["dev"]


def _passes(epochs: Sequence[Json]) -> str:
    return "one pass" if epochs else "no passes"


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _panel(
    measure: _Measure, courses: Mapping[str, Sequence[Mapping[str, Json]]], best: Point | None
) -> Iterator[Panel]:
    """The panel of one measure, with the value of the model in the corner; none where the epochs have no such number."""
    lines = {kind: [line for line in _runs(epochs, measure) if line] for kind, epochs in courses.items()}
    points = [point for kind in lines for line in lines[kind] for point in line]
    if len({x for x, _ in points}) < 2:
        return
    values = [value for _, value in points]
    log = measure.log and max(values) > min(values)
    low, high = (min(values) / 1.3, max(values) * 1.3) if log else _room(values, from_zero=measure.from_zero)
    last = max(x for x, _ in points)
    axes = Axes(_BOX, (1, last), (low, high), log)
    numbers = powers(low, high) if log else marks(low, high, 3)
    ring = best if measure.key == "dev" else None
    final = values[-1] if ring is None else ring[1]
    parts = [words(measure.name, 6, 14, "name"), words(measure.said(final), _BOX.x1, 14, "end")]
    parts += axes.levels(numbers, measure.said)
    parts += axes.below(_epochs(int(last)))
    parts += axes.named("epoch")
    for kind, style in (("trial", "two"), ("", "one")):
        for line in lines[kind]:
            parts.append(axes.line(line, style))
            parts += _dots(axes, line, style)
    if ring is not None:
        x, y = axes.at(ring)
        parts.append(f'<circle class="best" cx="{x:.1f}" cy="{y:.1f}" r="4"/>')
    yield Panel(measure.name, _WIDTH, _HEIGHT, tuple(parts))


def _runs(epochs: Sequence[Mapping[str, Json]], measure: _Measure) -> Iterator[Course]:
    """The course of each run."""
    for run in sorted({epoch["run"] for epoch in epochs}):
        own = [epoch.get(measure.key) for epoch in epochs if epoch["run"] == run]
        yield [(k, float(value)) for k, value in enumerate(own, 1) if value is not None and measure.shows(value)]


def _room(values: Sequence[float], *, from_zero: bool) -> tuple[float, float]:
    """The ends of an axis on which all values have room."""
    low, high = (0.0 if from_zero else min(values)), max(values)
    if high <= low:
        return low - (0.0 if from_zero else 0.01), high + (1.0 if from_zero else 0.01)
    return low - (0.0 if from_zero else 0.12 * (high - low)), high + 0.06 * (high - low)


def _epochs(last: int) -> list[float]:
    return [1, *(number for number in marks(1, last, 5) if number > 1 and number == int(number))]


def _dots(axes: Axes, line: Course, style: str) -> Iterator[str]:
    if len(line) <= _MOST_DOTS:
        for x, y in map(axes.at, line):
            yield f'<circle class="{style}" cx="{x:.1f}" cy="{y:.1f}" r="2.2"/>'
