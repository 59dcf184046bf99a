"""Learning from all examples at once: each epoch is one evaluation of the objective and its gradient, by L-BFGS.

    F(w) = 1/n sum_i weight_i loss_i(w) + lam/2 ||w||^2 + l1 ||w||_1

lam and l1 are per example, as in stochastic gradients: CRFsuite's c2 is lam n / 2 and its c1 is l1 n; LIBLINEAR's and
scikit-learn's C is 1 / (lam n). The bias is a feature and is regularised like the others.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import dataclass

import numpy as np

from linnet.core.blocks import Block
from linnet.core.form import Structure
from linnet.core.loops.batch import Batch, add, dot
from linnet.core.types import F32, I32, I64, Array, Arrays, Json, State
from linnet.core.weights import stride_of
from linnet.learners.lbfgs import Lbfgs
from linnet.learners.passes import Passes
from linnet.learners.preset import Options, Preset, Weights
from linnet.learners.state import same_shapes

# Examples at even and at odd places of the order are summed apart, each by a thread of its own. There are always two
# sums, so that the result does not depend on whether the threads run at the same time.
_PARTS = 2
# The numbers of `_Done` that a state of learning has.
_NUMBERS = ("t", "total", "updates", "change", "size")


@dataclass(frozen=True)
class _Done:
    """The result of all passes so far, in one object, since Ctrl-C may come at any moment."""

    lbfgs: Lbfgs
    t: int = 0
    """The number of examples seen."""
    total: float = 0.0
    """The sum of the losses in the last pass."""
    updates: int = 0
    change: float = 0.0
    """||w - w'||, where w' are the weights before the last pass."""
    size: float = 0.0
    """The length of the weights, ||w||."""


class Gradients(Passes):
    """The Core of learners by L-BFGS: a pass adds up the objective and its gradient over all examples, and its end tells them
    to the optimiser."""

    _done: _Done

    def __init__(self, preset: Preset, options: Options, gen: Structure, n_features: tuple[int, ...]) -> None:
        shapes = [(n + 1, stride_of(k)) for n, k in zip(n_features, gen.outcomes, strict=True)]
        self.lam = float(options["lam"])
        self._shapes = shapes
        self._each = range(len(shapes))
        self._weights = [np.zeros(shape, np.float32) for shape in shapes]
        self._parts = [
            Batch(gen, preset.loss_over(gen, options), self._weights, [np.zeros(shape) for shape in shapes])
            for _ in range(_PARTS)
        ]
        size = sum(rows * stride for rows, stride in shapes)
        self._done = _Done(Lbfgs(np.zeros(size, np.float32), float(options["l1"])))
        self._seen = 0

    def begin(self) -> None:
        """Begin a new pass, at the weights where the optimiser wants to look."""
        for part in self._parts:
            part.bias = self.bias
            part.total = 0.0
            for slopes in part.gradient:
                slopes[:] = 0
        for block, trial in zip(self._weights, self._blocks(self._done.lbfgs.trial), strict=True):
            block[:] = trial
        self._seen = 0

    def run(self, blocks: tuple[Block, ...], y: I32, y_at: I64, order: I64, weight: F32 | None = None) -> None:
        """Add up the examples of this piece."""
        pieces = [np.ascontiguousarray(order[(k - self._seen) % _PARTS :: _PARTS]) for k in range(_PARTS)]
        with ThreadPoolExecutor(_PARTS) as pool:
            done = [
                pool.submit(part.run, blocks, y, y_at, piece, weight)
                for part, piece in zip(self._parts, pieces, strict=True)
            ]
        for part in done:
            part.result()
        self._seen += len(order)

    def end(self) -> None:
        """End a pass: tell the optimiser the value and the gradient."""
        total = sum(part.total for part in self._parts)
        before = self._done.lbfgs
        gradient = np.empty_like(before.trial)
        for g, block in enumerate(self._blocks(gradient)):
            first, second = (part.gradient[g] for part in self._parts)
            first += second
            np.multiply(first, 1 / self._seen, out=block, casting="same_kind")
        add(gradient, before.trial, self.lam)
        value = total / self._seen + self.lam / 2 * dot(before.trial, before.trial)
        lbfgs = copy(before)
        is_better = lbfgs.tell(value, gradient)
        length2 = dot(lbfgs.w, lbfgs.w)
        change2 = length2 - 2 * dot(lbfgs.w, before.w) + dot(before.w, before.w)
        self._done = _Done(
            lbfgs,
            self._done.t + self._seen,
            total,
            int(is_better),
            math.sqrt(max(change2, 0)),
            math.sqrt(length2),
        )

    def _blocks(self, vector: Array) -> list[Array]:
        """The parts of the vector of all weights that belong to each block, as tables of rows."""
        cuts = np.cumsum([rows * stride for rows, stride in self._shapes])[:-1]
        return [part.reshape(shape) for part, shape in zip(np.split(vector, cuts), self._shapes, strict=True)]

    def last(self) -> list[Weights]:
        """The best weights so far, one array per block."""
        return [block.copy() for block in self._blocks(self._done.lbfgs.w)]

    def settle(self, averaged: bool) -> list[Weights]:
        """The best weights so far. Nothing else is kept, so that nothing can be learned afterwards."""
        w = self._done.lbfgs.w
        del self._done, self._parts, self._weights
        return self._blocks(w)

    def left(self, *examples: object) -> float:
        """The length of the gradient, relative to that at the start."""
        return float(self._done.lbfgs.gap)

    def state(self) -> State:
        """The state needed to go on exactly: arrays by name, one for each block, and numbers by name."""
        vectors, numbers = self._done.lbfgs.state()
        vectors["v"] = vectors.pop("w")
        arrays = {f"{name}{g}": block for name, u in vectors.items() for g, block in enumerate(self._blocks(u))}
        return arrays, numbers | {"seed": self.seed, **{name: getattr(self._done, name) for name in _NUMBERS}}

    def restore(self, arrays: Arrays, numbers: Mapping[str, Json]) -> None:
        """Go on from `state()`."""
        names = [name[:-1] for name in arrays if name[-1] == "0"]
        for name in names:
            same_shapes(
                {f"v{g}": arrays[f"{name}{g}"] for g in self._each},
                {f"v{g}": part for g, part in enumerate(self.last())},
            )
        vectors = {name: np.concatenate([np.ravel(arrays[f"{name}{g}"]) for g in self._each]) for name in names}
        vectors["w"] = vectors.pop("v")
        lbfgs = copy(self._done.lbfgs)
        lbfgs.restore(vectors, numbers)
        self._done = _Done(lbfgs, **{name: numbers[name] for name in _NUMBERS})
        self.seed = numbers["seed"]
