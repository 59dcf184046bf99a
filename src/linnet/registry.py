"""Registries of things that have a name: those of linnet, and those that a file of one's own adds to them (plugins.py)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, TypeVar

from linnet.errors import UsageError, meant

_ALIKE = 0.5


class Named(Protocol):
    @property
    def name(self) -> str: ...


T = TypeVar("T", bound=Named)


class Registry(dict[str, T]):
    """Things by name, in the order in which they are shown. Aliases are other names for some of them."""

    def __init__(self, what: str, *things: T, aliases: Mapping[str, str] | None = None) -> None:
        super().__init__({thing.name: thing for thing in things})
        self.what = what
        self.aliases = dict(aliases or {})

    def __str__(self) -> str:
        return ", ".join(self)

    def add(self, thing: T) -> T:
        """Add a thing, or replace the one of that name, and return it."""
        self[thing.name] = thing
        return thing

    def find(self, name: str) -> T | None:
        """The thing of that name, or of that alias, in upper or lower case and with - or _ or without; None where there is
        none."""
        if name in self:
            return self[name]
        plain = {_plain(known): thing for known, thing in self.items()}
        plain |= {_plain(alias): self[known] for alias, known in self.aliases.items()}
        return plain.get(_plain(name))

    def also_called(self, name: str) -> list[str]:
        """The aliases of the thing of that name."""
        return [alias for alias, known in self.aliases.items() if known == name]

    def named(self, name: str) -> T:
        """The thing that `find` finds. UsageError, with what was meant, where there is none."""
        found = self.find(name)
        if found is None:
            hint = meant(name.lower(), [*self, *self.aliases], _ALIKE)
            raise UsageError(f"unknown {self.what} {name!r}.{hint} There are: {self}.")
        return found


def _plain(name: str) -> str:
    """A name without case, hyphens, underscores and blanks."""
    return name.casefold().translate({ord(mark): None for mark in "-_ "})
