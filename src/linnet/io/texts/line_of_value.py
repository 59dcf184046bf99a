"""Find the line of a file that holds a value, for messages about that value. Readers give columns, which have no line
numbers, so that the file is read again."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol, runtime_checkable

from linnet.errors import LinnetError
from linnet.io.bytes.source import Source
from linnet.io.texts.contract import Request
from linnet.io.texts.dataset import ReadFile
from linnet.io.texts.registry import choose


@runtime_checkable
class Lined(Protocol):
    """A format that has at most one row on a line."""

    def lines(self, source: Source, request: Request) -> Iterator[tuple[int, Mapping[str, object]]]:
        """The line of each row, and its values by name."""


def find_line(files: Iterable[ReadFile], column: str, value: str) -> tuple[str, int] | None:
    """The name of the file and the first line where the column holds this value, among the files of a dataset; None where
    there are no lines, or where the files are gone."""
    for file in files:
        if not os.path.isfile(file.path):
            continue
        request = Request(labelled=False, encoding=file.encoding, delimiter=file.delimiter)
        try:
            with Source(file.path, file.encoding) as source:
                reader = choose(source, file.format, request)
                if isinstance(reader, Lined):
                    for line, values in reader.lines(source, request):
                        if str(values.get(column)) == value:
                            return file.name, line
        except LinnetError:
            continue
    return None
