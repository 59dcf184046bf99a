"""A rating for each text: one of some labels that have an order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from linnet.errors import DataError, UsageError, meant
from linnet.evaluate.ordinal import OrdinalReport, evaluate_ordinal, is_number, rating, scale
from linnet.features import TextFeatures, TextLike
from linnet.structures.ordinal import Ordinal
from linnet.tasks.contract import Plan
from linnet.tasks.text import Floats, OneLabel, OneLabelModel, TextModel, Texts, checked_names
from linnet.tasks.text_presets import default_features

_OWN, _SHARED = "own", "shared"


class OrdinalModel(OneLabelModel):
    """A model that gives each text a rating, by a score for each threshold between two of them, or by one for all."""

    task: ClassVar[str] = "ordinal"

    @classmethod
    def structure(cls, features: TextFeatures, labels: tuple[str, ...], details: Mapping[str, Any]) -> Ordinal:
        return Ordinal(len(labels), np.abs(np.diff(scale(labels))), details.get("score", _OWN) == _OWN)

    @classmethod
    def indicators(cls, gen: Ordinal) -> tuple[Floats, ...]:
        """Rating y has passed y thresholds; where they share a score, each of these has it."""
        passed = np.triu(np.ones((gen.n - 1, gen.n), np.float32), 1)
        return (passed,) if len(gen.outcomes) == 1 else (np.arange(gen.n, dtype=np.float32)[None], passed)

    @classmethod
    def probabilities(cls, gen: Ordinal, mu: Sequence[Floats]) -> Floats:
        """p(y) = P(y > r - 1) - P(y > r)."""
        return -np.diff(mu[-1], axis=1, prepend=1, append=0)

    def evaluate(self, texts: TextLike, labels: Sequence[str]) -> OrdinalReport:
        """Predict the texts and compare with their ratings."""
        return evaluate_ordinal(list(map(rating, labels)), self.predict(texts), self.labels)


@dataclass(frozen=True)
class OrdinalTask(OneLabel):
    order: str | None = None
    score: str = "own"

    name = "ordinal"
    cost = "mean absolute error"
    description = "a rating for each text, such as 1 to 5"
    settings: ClassVar[Mapping[str, str]] = {
        "order": "the ratings from the lowest up with commas between them; numbers need none",
        "score": "own: each threshold between two ratings has weights of its own; shared: one score, and thresholds on it "
        "(with learner perceptron PRank)",
    }
    model: ClassVar[type[TextModel]] = OrdinalModel

    def __post_init__(self) -> None:
        if self.score not in (_OWN, _SHARED):
            raise UsageError(f"expected score to be {_OWN} or {_SHARED}, found {self.score!r}.")

    def plan(self, spec: str | None, gold: Texts) -> Plan:
        """Probabilities have a median, which is least wrong in the mean."""
        features = default_features(gold.text) if spec is None else spec
        return Plan(features, "logistic", {"runs": 3}) if self.score == _OWN else Plan(features, "averaged-mira")

    def label(self, name: str) -> str:
        return rating(name)

    def names(self, found: Sequence[str], source: str) -> tuple[tuple[str, ...], Mapping[str, Any]]:
        return checked_names(in_order(sorted(set(found)), self.order, source), source), {"score": self.score}


def in_order(names: Sequence[str], order: str | None, source: str) -> list[str]:
    """The ratings from the lowest up: as numbers, or as the user says."""
    if order is None:
        word = next((name for name in names if not is_number(name)), None)
        if word is not None:
            raise UsageError(
                f"expected ratings that are numbers, found {word!r}. Say their order from the lowest up: "
                f"--set order={','.join(names[:3])}."
            )
        return sorted(names, key=float)
    given = [rating(name.strip()) for name in order.split(",")]
    twice = next((name for name in given if given.count(name) > 1), None)
    if "" in given or twice is not None:
        found = f"{twice!r} twice" if twice else "one without a name"
        raise UsageError(
            f"expected each rating once in order={order}, with a comma between two of them, found {found}."
        )
    missing = next((name for name in names if name not in given), None)
    if missing is not None:
        raise DataError(f"the rating {missing!r} of the data is not in order={order}.{meant(missing, given)}", source)
    return given
