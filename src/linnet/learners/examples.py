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

    def followed_by(self, others: Examples) -> Examples:
        """These examples, followed by those of the others that have at least one feature. All must have one place and
        one label each."""
        indptr = np.asarray(others.blocks[0].arrays()[0])
        stays = np.flatnonzero(np.diff(indptr))
        return Examples(
            tuple(_joined(mine, theirs, stays) for mine, theirs in zip(self.blocks, others.blocks, strict=True)),
            np.concatenate([self.y, others.y[stays]]),
            np.arange(len(self) + len(stays) + 1),
            np.concatenate([self._weights(), others._weights()[stays]]),
        )

    def _weights(self) -> npt.NDArray[np.float32]:
        return np.ones(len(self), np.float32) if self.weight is None else self.weight

    def total_weight(self) -> float:
        """The sum of the weights of all examples: their number, where none has a weight."""
        return float(len(self)) if self.weight is None else float(self.weight.sum(dtype=np.float64))

    def length2(self) -> float:
        """The median of ||x||^2 over all places of the first block, with the bias counted."""
        return float(self.blocks[0].length2())


def _joined(mine: Block, theirs: Block, stays: npt.NDArray[np.int64]) -> Block:
    """The rows of one block, followed by the rows of another that have the numbers `stays`."""
    indptr, indices, values = (np.asarray(part) for part in mine.arrays()[:3])
    others = SparseRows(*(np.asarray(part) for part in theirs.arrays()[:3]))
    size = np.diff(others.indptr)[stays]
    ends = np.cumsum(size)
    # For each entry of the rows to be added, where it is among the entries of `others`: each row begins at its indptr,
    # which is repeated for all its entries, and np.arange counts on from there.
    chosen = np.repeat(others.indptr[:-1][stays] - ends + size, size) + np.arange(ends[-1] if len(ends) else 0)
    return Block(
        np.concatenate([indptr, indptr[-1] + ends]),
        np.concatenate([indices, others.indices[chosen]]),
        np.concatenate([values, others.values[chosen]]),
    )


def accuracy(gen: Structure, scorer: Scorer, examples: Examples) -> float:
    """The share of predictions that are right, as the structure measures it."""
    return gen.accuracy(examples.y, examples.y_at, *Predictor(gen, scorer).argmax(examples.blocks))
