"""A support vector machine over features that count as much as naive Bayes believes in them (Wang and Manning 2012).

    f_j   = s (sum_k P(k | j) |r_jk|)^power         r_jk the log-count ratio of feature j and label k (core/sparse.pyx)
    w_j  := f_j v_j,    v the machine that learns from x_j f_j

which is a machine with a prior of its own for each weight: 1/2 sum_j (w_j / f_j)^2 + C sum_i loss_i. With two labels and
power 1 it is theirs; the square root (0.5) is better where labels are many or rare. s keeps the mean of ||x||^2, so that C
means what it means for `svm`. In the end it is a linear model as any other, for f is in w.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

import linnet.core.sparse as sparse
from linnet.core.batch import dot
from linnet.core.form import Block
from linnet.core.used import used
from linnet.errors import UsageError
from linnet.learners import svm
from linnet.learners.dual import by_outcome
from linnet.learners.preset import Option, Options, Preset, Weights

# In a checkpoint.
_F = "f"


class Scaled:
    """A Core that learns v from X diag(f) with another, and gives w = f v. What is not here is that of the other."""

    def __init__(self, core: Any, power: float, gen: Any, n_features: int) -> None:
        self._core = core
        self._power = power
        self._gen = gen
        self._shape = (gen.outcomes[0], n_features)
        self._f: Weights | None = None
        self._given: tuple[Block, ...] = ()
        self._scaled: tuple[Block, ...] = ()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._core, name)

    @property
    def seed(self) -> int:
        return int(self._core.seed)

    @seed.setter
    def seed(self, seed: int) -> None:
        self._core.seed = seed

    def run(self, blocks: Any, y: Any, y_at: Any, order: npt.NDArray[np.int64], weight: Any = None) -> None:
        self._core.run(self._blocks(blocks, y, y_at, weight), y, y_at, order, weight)

    def left(self, blocks: Any, y: Any, y_at: Any, weight: Any, tol: float) -> float | None:
        gap: float | None = self._core.left(self._blocks(blocks, y, y_at, weight), y, y_at, weight, tol)
        return gap

    def held_out(self, blocks: Any, y: Any, y_at: Any, weight: Any, fold: Any, tol: float) -> Weights:
        """With the factors that there are, which all examples have had a part in."""
        scores: Weights = self._core.held_out(self._blocks(blocks, y, y_at, weight), y, y_at, weight, fold, tol)
        return scores

    def last(self) -> list[Weights]:
        return self._folded(self._core.last())

    def settle(self, averaged: bool) -> list[Weights]:
        return self._folded(self._core.settle(averaged))

    def state(self) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
        arrays, numbers = self._core.state()
        return arrays | ({} if self._f is None else {_F: self._f[None]}), numbers

    def restore(self, arrays: dict[str, npt.NDArray[Any]], numbers: dict[str, Any]) -> None:
        self._f = np.array(arrays[_F])[0] if _F in arrays else None
        self._core.restore({name: array for name, array in arrays.items() if name != _F}, numbers)

    def _blocks(self, blocks: tuple[Block, ...], y: Any, y_at: Any, weight: Any) -> tuple[Block, ...]:
        if blocks is not self._given:
            indptr, indices, values, _ = map(_array, blocks[0].arrays())
            if self._f is None:
                self._f = self._factors(indptr, indices, values, used(self._gen, y, y_at), weight)
            self._scaled = (Block(indptr, indices, sparse.scaled(indices, values, self._f)),)
            self._given = blocks
        return self._scaled

    def _factors(self, indptr: Any, indices: Any, values: Any, labels: tuple[Any, Any], weight: Any) -> Weights:
        f = (sparse.strength(indptr, indices, values, *labels, *self._shape, weight) ** self._power).astype(np.float32)
        x = sparse.scaled(indices, values, f)
        length2, scaled = dot(values, values), dot(x, x)
        return f * np.float32((length2 / scaled) ** 0.5) if scaled > 0 else np.ones_like(f)

    def _folded(self, weights: list[Weights]) -> list[Weights]:
        if self._f is not None:
            weights[0][1:] *= self._f[:, None]
        return weights


def _array(part: Any) -> Any:
    return None if part is None else np.asarray(part)


def _solver(options: Options) -> Any:
    machine: Any = svm.PRESET.solver(options)

    def make(preset: Preset, options: Options, gen: Any, n_features: tuple[int, ...]) -> Scaled:
        if not by_outcome(gen):
            raise UsageError(
                f"learner {preset.name!r} learns each outcome by itself, and those of structure {gen.name!r} depend on each "
                f"other. Use {'svm' if gen.has_scores else 'pegasos'!r}."
            )
        return Scaled(machine(preset, options, gen, n_features), options["power"], gen, *n_features)

    return make


PRESET = Preset(
    name="nb-svm",
    summary="support vector machine over features that count as much as naive Bayes believes in them; labels, sets, trees",
    loss=svm.PRESET.loss,
    step=svm.PRESET.step,
    options={
        **svm.PRESET.options,
        "power": Option(0.5, "of the log-count ratio: 1 as Wang and Manning have it, 0 is svm", least=0, most=4),
    },
    needs_all=True,
    solver=_solver,
)
