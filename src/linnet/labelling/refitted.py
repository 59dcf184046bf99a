"""A learner over texts that begins anew with each answer, and ranks all of them.

Features are made of the whole pool once. After each answer the learner of the task begins anew, with all answers: a few hundred
short examples take it some milliseconds. So what it has learned depends on the answers alone, and not on their order or on what
was taken back; and all texts of the pool are scored by the compiled loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from linnet.core.predictor import Predictor
from linnet.core.types import Integers, Reals
from linnet.errors import UsageError
from linnet.features import SparseRows, TextFeatures
from linnet.features.columns import as_text
from linnet.features.table import Table
from linnet.fitting.fitting import Problem
from linnet.labelling.events import Answer
from linnet.labelling.learner import Answers, first
from linnet.learners import Examples
from linnet.tasks.texts.presets import default_features

if TYPE_CHECKING:
    from linnet.labelling.text_kinds import TextKind


@dataclass(frozen=True, eq=False)
class Scored:
    """The belief of a linear model: the scores of all labels for all texts."""

    labels: tuple[str, ...]
    scores: Reals
    margin: Reals
    kind: TextKind

    def guesses(self, rows: Sequence[int]) -> list[Answer]:
        return [self.kind.guess(self.labels, self.scores[row]) for row in rows]

    def again(self, row: int, answer: Answer, fixed: Sequence[int]) -> Answer:
        raise UsageError("the labels of a text are given as a whole, so there are no other parts to predict anew.")


class Refitted:
    """A learner that begins anew with each answer, over features that were made once."""

    def __init__(
        self, table: Table, kind: TextKind, features: str | None, seed_words: Mapping[str, Sequence[str]]
    ) -> None:
        """seed_words: words that speak for a label. Each label learns from its words as from a text."""
        self.kind = kind
        self.features = TextFeatures(features or default_features(table.text))
        self.rows = self.features.fit_transform(table)
        self.seeds = {label: " ".join(words) for label, words in seed_words.items()}

    def learn(self, labels: Sequence[str], answers: Answers) -> Scored | None:
        examples = [*answers.items()]
        seen = {label for _, given in examples for label in self.kind.labels_of(given)} | set(self.seeds)
        if len(labels) < 2 or not self.kind.is_enough(seen):
            return None
        known = self.kind.known(labels)
        rows = np.array([row for row, _ in examples], np.int64)
        outputs = [self.kind.written(given) for _, given in examples]
        outputs += [self.kind.written((label,)) for label in self.seeds]
        gold = self.kind.gold(outputs, known)  # It has empty texts, as the features of the texts are made already.
        task = self.kind.texts
        gen = task.model.structure(self.features, known.labels, known.details)
        blocks = task.model.blocks(gen, _followed_by(part_of(self.rows, rows), self._seed_rows()))
        examples_of = Examples(blocks, gold.y, gold.y_at)
        plan = task.plan(str(self.features.spec), gold)
        options = {name: value for name, value in plan.options.items() if name != "runs"}
        problem = Problem(gen, task.model.sizes(self.features, gen), examples_of.length2())
        learning = problem.learning(plan.learner, options)
        weights = learning.run(examples_of, take=True).weights
        predictor = Predictor(gen, learning.scorer(tuple(weights)))
        theta = predictor.scores(task.model.blocks(gen, self.rows))
        scores = task.model.scores_of_labels(gen, theta)
        return Scored(known.labels, scores, self.kind.margin(scores), self.kind)

    def course(self, labels: Sequence[str], answers: Answers, sizes: Sequence[int]) -> Iterator[Scored | None]:
        return (self.learn(labels, first(answers, size)) for size in sizes)

    def _seed_rows(self) -> SparseRows:
        return self.features.transform(Table(as_text(list(self.seeds.values()))))


def part_of(rows: SparseRows, which: Integers) -> SparseRows:
    """The rows with these numbers, in this order."""
    lengths = np.diff(rows.indptr)[which]
    indptr = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    entries = np.repeat(rows.indptr[which] - indptr[:-1], lengths) + np.arange(indptr[-1])
    return SparseRows(indptr, rows.indices[entries], rows.values[entries])


def _followed_by(rows: SparseRows, others: SparseRows) -> SparseRows:
    """Rows, and then further ones."""
    indptr = np.concatenate([rows.indptr, rows.indptr[-1] + others.indptr[1:]])
    return SparseRows(
        indptr, np.concatenate([rows.indices, others.indices]), np.concatenate([rows.values, others.values])
    )
