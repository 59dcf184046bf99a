"""What a reader of tagged text gives: the tokens of many sentences, column by column."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet.core.arrow import numbers
from linnet.errors import DataError
from linnet.io.sentences.frames import Frame

Ints: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Sentences:
    """Sentences of tokens. Each column has the tokens of all sentences one after the other, so that the core can read
    it in place."""

    columns: dict[str, pa.LargeStringArray]
    """The columns by name, with a value for each token. The word is under "w"; an absent value is ""."""
    starts: Ints
    """The starts of sentences, n + 1 numbers: sentence i is tokens starts[i]:starts[i + 1]."""
    tags: pa.LargeStringArray | None
    """The tag of each token, or None when there are no tags. "" stands for no tag, where tags were not demanded."""
    source: str
    """The path or paths as given, for messages."""
    frame: Frame | None
    """What is needed to write the same sentences with other tags; None when they come from no file."""

    def __len__(self) -> int:
        return len(self.starts) - 1

    def first(self, n: int) -> Sentences:
        """The first n sentences, without a frame."""
        starts = self.starts[: n + 1]
        columns = {name: column.slice(0, int(starts[-1])) for name, column in self.columns.items()}
        tags = None if self.tags is None else self.tags.slice(0, int(starts[-1]))
        return Sentences(columns, starts, tags, self.source, None)

    def slice(self, start: int, length: int) -> Sentences:
        """The sentences from `start` on, `length` of them, with their tags and without a frame."""
        part, tokens = self.part(np.arange(start, min(start + length, len(self))))
        return part if self.tags is None else replace(part, tags=self.tags.take(numbers(tokens)))

    def part(self, rows: Ints) -> tuple[Sentences, Ints]:
        """The sentences with these numbers, in this order, without tags and frame; and for each of their tokens, its
        number in the whole."""
        lengths = self.starts[rows + 1] - self.starts[rows]
        cut = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
        tokens = np.arange(cut[-1]) + np.repeat(self.starts[rows] - cut[:-1], lengths)
        columns = {name: column.take(numbers(tokens)) for name, column in self.columns.items()}
        return Sentences(columns, cut, None, self.source, None), tokens

    def texts(self) -> list[str]:
        """The words of each sentence, joined to a line."""
        words = self.columns["w"].to_pylist()
        return [" ".join(words[a:b]) for a, b in pairwise(self.starts.tolist())]

    @property
    def n_tokens(self) -> int:
        return int(self.starts[-1])

    @property
    def nbytes(self) -> int:
        parts = (*self.columns.values(), self.starts, self.tags, self.frame)
        return sum(part.nbytes for part in parts if part is not None)


def join(parts: Sequence[Sentences]) -> Sentences:
    """All parts, one after the other. Columns and tags are kept if every part with sentences has them, and the frame if
    every part has one."""
    if len(parts) == 1:
        return parts[0]
    solid = [part for part in parts if len(part)] or parts[:1]
    names = [name for name in solid[0].columns if all(name in part.columns for part in solid)]
    tags = [part.tags for part in solid if part.tags is not None]
    frames = [part.frame for part in parts if part.frame is not None]
    return Sentences(
        columns={name: pa.concat_arrays([part.columns[name] for part in solid]) for name in names},
        starts=_chain([part.starts for part in parts]),
        tags=pa.concat_arrays(tags) if len(tags) == len(solid) else None,
        source=", ".join(dict.fromkeys(part.source for part in parts)),
        frame=Frame.join(frames) if len(frames) == len(parts) else None,
    )


def rebatch(parts: Iterable[Sentences], batch_bytes: int) -> Iterator[Sentences]:
    """Join small parts until they fill a batch. If reading a part raises DataError, the parts before it come first.

    A part without sentences (comments at the end of a file) goes with its neighbours, so that no batch is empty.
    """
    waiting: list[Sentences] = []
    size = 0
    try:
        for part in parts:
            if len(part) and any(map(len, waiting)) and size + part.nbytes > batch_bytes:
                yield join(waiting)
                waiting, size = [], 0
            waiting.append(part)
            size += part.nbytes
    except DataError:
        if any(map(len, waiting)):
            yield join(waiting)
        raise
    if any(map(len, waiting)):
        yield join(waiting)


def _chain(starts: Sequence[Ints]) -> Ints:
    lengths = np.concatenate([np.diff(part) for part in starts])
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
