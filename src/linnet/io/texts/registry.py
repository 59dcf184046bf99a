"""The formats of labelled text that can be read. To add one, write a module with its reader, and a line here."""

from __future__ import annotations

from linnet.errors import UsageError
from linnet.io.bytes.binary_files import is_excel, refuse_binary
from linnet.io.bytes.source import Source
from linnet.io.formats import Formats
from linnet.io.texts.arrow_files import Ipc
from linnet.io.texts.contract import Reader, Request
from linnet.io.texts.delimited import CSV, TSV
from linnet.io.texts.excel import Excel
from linnet.io.texts.fasttext import FastText
from linnet.io.texts.folder import Folder
from linnet.io.texts.jsonl import JsonLines
from linnet.io.texts.lines import Lines
from linnet.io.texts.parquet import Parquet

_FOLDER = Folder()
FORMATS: Formats[Reader] = Formats(
    "format", Parquet(), Ipc(), Excel(), JsonLines(), FastText(), TSV, CSV, Lines(), _FOLDER
)

TYPED = ("parquet", "arrow", "excel")
"""Formats that are no text, and so have no encoding."""


def text_formats() -> dict[str, str]:
    """The name of every format that can be read, with a line of description."""
    return FORMATS.described()


def choose(source: Source, format: str | None, request: Request) -> Reader:
    """The reader for a source, given the format that the user names, or None. DataError where none can be told."""
    if source.is_folder:
        if format not in (None, _FOLDER.name):
            FORMATS.named(str(format))
            raise UsageError(f"'{source.name}' is a folder, but format '{format}' reads files. Pass the files in it.")
        return _FOLDER
    if format is None and request.delimiter is not None and source.extension not in FORMATS.extensions:
        return CSV
    reader = FORMATS.choose(source, format, lambda reader, head: reader.sniff(head, request))
    if is_excel(source.start()) and not isinstance(reader, Excel):
        refuse_binary(source)
    if reader is None:
        raise FORMATS.unknown(source)
    return reader
