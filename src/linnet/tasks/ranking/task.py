"""The task `ranking`: all labels in order for each text, the relevant ones first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from linnet.fitting.contract import Counts, Measure, Plan
from linnet.learners import Preset
from linnet.tasks.labelset.gold import sets_of
from linnet.tasks.labelset.task import FEATURES, LabelsetTask
from linnet.tasks.ranking.model import RankingModel
from linnet.tasks.texts.gold import Ints, Offsets, Texts
from linnet.tasks.texts.presets import features_for

if TYPE_CHECKING:
    from linnet.tasks.commands import Commands


class RankingTask(LabelsetTask):
    name = "ranking"
    description = "all labels in order for each text, the relevant ones first"
    model = RankingModel

    settings: ClassVar[Mapping[str, str]] = {"separator": LabelsetTask.settings["separator"]}

    @property
    def commands(self) -> Commands:
        from linnet.tasks.ranking import commands

        return commands

    def plan(self, spec: str | None, gold: Texts) -> Plan:
        return Plan(features_for(gold) if spec is None else spec, "pa2")

    def candidates(self, spec: str | None, gold: Texts) -> list[Plan]:
        """The usual learner with steps of different lengths, over the usual features and over single words, and a learner that
        decides on each label by itself."""
        usual = self.plan(spec, gold)
        words = FEATURES if spec is None else usual.features
        steps = [
            Plan(features, "pa2", {"C": C}) for features in dict.fromkeys([usual.features, words]) for C in (1, 10)
        ]
        return [*steps, Plan(words, "nb-svm")]

    def measure_of(self, learner: Preset, gold: Texts) -> None:
        """None, as a ranking has no thresholds."""

    def constant(self, training: Texts, held: Texts) -> tuple[Ints, Offsets] | None:
        """All labels in the order of how frequent they are."""
        often = np.bincount(np.concatenate(sets_of(training.y, training.y_at)), minlength=len(training.labels))
        order = np.argsort(-often, kind="stable").astype(np.int32)
        one = np.r_[np.int32(len(order)), order]
        return np.tile(one, len(held)), np.arange(len(held) + 1) * len(one)

    def measures(self, gold: Texts) -> Mapping[str, Measure]:
        """There is one measure only, that of `counts`."""
        return {}

    def counts(self, gold: Texts, y_hat: Ints, y_hat_at: Offsets) -> Counts:
        """The average precision of each text that has a label: the mean, over its right labels, of the share of right labels
        among those ranked at least as high."""
        right, size = np.zeros(len(gold)), np.zeros(len(gold))
        for i, (y, found) in enumerate(zip(sets_of(gold.y, gold.y_at), sets_of(y_hat, y_hat_at), strict=True)):
            places = np.flatnonzero(np.isin(found, y)) + 1
            right[i] = np.sum(np.arange(1, len(places) + 1) / places) / max(len(y), 1)
            size[i] = len(y) > 0
        return Counts("average precision", right, size)


TASK = RankingTask()
