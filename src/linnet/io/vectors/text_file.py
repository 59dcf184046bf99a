"""Word vectors as text: a word on each line, and its numbers. GloVe writes nothing else; word2vec and fastText (.vec)
first write a line with the number of words and the length of a vector."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from linnet.core.types import F32
from linnet.errors import DataError
from linnet.io.bytes.line_blocks import blocks
from linnet.io.bytes.source import Source
from linnet.io.vectors.kept_words import Kept, check_sizes, checked, shown

_BLOCK = 1 << 20
Header = tuple[int, int]
"""The number of words, and the length of their vectors."""


def header_of(line: bytes) -> Header | None:
    """What the first line of a file says about all of it; None where it is the line of a word."""
    fields = line.split()
    if len(fields) != 2 or not all(field.isdigit() and len(field) < 20 for field in fields):
        return None
    return int(fields[0]), int(fields[1])


def read_text(source: Source, kept: Kept) -> None:
    """Read a file, and add the words that `kept` wants to it. DataError where the file is damaged or cut off."""
    header: Header | None = None
    n_words, size, last = 0, 0, (0, b"")
    for number, line in _lines(source):
        if last == (0, b""):
            header = header_of(line)
            size = len(line.split()) - 1 if header is None else header[1]
            if size == 0:
                raise DataError(
                    f"expected a word and its numbers, found {shown(line)}. Is this a file of word vectors?",
                    source.name,
                    number,
                )
            check_sizes(1 if header is None else header[0], size, source.name)
            last = number, line
            if header is not None:
                continue
        last = number, line
        word = line.split(maxsplit=1)[0]
        if kept.wants(word, n_words):
            vector = _vector(line, word, size, source.name, number)
            if vector is not None:
                kept.add(word, vector)
        n_words += 1
    if not n_words:
        raise DataError("expected a word and its numbers on each line, found no word.", source.name)
    # The last line is checked even if its word is not wanted: it shows whether the file was cut off.
    number, line = last
    _vector(line, line.split(maxsplit=1)[0], size, source.name, number)
    if header is not None and header[0] != n_words:
        raise DataError(
            f"the first line promises {header[0]:,} words, found {n_words:,}. Is the file cut off? Download it again.",
            source.name,
        )


def _lines(source: Source) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, with their numbers."""
    with source.open() as stream:
        for block in blocks(stream, _BLOCK):
            yield from block.numbered()


def _vector(line: bytes, word: bytes, size: int, name: str, number: int) -> F32 | None:
    """The vector of the word of a line; None for a word with blanks in it. Some files have such words, but no text
    does."""
    fields = line.split()
    if len(fields) > size + 1 and not _is_number(fields[-size - 1]):
        return None
    if len(fields) != size + 1:
        raise DataError(
            f"expected {size} numbers for {shown(word)}, found {len(fields) - 1}. Is the line cut off, or another file of "
            "vectors joined to this one?",
            name,
            number,
        )
    for field in fields[1:]:
        if not _is_number(field):
            raise DataError(f"expected numbers for {shown(word)}, found {shown(field)} among them.", name, number)
    return checked(np.array(list(map(float, fields[1:]))), word, name, number)


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return b"_" not in field
