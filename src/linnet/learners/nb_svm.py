"""A support vector machine over features that count as much as naive Bayes believes in them (Wang and Manning 2012).

    f_j   = s (sum_k P(k | j) |r_jk|)^power         r_jk the log-count ratio of feature j and outcome k (core/sparse.pyx)
    w_j  := f_j v_j,    v the machine that learns from x_j f_j

which is a machine with a prior of its own for each weight: 1/2 sum_j (w_j / f_j)^2 + C sum_i loss_i. With two labels and
power 1 it is theirs; the square root (0.5) is better where labels are many or rare. s keeps the mean of ||x||^2, so that C
means what it means for `svm`. In the end it is a linear model as any other, for f is in w. Each block of a
structure has factors of its own: what is counted are places that use an outcome, and places that do not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

import linnet.core.sparse as sparse
from linnet.core.blocks import Block
from linnet.core.form import Loss, Structure
from linnet.core.long_arrays import copied, members, pieces
from linnet.core.loops.scaled import scaled_block
from linnet.core.loops.used_outcomes import used
from linnet.core.types import F32, I32, I64, Arrays, Integers, Json, State
from linnet.learners import svm
from linnet.learners.preset import Make, Option, Options, Preset, Weights

if TYPE_CHECKING:
    from linnet.core.loops.dual import Dual

# The name of the factors f in a checkpoint.
_F = "f"


class Scaled:
    """A Core that learns v from X diag(f) with another Core, and gives w = f v. All else is passed on to the other."""

    def __init__(self, core: Dual, power: float, gen: Structure, n_features: tuple[int, ...]) -> None:
        self._core = core
        self._power = power
        self._gen = gen
        self._n = n_features
        self._factors_by_block: list[Weights] = []
        """f of each block, a factor for each feature; [] before the first examples are seen."""
        self._unscaled: tuple[Block, ...] = ()
        self._scaled: tuple[Block, ...] = ()
        """The blocks that were scaled last, and what they became: every pass is over the same blocks."""

    @property
    def seed(self) -> int:
        return self._core.seed

    @seed.setter
    def seed(self, seed: int) -> None:
        self._core.seed = seed

    @property
    def loss(self) -> Loss:
        """The loss that the other Core makes small."""
        return self._core.loss

    @property
    def bias(self) -> bool:
        return bool(self._core.bias)

    @bias.setter
    def bias(self, bias: bool) -> None:
        self._core.bias = bias

    @property
    def shuffled(self) -> bool:
        return bool(self._core.shuffled)

    @property
    def support(self) -> int | None:
        support: int | None = self._core.support
        return support

    @property
    def t(self) -> int:
        return int(self._core.t)

    @property
    def total(self) -> float:
        return float(self._core.total)

    @property
    def updates(self) -> int:
        return int(self._core.updates)

    @property
    def mistakes(self) -> int | None:
        mistakes: int | None = self._core.mistakes
        return mistakes

    @property
    def last_loss(self) -> float:
        return float(self._core.last_loss)

    @property
    def last_tau(self) -> float:
        return float(self._core.last_tau)

    def slopes(self) -> list[Weights]:
        slopes: list[Weights] = self._core.slopes()
        return slopes

    def begin(self) -> None:
        self._core.begin()

    def end(self) -> None:
        self._core.end()

    def sample(self) -> list[Weights]:
        sample: list[Weights] = self._core.sample()
        return sample

    def moved(self, since: list[Weights]) -> tuple[float, float]:
        moved: tuple[float, float] = self._core.moved(since)
        return moved

    def grow(self, n_features: tuple[int, ...]) -> None:
        self._core.grow(n_features)

    def run(self, blocks: tuple[Block, ...], y: I32, y_at: I64, order: I64, weight: F32 | None = None) -> None:
        self._core.run(self._scaled_blocks(blocks, y, y_at, weight), y, y_at, order, weight)

    def left(self, blocks: tuple[Block, ...], y: I32, y_at: I64, weight: F32 | None, tol: float) -> float | None:
        return self._core.left(self._scaled_blocks(blocks, y, y_at, weight), y, y_at, weight, tol)

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
            return self._core.held_out(self._scaled_blocks(blocks, y, y_at, weight), y, y_at, weight, fold, tol)
        home = blocks[0]
        arrays, numbers = self._core.state()
        kept = {name: copied(array, home) for name, array in arrays.items()}
        held = members(fold, lambda some: some >= 0)
        scores = np.zeros((len(held), self._gen.outcomes[0]), np.float32)
        others, this = home.kept(len(fold), np.float32), home.kept(len(fold), np.int8)
        try:
            for k in np.unique(fold[held]):
                for piece in pieces(len(fold)):
                    is_held = fold[piece] == k
                    others[piece] = np.where(is_held, 0, 1 if weight is None else weight[piece])
                    this[piece] = is_held - np.int8(1)
                    home.give_back()
                scaled = tuple(map(scaled_block, blocks, self._factors(blocks, y, y_at, others)))
                self._core.add_up(scaled)
                scores[fold[held] == k] = self._core.held_out(scaled, y, y_at, weight, this, tol)
                self._core.restore(kept, numbers)
        finally:
            self._core.restore(kept, numbers)
        return scores

    def support_vectors(self, blocks: tuple[Block, ...]) -> tuple[I64, Weights]:
        """The support vectors of the machine, w = sum_i alpha_i f^2 x_i, as all factors are in w twice."""
        found: tuple[I64, Weights] = self._core.support_vectors(self._scaled or blocks)
        return found

    def last(self) -> list[Weights]:
        return self._folded(self._core.last())

    def average(self) -> list[Weights]:
        return self._folded(self._core.average())

    def settle(self, averaged: bool) -> list[Weights]:
        return self._folded(self._core.settle(averaged))

    def state(self) -> State:
        arrays, numbers = self._core.state()
        return arrays | {f"{_F}{g}": f[None] for g, f in enumerate(self._factors_by_block)}, numbers

    def restore(self, arrays: Arrays, numbers: Mapping[str, Json]) -> None:
        names = [name for g in range(len(self._n)) if (name := f"{_F}{g}") in arrays]
        self._factors_by_block = [np.array(arrays[name])[0] for name in names]
        self._core.restore({name: array for name, array in arrays.items() if name not in names}, numbers)

    def _scaled_blocks(self, blocks: tuple[Block, ...], y: I32, y_at: I64, weight: F32 | None) -> tuple[Block, ...]:
        if blocks is not self._unscaled:
            if not self._factors_by_block:
                self._factors_by_block = self._factors(blocks, y, y_at, weight)
            self._scaled = tuple(map(scaled_block, blocks, self._factors_by_block))
            self._unscaled = blocks
        return self._scaled

    def _factors(self, blocks: tuple[Block, ...], y: I32, y_at: I64, weight: F32 | None) -> list[Weights]:
        each = zip(blocks, used(self._gen, blocks, y, y_at), self._gen.outcomes, self._n, strict=True)
        return [self._factors_of_block(*block, weight) for block in each]

    def _factors_of_block(
        self, block: Block, uses: tuple[I64, I64], n_outcomes: int, n: int, weight: F32 | None
    ) -> Weights:
        of_places = None if weight is None else block.of_places(weight)
        strength = sparse.strength(block, *uses, n_outcomes, n, of_places)
        f = (strength**self._power).astype(np.float32)
        length2, scaled = sparse.squares(block, f)
        return f * np.float32((length2 / scaled) ** 0.5) if scaled > 0 else np.ones_like(f)

    def _folded(self, weights: list[Weights]) -> list[Weights]:
        """w = f v, in place; row 0, the bias, has no factor."""
        for w, f in zip(weights, self._factors_by_block, strict=False):
            w[1:] *= f[:, None]
        return weights


def _solver(options: Options) -> Make:
    def make(preset: Preset, options: Options, gen: Structure, n_features: tuple[int, ...]) -> Scaled:
        return Scaled(svm.in_dual(preset, options, gen, n_features), options["power"], gen, n_features)

    return make


PRESET = Preset(
    name="nb-svm",
    summary="support vector machine over features that count as much as naive Bayes believes in them",
    loss=svm.PRESET.loss,
    step=svm.PRESET.step,
    options={
        **svm.PRESET.options,
        "power": Option(0.5, "of the log-count ratio: 1 as Wang and Manning have it, 0 is svm", least=0, most=4),
    },
    needs_all=True,
    solver=_solver,
    supported=svm.PRESET.supported,
)
