"""Find the lines and fields of a block, all at once, as positions in its bytes. Making a string of each would be slow.

>>> fields = tabbed(b"the\\tDT\\n\\ndog\\tNN\\r\\n")
>>> fields.count.tolist()
[2, 1, 2]
>>> gather(fields.raw, *fields.column(np.array([0, 2]), 1)).to_pylist()
['DT', 'NN']
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet.core.arrow import numbers, texts

Bytes: TypeAlias = npt.NDArray[np.uint8]
Flags: TypeAlias = npt.NDArray[np.bool_]
Ints: TypeAlias = npt.NDArray[np.int64]
Spans: TypeAlias = tuple[Ints, Ints]

_LF, _CR, _SPACE = b"\n\r "
_OTHER_SPACE = (b"\t", b"\r", b"\v", b"\f")


@dataclass(frozen=True, eq=False)
class Fields:
    """Lines and fields. Line i is raw[line_begin[i]:line_end[i]], and has count[i] fields, from number first[i] on.
    Field k is raw[begin[k]:end[k]]."""

    raw: Bytes
    line_begin: Ints
    line_end: Ints
    begin: Ints
    end: Ints
    first: Ints
    count: Ints

    def __len__(self) -> int:
        return len(self.line_begin)

    def line(self, i: int) -> bytes:
        return self.raw[self.line_begin[i] : self.line_end[i]].tobytes()

    def lead(self) -> Bytes:
        """The first byte of each line; for an empty line, that of its line end."""
        lead: Bytes = self.raw[self.line_begin]
        return lead

    def column(self, lines: Ints, k: int) -> Spans:
        """Where field k of these lines begins and ends. All of them must have a field k, counted from 0."""
        at = self.first[lines] + k
        return self.begin[at], self.end[at]


def tabbed(data: bytes, separator: bytes = b"\t") -> Fields:
    """The fields between tabs. They may be empty; an empty line has one empty field."""
    raw = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero((raw == ord(separator)) | (raw == _LF))
    last = np.flatnonzero(raw[ends] == _LF)
    if not data.endswith(b"\n"):
        last = np.append(last, len(ends))
        ends = np.append(ends, len(data))
    begin = np.concatenate([np.zeros(1, np.int64), ends[:-1] + 1])
    first = np.concatenate([np.zeros(1, np.int64), last[:-1] + 1])
    ends[last] = _without_cr(data, raw, begin[last], ends[last])
    return Fields(raw, begin[first], ends[last], begin, ends, first, last + 1 - first)


def spaced(data: bytes) -> Fields:
    """The fields between runs of white space. None of them is empty, but an empty line has one empty field or none,
    depending on how the lines were split."""
    raw = np.frombuffer(data, np.uint8)
    if _is_single_spaced(data, raw):
        return tabbed(data, b" ")
    newline = np.flatnonzero(raw == _LF)
    if not data.endswith(b"\n"):
        newline = np.append(newline, len(data))
    line_begin = np.concatenate([np.zeros(1, np.int64), newline[:-1] + 1])
    # White space is added at both ends, so that each field begins and ends where white space changes to something else
    # or back.
    space = np.ones(len(data) + 2, np.bool_)
    space[1:-1] = (raw == _SPACE) | ((raw >= ord("\t")) & (raw <= _CR))
    edges = np.flatnonzero(space[1:] != space[:-1])
    begin, end = edges[0::2], edges[1::2]
    first = np.searchsorted(begin, line_begin)
    count = np.diff(np.append(first, len(begin)))
    return Fields(raw, line_begin, _without_cr(data, raw, line_begin, newline), begin, end, first, count)


def gather(raw: Bytes, begin: Ints, end: Ints) -> pa.LargeStringArray:
    """The strings raw[begin[i]:end[i]]. They must be UTF-8, in increasing order and without overlaps."""
    if not len(begin):
        return texts([])
    edges = np.stack([begin, end], axis=1).reshape(-1)  # the edges of the strings and of what is between them
    pieces = pa.Array.from_buffers(pa.large_string(), len(edges) - 1, [None, pa.py_buffer(edges), pa.py_buffer(raw)])
    strings = numbers(np.arange(0, len(edges), 2))
    return pieces.take(strings)


def sentence_starts(tokens: Ints, ends: Flags) -> Ints:
    """The number of the first token of each sentence, and at the end the number of all tokens, given the line of each
    token and a flag for each line, set where it ends a sentence."""
    sentence = np.cumsum(ends)[tokens]
    inner = np.flatnonzero(np.diff(sentence)) + 1
    edges = ([0], inner, [len(tokens)]) if len(tokens) else ([0],)
    return np.concatenate([np.asarray(edge, np.int64) for edge in edges])


def _is_single_spaced(data: bytes, raw: Bytes) -> bool:
    """Whether fields that follow each other on a line have exactly one space between them. Such lines can be split like
    those with tabs, which is faster."""
    if any(mark in data for mark in _OTHER_SPACE) or b" " in (data[:1], data[-1:]):
        return False
    newline = raw == _LF
    space = (raw == _SPACE) | newline
    return bool(np.count_nonzero(space[1:] & space[:-1]) == np.count_nonzero(newline[1:] & newline[:-1]))


def _without_cr(data: bytes, raw: Bytes, begin: Ints, end: Ints) -> Ints:
    if b"\r" not in data:
        return end
    is_cr: Flags = (end > begin) & (raw[end - 1] == _CR)
    return end - is_cr
