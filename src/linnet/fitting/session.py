"""Learning one example at a time: a session learns, predicts, takes back what it learned, and gives models on the way.

    session = linnet.load("reviews.linnet").session()
    session.learn("a fine film", "pos")
    session.predict("a dull film")
    session.undo()
    session.model().save("better.linnet")

Features, labels and weights grow with the examples. A lesson is one call of `learn`. What it does depends only on the lessons
before it, so `undo` starts from the last copy of the session that was kept, learns all lessons but the last again, and ends
with the same bits.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from linnet.core.form import Structure
from linnet.core.types import Data, Output, State
from linnet.errors import DataError, UsageError
from linnet.features.contract import Features
from linnet.fitting.changes import moved
from linnet.fitting.contract import ClassWeight, Gold, Known, Plan, Task
from linnet.fitting.fitting import Fitting, Problem, fitting_of
from linnet.fitting.kinds import F
from linnet.fitting.registry import TASKS
from linnet.fitting.traced import Changes
from linnet.io.python_values import lesson_of, values_of
from linnet.learners import Examples, Learning
from linnet.learners import learner as named
from linnet.learners.preset import Options
from linnet.learners.weights import Matrix
from linnet.learners.weights import blocks as blocks_of
from linnet.learners.widening import state_of, widened
from linnet.report.shown import Shown

if TYPE_CHECKING:
    from linnet.model.base import Model

TEACHER = "mira"
"""The learner that goes on from the weights of a learner that cannot go on itself. Its steps are as small as possible: just
large enough to correct the example."""
_USUAL = "averaged-mira"
"""The learner of a session that begins from nothing, where the usual learner of the task needs all examples at once."""
_LENGTH2 = 2.0
"""The ||x||^2 of a place that is assumed where it is not known: 1 for a row of length 1, and 1 for the bias."""
_EVERY = 50
"""The number of lessons after which a copy of the session is kept, for `undo` to start from."""
_KEPT = 4
"""The number of copies that are kept. To go back beyond the oldest, `undo` starts where the session began."""


class Session(Shown):
    """A model that goes on learning. `Session.begin` starts one from nothing, `Model.session` starts one from a model."""

    drawn_by: ClassVar[str] = "linnet.fitting.terminal:session_facts"

    def __init__(self, origin: Callable[[], Work], said: str = "") -> None:
        """`origin` makes what the session begins with; it is called again when `undo` goes back to the beginning."""
        self._origin = origin
        self._work = origin()
        self._lessons: list[tuple[Sequence[Data], Sequence[Output]]] = []
        self._points: list[_Point] = []
        self._model: Model | None = None
        self.said = said
        """What the session goes on from, in words for the user; "" where it goes on from all that was learned."""

    @classmethod
    def begin(
        cls,
        task: str | Task,
        X: Sequence[Data],
        Y: Sequence[Output],
        *,
        features: str | None = None,
        learner: str | None = None,
        options: Options | None = None,
        known: Known | None = None,
    ) -> Session:
        """Begin a session with these examples and no other knowledge. Labels need examples of at least two of them, unless they
        are `known` before, or the learner is a model of how examples come about, such as naive Bayes.

        >>> session = Session.begin("labels", ["good", "bad"], ["+", "-"], features="words:1")
        >>> session.learn("fine", "+")
        >>> session.predict("fine and good")
        '+'
        """
        kind = TASKS.named(task) if isinstance(task, str) else task
        gold = kind.read((list(X), list(Y)), kind.asks(Plan(features or "", learner or "")), known)
        usual = kind.plan(features, gold)
        plan = in_parts(usual) if learner is None else Plan(usual.features, learner)
        plan = replace(plan, options={**plan.options, **(options or {})})

        def origin() -> Work:
            return Work.begun(kind, plan, gold)

        return cls(origin)

    @classmethod
    def from_model(cls, model: Model, *, learner: str | None = None, options: Options | None = None) -> Session:
        """Begin a session that goes on from a model: from all that was learned, if the model has kept the state of its
        learning, and from its weights alone otherwise."""
        start = Start.from_model(model, learner, options)
        return cls(start.work, start.said)

    @property
    def labels(self) -> tuple[str, ...]:
        return self._work.known.labels

    @property
    def task(self) -> str:
        """The name of the task."""
        return self._work.task.name

    @property
    def learner(self) -> str:
        """The name of the learner that the session goes on with."""
        return self._work.learning.preset.name

    @property
    def features(self) -> Features:
        """The features as they are now; they grow with the lessons."""
        return self._work.features

    def _called_here(self) -> str:
        return "linnet session"

    def in_brief(self) -> str:
        found = f"{len(self.labels)} labels, {self.features.n_features:,} features ({self.features.spec})"
        return f"{self.learner}, {self.n_lessons} lessons, {found}"

    @property
    def n_lessons(self) -> int:
        """The number of lessons so far, each of which can be taken back."""
        return len(self._lessons)

    def learn(self, x: Data, y: Output) -> None:
        """Learn from one example and its right output, or from several in their order. An error leaves the session as it
        was."""
        if self._work.task.name != "own":  # whose inputs and outputs are anything
            x, y = lesson_of(x, y)
        lesson = ([x], [y]) if self._work.task.is_one(x) else (list(x), values_of(y))
        try:
            self._work.learn(*lesson)
        except BaseException:
            self._work, self._model = self._at(len(self._lessons)), None
            raise
        self._model = None
        self._lessons.append(lesson)
        if len(self._lessons) % _EVERY == 0:
            self._points = [*self._points[-_KEPT + 1 :], _Point(len(self._lessons), self._work.copied())]

    def teach(self, x: Data, y: Output, most: int = 20) -> Changes:
        """Learn from one example as `learn` does, and return which weights of its features have moved. most: the
        largest number of weights that are returned, those that moved most first. For a learner that is not linear there
        are none."""
        if not self._work.learning.preset.linear:
            self.learn(x, y)
            return Changes("w", 0, ())
        before = self._work.matrices()
        self.learn(x, y)
        return self._work.moved(before, x, y, most)

    def predict(self, x: Data) -> Output:
        """Predict the output of one example, or the outputs of several."""
        model: Any = self.current()
        if self._work.task.is_one(x):
            return model.predict([x])[0]
        return model.predict(list(x))

    def undo(self, lessons: int = 1) -> None:
        """Take back the last lesson, or so many. The session is then what it was before them, to the bit."""
        if lessons < 0:
            raise UsageError(f"expected a number of lessons to take back that is at least 0, found {lessons}.")
        n = len(self._lessons) - lessons
        if n < 0:
            raise UsageError(f"there is no lesson to take back: {len(self._lessons)} were learned in this session.")
        self._work, self._model = self._at(n), None
        del self._lessons[n:]
        self._points = [point for point in self._points if point.n <= n]

    def model(self) -> Model:
        """Return the model as it is now. The session goes on without changing it."""
        return self._work.copied().model()

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the model as it is now with the state of its learning, so that a session from that file goes on as this one.

        force: whether to replace a file that is not a model. Without it, raise UsageError.
        """
        model = self.current()
        replace(model, state=self._work.state()).save(path, force=force)

    def __reduce__(self) -> tuple[object, ...]:
        """A session pickles, and is copied, as its file has it. The lessons before can no longer be taken back."""
        arrays, numbers = self._work.state()
        state = {name: np.array(array) for name, array in arrays.items()}, numbers
        return Session.from_model, (replace(self.model(), state=state),)

    def current(self) -> Model:
        """The model as it is now, which shares its features with the session: it is good until the next lesson."""
        if self._model is None:
            self._model = self._work.model()
        return self._model

    def _at(self, n: int) -> Work:
        """What the session had learned after n lessons."""
        point = next((point for point in reversed(self._points) if point.n <= n), None)
        work = self._origin() if point is None else point.work.copied()
        for lesson in self._lessons[0 if point is None else point.n : n]:
            work.learn(*lesson)
        return work


@dataclass(frozen=True)
class _Point:
    """A copy of what a session had learned after n lessons."""

    n: int
    work: Work


@dataclass
class Work:
    """What changes when a session learns: features, labels and the learner."""

    task: Task
    features: Features
    known: Known
    learning: Learning
    length2: float
    """The typical ||x||^2 of a place, as `Problem` has it."""
    parts: Mapping[str, Model] = field(default_factory=dict)
    """Models that belong to the model and do not learn with it: its reranker."""

    @classmethod
    def begun(cls, task: Task, plan: Plan, gold: Gold) -> Work:
        """Learn from the first examples of a session."""
        features = task.begin(plan.features, gold)
        blocks = task.grow(features, gold)
        structure, _ = task.weighted(features, gold, None)
        fitting = fitting_of(task, features, structure, blocks, gold)
        learning = fitting.learning(plan)
        learning.partial(fitting.examples)
        known = Known(gold.labels, gold.details, grows=True)
        return cls(task, features, known, learning, fitting.problem.length2)

    def learn(self, X: Sequence[Data], Y: Sequence[Output]) -> None:
        """Learn from examples in their order; labels and features that are new in them are added."""
        examples = self.take_in(self.task.read((X, Y), {}, self.known))
        self.learning.partial(examples)

    def take_in(self, gold: Gold, class_weight: ClassWeight = None) -> Examples:
        """Make gold examples ready for the learner; labels and features that are new in them are added."""
        learning = self.learning if gold.labels == self.known.labels else self._widened(gold)
        known = Known(gold.labels, gold.details, grows=True)
        vars(self).update(learning=learning, known=known)  # Both at once, since Ctrl-C may come at any moment.
        blocks = self.task.grow(self.features, gold)
        self.make_room()
        _, weights = self.task.weighted(self.features, gold, class_weight)
        return Examples(blocks, gold.y, gold.y_at, weights)

    def matrices(self) -> list[Matrix]:
        """Copies of the weights of each block as they are now."""
        return [deepcopy(block) for block in blocks_of(self.learning.weights(), self.learning.gen)]

    def moved(self, before: Sequence[Matrix], x: Data, y: Output, most: int) -> Changes:
        """The weights that a lesson has moved, given those before it."""
        gold = self.task.read(([x], [y]), {}, self.known)
        words = self.task.notation(self.features, gold, self.learning.gen, 0)
        return moved(before, self.matrices(), self.task.blocks(self.features, gold), words, most)

    def make_room(self) -> None:
        """Make room for the weights of all features that have come up."""
        sizes = self.task.model.sizes(self.features, self.learning.gen)
        self.learning.grow(sizes.n_features, sizes.fields)

    def fitting(self, examples: Examples) -> Fitting:
        """What training works with, made from these examples and from what was learned so far."""
        known = self.known
        return Fitting(
            self.task, self.features, known.labels, known.details, examples, self._problem(self.learning.gen)
        )

    def _problem(self, gen: Structure) -> Problem:
        return Problem(gen, self.task.model.sizes(self.features, gen), self.length2)

    def _widened(self, gold: Gold) -> Learning:
        """The learner with room for new labels: one over the wider structure that takes over the state of the one before, in
        which each outcome has moved to its new number."""
        before, kind = self.learning, self.task.model
        gen, _ = self.task.weighted(self.features, gold, None)
        if len(gen.outcomes) != len(before.gen.outcomes):
            raise DataError(
                f"the session began with {len(self.known.labels)} labels, and {len(gold.labels)} labels have "
                "another structure. Begin with examples of at least two labels.",
                gold.source,
            )
        after = Known(gold.labels, gold.details)
        moved = kind.moved(self.known, after, (before.gen, gen))
        arrays, numbers = before.state()
        learning = self._problem(gen).learning(before.preset, before.options)
        learning.restore(widened(arrays, moved, gen.outcomes, learning.further_columns), numbers)
        return learning

    def state(self) -> State:
        """The state of learning: from it, learning goes on as if it had never stopped."""
        arrays, numbers = self.learning.state()
        return arrays, {"online": numbers, "length2": self.length2}

    def model(self) -> Model:
        """Make a model of what was learned so far."""
        learning = self.learning
        return self.task.model(
            features=self.features,
            labels=self.known.labels,
            weights=tuple(learning.weights()),
            learner=learning.preset.name,
            options=learning.options,
            report={"epochs": [], "stopped": f"{learning.online.t:,} examples, one after the other", "best": 0},
            details=self.known.details,
            parts=self.parts,
        )

    def copied(self) -> Work:
        """A copy that shares nothing with this one."""
        kind = self.task.model
        arrays, numbers = self.learning.state()
        features = copied_features(kind, self.features)
        twin = replace(self, features=features)
        twin.learning = twin._problem(self.learning.gen).learning(self.learning.preset, self.learning.options)
        twin.learning.restore(arrays, numbers)
        return twin


def copied_features(kind: type[Model[F]], features: F) -> F:
    """A copy of features that grows on its own. Models inside the features do not learn, and are shared."""
    arrays = {name: np.array(array) for name, array in features.arrays().items()}
    return kind.read_features(features.header(), arrays, kind.models_in(features))


@dataclass(frozen=True)
class Start:
    """A model that a session goes on from, with the learner and the options to go on with."""

    model: Model
    learner: str
    options: Options
    exact: bool
    """Whether the session goes on from the state of learning, and not from the weights alone."""
    said: str
    """What the session goes on from, in words for the user; "" where it goes on from all that was learned."""

    @classmethod
    def from_model(cls, model: Model, learner: str | None, options: Options | None) -> Start:
        """Choose how to go on from a model: as asked, or as the model was learned if that learner can go on."""
        preset = named(model.learner)
        if model.state is not None and (learner is None or named(learner) is preset) and not options:
            return cls(model, model.learner, model.options, True, "")
        if not preset.linear:
            raise UsageError(
                f"a model of learner {model.learner!r} can go on only from the state of its learning, which was not "
                "kept. Train it again with --set state=keep."
            )
        goes_on = not (preset.needs_all or preset.one_pass or preset.solver(model.options) is not None)
        own = {name: value for name, value in model.options.items() if name not in ("dropout", "runs")}
        chosen = learner or (model.learner if goes_on else TEACHER)
        chosen_options = {**(own if chosen == model.learner else {}), **(options or {})}
        return cls(model, chosen, chosen_options, False, f"goes on from the weights alone, by {chosen!r}")

    def work(self) -> Work:
        """A copy of what the model has learned, ready to go on learning."""
        model = self.model
        task = model.own_task()
        features = copied_features(type(model), model.features)
        known = Known(model.labels, model.details, grows=True)
        gen, _ = task.weighted(features, known, None)
        state = model.state
        length2 = float(state[1].get("length2", _LENGTH2)) if state is not None else _LENGTH2
        problem = Problem(gen, task.model.sizes(features, gen), length2)
        learning = problem.learning(self.learner, self.options)
        if self.exact and state is not None:
            learning.restore(state[0], state[1]["online"])
        else:
            learning.begin_with(state_of(model.weights, gen.outcomes))
        return Work(task, features, known, learning, length2, model.parts)


def in_parts(plan: Plan) -> Plan:
    """The plan of a session: that of training, if its learner learns one example at a time; otherwise its features with
    the usual learner of sessions."""
    options = {name: value for name, value in plan.options.items() if name != "runs"}
    return Plan(plan.features, _USUAL) if named(plan.learner).needs_all else Plan(plan.features, plan.learner, options)
