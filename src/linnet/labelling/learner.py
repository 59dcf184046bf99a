"""The learner of labelling: given the answers so far, how sure it is of every text of the pool.

Features are made of the whole pool once. After each answer the learner of the task begins anew, with all answers: a few hundred
short examples take it some milliseconds. So what it has learned depends on the answers alone, and not on their order or on what
was taken back; and all texts of the pool are scored by the compiled loop.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from linnet.core.predictor import Predictor
from linnet.core.types import Integers, Reals
from linnet.features import SparseRows, TextFeatures
from linnet.features.columns import as_text
from linnet.features.table import Table
from linnet.fitting.fitting import Problem
from linnet.labelling.kinds import Kind
from linnet.labelling.pool import Pool
from linnet.learners import Examples
from linnet.tasks.texts.presets import default_features

Answers = Mapping[int, tuple[str, ...]]
"""The labels of some texts, by the numbers of these."""


class Belief(Protocol):
    """What a learner believes about the texts of the pool."""

    @property
    def margin(self) -> Reals:
        """How sure it is of each text; the least sure is asked for next."""

    def guess(self, row: int) -> tuple[str, ...]:
        """The labels that it would give to a text."""


class Learner(Protocol):
    """What learns from answers. Another one may take its place."""

    def learn(self, labels: Sequence[str], answers: Answers) -> Belief | None:
        """What follows from the answers; None where they are too few to learn from."""


@dataclass(frozen=True, eq=False)
class Scored:
    """The belief of a linear model: the scores of all labels for all texts."""

    labels: tuple[str, ...]
    scores: Reals
    margin: Reals
    several: bool

    def guess(self, row: int) -> tuple[str, ...]:
        scores = self.scores[row]
        if self.several:
            return tuple(self.labels[k] for k in np.flatnonzero(scores > 0))
        return (self.labels[int(scores.argmax())],)


class Refitted:
    """A learner that begins anew with each answer, over features that were made once."""

    def __init__(
        self, pool: Pool, kind: Kind, features: str | None = None, seed_words: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        """seed_words: words that speak for a label. Each label learns from its words as from a text."""
        self.kind = kind
        self.features = TextFeatures(features or default_features(pool.table.text))
        self.rows = self.features.fit_transform(pool.table)
        self.seeds = {label: " ".join(words) for label, words in (seed_words or {}).items()}

    def learn(self, labels: Sequence[str], answers: Answers) -> Scored | None:
        examples = [*answers.items()]
        seen = {label for _, given in examples for label in given} | set(self.seeds)
        if len(labels) < 2 or len(seen) < (1 if self.kind.several else 2):
            return None
        known = self.kind.known(labels)
        rows = np.array([row for row, _ in examples], np.int64)
        outputs = [self.kind.output(given) for _, given in examples]
        outputs += [self.kind.output((label,)) for label in self.seeds]
        gold = self.kind.read(outputs, known)  # The features of the texts are there already.
        task = self.kind.task
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
        return Scored(known.labels, scores, self.kind.margin(scores), self.kind.several)

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
