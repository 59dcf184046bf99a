"""Sentences with their dependency trees, and the places of their arcs among all possible arcs.

Arrays over tokens have one entry for each token of all sentences; `starts` says where each sentence begins in them, and where
the last one ends. Arrays over arcs have one entry for each possible arc: n (n + 1) for a sentence of n tokens, sentence after
sentence, where the arc from head h (0 is the root) to token m (from 1) is at (m - 1) (n + 1) + h of its sentence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from linnet.core.blocks import Block
from linnet.core.extract.different import different
from linnet.core.predictor import Predictor
from linnet.core.types import Json, Token
from linnet.errors import DataError
from linnet.features.columns import as_text
from linnet.io.python_values import Rows
from linnet.io.sentences.heads import first_fault
from linnet.io.sentences.sentences import Sentences
from linnet.io.texts.columns import usual
from linnet.structures.tree import Tree
from linnet.tasks.sentences.columns import tokens_in
from linnet.tasks.sentences.gold import GoldSentences, tokens_in_python

Ints = npt.NDArray[np.int32]
_BATCH = 1000
"""The number of sentences that are handled at a time."""
COLUMNS = ("w", "upos", "xpos")
"""The columns, in this order, of tokens that are given as tuples in Python."""


@dataclass(frozen=True)
class Trees(GoldSentences):
    """Sentences with their trees. For learning over projective trees, y has those that share most arcs with the right trees."""

    sentences: Sentences
    y: Ints
    """The tree to learn: for each token, its head (0 for the root) times the number of relations, plus its relation."""
    truth: Ints
    """The right tree, likewise; -1 - its head for a token whose relation is not among the labels."""
    labels: tuple[str, ...]
    details: Mapping[str, Json]
    unlabelled: Sentences | None = None
    """Sentences without trees, which the taggers of the parser learn from, too."""

    @property
    def y_at(self) -> npt.NDArray[np.int64]:
        return self.sentences.starts

    @property
    def right(self) -> Ints:
        return self.truth

    @property
    def heads(self) -> Ints:
        """The head of each token in the tree to learn."""
        return self.y // len(self.labels)

    def part(self, rows: npt.NDArray[np.int64]) -> Trees:
        sentences, tokens = self.sentences.part(rows)
        return replace(self, sentences=sentences, y=self.y[tokens], truth=self.truth[tokens])


def gold_arcs(sentences: Sentences) -> tuple[Ints, list[str]]:
    """The head (0 for the root) and the relation of each token of sentences that were read with their trees."""
    if sentences.tags is None:
        raise DataError("expected sentences with trees to compare with, found none.", sentences.source)
    trees, at = different(sentences.tags)
    found = [tree.split("\t") for tree in trees.to_pylist()]
    heads = np.array([int(head) for head, _ in found], np.int32)[at] if len(at) else np.empty(0, np.int32)
    relations = [relation for _, relation in found]
    return heads, [relations[k] for k in at.tolist()]


def places(heads: Ints, starts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The place of the arc from its head to each token among all possible arcs of all sentences."""
    n = np.diff(starts)
    begin = np.concatenate([np.zeros(1, np.int64), np.cumsum(n * (n + 1))])[:-1]
    own = np.repeat(n + 1, n)
    token = np.arange(len(heads)) - np.repeat(starts[:-1] - starts[0], n)
    places: npt.NDArray[np.int64] = np.repeat(begin, n) + token * own + heads
    return places


def nearest(gen: Tree, heads: Ints, starts: npt.NDArray[np.int64]) -> Ints:
    """The heads of the trees in GEN(x) that share most arcs with the given ones: those that score best where a given arc scores
    1 and any other 0."""
    near = np.empty_like(heads)
    for i in range(0, len(starts) - 1, _BATCH):
        own = starts[i : i + _BATCH + 1]
        at = slice(int(own[0]), int(own[-1]))
        n = np.diff(own)
        has = np.zeros(np.sum(n * (n + 1)), np.float32)
        has[places(heads[at], own)] = 1
        near[at] = best_heads(gen, has, own)
    return near


def best_heads(gen: Tree, scores: npt.NDArray[np.float32], starts: npt.NDArray[np.int64]) -> Ints:
    """The heads of the best trees, given the scores of all possible arcs of all sentences: a structure of one relation is
    scored by one feature, whose value at each arc is the score."""
    n = np.diff(starts)
    places = np.concatenate([np.zeros(1, np.int64), np.cumsum(n * (n + 1))])
    rows = np.arange(len(scores) + 1, dtype=np.int64), np.zeros(len(scores), np.uint32), scores
    heads: Ints = Predictor(gen, [np.array([[0.0], [1.0]], np.float32)]).argmax((Block(*rows, places),))[0]
    return heads


def tagged_tokens_in(rows: Rows, name: str | None = None) -> list[Json]:
    """The tokens of each sentence, with the tags in `upos` and `xpos` if there are such columns."""
    words = tokens_in(rows, name)
    tags = [rows.values(found) for known in COLUMNS[1:] if (found := usual((known,), rows.names)) is not None]
    return [list(zip(*sentence, strict=False)) for sentence in zip(words, *tags, strict=True)] if tags else words


def sentences_with_trees(
    X: Sequence[Sequence[Token]], Y: Sequence[Sequence[tuple[int, str]]], names: Sequence[str] = COLUMNS
) -> Sentences:
    """Sentences from lists of words, or of tuples with a word and its tags, with a head and a relation for each token."""
    sentences = tokens_in_python(X, names)
    if [len(tree) for tree in Y] != np.diff(sentences.starts).tolist():
        raise DataError(
            "expected a head and a relation for each token of each sentence. Pass as many as there are tokens."
        )
    arcs = [arc for tree in Y for arc in tree]
    fault = first_fault(np.array([head for head, _ in arcs], np.int64), sentences.starts, one_root=True)
    if fault is not None:
        i = int(np.searchsorted(sentences.starts, fault.token, "right"))
        raise DataError(f"sentence {i}, token {fault.token - int(sentences.starts[i - 1]) + 1}: {fault.message}")
    return replace(sentences, tags=as_text([f"{head}\t{relation}" for head, relation in arcs]))
