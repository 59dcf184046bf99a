"""What a command does with a model or data of one task: a module for each task, with the functions of a Face."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol, cast

from linnet.errors import UsageError

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

    def only_sentences(self) -> None:
        """UsageError where there is a name of a column of texts."""
        if self.text_col is not None:
            raise UsageError("the model is for tokens: --text-col is for labels. Leave it out.")


@dataclass(frozen=True)
class Answers:
    """Where predictions go, how many of them, and how to decide between them."""

    output: str | None = None
    proba: bool = False
    top: int | None = None
    at_least: float | None = None
    costs: str | None = None

    def asked(self) -> dict[str, Any]:
        """What was said on how to decide, as `predict` of a model takes it."""
        said = {"at_least": self.at_least, "costs": self.costs}
        return {name: value for name, value in said.items() if value is not None}

    def check(self, task: str, takes: tuple[str, ...]) -> None:
        """UsageError for what a task has no use for."""
        for name in self.asked():
            if name not in takes:
                flag = "--" + name.replace("_", "-")
                raise UsageError(f"{flag} is for {_OF[name]}; the model is for task {task!r}. Leave it out.")


class Explained(Protocol):
    """Explanations in the three forms in which they can be had."""

    def page(self, title: str, top: int) -> str: ...

    def as_dict(self) -> dict[str, Any]: ...

    def shown(self, top: int) -> list[Any]:
        """For the terminal."""


class Face(Protocol):
    probable: str
    """The learners that have probabilities."""

    def predict(self, model: Any, data: Data, answers: Answers) -> None: ...

    takes: tuple[str, ...]
    """What it can be told on how to decide: names of Answers."""

    def evaluate(self, model: Any, data: Data, answers: Answers) -> tuple[Any, Any]:
        """A report, and the same for the terminal."""

    def explain(self, model: Any, data: Data | None, text: str, top: int) -> Explained:
        """The first examples of data, or a text; the model itself where there is neither."""

    def facts(self, data: Data) -> dict[str, Any]:
        """What is in data, and what is wrong with it."""


def face(task: str) -> Face:
    """Imported when it is needed: each has readers and reports of its own."""
    return cast(Face, import_module(f"linnet.tasks.{task}.commands"))
