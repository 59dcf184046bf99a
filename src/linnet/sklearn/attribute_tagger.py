"""This tagger knows tokens as dicts or lists of attributes. A function may make these, so it is no model for a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from linnet.core.blocks import Block
from linnet.core.predictor import Predictor
from linnet.features import SparseRows
from linnet.features.attributes import AttributeFeatures
from linnet.learners import Examples, learner
from linnet.learners.preset import Weights
from linnet.structures.chain import Chain

NO_MODEL = (
    "tokens that are attributes have no model: a file could not say how attributes are made of words. Pass words and "
    "templates: features='w[-1..1] suffix:1-3', for instance."
)
Ints = npt.NDArray[np.int32]


@dataclass(frozen=True)
class AttributeTagger:
    """This tagger has weights of attributes and of pairs of tags, and answers about sentences in the numbers of tags."""

    features: AttributeFeatures
    weights: Sequence[Weights]
    learner: str
    options: Mapping[str, Any]
    n_tags: int

    def numbers(self, X: Sequence[Any]) -> Ints:
        """Give the numbers of the tags of all tokens, one after the other."""
        y_hat: Ints = self._predictor().argmax(self._blocks(X))[0]
        return y_hat

    def marginals(self, X: Sequence[Any]) -> npt.NDArray[np.float32]:
        """Give the probability of each tag at each token: a row for each token."""
        p: npt.NDArray[np.float32] = self._predictor().marginals(self._blocks(X))[0]
        return p

    def _blocks(self, X: Sequence[Any]) -> tuple[Block, Block]:
        return blocks_of(self.features.transform(X), starts_of(X))

    def _predictor(self) -> Predictor:
        return Predictor(Chain(self.n_tags), learner(self.learner).scorer(self.weights, self.options))


def examples_of(rows: SparseRows, starts: npt.NDArray[np.int64], y: Ints) -> Examples:
    return Examples(blocks_of(rows, starts), y, starts)


def blocks_of(rows: SparseRows, starts: npt.NDArray[np.int64]) -> tuple[Block, Block]:
    """Make the block of emissions, and that of transitions with the same weights at every token."""
    n = len(starts) - 1
    return Block(*rows, starts), Block(np.zeros(n + 1, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32))


def starts_of(X: Sequence[Any]) -> npt.NDArray[np.int64]:
    """Give the number of the token where each sentence starts, followed by the number of all tokens."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum([len(sentence) for sentence in X], dtype=np.int64)])
