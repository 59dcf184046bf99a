"""What most tasks do alike, and may do otherwise: a task derives from `Defaults`, and says only what is its own."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Generic, Self

import numpy as np

from linnet.core.types import Data, Json
from linnet.errors import UsageError
from linnet.fitting.kinds import F, G
from linnet.fitting.progress import SILENT, Steps
from linnet.learners import Preset

if TYPE_CHECKING:
    import numpy.typing as npt

    from linnet.core.blocks import Block
    from linnet.core.form import Structure
    from linnet.core.predictor import Predictor
    from linnet.fitting.contract import ClassWeight, Columns, Floats, Known, Measure, Plan
    from linnet.fitting.notation import Notation
    from linnet.fitting.opening import Enough
    from linnet.io.python_values import Rows
    from linnet.learners import Examples
    from linnet.model.base import Model
    from linnet.tasks.commands import Commands


def is_pair(data: Data) -> bool:
    """Whether data are a pair of Python values, examples and their outputs, rather than paths."""
    return isinstance(data, tuple) and len(data) == 2 and not all(isinstance(part, str | os.PathLike) for part in data)


class Defaults(Generic[G, F]):
    """Methods that most tasks have in common (`Task` in fitting/contract.py)."""

    name: ClassVar[str]
    description: ClassVar[str] = ""
    per_place: ClassVar[bool | None] = True
    settings: ClassVar[Mapping[str, str]] = {}
    extensions: ClassVar[tuple[str, ...]] = ()
    model: ClassVar[type[Model]]
    chooses_student: ClassVar[bool] = True
    may_be_large: ClassVar[bool] = False
    """Whether the features can be kept in files (core/room.py), and their number can be bounded (`most`)."""

    @property
    def commands(self) -> Commands:
        """The usual commands, which need nothing but the task and its model."""
        from linnet.tasks.usual_commands import UsualCommands

        return UsualCommands(self)  # type: ignore[arg-type]

    def is_one(self, x: Data) -> bool:
        """A text is one example; several of them are a list."""
        return isinstance(x, str)

    def asks(self, plan: Plan) -> Columns:
        """Nothing: data are the same for all features and learners."""
        return {}

    def stream(self, paths: Data, columns: Columns, known: Known | None, enough: Enough | None) -> Iterator[Data]:
        """Raise UsageError: a task whose files can be read some examples at a time says itself how."""
        raise UsageError(
            f"examples of task {self.name!r} are read all at once. Leave out --once, or pass examples with their outputs from "
            "Python: linnet.stream."
        )

    def streamed(self, spec: str) -> str:
        """The specification as it is, as most features look at one example at a time, whether they grow or stay as the
        first examples have made them."""
        return spec

    def with_unlabelled(self, gold: G, own: Data, others: Data, columns: Columns) -> G:
        """Raise UsageError: few tasks learn from examples without outputs."""
        raise UsageError(
            "unlabelled examples are for labels of texts, for tags and for dependency trees; this is task "
            f"{self.name!r}. Leave them out."
        )

    def n_unlabelled(self, gold: G) -> int:
        """0: few tasks learn from examples without outputs."""
        return 0

    def with_lexicon(self, gold: G, words: Mapping[str, Sequence[str]]) -> G:
        """Raise UsageError: words can speak only for labels of texts."""
        raise UsageError(
            f"words that speak for labels are for texts with one label; this is task {self.name!r}. Leave them out."
        )

    def without_labels(self, data: Data, columns: Columns, labels: Sequence[str]) -> G | None:
        """None: few tasks learn without outputs."""
        return None

    def words_of_labels(self, features: F, gold: G) -> tuple[G, Floats] | None:
        """None: words can speak only for labels of texts."""
        return None

    def unlabelled(self, gold: G) -> G | None:
        """None: few tasks learn from examples without outputs."""
        return None

    def taught(
        self, teacher: Predictor, blocks: tuple[Block, ...], given: Examples, probable: bool, other_kind: bool
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
        """The outputs that the teacher predicts."""
        return self.model.decided(teacher, blocks, probable)

    def taken(self, rows: Rows, columns: Columns, remembered: Mapping[str, str]) -> Data:
        """Raise UsageError: a task that takes tables says itself which columns it takes."""
        raise UsageError(f"task {self.name!r} takes no tables. Pass examples and their outputs, or name a file.")

    def as_trained(self, details: Mapping[str, Json]) -> Self:
        """The task itself, which suits tasks whose settings do not matter after training."""
        return self

    def weighted(self, features: F, gold: G, class_weight: ClassWeight) -> tuple[Structure, Floats | None]:
        """The structure of the model. All examples weigh the same."""
        if class_weight is not None:
            raise UsageError(
                f"class weights are for labels and tags, not for task {self.name!r}. Leave out class-weight."
            )
        return self.model.structure(features, gold.labels, gold.details), None

    def notation(self, features: F, gold: G, gen: Structure, i: int) -> Notation:
        """The names of labels and features; places have numbers."""
        from linnet.tasks.notation import of_labels

        return of_labels(features, gold, i)

    def measure_of(self, learner: Preset, gold: G) -> str | None:
        """None: outputs are no sets of labels, so there are no thresholds to set."""
        return None

    def constant(self, training: G, held: G) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]] | None:
        """The most frequent label at each place; None where outputs are not labels of places."""
        if not self.per_place:
            return None
        most = np.bincount(training.y[training.y >= 0]).argmax()
        return np.full(len(held.y), most, np.int32), held.y_at

    def measures(self, gold: G) -> Mapping[str, Measure]:
        """There is one measure only, that of `counts`."""
        return {}

    def fit(self, spec: str, gold: G, steps: Steps = SILENT) -> tuple[F, tuple[Block, ...]]:
        raise NotImplementedError

    def blocks(self, features: F, gold: G) -> tuple[Block, ...]:
        raise NotImplementedError

    def blocks_to_learn(self, features: F, gold: G) -> tuple[Block, ...]:
        """The blocks with all features that are known."""
        return self.blocks(features, gold)

    def begin(self, spec: str, gold: G, steps: Steps = SILENT) -> F:
        """Features made from the first examples. What features learn from all data at once, such as units and translations,
        they learn from these."""
        return self.fit(spec, gold, steps)[0]

    def grow(self, features: F, gold: G) -> tuple[Block, ...]:
        """The blocks of further examples. The features stay as the first examples have made them."""
        return self.blocks(features, gold)
