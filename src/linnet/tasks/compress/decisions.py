"""Compressions as decisions: each token can be kept or dropped. The other tokens are then decided anew to suit that."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from linnet.core.blocks import Block
from linnet.core.predictor import Predictor
from linnet.core.types import I32, Data, Output
from linnet.explain.differences import Part, Scored, Use, weights_of
from linnet.tasks.compress.why import neighbours, shown_word
from linnet.tasks.sentences.token_decisions import TokenDecisions


class CompressionDecisions(TokenDecisions):
    """The tokens of one sentence, each of which is kept or dropped."""

    def __init__(
        self,
        x: Data,
        words: Sequence[str],
        blocks: tuple[Block, ...],
        names: Sequence[Callable[[int], str]],
        predictor: Predictor[Any],
        labels: Sequence[str],
    ) -> None:
        super().__init__(x, words, blocks, predictor, labels)
        self.scored = Scored(blocks, names, weights_of(predictor))
        pairs = zip(*(side.tolist() for side in predictor.gen.pairs(len(words))), strict=True)
        self.places = {pair: place for place, pair in enumerate(pairs)}

    def written(self, y: I32) -> Output:
        return y.tolist()

    def differences(self, y: I32, other: I32) -> Iterable[Part]:
        return self.scored.differences(self._uses(y.tolist()), self._uses(other.tolist()))

    def _uses(self, y: Sequence[int]) -> Iterator[Use]:
        """The outcomes in both blocks that a compression has, as mu(y) counts them."""
        reach = self.predictor.gen.reach
        for t, k in enumerate(y):
            yield Use(0, t, k, t, "")
        for i, j in sorted(neighbours(y)):
            pair = f"{shown_word(self.words, i)} _ {shown_word(self.words, j)}"
            yield Use(1, self.places[i if j - i <= reach else -1, j], 0, min(max(j - 1, 0), len(y) - 1), pair)
