"""What a task is: from data to examples and back. A further task is one module, and a line in the registry."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

from linnet.core.blocks import Block
from linnet.core.form import Structure
from linnet.core.types import Data, Json, Setting
from linnet.features.contract import Features
from linnet.fitting.progress import SILENT, Steps
from linnet.learners import Preset
from linnet.learners.preset import Options

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    from linnet.model.base import Model
    from linnet.tasks.commands import Commands

    # A task, or a model, of which nothing else is said is one of any kind.
    G = TypeVar("G", bound="Gold", default=Any)
    F = TypeVar("F", bound=Features, default=Any)
    S = TypeVar("S", bound=Structure, default=Any)
else:
    from typing import TypeVar

    G, F, S = TypeVar("G"), TypeVar("F"), TypeVar("S")

Floats = npt.NDArray[np.float32]
ClassWeight: TypeAlias = str | Mapping[str, float] | None
"""The weights of examples: `balanced`, or that of each label; None: all weigh the same."""
Columns: TypeAlias = Mapping[str, Setting]
"""`format`, `text_col` and `label_col` as the user gave them."""


class Gold(Protocol):
    """Examples with their gold outputs as numbers: y[y_at[i]:y_at[i + 1]] is that of example i."""

    @property
    def y(self) -> npt.NDArray[np.int32]: ...

    @property
    def y_at(self) -> npt.NDArray[np.int64]: ...

    @property
    def labels(self) -> tuple[str, ...]: ...

    @property
    def source(self) -> str: ...

    @property
    def details(self) -> Mapping[str, Json]:
        """What the model wants to know of the data later."""

    def __len__(self) -> int: ...

    def part(self, rows: npt.NDArray[np.int64]) -> Self:
        """Some of the examples, in this order."""

    def texts(self) -> Sequence[str]:
        """Each example as a text, for people."""

    def column(self, name: str) -> Sequence[Json] | None:
        """A value for each example, where the file has such a column: its fold, its author."""


@dataclass(frozen=True)
class Known:
    """What is known of outputs before data are read: the labels by their numbers, and what the model knows of them."""

    labels: tuple[str, ...]
    details: Mapping[str, Json]
    grows: bool = False
    """Whether labels that are not among these become further ones, behind them. Else they become -1."""

    def labels_with(self, found: Iterable[str]) -> tuple[str, ...]:
        """The known labels and, where they may grow, behind them in order those that are new."""
        return (*self.labels, *sorted(set(found) - set(self.labels))) if self.grows else self.labels


@dataclass(frozen=True)
class Counts:
    """How right outputs are, or what they cost, example by example: the measure of some examples is sum(right) / sum(total)."""

    measure: str
    """accuracy, F1, mean cost, ..."""
    right: npt.NDArray[np.float64]
    total: npt.NDArray[np.float64]
    less_is_better: bool = False
    """Of costs, which have no upper bound; all else is a share of 1."""

    @property
    def score(self) -> float:
        return float(self.right.sum() / max(self.total.sum(), 1e-300))

    def wrong(self, score: float) -> float:
        """What such a score leaves to be desired: a cost itself, else what is missing to 1."""
        return score if self.less_is_better else 1 - score


def joined(counts: Sequence[Counts]) -> Counts:
    """Those of several parts."""
    right, total = (np.concatenate([getattr(part, name) for part in counts]) for name in ("right", "total"))
    return replace(counts[0], right=right, total=total)


@dataclass(frozen=True)
class Plan:
    """How to learn from some data where the user does not say."""

    features: str
    learner: str
    options: Options = field(default_factory=dict)
    """Of that learner."""
    calibrate: str | None = None
    """How to make its scores into probabilities, where they are needed."""


class Task(Protocol[G, F]):
    @property
    def name(self) -> str: ...

    @property
    def description(self) -> str:
        """One line for `linnet list`."""

    @property
    def per_place(self) -> bool | None:
        """Whether each number of an output is the label of one place. False: it is a set; None: neither."""

    @property
    def settings(self) -> Mapping[str, str]:
        """What the user may say of this task itself, each with its help: fields of the task, by the same names."""

    @property
    def model(self) -> type[Model]: ...

    @property
    def commands(self) -> Commands:
        """What `linnet predict`, `evaluate`, `explain` and `inspect` do for it; imported when it is asked for."""

    def read(self, data: Data, columns: Columns, known: Known | None = None) -> G:
        """The gold examples of paths, or of Python values: a pair of examples and their outputs. Where labels are `known`,
        they keep their numbers."""

    def is_one(self, x: Data) -> bool:
        """Whether x is one example, and not several of them."""

    def as_trained(self, details: Mapping[str, Json]) -> Task[G, F]:
        """The task with the settings that a model with these details was trained with."""

    def weighted(self, features: F, gold: G, class_weight: ClassWeight) -> tuple[Structure, Floats | None]:
        """The structure to learn with, and one weight for each example, None where all are the same."""

    def plan(self, spec: str | None, gold: G) -> Plan:
        """What suits the data, with the features of the spec if there is one."""

    def measure_of(self, learner: Preset, gold: G) -> str | None:
        """By which F1, micro or macro, to set from which score on a label is in a set; None: from 0 on, or no sets."""

    def fit(self, spec: str, gold: G, steps: Steps = SILENT) -> tuple[F, tuple[Block, ...]]:
        """Features that have seen these examples, and the blocks of them. Models that the features need are learned in
        `steps` of their own."""

    def blocks(self, features: F, gold: G) -> tuple[Block, ...]:
        """The blocks of further examples; features that are not known are passed over."""

    def begin(self, spec: str, gold: G, steps: Steps = SILENT) -> F:
        """Features that grow with the examples of a session, which begins with these."""

    def grow(self, features: F, gold: G) -> tuple[Block, ...]:
        """The blocks of further examples; features that are new in them join those that there are, behind them."""

    def counts(self, gold: G, y_hat: npt.NDArray[np.int32], y_hat_at: npt.NDArray[np.int64]) -> Counts:
        """How right the outputs y_hat are for the gold examples, by what matters in this task."""


@runtime_checkable
class Searchable(Task[G, F], Protocol[G, F]):
    """A task with more than one plan for its data."""

    def candidates(self, spec: str | None, gold: G) -> Sequence[Plan]:
        """What may suit the data, the usual first; with the features of the spec if there is one."""


@runtime_checkable
class Rerankable(Task[G, F], Protocol[G, F]):
    """A task whose models may choose among their best outputs by a second look."""

    @property
    def second_look(self) -> Plan:
        """How to learn that."""

    def unseen(self, spec: str, gold: G, steps: Steps = SILENT) -> tuple[Self, G]:
        """The task and the examples for models of parts of them, with all that is given as new examples would have it."""
