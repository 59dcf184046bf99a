"""Tags as decisions: each token can be given another tag. The other tags are then predicted anew to suit that."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from linnet.core.blocks import Block
from linnet.core.predictor import Predictor
from linnet.core.types import I32, Data, Output
from linnet.explain.differences import Part
from linnet.model.decisions import Wanted
from linnet.tasks.sentences.token_decisions import TokenDecisions
from linnet.tasks.tag.why import Named, ScoredTags


class TagDecisions(TokenDecisions):
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
        super().__init__(x, words, blocks, predictor, labels)
        self.spelled = spelled
        self.scored = ScoredTags(blocks, features, predictor, labels)

    def holds(self, y: I32, wanted: Wanted) -> bool:
        return super().holds(y, wanted) and bool(self.predictor.gen.allows(y))

    def written(self, y: I32) -> Output:
        return list(self.spelled(y))

    def differences(self, y: I32, other: I32) -> Iterable[Part]:
        return self.scored.differences(self.scored.uses(y.tolist()), self.scored.uses(other.tolist()))
