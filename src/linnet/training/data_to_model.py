"""From data to a model: read, hold out, choose a plan, prepare, learn, finish."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from linnet import __version__
from linnet.core.memory import give_back
from linnet.errors import DataError, UsageError
from linnet.evaluate.folds import groups_of
from linnet.fitting.contract import Columns, Gold, Known, Plan, Searchable, Task
from linnet.fitting.fitting import Finisher, Fitting, Learned, Recipe, finished
from linnet.fitting.progress import Steps
from linnet.learners import Fit, Learning, Progress
from linnet.learners import learner as preset
from linnet.model import Model
from linnet.tasks import configured, guess, load, named
from linnet.training.auto import NAME as AUTO
from linnet.training.auto import checked, search
from linnet.training.calibration import Calibration
from linnet.training.checkpoint import Checkpoints, fingerprint
from linnet.training.reranking import Reranking
from linnet.training.thresholds import Thresholds

Data = Any
"""A path, several paths, or for labels a pair (texts, labels); texts may be a table with other columns."""


def train(
    data: Data,
    *,
    task: str | None = None,
    learner: str | None = None,
    features: str | None = None,
    epochs: int | None = None,
    dev: Data | float | None = None,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    class_weight: str | Mapping[str, float] | None = None,
    patience: int = 3,
    tol: float = 1e-3,
    shuffle: bool = True,
    calibrate: str | None = None,
    rerank: int | None = None,
    text_col: str | None = None,
    label_col: str | None = None,
    format: str | None = None,
    progress: Callable[[Progress], None] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool = False,
) -> Model:
    """Train a model on a file (or on a pair of texts and labels). Task, learner and features have good defaults.

    dev: a share of the data to hold out, or other data; learning then stops when it no longer helps there.
    class_weight: "balanced", or a weight for each label; of tags, what it costs to miss them, "spans" too.
    calibrate: "sigmoid" makes scores into probabilities, by what folds of the data score when they are held out.
    rerank: of tags and trees, among how many of the best outputs a second model chooses, by features of whole outputs.
    checkpoint: where to keep the state of long learning; with `resume`, go on from there.

    >>> model = train((["good", "fine", "bad", "poor"], ["+", "+", "-", "-"]), features="words:1")
    >>> model.predict(["a good film"])
    ['+']
    """
    if epochs is not None and epochs < 1:
        raise UsageError(f"expected at least one epoch, found {epochs}.")
    columns = {"format": format, "text_col": text_col, "label_col": label_col}
    kind, learner_options = configured(named(task) if task is not None else guess(data, columns), options or {})
    whole = kind.read(data, columns)
    training, held_out = _hold_out(kind, whole, dev, seed, columns)
    passes: dict[str, Any] = {"epochs": epochs, "seed": seed, "tol": tol, "shuffle": shuffle}
    asked = Recipe(kind, Plan(features or "", learner or "", learner_options, calibrate), class_weight, passes)
    recipe, tried = _chosen(asked, training, held_out, checkpoint if resume else None, progress)
    steps = Steps(progress)
    fitting = recipe.prepare(training, steps)
    learning = fitting.learning(recipe.plan)
    finishers = _finishers(recipe, learning, training, rerank, steps)
    held = None if held_out is None else fitting.further(held_out)
    provenance = _provenance(whole, held_out, seed, class_weight)
    del whole, training, held_out  # what was read: from here on only finishers hold it, where there are any
    give_back()
    run = _Run(fitting, learning, provenance, tried)
    kept = Checkpoints(
        checkpoint,
        learning,
        run.model_so_far,
        lambda: fingerprint(fitting.features, fitting.examples, held, (seed, shuffle, class_weight)),
    )
    fit = learning.run(
        fitting.examples,
        **passes,
        dev=held,
        patience=patience,
        fit=kept.resumed() if resume else None,
        take=not any(finisher.needs_learning for finisher in finishers),
        measure=True,
        progress=steps.inside(kind.model.called).next(),
        between=kept.between,
    )
    kept.done(fit)
    return run.model(finished(run.learned(fit), finishers, fitting, learning))


class _Run:
    """What a run has learned, as models: those of checkpoints on the way, and the one in the end."""

    def __init__(
        self,
        fitting: Fitting,
        learning: Learning,
        provenance: Mapping[str, Any],
        tried: list[dict[str, Any]] | None,
    ) -> None:
        self.fitting, self.learning, self.provenance = fitting, learning, provenance
        self.tried = {} if tried is None else {"tried": tried}

    def learned(self, fit: Fit) -> Learned:
        weights = tuple(fit.weights or self.learning.weights())
        return Learned(fit, weights, {**fit.report(), **self.tried})

    def model(self, learned: Learned) -> Model:
        created = datetime.now(UTC).isoformat(timespec="seconds")
        return self.fitting.model(self.learning, learned, {**self.provenance, "created": created})

    def model_so_far(self, fit: Fit) -> Model:
        return self.model(self.learned(fit))


def _chosen(
    asked: Recipe,
    training: Any,
    held_out: Any,
    resumed: str | os.PathLike[str] | None,
    progress: Callable[[Progress], None] | None,
) -> tuple[Recipe, list[dict[str, Any]] | None]:
    """The recipe that the user asked for, with what suits the data where nothing was said; and what `auto` has tried."""
    task, plan = asked.task, asked.plan
    spec = plan.features or None
    if plan.learner == AUTO:
        found, tried = _resumed_plan(resumed) or _searched(asked, spec, training, held_out, progress)
        return replace(asked, plan=replace(found, calibrate=plan.calibrate or found.calibrate)), tried
    usual = task.plan(spec, training)
    if plan.learner:
        chosen = Plan(usual.features, preset(plan.learner).name, plan.options, plan.calibrate)
    else:
        chosen = replace(usual, options={**usual.options, **plan.options}, calibrate=plan.calibrate or usual.calibrate)
    return replace(asked, plan=chosen), None


def _searched(
    asked: Recipe, spec: str | None, training: Any, held_out: Any, progress: Callable[[Progress], None] | None
) -> tuple[Plan, list[dict[str, Any]]]:
    """What `auto` chooses, and what it tried."""
    task, passes = asked.task, asked.passes
    if not isinstance(task, Searchable):
        raise UsageError(f"learner {AUTO!r} chooses for labels only, not for task {task.name!r}. Name a learner.")
    plan, tried = search(
        task,
        task.candidates(spec, training),
        training,
        held_out,
        seconds=checked(asked.plan.options),
        seed=passes["seed"],
        class_weight=asked.class_weight,
        epochs=passes["epochs"],
        progress=progress,
    )
    return plan, [item.report() for item in tried]


def _resumed_plan(path: str | os.PathLike[str] | None) -> tuple[Plan, list[dict[str, Any]]] | None:
    """What `auto` chose for the run that a checkpoint is from."""
    if path is None or not Path(path).exists():
        return None
    model = load(path)
    return Plan(str(model.features.spec), model.learner, model.options), list(model.report.get("tried", []))


def _finishers(recipe: Recipe, learning: Learning, gold: Any, rerank: int | None, steps: Steps) -> list[Finisher]:
    """What is to be done after learning, in this order: thresholds, a second look, calibration."""
    # Folds are learned with the options that learning from all of the data has found, such as eta.
    again = replace(recipe, plan=replace(recipe.plan, options=dict(learning.options)))
    finishers: list[Finisher] = []
    measure = recipe.task.measure_of(learning.preset, gold)
    if measure:
        finishers.append(Thresholds(measure, again, gold, learning))
    if rerank is not None:
        finishers.append(Reranking(rerank, again, gold, steps))
    if recipe.plan.calibrate:
        finishers.append(Calibration(recipe.plan.calibrate, again, gold, learning))
    return finishers


def _hold_out(kind: Task, whole: Any, dev: Data | float | None, seed: int, columns: Columns) -> tuple[Any, Any]:
    """The examples to learn from, and those that are held out; None where none are."""
    if dev is None:
        return whole, None
    if not isinstance(dev, float | int):
        return whole, kind.read(dev, columns, Known(whole.labels, whole.details))
    if not 0 < dev < 1:
        raise UsageError(f"expected a share between 0 and 1 to hold out, found {dev}.")
    groups = groups_of(whole)
    group = np.arange(len(whole)) if groups is None else groups
    size = np.bincount(group)
    order = np.random.default_rng([seed, 0xDE7]).permutation(len(size))
    n = 1 + int(np.searchsorted(np.cumsum(size[order]), max(1, round(dev * len(whole)))))
    if n >= len(size):
        what = "examples" if groups is None else "groups"
        raise DataError(f"{whole.source}: {len(size)} {what} are too few to hold out {dev:g} of them.")
    held = np.isin(group, order[:n])
    return whole.part(np.flatnonzero(~held)), whole.part(np.flatnonzero(held))


def _provenance(whole: Gold, held_out: Gold | None, seed: int, class_weight: Any) -> dict[str, Any]:
    return {
        "linnet": __version__,
        "data": whole.source,
        "examples": len(whole),
        "held_out": 0 if held_out is None else len(held_out),
        "seed": seed,
        "class_weight": class_weight if isinstance(class_weight, str) else dict(class_weight or {}) or None,
    }


def parse_class_weight(text: str) -> str | dict[str, float]:
    """Class weights as they are typed: `balanced`, or `spam=5,ham=1`."""
    if "=" not in text:
        return text
    weights: dict[str, float] = {}
    for item in text.split(","):
        label, _, number = item.rpartition("=")
        try:
            weights[label] = float(number)
        except ValueError:
            raise UsageError(f"expected label=weight in the class weights, found {item!r}.") from None
    return weights
