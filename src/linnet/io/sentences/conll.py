"""CoNLL columns: a token a line, its word first and its tag last, and a blank line after each sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from linnet.errors import DataError, UsageError
from linnet.io.bytes.encoding import check, check_block
from linnet.io.bytes.faults import good_first, raise_first
from linnet.io.bytes.line_blocks import Block, blocks
from linnet.io.bytes.source import Source, Stream
from linnet.io.sentences.contract import SentenceRequest
from linnet.io.sentences.frames import Frame, Splice
from linnet.io.sentences.line_fields import Fields, Flags, Ints, Spans, gather, sentence_starts, spaced, tabbed
from linnet.io.sentences.sentence_blocks import paragraphs
from linnet.io.sentences.sentences import Sentences
from linnet.io.texts.columns import listed

_HEAD = 64 << 10
_DOCUMENT = b"-DOCSTART-"
_KEY_VALUE = re.compile(rb"# ?[A-Za-z][^\t=]* = ")
# The bytes with which a line that is no token may begin: a comment, the start of a document, white space. Only such
# lines, and those of another width than tokens, are looked at one by one.
_ODD = np.zeros(256, np.bool_)
_ODD[list(b"#- \t\r\v\f")] = True


class Conll:
    name = "conll"
    description = "CoNLL columns: word first, tag last, a blank line between sentences"
    extensions = (".conll", ".iob", ".bio", ".txt")
    empty = "the file holds no tokens. Expected lines such as: dog NN O"

    def sniff(self, head: bytes) -> bool:
        return True

    def read(self, source: Source, request: SentenceRequest) -> Iterator[Sentences]:
        layout = _layout(source, request)
        if layout is None:
            return
        rows = _Rows(source.name, request.labelled, layout)
        with source.open() as stream:
            for block in paragraphs(stream, request.batch_bytes, source.name):
                yield from good_first(rows.read, block)


@dataclass(frozen=True)
class _Layout:
    """The layout of a file, as its first line of data shows it."""

    line: int
    """The number of that line, for messages."""
    width: int
    """The number of columns."""
    tabs: bool
    """Whether tabs are between the columns; otherwise any white space is."""
    tag: int | None
    """The number of the column of the tag, from 0; None when there is none to read."""

    def fields(self, data: bytes) -> Fields:
        return tabbed(data) if self.tabs else spaced(data)

    def names(self) -> dict[str, int]:
        """The columns that are not the tag, by name."""
        return {name: k for k, name in enumerate(_names(self.width)) if k != self.tag}


@dataclass(frozen=True)
class _Rows:
    name: str
    labelled: bool
    layout: _Layout

    def read(self, block: Block) -> Sentences:
        check_block(block.data, self.name, block.line)
        layout = self.layout
        fields = layout.fields(block.data)
        is_token, ends, fault = self._kinds(fields, block)
        tokens = np.flatnonzero(is_token)
        spans = [fields.column(tokens, k) for k in range(layout.width)]
        raise_first([fault, *self._missing(spans, tokens, block)])
        return Sentences(
            columns={name: gather(fields.raw, *spans[k]) for name, k in layout.names().items()},
            starts=sentence_starts(tokens, ends),
            tags=None if layout.tag is None else gather(fields.raw, *spans[layout.tag]),
            source=self.name,
            frame=Frame((self._splice(block.data, spans),)),
        )

    def _kinds(self, fields: Fields, block: Block) -> tuple[Flags, Flags, DataError | None]:
        """The lines that are tokens, those that end a sentence, and the first fault: a line that is neither, nor a comment."""
        ends = fields.line_begin == fields.line_end
        is_token = (fields.count == self.layout.width) & ~ends
        doubtful = (_ODD[fields.lead()] | ~is_token) & ~ends
        for i in np.flatnonzero(doubtful).tolist():
            line, count = fields.line(i), int(fields.count[i])
            if not line.strip() or line.startswith(_DOCUMENT):
                is_token[i], ends[i] = False, True
            elif self._is_comment(line, count):
                is_token[i] = False
            elif count != self.layout.width:
                return is_token, ends, self._wrong_width(line, count, block.line + i)
        return is_token, ends, None

    def _is_comment(self, line: bytes, count: int) -> bool:
        """Whether a line is a comment: "# ..." with another number of columns than tokens have, or "# key = value".
        Other lines that begin with "#" are tokens, as that may be a word, too."""
        if count != self.layout.width:
            return line.startswith(b"# ") or _is_key_value(line)
        return line.startswith(b"# ") and _is_key_value(line)

    def _wrong_width(self, line: bytes, count: int, number: int) -> DataError:
        width, first = self.layout.width, self.layout.line
        if self.layout.tabs and b"\t" not in line:
            advice = "Separate the columns by tabs."
        else:
            advice = "Give every token the same columns, and put a blank line between sentences."
        message = f"expected {_columns(width)} as on line {first}, found {_columns(count)}. {advice}"
        return DataError(message, self.name, number)

    def _missing(self, spans: Sequence[Spans], tokens: Ints, block: Block) -> Iterator[DataError]:
        """The faults of empty words and tags, which only files with tabs can have."""
        wanted = {"word": 0, "tag": self.layout.tag if self.labelled else None}
        for what, k in wanted.items():
            if k is None:
                continue
            begin, end = spans[k]
            hollow = np.flatnonzero(begin == end)
            if len(hollow):
                message = f"the {what} is missing. Give the line a {what} in column {k + 1}, or remove it."
                yield DataError(message, self.name, block.line + int(tokens[hollow[0]]))

    def _splice(self, data: bytes, spans: Sequence[Spans]) -> Splice:
        layout = self.layout
        if layout.tag is not None:
            begin, end = spans[layout.tag]
            return Splice(data, begin, end, spaced=not layout.tabs)
        _, end = spans[-1]
        return Splice(data, end, end, before=b"\t" if layout.tabs else b" ", spaced=not layout.tabs)


def _layout(source: Source, request: SentenceRequest) -> _Layout | None:
    """The layout that the first line of data shows; None when there is no such line. A line that begins with "# " may be a
    comment, so it is taken only if there is no other."""
    with source.open() as stream:
        lines = _lines_of_data(stream, source.name)
        first = next(lines, None)
        if first is not None and first[1].startswith(b"# "):
            first = next((pair for pair in lines if not pair[1].startswith(b"# ")), first)
    if first is None:
        return None
    number, line = first
    tabs = b"\t" in line
    width = len(line.split(b"\t") if tabs else line.split())
    return _Layout(number, width, tabs, _tag(width, source.name, number, request))


def _lines_of_data(stream: Stream, name: str) -> Iterator[tuple[int, bytes]]:
    """The lines that are neither blank, nor the start of a document, nor clearly a comment, with their numbers."""
    for block in blocks(stream, _HEAD):
        for number, line in block.numbered():
            check(line, name, number)
            if not line.startswith(_DOCUMENT) and not _is_key_value(line):
                yield number, line


def _tag(width: int, name: str, line: int, request: SentenceRequest) -> int | None:
    wanted = request.label_col
    if wanted is None:
        if request.labelled and width == 1:
            message = "expected a word and its tag, found one column. Separate the two by a tab or a space."
            raise DataError(message, name, line)
        return width - 1 if request.labelled else None
    names = _names(width)
    # Nine digits are more than any number of columns has, and int() refuses thousands of them.
    k = int(wanted[:9]) - 1 if wanted.isdecimal() else names.index(wanted) if wanted in names else width
    if k == 0:
        raise UsageError(f"--label-col {wanted} is the word, which is in the first column. Name a column after it.")
    if not 0 < k < width:
        message = (
            f"expected a column '{wanted}', found {listed(names)}. "
            "Name the tag column with --label-col: a number from 2, or a name."
        )
        raise DataError(message, name, line)
    return k


def _names(width: int) -> list[str]:
    return ["w", *(f"col{k}" for k in range(2, width + 1))]


def _columns(count: int) -> str:
    return "1 column" if count == 1 else f"{count} columns"


def _is_key_value(line: bytes) -> bool:
    return line.startswith(b"#") and _KEY_VALUE.match(line) is not None
