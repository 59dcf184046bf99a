"""The formats of labelled text that can be read. To add one, write a module with its reader, and say here where it is."""

from __future__ import annotations

from linnet.errors import UsageError
from linnet.io.bytes.binary_files import is_excel, refuse_binary
from linnet.io.bytes.source import Source
from linnet.io.formats import Formats
from linnet.io.texts.contract import Reader, Request

FORMATS: Formats[Reader] = Formats(
    "format",
    homes={
        "parquet": "linnet.io.texts.parquet:READER",
        "arrow": "linnet.io.texts.arrow_files:READER",
        "excel": "linnet.io.texts.excel:READER",
        "jsonl": "linnet.io.texts.jsonl:READER",
        "fasttext": "linnet.io.texts.fasttext:READER",
        "tsv": "linnet.io.texts.delimited:TSV",
        "csv": "linnet.io.texts.delimited:CSV",
        "lines": "linnet.io.texts.lines:READER",
        "folder": "linnet.io.texts.folder:READER",
    },
    endings={
        "parquet": (".parquet", ".pq"),
        "arrow": (".arrow", ".feather", ".ipc", ".arrows"),
        "excel": (".xlsx", ".xlsm"),
        "jsonl": (".jsonl", ".ndjson", ".json"),
        "fasttext": (".ft", ".fasttext"),
        "tsv": (".tsv", ".tab"),
        "csv": (".csv",),
    },
)

TYPED = ("parquet", "arrow", "excel")
"""Formats that are no text, and so have no encoding."""


def text_formats() -> dict[str, str]:
    """The name of every format that can be read, with a line of description."""
    return FORMATS.described()


def choose(source: Source, format: str | None, request: Request) -> Reader:
    """The reader for a source, given the format that the user names, or None. DataError where none can be told."""
    if source.is_folder:
        if format not in (None, "folder"):
            FORMATS.named(str(format))
            raise UsageError(f"'{source.name}' is a folder, but format '{format}' reads files. Pass the files in it.")
        return FORMATS["folder"]
    if format is None and request.delimiter is not None and source.extension not in FORMATS.extensions:
        return FORMATS["csv"]
    reader = FORMATS.choose(source, format, lambda reader, head: reader.sniff(head, request))
    if is_excel(source.start()) and (reader is None or reader.name != "excel"):
        refuse_binary(source)
    if reader is None:
        raise FORMATS.unknown(source)
    return reader
