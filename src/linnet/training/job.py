"""What a training was asked for, the job that it makes of data, and how a job is run: with checkpoints, to a model."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from linnet import __version__
from linnet.core.memory import give_back
from linnet.core.room import Room
from linnet.core.types import Array, Data, Json
from linnet.fitting.contract import ClassWeight, Columns, Gold, Plan
from linnet.fitting.fitting import Finisher, Fitting, Learned, Spread, finished
from linnet.fitting.progress import Steps
from linnet.learners import Examples, Fit, Learning, Progress
from linnet.learners.learning import end_of
from linnet.model import Model
from linnet.training.checkpoint import Checkpoints, fingerprint
from linnet.training.estimate import judged_by
from linnet.training.kept_state import check_state, state_of

if TYPE_CHECKING:
    from linnet.fitting.notation import Notation
    from linnet.fitting.trace import Tracer
    from linnet.fitting.traced import Step

AUTO = "auto"
"""The name of the learner that looks for the best plan (auto.py)."""
MOST = 40
"""The number of changes of a step that are kept, if nobody asks for more: those that are largest."""


@dataclass(frozen=True)
class Asked:
    """What the user asked for, as arguments of `train`."""

    task: str | None
    recipe: Plan
    """The features, learner and options of the user; features and learner are "" where the user did not choose."""
    passes: dict[str, Json]
    columns: Columns
    class_weight: ClassWeight
    dev: Data | float | None
    patience: int
    refit: bool
    estimate: bool
    rerank: int | None
    checkpoint: str | os.PathLike[str] | None
    resume: bool
    """Whether to go on from the checkpoint that an earlier run has left."""
    keep_state: bool
    keep_support: bool
    most: int | None
    """The largest number of features; None where it is not bounded."""
    room: Room | None
    """Where data are kept that are more than memory holds; None: all are kept in memory."""
    progress: Callable[[Progress], None] | None
    watch: Callable[[Step], bool] | None
    """A function that is called with each step of the learning that becomes the model, until it returns False; None
    where nobody watches."""
    shards: int | None
    """The number of shards that the examples are learned from; None for learning from all of them at once."""
    spread: Spread | None
    """What turns a learner into the one that learns from shards; None where there are none."""
    named: Data
    """The data as the user named them, which may be among the unlabelled ones; None where they were not asked for."""
    unlabelled: Data
    """Examples without outputs to learn from, too; None where there are none."""
    lexicon: Mapping[str, tuple[str, ...]] | None
    """Words that speak for each label; None where there are none."""
    notes: list[str]
    """What reading the data has brought to light, in words for the user."""
    given: Mapping[str, Json]
    """All that decides what is learned and is not the default, by the names of the arguments of `train`."""

    @property
    def refits(self) -> bool:
        """Whether a share of the data is held out at first, and learned from in the end."""
        return self.refit and isinstance(self.dev, float | int)

    @cached_property
    def steps(self) -> Steps:
        return Steps(self.progress)

    def said(self) -> dict[str, Json]:
        """The notes of the readers, for the report."""
        return {"notes": list(self.notes)} if self.notes else {}

    def provenance(self, whole: Gold, held_out: int) -> dict[str, Json]:
        weight = self.class_weight
        return {
            "linnet": __version__,
            "data": whole.source,
            "examples": len(whole),
            "held_out": held_out,
            "seed": self.passes["seed"],
            "class_weight": weight if isinstance(weight, str) else dict(weight or {}) or None,
            "asked": self.given,
        }


@dataclass(frozen=True)
class Trial:
    """What was found with a share of the data held out, for the training on all data that follows."""

    plan: Plan
    epochs: int
    """The number of epochs after which the held-out share was predicted best."""
    report: Mapping[str, Json]
    """What the report of the final model says about the trial."""
    held_out: int
    """The number of examples that were held out."""


@dataclass(frozen=True)
class Job:
    """Data that are ready to learn from, the learner, and the steps after learning. The gold data are not here, so that
    memory is free while learning; finishers that need them hold them."""

    fitting: Fitting
    plan: Plan
    learning: Learning
    taught: Sequence[Finisher]
    """The steps that belong to learning: a student that learns from examples without outputs, if there are any."""
    finishers: list[Finisher]
    held: Examples | None
    provenance: Mapping[str, Json]
    report: Mapping[str, Json]
    """What to add to the report of the learner."""
    keep_state: bool
    notation: Callable[[int], Notation] | None
    """The words for the numbers of each example, for which the gold data are kept; None where nobody watches."""
    parts: Mapping[str, Model] = field(default_factory=dict)
    """Models that the model has before its finishers: the reranker of a model that is gone on from."""
    begins_with: tuple[Array, ...] = ()
    """The weights of the model that is gone on from; () where learning begins from nothing."""

    def _learned(self, fit: Fit) -> Learned:
        weights = tuple(fit.weights or self.learning.weights())
        return Learned(fit, weights, {**fit.report(), **self.report}, parts=self.parts)

    def model(self, fit: Fit) -> Model:
        """Make the model of what was learned, after all finishers."""
        state = state_of(self.learning, self.fitting.problem.length2) if self.keep_state else None
        learned = finished(self._learned(fit), self.taught, self.fitting, self.learning)
        give_back()
        learned = replace(learned, report={**learned.report, **self._judged(learned)})
        give_back()
        learned = finished(learned, self.finishers, self.fitting, self.learning)
        give_back()
        return replace(self._made(learned), state=state)

    def model_so_far(self, fit: Fit) -> Model:
        """Make the model of what has been learned so far, for a checkpoint, which takes memory: so what learning has in memory
        of numbers that are kept in files is given back before."""
        self.fitting.examples.blocks[0].give_back()
        return self._made(self._learned(fit))

    def trial(self, fit: Fit) -> Trial:
        """What this run has found on its held-out share."""
        learned = finished(self._learned(fit), self.taught, self.fitting, self.learning)
        report = {"trial": fit.report(), **self.report, **self._judged(learned)}
        plan = replace(self.plan, options=dict(self.learning.options))
        return Trial(plan, fit.best, report, self.provenance["held_out"])

    def tracer(self, most: int | None = MOST) -> Tracer:
        """What says in words what the learner does, step by step. most: the number of changes that are kept of a step."""
        from linnet.fitting.trace import Tracer

        assert self.notation is not None
        return Tracer(self.learning, self.fitting.examples, self.notation, most)

    def _judged(self, learned: Learned) -> dict[str, Json]:
        """What the held-out examples say about the model, for the report."""
        if self.held is None:
            return {}
        return judged_by(self.fitting, self.learning, learned.weights, self.held)

    def _made(self, learned: Learned) -> Model:
        return self.fitting.model(self.learning, learned, self.provenance)

    def identified(self, asked: Asked) -> Job:
        """The job with its checksum in the provenance of the model."""
        return replace(self, provenance={**self.provenance, "fingerprint": f"{self.fingerprint(asked):08x}"})

    def fingerprint(self, asked: Asked) -> int:
        """A checksum of the run: a run over other data, in another order or from another model has another one."""
        shards = () if asked.shards is None else (asked.shards,)
        details = sorted(self.fitting.details.items())
        settings = asked.passes["seed"], asked.passes["shuffle"], asked.class_weight, details, *shards
        return fingerprint(self.fitting.features, self.fitting.examples, self.held, settings, self.begins_with)


def run(job: Job, asked: Asked, *, further: bool = False) -> Fit:
    """Learn, and write checkpoints on the way. `further`: go on from what the model to start from has learned."""
    if job.keep_state:
        check_state(job.learning)
    give_back()
    kept = Checkpoints(asked.checkpoint, job.learning, job.model_so_far, int(job.provenance["fingerprint"], 16))
    course = job.learning.course(
        job.fitting.examples,
        **asked.passes,
        dev=job.held,
        patience=asked.patience,
        fit=kept.resumed(asked.passes["epochs"]) if asked.resume else None,
        further=further,
        take=not job.keep_state and not any(finisher.needs_learning for finisher in job.finishers),
        measure=not further,
        progress=asked.steps.one(job.fitting.task.model.called),
        between=kept.between,
        after_epoch=None if asked.shards is None else kept.after_epoch,
    )
    return end_of(course) if asked.watch is None else job.tracer().tell(course, asked.watch)
