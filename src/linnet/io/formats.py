"""Formats of one kind of data, found by name, by extension or by the first bytes of a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from os import PathLike, fspath
from typing import Protocol, TypeAlias, TypedDict, TypeVar, Unpack

from linnet.core.types import Data
from linnet.errors import DataError, UsageError, shown
from linnet.io.bytes.binary_files import refuse_binary
from linnet.io.bytes.source import Source
from linnet.registry import Registry

Path: TypeAlias = str | PathLike[str]
Note: TypeAlias = Callable[[str], None]
"""A function that is told, in a sentence, what a reader found by itself or left out."""


class FileOptions(TypedDict, total=False):
    """How files are to be read, as the user says. Whatever is None, or missing, is found out from the files."""

    format: str | None
    encoding: str | None
    """The encoding of text, as Python calls it."""
    delimiter: str | None
    """The character between the columns of a table."""
    note: Note | None
    """The function that is told what was found out from the files, and what was left out of them."""


class Format(Protocol):
    """What all readers say about themselves."""

    @property
    def name(self) -> str: ...

    @property
    def description(self) -> str:
        """A line of description for `linnet list`."""

    @property
    def extensions(self) -> tuple[str, ...]: ...

    @property
    def empty(self) -> str:
        """The sentence that is shown for a file with nothing in it to read."""


class Sniffing(Format, Protocol):
    def sniff(self, head: bytes) -> bool:
        """Whether a file of unknown extension that begins with `head` is of this format."""


R = TypeVar("R", bound=Format)
S = TypeVar("S", bound=Sniffing)
T = TypeVar("T")


class Formats(Registry[R]):
    """Readers, in the order in which they are asked whether a file of unknown extension is of their format. The formats
    that are surest to be recognised come first.

    homes: where readers are defined that are imported only when their format is first met, as `module:NAME`.
    endings: the extensions of the formats that have homes.
    """

    def __init__(
        self,
        what: str,
        *readers: R,
        homes: Mapping[str, str] | None = None,
        endings: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        super().__init__(what, *readers, homes=homes)
        self._endings = dict(endings or {})

    @property
    def extensions(self) -> dict[str, str]:
        """The name of the format of each extension."""
        found: dict[str, str] = {}
        for name, reader in self._things.items():
            endings = self._endings.get(name, ()) if reader is None else reader.extensions
            found |= dict.fromkeys(endings, name)
        return found

    def described(self) -> dict[str, str]:
        """The name of each format, with a line of description."""
        return {name: reader.description for name, reader in self.items()}

    def choose(self, source: Source, format: str | None, sniffs: Callable[[R, bytes], bool]) -> R | None:
        """The reader for a source: the one of the format that is named, or else of the extension, or else the first for
        which `sniffs(reader, first bytes)` is true. None where there is none."""
        if format is not None:
            return self.named(format)
        known = self.extensions.get(source.extension)
        if known is not None:
            return self[known]
        head = source.head()
        return next((reader for reader in self.values() if sniffs(reader, head)), None)

    def unknown(self, source: Source) -> DataError:
        """The error for a source for which `choose` finds no reader."""
        message = f"cannot tell the format from the name or the first line. Pass --format: {self}."
        return DataError(message, source.name)


def no_examples(item: Data) -> DataError:
    """The error for a list that holds neither examples with their outputs nor paths."""
    return DataError(
        f"expected examples with their outputs, found {type(item).__name__} in a list: {shown(item)}. Pass examples "
        "and outputs as two lists, tagged sentences as lists of (word, tag), or a table."
    )


def paths_of(source: Path | Sequence[Path]) -> list[str]:
    """The paths, given one or several. UsageError where there is none."""
    paths = []
    for path in [source] if isinstance(source, (str, PathLike)) else source:
        if not isinstance(path, (str, PathLike)):
            raise no_examples(path)
        paths.append(fspath(path))
    if not paths:
        raise UsageError("expected at least one file to read, found none. Name a file, or - for stdin.")
    return paths


def unheard(note: str) -> None:
    """Do nothing: the function for callers who do not want to be told anything."""


def tell(source: Source, note: Note | None) -> Note:
    """Tell `note` which encoding was found, unless it is UTF-8. Return the function that is told what else is found:
    `note`, or one that does nothing where that is None."""
    hears = unheard if note is None else note
    if source.note is not None:
        hears(source.note)
    return hears


def refuse_delimiter(how: FileOptions, what: str) -> None:
    """Raise UsageError if the user names a delimiter for files that have none."""
    if how.get("delimiter") is not None:
        raise UsageError(f"--delimiter is for tables such as csv, but {what}. Leave it out.")


def read_files(
    source: Path | Sequence[Path],
    formats: Formats[S],
    read: Callable[[S, Source], Iterator[T]],
    **how: Unpack[FileOptions],
) -> Iterator[T]:
    """Read one path or several, file by file, and yield what the readers give. DataError where a file holds nothing."""
    refuse_delimiter(how, f"these are files of {formats.what.removeprefix('format of ')}")
    for path in paths_of(source):
        with Source(path, how.get("encoding")) as opened:
            if opened.is_folder:
                kind = formats.what.removeprefix("format of ")
                raise UsageError(f"'{opened.name}' is a folder, expected a file of {kind}. Pass the files in it.")
            refuse_binary(opened)
            reader = formats.choose(opened, how.get("format"), lambda reader, head: reader.sniff(head))
            if reader is None:
                raise formats.unknown(opened)
            tell(opened, how.get("note"))
            found = False
            for part in read(reader, opened):
                found = True
                yield part
            if not found:
                raise DataError(reader.empty, opened.name)
