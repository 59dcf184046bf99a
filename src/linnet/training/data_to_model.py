"""From data to a model: read, hold out, make features, learn."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from linnet import __version__
from linnet.core.memory import give_back
from linnet.errors import DataError, UsageError
from linnet.evaluate.folds import groups_of
from linnet.fitting.contract import Columns, Gold, Plan, Searchable, Task
from linnet.fitting.inner import watched
from linnet.fitting.progress import steps, telling
from linnet.learners import Examples, Fit, Learning, Progress
from linnet.learners import learner as preset
from linnet.model.base import Model
from linnet.tasks import configured, guess, load_with_state, named
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
) -> Any:
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
    kind, options = configured(named(task) if task is not None else guess(data, columns), options or {})
    whole = kind.read(data, columns)
    training, held_out = _hold_out(kind, whole, dev, seed, columns)
    tried = None
    if learner == AUTO:
        chosen = _resumed_plan(checkpoint) if resume else None
        plan, tried = chosen or _chosen(
            kind,
            features,
            training,
            held_out,
            options,
            seed=seed,
            class_weight=class_weight,
            epochs=epochs,
            progress=progress,
        )
        learner, options = None, {}
    else:
        plan = kind.plan(features, training)
    with watched(progress):
        fitted, blocks = kind.fit(plan.features, training)
    structure, weights = kind.weighted(fitted, training, class_weight)
    examples = Examples(blocks, training.y, training.y_at, weights)
    learning = Learning(
        preset(plan.learner if learner is None else learner),
        {**(plan.options if learner is None else {}), **options},
        structure,
        kind.model.n_features(fitted, structure),
        examples.length2(),
        kind.model.fields(fitted, structure),
        sequences=getattr(fitted, "sequences", False),
    )
    passes: dict[str, Any] = {"epochs": epochs, "seed": seed, "tol": tol, "shuffle": shuffle}
    calibrate = calibrate or (plan.calibrate if learner is None else None)
    calibration = calibrate and Calibration(calibrate, kind, training, plan.features, learning, class_weight, **passes)
    measure = kind.measure_of(learning.preset, training)
    sets = measure and Thresholds(measure, kind, training, plan.features, learning, class_weight, **passes)
    second = None
    if rerank is not None:
        second = Reranking(rerank, kind, training, plan.features, learning, class_weight, **passes)
    held = None if held_out is None else Examples(kind.blocks(fitted, held_out), held_out.y, held_out.y_at)
    labels, details, provenance = whole.labels, whole.details, _provenance(whole, held_out, seed, class_weight)
    del whole, training, held_out  # what was read; learning needs the examples only
    give_back()

    def model_of(fit: Fit) -> Model:
        return kind.model(
            features=fitted,
            labels=labels,
            weights=tuple(fit.weights or learning.weights()),
            learner=learning.preset.name,
            options=learning.options,
            report=fit.report() | ({} if tried is None else {"tried": tried}),
            provenance=provenance | {"created": datetime.now(UTC).isoformat(timespec="seconds")},
            details=details,
        )

    keeper = Checkpoints(
        checkpoint,
        learning,
        model_of,
        fingerprint=lambda: fingerprint(fitted, examples, held, (seed, shuffle, class_weight)),
    )
    with steps(kind.model.called):
        told = telling(progress)
    fit = learning.run(
        examples,
        **passes,
        dev=held,
        patience=patience,
        fit=keeper.resumed() if resume else None,
        take=not sets,
        measure=True,
        progress=told,
        between=keeper.between,
    )
    keeper.done(fit)
    t = sets.t(examples) if sets and not fit.interrupted else None
    model = model_of(fit)
    if sets and t is not None:
        model = sets.of(model, t)
    if second and not fit.interrupted:
        with watched(progress):
            model = second.of(model)
    return calibration.of(model) if calibration else model


def _chosen(
    kind: Task, features: str | None, training: Any, held_out: Any, options: Mapping[str, Any], **settings: Any
) -> tuple[Plan, list[dict[str, Any]]]:
    """What `auto` chooses, and what it tried."""
    if not isinstance(kind, Searchable):
        raise UsageError(f"learner {AUTO!r} chooses for labels only, not for task {kind.name!r}. Name a learner.")
    seconds = checked(options)
    plan, tried = search(kind, kind.candidates(features, training), training, held_out, seconds=seconds, **settings)
    return plan, [item.report() for item in tried]


def _resumed_plan(path: str | os.PathLike[str] | None) -> tuple[Plan, list[dict[str, Any]]] | None:
    """What `auto` chose for the run that a checkpoint is from."""
    if path is None or not Path(path).exists():
        return None
    model = load_with_state(path)[0]
    return Plan(str(model.features.spec), model.learner, model.options), list(model.report.get("tried", []))


def _hold_out(kind: Task, whole: Any, dev: Data | float | None, seed: int, columns: Columns) -> tuple[Any, Any]:
    if dev is None:
        return whole, None
    if not isinstance(dev, float | int):
        return whole, kind.read(dev, columns, whole)
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
    """`balanced`, or `spam=5,ham=1`."""
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
