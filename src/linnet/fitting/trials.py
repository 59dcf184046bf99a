"""One system, features and a learner, learned from one part of the data and tried on another."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from linnet.core.predictor import Predictor
from linnet.evaluate.calibration import brier, fit_sigmoid
from linnet.evaluate.losses import expected_losses, log_softmax, mean_losses
from linnet.explain import Strong
from linnet.fitting.contract import Counts, Task
from linnet.learners import Examples, Fit, Learning, Preset

Floats = npt.NDArray[np.floating[Any]]


@dataclass(frozen=True)
class Ready:
    """Features made of one part, and the examples of both parts: made once, for all learners."""

    task: Task
    training: Any
    held: Any
    features: Any
    structure: Any
    examples: Examples
    held_examples: Examples
    seconds: float


@dataclass(frozen=True)
class Belief:
    """What the probabilities of held-out decisions were: of the gold one and of the one that was predicted."""

    p_gold: npt.NDArray[np.float32]
    p_hat: npt.NDArray[np.float32]
    brier: float
    losses: dict[str, float]
    expected: dict[str, float]


@dataclass(frozen=True)
class Trial:
    counts: Counts
    train: float
    """The same measure on the training part."""
    seconds: float
    epochs: int
    stopped: str
    y_hat: npt.NDArray[np.int32]
    y_hat_at: npt.NDArray[np.int64]
    belief: Belief | None
    strongest: dict[str, list[Strong]]


def prepare(task: Task, spec: str, training: Any, held: Any, class_weight: Any = None) -> Ready:
    began = time.perf_counter()
    features, blocks = task.fit(spec, training)
    structure, weights = task.weighted(features, training, class_weight)
    seconds = time.perf_counter() - began
    held_examples = Examples(task.blocks(features, held), held.y, held.y_at)
    examples = Examples(blocks, training.y, training.y_at, weights)
    return Ready(task, training, held, features, structure, examples, held_examples, seconds)


Then = Callable[[Learning, Fit], None]
"""What is done with the weights of a fit before they predict, by what learned them."""


def learn(
    ready: Ready, preset: Preset, options: Mapping[str, Any], *, then: Then | None = None, **run: Any
) -> tuple[Fit, Predictor]:
    """What was learned of the one part, and what predicts with it."""
    model, sequences = ready.task.model, getattr(ready.features, "sequences", False)
    n_features = model.n_features(ready.features, ready.structure)
    fields = model.fields(ready.features, ready.structure)
    length2 = ready.examples.length2()
    learning = Learning(preset, options, ready.structure, n_features, length2, fields, sequences=sequences)
    fit = learning.run(ready.examples, take=then is None, **run)
    if then is not None:
        then(learning, fit)
    return fit, Predictor(ready.structure, learning.scorer(fit.weights))


def by_fold(
    fold_of: npt.NDArray[np.int64],
    task: Task,
    spec: str,
    gold: Any,
    preset: Preset,
    options: Mapping[str, Any],
    *,
    class_weight: Any = None,
    **run: Any,
) -> Iterator[tuple[npt.NDArray[np.int64], Examples, Predictor]]:
    """Of each fold which examples it has, these, and what predicts with what was learned from all others."""
    for fold in range(int(fold_of.max()) + 1):
        rest, held = np.flatnonzero(fold_of != fold), np.flatnonzero(fold_of == fold)
        ready = prepare(task, spec, gold.part(rest), gold.part(held), class_weight)
        _, predictor = learn(ready, preset, options, **run)
        yield held, ready.held_examples, predictor


def attempt(
    ready: Ready,
    preset: Preset,
    options: Mapping[str, Any],
    *,
    seed: int = 0,
    between: Callable[[Fit], None] | None = None,
    then: Then | None = None,
    believes: bool = True,
    top: int = 0,
) -> Trial:
    """Learn from the one part, predict both.

    `believes` asks for probabilities too, `top` for that many of the strongest features.
    """
    began = time.perf_counter()
    fit, predictor = learn(ready, preset, options, seed=seed, between=between, then=then)
    seconds = ready.seconds + time.perf_counter() - began
    y_hat, at = decided(ready, preset, predictor, ready.held_examples)
    return Trial(
        counts=ready.task.counts(ready.held, y_hat, at),
        train=ready.task.counts(ready.training, *decided(ready, preset, predictor, ready.examples)).score,
        seconds=seconds,
        epochs=len(fit.history),
        stopped=fit.stopped,
        y_hat=y_hat,
        y_hat_at=at,
        belief=_belief(decision_scores(predictor, ready.held_examples), ready.held.y, preset.probabilistic)
        if believes
        else None,
        strongest=_strongest(ready, fit, top) if top and preset.linear else {},
    )


def decided(
    ready: Ready, preset: Preset, predictor: Predictor, examples: Examples
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """What a model of this learner would answer."""
    return ready.task.model.decided(predictor, examples.blocks, preset.probabilistic)


def _strongest(ready: Ready, fit: Fit, top: int) -> dict[str, list[Strong]]:
    return ready.task.model.strongest_of(ready.features, ready.structure, fit.weights, ready.held.labels, top)


def decision_scores(predictor: Any, examples: Examples) -> Floats | None:
    """A row for each decision, a column for each label; None where there is no such thing.

    It is theta where decisions stand alone, and the logarithms of their marginals where they depend on each other.
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
    """Scores that are no probabilities are made into some by a sigmoid: half of them by what was seen of the other half."""
    if theta is None or len(y) < 4:
        return None
    theta = np.maximum(theta.astype(np.float64), -1e30)
    if probabilistic:
        p = np.exp(log_softmax(theta))
    else:
        p = np.empty(theta.shape)
        for half in (0, 1):
            p[half::2] = fit_sigmoid(theta[1 - half :: 2], y[1 - half :: 2])(theta[half::2])
    known = y >= 0
    p_gold = np.where(known, p[np.arange(len(y)), y], 0)
    return Belief(
        p_gold=p_gold.astype(np.float32),
        p_hat=p[np.arange(len(y)), theta.argmax(axis=1)].astype(np.float32),
        brier=brier(p, y),
        losses=mean_losses(theta[known], y[known]),
        expected=expected_losses(theta, p),
    )
