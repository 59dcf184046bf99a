"""What a Parquet file declares, which is counted before Arrow makes room for it.

The end of a file says where its chunks are, one for each column of a group of rows. A chunk is written in pages, each behind
a header that says how many values it has and how large it is when it is unpacked. The values may stand in a page of their own,
the dictionary, and the others name them by number; or each is written as how much of the one before it repeats. So a row may
take a few bits, and hold a megabyte: the longest value says how many rows may be read at once.

All this is read here, and not by Arrow, which ends the process where some of it is forged.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from linnet.errors import DataError
from linnet.io.bytes.thrift import Fields, fields
from linnet.io.bytes.unpacking import AT_ONCE, PER_VALUE, Content

_HEADS = (1 << 10, 1 << 20)
"""The bytes that are read at first to find the header of a page, and where that is longer, at the most."""
_DATA, _DICTIONARY, _DATA_2 = 0, 2, 3
_DETAILS = {_DATA: (5, 2), _DICTIONARY: (7, 2), _DATA_2: (8, 4)}
"""For each kind of page, the number of the field with more about it, and in that, of the encoding of its values."""
_OF_PREFIXES = 7
"""The encoding DELTA_BYTE_ARRAY."""
_CODECS = {1: "snappy", 2: "gzip", 4: "brotli", 6: "zstd", 7: "lz4_raw"}
_BYTES, _FIXED = 6, 7
"""The types of strings, and of bytes that are as many in every value, even where it is missing."""
_END = 8
"""The bytes at the end of a file: the size of what describes it, and PAR1."""


class Page(NamedTuple):
    """What the header of a page says."""

    kind: int
    unpacked: int
    packed: int
    n_values: int
    encoding: int
    begin: int
    """Where the page itself begins, behind its header."""


class Chunk(NamedTuple):
    """What the end of the file says about a chunk."""

    kind: int
    length: int
    """The bytes of each value, for the type of fixed length."""
    path: list[bytes]
    codec: int
    size: int
    first: int
    dictionary: int

    @classmethod
    def of(cls, described: Fields, leaf: Fields) -> Chunk:
        """A chunk, given its field of metadata, and its column in the schema, whose type is the one that Arrow believes."""
        size, first, dictionary = described[7], described[9], described.get(11, 0)
        length = leaf.get(2, 0) if leaf[1] == _FIXED else 0
        found = cls(leaf[1], length, described[3], described[4], size, first, dictionary)
        numbers = (number for number in found if number is not found.path)
        if any(not isinstance(number, int) or number < 0 for number in numbers):
            raise IndexError("a chunk of less than nothing")
        return found

    @property
    def begin(self) -> int:
        return self.dictionary if 0 < self.dictionary < self.first else self.first


def rows_at_once(seekable: Any, columns: Sequence[str], batch_bytes: int, content: Content, name: str) -> int:
    """How many rows of these columns can be read at once in bounded memory, and in about `batch_bytes`. DataError where a file
    declares more than an honest one has."""
    wanted = {column.encode() for column in columns}
    longest: dict[bytes, int] = {}
    n_rows = n_bytes = 0
    try:
        described = _described(seekable)
        leaves = _leaves(described[2])
        for group in described[4]:
            n_rows, n_bytes = n_rows + group[3], n_bytes + group[2]
            if len(group[1]) != len(leaves):
                raise IndexError("a group of rows without all columns")
            each = zip(group[1], leaves, strict=True)
            for path, chunk in ((path, Chunk.of(one[3], leaf)) for one, (path, leaf) in each if group[3]):
                if chunk.path != path:  # Arrow goes by the places of chunks, not by their names.
                    raise IndexError("a chunk with the name of another column")
                if path[0] in wanted:
                    name_of_all = b".".join(path)
                    longest[name_of_all] = max(longest.get(name_of_all, 0), _longest(chunk, seekable, content))
    except (LookupError, TypeError, AttributeError, struct.error) as error:
        why = "what describes its pages is damaged" if isinstance(error, KeyError) else error
        raise DataError(f"is not in the Parquet format, or is damaged ({why}). Export it again.", name) from None
    usual = batch_bytes * n_rows // max(1, n_bytes)
    return int(max(1, min(usual, AT_ONCE // (PER_VALUE + sum(longest.values())))))


def _leaves(schema: Sequence[Fields]) -> list[tuple[list[bytes], Fields]]:
    """The columns of a schema, which is a tree that is written depth first, each with the names that lead to it."""
    found: list[tuple[list[bytes], Fields]] = []
    # The names that lead to each element that is open, and how many of its children are to come.
    above: list[tuple[list[bytes], int]] = [([], schema[0].get(5, 0))]
    for element in schema[1:]:
        while not above[-1][1]:
            above.pop()
        names, to_come = above[-1]
        above[-1] = names, to_come - 1
        path = [*names, element[4]]
        if element.get(5):
            above.append((path, element[5]))
        else:
            found.append((path, element))
    return found


def _described(seekable: Any) -> Fields:
    """What the end of a file says about it."""
    end = seekable.size() - _END
    size = int.from_bytes(seekable.read_at(4, end), "little")
    return fields(seekable.read_at(size, end - size))[0]


def _longest(chunk: Chunk, seekable: Any, content: Content) -> int:
    """The most bytes that a row of a chunk may take beyond those that its page has for it. All pages are counted."""
    if chunk.begin + chunk.size > seekable.size():
        raise IndexError("a chunk goes on behind the end")
    longest, n_values = chunk.length, 0
    for page in _pages(seekable, chunk.begin, chunk.begin + chunk.size):
        content.add(page.unpacked + PER_VALUE * page.n_values)
        if page.kind == _DICTIONARY and chunk.kind == _BYTES:
            longest = max(longest, _longest_of(page, chunk.codec, seekable))
        elif page.kind != _DICTIONARY:
            n_values += page.n_values
            if page.encoding == _OF_PREFIXES:
                longest = max(longest, page.unpacked)
    if len(chunk.path) > 1:  # All values may be in one row.
        content.add(n_values * longest)
        return 0
    return longest


def _pages(seekable: Any, at: int, end: int) -> Iterator[Page]:
    """The pages between two places of a file."""
    while at < end:
        try:
            page = _page(seekable.read_at(_HEADS[0], at), at)
        except IndexError:
            page = _page(seekable.read_at(_HEADS[1], at), at)
        yield page
        at = page.begin + page.packed


def _page(head: bytes, at: int) -> Page:
    found, size = fields(head)
    of_details, of_encoding = _DETAILS.get(found.get(1, -1), (0, 0))
    details = found.get(of_details)
    n_values, encoding = (details.get(1, 0), details.get(of_encoding, 0)) if isinstance(details, dict) else (0, 0)
    page = Page(found.get(1, -1), found[2], found[3], n_values, encoding, at + size)
    if not all(isinstance(number, int) for number in page) or min(page.unpacked, page.packed, page.n_values) < 0:
        raise IndexError("a page of less than nothing")
    return page


def _longest_of(page: Page, codec: int, seekable: Any) -> int:
    """The most bytes of a value of a dictionary."""
    packed = seekable.read_at(page.packed, page.begin)
    if codec in _CODECS:
        packed = pa.Codec(_CODECS[codec]).decompress(packed, page.unpacked, asbytes=True)
    elif codec:
        return page.unpacked
    longest, at, end = 0, 0, len(packed) - 3
    read = struct.Struct("<I").unpack_from
    while at < end:
        (size,) = read(packed, at)
        longest = max(longest, size)
        at += 4 + size
    return min(longest, page.unpacked)
