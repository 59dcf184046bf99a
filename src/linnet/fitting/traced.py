"""What a trace tells of one step of learning (trace.py), in the notation of the lectures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import ClassVar

from linnet.core.types import Json
from linnet.fitting.notation import Chart
from linnet.report.shown import Shown


@dataclass(frozen=True)
class Feature:
    """A feature of a place of the example: of a text, of a token, of an arc."""

    place: str
    name: str
    value: float


@dataclass(frozen=True)
class Change:
    """A number of the learner that the step has changed."""

    block: int
    """The number of the block: tags have one for tokens and one for pairs of tags."""
    row: str
    """What the number belongs to: the name of a feature, or an example."""
    outcome: str
    before: float
    after: float


@dataclass(frozen=True)
class Changes:
    """What a step has changed in one kind of tables: `w`, the weights; `count`, counts; `alpha`, what an example has added."""

    name: str
    n: int
    """The number of changes; those that are largest are in `largest`."""
    largest: tuple[Change, ...]


@dataclass(frozen=True, repr=False)
class Step(Shown):
    """One step of learning, in the notation of the lectures."""

    drawn_by: ClassVar[str] = "linnet.fitting.trace_terminal:step"
    paged_by: ClassVar[str] = "linnet.fitting.trace_page:trace_page"

    t: int
    """The number of the step, from 1."""
    run: int
    epoch: int
    learner: str
    example: int | None = None
    """The number of the example in the data, from 0; None for a step after a pass over all examples."""
    x: str = ""
    y: str = ""
    """The right output, in words."""
    y_hat: str | None = None
    """The output that scores highest before the step; None where the learner only counts, or goes over all examples."""
    right: bool | None = None
    """Whether y_hat is right, as the structure sees it: a ranking is right where all right labels come first."""
    score: float | None = None
    """The score of y_hat, w.f(x, y_hat)."""
    score_of_y: float | None = None
    features: tuple[Feature, ...] = ()
    charts: tuple[Chart, ...] = ()
    loss: float | None = None
    tau: float | None = None
    """The length of the step; 0 where nothing was learned from the example."""
    changes: tuple[Changes, ...] = ()
    numbers: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Numbers of a pass before and after it, by their names."""
    distribution: tuple[tuple[str, float], ...] = ()
    """For boosting the examples that count most in this round, with their shares."""

    def _called_here(self) -> str:
        return f"step {self.t}"

    def as_dict(self) -> dict[str, Json]:
        """The step as plain values, for JSON; what it does not have is left out."""
        plain: dict[str, Json] = asdict(self)
        return {name: value for name, value in plain.items() if value not in (None, (), {}, "")}
