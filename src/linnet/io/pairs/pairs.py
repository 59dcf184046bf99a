"""What a reader of translations gives: pairs of sentences, and the links between their tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from linnet.core.arrow import large_strings
from linnet.errors import DataError
from linnet.io.bytes.encoding import half_pair
from linnet.io.sentences.sentences import Sentences
from linnet.io.sentences.sentences import join as join_sentences

Ints: TypeAlias = npt.NDArray[np.int64]
Link: TypeAlias = tuple[int, int]
SURE, POSSIBLE = 1, 2
"""The flags of a place with a sure link, and with one that is only possible; 0 is for no link."""


@dataclass(frozen=True)
class Links:
    """The links of one pair, with tokens numbered from 0. A link that is sure is possible too."""

    sure: frozenset[Link]
    possible: frozenset[Link]


@dataclass(frozen=True, eq=False)
class Pairs:
    """Sentences and their translations."""

    source: Sentences
    target: Sentences
    links: tuple[Links, ...] | None
    """The links of each pair; None when there are none."""

    def __len__(self) -> int:
        return len(self.source)

    @property
    def name(self) -> str:
        """The path or paths as given, for messages."""
        return self.source.source

    @property
    def places(self) -> Ints:
        """The number of the first place of each pair, and at the end the number of all places. In a pair of n source
        and m target tokens, source token i and target token j have place i m + j."""
        sizes = np.diff(self.source.starts) * np.diff(self.target.starts)
        return np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])

    def part(self, rows: Ints) -> Pairs:
        """The pairs of these numbers, in this order."""
        links = None if self.links is None else tuple(self.links[i] for i in rows.tolist())
        return Pairs(self.source.part(rows)[0], self.target.part(rows)[0], links)

    def words(self) -> list[tuple[list[str], list[str]]]:
        """The tokens of each pair."""
        source, target = ([*side.columns["w"].to_pylist()] for side in (self.source, self.target))
        cuts = zip(pairwise(self.source.starts.tolist()), pairwise(self.target.starts.tolist()), strict=True)
        return [(source[a:b], target[c:d]) for (a, b), (c, d) in cuts]


def pairs_of(
    words: Sequence[tuple[Sequence[str], Sequence[str]]], links: Sequence[Links] | None, name: str = "the data"
) -> Pairs:
    """Pairs made of lists of tokens, and of their links. Raise DataError where one is something else."""
    for pair in words:
        if not _is_list(pair) or len(pair) != 2 or not all(map(_is_list, pair)):
            raise DataError(f"expected pairs of two lists of tokens, found {pair!r:.60}.", name)
    source, target = (_sentences([pair[k] for pair in words], name) for k in (0, 1))
    return Pairs(source, target, None if links is None else tuple(links))


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence | np.ndarray) and not isinstance(value, str | bytes)


def _sentences(sentences: Sequence[Sequence[str]], name: str) -> Sentences:
    for sentence in sentences:
        for word in sentence:
            if not isinstance(word, str) or half_pair(word) is not None:
                raise DataError(f"expected tokens that are strings of whole characters, found {word!r:.60}.", name)
    tokens = [word.encode() for sentence in sentences for word in sentence]
    starts = np.cumsum([0, *map(len, sentences)], dtype=np.int64)
    return Sentences({"w": large_strings(tokens)}, starts, None, name, None)


def join(parts: Iterable[Pairs]) -> Pairs:
    """All parts, one after the other. Links are kept if every part has them."""
    parts = list(parts)
    links = [part.links for part in parts if part.links is not None]
    return Pairs(
        join_sentences([part.source for part in parts]),
        join_sentences([part.target for part in parts]),
        tuple(one for some in links for one in some) if len(links) == len(parts) else None,
    )


def flags_of(pairs: Pairs) -> npt.NDArray[np.int32]:
    """For each place of each pair: 1 for a sure link, 2 for one that is only possible, else 0."""
    places = pairs.places
    y = np.zeros(int(places[-1]), np.int32)
    widths = np.diff(pairs.target.starts).tolist()
    for one, at, m in zip(pairs.links or (), places.tolist(), widths, strict=False):
        for links, flag in ((one.possible, POSSIBLE), (one.sure, SURE)):
            for i, j in links:
                y[at + i * m + j] = flag
    return y


def links_of(y: npt.NDArray[np.int32], pairs: Pairs) -> list[list[Link]]:
    """The links of each pair that are flagged as sure in y, in order."""
    widths = np.diff(pairs.target.starts).tolist()
    return [
        [divmod(int(p), m) for p in np.flatnonzero(y[a:b] == SURE)]
        for (a, b), m in zip(pairwise(pairs.places.tolist()), widths, strict=True)
    ]
