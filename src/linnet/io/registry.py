"""The formats that can be read. A further one is a module and a line in `_READERS`."""

from __future__ import annotations

from linnet.errors import DataError, UsageError, meant
from linnet.io.contract import Reader
from linnet.io.delimited import CSV, TSV
from linnet.io.fasttext import FastText
from linnet.io.folder import Folder
from linnet.io.ipc import Ipc
from linnet.io.jsonl import JsonLines
from linnet.io.lines import Lines
from linnet.io.parquet import Parquet
from linnet.io.source import Source

_FOLDER = Folder()
# In the order in which they are asked about a file of unknown extension: the surest signs first.
_READERS: tuple[Reader, ...] = (Parquet(), Ipc(), JsonLines(), FastText(), TSV, CSV, Lines(), _FOLDER)
_BY_NAME = {reader.name: reader for reader in _READERS}


def formats() -> dict[str, str]:
    """Name and one line of description for every format that can be read."""
    return {reader.name: reader.description for reader in _READERS}


def named(name: str) -> Reader:
    if name not in _BY_NAME:
        hint = meant(name, _BY_NAME)
        raise UsageError(f"unknown format '{name}'; the formats are {', '.join(_BY_NAME)}.{hint}")
    return _BY_NAME[name]


def choose(source: Source, format: str | None, labelled: bool) -> Reader:
    """By name, or else by extension, or else by the first bytes."""
    reader = named(format) if format is not None else _FOLDER if source.is_folder else None
    if source.is_folder and reader is not _FOLDER:
        raise UsageError(f"'{source.name}' is a folder, but format '{format}' reads files. Pass the files in it.")
    if reader is not None:
        return reader
    known = {extension: reader for reader in _READERS for extension in reader.extensions}
    return known.get(source.extension) or _sniffed(source, labelled)


def _sniffed(source: Source, labelled: bool) -> Reader:
    head = source.head()
    reader = next((reader for reader in _READERS if reader.sniff(head, labelled)), None)
    if reader is None:
        message = f"cannot tell the format from the name or the first line. Pass --format: {', '.join(_BY_NAME)}."
        raise DataError(message, source.name)
    return reader
