"""From data to a model: read, hold out, choose a plan, prepare, learn, finish."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import numpy as np

from linnet.core.long_arrays import counts
from linnet.core.room import Room
from linnet.core.threads import limited
from linnet.core.types import Data, Json
from linnet.errors import DataError, LinnetError, UsageError
from linnet.evaluate.folds import groups_of
from linnet.features import TextFeatures
from linnet.features.contract import Features
from linnet.fitting.contract import Columns, Gold, Known, Plan, Searchable, Task
from linnet.fitting.fitting import Finisher, Fitting, Recipe
from linnet.fitting.reading import read_gold
from linnet.io.python_values import brought
from linnet.learners import Learning
from linnet.learners import learner as preset
from linnet.model import Model
from linnet.tasks import load, task_for
from linnet.tasks.defaults import Defaults
from linnet.tasks.problems import problems_of
from linnet.tasks.texts.lexicon import texts_alone, words_of
from linnet.tasks.texts.unlabelled import apart
from linnet.training.checkpoint import was_interrupted
from linnet.training.estimate import estimates
from linnet.training.given import given_of, in_files
from linnet.training.how import How
from linnet.training.job import AUTO, Asked, Job, Trial, run
from linnet.training.taught import taught

if TYPE_CHECKING:
    from distributed import Client

    from linnet.fitting.notation import Notation


_MOST_LOOKED_AT = 100_000
"""The largest number of examples that are looked through for problems, such as repeated texts."""


_SAID_BY_TRIAL = ("trial", "tried", "counts", "notes", "problems", "expected", "sureness")
"""The entries of the report of a model that come from a trial with a share of the data held out."""


@contextmanager
def training(data: Data, labels: Data = None, *, task: str | None = None, **how: Unpack[How]) -> Iterator[Model]:
    """Train as `train` does, and yield the model, which may be saved in the block. The checkpoint is removed when the block has
    ended; it is kept if the training was interrupted, or if the block raises, so that nothing is lost."""
    model = _model_of(data, labels, task, how)
    yield model
    checkpoint = how.get("checkpoint")
    if checkpoint is not None and not was_interrupted(model):
        Path(checkpoint).unlink(missing_ok=True)


def _model_of(data: Data, labels: Data, task: str | None, how: How) -> Model:
    asked, start = asked_for(task, **how), how.get("start")
    asked = replace(asked, given={"data": in_files(data) if labels is None else None, **asked.given}, named=data)
    data = brought(data if asked.lexicon is None or labels is not None else texts_alone(data), labels)
    with (
        limited(how.get("threads")),
        noted(asked.notes),
        spread(asked, how.get("cluster"), how.get("tls"), start) as asked,
    ):
        if start is None:
            return _trained(data, asked)
        job = _gone_on(data, asked, start)
        return job.model(run(job, asked, further=True))


def asked_for(task: str | None, **how: Unpack[How]) -> Asked:
    """What the user asked for, with the defaults of `train`."""
    epochs, dev = how.get("epochs"), how.get("dev")
    if epochs is not None and epochs < 1:
        raise UsageError(f"expected at least one epoch, found {epochs}.")
    notes: list[str] = []
    files = {name: how.get(name) for name in ("format", "encoding", "delimiter")}
    return Asked(
        task=task,
        recipe=Plan(
            how.get("features") or "", how.get("learner") or "", how.get("options") or {}, how.get("calibrate")
        ),
        passes={
            "epochs": epochs,
            "seed": how.get("seed", 0),
            "tol": how.get("tol", 1e-3),
            "shuffle": how.get("shuffle", True),
        },
        columns={"text_col": how.get("text"), "label_col": how.get("label"), **files, "note": notes.append},
        class_weight=how.get("class_weight"),
        dev=dev if dev is None or isinstance(dev, float | int) else brought(dev),
        patience=how.get("patience", 3),
        refit=how.get("refit", True),
        estimate=how.get("estimate", True),
        rerank=how.get("rerank"),
        checkpoint=how.get("checkpoint"),
        resume=how.get("resume", False),
        keep_state=how.get("keep_state", False),
        keep_support=how.get("keep_support", False),
        most=how.get("most"),
        room=room_for(how.get("memory"), how.get("checkpoint")),
        progress=how.get("progress"),
        watch=how.get("watch"),
        shards=_shards(how.get("cluster"), how.get("shards")),
        spread=None,
        named=None,
        unlabelled=how.get("unlabelled"),
        lexicon=words_of(how.get("lexicon")),
        notes=notes,
        given=given_of({"task": task, **how, "shards": _shards(how.get("cluster"), how.get("shards"))}),
    )


def room_for(memory: str | Room | None, checkpoint: str | os.PathLike[str] | None) -> Room | None:
    """Where data are kept that are more than memory holds; None where all are to be in memory."""
    if isinstance(memory, Room):
        return memory
    if memory not in (None, "rows", "all"):
        raise UsageError(f"expected memory=rows or memory=all, found {memory!r}.")
    folder = tempfile.gettempdir() if checkpoint is None else Path(checkpoint).absolute().parent
    return None if memory == "all" else Room(folder, 0 if memory == "rows" else None)


@contextmanager
def noted(notes: list[str]) -> Iterator[None]:
    """Add the notes of the readers to an error of linnet that is raised in the block, as they may explain it."""
    try:
        yield
    except LinnetError as error:
        for note in notes:
            error.add_note(note)
        raise


_USUAL_SHARDS = 16
"""The number of shards where a cluster is asked for and no number is."""


def _shards(cluster: str | Client | None, shards: int | None) -> int | None:
    return _USUAL_SHARDS if shards is None and cluster is not None else shards


@contextmanager
def spread(
    asked: Asked,
    cluster: str | Client | None,
    tls: tuple[str, str, str] | None,
    start: Model | str | os.PathLike[str] | None,
) -> Iterator[Asked]:
    """What is asked for, completed by what makes learners learn from shards, if there are any. The connection to a
    cluster is open inside the block."""
    if asked.shards is None:
        if tls is not None:
            raise UsageError("certificates are for a cluster. Add its address, or leave them out.")
        yield asked
        return
    others = {
        "a model to go on from": start is not None,
        "a trace": asked.watch is not None,
        "state=keep": asked.keep_state,
        f"learner {AUTO!r}": asked.recipe.learner.casefold() == AUTO,
    }
    for what, wanted in others.items():
        if wanted:
            raise UsageError(f"{what} is for learning on one machine. Leave it out, or the cluster and the shards.")
    from linnet.cluster.spreading import spreading

    with spreading(cluster, asked.shards, shuffle=asked.passes["shuffle"], tls=tls) as how:
        yield replace(asked, spread=how)


def _trained(data: Data, asked: Asked) -> Model:
    """Train a model from nothing."""
    found = job_of(data, asked)
    if isinstance(found, Model):
        return found
    job, last = found
    return job.model(run(job, last))


def job_of(data: Data, asked: Asked) -> tuple[Job, Asked] | Model:
    """The job that makes the model, and what it is asked for. Where a share of the data is held out at first, a model
    is learned without that share here, and decides how all of the data are to be learned; if this is interrupted,
    return that model as it is."""
    kind, options = task_for(asked.task, data, asked.columns, asked.recipe.options)
    _check_bounded(kind, asked.most)
    asked = replace(asked, columns={**asked.columns, **kind.asks(asked.recipe), **_kept_by(kind, asked)})
    own, others = (False, None) if asked.unlabelled is None else apart(asked.named, asked.unlabelled)
    asked = replace(asked, columns={**asked.columns, **({"may_lack": True} if own else {})})
    whole = _with_unlabelled(kind, _read(kind, data, asked), data if own else None, others, asked)
    whole = _with_lexicon(kind, whole, asked)
    wanted = Recipe(kind, replace(asked.recipe, options=options), asked.class_weight, asked.passes)
    if asked.spread is not None:
        wanted = replace(wanted, spread=asked.spread)
    if not asked.refits:
        return _begun(wanted, whole, asked), asked
    trial = _resumed_trial(wanted, whole, asked)
    if trial is None:
        first = replace(asked, watch=None)
        job = _begun(wanted, whole, first)
        fit = run(job, first)
        if fit.interrupted:
            return job.model(fit)
        trial = job.trial(fit)
        asked = replace(asked, resume=False)
    last = replace(asked, dev=None, passes={**asked.passes, "epochs": trial.epochs})
    return _begun(replace(wanted, plan=trial.plan, passes=last.passes), whole, last, trial), last


def _begun(wanted: Recipe, whole: Gold, asked: Asked, trial: Trial | None = None) -> Job:
    """Make data ready for a training that begins from nothing. `trial`: what was found with a share of the data held out."""
    training, held_out = _hold_out(wanted.task, whole, asked)
    recipe, tried = (wanted, None) if trial is not None else _chosen(wanted, training, held_out, asked)
    fitting = recipe.prepare(training, asked.steps)
    learning = fitting.learning(recipe.plan)
    tries = asked.refits  # Whether this is a trial. The finishers are for the model that follows it.
    # Models of folds, and students, get the options that were found on all of the data, such as eta.
    again = replace(recipe, plan=replace(recipe.plan, options=dict(learning.options)))
    finishers = [] if tries else _finishers(again, learning, training, asked, is_judged=trial is not None)
    report = trial.report if trial is not None else {} if tried is None else {"tried": tried}
    if wanted.task.per_place:
        report = {**report, "counts": counts(whole.y, len(whole.labels)).tolist()}
    asked.notes.extend(note for note in _notes(fitting.features) if note not in asked.notes)
    if asked.lexicon is not None:
        report = {**report, "lexicon": {"examples": len(fitting.examples) - len(training)}}
    report = {**report, **asked.said()}
    if wanted.task.n_unlabelled(whole):
        report = {**report, "unlabelled": {"examples": wanted.task.n_unlabelled(whole)}}
    if trial is None and 0 < len(whole) <= _MOST_LOOKED_AT:
        report = {**report, "problems": problems_of(wanted.task, whole)}
    held = None if held_out is None else fitting.further(held_out)
    keep_state = asked.keep_state and not tries
    n_held = trial.held_out if trial is not None else 0 if held_out is None else len(held_out)
    provenance = asked.provenance(whole, n_held)
    notation = None if asked.watch is None else notation_of(fitting, training)
    student = taught(again, training)
    job = Job(fitting, recipe.plan, learning, student, finishers, held, provenance, report, keep_state, notation)
    return job.identified(asked)


def _read(kind: Task, data: Data, asked: Asked) -> Gold:
    """The gold examples of data, or none where these have no outputs and words speak for labels."""
    bare: Gold | None = None if asked.lexicon is None else kind.without_labels(data, asked.columns, list(asked.lexicon))
    return read_gold(kind, data, asked.columns) if bare is None else bare


def _with_lexicon(kind: Task, gold: Gold, asked: Asked) -> Gold:
    """The gold examples with the words that speak for labels."""
    if asked.lexicon is None:
        return gold
    others = {
        "memory=rows": asked.room is not None and asked.room.on_disk,
        "shards": asked.spread is not None,
        "support=keep": asked.keep_support,
        "a trace": asked.watch is not None,
    }
    for what, wanted in others.items():
        if wanted:
            raise UsageError(f"words that speak for labels do not go with {what}. Leave out one of the two.")
    found: Gold = kind.with_lexicon(gold, asked.lexicon)
    return found


def _with_unlabelled(kind: Task, gold: Gold, own: Data, others: Data, asked: Asked) -> Gold:
    """The gold examples with the examples without outputs that there are: rows of the data themselves, and others."""
    if asked.unlabelled is None:
        return gold
    if asked.spread is not None or (asked.room is not None and asked.room.on_disk):
        raise UsageError(
            "where there are unlabelled examples, labelled ones are few, and kept in memory, on one machine. Leave out "
            "memory=rows and the shards."
        )
    found: Gold = kind.with_unlabelled(gold, own, others, asked.columns)
    return found


def _notes(features: Features) -> list[str]:
    """What the user should know of the choice of features."""
    return features.notes if isinstance(features, TextFeatures) else []


def _may_be_large(kind: Task) -> bool:
    """Whether the features of a task can be kept in files, and their number can be bounded."""
    return isinstance(kind, Defaults) and kind.may_be_large


def _kept_by(kind: Task, asked: Asked) -> Columns:
    """Where a task keeps its data. UsageError where they are to be in files, and the task keeps all of them in memory."""
    if _may_be_large(kind):
        return {"room": asked.room}
    if asked.room is not None and asked.room.on_disk:
        raise UsageError(
            f"memory=rows is for texts and tags; task {kind.name!r} keeps all data in memory. Leave it out."
        )
    return {}


def notation_of(fitting: Fitting, gold: Gold) -> Callable[[int], Notation]:
    """The words for the numbers of each example."""
    return lambda i: fitting.task.notation(fitting.features, gold, fitting.structure, i)


def _gone_on(data: Data, asked: Asked, start: Model | str | os.PathLike[str]) -> Job:
    """Read data, and make them ready for a training that goes on from a model."""
    from linnet.training.going_on import GoingOn

    plan = asked.recipe
    if asked.room is not None and asked.room.on_disk:
        raise UsageError("memory=rows is for the first training of a model. Leave it out to go on from a model.")
    chosen = {"features": plan.features, "most": asked.most, "calibrate": plan.calibrate, "rerank": asked.rerank}
    data_too = {"unlabelled": asked.unlabelled is not None, "lexicon": asked.lexicon is not None}
    for name, value in {**chosen, **data_too}.items():
        if value:
            raise UsageError(
                f"{name} can be chosen only when a model is first trained. Leave it out to go on from a model."
            )
    going_on = GoingOn(start, plan.learner or None, plan.options)
    kind = going_on.task(asked.task)
    asked = replace(asked, columns={**asked.columns, **kind.asks(going_on.plan())})
    whole = read_gold(kind, data, asked.columns, going_on.known)
    training, held_out = _hold_out(kind, whole, asked)
    fitting, learning = going_on.fitting(training, asked.class_weight)
    held = None if held_out is None else fitting.further(held_out)
    provenance = {**asked.provenance(whole, 0 if held is None else len(held)), "start": dict(going_on.model.provenance)}
    report, parts = {"start": going_on.said, **asked.said()}, going_on.model.parts
    if len(whole) <= _MOST_LOOKED_AT:
        report["problems"] = problems_of(kind, whole, going_on.known.labels)
    plan = replace(plan, learner=learning.preset.name)
    notation = None if asked.watch is None else notation_of(fitting, training)
    begins_with = going_on.model.weights
    job = Job(fitting, plan, learning, [], [], held, provenance, report, asked.keep_state, notation, parts, begins_with)
    return job.identified(asked)


def _chosen(
    wanted: Recipe, training: Gold, held_out: Gold | None, asked: Asked
) -> tuple[Recipe, list[dict[str, Json]] | None]:
    """The recipe that is wanted, completed by what suits the data where the user did not choose; and what `auto` tried."""
    plan = wanted.plan
    spec = plan.features or None
    if plan.learner.casefold() == AUTO:
        found, tried = _resumed_plan(asked) or _searched(wanted, spec, training, held_out, asked)
        return replace(wanted, plan=replace(found, calibrate=_calibrated(wanted, training))), tried
    usual = wanted.task.plan(spec, training)
    if plan.learner:
        chosen = Plan(usual.features, preset(plan.learner).name, plan.options, plan.calibrate)
    else:
        chosen = replace(usual, options={**usual.options, **plan.options}, calibrate=_calibrated(wanted, training))
    return replace(wanted, plan=_bounded(chosen, asked.most)), None


def _check_bounded(kind: Task, most: int | None) -> None:
    """Raise UsageError where the number of features is to be bounded, and the task has no such features."""
    if most is not None and not _may_be_large(kind):
        raise UsageError(f"most=N is for features of texts and tags, not for task {kind.name!r}. Leave it out.")


def _bounded(plan: Plan, most: int | None) -> Plan:
    """The plan with at most so many features."""
    return plan if most is None else replace(plan, features=f"{plan.features} most={most}")


def _calibrated(wanted: Recipe, gold: Gold) -> str | None:
    """How scores are to be calibrated: as the user says or, where the learner is not of the user's choice, as is usual."""
    plan = wanted.plan
    own_choice = plan.learner and plan.learner.casefold() != AUTO
    return plan.calibrate if plan.calibrate or own_choice else wanted.task.plan(plan.features or None, gold).calibrate


def _searched(
    wanted: Recipe, spec: str | None, training: Gold, held_out: Gold | None, asked: Asked
) -> tuple[Plan, list[dict[str, Json]]]:
    """The plan that `auto` chooses, and the plans that it tried."""
    from linnet.training.auto import checked, search

    task, passes = wanted.task, wanted.passes
    if not isinstance(task, Searchable):
        usual = task.plan(spec, training).learner
        raise UsageError(
            f"task {task.name!r} has one plan, so there is nothing for learner {AUTO!r} to choose from. Leave the learner "
            f"out, which takes {usual!r}, or name one."
        )
    plan, tried = search(
        task,
        [_bounded(plan, asked.most) for plan in task.candidates(spec, training)],
        training,
        held_out,
        seconds=checked(wanted.plan.options),
        seed=passes["seed"],
        class_weight=wanted.class_weight,
        epochs=passes["epochs"],
        progress=asked.progress,
    )
    return plan, [item.report() for item in tried]


def _resumed_plan(asked: Asked) -> tuple[Plan, list[dict[str, Json]]] | None:
    """The plan that `auto` chose in the run that a checkpoint is from, and the plans that it tried."""
    model = _resumed_model(asked)
    if model is None:
        return None
    return Plan(str(model.features.spec), model.learner, model.options), list(model.report.get("tried", []))


def _resumed_trial(wanted: Recipe, whole: Gold, asked: Asked) -> Trial | None:
    """What was found with a share held out, if the checkpoint is from the training on all data that followed; else None."""
    model = _resumed_model(asked)
    if model is None or "trial" not in model.report:
        return None
    plan = Plan(str(model.features.spec), model.learner, model.options, _calibrated(wanted, whole))
    report = {name: said for name, said in model.report.items() if name in _SAID_BY_TRIAL}
    return Trial(plan, model.report["trial"]["best"], report, model.provenance["held_out"])


def _resumed_model(asked: Asked) -> Model | None:
    """The model in the checkpoint that this run goes on from, if there is one."""
    path = asked.checkpoint
    return load(path) if asked.resume and path is not None and Path(path).exists() else None


def _finishers(recipe: Recipe, learning: Learning, gold: Gold, asked: Asked, is_judged: bool) -> list[Finisher]:
    """The steps after learning, in this order: the support vectors, thresholds, a reranker, calibration, and an estimate of how
    right the model is, unless a held-out part has judged it already."""
    finishers: list[Finisher] = []
    # Each is imported where it is wanted: most trainings end with an estimate alone.
    if asked.keep_support:
        from linnet.training.support import KeptSupport

        finishers.append(KeptSupport(gold, learning))
    measure = recipe.task.measure_of(learning.preset, gold)
    if measure:
        from linnet.training.thresholds import Thresholds

        finishers.append(Thresholds(measure, recipe, gold, learning))
    if asked.rerank is not None:
        from linnet.training.reranking import Reranking

        finishers.append(Reranking(asked.rerank, recipe, gold, asked.steps))
    if recipe.plan.calibrate:
        from linnet.training.calibration import Calibration

        finishers.append(Calibration(recipe.plan.calibrate, recipe, gold, learning))
    if asked.estimate and asked.dev is None and not is_judged:
        finishers += estimates(recipe, gold, learning)
    return finishers


def _hold_out(kind: Task, whole: Gold, asked: Asked) -> tuple[Gold, Gold | None]:
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
    # 0xDE7 ("dev") gives other random numbers than those of the epochs, which have the same seed.
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
