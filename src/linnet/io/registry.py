"""The formats of labelled text that can be read. A further one is a module and a line here."""

from __future__ import annotations

from linnet.errors import UsageError
from linnet.io.contract import Reader
from linnet.io.delimited import CSV, TSV
from linnet.io.fasttext import FastText
from linnet.io.folder import Folder
from linnet.io.formats import Formats
from linnet.io.ipc import Ipc
from linnet.io.jsonl import JsonLines
from linnet.io.lines import Lines
from linnet.io.parquet import Parquet
from linnet.io.source import Source

_FOLDER = Folder()
FORMATS: Formats[Reader] = Formats("format", Parquet(), Ipc(), JsonLines(), FastText(), TSV, CSV, Lines(), _FOLDER)


def formats() -> dict[str, str]:
    """Name and one line of description for every format that can be read."""
    return FORMATS.described()


def choose(source: Source, format: str | None, labelled: bool) -> Reader:
    if source.is_folder:
        if format not in (None, _FOLDER.name):
            FORMATS.named(str(format))
            raise UsageError(f"'{source.name}' is a folder, but format '{format}' reads files. Pass the files in it.")
        return _FOLDER
    reader = FORMATS.of(source, format, lambda reader, head: reader.sniff(head, labelled))
    if reader is None:
        raise FORMATS.unknown(source)
    return reader
