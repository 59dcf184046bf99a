"""From data to a model: read, hold out, choose a plan, prepare, learn, finish."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypedDict, Unpack, overload

import numpy as np

from linnet import __version__
from linnet.core.memory import give_back
from linnet.core.types import Data, Json
from linnet.errors import DataError, UsageError
from linnet.evaluate.folds import groups_of
from linnet.fitting.contract import ClassWeight, Columns, Gold, Known, Plan, Searchable, Task
from linnet.fitting.fitting import Finisher, Fitting, Learned, Recipe, finished
from linnet.fitting.progress import Steps
from linnet.fitting.reading import read_gold
from linnet.io.python_values import brought
from linnet.learners import Examples, Fit, Learning, Progress
from linnet.learners import learner as preset
from linnet.learners.preset import Options
from linnet.model import Model
from linnet.tasks import configured, guess, load, named
from linnet.training.auto import NAME as AUTO
from linnet.training.auto import checked, search
from linnet.training.calibration import Calibration
from linnet.training.checkpoint import Checkpoints, fingerprint
from linnet.training.going_on import GoingOn, check_state, state_of
from linnet.training.reranking import Reranking
from linnet.training.thresholds import Thresholds

if TYPE_CHECKING:
    from linnet.tasks.align.model import AlignModel
    from linnet.tasks.brackets.model import BracketsModel
    from linnet.tasks.compress.model import CompressModel
    from linnet.tasks.hierarchy.model import HierarchyModel
    from linnet.tasks.labels.model import LabelsModel
    from linnet.tasks.labelset.model import LabelsetModel
    from linnet.tasks.ordinal.model import OrdinalModel
    from linnet.tasks.parse.model import ParseModel
    from linnet.tasks.ranking.model import RankingModel
    from linnet.tasks.rerank.model import RerankModel
    from linnet.tasks.tag.model import TagModel


class How(TypedDict, total=False):
    """What `train` can be told beside the data and the task, for its types alone."""

    learner: str | None
    features: str | None
    epochs: int | None
    dev: Data | float | None
    seed: int
    options: Options | None
    class_weight: ClassWeight
    patience: int
    tol: float
    shuffle: bool
    calibrate: str | None
    rerank: int | None
    text: str | None
    label: str | None
    format: str | None
    encoding: str | None
    delimiter: str | None
    progress: Callable[[Progress], None] | None
    checkpoint: str | os.PathLike[str] | None
    resume: bool
    start: Model | str | os.PathLike[str] | None
    keep_state: bool


@overload
def train(data: Data, labels: Data = None, *, task: Literal["align"], **how: Unpack[How]) -> AlignModel: ...
@overload
def train(data: Data, labels: Data = None, *, task: Literal["brackets"], **how: Unpack[How]) -> BracketsModel: ...
@overload
def train(data: Data, labels: Data = None, *, task: Literal["compress"], **how: Unpack[How]) -> CompressModel: ...
@overload
def train(data: Data, labels: Data = None, *, task: Literal["hierarchy"], **how: Unpack[How]) -> HierarchyModel: ...
@overload
def train(data: Data, labels: Data = None, *, task: Literal["labels"], **how: Unpack[How]) -> LabelsModel: ...
@overload
def train(data: Data, labels: Data = None, *, task: Literal["labelset"], **how: Unpack[How]) -> LabelsetModel: ...
@overload
def train(data: Data, labels: Data = None, *, task: Literal["ordinal"], **how: Unpack[How]) -> OrdinalModel: ...
@overload
def train(data: Data, labels: Data = None, *, task: Literal["parse"], **how: Unpack[How]) -> ParseModel: ...
@overload
def train(data: Data, labels: Data = None, *, task: Literal["ranking"], **how: Unpack[How]) -> RankingModel: ...
@overload
def train(data: Data, labels: Data = None, *, task: Literal["rerank"], **how: Unpack[How]) -> RerankModel: ...
@overload
def train(data: Data, labels: Data = None, *, task: Literal["tag"], **how: Unpack[How]) -> TagModel: ...
@overload
def train(data: Data, labels: Data = None, *, task: str | None = None, **how: Unpack[How]) -> Model: ...
def train(
    data: Data,
    labels: Data = None,
    *,
    task: str | None = None,
    learner: str | None = None,
    features: str | None = None,
    epochs: int | None = None,
    dev: Data | float | None = None,
    seed: int = 0,
    options: Options | None = None,
    class_weight: ClassWeight = None,
    patience: int = 3,
    tol: float = 1e-3,
    shuffle: bool = True,
    calibrate: str | None = None,
    rerank: int | None = None,
    text: str | None = None,
    label: str | None = None,
    format: str | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    progress: Callable[[Progress], None] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool = False,
    start: Model | str | os.PathLike[str] | None = None,
    keep_state: bool = False,
) -> Model:
    """Train a model on files, on a table, or on examples and their outputs. Task, learner and features have good defaults.

    data: a path or several; a data frame, an Arrow table, a Hugging Face dataset, a dict of lists or a list of dicts; pairs of
        an example and its output; or examples alone, such as texts, if `labels` follow.
    text, label: the names of the columns with the text and with the label, where these are not the usual ones.

    dev: a share of the data to hold out, or other data. Learning then stops when results on these no longer improve.
    class_weight: "balanced", or a weight for each label. For tags it is the cost of missing them, and may be "spans".
    encoding, delimiter: those of the files; without them, they show themselves, and `report["notes"]` of the model says so.
    calibrate: "sigmoid" turns scores into probabilities, fitted to the scores of held-out parts of the data.
    rerank: for tags and trees, the number of best outputs among which a second model chooses by features of whole outputs.
    checkpoint: a file that keeps the state of a long training; with `resume`, training goes on from there.
    start: a model or a model file to go on from; its features, labels and weights grow with the data.
    keep_state: whether the model keeps the state of learning, so that a later training goes on as if it had not stopped.

    >>> model = train(["good", "fine", "bad", "poor"], ["+", "+", "-", "-"], features="words:1")
    >>> model.predict(["a good film"])
    ['+']
    """
    if epochs is not None and epochs < 1:
        raise UsageError(f"expected at least one epoch, found {epochs}.")
    notes: list[str] = []
    asked = _Asked(
        task=task,
        recipe=Plan(features or "", learner or "", options or {}, calibrate),
        passes={"epochs": epochs, "seed": seed, "tol": tol, "shuffle": shuffle},
        columns={
            "text_col": text,
            "label_col": label,
            "format": format,
            "encoding": encoding,
            "delimiter": delimiter,
            "note": notes.append,
        },
        class_weight=class_weight,
        dev=dev if dev is None or isinstance(dev, float | int) else brought(dev),
        rerank=rerank,
        resumed=checkpoint if resume else None,
        progress=progress,
    )
    data = brought(data, labels)
    job = _begun(data, asked) if start is None else _gone_on(data, asked, start)
    if keep_state:
        check_state(job.learning)
    give_back()
    kept = Checkpoints(checkpoint, job.learning, job.model_so_far, lambda: job.fingerprint(asked))
    fit = job.learning.run(
        job.fitting.examples,
        **asked.passes,
        dev=job.held,
        patience=patience,
        fit=kept.resumed() if resume else None,
        further=start is not None,
        take=not keep_state and not any(finisher.needs_learning for finisher in job.finishers),
        measure=start is None,
        progress=asked.steps.one(job.fitting.task.model.called),
        between=kept.between,
    )
    kept.done(fit)
    state = state_of(job.learning, job.fitting.problem.length2) if keep_state else None
    model = job.model(fit)
    return replace(model, state=state, report={**model.report, "notes": notes} if notes else model.report)


@dataclass(frozen=True)
class _Asked:
    """What the user asked for, as arguments of `train`."""

    task: str | None
    recipe: Plan
    """The features, learner and options of the user; features and learner are "" where the user did not choose."""
    passes: dict[str, Json]
    columns: Columns
    class_weight: ClassWeight
    dev: Data | float | None
    rerank: int | None
    resumed: str | os.PathLike[str] | None
    """The checkpoint of an earlier run that this one goes on from."""
    progress: Callable[[Progress], None] | None

    @cached_property
    def steps(self) -> Steps:
        return Steps(self.progress)

    def provenance(self, whole: Gold, held_out: Gold | None) -> dict[str, Json]:
        weight = self.class_weight
        return {
            "linnet": __version__,
            "data": whole.source,
            "examples": len(whole),
            "held_out": 0 if held_out is None else len(held_out),
            "seed": self.passes["seed"],
            "class_weight": weight if isinstance(weight, str) else dict(weight or {}) or None,
        }


@dataclass(frozen=True)
class _Job:
    """Data that are ready to learn from, the learner, and the steps after learning. The gold data are not here, so that
    memory is free while learning; finishers that need them hold them."""

    fitting: Fitting
    learning: Learning
    finishers: list[Finisher]
    held: Examples | None
    provenance: Mapping[str, Json]
    report: Mapping[str, Json]
    """What to add to the report of the learner."""
    parts: Mapping[str, Model] = field(default_factory=dict)
    """Models that the model has before its finishers: the reranker of a model that is gone on from."""

    def _learned(self, fit: Fit) -> Learned:
        weights = tuple(fit.weights or self.learning.weights())
        return Learned(fit, weights, {**fit.report(), **self.report}, self.parts)

    def model(self, fit: Fit) -> Model:
        """Make the model of what was learned, after all finishers."""
        return self._made(finished(self._learned(fit), self.finishers, self.fitting, self.learning))

    def model_so_far(self, fit: Fit) -> Model:
        """Make the model of what has been learned so far, for a checkpoint."""
        return self._made(self._learned(fit))

    def _made(self, learned: Learned) -> Model:
        created = datetime.now(UTC).isoformat(timespec="seconds")
        return self.fitting.model(self.learning, learned, {**self.provenance, "created": created})

    def fingerprint(self, asked: _Asked) -> int:
        """A checksum of the run: a run over other data or in another order has another one."""
        settings = asked.passes["seed"], asked.passes["shuffle"], asked.class_weight
        return fingerprint(self.fitting.features, self.fitting.examples, self.held, settings)


def _begun(data: Data, asked: _Asked) -> _Job:
    """Read data, and make them ready for a training that begins from nothing."""
    kind, options = configured(
        named(asked.task) if asked.task is not None else guess(data, asked.columns), asked.recipe.options
    )
    whole = read_gold(kind, data, asked.columns)
    training, held_out = _hold_out(kind, whole, asked)
    wanted = Recipe(kind, replace(asked.recipe, options=options), asked.class_weight, asked.passes)
    recipe, tried = _chosen(wanted, training, held_out, asked)
    fitting = recipe.prepare(training, asked.steps)
    learning = fitting.learning(recipe.plan)
    return _Job(
        fitting,
        learning,
        _finishers(recipe, learning, training, asked.rerank, asked.steps),
        None if held_out is None else fitting.further(held_out),
        asked.provenance(whole, held_out),
        {} if tried is None else {"tried": tried},
    )


def _gone_on(data: Data, asked: _Asked, start: Model | str | os.PathLike[str]) -> _Job:
    """Read data, and make them ready for a training that goes on from a model."""
    plan = asked.recipe
    for name, value in {"features": plan.features, "calibrate": plan.calibrate, "rerank": asked.rerank}.items():
        if value:
            raise UsageError(
                f"{name} can be chosen only when a model is first trained. Leave it out to go on from a model."
            )
    going_on = GoingOn(start, plan.learner or None, plan.options)
    kind = going_on.task(asked.task)
    whole = read_gold(kind, data, asked.columns, going_on.known)
    training, held_out = _hold_out(kind, whole, asked)
    fitting, learning = going_on.fitting(training, asked.class_weight)
    held = None if held_out is None else fitting.further(held_out)
    provenance = {**asked.provenance(whole, held_out), "start": dict(going_on.model.provenance)}
    return _Job(fitting, learning, [], held, provenance, {"start": going_on.said}, going_on.model.parts)


def _chosen(
    wanted: Recipe, training: Gold, held_out: Gold | None, asked: _Asked
) -> tuple[Recipe, list[dict[str, Json]] | None]:
    """The recipe that is wanted, completed by what suits the data where the user did not choose; and what `auto` tried."""
    plan = wanted.plan
    spec = plan.features or None
    if plan.learner == AUTO:
        found, tried = _resumed_plan(asked.resumed) or _searched(wanted, spec, training, held_out, asked.progress)
        return replace(wanted, plan=replace(found, calibrate=plan.calibrate or found.calibrate)), tried
    usual = wanted.task.plan(spec, training)
    if plan.learner:
        chosen = Plan(usual.features, preset(plan.learner).name, plan.options, plan.calibrate)
    else:
        calibrate = plan.calibrate or usual.calibrate
        chosen = replace(usual, options={**usual.options, **plan.options}, calibrate=calibrate)
    return replace(wanted, plan=chosen), None


def _searched(
    wanted: Recipe, spec: str | None, training: Gold, held_out: Gold | None, progress: Callable[[Progress], None] | None
) -> tuple[Plan, list[dict[str, Json]]]:
    """The plan that `auto` chooses, and the plans that it tried."""
    task, passes = wanted.task, wanted.passes
    if not isinstance(task, Searchable):
        raise UsageError(f"learner {AUTO!r} chooses for labels only, not for task {task.name!r}. Name a learner.")
    plan, tried = search(
        task,
        task.candidates(spec, training),
        training,
        held_out,
        seconds=checked(wanted.plan.options),
        seed=passes["seed"],
        class_weight=wanted.class_weight,
        epochs=passes["epochs"],
        progress=progress,
    )
    return plan, [item.report() for item in tried]


def _resumed_plan(path: str | os.PathLike[str] | None) -> tuple[Plan, list[dict[str, Json]]] | None:
    """The plan that `auto` chose in the run that a checkpoint is from, and the plans that it tried."""
    if path is None or not Path(path).exists():
        return None
    model = load(path)
    return Plan(str(model.features.spec), model.learner, model.options), list(model.report.get("tried", []))


def _finishers(recipe: Recipe, learning: Learning, gold: Gold, rerank: int | None, steps: Steps) -> list[Finisher]:
    """The steps after learning, in this order: thresholds, a reranker, calibration."""
    # Models of folds get the options that were found on all of the data, such as eta.
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


def _hold_out(kind: Task, whole: Gold, asked: _Asked) -> tuple[Gold, Gold | None]:
    """The examples to learn from, and the held-out examples, or None."""
    dev, seed = asked.dev, asked.passes["seed"]
    if dev is None:
        return whole, None
    if not isinstance(dev, float | int):
        return whole, read_gold(kind, dev, asked.columns, Known(whole.labels, whole.details))
    if not 0 < dev < 1:
        raise UsageError(f"expected the share to hold out to be between 0 and 1, found {dev}.")
    groups = groups_of(whole)
    group = np.arange(len(whole)) if groups is None else groups
    size = np.bincount(group)
    order = np.random.default_rng([seed, 0xDE7]).permutation(len(size))
    n = 1 + int(np.searchsorted(np.cumsum(size[order]), max(1, round(dev * len(whole)))))
    if n >= len(size):
        what = "examples" if groups is None else "groups"
        raise DataError(
            f"{whole.source}: {len(size)} {what} are too few to hold out a share of {dev:g}. Add examples, or train without "
            "dev."
        )
    held = np.isin(group, order[:n])
    return whole.part(np.flatnonzero(~held)), whole.part(np.flatnonzero(held))


def parse_class_weight(text: str) -> str | dict[str, float]:
    """Read class weights as they are typed: `balanced`, or `spam=5,ham=1`."""
    if "=" not in text:
        return text
    weights: dict[str, float] = {}
    for item in text.split(","):
        label, _, number = item.rpartition("=")
        try:
            weights[label] = float(number)
        except ValueError:
            raise UsageError(
                f"expected class-weight=balanced or class-weight=LABEL=NUMBER,..., found {item!r}."
            ) from None
    return weights
