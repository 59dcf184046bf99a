"""Registries find things by their names: those of linnet, and those that a file of the user's own adds (plugins.py)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from importlib import import_module
from typing import Protocol, TypeVar, cast

from linnet.errors import UsageError, meant

_ALIKE = 0.5
"""The similarity from which on a known name is suggested for one that is not known."""


class Named(Protocol):
    @property
    def name(self) -> str: ...


T = TypeVar("T", bound=Named)


class Registry(MutableMapping[str, T]):
    """A dict from names to things, in the order in which they are shown to users.

    what: what the things are called in messages, such as "format".
    homes: where things are defined, as `module:NAME`, that are imported only when their names are first asked for.
    aliases: other names of things, each with the name that it stands for.
    """

    def __init__(
        self,
        what: str,
        *things: T,
        homes: Mapping[str, str] | None = None,
        aliases: Mapping[str, str] | None = None,
    ) -> None:
        self.what = what
        self._homes = dict(homes or {})
        # None stands for a thing that has not been imported yet.
        self._things: dict[str, T | None] = {thing.name: thing for thing in things}
        self._things.update(dict.fromkeys(self._homes))
        self.aliases = dict(aliases or {})

    def __getitem__(self, name: str) -> T:
        found = self._things[name]
        if found is None:
            module, _, attribute = self._homes[name].partition(":")
            found = self._things[name] = cast("T", getattr(import_module(module), attribute))
        return found

    def __setitem__(self, name: str, thing: T) -> None:
        self._things[name] = thing

    def __delitem__(self, name: str) -> None:
        del self._things[name]

    def __contains__(self, name: object) -> bool:
        return name in self._things

    def __iter__(self) -> Iterator[str]:
        return iter(self._things)

    def __len__(self) -> int:
        return len(self._things)

    def __str__(self) -> str:
        return ", ".join(self)

    def add(self, thing: T) -> T:
        """Add a thing, or replace the one of that name, and return it."""
        self[thing.name] = thing
        return thing

    def find(self, name: str) -> T | None:
        """The thing of that name or alias, where case, hyphens, underscores and blanks do not count; None without one."""
        if name in self:
            return self[name]
        plain = {_plain(known): known for known in self}
        plain |= {_plain(alias): known for alias, known in self.aliases.items()}
        known = plain.get(_plain(name))
        return None if known is None else self[known]

    def also_called(self, name: str) -> list[str]:
        """The aliases of the thing of that name."""
        return [alias for alias, known in self.aliases.items() if known == name]

    def named(self, name: str) -> T:
        """The thing that `find` finds. UsageError, with the most similar name, where there is none."""
        found = self.find(name)
        if found is None:
            hint = meant(name.lower(), [*self, *self.aliases], _ALIKE)
            raise UsageError(f"unknown {self.what} {name!r}.{hint} There are: {self}.")
        return found


def _plain(name: str) -> str:
    """A name without case, hyphens, underscores and blanks."""
    return name.casefold().translate({ord(mark): None for mark in "-_ "})
