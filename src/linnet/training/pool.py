"""A pool of texts that a person labels one after the other: after each label, a teacher and a student judge all others.

    pool = linnet.Pool(texts)
    pool.learn(0, "pos")
    pool.learn(7, "neg")
    i = pool.order("margin")[0]       # the text that is worth asking about next
    pool.learn(i, "pos")
    pool.undo()
    pool.model().save("reviews.linnet")

Vectors of words and topics are learned from all texts once, when the pool is made. After each label, the teacher learns anew
from all labelled texts, and a student from what it says about a sample of the others (fitting/student.py); the model in the
end has a student of all of them. What is learned depends on the labels alone, and not on the way to them: `undo` is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np
import numpy.typing as npt

from linnet.core.products import times
from linnet.core.types import Data
from linnet.errors import UsageError, check_choice
from linnet.features import TextFeatures
from linnet.features.fields import VECTOR
from linnet.fitting.choosing_student import chosen
from linnet.fitting.contract import Plan
from linnet.fitting.fitting import Learned, Recipe
from linnet.fitting.student import MOST_OF_FOLDS
from linnet.model.base import Model
from linnet.tasks.labels.task import TASK
from linnet.tasks.texts.gold import Texts
from linnet.tasks.texts.presets import UNLABELLED_FEATURES, default_features
from linnet.tasks.texts.tables import as_table
from linnet.training.judge import PASSES, Judge

_SAMPLE = 2000
"""The number of texts without labels that the student learns from after each label."""

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]


class Pool:
    """Texts of which some have labels. `learn` gives one a label, `scores` says what follows for all."""

    def __init__(self, texts: Data, *, features: str | None = None) -> None:
        """Learn features from all texts; that takes a few seconds for 20,000 reviews. texts: strings, or a table with a column
        `text`. features: a specification of features, instead of the default for texts of which few have labels."""
        self._table = as_table(texts)
        if len(self._table) == 0:
            raise UsageError("expected texts to label, found none.")
        spec = features or f"{default_features(self._table.text)} {UNLABELLED_FEATURES}"
        self._plan = Plan(spec, "nb-svm")
        self._judge = Judge(TASK, self._table, spec)
        self._lessons: list[tuple[int, str]] = []
        self._learned: tuple[Floats, tuple[str, ...]] | None = None

    def __len__(self) -> int:
        return len(self._table)

    @property
    def features(self) -> TextFeatures:
        """The features that were learned from all texts."""
        return self._judge.features

    @property
    def given(self) -> dict[int, str]:
        """The labels that were given, by the numbers of their texts."""
        return dict(self._lessons)

    @property
    def labels(self) -> tuple[str, ...]:
        """All labels that were given, each once, in alphabetical order."""
        return tuple(sorted(set(self.given.values())))

    @property
    def is_ready(self) -> bool:
        """Whether there are two different labels, so that there is something to tell apart."""
        return len(self.labels) > 1

    def learn(self, i: int, label: str) -> None:
        """Give text i a label, or another one than before."""
        if not 0 <= i < len(self):
            raise UsageError(f"expected the number of a text from 0 to {len(self) - 1}, found {i}.")
        if not label:
            raise UsageError("expected a label, found an empty string.")
        self._lessons.append((int(i), label))
        self._learned = None

    def undo(self) -> None:
        """Take back the last label. A text that had another one before has that again."""
        if not self._lessons:
            raise UsageError("there is no label to take back: none was given yet.")
        self._lessons.pop()
        self._learned = None

    def scores(self) -> Floats:
        """What teacher and student together think of each text: a row for each, a column for each of `labels`."""
        if self._learned is None or self._learned[1] != self.labels:
            self._learned = self._judge.scores(self._gold(), self._which, self._plan, sample=_SAMPLE), self.labels
        return self._learned[0]

    def predict(self) -> list[str]:
        """The label of each text: the one that it was given, or else the best one."""
        labels = self.labels
        found = [labels[k] for k in self.scores().argmax(axis=1).tolist()]
        for i, label in self.given.items():
            found[i] = label
        return found

    def order(self, how: str = "margin") -> Ints:
        """The numbers of the texts without a label, the one that is most worth asking about first. By `margin`, texts
        come first whose two best labels score nearly the same; by `density`, the same, but texts that are like many
        others come earlier; `random` is always the same random order. Before there are two labels, the first two go by
        density alone."""
        check_choice("order by ", how, tuple(ORDERS))
        rest = self._judge.without(self._which)
        return rest[np.argsort(-ORDERS[how](self)[rest], kind="stable")]

    def model(self) -> Model:
        """A model of what was learned: as `linnet.train` makes it from the labelled texts and the others."""
        gold, judge = self._gold(), self._judge
        fitting, learning, teacher = judge.teacher(gold, self._which, self._plan, PASSES)
        student = judge.student(fitting, judge.without(self._which), self._plan, PASSES)
        few = judge.student(fitting, judge.without(self._which), self._plan, PASSES, MOST_OF_FOLDS)
        use = chosen(Recipe(TASK, self._plan, passes=PASSES), gold, fitting, few)
        weights = use.of(teacher.weights, student.learned(fitting, learning, teacher.weights))
        said = {**teacher.report(), "unlabelled": {"examples": student.n_examples, "model": use.value}}
        return fitting.model(learning, Learned(teacher, tuple(weights), said))

    def _gold(self) -> Texts:
        """The labelled texts. Raise UsageError while there is only one label."""
        if not self.is_ready:
            raise UsageError("expected labels of at least two kinds, to tell them apart. Label some more texts.")
        return TASK.read((self._table.take(self._which), list(self.given.values())), {})

    @property
    def _which(self) -> Ints:
        """The numbers of the labelled texts."""
        return np.array(list(self.given), np.int64)

    @cached_property
    def density(self) -> Floats:
        """How much each text is like the others: the mean cosine of its vectors and topics with theirs."""
        fields = self.features.fields
        z = np.zeros((len(self), 0 if fields is None else int((fields == VECTOR).sum())), np.float32)
        if fields is not None and z.shape[1]:
            indptr, indices, values = self._judge.rows
            column = np.cumsum(fields == VECTOR) - 1
            is_vector = fields[indices] == VECTOR
            row = np.repeat(np.arange(len(self)), np.diff(indptr))
            z[row[is_vector], column[indices[is_vector]]] = values[is_vector]
        found: Floats = times(z, z.mean(axis=0))
        return found

    def unsure(self) -> Floats:
        """How unsure teacher and student are of each text, from 0 to 1: 1 where two labels score the same."""
        best = np.partition(self.scores(), -2, axis=1)[:, -2:]
        margin = best[:, 1] - best[:, 0]
        found: Floats = np.exp(-margin / max(float(margin.mean()), 1e-12))
        return found


def _by_margin(pool: Pool) -> Floats:
    return pool.unsure() if pool.is_ready else pool.density


def _by_density(pool: Pool) -> Floats:
    return pool.unsure() * np.maximum(pool.density, 0) if pool.is_ready else pool.density


def _at_random(pool: Pool) -> Floats:
    return np.random.default_rng(0).random(len(pool), np.float32)


ORDERS: Mapping[str, Callable[[Pool], Floats]] = {"margin": _by_margin, "density": _by_density, "random": _at_random}
"""How much each text is worth asking about, by the name of the order."""
