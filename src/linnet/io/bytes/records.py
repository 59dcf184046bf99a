"""Small files that go with data: on each line some fields, a tab or a comma between them."""

from __future__ import annotations

import os
from collections.abc import Iterator

from linnet.errors import DataError
from linnet.io.bytes.encoding import check
from linnet.io.bytes.source import Source


def records(path: str | os.PathLike[str], n: int, what: str) -> Iterator[tuple[int, list[str]]]:
    """The number of each line that is not blank, and its n fields, none of them empty. `what` names the fields in messages."""
    with Source(os.fspath(path), "utf-8") as source:
        if source.is_folder:
            raise DataError(f"is a folder. Expected a file with {what} on each line.", source.name)
        with source.open() as stream:
            raw = stream.read()
    check(raw, source.name, 1, "Save the file as UTF-8.")
    if not raw.strip():
        raise DataError(f"the file is empty. Expected {what} on each line.", source.name)
    for number, line in enumerate(raw.decode().splitlines(), 1):
        fields = [field.strip() for field in line.split("\t" if "\t" in line else ",")]
        if line.strip() and (len(fields) != n or not all(fields)):
            raise DataError(
                f"expected {what}, with tabs or commas between them, found {line.strip()!r:.60}.", source.name, number
            )
        if line.strip():
            yield number, fields
