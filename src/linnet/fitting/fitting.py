"""From gold examples to a model in four steps: prepare, learn, finish, model. Everything that learns takes these steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from linnet.core.blocks import Block
from linnet.core.form import Structure
from linnet.core.predictor import Predictor
from linnet.core.threads import check_wanted, few_at_once
from linnet.core.types import Json
from linnet.errors import DataError
from linnet.features.contract import Features
from linnet.features.sizes import Sizes
from linnet.fitting.contract import ClassWeight, Gold, Plan, Task, check_names
from linnet.fitting.other_kind import is_of_other_kind
from linnet.fitting.progress import SILENT, Steps
from linnet.fitting.student import MOST_OF_FOLDS, Student, Use
from linnet.learners import Examples, Fit, Learning, Preset
from linnet.learners import learner as named
from linnet.learners.preset import Options, Weights

if TYPE_CHECKING:
    from linnet.model.base import Model

R = TypeVar("R")
Spread: TypeAlias = Callable[[Preset], Preset]
"""A function that turns a learner into the one that is set to work, such as one that learns from shards (cluster/)."""


def _as_it_is(preset: Preset) -> Preset:
    return preset


@dataclass(frozen=True)
class Learned:
    """What a learner has learned, before it becomes a model. Finishers return a changed copy, and do not change weights in
    place that others may hold."""

    fit: Fit
    weights: tuple[Weights, ...]
    report: Mapping[str, Json]
    use: Use = Use.BOTH
    """Where there are examples without outputs, which of teacher and student has become the model."""
    parts: Mapping[str, Model] = field(default_factory=dict)
    """Models that belong to this one, by name, such as its `reranker`."""


class Finisher(Protocol):
    """A step between learning and the model: calibration, thresholds of labels, or a reranker."""

    @property
    def needs_learning(self) -> bool:
        """Whether this step needs the learner with all that it keeps about each example."""

    def finish(self, learned: Learned, fitting: Fitting, learning: Learning) -> Learned:
        """Return what was learned after this step."""


@dataclass(frozen=True)
class Problem:
    """What a learner has to know before it sees an example: the structure of the outputs, and the sizes of features. Every
    learner is started here, and nowhere else."""

    structure: Structure
    sizes: Sizes
    length2: float
    """The typical ||x||^2 of a place of block 0, the bias counted: the sizes of steps follow from it."""

    def learning(self, learner: str | Preset, options: Options) -> Learning:
        """A learner for this problem that has learned nothing yet."""
        return Learning(
            named(learner) if isinstance(learner, str) else learner,
            options,
            self.structure,
            self.sizes.n_features,
            self.length2,
            self.sizes.fields,
            sequences=self.sizes.sequences,
            numbers=self.sizes.numbers,
        )


@dataclass(frozen=True)
class Fitting:
    """Gold examples of a task made ready for any learner, with the features that were made from them."""

    task: Task
    features: Features
    labels: tuple[str, ...]
    details: Mapping[str, Json]
    examples: Examples
    problem: Problem
    spread: Spread = _as_it_is

    @property
    def structure(self) -> Structure:
        return self.problem.structure

    def further(self, gold: Gold) -> Examples:
        """Other gold examples of the same task, with the features that were made from the first ones."""
        return Examples(self.task.blocks(self.features, gold), gold.y, gold.y_at)

    def with_words(self, gold: Gold) -> Fitting:
        """These examples, followed by the words that speak for labels, as examples that weigh less."""
        found = self.task.words_of_labels(self.features, gold)
        if found is None:
            return self
        words, weights = found
        whole = self.examples.followed_by(replace(self.further(words), weight=weights))
        if not len(whole):
            raise DataError(
                "none of the words that speak for labels is a feature of these texts. Add texts that have some."
            )
        return replace(self, examples=whole, problem=replace(self.problem, length2=whole.length2()))

    def learning(self, plan: Plan) -> Learning:
        """The learner of a plan, ready for these examples; it has learned nothing yet."""
        return self.problem.learning(self.spread(named(plan.learner)), plan.options)

    def model(self, learning: Learning, learned: Learned, provenance: Mapping[str, Json] | None = None) -> Model:
        """Make a model from what was learned."""
        return self.task.model(
            features=self.features,
            labels=self.labels,
            weights=learned.weights,
            learner=learning.preset.name,
            options=learning.options,
            report=learned.report,
            provenance=provenance or {},
            details=self.details,
            parts=learned.parts,
        )


@dataclass(frozen=True)
class Recipe:
    """All choices that learning a model needs, so that one can be learned from any gold examples of the task."""

    task: Task
    plan: Plan
    class_weight: ClassWeight = None
    passes: Mapping[str, Json] = field(default_factory=dict)
    """How many passes to make over the examples, and in which order: the arguments epochs, seed, tol and shuffle of
    `Learning.run`."""
    spread: Spread = _as_it_is

    def prepare(self, gold: Gold, steps: Steps = SILENT) -> Fitting:
        """Make features from the gold examples, and make these ready for the learner."""
        found = prepare(self.task, self.plan.features, gold, self.class_weight, steps)
        return replace(found.with_words(gold), spread=self.spread)

    def learn(self, gold: Gold, steps: Steps = SILENT) -> Model:
        """Learn a model from gold examples. Raise KeyboardInterrupt if learning is interrupted: there is no half a model."""
        progress = steps.next()
        fitting = self.prepare(gold, steps)
        learning = fitting.learning(self.plan)
        fit = learning.run(fitting.examples, take=True, progress=progress, **self.passes)
        if fit.interrupted:
            raise KeyboardInterrupt(fit.stopped)
        student = self.student(fitting, gold)
        weights = fit.weights
        if student is not None:
            weights = Use.BOTH.of(weights, student.learned(fitting, learning, weights))
        return fitting.model(learning, Learned(fit, tuple(weights), {}))

    def student(self, fitting: Fitting, gold: Gold, most: int | None = None) -> Student | None:
        """The student that learns from the examples without outputs that gold examples have with them, or from at most so many,
        taken evenly. None without any, and for a learner whose weights cannot be added."""
        others = self.task.unlabelled(gold) if named(self.plan.learner).linear else None
        if others is None:
            return None
        if most is not None and len(others) > most:
            others = others.part(np.linspace(0, len(others) - 1, most).astype(np.int64))
        blocks = self.task.blocks(fitting.features, others)
        # Words that speak for labels may stand behind the gold examples.
        other_kind = self.task.chooses_student and is_of_other_kind(fitting.examples.blocks[0], len(gold), blocks[0])
        return Student(self.plan, self.passes, blocks, other_kind)

    def by_fold(
        self,
        gold: Gold,
        fold_of: npt.NDArray[np.int64],
        found: Callable[[Examples, Predictor], R],
        whole: Fitting | None = None,
        use: Use = Use.BOTH,
    ) -> Iterator[tuple[npt.NDArray[np.int64], R]]:
        """Yield for each fold its row numbers, and what is `found` for its examples with a predictor that has learned from all
        other folds. Examples of fold -1 are always learned from. Threads share the folds. Raise KeyboardInterrupt if learning
        is interrupted.

        whole: all examples, made ready. Where there are examples without outputs, the features are taken from there,
            and not made again for each fold: they were learned without looking at outputs.
        use: where there are examples without outputs, which of teacher and student predicts. Students learn from at most
            MOST_OF_FOLDS of these examples, so that what is found is, if anything, a little too low.
        """
        student = None if whole is None else self.student(whole, gold, MOST_OF_FOLDS)

        def of_fold(fold: int) -> tuple[npt.NDArray[np.int64], R]:
            rest, held = np.flatnonzero(fold_of != fold), np.flatnonzero(fold_of == fold)
            fitting, learning, weights = self.learned_without(gold.part(rest), None if student is None else whole)
            examples = fitting.further(gold.part(held))
            if student is not None:
                weights = use.of(weights, student.learned(fitting, learning, weights))
            return held, found(examples, Predictor(fitting.structure, learning.scorer(weights)))

        return few_at_once(of_fold, range(int(fold_of.max()) + 1))

    def learned_without(self, rest: Gold, whole: Fitting | None) -> tuple[Fitting, Learning, Sequence[Weights]]:
        """Learn from `rest`, the examples that are not held out, with features that are made from these alone, or with
        those of `whole` if it is given. Return the examples made ready, the learner, and its weights. Raise
        KeyboardInterrupt if learning is interrupted."""
        fitting = self.prepare(rest) if whole is None else self._again(whole, rest)
        learning = fitting.learning(self.plan)
        fit = learning.run(fitting.examples, take=True, **{"between": _still_wanted, **self.passes})
        if fit.interrupted:
            raise KeyboardInterrupt(fit.stopped)
        return fitting, learning, fit.weights

    def _again(self, whole: Fitting, gold: Gold) -> Fitting:
        """Some of the examples with the features of all."""
        structure, weights = self.task.weighted(whole.features, gold, self.class_weight)
        blocks = self.task.blocks_to_learn(whole.features, gold)
        found = fitting_of(self.task, whole.features, structure, blocks, gold, weights)
        return replace(found.with_words(gold), spread=self.spread)


def _still_wanted(fit: Fit) -> None:
    check_wanted()


def prepare(
    task: Task,
    spec: str,
    gold: Gold,
    class_weight: ClassWeight = None,
    steps: Steps = SILENT,
) -> Fitting:
    """Make the features of a specification from the gold examples, and make these ready for any learner."""
    features, blocks = task.fit(spec, gold, steps)
    structure, weights = task.weighted(features, gold, class_weight)
    return fitting_of(task, features, structure, blocks, gold, weights)


def fitting_of(
    task: Task,
    features: Features,
    structure: Structure,
    blocks: tuple[Block, ...],
    gold: Gold,
    weights: npt.NDArray[np.float32] | None = None,
) -> Fitting:
    """Make gold examples ready for any learner, where their blocks of feature values are there already."""
    examples = Examples(blocks, gold.y, gold.y_at, weights)
    problem = Problem(structure, task.model.sizes(features, structure), examples.length2())
    check_names(gold.labels)
    return Fitting(task, features, gold.labels, gold.details, examples, problem)


def finished(learned: Learned, finishers: Sequence[Finisher], fitting: Fitting, learning: Learning) -> Learned:
    """What was learned, after all finishers have done their step in turn. After Ctrl-C, the other steps are left out,
    and the report says so: what was learned is never lost."""
    for finisher in finishers:
        try:
            learned = finisher.finish(learned, fitting, learning)
        except KeyboardInterrupt:
            stopped = f"interrupted after learning, during the step {type(finisher).__name__.lower()!r}"
            return replace(learned, report={**learned.report, "stopped": stopped})
    return learned
