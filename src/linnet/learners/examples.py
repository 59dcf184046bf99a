"""Examples to learn from: blocks of features with their gold outputs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from linnet.core.blocks import Block
from linnet.core.form import Structure
from linnet.core.predictor import Predictor
from linnet.core.scorer import Scorer
from linnet.features import SparseRows


@dataclass(frozen=True)
class Examples:
    """Examples with their features and gold outputs, as arrays over all of them."""

    blocks: tuple[Block, ...]
    """The features: for each block of the structure the rows of all examples."""
    y: npt.NDArray[np.int32]
    """The gold outputs of all examples, one after the other, in the integers that the structure has for them."""
    y_at: npt.NDArray[np.int64]
    """Where the output of each example begins in y, and where the last one ends: example i has y[y_at[i]:y_at[i + 1]]."""
    weight: npt.NDArray[np.float32] | None = None
    """How much each example counts; None where all count 1."""

    def __len__(self) -> int:
        return len(self.y_at) - 1

    @classmethod
    def labelled(
        cls, rows: SparseRows, y: npt.NDArray[np.int32], weight: npt.NDArray[np.float32] | None = None
    ) -> Examples:
        """Examples with one place and one label each."""
        return cls((Block(*rows),), y, np.arange(len(y) + 1, dtype=np.int64), weight)

    def total_weight(self) -> float:
        """The sum of the weights of all examples: their number, where none has a weight."""
        return float(len(self)) if self.weight is None else float(self.weight.sum(dtype=np.float64))

    def length2(self) -> float:
        """The median of ||x||^2 over all places of the first block, with the bias counted."""
        return float(self.blocks[0].length2())


def accuracy(gen: Structure, scorer: Scorer, examples: Examples) -> float:
    """The share of predictions that are right, as the structure measures it."""
    return gen.accuracy(examples.y, examples.y_at, *Predictor(gen, scorer).argmax(examples.blocks))
