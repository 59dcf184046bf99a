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
    """Blocks of features with their gold outputs: y[y_at[i]:y_at[i + 1]] is that of example i."""

    blocks: tuple[Block, ...]
    y: npt.NDArray[np.int32]
    y_at: npt.NDArray[np.int64]
    weight: npt.NDArray[np.float32] | None = None

    def __len__(self) -> int:
        return len(self.y_at) - 1

    @classmethod
    def labelled(
        cls, rows: SparseRows, y: npt.NDArray[np.int32], weight: npt.NDArray[np.float32] | None = None
    ) -> Examples:
        """Examples with one place and one label each."""
        return cls((Block(*rows),), y, np.arange(len(y) + 1, dtype=np.int64), weight)

    def total_weight(self) -> float:
        return float(len(self)) if self.weight is None else float(self.weight.sum(dtype=np.float64))

    def length2(self) -> float:
        """The median of ||x||^2 over all places of the first block, with the bias counted."""
        return float(self.blocks[0].length2())


def accuracy(gen: Structure, scorer: Scorer, examples: Examples) -> float:
    """The share of predictions that are right, as the structure measures it."""
    return gen.accuracy(examples.y, examples.y_at, *Predictor(gen, scorer).argmax(examples.blocks))
