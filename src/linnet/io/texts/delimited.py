"""CSV and TSV: a header line, then rows. Neither format has types, so every column is read as strings.

A file is read fast by pyarrow, a block of whole rows at a time. Where that meets something doubtful, the careful reader goes
on from the row behind those that were already handed over: it either reads the rest exactly, or names the line that is wrong
(careful_fallback.py). Each block ends with a row of its own, the mark, which shows that the block was cut between two rows
(quoted_rows.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa

from linnet.core.arrow import has_empty, large_strings
from linnet.errors import DataError
from linnet.io.bytes.encoding import BOM, check
from linnet.io.bytes.source import Source
from linnet.io.texts.careful_fallback import DOUBTFUL, DoubtError
from linnet.io.texts.careful_rows import Row, rows
from linnet.io.texts.columns import LABEL, TEXT, Columns, find, usual
from linnet.io.texts.contract import Request
from linnet.io.texts.dataset import Dataset
from linnet.io.texts.labels import label_sets
from linnet.io.texts.quoted_rows import MARK, whole_rows

# The bytes that pyarrow parses at once. Pieces this small stay in the cache of the processor, which halves the time. A row
# that is longer fails, and `_parse` tries again with the whole block as one piece.
_PIECE = 512 << 10
# A field of a header that is one word, perhaps in quotes.
_WORD = re.compile(rb'\s*"?[\w.-]+"?\s*')


@dataclass(frozen=True)
class Delimited:
    """A format with a delimiter between columns. `CSV` and `TSV`, at the end of this file, are the two that there are."""

    name: str
    delimiter: str
    delimiter_name: str
    """What the delimiter is called in messages: a comma."""
    description: str
    extensions: tuple[str, ...]
    has_columns: bool = True
    """Whether files of this format have columns with names, which every reader says of itself."""
    empty: str = "the header has no rows below it. Add at least one row."

    def sniff(self, head: bytes, labelled: bool) -> bool:
        """Whether a file that begins with `head` looks like this format: its first line is a header of single words, one of
        which is a usual name of a column, such as text or label. Where labels are expected, a tab in the first line is
        enough for TSV."""
        first = head.lstrip(b"\r\n").split(b"\n", 1)[0]
        fields = first.split(self.delimiter.encode())
        if len(fields) == 1:
            return False
        names = [field.decode("utf-8", "replace").strip().strip('"') for field in fields]
        known = all(map(_WORD.fullmatch, fields)) and usual(TEXT + LABEL, names) is not None
        return known or (labelled and self.delimiter == "\t")

    def read(self, source: Source, request: Request) -> Iterator[Dataset]:
        """Read the rows of a file in batches: fast and, from the first doubtful block on, carefully."""
        header = self._header(source)
        names = [field.decode() for field in header.fields]
        self._check_header(header, names, request, source.name)
        file = _File(self, source, header, names, find(names, request, source.name, header.line), request)
        done = 0
        try:
            for part in file.fast():
                yield part
                done += len(part)
        except DOUBTFUL:
            yield from file.careful(skip=done)

    def lines(self, source: Source) -> Iterator[tuple[int, dict[str, object]]]:
        """Yield the line on which each row begins, and its values by column, for a message about one of them. Rows that are too
        long or too short are passed on as far as they go: `read` has complained of them."""
        with source.open() as stream:
            found = rows(stream, self.delimiter.encode(), source.name)
            names = [field.decode() for field in next(found).fields]
            for row in found:
                yield row.line, dict(zip(names, [field.decode() for field in row.fields], strict=False))

    def _header(self, source: Source) -> Row:
        with source.open() as stream:
            for row in rows(stream, self.delimiter.encode(), source.name):
                check(row.raw, source.name, row.line)
                return row
        raise DataError("the file holds only blank lines. Expected a header line and rows.", source.name)

    def _check_header(self, header: Row, names: list[str], request: Request, name: str) -> None:
        if request.text_col is not None or request.label_col is not None or usual(TEXT + LABEL, names) is not None:
            return
        if len(names) == 2:
            message = f"the first line looks like data. Add a header line: text{self.delimiter}label"
            raise DataError(message, name, header.line)
        for other, found in ((";", "semicolons"), ("\t", "tabs"), (",", "commas")):
            if len(names) == 1 and other in names[0]:
                expected = f"{self.delimiter_name}s between the columns"
                message = f"expected {expected}, found {found} in the header. {_ADVICE[other]}"
                raise DataError(message, name, header.line)


_ADVICE = {
    ";": "Save the file with commas or tabs.",
    "\t": "Pass --format tsv.",
    ",": "Pass --format csv.",
}


@dataclass(frozen=True)
class _File:
    """One file, once its columns are known."""

    format: Delimited
    source: Source
    header: Row
    names: Sequence[str]
    columns: Columns
    request: Request

    def fast(self) -> Iterator[Dataset]:
        """Read by pyarrow, block by block. The blocks are cut here and not by `open_csv` of pyarrow, which can hang when Python
        exits after an error. DoubtError, or an error of pyarrow, where the careful reader has to go on."""
        delimiter = self.format.delimiter.encode()
        mark = MARK + delimiter * (len(self.names) - 1)
        with self.source.open() as stream:
            stream.read(self.header.end)
            for block in whole_rows(stream, mark, self.request.batch_bytes):
                if b"\0" in block or block.startswith(BOM):
                    raise DoubtError("a NUL byte, or a byte order mark that pyarrow would skip")
                part = self._dataset(self._without_mark(self._parse(block)))
                if part.labels is not None and self.request.needs_label and has_empty(part.labels):
                    raise DoubtError("a label is missing")
                if len(part):
                    yield part

    def _parse(self, block: bytes) -> pa.Table:
        try:
            return self._parse_in_pieces(block, _PIECE)
        except pa.ArrowInvalid:
            return self._parse_in_pieces(block, len(block) + 1)

    def _parse_in_pieces(self, block: bytes, piece_bytes: int) -> pa.Table:
        from pyarrow import csv

        return csv.read_csv(
            pa.BufferReader(block),
            read_options=csv.ReadOptions(use_threads=False, block_size=piece_bytes, column_names=self.names),
            parse_options=csv.ParseOptions(delimiter=self.format.delimiter, newlines_in_values=True),
            convert_options=csv.ConvertOptions(
                column_types=dict.fromkeys(self.names, pa.large_string()), strings_can_be_null=False
            ),
        )

    def _without_mark(self, table: pa.Table) -> list[pa.ChunkedArray]:
        """The columns of a block without its last row, the mark. Where the last row is another one, the block ended inside an
        open quote, which pyarrow closes without a word."""
        last = [column[-1].as_py() for column in table.columns]
        if last != [MARK.decode(), *[""] * (len(self.names) - 1)]:
            raise DoubtError("the block ends inside quotes")
        return list(table.slice(0, table.num_rows - 1).columns)

    def careful(self, skip: int) -> Iterator[Dataset]:
        """Read row by row, without the first `skip` rows, which were handed over already."""
        kept: list[Row] = []
        size = 0
        with self.source.open() as stream:
            found = rows(stream, self.format.delimiter.encode(), self.source.name)
            next(found)
            for index, row in enumerate(found):
                if index < skip:
                    continue
                self._check(row)
                kept.append(row)
                size += len(row.raw)
                if size >= self.request.batch_bytes:
                    yield self._dataset(_transposed(kept))
                    kept, size = [], 0
        if kept:
            yield self._dataset(_transposed(kept))

    def _check(self, row: Row) -> None:
        name = self.source.name
        check(row.raw, name, row.line)
        if len(row.fields) != len(self.names):
            raise DataError(self._wrong_width(row), name, row.line)
        label = self.columns.label
        if self.request.needs_label and label is not None and not row.fields[self.names.index(label)]:
            raise DataError("the label is missing. Give the row a label, or remove the row.", name, row.line)

    def _wrong_width(self, row: Row) -> str:
        """The message about a row that has too many columns or too few."""
        found = f"expected {len(self.names)} columns, found {len(row.fields)}"
        if row.last_line > row.line:
            return f"{found} in the row that runs on to line {row.last_line}. Is a quote left open?"
        if len(row.fields) < len(self.names):
            return f"{found}. Add what is missing, or remove the row."
        return f"{found}. Put a text that contains a {self.format.delimiter_name} in quotes."

    def _dataset(self, arrays: Sequence[pa.ChunkedArray]) -> Dataset:
        by_name = dict(zip(self.names, arrays, strict=True))
        text = by_name.pop(self.columns.text)
        labels = by_name.pop(self.columns.label) if self.columns.label is not None else None
        if labels is not None and self.request.several:
            labels = pa.chunked_array([label_sets(labels.to_pylist(), self.request.separator)])
        others = pa.Table.from_arrays(list(by_name.values()), names=list(by_name)) if by_name else None
        return Dataset(text, labels, others, self.source.name, self.columns.text, self.columns.label, tuple(self.names))


def _transposed(kept: Sequence[Row]) -> list[pa.ChunkedArray]:
    columns = zip(*(row.fields for row in kept), strict=True)
    return [pa.chunked_array([large_strings(column)]) for column in columns]


CSV = Delimited("csv", ",", "comma", "comma separated, with a header line", (".csv",))
TSV = Delimited("tsv", "\t", "tab", "tab separated, with a header line", (".tsv", ".tab"))
