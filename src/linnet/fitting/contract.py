"""The methods that every task has: a task turns data into examples, and outputs back into what users read.

A further task is one folder in `tasks/`, and one line in the registry (registry.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

from linnet.core.blocks import Block
from linnet.core.form import Structure
from linnet.core.predictor import Predictor
from linnet.core.types import Data, Json, Label, Setting
from linnet.errors import DataError
from linnet.fitting.kinds import F, G
from linnet.fitting.opening import Enough
from linnet.fitting.progress import SILENT, Steps
from linnet.io.bytes.encoding import half_pair
from linnet.io.formats import FileOptions
from linnet.learners import Preset
from linnet.learners.preset import Options

if TYPE_CHECKING:
    from linnet.fitting.notation import Notation
    from linnet.io.python_values import Rows
    from linnet.learners import Examples
    from linnet.model.base import Model
    from linnet.tasks.commands import Commands

Floats = npt.NDArray[np.float32]
ClassWeight: TypeAlias = str | Mapping[Label, float] | None
"""The weights of examples: `balanced`, or that of each label; None: all weigh the same."""
Columns: TypeAlias = Mapping[str, Setting]
"""What the user said about files: the names of the text and label columns, `text_col` and `label_col`, and how the files are
read, which are the keys of `FileOptions` (io/formats.py); `how_of` gives these."""


def how_of(columns: Columns) -> FileOptions:
    """How files are to be read, out of what the user said about them."""
    return {key: columns[key] for key in FileOptions.__annotations__ if key in columns}  # type: ignore[return-value]


class Gold(Protocol):
    """Examples with their gold outputs, which are the right ones. `Task.read` makes them; each task has a class of its own."""

    @property
    def y(self) -> npt.NDArray[np.int32]:
        """The gold outputs of all examples, one after the other, in the integers that the structure of the task has for
        them."""

    @property
    def y_at(self) -> npt.NDArray[np.int64]:
        """Where the output of each example begins in y, and where the last one ends: example i has y[y_at[i]:y_at[i + 1]]."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the labels in the order of their numbers."""

    @property
    def source(self) -> str:
        """Where the examples come from, such as a path, for messages."""

    @property
    def details(self) -> Mapping[str, Json]:
        """Facts about the data that the model keeps for later, such as the tag scheme; they are plain values, for JSON."""

    def __len__(self) -> int: ...

    def part(self, rows: npt.NDArray[np.int64]) -> Self:
        """The examples with these row numbers, in this order."""

    def texts(self) -> Sequence[str]:
        """Each example as a text that people can read."""

    def column(self, name: str) -> Sequence[Json] | None:
        """The values of a column of the file, such as `fold` or `author`, one for each example; None without such a column."""


def check_names(labels: Iterable[str]) -> None:
    """Raise DataError where the name of a label cannot be written: it holds half of a surrogate pair."""
    for label in labels:
        if half_pair(label) is not None:
            raise DataError(
                f"the label {label!r:.60} holds half of a surrogate pair, which is no character. Rename it."
            )


class Known(NamedTuple):
    """What is known about outputs before data are read: the labels in the order of their numbers, and the model's details."""

    labels: tuple[str, ...]
    details: Mapping[str, Json]
    grows: bool = False
    """Whether labels that are not known yet get the next free numbers. Otherwise their number is -1."""

    def labels_with(self, found: Iterable[str]) -> tuple[str, ...]:
        """The known labels, followed by the new ones among `found` in alphabetical order, if labels may grow."""
        if not self.grows:
            return self.labels
        new = sorted(set(found) - set(self.labels))
        check_names(new)
        return (*self.labels, *new)


class Counts(NamedTuple):
    """How right outputs are, or what they cost, for each example. The measure of some examples is sum(right) / sum(total)."""

    measure: str
    """The name of the measure: accuracy, F1, mean cost, ..."""
    right: npt.NDArray[np.float64]
    total: npt.NDArray[np.float64]
    less_is_better: bool = False
    """Whether the measure is a cost, which has no upper bound. Every other measure is a share between 0 and 1."""

    @property
    def score(self) -> float:
        """The measure over all examples: sum(right) / sum(total)."""
        return float(self.right.sum() / max(self.total.sum(), 1e-300))

    def wrong(self, score: float) -> float:
        """How far a score is from perfect: the cost itself for costs, 1 - score for all other measures."""
        return score if self.less_is_better else 1 - score


Measure: TypeAlias = "Callable[[Any, npt.NDArray[np.int32], npt.NDArray[np.int64]], Counts]"
"""A function that counts how right the outputs of gold examples are: examples, outputs, and where each output starts."""


def joined(counts: Sequence[Counts]) -> Counts:
    """The counts of several parts of the data, joined into one."""
    right = np.concatenate([part.right for part in counts])
    total = np.concatenate([part.total for part in counts])
    return counts[0]._replace(right=right, total=total)


@dataclass(frozen=True)
class Plan:
    """Features, learner and options to train with. A task proposes a plan where the user does not choose."""

    features: str
    learner: str
    options: Options = field(default_factory=dict)
    """Options of the learner, by name."""
    calibrate: str | None = None
    """How to turn the scores of the learner into probabilities: "sigmoid", or None to leave them as they are."""


class Task(Protocol[G, F]):
    """What is predicted, such as labels, tags or trees: how its data are read, and how outputs are learned and measured.

    Others call the methods, in this order:

        training (fitting.py)     read, plan, fit, weighted; blocks, of the held-out part
        a trial (trials.py)       the same, and then counts, of the outputs for both parts
        a session (session.py)    read, plan, begin, grow, weighted; and read, grow, weighted again for each lesson
    """

    @property
    def name(self) -> str: ...

    @property
    def description(self) -> str:
        """The line that `linnet list tasks` shows."""

    @property
    def chooses_student(self) -> bool:
        """Whether held-out examples decide if teacher, student or their sum becomes the model (choosing_student.py); else it is
        their sum."""

    @property
    def per_place(self) -> bool | None:
        """Whether each number of an output is the label of one place. False means that an output is a set, None neither."""

    @property
    def settings(self) -> Mapping[str, str]:
        """The settings of the task that a user gives by `--set`, each with its help. Each is a field of the task of that
        name."""

    @property
    def extensions(self) -> tuple[str, ...]:
        """The ends of the names of files that are made for this task alone, such as .prose: they need no --task."""

    @property
    def model(self) -> type[Model]: ...

    @property
    def commands(self) -> Commands:
        """The module with what `linnet predict`, `evaluate`, `explain` and `inspect` do for this task, imported when needed."""

    def read(self, data: Data, columns: Columns, known: Known | None = None) -> G:
        """Read gold examples from paths, or from a pair of Python values: examples and their outputs. Labels that are
        `known` keep their numbers."""

    def stream(self, paths: Data, columns: Columns, known: Known | None, enough: Enough | None) -> Iterator[Data]:
        """The examples of files in their order, some at a time, each lot as `read` takes it. The first lot is made so
        large that it is `enough` to begin with (opening.py), if that ever happens; with None it may be of any size.
        Examples that were given out are not kept, and standard input and pipes are read as they come."""

    def streamed(self, spec: str) -> str:
        """The specification without what must see several examples at once, such as document frequencies: with these features
        an example has the same row, whatever comes after it."""

    def asks(self, plan: Plan) -> Columns:
        """Further keys of the columns of `read` and `taken`, which follow from the features and the learner of a plan
        (each is "" where the user did not choose): whether there must be texts, and how many labels there must be."""

    def taken(self, rows: Rows, columns: Columns, remembered: Mapping[str, str]) -> Data:
        """The examples and outputs in the columns of rows, as `read` takes them.

        remembered: the columns that the data of a model had, which are looked for before those that have a usual name.
        """

    def is_one(self, x: Data) -> bool:
        """Whether x is one example, rather than several."""

    def as_trained(self, details: Mapping[str, Json]) -> Task[G, F]:
        """The task with the settings that a model with these details was trained with."""

    def weighted(self, features: F, gold: G, class_weight: ClassWeight) -> tuple[Structure, Floats | None]:
        """The structure to learn with, and the weight of each example, or None where all weigh the same."""

    def plan(self, spec: str | None, gold: G) -> Plan:
        """The plan that suits the data. It keeps the features of the specification, if there is one."""

    def measure_of(self, learner: Preset, gold: G) -> str | None:
        """The F1, "micro" or "macro", for which thresholds of labels are set; None where a label is in a set if it scores above
        0, or where outputs are not sets."""

    def fit(self, spec: str, gold: G, steps: Steps = SILENT) -> tuple[F, tuple[Block, ...]]:
        """Make features from the examples; return the features and the blocks of feature values of the examples. Models
        that the features need, such as taggers, are learned in `steps` of their own."""

    def blocks(self, features: F, gold: G) -> tuple[Block, ...]:
        """The blocks of feature values of further examples; features that are not known are left out."""

    def blocks_to_learn(self, features: F, gold: G) -> tuple[Block, ...]:
        """The blocks of gold examples to learn from, with features that were made from these and others before. Some of their
        features may be left out that further examples have."""

    def begin(self, spec: str, gold: G, steps: Steps = SILENT) -> F:
        """Features for a session that begins with these examples; they grow with the examples that follow."""

    def grow(self, features: F, gold: G) -> tuple[Block, ...]:
        """The blocks of feature values of further examples; features that are new in them get the next free numbers."""

    def notation(self, features: F, gold: G, gen: Structure, i: int) -> Notation:
        """The words for the numbers of example i, for a trace of learning (trace.py)."""

    def counts(self, gold: G, y_hat: npt.NDArray[np.int32], y_hat_at: npt.NDArray[np.int64]) -> Counts:
        """How right the outputs y_hat are for the gold examples, by the measure that matters in this task."""

    def with_unlabelled(self, gold: G, own: Data, others: Data, columns: Columns) -> G:
        """The gold examples with others that have no outputs, from paths or from values of Python. Raise UsageError for a task
        that does not learn from such examples.

        own: the data that the gold examples were read from, if their rows without an output are meant, too; else None.
        others: further examples, or None.
        """

    def n_unlabelled(self, gold: G) -> int:
        """The number of examples without outputs that gold examples have with them, and that features are learned from."""

    def with_lexicon(self, gold: G, words: Mapping[str, Sequence[str]]) -> G:
        """The gold examples with words that speak for labels, given for each label. Raise UsageError for a task that does not
        learn from words, and for a label that there is not."""

    def without_labels(self, data: Data, columns: Columns, labels: Sequence[str]) -> G | None:
        """For data without any outputs: gold data with these labels that hold the examples without outputs, and no gold
        examples. None where the data have outputs."""

    def words_of_labels(self, features: F, gold: G) -> tuple[G, Floats] | None:
        """The words that speak for labels as examples, and the weight of each; None where there are none."""

    def unlabelled(self, gold: G) -> G | None:
        """The examples without outputs, or some of them, that a student learns from (student.py); None where there are none."""

    def taught(
        self, teacher: Predictor, blocks: tuple[Block, ...], given: Examples, probable: bool, other_kind: bool
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
        """What a teacher says about examples without outputs, as gold outputs for a student, and where each output starts.

        given: the examples with outputs. probable: whether the teacher's marginals are probabilities. other_kind: whether the
            examples without outputs are of another kind than those with outputs.
        """

    def constant(self, training: G, held: G) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]] | None:
        """The outputs of a system that looks at no example and always gives what is most frequent in the training part, and
        where each starts; None where outputs have nothing in common that could always be given."""

    def measures(self, gold: G) -> Mapping[str, Measure]:
        """The measures among which a user may choose for these examples, by the names that he gives; an empty mapping where
        there is only that of `counts`."""


@runtime_checkable
class Searchable(Task[G, F], Protocol[G, F]):
    """A task that has several plans for its data, among which `--learner auto` chooses."""

    def candidates(self, spec: str | None, gold: G) -> Sequence[Plan]:
        """The plans that may suit the data, the usual one first. They keep the features of the specification, if there is
        one."""


@runtime_checkable
class Rerankable(Task[G, F], Protocol[G, F]):
    """A task whose models may have a reranker: a second model that chooses among their best outputs."""

    @property
    def second_look(self) -> Plan:
        """The plan by which the reranker is learned."""

    def unseen(self, spec: str, gold: G, steps: Steps = SILENT) -> tuple[Self, G]:
        """The task and the examples that the models of folds are learned with. What new text would not come with, such as right
        tags, is predicted in these examples too."""
