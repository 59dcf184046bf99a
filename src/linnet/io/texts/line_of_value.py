"""Find the line of a file that holds a value, for messages about that value. Readers give columns, which have no line
numbers, so that the file is read again."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Protocol, runtime_checkable

from linnet.errors import LinnetError
from linnet.io.bytes.source import Source
from linnet.io.texts.contract import Request
from linnet.io.texts.registry import choose

_REQUEST = Request(labelled=False)


@runtime_checkable
class Lined(Protocol):
    """A format that has at most one row on a line."""

    def lines(self, source: Source, request: Request) -> Iterator[tuple[int, Mapping[str, object]]]:
        """The line of each row, and its values by name."""


def find_line(source: str, column: str, value: str) -> tuple[str, int] | None:
    """The file and the first line where the column holds this value, among the files that a dataset has as its source; None
    where there are no lines, or where the files are gone."""
    for path in source.split(", "):
        if not os.path.isfile(path):
            continue
        try:
            with Source(path) as file:
                reader = choose(file, None, _REQUEST)
                if isinstance(reader, Lined):
                    for line, values in reader.lines(file, _REQUEST):
                        if str(values.get(column)) == value:
                            return file.name, line
        except LinnetError:
            continue
    return None
