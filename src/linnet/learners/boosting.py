"""Boosting: the exponential loss by one coordinate or all (Smith, "Boosting and Exp Loss"; Schapire and Singer 1999; Collins,
Schapire and Singer 2002).

    stumps       sum_(i, l) exp(-Y_il theta_il), Y_il = 1 for the right label and -1 for all others: AdaBoost.MH. A round
                 adds the stump that lowers it most: does x have the feature j? With and without it, each label gets a vote
                 1/2 ln(up / down); folded into weights, w_jl += with - without and bias_l += without. Over other structures
                 the loss is that of their yes-or-no questions, and each round adds a stump of one block
    coordinate   sum_i sum_(y != y_i) exp(w.f(x_i, y) - w.f(x_i, y_i)): w_j += delta_j / R_j, for the one j that lowers it most;
                 over sets of labels the loss of stumps, over rankings that of pairs (AdaBoost.MR)
    parallel     the same loss, all weights at once: w_j += delta_j / M

    delta = 1/2 ln((up + e) / (down + e)),    e = smooth x loss / (n L); smooth = 1 is that of Schapire and Singer

up and down are the parts of the loss that would fall if a weight rose and if it fell. R_j and M bound how much these
parts may change, so that a step divided by them keeps the bound on the loss (core/loops/boosting.pyx). An epoch is a
round. The loss of a round bounds the training error: it is the product of all Z_t so far, where Z_t <= 1 is the factor
by which round t has lowered it. For stumps it bounds the share of wrong signs; else it bounds the number of outputs
that are ahead of the right one, of which each mistake has at least one.

Parallel steps are guaranteed to lower the loss, but short. So the next trial goes beyond the guaranteed step, each time
by twice the factor of the last, until the loss comes out above what was guaranteed. Then the guaranteed step is taken,
and the factor is 1 again (Salakhutdinov and Roweis 2003). Learning ends when ten more steps would lower the bound on
the training error by less than tol. To go on to 200 rounds is half a percentage point worse on held-out examples.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from linnet.core.blocks import Block
from linnet.core.form import Loss, Step, Structure
from linnet.core.types import F32, F64, I32, I64, Arrays, Json, State
from linnet.errors import UsageError
from linnet.learners.passes import Passes
from linnet.learners.preset import Make, Option, Options, Preset, Weights
from linnet.learners.state import same_shapes
from linnet.losses import phi
from linnet.losses.each import Each

_STEPS_AHEAD = 10
"""Parallel steps end where so many more steps like the last would gain too little."""
_NUMBERS = ("t", "total", "updates", "bound", "longer", "change", "size", "lowered")
"""The numbers of `_Done` that a state of learning has."""


@dataclass(frozen=True)
class _Done:
    """The result of all rounds so far, in one object, since Ctrl-C may come at any moment."""

    w: list[Weights]
    """The weights with the loss `total`, before the last step."""
    step: list[Weights]
    """The last step, as far as it is guaranteed."""
    t: int = 0
    """The number of examples seen."""
    total: float = 0.0
    bound: float = math.inf
    """An upper bound on the loss after that step."""
    longer: float = 1.0
    """The factor by which the next trial goes farther than the guaranteed step."""
    updates: int = 0
    change: float = 0.0
    size: float = 0.0
    lowered: float = 1.0
    """1 - Z_t, the share by which the round lowered the loss."""

    def at(self, times: float) -> list[Weights]:
        """The weights after `times` the guaranteed step."""
        return [w + np.float32(times) * step for w, step in zip(self.w, self.step, strict=True)]


class Boosting(Passes):
    """The Core of boosting: a pass over all examples adds up how much of the loss wants each weight up and down, and its end
    takes the step that follows."""

    _done: _Done

    def __init__(self, preset: Preset, options: Options, gen: Structure, n_features: tuple[int, ...]) -> None:
        from linnet.core.loops.boosting import Parts
        from linnet.core.weights import stride_of

        self._by = options["by"]
        if self._by == "stumps" and options["bias"] == "no":
            raise UsageError(
                "a stump votes where its feature is absent, too, by the bias. Leave out bias=no, or use by=parallel."
            )
        self._smooth = float(options["smooth"])
        self._outcomes = gen.outcomes
        shapes = [(n + 1, stride_of(k)) for n, k in zip(n_features, gen.outcomes, strict=True)]
        self._each = range(len(shapes))
        self._trial = [np.zeros(shape, np.float32) for shape in shapes]
        self._loss = preset.loss_over(gen, options)
        self._terms = gen.terms
        self._parts = Parts(gen, self._loss, self._trial, presence=self._by == "stumps")
        self._done = _Done([w.copy() for w in self._trial], [w.copy() for w in self._trial])
        self._change_bounds: tuple[float, list[npt.NDArray[np.float64]]] | None = None
        self._seen = 0

    def begin(self) -> None:
        """Begin a new round, at the weights where the last step leads."""
        self._parts.bias = self.bias
        self._parts.clear_all()
        for block, trial in zip(self._trial, self._done.at(self._done.longer), strict=True):
            block[:] = trial
        self._seen = 0

    def run(self, blocks: tuple[Block, ...], y: I32, y_at: I64, order: I64, weight: F32 | None = None) -> None:
        """Add up the examples of this piece."""
        if self._change_bounds is None:
            self._change_bounds = self._bounds(blocks, y, y_at, weight)
        self._parts.run(blocks, y, y_at, order, weight)
        self._seen += len(order)

    def _bounds(self, blocks: tuple[Block, ...], y: I32, y_at: I64, weight: F32 | None) -> tuple[float, list[F64]]:
        """M and R, as core/loops/boosting.pyx defines them. For a loss of questions, the features of an example count as
        often as a question has outcomes."""
        if self._by == "stumps":
            each = zip(blocks, self._trial, strict=True)
            return float(self._terms), [self._terms * _values(block, len(w)) for block, w in each]
        if isinstance(self._loss, Each):
            most, largest = _largest(blocks[0], len(self._trial[0]), weight, float(self.bias))
            return self._terms * most, [self._terms * largest]
        M, R = self._parts.span(blocks, y, y_at, weight)
        return M, R

    def end(self) -> None:
        """End a round: take the step, or go back to what was guaranteed."""
        done, total = self._done, self._parts.total
        t = done.t + self._seen
        if done.longer > 1 and total > done.bound:
            self._done = replace(done, t=t, longer=1.0, updates=0)
            return
        w = [block.copy() for block in self._trial]
        step = [np.zeros_like(block) for block in w]
        lowered = self._step(step, self._smooth * total / (self._seen * self._outcomes[0])) if total > 0 else 0.0
        self._done = _Done(
            w,
            step,
            t,
            total,
            total - lowered,
            2 * done.longer if self._by == "parallel" and done.t else 1.0,
            int(lowered > 0),
            _length(step),
            _length(w),
            lowered / total if total > 0 else 0.0,
        )

    def _step(self, step: list[Weights], e: float) -> float:
        """Write the step, and return by how much the loss falls at least."""
        from linnet.core.loops.boosting import all_steps, best_step, best_stump

        parts = self._parts
        assert self._change_bounds is not None
        M, R = self._change_bounds
        if self._by == "stumps":
            stumps = [best_stump(*block, e) for block in zip(parts.up, parts.down, self._outcomes, strict=True)]
            g = max(self._each, key=lambda g: stumps[g][-1])
            row, lowered = stumps[g]
            up, down = parts.up[g], parts.down[g]
            present = _vote(up[row], down[row], e)
            absent = _vote(np.maximum(up[0] - up[row], 0), np.maximum(down[0] - down[row], 0), e)
            step[g][0] = absent / M
            step[g][row] += (present - absent) / R[g][row]
            return float(lowered) / M
        if self._by == "parallel":
            each = zip(step, parts.up, parts.down, R, self._outcomes, strict=True)
            return float(sum(all_steps(*block, M, e) for block in each))
        found = [best_step(*block, e) for block in zip(parts.up, parts.down, R, self._outcomes, strict=True)]
        g = max(self._each, key=lambda g: found[g][-1])
        row, outcome, length, lowered = found[g]
        step[g][row, outcome] = length
        return float(lowered)

    def last(self) -> list[Weights]:
        """The weights after the last step that is guaranteed, one array per block."""
        return self._done.at(1)

    def settle(self, averaged: bool) -> list[Weights]:
        """The weights that `last` gives. Nothing else is kept, so that nothing can be learned afterwards."""
        w = self.last()
        del self._done, self._parts, self._trial
        return w

    def left(self, blocks: tuple[Block, ...], y: I32, y_at: I64, weight: F32 | None, tol: float) -> float:
        """The distance to the end, 1 - Z_t: it is 0 where no step lowers the loss. For parallel steps it is the amount by
        which ten steps like the next would lower the bound on the training error."""
        left = self._done.lowered * self._done.longer
        if self._by != "parallel":
            return left
        n = len(y_at) - 1 if weight is None else float(np.sum(weight, dtype=np.float64))
        return _STEPS_AHEAD * left * self._done.total / max(n, 1e-12)

    def state(self) -> State:
        """The state needed to go on exactly: arrays by name, one for each block, and numbers by name."""
        done = self._done
        arrays = {f"v{g}": done.w[g] for g in self._each} | {f"step{g}": done.step[g] for g in self._each}
        return arrays, {"seed": self.seed, **{name: getattr(done, name) for name in _NUMBERS}}

    def restore(self, arrays: Arrays, numbers: Mapping[str, Json]) -> None:
        """Go on from `state()`."""
        same_shapes(arrays, self.state()[0])
        w, step = ([np.array(arrays[f"{name}{g}"]) for g in self._each] for name in ("v", "step"))
        self._done = _Done(w, step, **{name: numbers[name] for name in _NUMBERS})
        self.seed = numbers["seed"]


def _vote(up: npt.NDArray[np.float64], down: npt.NDArray[np.float64], e: float) -> npt.NDArray[np.float64]:
    return np.log((up + e) / (down + e)) / 2


def _length(blocks: list[Weights]) -> float:
    return math.sqrt(sum(float(np.sum(np.square(block, dtype=np.float64))) for block in blocks))


def _largest(block: Block, n_rows: int, weight: F32 | None, one: float) -> tuple[float, npt.NDArray[np.float64]]:
    """The largest sum of |x| of an example with weight, and the largest |x| of each feature; the bias counts as `one`."""
    indptr, indices, values = map(np.asarray, block.arrays()[:3])
    places = block.arrays()[3]
    row = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    example = row if places is None else np.repeat(np.arange(block.n), np.diff(places))[row]
    size = np.abs(values.astype(np.float64)) if weight is None else np.abs(values) * (np.asarray(weight)[example] > 0)
    largest = np.zeros(n_rows)
    largest[0] = one
    np.maximum.at(largest, indices.astype(np.int64) + 1, size)
    return one + float(np.bincount(row, size, minlength=1).max()), largest


def _values(block: Block, n_rows: int) -> npt.NDArray[np.float64]:
    """The value of each feature, 1 for the bias. Raise UsageError where a feature has several values, or the value 0."""
    rows, values = np.asarray(block.arrays()[1]).astype(np.int64) + 1, np.asarray(block.arrays()[2])
    of = np.ones(n_rows)
    of[rows] = values
    at = np.flatnonzero(of[rows] != values)
    if len(at) or not of.all():
        found = f"{values[at[0]]:g} and {of[rows[at[0]]]:g}" if len(at) else "0"
        raise UsageError(
            "boosting by=stumps asks whether a feature is there, so that its value must be the same wherever it is; "
            f"found {found}. Use the features with 'presence' and no norm, or by=parallel."
        )
    return of


def _loss(options: Options) -> Loss:
    if options["by"] == "stumps":
        return Each(phi.Exponential())
    from linnet.losses.exponential import Exponential

    return Exponential()


def _constant(options: Options) -> Step:
    from linnet.steps.constant import Constant

    return Constant()


def _boosting(options: Options) -> Make:
    return Boosting


PRESET = Preset(
    name="boosting",
    summary="exponential loss by boosting: all weights at once, one at a time, or AdaBoost.MH over stumps",
    loss=_loss,
    step=_constant,
    options={
        "by": Option(
            "parallel",
            "parallel: all weights; coordinate: the best one; stumps: AdaBoost.MH over the presence of a feature",
            choices=("parallel", "coordinate", "stumps"),
        ),
        "smooth": Option(10.0, "how much a weight is held back that few examples speak for", least=1e-9, most=1e6),
    },
    needs_all=True,
    solver=_boosting,
)
