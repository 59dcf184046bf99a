"""Training that goes on from a model with more examples: from the state of its learning, or from its weights alone."""

from __future__ import annotations

import os

from linnet.errors import UsageError
from linnet.fitting.contract import ClassWeight, Gold, Known, Plan, Task
from linnet.fitting.fitting import Fitting
from linnet.fitting.session import Start
from linnet.learners import Learning
from linnet.learners.preset import Options
from linnet.model import Model
from linnet.tasks import load, named


class GoingOn:
    """A model to go on from: its task, what it knows about outputs, and the learner that goes on."""

    def __init__(self, model: Model | str | os.PathLike[str], learner: str | None, options: Options | None) -> None:
        self.model = model if isinstance(model, Model) else load(model)
        self.start = Start.from_model(self.model, learner, options)

    def task(self, name: str | None) -> Task:
        """The task of the model. Raise UsageError if another one is asked for."""
        own = self.model.task
        if name not in (None, own):
            raise UsageError(f"the model to go on from is for task {own!r}, not for {name!r}. Leave out the task.")
        return named(own).as_trained(self.model.details)

    def plan(self) -> Plan:
        """The features and the learner of the model."""
        return Plan(str(self.model.features.spec), self.model.learner, self.model.options)

    @property
    def known(self) -> Known:
        return Known(self.model.labels, self.model.details, grows=True)

    @property
    def said(self) -> str:
        """What training goes on from, in words for the user."""
        return self.start.said or "goes on from all that was learned"

    def fitting(self, gold: Gold, class_weight: ClassWeight) -> tuple[Fitting, Learning]:
        """Make further gold examples ready, with the features of the model and the new features in them; return them with the
        learner, which has learned what the model has."""
        work = self.start.work()
        examples = work.take_in(gold, class_weight)
        return work.fitting(examples), work.learning
