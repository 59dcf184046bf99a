"""Learning one example at a time: a session learns, predicts, takes back what it learned, and gives models on the way.

    session = linnet.load("reviews.linnet").session()
    session.learn("a fine film", "pos")
    session.predict("a dull film")
    session.undo()
    session.model().save("better.linnet")

Features, labels and weights grow with the examples. What a lesson does follows from the lessons before it alone, so `undo`
learns all lessons but the last again from the nearest point that was kept, and ends with the same bits.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from linnet.core.form import Structure
from linnet.core.types import Data, Output, State
from linnet.errors import DataError, UsageError
from linnet.features.contract import Features
from linnet.fitting.contract import ClassWeight, F, Gold, Known, Plan, Task
from linnet.fitting.fitting import Fitting, fitting_of
from linnet.fitting.problem import Problem
from linnet.fitting.registry import TASKS
from linnet.learners import Examples, Learning
from linnet.learners import learner as named
from linnet.learners.preset import Options, Preset
from linnet.learners.widening import state_of, widened

if TYPE_CHECKING:
    from linnet.model.base import Model

_TEACHER = "mira"
"""The learner that goes on from the weights of a learner that cannot: each step is as short as corrects the example."""
_USUAL = "averaged-mira"
"""The learner of a session that begins from nothing, where the usual one of the task needs all examples at once."""
_LENGTH2 = 2.0
"""The ||x||^2 of a place where it is not known: that of a row of length 1, the bias counted."""
_EVERY = 50
"""The number of lessons after which the session is kept as it is, for `undo` to begin from."""
_KEPT = 4
"""The number of such points that are kept. To go farther back, `undo` begins where the session began."""


class Session:
    """A model that goes on learning. `begin` starts one from nothing, `Model.session` from a model."""

    def __init__(self, origin: Callable[[], Work], said: str = "") -> None:
        self._origin = origin
        self._work = origin()
        self._lessons: list[tuple[Sequence[Data], Sequence[Output]]] = []
        self._points: list[_Point] = []
        self._model: Model | None = None
        self.said = said
        """What the session goes on from, in a sentence; "" where it goes on from all that was learned."""

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
    ) -> Session:
        """A session that begins with these examples, and knows nothing else. Labels need at least two of them.

        >>> session = Session.begin("labels", ["good", "bad"], ["+", "-"], features="words:1")
        >>> session.learn("fine", "+")
        >>> session.predict("fine and good")
        '+'
        """
        kind = TASKS.named(task) if isinstance(task, str) else task
        gold = kind.read((list(X), list(Y)), {})
        usual = kind.plan(features, gold)
        plan = _in_parts(usual) if learner is None else Plan(usual.features, learner)
        plan = replace(plan, options={**plan.options, **(options or {})})

        def origin() -> Work:
            return Work.begun(kind, plan, gold)

        return cls(origin)

    @classmethod
    def of_model(cls, model: Model, *, learner: str | None = None, options: Options | None = None) -> Session:
        """A session that goes on from a model: from all that was learned, where the model has kept the state of its learning,
        else from its weights alone."""
        start = Start.of(model, learner, options)
        return cls(start.work, start.said)

    @property
    def labels(self) -> tuple[str, ...]:
        return self._work.known.labels

    @property
    def n_lessons(self) -> int:
        """How many lessons can be taken back."""
        return len(self._lessons)

    def learn(self, x: Data, y: Output) -> None:
        """Learn from one example and its right output, or from several of them in their order. What fails leaves no trace."""
        lesson = ([x], [y]) if self._work.task.is_one(x) else (list(x), list(y))
        try:
            self._work.learn(*lesson)
        except BaseException:
            self._work, self._model = self._at(len(self._lessons)), None
            raise
        self._model = None
        self._lessons.append(lesson)
        if len(self._lessons) % _EVERY == 0:
            self._points = [*self._points[-_KEPT + 1 :], _Point(len(self._lessons), self._work.copied())]

    def predict(self, x: Data) -> Output:
        """The best output of one example, or of each of several."""
        model = self._current()
        if self._work.task.is_one(x):
            return model.predict([x])[0]
        return model.predict(list(x))

    def undo(self) -> None:
        """Take back the last lesson: the session is, to the bit, what it was before it."""
        if not self._lessons:
            raise UsageError("there is no lesson to take back.")
        n = len(self._lessons) - 1
        self._work, self._model = self._at(n), None
        self._lessons.pop()
        self._points = [point for point in self._points if point.n <= n]

    def model(self) -> Model:
        """The model as it is now. The session goes on without changing it."""
        return self._work.copied().model()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model as it is now, with the state of its learning: a session from that file goes on as this one would."""
        model = self._current()
        replace(model, state=self._work.state()).save(path)

    def _current(self) -> Model:
        """The model as it is now, which shares its features with the session."""
        if self._model is None:
            self._model = self._work.model()
        return self._model

    def _at(self, n: int) -> Work:
        """The session after n lessons."""
        point = next((point for point in reversed(self._points) if point.n <= n), None)
        work = self._origin() if point is None else point.work.copied()
        for lesson in self._lessons[0 if point is None else point.n : n]:
            work.learn(*lesson)
        return work


@dataclass(frozen=True)
class _Point:
    """A session as it was after n lessons."""

    n: int
    work: Work


@dataclass
class Work:
    """What a session changes when it learns."""

    task: Task
    features: Features
    known: Known
    learning: Learning
    length2: float

    @classmethod
    def begun(cls, task: Task, plan: Plan, gold: Gold) -> Work:
        """What the first examples of a session teach."""
        features = task.begin(plan.features, gold)
        blocks = task.grow(features, gold)
        structure, _ = task.weighted(features, gold, None)
        fitting = fitting_of(task, features, structure, blocks, gold)
        learning = fitting.learning(plan)
        learning.partial(fitting.examples)
        known = Known(gold.labels, gold.details, grows=True)
        return cls(task, features, known, learning, fitting.problem.length2)

    def learn(self, X: Sequence[Data], Y: Sequence[Output]) -> None:
        """Learn from examples in their order; what is new in them joins the labels and the features."""
        examples = self.take_in(self.task.read((X, Y), {}, self.known))
        self.learning.partial(examples)

    def take_in(self, gold: Gold, class_weight: ClassWeight = None) -> Examples:
        """Gold examples made ready; labels and features that are new in them are known from here on."""
        if gold.labels != self.known.labels:
            self._widen(gold)
        self.known = Known(gold.labels, gold.details, grows=True)
        blocks = self.task.grow(self.features, gold)
        kind, gen = self.task.model, self.learning.gen
        self.learning.grow(kind.n_features(self.features, gen), kind.fields(self.features, gen))
        _, weights = self.task.weighted(self.features, gold, class_weight)
        return Examples(blocks, gold.y, gold.y_at, weights)

    def fitting(self, examples: Examples) -> Fitting:
        """What was learned so far, as training has it before it learns from these examples."""
        kind, gen = self.task.model, self.learning.gen
        fields = kind.fields(self.features, gen)
        problem = Problem(gen, kind.n_features(self.features, gen), self.length2, fields, kind.sequences(self.features))
        return Fitting(self.task, self.features, self.known.labels, self.known.details, examples, problem)

    def _widen(self, gold: Gold) -> None:
        """Make room for labels that came up."""
        before, kind = self.learning, self.task.model
        gen, _ = self.task.weighted(self.features, gold, None)
        if len(gen.outcomes) != len(before.gen.outcomes):
            raise DataError(
                f"with {len(gold.labels)} labels the outputs have other parts than with {len(self.known.labels)}. Begin with "
                "examples of at least two labels.",
                gold.source,
            )
        after = Known(gold.labels, gold.details)
        moved = kind.moved(self.known, after, (before.gen, gen))
        arrays, numbers = before.state()
        self.learning = self._learning(gen, before.preset, before.options)
        self.learning.restore(widened(arrays, moved, gen.outcomes), numbers)

    def _learning(self, gen: Structure, preset: Preset, options: Options) -> Learning:
        return learning_over(self.task.model, self.features, gen, self.length2, preset, options)

    def state(self) -> State:
        """The state of learning, to go on from exactly."""
        arrays, numbers = self.learning.state()
        return arrays, {"online": numbers, "length2": self.length2}

    def model(self) -> Model:
        """The model of what was learned so far."""
        learning = self.learning
        return self.task.model(
            features=self.features,
            labels=self.known.labels,
            weights=tuple(learning.weights()),
            learner=learning.preset.name,
            options=learning.options,
            report={"epochs": [], "stopped": f"{learning.online.t:,} examples, one after the other", "best": 0},
            details=self.known.details,
        )

    def copied(self) -> Work:
        """The same, with nothing shared."""
        kind = self.task.model
        arrays, numbers = self.learning.state()
        features = copied_features(kind, self.features)
        twin = replace(self, features=features)
        twin.learning = twin._learning(self.learning.gen, self.learning.preset, self.learning.options)
        twin.learning.restore(arrays, numbers)
        return twin


def learning_over(
    kind: type[Model], features: Features, gen: Structure, length2: float, preset: Preset, options: Options
) -> Learning:
    """A learner that has learned nothing yet, over a structure and the features that there are."""
    sizes, fields = kind.n_features(features, gen), kind.fields(features, gen)
    return Problem(gen, sizes, length2, fields, kind.sequences(features)).learning(preset, options)


def copied_features(kind: type[Model[F]], features: F) -> F:
    """Features that grow on their own: a copy, as a file would have them. Models inside them do not learn, and are shared."""
    arrays = {name: np.array(array) for name, array in features.arrays().items()}
    return kind.read_features(features.header(), arrays, kind.models_in(features))


@dataclass(frozen=True)
class Start:
    """A model that a session goes on from, by which learner, and from what."""

    model: Model
    learner: str
    options: Options
    exact: bool
    """Whether it goes on from the state of learning, and not from the weights alone."""
    said: str

    @classmethod
    def of(cls, model: Model, learner: str | None, options: Options | None) -> Start:
        preset = named(model.learner)
        if model.state is not None and learner in (None, model.learner) and not options:
            return cls(model, model.learner, model.options, True, "")
        if not preset.linear:
            raise UsageError(
                f"a model of learner {model.learner!r} goes on only from the state of its learning. Train it with "
                "--set state=keep."
            )
        goes_on = not (preset.needs_all or preset.one_pass or preset.solver(model.options) is not None)
        own = {name: value for name, value in model.options.items() if name not in ("dropout", "runs")}
        chosen = learner or (model.learner if goes_on else _TEACHER)
        how = {**(own if chosen == model.learner else {}), **(options or {})}
        return cls(model, chosen, how, False, f"goes on from the weights alone, by {chosen!r}")

    def work(self) -> Work:
        """What the model has learned, ready to go on, with nothing shared."""
        model = self.model
        task = TASKS.named(model.task).as_trained(model.details)
        features = copied_features(type(model), model.features)
        known = Known(model.labels, model.details, grows=True)
        gen = model.structure(features, model.labels, model.details)
        state = model.state
        length2 = float(state[1].get("length2", _LENGTH2)) if state is not None else _LENGTH2
        learning = learning_over(task.model, features, gen, length2, named(self.learner), self.options)
        if self.exact and state is not None:
            learning.restore(state[0], state[1]["online"])
        else:
            learning.begin_with(state_of(model.weights, gen.outcomes))
        return Work(task, features, known, learning, length2)


def _in_parts(plan: Plan) -> Plan:
    """The plan of a session: that of training, where its learner learns one example at a time, in one run."""
    options = {name: value for name, value in plan.options.items() if name != "runs"}
    return Plan(plan.features, _USUAL) if named(plan.learner).needs_all else Plan(plan.features, plan.learner, options)
