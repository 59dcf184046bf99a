"""Formats of one kind of data, found by name, by extension or by the first bytes of a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike, fspath
from typing import Protocol, TypeAlias, TypeVar

from linnet.errors import UsageError
from linnet.io.source import Source
from linnet.registry import Registry

Path: TypeAlias = str | PathLike[str]


class Format(Protocol):
    """What all readers say of themselves."""

    @property
    def name(self) -> str: ...

    @property
    def description(self) -> str:
        """One line for `linnet list`."""

    @property
    def extensions(self) -> tuple[str, ...]: ...

    @property
    def empty(self) -> str:
        """The sentence for a file with nothing in it to read."""


R = TypeVar("R", bound=Format)


class Formats(Registry[R]):
    """Readers in the order in which they are asked about a file of unknown extension: the surest signs first."""

    @property
    def extensions(self) -> dict[str, R]:
        return {extension: reader for reader in self.values() for extension in reader.extensions}

    def described(self) -> dict[str, str]:
        """Name and one line of description for each."""
        return {name: reader.description for name, reader in self.items()}

    def of(self, source: Source, format: str | None, sniffs: Callable[[R, bytes], bool]) -> R | None:
        """By name, or else by extension, or else the first that `sniffs` its kind in the first bytes."""
        if format is not None:
            return self.named(format)
        known = self.extensions.get(source.extension)
        if known is not None:
            return known
        head = source.head()
        return next((reader for reader in self.values() if sniffs(reader, head)), None)


def paths_of(source: Path | Sequence[Path]) -> list[str]:
    """One path or several, at least one."""
    paths = [fspath(path) for path in ([source] if isinstance(source, (str, PathLike)) else source)]
    if not paths:
        raise UsageError("expected at least one file to read, found none. Name a file, or - for stdin.")
    return paths
