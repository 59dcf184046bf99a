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
from linnet.core.predictor import Predictor
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
    arcs: tuple[ArcExplanation, ...]

    def in_brief(self) -> str:
        return " ".join(self.words)

    @property
    def heads(self) -> list[int]:
        return [arc.head for arc in self.arcs]

    @property
    def relations(self) -> list[str]:
        return [arc.relation for arc in self.arcs]

    def name(self, position: int) -> str:
        """The word at a position from 1 on; position 0 is the root."""
        return self.words[position - 1] if position > 0 else ROOT


def explain_tree(
    words: Sequence[str],
    blocks_of: Callable[[Flags], tuple[Block, ...]],
    out: Flags,
    names: Sequence[str],
    name: Callable[[str, int], str],
    predictor: Predictor,
    labels: Sequence[str],
    chosen: npt.NDArray[np.int32] | None = None,
) -> TreeExplanation:
    """Explain each arc of the tree of a sentence.

    blocks_of: gives the blocks of the sentence without the arcs whose flag is set.
    out: the flags of the arcs that are pruned; the arc from head h to token m (from 1) is at (m - 1) (n + 1) + h.
    names: the names of the blocks.
    name: gives the name of a feature, by the name of its block and its number.
    chosen: the tree to explain, by default the best one.
    """
    blocks = blocks_of(out)
    n, R = len(words), len(labels)
    y = (predictor.argmax(blocks)[0] if chosen is None else chosen).tolist()
    sentence = ScoredTree(blocks, names, name, predictor, labels, n)
    arcs = []
    for m, k in enumerate(y, 1):
        place = (m - 1) * (n + 1) + k // R
        fewer = out.copy()
        fewer[place] = 1
        other = predictor.argmax(blocks_of(fewer))[0].tolist() if _has_possible_head(fewer, m, n) else y
        head, against = k // R, other[m - 1] // R
        if head == against or any(fewer[(t - 1) * (n + 1) + o // R] for t, o in enumerate(other, 1)):
            arcs.append(ArcExplanation(m - 1, words[m - 1], head, labels[k % R], -1, "", 0.0, ()))
            continue
        parts = sentence.differences(sentence.uses(y), sentence.uses(other))
        score = sum(part.contribution for part in parts)
        relation, instead = labels[k % R], labels[other[m - 1] % R]
        arcs.append(ArcExplanation(m - 1, words[m - 1], head, relation, against, instead, score, tuple(parts)))
    return TreeExplanation(tuple(words), tuple(arcs))


def _has_possible_head(out: Flags, m: int, n: int) -> bool:
    """Whether token m (from 1) of n has a head that is not pruned and is not the token itself."""
    row = out[(m - 1) * (n + 1) : m * (n + 1)]
    return bool((np.delete(row, m) == 0).any())


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
        triples = SiblingTree.triples(n).T.tolist() if "siblings" in names else []
        self.triples = {tuple(triple): place for place, triple in enumerate(triples)}

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
                    yield Use(block, self.triples[h, _before(heads, h, m), m], 0, m - 1, "")
                elif h:
                    yield Use(block, arc * N + heads[h], 0, m - 1, "")


def _before(heads: Sequence[int], h: int, m: int) -> int:
    """The child of h that comes before m, going away from h; h itself if there is none."""
    step = 1 if h > m else -1
    s = m + step
    while s != h and heads[s] != h:
        s += step
    return s
