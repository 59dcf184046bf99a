"""A learner over texts that begins anew with each answer, and ranks all of them.

Features are made of the whole pool once. After each answer the learner of the task begins anew, with all answers, and scores
all texts of the pool (training/judge.py). So what it has learned depends on the answers alone, and not on their order or on
what was taken back.

N-grams of a pool are there at once. Vectors of words and topics take seconds, for a large pool a minute. So they are learned in
the background, and the first answers are learned from n-grams alone. Which texts come next may depend on when vectors are
ready; what is learned from the answers does not, once they are.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from linnet.core.threads import limited
from linnet.core.types import Reals
from linnet.errors import UsageError
from linnet.features.columns import as_text
from linnet.features.table import Table
from linnet.labelling.events import Answer
from linnet.labelling.learner import Answers, first
from linnet.tasks.texts.presets import UNLABELLED_FEATURES, default_features
from linnet.training.judge import Judge

if TYPE_CHECKING:
    from linnet.labelling.text_kinds import TextKind

_MOST = 300_000
"""The number of texts above which no vectors are learned, unless features are named: they take 2.4 KB of memory a text."""
_RARE = 10_000
"""N-grams that fewer than one text in so many has are left out: few answers would have them, and all texts are scored anew
after each."""


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
        """features: a specification; where it is None, n-grams at first, and vectors and topics beside them as soon as
        they are learned. seed_words: words that speak for a label. Each label learns from its words as from a text."""
        self.kind = kind
        self.seeds = {label: " ".join(words) for label, words in seed_words.items()}
        usual = features or _usual(table)
        self._judge = Judge(kind.task, table, usual)
        self._later = None if features or len(table) > _MOST else _Later(kind, table, f"{usual} {UNLABELLED_FEATURES}")

    @property
    def features(self) -> str:
        return str(self._latest().features.spec)

    @property
    def lessons(self) -> tuple[int, int]:
        return 0, 0

    def wait(self) -> None:
        if self._later is not None:
            self._later.wait()

    def learn(self, labels: Sequence[str], answers: Answers) -> Scored | None:
        return self._learned(self._latest(), labels, answers)

    def course(self, labels: Sequence[str], answers: Answers, sizes: Sequence[int]) -> Iterator[Scored | None]:
        judge = self._latest()  # All points of the course are of the same features.
        return (self._learned(judge, labels, first(answers, size)) for size in sizes)

    def _latest(self) -> Judge:
        """The judge with the best features that are ready."""
        if self._later is not None:
            self._later.begin()
            found = self._later.found
            if found is not None:
                self._judge, self._later = found, None
        return self._judge

    def _learned(self, judge: Judge, labels: Sequence[str], answers: Answers) -> Scored | None:
        kind = self.kind
        seen = {label for given in answers.values() for label in kind.labels_of(given)} | set(self.seeds)
        if len(labels) < 2 or not kind.is_enough(seen):
            return None
        known = kind.known(labels)
        outputs = [*map(kind.written, answers.values()), *(kind.written((label,)) for label in self.seeds)]
        gold = kind.gold(outputs, known)  # It has empty texts, as the features of the texts are made already.
        plan = kind.texts.plan(str(judge.features.spec), gold)
        once = replace(plan, options={name: value for name, value in plan.options.items() if name != "runs"})
        seeds = judge.features.transform(Table(as_text(list(self.seeds.values())))) if self.seeds else None
        scores = judge.scores(gold, np.array(list(answers), np.int64), once, seeds)
        return Scored(known.labels, scores, kind.margin(scores), kind)


def _usual(table: Table) -> str:
    """The n-grams that are the features by default."""
    return default_features(table.text).replace("min=2", f"min={max(2, len(table) // _RARE)}")


class _Later:
    """A judge that is made in the background, by one thread, once it is asked for."""

    def __init__(self, kind: TextKind, table: Table, spec: str) -> None:
        self._make = partial(Judge, kind.task, table, spec)
        self._made: Judge | None = None
        self._failed: Exception | None = None
        self._begun = False
        # The thread does not keep the server from ending.
        self._thread = threading.Thread(target=self._run, daemon=True)

    def begin(self) -> None:
        if not self._begun:
            self._begun = True
            self._thread.start()

    def wait(self) -> None:
        self.begin()
        self._thread.join()

    @property
    def found(self) -> Judge | None:
        """The judge; None while it is not ready. Raise UsageError where it could not be made."""
        if self._failed is not None:
            why = str(self._failed).rstrip(".")
            raise UsageError(
                f"vectors of these texts cannot be learned: {why}. Name others with --features, such as words:1-2."
            ) from self._failed
        return self._made

    def _run(self) -> None:
        try:
            with limited(1):  # The other cores are for answers.
                self._made = self._make()
        except Exception as error:
            self._failed = error
