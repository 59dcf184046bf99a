"""Trials: features and a learner are learned from one part of the data and tried on another, the held-out part."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from linnet.core.predictor import Predictor
from linnet.core.types import Reals, Setting
from linnet.evaluate.calibration import brier, fit_sigmoid
from linnet.evaluate.losses import LEAST_PROBABILITY, expected_losses, log_softmax, mean_losses
from linnet.explain import Strong
from linnet.fitting.contract import ClassWeight, Counts, Gold, Measure, Plan, Task
from linnet.fitting.fitting import Finisher, Fitting, Learned, finished, prepare
from linnet.learners import Examples, Fit, Preset, learner

Floats = Reals


@dataclass(frozen=True)
class Ready:
    """Features made from the training part, and the examples of both parts. They are made once, for all learners."""

    fitting: Fitting
    training: Gold
    held: Gold
    held_examples: Examples
    seconds: float
    """The seconds that it took to make the features and the examples of the training part."""

    @property
    def task(self) -> Task:
        return self.fitting.task


@dataclass(frozen=True)
class Belief:
    """What a model believes about the held-out decisions: probabilities, and the mean losses of their logarithms."""

    p_gold: npt.NDArray[np.float32]
    """The probability of the gold label of each decision; 0 for a label that is not known."""
    p_hat: npt.NDArray[np.float32]
    """The probability of the predicted label of each decision."""
    brier: float
    known: int
    """The number of decisions whose gold label is known; only these have losses."""
    losses: dict[str, float]
    """The mean of each loss (evaluate/losses.py) over the decisions, by name."""
    expected: dict[str, float]
    """The mean that the model expects each loss to have, by its own probabilities."""


@dataclass(frozen=True)
class Trial:
    """The results of one trial."""

    counts: Counts
    """How right the outputs for the held-out part are."""
    train: float
    """The measure of `counts` on the training part."""
    seconds: float
    """The seconds that it took to make the features and to learn."""
    epochs: int
    stopped: str
    """Why learning ended, in words."""
    y_hat: npt.NDArray[np.int32]
    """The outputs for the held-out part: example i has y_hat[y_hat_at[i]:y_hat_at[i + 1]]."""
    y_hat_at: npt.NDArray[np.int64]
    belief: Belief | None
    """None where it was not asked for, or where outputs are not decisions between labels."""
    strongest: dict[str, list[Strong]]
    """The strongest features of each label; empty where they were not asked for."""


def make_ready(task: Task, spec: str, training: Gold, held: Gold, class_weight: ClassWeight = None) -> Ready:
    """Make the features of a specification from the training part, and the examples of both parts."""
    began = time.perf_counter()
    fitting = prepare(task, spec, training, class_weight)
    seconds = time.perf_counter() - began
    return Ready(fitting, training, held, fitting.further(held), seconds)


def learn(ready: Ready, plan: Plan, finishers: Sequence[Finisher] = (), **run: Setting) -> tuple[Learned, Predictor]:
    """Learn the training part by a plan; return what was learned and a predictor with it."""
    learning = ready.fitting.learning(plan)
    fit = learning.run(ready.fitting.examples, take=not any(one.needs_learning for one in finishers), **run)
    learned = finished(Learned(fit, tuple(fit.weights), {}), finishers, ready.fitting, learning)
    return learned, Predictor(ready.fitting.structure, learning.scorer(learned.weights))


def attempt(
    ready: Ready,
    plan: Plan,
    *,
    finishers: Sequence[Finisher] = (),
    seed: int = 0,
    between: Callable[[Fit], None] | None = None,
    measure: Measure | None = None,
    believes: bool = True,
    top: int = 0,
) -> Trial:
    """Learn from the training part and predict both parts.

    measure: how right outputs are; by default the measure that matters in the task.
    believes: whether to add the probabilities of the held-out decisions.
    top: how many of the strongest features of each label to add.
    """
    began, preset = time.perf_counter(), learner(plan.learner)
    learned, predictor = learn(ready, plan, finishers, seed=seed, between=between)
    seconds = ready.seconds + time.perf_counter() - began
    y_hat, at = decided(ready, preset, predictor, ready.held_examples)
    counts = ready.task.counts if measure is None else measure
    own = counts(ready.training, *decided(ready, preset, predictor, ready.fitting.examples))
    theta = decision_scores(predictor, ready.held_examples) if believes else None
    return Trial(
        counts=counts(ready.held, y_hat, at),
        train=own.score,
        seconds=seconds,
        epochs=len(learned.fit.history),
        stopped=learned.fit.stopped,
        y_hat=y_hat,
        y_hat_at=at,
        belief=_belief(theta, ready.held.y, preset.probabilistic),
        strongest=_strongest(ready, learned, top) if top and preset.linear else {},
    )


def decided(
    ready: Ready, preset: Preset, predictor: Predictor, examples: Examples
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """The outputs that a model of this learner would predict, and where each starts."""
    return ready.task.model.decided(predictor, examples.blocks, preset.probabilistic)


def _strongest(ready: Ready, learned: Learned, top: int) -> dict[str, list[Strong]]:
    fitting = ready.fitting
    kind = ready.task.model
    return kind.strongest_of(fitting.features, fitting.structure, learned.weights, ready.held.labels, top)


def decision_scores(predictor: Predictor, examples: Examples) -> Floats | None:
    """A table with a row for each decision and a column for each label; None where outputs are not such decisions.

    It holds scores where decisions are independent, and the logarithms of marginal probabilities where they are not.
    """
    gen = predictor.gen
    if not gen.plain:
        return None
    if len(gen.outcomes) == 1:
        table: Floats = predictor.scores(examples.blocks)[0]
    elif gen.has_marginals:
        table = np.log(np.maximum(predictor.marginals(examples.blocks)[0], np.finfo(np.float32).tiny))
    else:
        return None
    return table if len(table) == len(examples.y) else None


def _belief(theta: Floats | None, y: npt.NDArray[np.int32], probabilistic: bool) -> Belief | None:
    """Probabilities and losses of decisions. Scores that are not probabilities are turned into some by a sigmoid, which is
    fitted to one half of the decisions and used for the other."""
    known = y >= 0
    if theta is None or len(y) < 4 or not known.any():
        return None
    theta = np.maximum(theta.astype(np.float64), -1e30)  # Differences of scores of -inf would be nan.
    if probabilistic:
        p = np.exp(log_softmax(theta))
    else:
        p = np.empty(theta.shape)
        for half in (0, 1):
            p[half::2] = fit_sigmoid(theta[1 - half :: 2], y[1 - half :: 2])(theta[half::2])
    p_gold = np.where(known, p[np.arange(len(y)), y], 0)
    log_p, y_hat = np.log(np.maximum(p, LEAST_PROBABILITY)), theta.argmax(axis=1)
    p_hat = p[np.arange(len(y)), y_hat]
    # The sigmoid has a shift for each label, so that the most probable label may be another one; but the model decides
    # by its scores.
    wrong, doubted = {"0-1": float(np.mean(y_hat[known] != y[known]))}, {"0-1": float(np.mean(1 - p_hat))}
    return Belief(
        p_gold=p_gold.astype(np.float32),
        p_hat=p_hat.astype(np.float32),
        brier=brier(p, y),
        known=int(known.sum()),
        losses=mean_losses(log_p[known], y[known]) | wrong,
        expected=expected_losses(log_p, p) | doubted,
    )
