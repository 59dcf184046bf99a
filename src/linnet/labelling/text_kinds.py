"""Kinds of labelling over texts: one label, a rating, a label of a tree, several labels, or labels of which some suit best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import ClassVar

import numpy as np
import pyarrow as pa

from linnet import io
from linnet.core.types import I64, Data, Json, Output, Reals
from linnet.errors import UsageError
from linnet.features import Table
from linnet.features.columns import as_text
from linnet.fitting.contract import Counts, Known
from linnet.io.formats import FileOptions
from linnet.io.texts.labels import is_missing
from linnet.labelling.agreement import Distance, interval
from linnet.labelling.events import Answer
from linnet.labelling.inputs import Inputs, TextInputs
from linnet.labelling.kind import Kind
from linnet.labelling.learner import Learner
from linnet.labelling.pool import Pool
from linnet.labelling.refitted import Refitted
from linnet.structures.label_tree import SEPARATORS, separator_of
from linnet.tasks import named
from linnet.tasks.ordinal.scale import is_number, rating, scale
from linnet.tasks.texts.gold import Labelled, Texts
from linnet.tasks.texts.tables import as_table
from linnet.tasks.texts.task import OneLabel, TextTask


class TextKind(Kind):
    """Texts with labels. All of them are ranked anew after each answer."""

    drawn = "choices"
    prefilled = False
    takes_seed_words = True
    tables = (".csv", ".tsv", ".jsonl", ".parquet")
    several: ClassVar[bool] = False
    """Whether a text may have several labels, or none."""

    @property
    def texts(self) -> TextTask:
        """The task, as one over texts."""
        task = named(self.name)
        assert isinstance(task, TextTask)
        return task

    def read(
        self, paths: list[str], text: str | None, label: str | None, how: FileOptions
    ) -> tuple[TextInputs, dict[int, Answer]]:
        found = io.read(
            paths, text_col=text, label_col=label, labelled=False, several=self.several, needs_text=True, **how
        )
        values = [] if found.labels is None else list(found.each_label(several=self.several))
        given = {row: _labels(value) for row, value in enumerate(values)}
        return TextInputs(as_table(found)), {row: labels for row, labels in given.items() if labels}

    def learner(self, pool: Pool, rows: I64, features: str | None, seed_words: Mapping[str, Sequence[str]]) -> Learner:
        assert isinstance(pool.inputs, TextInputs)
        return Refitted(pool.inputs.table, self, features, seed_words)

    def examples(self, inputs: Inputs, rows: I64, others: I64, features: str | None) -> dict[str, Data]:
        assert isinstance(inputs, TextInputs)
        given = {"data": inputs.table.take(rows), "features": features}
        return {**given, "unlabelled": inputs.table.take(others)} if len(others) else given

    def known(self, labels: Sequence[str]) -> Known:
        """The labels in the order of their numbers."""
        task = self.texts
        if isinstance(task, OneLabel):
            return Known(*task.names(labels, "labels"))
        return Known(tuple(labels), {"separator": None, "costs": "hamming"})

    def gold(self, outputs: Sequence[Json], known: Known) -> Texts:
        """Gold examples with these outputs and with empty texts, whose features are made elsewhere."""
        gold: Texts = self.task.read(Labelled(Table(as_text([""] * len(outputs))), outputs), {}, known)
        return gold

    def output(self, inputs: Inputs, row: int, answer: Answer) -> Output:
        return self.written(answer)

    def written(self, answer: Answer) -> Output:
        """The labels of a text as the task reads them."""
        return list(answer) if self.several else answer[0]

    def check(self, inputs: Inputs, row: int, answer: Answer, labels: Sequence[str]) -> Answer:
        names = [part for part in answer if isinstance(part, str)]
        if len(names) != len(answer):
            raise UsageError("expected labels that are strings.")
        if not self.several and len(names) != 1:
            raise UsageError(f"expected one label for a text, found {len(names)}.")
        if len(set(names)) != len(names):
            raise UsageError("expected each label of a text once, found one twice.")
        for label in names:
            if self.several and "," in label:
                raise UsageError(f"expected labels of a set without commas, which stand between them, found {label!r}.")
        return tuple(sorted(names)) if self.several else tuple(names)

    def facts(self, labels: Sequence[str]) -> dict[str, Json]:
        return {**super().facts(labels), "several": self.several}

    def columns(self, inputs: Inputs, rows: I64, answers: Sequence[Answer]) -> dict[str, pa.Array]:
        kind = pa.list_(pa.string()) if self.several else pa.string()
        return {
            "text": pa.array([inputs.text(row) for row in rows.tolist()], pa.string()),
            "label": pa.array([self.written(answer) for answer in answers], kind),
        }

    def margin(self, scores: Reals) -> Reals:
        """How sure the model is of each text, given the scores of its labels."""
        best: Reals = np.partition(scores, -2, axis=1)
        return best[:, -1] - best[:, -2]

    def guess(self, labels: Sequence[str], scores: Reals) -> Answer:
        """The answer that scores stand for."""
        return (labels[int(scores.argmax())],)

    def is_enough(self, labels: set[str]) -> bool:
        """Whether something can be learned from answers with these labels."""
        return len(labels) > 1


class OneLabelKind(TextKind):
    """A label for each text."""

    name = "labels"


class RatingKind(TextKind):
    """A rating for each text. The ratings are known before."""

    name = "ordinal"
    grows = False

    def ordered(self, labels: Sequence[str]) -> tuple[str, ...]:
        if len(labels) < 2:
            raise UsageError("expected the ratings from the lowest up. Name them, as in --labels 1,2,3,4,5.")
        word = next((label for label in labels if not is_number(label)), None)
        if word is not None:
            raise UsageError(f"expected ratings that are numbers, as in --labels 1,2,3,4,5, found {word!r}.")
        found = self.known(labels).labels
        same = next((pair for pair in pairwise(found) if rating(pair[0]) == rating(pair[1])), None)
        if same is not None:
            raise UsageError(f"the ratings {same[0]!r} and {same[1]!r} are the same number. Write it in one way.")
        return found

    def check(self, inputs: Inputs, row: int, answer: Answer, labels: Sequence[str]) -> Answer:
        found = super().check(inputs, row, answer, labels)
        if found[0] not in labels:
            raise UsageError(f"there is no rating {found[0]!r}. The ratings are: {', '.join(labels)}.")
        return found

    def options(self, labels: Sequence[str]) -> dict[str, Json]:
        return {"order": ",".join(labels)}

    def distance(self, labels: Sequence[str]) -> Distance:
        place = dict(zip(labels, scale(labels), strict=True))
        return lambda a, b: interval(place[a[0]], place[b[0]])


class TreeLabelKind(TextKind):
    """A label for each text, which is a leaf of a tree: `sport/tennis`."""

    name = "hierarchy"

    def ordered(self, labels: Sequence[str]) -> tuple[str, ...]:
        wrong = None if separator_of(labels) else next((label for label in labels if SEPARATORS[0] not in label), None)
        if wrong is not None:
            raise UsageError(
                f"expected labels that are paths in a tree, such as sport/tennis, all with the same mark, found {wrong!r}."
            )
        return tuple(labels)

    def check(self, inputs: Inputs, row: int, answer: Answer, labels: Sequence[str]) -> Answer:
        found = super().check(inputs, row, answer, labels)
        self.ordered([*labels, *self.labels_of(found)])
        return found


class LabelsetKind(TextKind):
    """Any number of labels for each text."""

    name = "labelset"
    several = True

    def margin(self, scores: Reals) -> Reals:
        """How far the label whose score is nearest to 0 is from 0, where it would enter or leave the set."""
        least: Reals = np.abs(scores).min(axis=1)
        return least

    def guess(self, labels: Sequence[str], scores: Reals) -> Answer:
        return tuple(labels[k] for k in np.flatnonzero(scores > 0).tolist())

    def is_enough(self, labels: set[str]) -> bool:
        return len(labels) > 0


class RankingKind(LabelsetKind):
    """The labels that suit each text. The model puts all labels in order, and those that suit are to come first."""

    name = "ranking"

    def margin(self, scores: Reals) -> Reals:
        """The difference between the best score of each text and the second best."""
        return TextKind.margin(self, scores)

    def guess(self, labels: Sequence[str], scores: Reals) -> Answer:
        return tuple(labels[k] for k in np.argsort(-scores, kind="stable").tolist())

    def counts(
        self,
        inputs: Inputs,
        rows: Sequence[int],
        answers: Sequence[Answer],
        guesses: Sequence[Answer],
        labels: Sequence[str],
    ) -> Counts:
        """The average precision of the order of labels, for texts that have at least one right label."""
        known = self.known(labels)
        number = {label: k for k, label in enumerate(known.labels)}
        orders = [[len(some), *(number[label] for label in self.labels_of(some))] for some in guesses]
        at = np.cumsum([0, *map(len, orders)], dtype=np.int64)
        y_hat = np.array([k for order in orders for k in order], np.int32)
        return self.task.counts(self.gold([self.written(one) for one in answers], known), y_hat, at)


def _labels(value: str | list[str]) -> tuple[str, ...]:
    """The labels of a row: none, one or several."""
    several = value if isinstance(value, list) else [value]
    return tuple(label for label in several if not is_missing(label))
