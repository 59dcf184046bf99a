"""Training that goes on from a model: more examples, from all that was learned or from the weights alone."""

from __future__ import annotations

import os

from linnet.core.types import State
from linnet.errors import UsageError
from linnet.fitting.contract import ClassWeight, Gold, Known, Task
from linnet.fitting.fitting import Fitting
from linnet.fitting.session import Start
from linnet.learners import Learning
from linnet.learners.preset import Options
from linnet.model import Model
from linnet.tasks import load, named


class GoingOn:
    """A model to go on from: what task it is of, what it knows of the outputs, and the learner that goes on."""

    def __init__(self, model: Model | str | os.PathLike[str], learner: str | None, options: Options | None) -> None:
        self.model = model if isinstance(model, Model) else load(model)
        self.start = Start.of(self.model, learner, options)

    def task(self, name: str | None) -> Task:
        """The task of the model; UsageError where another one is asked for."""
        own = self.model.task
        if name not in (None, own):
            raise UsageError(f"the model to go on from is for task {own!r}, not for {name!r}. Leave out the task.")
        return named(own).as_trained(self.model.details)

    @property
    def known(self) -> Known:
        return Known(self.model.labels, self.model.details, grows=True)

    @property
    def said(self) -> str:
        """What is gone on from, in words."""
        return self.start.said or "goes on from all that was learned"

    def fitting(self, gold: Gold, class_weight: ClassWeight) -> tuple[Fitting, Learning]:
        """Further gold examples made ready, seen through the features of the model and what is new in them; and the learner,
        which knows what the model knows."""
        work = self.start.work()
        examples = work.take_in(gold, class_weight)
        return work.fitting(examples), work.learning


def check_state(learning: Learning) -> None:
    """UsageError where a learner has no state that it could go on from."""
    if not learning.learns_in_parts:
        raise UsageError(
            f"learner {learning.preset.name!r} needs all examples at once with these options, so there is no state to keep. "
            "Leave out state=keep: it can be gone on from the weights alone."
        )


def state_of(learning: Learning, length2: float) -> State:
    """The state of learning, to go on from it exactly another time."""
    arrays, numbers = learning.state()
    return arrays, {"online": numbers, "length2": length2}
