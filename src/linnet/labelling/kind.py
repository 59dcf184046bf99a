"""A kind of labelling: what has to be known of a task so that its examples can be labelled."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import pyarrow as pa

from linnet.core.types import I64, Data, Json, Output
from linnet.fitting.contract import Counts, Task
from linnet.io.formats import FileOptions
from linnet.labelling.agreement import Distance, nominal
from linnet.labelling.events import Answer, Part
from linnet.labelling.inputs import Inputs
from linnet.tasks import named

if TYPE_CHECKING:
    from linnet.labelling.learner import Learner
    from linnet.labelling.pool import Pool

Save = Callable[[str, Inputs, I64, Sequence[Answer]], None]
"""A function that writes some examples with their answers to a file."""


class Kind(ABC):
    """A task as labelling sees it."""

    name: ClassVar[str]
    """The name of the task."""
    drawn: ClassVar[str]
    """The name, in label.js, of the part of the page that draws its examples."""
    grows: ClassVar[bool] = True
    """Whether labels may be added while examples are labelled."""
    prefilled: ClassVar[bool] = True
    """Whether the page shows each example with the guess of the model, for people to correct, unless they turn that
    off."""
    takes_seed_words: ClassVar[bool] = False
    """Whether labelling can begin with seed words, which are words that speak for a label."""
    tables: ClassVar[tuple[str, ...]] = (".jsonl", ".parquet")
    """The endings of files that can hold its answers as a table."""
    saves: ClassVar[Mapping[str, Save]] = {}
    """The functions that write examples with their answers as the text that is usual for the task, keyed by the ending
    of the file."""

    @property
    def task(self) -> Task:
        """The task, with the settings that suit few examples."""
        return named(self.name)

    @abstractmethod
    def read(
        self, paths: list[str], text: str | None, label: str | None, how: FileOptions
    ) -> tuple[Inputs, dict[int, Answer]]:
        """Read the examples of files, and the answers that they have for some."""

    @abstractmethod
    def learner(self, pool: Pool, rows: I64, features: str | None, seed_words: Mapping[str, Sequence[str]]) -> Learner:
        """What learns from answers and says how sure it is of the examples with these numbers."""

    @abstractmethod
    def check(self, inputs: Inputs, row: int, answer: Answer, labels: Sequence[str]) -> Answer:
        """Return the answer with its parts in the order in which they are kept. Raise UsageError where it cannot be an
        answer for this example."""

    @abstractmethod
    def output(self, inputs: Inputs, row: int, answer: Answer) -> Output:
        """The answer for an example as the task reads outputs."""

    @abstractmethod
    def columns(self, inputs: Inputs, rows: I64, answers: Sequence[Answer]) -> dict[str, pa.Array]:
        """Examples and their answers as columns of a table."""

    def labels_of(self, answer: Answer) -> Iterable[str]:
        """The labels that an answer has."""
        return (part for part in answer if isinstance(part, str))

    def ordered(self, labels: Sequence[str]) -> tuple[str, ...]:
        """The labels in the order in which they are shown. Raise UsageError where they cannot be labels."""
        return tuple(labels)

    def facts(self, labels: Sequence[str]) -> dict[str, Json]:
        """What the page has to know: `labels` are the choices that it offers."""
        return {"labels": list(labels)}

    def examples(self, inputs: Inputs, rows: I64, others: I64, features: str | None) -> dict[str, Data]:
        """The examples with these numbers as `linnet.train` takes them, and what else it has to know of the inputs: for
        texts, some others without an answer, and the features that were asked for. A session has simpler features than
        a model that is trained on all answers at once, so that other tasks have their usual ones."""
        return {"data": [inputs.example(row) for row in rows.tolist()]}

    def options(self, labels: Sequence[str]) -> dict[str, Json]:
        """What `linnet.train` has to know beside the examples and their outputs."""
        return {}

    def counts(
        self,
        inputs: Inputs,
        rows: Sequence[int],
        answers: Sequence[Answer],
        guesses: Sequence[Answer],
        labels: Sequence[str],
    ) -> Counts:
        """How right guesses are, by the measure of the task; by default the share that is wholly right."""
        right = [set(one) == set(other) for one, other in zip(answers, guesses, strict=True)]
        return Counts("accuracy", np.array(right, np.float64), np.ones(len(right)))

    def units(self, answer: Answer) -> Sequence[Hashable]:
        """The parts of an answer that annotators agree on or not; by default the answer as a whole."""
        return (answer,)

    def distance(self, labels: Sequence[str]) -> Distance:
        """How far two units are apart, given all labels, for Krippendorff's alpha."""
        return nominal

    def said(self, part: Part) -> str:
        """A part of an answer in words."""
        return part if isinstance(part, str) else "-".join(map(str, part)) if isinstance(part, tuple) else str(part)
