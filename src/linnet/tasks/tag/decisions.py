"""Tags as decisions: each token can be given another tag. The other tags are then predicted anew to suit that."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from linnet.core.blocks import Block
from linnet.core.predictor import Predictor
from linnet.core.types import I32, Data, Output
from linnet.explain.differences import Part
from linnet.model.decisions import Clamped, Decision, Wanted, free
from linnet.tasks.tag.why import Named, ScoredTags


class TagDecisions(Clamped):
    """The tags of one sentence."""

    def __init__(
        self,
        x: Data,
        words: Sequence[str],
        blocks: tuple[Block, ...],
        features: Named,
        predictor: Predictor[Any],
        labels: Sequence[str],
        spelled: Callable[[I32], Sequence[str]],
    ) -> None:
        """spelled: a function that writes tags as the training data had them."""
        super().__init__(x, predictor, blocks)
        self.words, self.labels, self.spelled = words, tuple(labels), spelled
        self.scored = ScoredTags(blocks, features, predictor, labels)

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
        return all(y[i] == k for i, k in wanted.items()) and bool(self.predictor.gen.allows(y))

    def written(self, y: I32) -> Output:
        return list(self.spelled(y))

    def differences(self, y: I32, other: I32) -> Iterable[Part]:
        return self.scored.differences(self.scored.uses(y.tolist()), self.scored.uses(other.tolist()))

    def where(self, part: Part) -> str:
        return self.words[part.token]
