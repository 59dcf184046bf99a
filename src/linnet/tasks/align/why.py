"""Explaining one pair of sentences: why each target token is linked to its source token, or to none, and not otherwise.

y is the best alignment and y' the best of those in which the token is linked in another way, as the structure itself finds
them; the contributions sum to the difference of their scores (differences.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from linnet.core.blocks import Block
from linnet.core.budget import affordable
from linnet.core.predictor import Predictor
from linnet.explain.differences import Part, Scored, Use, weights_of
from linnet.report.shown import Shown

NOTHING = -1


@dataclass(frozen=True)
class LinkExplanation:
    """Why a target token is linked to `source` and not to `against`; -1 is no link. The contributions sum to the score."""

    target: int
    source: int
    against: int
    score: float
    contributions: tuple[Part, ...]


@dataclass(frozen=True, repr=False)
class AlignmentExplanation(Shown):
    """Why a pair of sentences is aligned as it is."""

    drawn_by: ClassVar[str] = "linnet.tasks.align.terminal:alignment_explanation"
    paged_by: ClassVar[str] = "linnet.tasks.align.page:alignments_page"

    source: tuple[str, ...]
    target: tuple[str, ...]
    sources: tuple[int, ...]
    """The source token of each target token; -1 is no link."""
    tokens: tuple[LinkExplanation, ...]
    """An explanation for each target token, or for the first ones where there was no time for more (core/budget.py)."""

    def in_brief(self) -> str:
        return f"{' '.join(self.source)} ||| {' '.join(self.target)}"

    @property
    def links(self) -> set[tuple[int, int]]:
        return {(i, j) for j, i in enumerate(self.sources) if i != NOTHING}

    def name(self, source: int) -> str:
        return self.source[source] if source != NOTHING else ""


def explain_alignment(
    source: Sequence[str],
    target: Sequence[str],
    blocks: tuple[Block, ...],
    names: Sequence[Callable[[int], str]],
    predictor: Predictor,
) -> AlignmentExplanation:
    """Explain the link of each target token of a pair, as far as there is time. `names` give the name of a feature of each
    block by its number."""
    n, m = len(source), len(target)
    pair = ScoredPair(blocks, names, predictor, n, m)
    y = pair.best({})
    mine, sources = list(pair.uses(y)), [source_of(y, j) for j in range(m)]
    tokens = []
    asked = ((j, sources[j]) for j in affordable(range(m), "target tokens"))
    for j, found, value in predictor.others(blocks, asked):
        if value == -np.inf:
            tokens.append(LinkExplanation(j, sources[j], NOTHING, 0.0, ()))
            continue
        other = found.reshape(n, m)
        parts = pair.differences(mine, pair.uses(other))
        score = sum(part.contribution for part in parts)
        tokens.append(LinkExplanation(j, sources[j], source_of(other, j), score, tuple(parts)))
    return AlignmentExplanation(tuple(source), tuple(target), tuple(sources), tuple(tokens))


def source_of(y: npt.NDArray[np.int32], j: int) -> int:
    """The source token that target token j is linked to; NOTHING where it has no link."""
    found = np.flatnonzero(y[:, j])
    return int(found[0]) if len(found) else NOTHING


class ScoredPair(Scored):
    """A pair of sentences whose alignments are compared feature by feature."""

    def __init__(
        self, blocks: tuple[Block, ...], names: Sequence[Callable[[int], str]], predictor: Predictor, n: int, m: int
    ) -> None:
        super().__init__(blocks, names, weights_of(predictor))
        self.blocks, self.predictor, self.n, self.m = blocks, predictor, n, m

    def best(self, forced: dict[int, int]) -> npt.NDArray[np.int32]:
        """The best alignment in which the places of `forced` have these flags, as a table n x m."""
        flags = np.full(self.n * self.m, -1, np.int32)
        flags[list(forced)] = list(forced.values())
        y: npt.NDArray[np.int32] = self.predictor.argmax(self.blocks, flags)[0].reshape(self.n, self.m)
        return y

    def uses(self, y: npt.NDArray[np.int32]) -> Iterator[Use]:
        """The outcomes in both blocks that an alignment has, as mu(y) counts them."""
        for j in range(self.m):
            i = source_of(y, j)
            yield Use(0, i * self.m + j, 0, j, "") if i != NOTHING else Use(1, j, 0, j, "no link")
