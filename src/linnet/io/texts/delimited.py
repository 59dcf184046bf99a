"""CSV and TSV: a header line, then rows. Neither format has types, so every column is read as strings.

A file is read fast by pyarrow, a block of whole rows at a time. From the first block on that pyarrow may have read
wrongly, the careful reader takes over: it either reads the rest exactly, or names the line that is wrong
(careful_fallback.py). To each block one more row is appended, the mark. Only if pyarrow finds it as the last row was
the block cut between two rows (quoted_rows.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

import pyarrow as pa

from linnet.errors import DataError
from linnet.io.bytes.byte_counts import is_utf8
from linnet.io.bytes.encoding import BOM, check
from linnet.io.bytes.source import Source, Stream
from linnet.io.texts.careful_fallback import DOUBTFUL, DoubtError
from linnet.io.texts.careful_rows import Row, line_ends, rows
from linnet.io.texts.columns import LABEL, TEXT, Columns, distinct, find, usual
from linnet.io.texts.contract import Request
from linnet.io.texts.dataset import Dataset
from linnet.io.texts.delimiters import find_delimiter, is_even, name_of, sample
from linnet.io.texts.quoted_rows import MARK, Rows, whole_rows
from linnet.io.texts.string_columns import StringColumns

# The bytes that pyarrow parses at once. Pieces this small stay in the cache of the processor, which halves the time. A row
# that is longer fails, and `_parse` tries again with the whole block as one piece.
_PIECE = 512 << 10
_SIZES = 8
"""The number of sizes of pieces that are tried, so that no piece ends with a carriage return."""
# What a field of a header may be: one word, or a few words. A number is none.
_WORD = re.compile(r"[^\W\d][\w.-]*")
_NAME = re.compile(r"[\w.()/# -]{0,40}")
_NUMBER = re.compile(r"[-+]?\d+([.,]\d+)?%?")
_MOST_WORDS = 5
_LONGEST = 60
"""The largest numbers of words and of characters of the name of a column; what is longer looks like data."""


class Delimited(NamedTuple):
    """A format with a delimiter between columns. `CSV` and `TSV`, at the end of this file, are the two that there are. A file
    of either may have another delimiter than the usual one (delimiters.py)."""

    name: str
    delimiter: str
    delimiter_name: str
    """What the delimiter is called in messages: a comma."""
    description: str
    extensions: tuple[str, ...]
    has_columns: bool = True
    """Whether files of this format have columns with names, which every reader says of itself."""
    empty: str = "the header has no rows below it. Add at least one row."

    def sniff(self, head: bytes, request: Request) -> bool:
        """Whether a file that begins with `head` looks like a table with this delimiter; CSV may also have semicolons
        or pipes. It does where its first line

        - has the name of a column that was asked for, or that a model was trained on;
        - or has short names, among them a usual one such as text or label, and these are single words, or all rows have
          as many columns;
        - or has single words that are all different, above rows that all have as many columns;
        - or is one usual name alone, above at least one more line (CSV only);
        - or has a tab, where labels are expected (TSV only).
        """
        delimiter = find_delimiter(head, self.delimiter)
        if (delimiter == "\t") != (self.delimiter == "\t"):
            return False
        table = sample(head, delimiter)
        if not table:
            return False
        names = [field.decode("utf-8", "replace").strip() for field in table[0]]
        known = _is_named(names, request)
        if len(names) == 1:
            return known and len(table) > 1 and self.delimiter == ","
        is_trained = any(name in names for name in (*request.text_names, *request.label_names))
        if _is_asked(names, request) or is_trained or (request.labelled and delimiter == "\t"):
            return True
        if known and all(map(_NAME.fullmatch, names)) and (is_even(table) or all(map(_WORD.fullmatch, names))):
            return True
        return is_even(table) and all(map(_WORD.fullmatch, names)) and len(set(names)) == len(names)

    def read(self, source: Source, request: Request) -> Iterator[Dataset]:
        """Yield the rows of a file in batches, read by pyarrow and, from the first doubtful block on, by the careful
        reader."""
        format = self._as_in(source, request)
        if request.delimiter is None and format.delimiter != self.delimiter:
            request.note(f"{source.name}: the columns are separated by {format.delimiter_name}s")
        header = format._header(source)
        names = [field.decode() for field in header.fields]
        columns = format._columns(header, names, request, source)
        file = _File(format, source, header, StringColumns(distinct(names), columns, request, source.name), request)
        if source.is_live:
            yield from file.live()
            return
        done = 0
        try:
            for part in file.fast():
                yield part
                done += len(part)
        except DOUBTFUL:
            yield from file.careful(skip=done)

    def lines(self, source: Source, request: Request) -> Iterator[tuple[int, dict[str, object]]]:
        """Yield the line on which each row begins, and its values by column, for a message about one of them. A row
        with too many or too few fields is no error here, since `read` refuses it: its values are those that have a
        column."""
        delimiter = self._as_in(source, request).delimiter
        with source.open() as stream:
            found = rows(stream, delimiter.encode(), source.name)
            names = distinct([field.decode() for field in next(found).fields])
            for row in found:
                yield row.line, dict(zip(names, [field.decode() for field in row.fields], strict=False))

    def _as_in(self, source: Source, request: Request) -> Delimited:
        """The format with the delimiter that was asked for, or that the file shows."""
        found = request.delimiter or find_delimiter(source.head(), self.delimiter)
        return self if found == self.delimiter else self._replace(delimiter=found, delimiter_name=name_of(found))

    def _header(self, source: Source) -> Row:
        with source.open() as stream:
            for row in rows(stream, self.delimiter.encode(), source.name):
                check(row.raw, source.name, row.line)
                return row
        raise DataError("the file holds only blank lines. Expected a header line and rows.", source.name)

    def _columns(self, header: Row, names: Sequence[str], request: Request, source: Source) -> Columns:
        """The columns of the text and the label. Where they are not found, or the name of the text is also a text of
        later rows, the file may have no header. The message says so only if the first line clearly looks like data."""

        def some() -> list[list[str]]:
            table = sample(source.head(), self.delimiter)[1:]
            return [[field.decode("utf-8", "replace") for field in row] for row in table]

        try:
            advice = (
                ""
                if _is_named(names, request)
                else f" If the first line is a row, add a header line{self._example(names)}"
            )
            columns = find(names, request, source.name, header.line, some, advice)
        except DataError as error:
            sign = None if _is_asked(names, request) else sign_of_data(names, some())
            if sign is None:
                raise
            raise self._no_header(sign, names, source.name, header.line) from error
        if columns.text is None:
            return columns
        column = names.index(columns.text)
        if request.text_col is None and [row[column : column + 1] for row in some()].count([columns.text]) > 1:
            raise self._no_header(f"'{columns.text}' is in later rows, too", names, source.name, header.line)
        return columns

    def _no_header(self, sign: str, names: Sequence[str], name: str, line: int) -> DataError:
        return DataError(
            f"the first line looks like data ({sign}). Add a header line{self._example(names)}", name, line
        )

    def _example(self, names: Sequence[str]) -> str:
        """The header that a file of so many columns could have, for a message."""
        if len(names) > 2:
            return ", with names such as text and label."
        return f": {self.delimiter.join(['text', 'label'][: len(names)])}"


def sign_of_data(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str | None:
    """What shows that the first line of a table is a row of data, and not the names of columns; None where nothing does.

    >>> sign_of_data(["a fine film", "pos"], [["a bad film", "neg"], ["another", "pos"]])
    "'pos' is in later rows, too"
    >>> sign_of_data(["what they wrote", "verdict"], [["a bad film", "neg"], ["another", "pos"]]) is None
    True
    """
    for k, name in enumerate(names):
        if any(list(row[k : k + 1]) == [name] for row in rows if list(row) != list(names)) and name.strip():
            return f"'{name}' is in later rows, too"
    for name in names:
        if _NUMBER.fullmatch(name.strip()):
            return f"'{name}' is a number"
        if len(name.split()) > _MOST_WORDS or len(name) > _LONGEST:
            return f"'{name[:30]}...' is long"
    return None


def _is_named(names: Sequence[str], request: Request) -> bool:
    known = (*request.text_names, *request.label_names, *TEXT, *LABEL)
    return _is_asked(names, request) or usual(known, names) is not None


def _is_asked(names: Sequence[str], request: Request) -> bool:
    return any(name in names for name in (request.text_col, request.label_col) if name is not None)


class _File(NamedTuple):
    """One file, once its columns are known."""

    format: Delimited
    source: Source
    header: Row
    columns: StringColumns
    request: Request

    def fast(self) -> Iterator[Dataset]:
        """Read by pyarrow, block by block. The blocks are cut here and not by `open_csv` of pyarrow, which can hang when Python
        exits after an error. DoubtError, or an error of pyarrow, where the careful reader has to go on."""
        with self.source.open() as stream:
            for block in self._blocks(stream):
                part = self._dataset(block)
                if len(part):
                    yield part

    def _blocks(self, stream: Stream) -> Iterator[Rows]:
        """The rows after the header in blocks."""
        stream.read(self.header.end)
        return whole_rows(stream, self._mark, self.request.batch_bytes)

    @property
    def _mark(self) -> bytes:
        """A row with MARK in its first column, and nothing in the others."""
        return MARK + self.format.delimiter.encode() * (len(self.columns.names) - 1)

    def _dataset(self, block: Rows) -> Dataset:
        if not block.is_marked:
            raise DoubtError("a row longer than a batch")
        if b"\0" in block.data or block.data.startswith(BOM) or not is_utf8(block.data):
            raise DoubtError("a NUL byte, a byte order mark that pyarrow would skip, or no UTF-8")
        return self.columns.dataset(self._without_mark(self._parse(block.data)))

    def live(self) -> Iterator[Dataset]:
        """Yield rows as they come in, fast. From the first doubtful block on they are read carefully, beginning with
        that block: the bytes before it cannot be read again, unlike in `careful`."""
        line = self.header.last_line + 1
        with self.source.open() as stream:
            blocks = self._blocks(stream)
            for block in blocks:
                try:
                    part = self._dataset(block)
                except DOUBTFUL:
                    ending = len(self._mark) + 1
                    whole = (one.data[:-ending] if one.is_marked else one.data for one in chain([block], blocks))
                    yield from self._batches(
                        rows(_Joined(whole), self.format.delimiter.encode(), self.source.name, line)
                    )
                    return
                line += line_ends(block.data) - 1  # without the line of the mark
                if len(part):
                    yield part

    def _parse(self, block: bytes) -> pa.Table:
        try:
            return self._parse_in_pieces(block, _piece(block))
        except pa.ArrowInvalid:
            return self._parse_in_pieces(block, len(block) + 1)

    def _parse_in_pieces(self, block: bytes, piece_bytes: int) -> pa.Table:
        from pyarrow import csv

        return csv.read_csv(
            pa.BufferReader(block),
            read_options=csv.ReadOptions(use_threads=False, block_size=piece_bytes, column_names=self.columns.names),
            parse_options=csv.ParseOptions(delimiter=self.format.delimiter, newlines_in_values=True),
            convert_options=csv.ConvertOptions(
                column_types=dict.fromkeys(self.columns.names, pa.large_string()),
                strings_can_be_null=False,
                check_utf8=False,  # The whole block is UTF-8, and so is what is between ASCII characters of it.
            ),
        )

    def _without_mark(self, table: pa.Table) -> list[pa.ChunkedArray]:
        """The columns of a block without its last row, the mark. Where the last row is another one, the block ended inside an
        open quote, which pyarrow closes without a word."""
        last = [column[-1].as_py() for column in table.columns]
        if last != [MARK.decode(), *[""] * (len(self.columns.names) - 1)]:
            raise DoubtError("the block ends inside quotes")
        return list(table.slice(0, table.num_rows - 1).columns)

    def careful(self, skip: int) -> Iterator[Dataset]:
        """Read row by row, without the first `skip` rows, which were handed over already."""
        with self.source.open() as stream:
            found = rows(stream, self.format.delimiter.encode(), self.source.name)
            yield from self._batches(islice(found, 1 + skip, None))

    def _batches(self, found: Iterator[Row]) -> Iterator[Dataset]:
        """Rows that are checked one by one, in batches. Those before a fault come before it is raised."""
        kept: list[Row] = []
        size = 0
        try:
            for row in found:
                self._check(row)
                kept.append(row)
                size += len(row.raw)
                if size >= self.request.batch_bytes:
                    yield self.columns.dataset_of_rows([row.fields for row in kept])
                    kept, size = [], 0
        except DataError:
            if kept:
                yield self.columns.dataset_of_rows([row.fields for row in kept])
            raise
        if kept:
            yield self.columns.dataset_of_rows([row.fields for row in kept])

    def _check(self, row: Row) -> None:
        name = self.source.name
        check(row.raw, name, row.line)
        if len(row.fields) != len(self.columns.names):
            raise DataError(self._wrong_width(row), name, row.line)

    def _wrong_width(self, row: Row) -> str:
        """The message about a row that has too many columns or too few."""
        found = f"expected {len(self.columns.names)} columns, found {len(row.fields)}"
        if row.last_line > row.line:
            return f"{found} in the row that runs on to line {row.last_line}. Is a quote left open?"
        if len(row.fields) < len(self.columns.names):
            return f"{found}. Add what is missing, or remove the row."
        return f"{found}. Put a text that contains a {self.format.delimiter_name} in quotes."


def _piece(block: bytes) -> int:
    """The size of the pieces in which pyarrow parses a block. Where a piece ends with CR, it drops an LF at the start of the
    next one, even if both are part of a text in quotes."""
    sizes = range(_PIECE, _PIECE + _SIZES)
    good = (size for size in sizes if b"\r" not in block[size - 1 :: size])
    return next(good, len(block) + 1)


class _Joined:
    """Blocks of bytes, read one by one."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks = blocks

    def read(self, size: int = -1, /) -> bytes:
        """The next block, whatever the size; b"" at the end."""
        return next(self._blocks, b"")


CSV = Delimited("csv", ",", "comma", "comma separated, with a header line", (".csv",))
TSV = Delimited("tsv", "\t", "tab", "tab separated, with a header line", (".tsv", ".tab"))
