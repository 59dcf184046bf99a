"""Explaining one sentence: why each token has its head and not the next best one.

y is the best tree, or another that was chosen, and y' the best of those in which the token has another head, as the structure
itself finds them; the contributions sum to the difference of their scores (differences.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from linnet.core.blocks import Block
from linnet.core.budget import affordable
from linnet.core.predictor import Predictor
from linnet.core.types import I32
from linnet.explain.differences import Part, Scored, Use, weights_of
from linnet.report.shown import Shown
from linnet.structures.siblings import SiblingTree

Flags = npt.NDArray[np.uint8]
ROOT = "root"


@dataclass(frozen=True)
class ArcExplanation:
    """Why a token has `head` with `relation` and not `against`, which is -1 if no other head is possible. The contributions sum
    to the score."""

    token: int
    word: str
    head: int
    relation: str
    against: int
    against_relation: str
    score: float
    contributions: tuple[Part, ...]


@dataclass(frozen=True, repr=False)
class TreeExplanation(Shown):
    """Why a sentence has its dependency tree."""

    drawn_by: ClassVar[str] = "linnet.tasks.parse.terminal:tree_explanation"
    paged_by: ClassVar[str] = "linnet.tasks.parse.page:trees_page"

    words: tuple[str, ...]
    heads: tuple[int, ...]
    relations: tuple[str, ...]
    arcs: tuple[ArcExplanation, ...]
    """An explanation for each token, or for the first ones where there was no time for more (core/budget.py)."""

    def in_brief(self) -> str:
        return " ".join(self.words)

    def name(self, position: int) -> str:
        """The word at a position from 1 on; position 0 is the root."""
        return self.words[position - 1] if position > 0 else ROOT


def explain_tree(
    words: Sequence[str],
    blocks: tuple[Block, ...],
    names: Sequence[str],
    name: Callable[[str, int], str],
    predictor: Predictor,
    labels: Sequence[str],
    chosen: I32 | None = None,
) -> TreeExplanation:
    """Explain each arc of the tree of a sentence, as far as there is time.

    blocks: the features of the sentence, without the arcs that are pruned.
    names: the names of the blocks.
    name: gives the name of a feature, by the name of its block and its number.
    chosen: the tree to explain, by default the best one.
    """
    R = len(labels)
    y = (predictor.argmax(blocks)[0] if chosen is None else chosen).tolist()
    sentence = ScoredTree(blocks, names, name, predictor, labels, len(words))
    mine = list(sentence.uses(y))
    arcs = []
    asked = ((m, -1 - y[m] // R) for m in affordable(range(len(words)), "tokens"))
    for m, found, value in predictor.others(blocks, asked):
        head, relation = y[m] // R, labels[y[m] % R]
        if value == -np.inf:
            arcs.append(ArcExplanation(m, words[m], head, relation, -1, "", 0.0, ()))
            continue
        other = found.tolist()
        parts = sentence.differences(mine, sentence.uses(other))
        score = sum(part.contribution for part in parts)
        against, instead = other[m] // R, labels[other[m] % R]
        arcs.append(ArcExplanation(m, words[m], head, relation, against, instead, score, tuple(parts)))
    return TreeExplanation(tuple(words), tuple(k // R for k in y), tuple(labels[k % R] for k in y), tuple(arcs))


class ScoredTree(Scored):
    """A sentence whose trees are compared feature by feature: `differences` of the base class takes the `uses` of two trees."""

    def __init__(
        self,
        blocks: tuple[Block, ...],
        names: Sequence[str],
        name: Callable[[str, int], str],
        predictor: Predictor,
        labels: Sequence[str],
        n: int,
    ) -> None:
        super().__init__(blocks, [partial(name, block) for block in names], weights_of(predictor))
        self.names_of_blocks = list(names)
        self.labels = labels
        self.n = n

    def uses(self, y: Sequence[int]) -> Iterator[Use]:
        """The outcomes in each block that a tree has, as mu(y) counts them."""
        N, R = self.n + 1, len(self.labels)
        heads = [0, *(k // R for k in y)]
        for m, k in enumerate(y, 1):
            h = heads[m]
            arc = (m - 1) * N + h
            for block, name in enumerate(self.names_of_blocks):
                if name == "arcs":
                    yield Use(block, arc, 0, m - 1, "")
                elif name == "relations":
                    yield Use(block, arc, k % R, m - 1, self.labels[k % R])
                elif name == "siblings":
                    yield Use(block, SiblingTree.place(h, _before(heads, h, m), m, self.n), 0, m - 1, "")
                elif h:
                    yield Use(block, arc * N + heads[h], 0, m - 1, "")


def _before(heads: Sequence[int], h: int, m: int) -> int:
    """The child of h that comes before m, going away from h; h itself if there is none."""
    step = 1 if h > m else -1
    s = m + step
    while s != h and heads[s] != h:
        s += step
    return s
