"""Learning from features that are multiplied by factors, each as much as naive Bayes believes in it (nb_svm.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import linnet.core.sparse as sparse
from linnet.core.blocks import Block
from linnet.core.form import Structure
from linnet.core.long_arrays import copied, members, pieces
from linnet.core.loops.scaled import scaled_block
from linnet.core.loops.used_outcomes import used
from linnet.core.types import F32, I32, I64, Arrays, Bools, Integers, Json, State
from linnet.features.fields import VECTOR, Fields
from linnet.learners.around import Around, InDual
from linnet.learners.preset import Weights

# The name of the factors f in a checkpoint.
_F = "f"


class Scaled(Around):
    """A Core that learns v from X diag(f) with the Core inside, and gives w = f v."""

    def __init__(self, core: InDual, power: float, gen: Structure, n_features: tuple[int, ...]) -> None:
        super().__init__(core)
        self._power = power
        self._gen = gen
        self._n = n_features
        self.fields: Sequence[Fields | None] = ()
        """For each block the fields of its features, or None; () where none have any."""
        self._factors_by_block: list[Weights] = []
        """f of each block, a factor for each feature; [] before the first examples are seen."""
        self._unscaled: tuple[Block, ...] = ()
        self._scaled: tuple[Block, ...] = ()
        """The blocks that were scaled last, and what they became: every pass is over the same blocks."""
        self._scaled_by: list[Weights] = []
        """The factors that they were scaled by."""

    def around(self, core: Any) -> Scaled:
        """A Core with the same factors that learns with another Core, which may learn from shards, without a step for each
        example."""
        return Scaled(core, self._power, self._gen, self._n)

    def run(self, blocks: tuple[Block, ...], y: I32, y_at: I64, order: I64, weight: F32 | None = None) -> None:
        super().run(self._scaled_blocks(blocks, y, y_at, weight), y, y_at, order, weight)

    def left(self, blocks: tuple[Block, ...], y: I32, y_at: I64, weight: F32 | None, tol: float) -> float | None:
        return super().left(self._scaled_blocks(blocks, y, y_at, weight), y, y_at, weight, tol)

    def held_out(
        self,
        blocks: tuple[Block, ...],
        y: I32,
        y_at: I64,
        weight: F32 | None,
        fold: Integers,
        tol: float,
        exact: bool = True,
    ) -> Weights:
        """The scores of the held-out examples as if their fold had not been learned from by the machine. If they are to be
        `exact`, the factors f have not seen it either: they are counted again for each fold without its examples."""
        if not exact:
            return super().held_out(self._scaled_blocks(blocks, y, y_at, weight), y, y_at, weight, fold, tol)
        home = blocks[0]
        arrays, numbers = self.core.state()
        kept = {name: copied(array, home) for name, array in arrays.items()}
        held = members(fold, lambda some: some >= 0)
        scores = np.zeros((len(held), self._gen.outcomes[0]), np.float32)
        others, this = home.kept(len(fold), np.float32), home.kept(len(fold), np.int8)
        try:
            for k in np.flatnonzero(np.bincount(fold[held])):
                for piece in pieces(len(fold)):
                    is_held = fold[piece] == k
                    others[piece] = np.where(is_held, 0, 1 if weight is None else weight[piece])
                    this[piece] = is_held - np.int8(1)  # 0 for the examples of this fold, -1 for all others
                    home.give_back()
                scaled = self._scale(blocks, self._factors(blocks, y, y_at, others))
                self.core.add_up(scaled)
                scores[fold[held] == k] = self.core.held_out(scaled, y, y_at, weight, this, tol)
                self.core.restore(kept, numbers)
        finally:
            self.core.restore(kept, numbers)
        return scores

    def support_vectors(self, blocks: tuple[Block, ...]) -> tuple[I64, Weights]:
        """The support vectors of the machine: w = sum_i alpha_i f^2 x_i, since v is a sum of f x_i, and w = f v."""
        return super().support_vectors(self._scaled or blocks)

    def last(self) -> list[Weights]:
        return self._folded(super().last())

    def average(self) -> list[Weights]:
        return self._folded(super().average())

    def settle(self, averaged: bool) -> list[Weights]:
        return self._folded(super().settle(averaged))

    def state(self) -> State:
        arrays, numbers = super().state()
        return arrays | {f"{_F}{g}": f[None] for g, f in enumerate(self._factors_by_block)}, numbers

    def restore(self, arrays: Arrays, numbers: Mapping[str, Json]) -> None:
        names = [name for g in range(len(self._n)) if (name := f"{_F}{g}") in arrays]
        self._factors_by_block = [np.array(arrays[name])[0] for name in names]
        super().restore({name: array for name, array in arrays.items() if name not in names}, numbers)

    def _scaled_blocks(self, blocks: tuple[Block, ...], y: I32, y_at: I64, weight: F32 | None) -> tuple[Block, ...]:
        if not self._factors_by_block:
            self._factors_by_block = self._factors(blocks, y, y_at, weight)
        if blocks is not self._unscaled or self._scaled_by is not self._factors_by_block:
            self._scale(blocks, self._factors_by_block)
        return self._scaled

    def _scale(self, blocks: tuple[Block, ...], factors: list[Weights]) -> tuple[Block, ...]:
        """Scale blocks by factors, and remember the result. If the same blocks were scaled the last time, that result
        is overwritten, so that no further memory is taken."""
        over: Sequence[Block | None] = self._scaled if blocks is self._unscaled else [None] * len(blocks)
        each = zip(blocks, factors, over, strict=True)
        self._scaled = tuple(scaled_block(block, f, over=before) for block, f, before in each)
        self._unscaled, self._scaled_by = blocks, factors
        return self._scaled

    def _factors(self, blocks: tuple[Block, ...], y: I32, y_at: I64, weight: F32 | None) -> list[Weights]:
        fields = self.fields or [None] * len(blocks)
        each = zip(blocks, used(self._gen, blocks, y, y_at), self._gen.outcomes, self._n, fields, strict=True)
        return [self._factors_of_block(*block, weight) for block in each]

    def _factors_of_block(
        self,
        block: Block,
        uses: tuple[I64, I64],
        n_outcomes: int,
        n: int,
        fields: Fields | None,
        weight: F32 | None,
    ) -> Weights:
        """The factor of each feature. The numbers of a vector, which all texts have, keep their values."""
        of_places = None if weight is None else block.of_places(weight)
        is_vector = None if fields is None or VECTOR not in fields else fields == VECTOR
        if is_vector is not None:
            block = _without(block, is_vector)
        strength = sparse.strength(block, *uses, n_outcomes, n, of_places)
        f = (strength**self._power).astype(np.float32)
        length2, scaled = sparse.squares(block, f)
        f = f * np.float32((length2 / scaled) ** 0.5) if scaled > 0 else np.ones_like(f)
        return f if is_vector is None else np.where(is_vector, np.float32(1), f)

    def _folded(self, weights: list[Weights]) -> list[Weights]:
        """w = f v, in place; row 0, the bias, has no factor."""
        for w, f in zip(weights, self._factors_by_block, strict=False):
            w[1:] *= f[:, None]
        return weights


def _without(block: Block, left_out: Bools) -> Block:
    """The block without the features that are left out; the block itself where it has none of them."""
    indptr, indices, values, starts = (None if part is None else np.asarray(part) for part in block.arrays())
    assert indptr is not None
    stays = ~left_out[indices]
    if stays.all():
        return block
    ends = np.concatenate([np.zeros(1, np.int64), np.cumsum(stays)])[indptr]
    return Block(ends, indices[stays], values[stays], starts)  # type: ignore[index]
