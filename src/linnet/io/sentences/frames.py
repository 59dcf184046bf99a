"""Frames keep the bytes of a file around its tags, so that the file can be written again with other tags."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet.core.arrow import numbers
from linnet.errors import UsageError

Ints: TypeAlias = npt.NDArray[np.int64]


class Part(Protocol):
    """A stretch of whole lines of one file."""

    @property
    def n_tokens(self) -> int: ...

    @property
    def nbytes(self) -> int: ...

    @property
    def is_json(self) -> bool:
        """Whether the lines are JSON objects; otherwise they are columns."""

    def fill(self, tags: Sequence[str]) -> bytes:
        """The lines with these tags, one for each token."""

    def gap(self) -> bytes:
        """The bytes that have to be added at the end before another file can follow: the end of a line, or of a
        sentence."""


@dataclass(frozen=True, eq=False)
class Frame:
    """The stretches of one or several files, in order."""

    parts: tuple[Part, ...]

    @classmethod
    def join(cls, frames: Sequence[Frame]) -> Frame:
        return cls(tuple(part for frame in frames for part in frame.parts))

    @property
    def nbytes(self) -> int:
        return sum(part.nbytes for part in self.parts)

    @property
    def is_json(self) -> bool:
        return all(part.is_json for part in self.parts)

    def fill(self, tags: Sequence[str]) -> Iterator[tuple[bytes, bytes]]:
        """Yield for each stretch its lines with these tags, and the bytes that have to be added if anything follows."""
        at = 0
        for part in self.parts:
            yield part.fill(tags[at : at + part.n_tokens]), part.gap()
            at += part.n_tokens


@dataclass(frozen=True, eq=False)
class Splice:
    """Lines of columns, in which the tag of token i takes the place of the bytes begin[i]:end[i]."""

    data: bytes
    begin: Ints
    end: Ints
    before: bytes = b""
    """The bytes between a tag and the column before it, where there was no tag yet."""
    absent: str = ""
    """How the format spells that there is no tag."""
    columns: int = 1
    """The number of columns that a tag takes, with tabs between them."""
    spaced: bool = False
    """Whether any white space ends a column; otherwise only a tab does."""
    is_json: ClassVar[bool] = False

    @property
    def n_tokens(self) -> int:
        return len(self.begin)

    @property
    def nbytes(self) -> int:
        return len(self.data) + self.begin.nbytes + self.end.nbytes

    def fill(self, tags: Sequence[str]) -> bytes:
        import pyarrow.compute as pc

        if not len(tags):
            return self.data
        number = {tag: k for k, tag in enumerate(dict.fromkeys(tags))}
        spelled = _binary([self.before + self._spelled(tag).encode() for tag in number])
        codes = np.fromiter(map(number.__getitem__, tags), np.int64, len(tags))
        # The bytes are cut at the edges of the tags. Every second piece is what is kept, the others are old tags.
        edges = np.concatenate([[0], np.stack([self.begin, self.end], axis=1).reshape(-1)])
        kept = _cut(self.data, edges).take(numbers(np.arange(0, 2 * len(tags), 2)))
        lines = pc.binary_join_element_wise(kept, spelled.take(numbers(codes)), _binary([b""])[0])
        return b"".join([_bytes(lines), memoryview(self.data)[edges[-1] :]])

    def gap(self) -> bytes:
        tail = self.data[self.data[:-1].rfind(b"\n") + 1 :]  # the last line; a blank one ends the sentence
        if not tail.strip():
            return b""
        end = b"\r\n" if b"\r\n" in self.data else b"\n"
        return end if tail.endswith(b"\n") else end + end

    def _spelled(self, tag: str) -> str:
        spelled = tag or self.absent
        if self.spaced and (not spelled or any(character in spelled for character in " \t\n\r\v\f")):
            raise UsageError(
                f"cannot write the tag {tag!r} into columns separated by white space. Read from a file with tabs, or jsonl."
            )
        if spelled.count("\t") != self.columns - 1 or any(character in spelled for character in "\n\r"):
            raise UsageError(f"cannot write the tag {tag!r} into a column: it holds a tab or ends the line. Use jsonl.")
        return spelled


def _binary(values: Sequence[bytes]) -> pa.LargeBinaryArray:
    return _cut(b"".join(values), np.cumsum([0, *map(len, values)]))


def _cut(data: bytes, edges: Ints) -> pa.LargeBinaryArray:
    """The pieces data[edges[0]:edges[1]], data[edges[1]:edges[2]] and so on, without a copy."""
    buffers = [None, pa.py_buffer(np.ascontiguousarray(edges, np.int64)), pa.py_buffer(data)]
    return pa.Array.from_buffers(pa.large_binary(), len(edges) - 1, buffers)


def _bytes(array: pa.LargeBinaryArray) -> memoryview:
    """The bytes of all strings, one after the other."""
    _, offsets, data = array.buffers()
    return memoryview(data)[: np.frombuffer(offsets, np.int64)[len(array)]]
