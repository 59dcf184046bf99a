"""Pairs of sentences with their right links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral

import numpy as np
import numpy.typing as npt

from linnet.core.types import Data, Json, Output
from linnet.errors import DataError
from linnet.io.pairs.pairs import Links, Pairs, flags_of, pairs_of

Ints = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Aligned:
    """Pairs of sentences with their gold links."""

    pairs: Pairs
    y: Ints
    """A flag for each possible link of all pairs: 1 for a sure link, 2 for a possible one, 0 for none. In a pair of n and m
    tokens, that of source token i and target token j is at i m + j of the pair."""
    details: Mapping[str, Json]
    labels: tuple[str, ...] = ("link",)

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def y_at(self) -> npt.NDArray[np.int64]:
        """Where the flags of each pair begin in y, and where the last ones end."""
        return self.pairs.places

    @property
    def examples(self) -> Pairs:
        """The pairs as a model takes them."""
        return self.pairs

    @property
    def right(self) -> Ints:
        """The flags of the right links."""
        return self.y

    @property
    def source(self) -> str:
        return self.pairs.name

    def part(self, rows: npt.NDArray[np.int64]) -> Aligned:
        pairs = self.pairs.part(rows)
        return Aligned(pairs, flags_of(pairs), self.details)

    def texts(self) -> list[str]:
        return [f"{' '.join(source)} ||| {' '.join(target)}" for source, target in self.pairs.words()]

    def column(self, name: str) -> None:
        """None, as files of pairs have no other columns."""


def pairs_with_links(X: Data, Y: Output) -> Pairs:
    """Pairs of sentences from lists of tokens, with their links."""
    pairs = pairs_of(list(X), None)
    y = list(Y)
    if len(y) != len(pairs):
        raise DataError(f"expected links for each of {len(pairs)} pairs, found {len(y)}.")
    links = [
        _links(one, len(s), len(t), row) for row, (one, (s, t)) in enumerate(zip(y, pairs.words(), strict=True), 1)
    ]
    return Pairs(pairs.source, pairs.target, tuple(links))


def _links(given: Sequence[Output], n: int, m: int, row: int) -> Links:
    """The links of a pair with n and m tokens: given as a list of links, which are sure, or as two lists, of sure and of
    possible ones."""
    two = len(given) == 2 and not any(isinstance(k, Integral) for part in given for k in part)
    sure, possible = ({(int(i), int(j)) for i, j in part} for part in (given if two else (given, ())))
    wrong = next((link for link in sure | possible if not (0 <= link[0] < n and 0 <= link[1] < m)), None)
    if wrong is not None:
        raise DataError(
            f"pair {row}: the link {wrong} is outside of the sentences, which have {n} and {m} tokens. Count tokens from 0."
        )
    return Links(frozenset(sure), frozenset(sure | possible))
