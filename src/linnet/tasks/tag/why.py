"""Explaining one sentence: why each token has its tag and not the next best one.

y is the best sequence, or another that was chosen, and y' the best of those that have another tag at the token, as the chain
itself decodes them; the contributions sum to the difference of their scores (differences.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from linnet.core.blocks import Block
from linnet.core.budget import affordable
from linnet.core.predictor import Predictor
from linnet.explain.differences import Part, Scored, Use, weights_of
from linnet.report.shown import Shown
from linnet.structures.chain import Chain

__all__ = ["Named", "Part", "ScoredTags", "TagExplanation", "TagExplanations", "explain_tags"]


@dataclass(frozen=True)
class TagExplanation:
    """Why a token has `tag` and not `against`: the contributions sum to the score. If no other tag is legal, `against` is
    ""."""

    token: int
    word: str
    tag: str
    against: str
    score: float
    contributions: tuple[Part, ...]


class TagExplanations(Shown, list[TagExplanation]):
    """Why each token of a sentence has its tag: an explanation for each token, or for the first ones where there was no time
    for more (core/budget.py)."""

    drawn_by: ClassVar[str] = "linnet.tasks.tag.terminal:tag_explanations"
    paged_by: ClassVar[str] = "linnet.tasks.tag.page:tags_page"

    def __init__(self, words: Sequence[str], tags: Sequence[str], found: Iterable[TagExplanation] = ()) -> None:
        super().__init__(found)
        self.words = tuple(words)
        self.tags = tuple(tags)

    def in_brief(self) -> str:
        return " ".join(f"{word}/{tag}" for word, tag in zip(self.words, self.tags, strict=True))


class Named(Protocol):
    """Features of tokens and of pairs of tags, which have names."""

    def name(self, feature: int) -> str: ...

    def pair_name(self, feature: int) -> str: ...


def explain_tags(
    words: Sequence[str],
    blocks: tuple[Block, ...],
    features: Named,
    predictor: Predictor[Chain],
    labels: Sequence[str],
    y: npt.NDArray[np.int32] | None = None,
) -> TagExplanations:
    """Explain each token of one sentence, given its blocks, as far as there is time. y: the tags to explain, by default the
    best ones."""
    y = predictor.argmax(blocks)[0] if y is None else y
    tags = y.tolist()
    sentence = ScoredTags(blocks, features, predictor, labels)
    found = TagExplanations(words, [labels[tag] for tag in tags])
    asked = ((t, tags[t]) for t in affordable(range(len(tags)), "tokens"))
    for t, other, _ in predictor.others(blocks, asked):
        tag = tags[t]
        if other[t] != tag and predictor.gen.allows(other):
            parts = sentence.differences(*sentence.uses_that_differ(y, other))
            score = sum(part.contribution for part in parts)
            found.append(TagExplanation(t, words[t], labels[tag], labels[other[t]], score, tuple(parts)))
        else:
            found.append(TagExplanation(t, words[t], labels[tag], "", 0.0, ()))
    return found


class ScoredTags(Scored):
    """A sentence whose tags are compared feature by feature: `differences` of the base class takes the `uses` of two rows of
    tags."""

    def __init__(
        self, blocks: tuple[Block, ...], features: Named, predictor: Predictor[Chain], labels: Sequence[str]
    ) -> None:
        super().__init__(blocks, (features.name, features.pair_name), weights_of(predictor))
        self.observed = bool(predictor.gen.observed)
        self.labels = labels

    def uses_that_differ(
        self, y: npt.NDArray[np.int32], other: npt.NDArray[np.int32]
    ) -> tuple[Iterator[Use], Iterator[Use]]:
        """The outcomes that either of two sequences of tags has from the first token at which they differ to the last one that
        such a token can matter to: an outcome is of a tag and the two tags before it at most."""
        at = np.flatnonzero(y != other)
        near = range(int(at[0]), min(int(at[-1]) + 3, len(y)))
        return self.uses(y.tolist(), near), self.uses(other.tolist(), near)

    def uses(self, y: Sequence[int], near: range | None = None) -> Iterator[Use]:
        """The outcomes in each block that a sequence of tags has, as mu(y) counts them, for all tokens or for those near some
        place. Tags have no names here, so that features of a token are counted once for both tags."""
        L = len(self.labels)
        for t in range(len(y)) if near is None else near:
            c = y[t]
            yield Use(0, t, c, t, "")
            if t:
                pair = f"{self.labels[c]} after {self.labels[y[t - 1]]}"
                yield Use(1, t - 1 if self.observed else 0, y[t - 1] * L + c, t, pair)
            if t > 1 and len(self.rows) > 2:
                before = f"{self.labels[y[t - 2]]} {self.labels[y[t - 1]]}"
                yield Use(2, 0, (y[t - 1] * L + y[t - 2]) * L + c, t, f"{self.labels[c]} after {before}")
