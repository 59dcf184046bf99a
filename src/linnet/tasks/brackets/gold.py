"""Sentences with their constituent trees."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from linnet.core.types import Data, Json, Output
from linnet.errors import DataError
from linnet.io.formats import FileOptions
from linnet.io.sentences.mrg import TREE, sentences_of
from linnet.io.sentences.sentences import Sentences
from linnet.structures.bits import JOIN, spans_of
from linnet.tasks.guessing import task_of_file
from linnet.tasks.sentences.gold import GoldSentences

TAG = "tag"

Ints = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Bracketed(GoldSentences):
    """Sentences with their trees."""

    sentences: Sentences
    bits: npt.NDArray[np.object_]
    """The brackets around each word of all sentences, such as `(S(NP*`."""
    y: Ints
    """The trees made binary, as `numbered` in structures/bits.py lays them out: a number for each span of each sentence."""
    y_at: npt.NDArray[np.int64]
    """Where the spans of each sentence begin in y, and where the last ones end."""
    labels: tuple[str, ...]
    details: Mapping[str, Json]

    def part(self, rows: npt.NDArray[np.int64]) -> Bracketed:
        sentences, tokens = self.sentences.part(rows)
        y = [self.y[self.y_at[i] : self.y_at[i + 1]] for i in rows.tolist()]
        return replace(self, sentences=sentences, bits=self.bits[tokens], y=joined(y), y_at=ends_of(y))


def column_of(source: Data, how: FileOptions) -> str | None:
    """The name of the column that the trees are read from, where the files hold trees: TREE, the last column of files
    in columns. None where they hold no trees."""
    first = source if isinstance(source, str | os.PathLike) else source[0]
    return TREE if task_of_file(os.fspath(first), how) == "brackets" else None


def bits_of(sentences: Sentences) -> list[str]:
    """The brackets around each word of sentences that were read with their trees. Raise DataError if they are no trees."""
    if sentences.tags is None:
        raise DataError("expected sentences with trees, found none.", sentences.source)
    bits: list[str] = sentences.tags.to_pylist()
    for i, (a, b) in enumerate(pairwise(sentences.starts.tolist()), 1):
        try:
            spans = spans_of(bits[a:b])
        except ValueError as error:
            raise DataError(f"the brackets of sentence {i} do not form a tree: {error}.", sentences.source) from None
        joined = next((span.label for span in spans if JOIN in span.label), None)
        if joined is not None:
            raise DataError(
                f"sentence {i}: the label {joined!r} contains {JOIN!r}, which linnet uses to join labels. Rename it.",
                sentences.source,
            )
    return bits


def joined(parts: Sequence[Ints]) -> Ints:
    """Outputs one after the other: the y of gold examples."""
    return np.concatenate([np.zeros(0, np.int32), *parts])


def ends_of(parts: Sequence[Ints]) -> npt.NDArray[np.int64]:
    """Where each of them begins, and where the last one ends: the y_at of gold examples."""
    return np.cumsum([0, *map(len, parts)], dtype=np.int64)


def sentences_with_brackets(X: Data, Y: Output) -> Sentences:
    """Sentences from lists of words, or from their trees alone where X is None, with their trees in brackets. Raise DataError
    if the trees do not fit the sentences."""
    gold = sentences_of([str(tree) for tree in Y])
    if X is None:
        return gold
    X = list(X)
    if len(X) != len(gold):
        raise DataError(f"expected as many sentences as trees with words, found {len(X)} and {len(gold)}.")
    words = gold.columns["w"].to_pylist()
    for i, (sentence, (a, b)) in enumerate(zip(X, pairwise(gold.starts.tolist()), strict=True)):
        if len(sentence) != b - a:
            raise DataError(f"sentence {i} has {len(sentence)} words, but its tree {b - a}: {' '.join(words[a:b])!r}.")
    return gold
