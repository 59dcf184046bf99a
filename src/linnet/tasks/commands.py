"""What the commands need from a task: each task has a module with the names of `Commands`, found by `Task.commands`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

from linnet.errors import UsageError
from linnet.io.texts.writing import format_of

if TYPE_CHECKING:
    import pyarrow as pa

    from linnet.core.types import Json
    from linnet.fitting.contract import Columns
    from linnet.io.formats import FileOptions, Note
    from linnet.io.sentences.writing import SentenceWriter
    from linnet.tasks.evaluated import Evaluated
    from linnet.tasks.explained import Explained

# The tasks that each option is for, in words.
_OF = {"at_least": "label sets and hierarchies", "costs": "labels"}


class Data(NamedTuple):
    """The files that the user named, the names of their columns, and how they are to be read. `note` is a function that
    is told what was noticed in the files."""

    paths: list[str]
    format: str | None = None
    text_col: str | None = None
    label_col: str | None = None
    encoding: str | None = None
    delimiter: str | None = None
    note: Note | None = None

    @property
    def source(self) -> str | list[str]:
        return self.paths if len(self.paths) > 1 else self.paths[0]

    @property
    def how(self) -> FileOptions:
        """How the files are to be read."""
        return {"format": self.format, "encoding": self.encoding, "delimiter": self.delimiter, "note": self.note}

    @property
    def columns(self) -> Columns:
        """What was said about the files, as a task takes it."""
        return {"text_col": self.text_col, "label_col": self.label_col, **self.how}


class Asked(NamedTuple):
    """What the user asked a model for: where answers go, how many there are, and how to decide between them."""

    output: str | None = None
    proba: bool = False
    top: int | None = None
    at_least: float | None = None
    costs: str | None = None
    only: bool = False
    """Whether to write the answers alone, without the columns that the examples were read with."""
    keep: tuple[str, ...] = ()
    """The columns of the examples to write beside the answers; all of them where none is named."""
    spreadsheet_safe: bool = False
    """Whether a text that a spreadsheet would take for a formula is written so that it does not."""

    @property
    def as_json(self) -> bool:
        """Whether the name of the file asks for JSON lines."""
        return self.output is not None and format_of(self.output) == "jsonl"

    def decide(self) -> dict[str, Json]:
        """The options on how to decide, as arguments of the method `predict` of a model."""
        said = {"at_least": self.at_least, "costs": self.costs}
        return {name: value for name, value in said.items() if value is not None}

    def check(self, task: str, commands: Commands) -> None:
        """Raise UsageError for an option that the task does not take."""
        if self.keep and self.only:
            raise UsageError("--only keeps no column of the data, but --keep names one. Leave out one of the two.")
        if self.keep and commands.write is not None:
            raise UsageError(
                f"--keep is for answers beside columns, but those of task {task!r} are text. Leave it out."
            )
        if self.spreadsheet_safe and commands.write is not None:
            raise UsageError(
                f"--spreadsheet-safe is for csv and tsv, but the answers of task {task!r} are text. Leave it out."
            )
        for name in self.decide():
            if name not in commands.takes:
                flag = "--" + name.replace("_", "-")
                raise UsageError(f"{flag} is for {_OF[name]}, but the model is for task {task!r}. Leave it out.")


Write: TypeAlias = "Callable[[SentenceWriter, Any, pa.Table, Asked], None]"
"""A function that writes a batch and its answers to a file of text."""


class Commands(Protocol):
    """What the commands do for one task."""

    @property
    def probable(self) -> str:
        """The learners that have probabilities for this task, in words for the user."""

    @property
    def takes(self) -> tuple[str, ...]:
        """The options on how to decide that models of this task take: names of fields of Asked."""

    @property
    def write(self) -> Write | None:
        """The function that writes answers as the text that is usual for the task; None where answers are always a table."""

    def evaluate(self, model: Any, data: Data, asked: Asked) -> Evaluated:
        """Evaluate a model on data."""

    def explain(self, model: Any, data: Data | None, text: str, top: int) -> Explained:
        """Explain the first examples of data, or a text, or the model itself where neither is given."""

    def facts(self, data: Data) -> dict[str, Json]:
        """What `linnet inspect` shows about data: what is in them, and what is wrong with them."""
