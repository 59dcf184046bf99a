"""The tasks whose texts can be labelled, and what differs between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from linnet.core.types import Json, Reals
from linnet.errors import UsageError, meant
from linnet.features import Table
from linnet.features.columns import as_text
from linnet.fitting.contract import Known
from linnet.labelling.agreement import Distance, interval, nominal
from linnet.tasks import named
from linnet.tasks.ordinal.scale import scale
from linnet.tasks.texts.gold import Labelled, Texts
from linnet.tasks.texts.task import OneLabel, TextTask


@dataclass(frozen=True)
class Kind:
    """A task as labelling sees it."""

    name: str
    several: bool
    """Whether a text may have several labels, or none."""
    grows: bool
    """Whether labels may be added while texts are labelled."""
    margin: Callable[[Reals], Reals]
    """How sure the model is of each text, given the scores of its labels."""
    distance: Callable[[Sequence[str]], Distance]
    """How far two answers are apart, given all labels, for Krippendorff's alpha."""

    @property
    def task(self) -> TextTask:
        task = named(self.name)
        assert isinstance(task, TextTask)
        return task

    def known(self, labels: Sequence[str]) -> Known:
        """The labels in the order of their numbers."""
        task = self.task
        if isinstance(task, OneLabel):
            return Known(*task.names(labels, "labels"))
        return Known(tuple(labels), {"separator": None, "costs": "hamming"})

    def read(self, outputs: Sequence[Json], known: Known) -> Texts:
        """Outputs as the task numbers them, with empty texts."""
        gold: Texts = named(self.name).read(Labelled(Table(as_text([""] * len(outputs))), outputs), {}, known)
        return gold

    def output(self, labels: Sequence[str]) -> Json:
        """The labels of an answer as the task reads them."""
        return list(labels) if self.several else labels[0]

    def check(self, labels: Sequence[str], known: Sequence[str]) -> None:
        """Raise UsageError where labels are no answer for this task."""
        if not self.several and len(labels) != 1:
            raise UsageError(f"expected one label for a text, found {len(labels)}.")
        if len(set(labels)) != len(labels):
            raise UsageError("expected each label of a text once, found one twice.")
        for label in labels:
            if self.several and "," in label:
                raise UsageError(f"expected labels of a set without commas, which stand between them, found {label!r}.")
            if not self.grows and label not in known:
                raise UsageError(f"there is no rating {label!r}. The ratings are: {', '.join(known)}.")


def _between_best(scores: Reals) -> Reals:
    """The difference between the best score of each text and the second best."""
    best: Reals = np.partition(scores, -2, axis=1)
    return best[:, -1] - best[:, -2]


def _nearest_to_change(scores: Reals) -> Reals:
    """The score of the label that is nearest to 0: it enters or leaves the set first."""
    least: Reals = np.abs(scores).min(axis=1)
    return least


def _by_name(labels: Sequence[str]) -> Distance:
    return nominal


def _by_scale(labels: Sequence[str]) -> Distance:
    place = dict(zip(labels, scale(labels), strict=True))
    return lambda a, b: interval(place[a[0]], place[b[0]])


KINDS = {
    "labels": Kind("labels", False, True, _between_best, _by_name),
    "ordinal": Kind("ordinal", False, False, _between_best, _by_scale),
    "labelset": Kind("labelset", True, True, _nearest_to_change, _by_name),
}


def kind_of(task: str) -> Kind:
    """The task of this name. Raise UsageError where it cannot be labelled yet."""
    if task not in KINDS:
        raise UsageError(
            f"texts cannot be labelled for task {task!r} yet. The tasks that can are: {', '.join(KINDS)}."
            f"{meant(task, KINDS)}"
        )
    return KINDS[task]
