"""What the commands ask of a task: a module with the names of `Commands`, which the task knows (`Task.commands`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from linnet.errors import UsageError
from linnet.io.texts.writing import format_of

if TYPE_CHECKING:
    import pyarrow as pa

    from linnet.fitting.contract import Columns
    from linnet.io.sentences.writing import SentenceWriter
    from linnet.tasks.explained import Explained

_OF = {"at_least": "label sets and hierarchies", "costs": "labels"}


@dataclass(frozen=True)
class Data:
    """Files as the user named them, and what he said about them."""

    paths: list[str]
    format: str | None = None
    text_col: str | None = None
    label_col: str | None = None

    @property
    def source(self) -> str | list[str]:
        return self.paths if len(self.paths) > 1 else self.paths[0]

    @property
    def columns(self) -> Columns:
        """What was said about the files, as a task takes it."""
        return {"format": self.format, "text_col": self.text_col, "label_col": self.label_col}


@dataclass(frozen=True)
class Asked:
    """What the user asked for: where answers go, how many of them, and how to decide between them."""

    output: str | None = None
    proba: bool = False
    top: int | None = None
    at_least: float | None = None
    costs: str | None = None

    @property
    def as_json(self) -> bool:
        """Whether the name of the file asks for JSON lines."""
        return self.output is not None and format_of(self.output) == "jsonl"

    def decide(self) -> dict[str, Any]:
        """What was said on how to decide, as `predict` of a model takes it."""
        said = {"at_least": self.at_least, "costs": self.costs}
        return {name: value for name, value in said.items() if value is not None}

    def check(self, task: str, takes: tuple[str, ...]) -> None:
        """UsageError for what a task has no use for."""
        for name in self.decide():
            if name not in takes:
                flag = "--" + name.replace("_", "-")
                raise UsageError(f"{flag} is for {_OF[name]}; the model is for task {task!r}. Leave it out.")


Write: TypeAlias = "Callable[[SentenceWriter, Any, pa.Table, Asked], None]"
"""Adds a batch and its answers to a file of text."""


class Commands(Protocol):
    @property
    def probable(self) -> str:
        """The learners that have probabilities."""

    @property
    def takes(self) -> tuple[str, ...]:
        """What a model can be told on how to decide: names of Asked."""

    @property
    def write(self) -> Write | None:
        """Writes answers as the text that outputs of the task usually are; None where that is a table."""

    def evaluate(self, model: Any, data: Data, asked: Asked) -> tuple[Any, Any]:
        """A report, and what the terminal shows of it."""

    def explain(self, model: Any, data: Data | None, text: str, top: int) -> Explained:
        """The first examples of data, or a text; the model itself where there is neither."""

    def facts(self, data: Data) -> dict[str, Any]:
        """What is in data, and what is wrong with it."""
