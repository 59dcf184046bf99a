"""Write sentences with other tags, all at once or batch by batch. All else is written as it was in the file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from os import PathLike
from typing import BinaryIO, Self, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet.errors import UsageError
from linnet.io.bytes.atomic import atomic
from linnet.io.bytes.source import CODECS
from linnet.io.bytes.target import Closing, stdout
from linnet.io.sentences.frames import Frame, Splice
from linnet.io.sentences.sentences import Sentences

Target: TypeAlias = str | PathLike[str] | BinaryIO | None
Tags: TypeAlias = Sequence[str] | pa.Array | pa.ChunkedArray | npt.NDArray[np.str_]


class SentenceWriter(Closing):
    """A writer of batches of sentences to a file, which appears only when the writer is closed.

    with SentenceWriter.open("out.conll") as writer:
        for sentences in read_sentence_batches("in.conll", labelled=False):
            writer.write(sentences, tags_of(sentences))
    """

    def __init__(self, file: BinaryIO, stack: ExitStack) -> None:
        super().__init__(stack)
        self._file = file
        self._gap = b""  # the bytes that have to be added before anything else is written

    @classmethod
    def open(cls, out: Target) -> Self:
        """A writer to a path or an open binary file; None or "-" is stdout. A file that was open stays open."""
        with ExitStack() as stack:
            file = _opened(out, stack)
            return cls(file, stack.pop_all())

    def write(self, sentences: Sentences, tags: Tags) -> None:
        """Add sentences with these tags, one for each token. They replace the tags that were read, or follow the other
        columns where no tags were read."""
        tags = tags.to_pylist() if isinstance(tags, pa.Array | pa.ChunkedArray) else list(tags)
        if len(tags) != sentences.n_tokens:
            raise UsageError(f"expected {sentences.n_tokens} tags, one for each token, found {len(tags)}.")
        frame = sentences.frame or _plain(sentences)
        for data, gap in frame.fill(tags):
            self._file.write(self._gap + data if self._gap else data)
            self._gap = gap

    def write_lines(self, lines: Iterable[str]) -> None:
        """Add lines of text in the place of sentences."""
        self._file.write("".join(f"{line}\n" for line in lines).encode())


def write_sentences(out: Target, sentences: Sentences, tags: Tags) -> None:
    """Write all sentences at once; see `SentenceWriter`."""
    with SentenceWriter.open(out) as writer:
        writer.write(sentences, tags)


def _opened(out: Target, stack: ExitStack) -> BinaryIO:
    if out is None:
        return stdout(stack)
    if not isinstance(out, (str, PathLike)):
        return out
    path = os.fspath(out)
    if path == "-":
        return stdout(stack)
    extension = os.path.splitext(path.lower())[1]
    if extension in CODECS:
        raise UsageError(
            f"cannot write '{path}': {extension} is for compressed data. Leave it out, and compress the file."
        )
    return stack.enter_context(atomic(path))


def _plain(sentences: Sentences) -> Frame:
    """Sentences that come from no file, as columns with tabs between them and a blank line after each sentence."""
    columns = [column.to_pylist() for column in sentences.columns.values()]
    rows = ["\t".join(values) for values in zip(*columns, strict=True)]
    if any(character in value for column in columns for value in column for character in "\t\n\r"):
        raise UsageError("cannot write a word that holds a tab or a line end into columns. Write jsonl.")
    ends = set(sentences.starts[1:].tolist())
    lines = [f"{row}\n\n" if i in ends else f"{row}\n" for i, row in enumerate(rows, 1)]
    return _appended(lines)


def _appended(lines: Sequence[str]) -> Frame:
    raw = [line.encode() for line in lines]
    begin = np.cumsum([0, *map(len, raw)])[:-1]
    end = np.array([at + len(line.rstrip(b"\n")) for at, line in zip(begin.tolist(), raw, strict=True)], np.int64)
    return Frame((Splice(b"".join(raw), end, end, before=b"\t"),))
