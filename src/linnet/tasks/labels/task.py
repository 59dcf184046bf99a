"""The task `labels`: one label for each text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from linnet.core.types import Json
from linnet.errors import DataError
from linnet.fitting.contract import Columns, Known, Plan
from linnet.learners import LEARNERS
from linnet.tasks.labels.model import LabelsModel
from linnet.tasks.texts.costs import Costs, matrix
from linnet.tasks.texts.gold import Texts
from linnet.tasks.texts.presets import features_for, plans
from linnet.tasks.texts.task import LEAST_LABELS, OneLabel

if TYPE_CHECKING:
    from linnet.tasks.commands import Commands


@dataclass(frozen=True)
class LabelsTask(OneLabel):
    costs: Costs | str | None = None

    name = "labels"
    description = "one label for each text"
    settings: ClassVar[Mapping[str, str]] = {
        "costs": "a file of costs of errors; each line is gold,predicted,cost, and errors that are not listed cost 1"
    }
    model = LabelsModel

    @property
    def commands(self) -> Commands:
        from linnet.tasks.labels import commands

        return commands

    def asks(self, plan: Plan) -> Columns:
        """One label is enough for a model of how texts come about; to tell labels apart there must be two."""
        preset = LEARNERS.find(plan.learner)
        return {**super().asks(plan), LEAST_LABELS: 1 if preset is not None and preset.generative else 2}

    def names(self, found: Sequence[str], source: str) -> tuple[tuple[str, ...], Mapping[str, Json]]:
        names, details = super().names(found, source)
        return names, details if self.costs is None else {"costs": matrix(self.costs, names).tolist()}

    def names_with(self, known: Known, found: Sequence[str], source: str) -> tuple[tuple[str, ...], Mapping[str, Json]]:
        names, details = super().names_with(known, found, source)
        if "costs" in details and names != known.labels:
            raise DataError(
                f"the label {names[len(known.labels)]!r} is new and has no costs. Train a new model with costs for it.",
                source,
            )
        return names, details

    def plan(self, spec: str | None, gold: Texts) -> Plan:
        return Plan(features_for(gold) if spec is None else spec, "nb-svm", calibrate=self._calibrate())

    def _calibrate(self) -> str | None:
        """Calibration where errors differ in cost, as the decision of least expected cost needs probabilities; else None."""
        return None if self.costs is None else "sigmoid"

    def candidates(self, spec: str | None, gold: Texts) -> list[Plan]:
        """Plans that differ in C and in the power of the naive Bayes weights, and in their features if there is no
        specification."""
        return plans(spec, features_for(gold), gold.sample(), calibrate=self._calibrate())


TASK = LabelsTask()
