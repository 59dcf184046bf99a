"""One decision for each token of a sentence: a tag, or whether it is kept. Tags and compressions are decided so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from linnet.core.blocks import Block
from linnet.core.predictor import Predictor
from linnet.core.types import I32, Data
from linnet.explain.differences import Part
from linnet.model.decisions import Clamped, Decision, Wanted, free


class TokenDecisions(Clamped):
    """The tokens of one sentence, each of which has one of the labels."""

    def __init__(
        self, x: Data, words: Sequence[str], blocks: tuple[Block, ...], predictor: Predictor[Any], labels: Sequence[str]
    ) -> None:
        super().__init__(x, predictor, blocks)
        self.words, self.labels = words, tuple(labels)

    def decisions(self) -> list[Decision]:
        y = self.predictor.argmax(self.blocks)[0].tolist()
        return [Decision(word, self.labels, k) for word, k in zip(self.words, y, strict=True)]

    def allowed(self, y: I32) -> list[Sequence[int]]:
        return [[k] if k >= 0 else [] for k in y.tolist()]

    def place(self, number: int) -> tuple[Sequence[str], range]:
        return self.words, range(number, number + 1)

    def forced(self, wanted: Wanted) -> I32:
        found = free(len(self.words))
        found[list(wanted)] = list(wanted.values())
        return found

    def holds(self, y: I32, wanted: Wanted) -> bool:
        return all(y[i] == k for i, k in wanted.items())

    def where(self, part: Part) -> str:
        return self.words[part.token]
