"""Learners over the points of a plane: what each has learned after each epoch, and what that makes of every place."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import numpy.typing as npt

from linnet.core.blocks import Block
from linnet.core.form import Loss
from linnet.core.predictor import Predictor
from linnet.core.scorer import Scorer
from linnet.errors import UsageError
from linnet.features.sizes import Sizes
from linnet.fitting.fitting import Problem
from linnet.fitting.notation import Notation
from linnet.fitting.trace import Tracer
from linnet.fitting.traced import Step
from linnet.learners import Fit, Learning
from linnet.learners.preset import Options, Weights
from linnet.plot.losses import of_margins
from linnet.plot.points import Floats, Points, rows
from linnet.structures.labels import Labels

_LOWEST = -1e30
"""The least score. Minus infinity is raised to it, as the difference of two infinities is no number."""
_FARTHEST = 8.0
"""A margin larger than any that losses ask for: a loss that is not 0 there is taken to be 0 nowhere."""


@dataclass(frozen=True)
class Learned:
    """What a learner knows of the plane after some examples."""

    t: int
    """The number of examples that it has seen."""
    weights: Sequence[Weights]
    """The arrays that it scores with; of a linear learner one, with rows for the bias and both features."""
    scorer: Scorer
    gen: Labels
    points: Points
    support: npt.NDArray[np.bool_]
    """Which points are support vectors, so that the weights are a sum of them; none where the learner does not know."""
    asked: float | None
    """The margin that the loss asks for: by how much the right label has to be ahead for it to be 0. None where it never is."""

    def scores(self, at: Floats) -> Floats:
        """The score of each label at some places: a column for each."""
        found = Predictor(self.gen, self.scorer).scores((Block(*rows(self.points.seen(at))),))[0]
        return np.maximum(np.asarray(found, np.float64), _LOWEST)

    @property
    def when(self) -> str:
        """After how many epochs it is, or examples of the first one."""
        epochs, more = divmod(self.t, len(self.points))
        if epochs and not more:
            return f"epoch {epochs}"
        return f"{self.t:,} example{'s' if self.t > 1 else ''}"

    @cached_property
    def ahead(self) -> Floats:
        """How far the right label of each point is ahead of the best other one."""
        return ahead(self.scores(self.points.at))[np.arange(len(self.points)), self.points.y]

    @property
    def wrong(self) -> npt.NDArray[np.bool_]:
        """Which points are on the wrong side, or on the boundary."""
        return self.ahead <= 0

    @property
    def margin(self) -> float | None:
        """By how much a label is ahead where the margin is drawn: where the loss becomes 0, or else at the point nearest
        to the boundary, if all are right. None where there is neither, or where there are more than two labels."""
        if len(self.points.labels) > 2:
            return None
        if self.asked:
            return self.asked
        nearest = float(self.ahead.min())
        return nearest if nearest > 0 else None


def ahead(scores: Floats) -> Floats:
    """How far each label is ahead of the best of the others."""
    others = np.repeat(scores[:, :, None], scores.shape[1], axis=2)
    labels = np.arange(scores.shape[1])
    others[:, labels, labels] = -np.inf
    found: Floats = scores - others.max(axis=1)
    return found


def course(
    points: Points,
    learner: str,
    options: Options,
    *,
    epochs: int | None = None,
    seed: int = 0,
    shuffle: bool = True,
) -> list[Learned]:
    """Learn from the points; return what was learned after some examples of the first epoch, and after each epoch."""
    at_work, found = _at_work(points, learner, options), list[Learned]()
    asked = _asked(_loss_of(at_work))

    def look(fit: Fit) -> None:
        if 0 < at_work.online.t < len(points):
            found.append(_learned(at_work, points, asked))

    fit = at_work.run(
        points.examples(),
        epochs=epochs,
        seed=seed,
        shuffle=shuffle,
        after_epoch=lambda fit: found.append(_learned(at_work, points, asked)),
        between=look,
        piece=1,
    )
    if fit.interrupted:
        raise KeyboardInterrupt(fit.stopped)
    return found


def steps(
    points: Points, learner: str, options: Options, *, epochs: int | None = None, shuffle: bool = True
) -> Generator[tuple[Step, Learned], None, Fit]:
    """Learn from the points step by step: yield each step, and what the learner knows after it. Return what was learned, with
    what theory says of it."""
    at_work, examples = _at_work(points, learner, options), points.examples()
    asked = _asked(_loss_of(at_work))
    traced = Tracer(at_work, examples, partial(_notation, points)).steps(
        at_work.course(examples, epochs=epochs, shuffle=shuffle, tol=0, measure=True)
    )
    while True:
        try:
            step = next(traced)
        except StopIteration as end:
            fit: Fit = end.value
            return fit
        yield step, _learned(at_work, points, asked)


def fitted(points: Points, learner: str, options: Options, *, epochs: int | None = None) -> Fit:
    """Learn from the points, and measure what was learned: `theory` has its margin, if the points are separable."""
    return _at_work(points, learner, options).run(points.examples(), epochs=epochs, measure=True)


def _at_work(points: Points, learner: str, options: Options) -> Learning:
    """A learner that is ready to learn from the points."""
    gen = Labels(len(points.labels))
    at_work = Problem(gen, Sizes((2,)), points.examples().length2()).learning(learner, options)
    if at_work.preset.generative and at_work.preset.linear and points.seen(points.at).min() < 0:
        raise UsageError(
            f"learner {at_work.preset.name!r} counts, which numbers below 0 cannot be. Draw how often two words are in texts, "
            "with the counts as they are (raw), or use another learner."
        )
    return at_work


def _learned(at_work: Learning, points: Points, asked: float | None) -> Learned:
    """What a learner knows now."""
    weights, gen = at_work.weights(), at_work.gen
    assert isinstance(gen, Labels)
    support = _support(at_work, len(points))
    return Learned(at_work.online.t, weights, at_work.scorer(weights), gen, points, support, asked)


def _notation(points: Points, i: int) -> Notation:
    """The words of a trace for the point with this number."""
    a, b = points.at[i].tolist()
    return Notation(
        text=f"({a:g}, {b:g})",
        feature=lambda block, j: points.names[j],
        outcome=lambda block, k: points.labels[k],
        output=lambda y: points.labels[y[0]],
    )


def _support(at_work: Learning, n: int) -> npt.NDArray[np.bool_]:
    """A flag for each example, set where it has added to the weights: its alpha (core/loops/dual.pyx) is not 0. No flag
    is set where the learner does not know alpha."""
    alpha = at_work.state()[0].get("m0")
    return np.zeros(n, np.bool_) if alpha is None else np.any(np.asarray(alpha) != 0, axis=1)


def _loss_of(at_work: Learning) -> Loss:
    """The loss that the loop over examples makes small; that of the preset, where the loop does not tell it."""
    loss: Loss | None = getattr(at_work.online, "loss", None)
    return at_work.preset.loss_over(at_work.gen, at_work.options) if loss is None else loss


def _asked(loss: Loss) -> float | None:
    """The least margin, between two labels, from which on a loss is 0: 0 for the perceptron, 1 for the hinge."""
    if of_margins(loss, np.array([_FARTHEST]))[0].item() > 0:
        return None
    low, high = 0.0, _FARTHEST
    while high - low > 1e-4:
        middle = (low + high) / 2
        low, high = (middle, high) if of_margins(loss, np.array([middle]))[0].item() > 0 else (low, middle)
    return round(high, 3)
