"""The formats of labelled text that can be read. A further one is a module and a line here."""

from __future__ import annotations

from linnet.errors import UsageError
from linnet.io.bytes.source import Source
from linnet.io.formats import Formats
from linnet.io.texts.arrow_files import Ipc
from linnet.io.texts.contract import Reader
from linnet.io.texts.delimited import CSV, TSV
from linnet.io.texts.fasttext import FastText
from linnet.io.texts.folder import Folder
from linnet.io.texts.jsonl import JsonLines
from linnet.io.texts.lines import Lines
from linnet.io.texts.parquet import Parquet

_FOLDER = Folder()
FORMATS: Formats[Reader] = Formats("format", Parquet(), Ipc(), JsonLines(), FastText(), TSV, CSV, Lines(), _FOLDER)


def formats() -> dict[str, str]:
    """The name of every format that can be read, with a line of description."""
    return FORMATS.described()


def choose(source: Source, format: str | None, labelled: bool) -> Reader:
    if source.is_folder:
        if format not in (None, _FOLDER.name):
            FORMATS.named(str(format))
            raise UsageError(f"'{source.name}' is a folder, but format '{format}' reads files. Pass the files in it.")
        return _FOLDER
    reader = FORMATS.choose(source, format, lambda reader, head: reader.sniff(head, labelled))
    if reader is None:
        raise FORMATS.unknown(source)
    return reader
