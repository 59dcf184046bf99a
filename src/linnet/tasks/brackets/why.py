"""Explaining one sentence: why each constituent of its tree has this label, against the next best tree.

y is the best tree and y' the best of those in which the span has another label, or is no constituent, as the structure itself
finds them; the contributions sum to the difference of their scores (differences.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from linnet.core.blocks import Block
from linnet.core.budget import affordable
from linnet.core.predictor import Predictor
from linnet.explain.differences import Scored, Use, weights_of
from linnet.learners.weights import Matrix
from linnet.report.shown import Shown
from linnet.structures.brackets import Brackets


@dataclass(frozen=True)
class SpanPart:
    """A feature of the words first..last, or of the point where they are split, and what it adds to the difference of
    scores."""

    first: int
    last: int
    what: str
    contribution: float


@dataclass(frozen=True)
class BracketExplanation:
    """Why the words first..last are a `label` and not `against`, where "" means no constituent. The contributions sum to the
    score."""

    first: int
    last: int
    label: str
    against: str
    score: float
    contributions: tuple[SpanPart, ...]


@dataclass(frozen=True, repr=False)
class BracketsExplanation(Shown):
    """Why a sentence has its constituent tree."""

    drawn_by: ClassVar[str] = "linnet.tasks.brackets.terminal:brackets_explanation"
    paged_by: ClassVar[str] = "linnet.tasks.brackets.page:brackets_page"

    words: tuple[str, ...]
    tags: tuple[str, ...]
    bits: tuple[str, ...]
    brackets: tuple[BracketExplanation, ...]
    """An explanation for each bracket, outer brackets before inner ones, or for the first ones where there was no time for more
    (core/budget.py)."""

    def in_brief(self) -> str:
        return " ".join(self.words)


def explain_brackets(
    n: int,
    blocks: tuple[Block, ...],
    names: Sequence[str],
    name: Callable[[str, int], str],
    predictor: Predictor,
    labels: Sequence[str],
) -> list[BracketExplanation]:
    """Explain each bracket of one sentence of n words, as far as there is time. `names` are the names of its blocks, and `name`
    gives the name of a feature, given the name of its block and its number."""
    y = predictor.argmax(blocks)[0]
    sentence = ScoredSpans(n, blocks, [partial(name, block) for block in names], weights_of(predictor))
    firsts, lasts = Brackets.spans(n).tolist()
    found = []
    places = sorted(np.flatnonzero(y > 1).tolist(), key=lambda place: (firsts[place], -lasts[place]))
    mine = list(sentence.uses(y.tolist()))
    asked = ((place, int(y[place]) - 1) for place in affordable(places, "constituents"))
    for place, rival, _ in predictor.others(blocks, asked):
        other = rival.tolist()
        parts = [
            SpanPart(firsts[part.token], lasts[part.token], part.what, part.contribution)
            for part in sentence.differences(mine, sentence.uses(other))
        ]
        score = sum(part.contribution for part in parts)
        label, against = labels[y[place] - 1], labels[other[place] - 1] if other[place] > 1 else ""
        found.append(BracketExplanation(firsts[place], lasts[place], label, against, score, tuple(parts)))
    return found


class ScoredSpans(Scored):
    """A sentence whose trees are compared feature by feature: `differences` of the base class takes the `uses` of two trees."""

    def __init__(
        self, n: int, blocks: tuple[Block, ...], names: Sequence[Callable[[int], str]], weights: Sequence[Matrix]
    ) -> None:
        super().__init__(blocks, names, weights)
        self.blocks = blocks
        self.spans = Brackets.spans(n).T.tolist()
        self.number = {tuple(split): at for at, split in enumerate(Brackets.splits(n).T.tolist())}

    def uses(self, y: Sequence[int]) -> Iterator[Use]:
        """The outcomes in both blocks that a tree has, as mu(y) counts them. Labels have no names here, so that features of
        a span are counted once for both labels."""
        right: dict[int, int] = {}
        for place in np.flatnonzero(y)[::-1].tolist():
            first, last = self.spans[place]
            yield Use(0, place, y[place] - 1, place, "")
            if first < last:
                yield Use(1, self.number[first, right[last] - 1, last], 0, place, "")
            right[last] = first
