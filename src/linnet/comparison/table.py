"""The result of a comparison: a row for each system, and the mistakes and strongest features of the best one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from linnet.core.types import Json
from linnet.evaluate.calibration import Reliability
from linnet.evaluate.curves import Curve
from linnet.evaluate.duplicates import Duplicates
from linnet.evaluate.verdict import Verdict
from linnet.explain import Strong
from linnet.report.shown import Shown

Ints = npt.NDArray[np.int64]


class System(NamedTuple):
    """What is compared: a learner over features."""

    features: str
    learner: str


@dataclass(frozen=True)
class Row:
    """The result of one system, over all its held-out examples."""

    system: System
    score: float
    error: float
    """The standard error of the score."""
    letters: str
    """Systems that share a letter do not differ significantly."""
    folds: list[float]
    """The score on each fold."""
    train: float
    """The score on the training examples, the mean over the folds."""
    seconds: float
    """Seconds to make features and to learn, for one fold."""
    epochs: float
    verdict: Verdict
    curve: Curve | None
    brier: float | None
    reliability: Reliability | None
    losses: dict[str, float]
    """The mean of each loss over the held-out decisions whose label is known; empty without probabilities."""
    expected: dict[str, float]
    """The mean of each loss that the system expects by its own probabilities."""
    accuracy: float | None = None
    """The accuracy, given where the score is a cost."""
    test: float | None = None
    test_error: float | None = None

    @property
    def log_loss(self) -> float | None:
        return self.losses.get("log")

    def as_dict(self) -> dict[str, Json]:
        out = (
            vars(self)
            | {"log_loss": self.log_loss}
            | self.system._asdict()
            | {"verdict": self.verdict.kind, "sentence": self.verdict.sentence}
        )
        out["ece"] = None if self.reliability is None else self.reliability.ece
        for name in ("curve", "reliability"):
            out[name] = None if out[name] is None else out[name].as_dict()
        del out["system"]
        return {key: value for key, value in out.items() if value is not None}


@dataclass(frozen=True)
class Chance:
    """The result of a system that looks at no example, and always gives the most frequent answer."""

    answer: str
    """What it gives, in words."""
    score: float
    error: float

    def as_dict(self) -> dict[str, Json]:
        return dict(vars(self))


@dataclass(frozen=True)
class Mistake:
    """A held-out decision that is wrong, and how probable the best system thought the gold label."""

    example: int
    text: str
    gold: str
    predicted: str
    p: float
    suspected: bool
    """Whether the gold label itself is perhaps the mistake."""


@dataclass(frozen=True, repr=False)
class Comparison(Shown):
    drawn_by: ClassVar[str] = "linnet.comparison.terminal:comparison_table"

    task: str
    source: str
    n: int
    measure: str
    less_is_better: bool
    how: str
    """A sentence that says which parts were held out."""
    labels: tuple[str, ...]
    rows: list[Row]
    """The systems, the best first."""
    chance: Chance | None
    """The system that always gives the most frequent answer; None where there is no such answer."""
    p: npt.NDArray[np.float64]
    """The p-value of each pair of rows, after Holm's correction."""
    refused: list[tuple[System, str]]
    confusion: Ints | None
    """The confusion matrix of the best system, gold labels in rows and predicted ones in columns; None where outputs are
    sets."""
    singles: Ints | None
    """Where outputs are sets, three counts for each label: the examples that have it, those for which the best system
    predicts it, and those of which both are true."""
    mistakes: list[Mistake]
    n_suspected: int
    strongest: dict[str, list[Strong]]
    """The strongest features of each label, by the best system that has weights of features."""
    strongest_of: System
    duplicates: Duplicates
    seconds: float
    interrupted: bool
    notes: tuple[str, ...] = ()
    """What readers found by themselves, or left out."""

    def as_html(self) -> str:
        from linnet.comparison.page import comparison_page
        from linnet.report.fragment import fragment

        return fragment(comparison_page("", self))

    def in_brief(self) -> str:
        return f"{self.n:,} examples, {len(self.rows)} systems, the best {self.best.system.learner}"

    @property
    def best(self) -> Row:
        return self.rows[0]

    @property
    def best_is_chance(self) -> bool:
        """Whether the best system is not better than the most frequent answer by two standard errors."""
        if self.chance is None:
            return False
        ahead = self.best.score - self.chance.score
        return (-ahead if self.less_is_better else ahead) <= 2 * self.best.error

    def as_dict(self) -> dict[str, Json]:
        """The JSON object of `linnet compare --json`."""
        return {
            "task": self.task,
            "data": self.source,
            "n": self.n,
            "measure": self.measure,
            "less_is_better": self.less_is_better,
            "held_out": self.how,
            "labels": list(self.labels),
            "systems": [row.as_dict() for row in self.rows],
            "chance": None if self.chance is None else self.chance.as_dict(),
            "p": self.p.tolist(),
            "refused": [system._asdict() | {"reason": reason} for system, reason in self.refused],
            "confusion": None if self.confusion is None else self.confusion.tolist(),
            "singles": None if self.singles is None else self.singles.tolist(),
            "most_wrong": [vars(mistake) for mistake in self.mistakes],
            "suspected_labels": self.n_suspected,
            "strongest": {label: [item._asdict() for item in items] for label, items in self.strongest.items()},
            "duplicates": self.duplicates.as_dict(),
            "seconds": self.seconds,
            "interrupted": self.interrupted,
            "notes": list(self.notes),
        }
