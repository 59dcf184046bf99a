"""The group of commands, each of which is built from its function when it is asked for.

To build a command, typer reads the signature of its function with all options, which takes milliseconds. So the command
that is run does not wait until all others are built.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, get_type_hints

import typer
from typer.core import TyperGroup
from typer.main import get_command

FUNCTIONS: dict[str, Callable[..., None]] = {}
"""The functions of the commands, keyed by the name of the command, in the order in which they are shown."""


def command(function: Callable[..., None]) -> None:
    """Make a command of a function. Its name is that of the function without an underscore at the end, which `list_`
    has so that it does not hide `list`."""
    FUNCTIONS[function.__name__.rstrip("_")] = function


class Commands(Mapping[str, Any]):
    """The commands by name. One that is not there yet is built."""

    def __init__(self) -> None:
        self._built: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._built:
            function, alone = FUNCTIONS[name], typer.Typer(add_completion=False)
            # Otherwise typer would evaluate the annotations several times.
            function.__annotations__ = get_type_hints(function, include_extras=True)
            alone.command(name)(function)
            self._built[name] = get_command(alone)
        return self._built[name]

    def __iter__(self) -> Iterator[str]:
        return iter(FUNCTIONS)

    def __len__(self) -> int:
        return len(FUNCTIONS)


class BuiltWhenAsked(TyperGroup):
    """A group whose commands are the functions that `command` has taken."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands: Any = Commands()
