"""A rating for each text: one of some labels that have an order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from linnet.errors import DataError, UsageError
from linnet.evaluate.ordinal import OrdinalReport, evaluate_ordinal
from linnet.features import TextFeatures, TextLike
from linnet.structures.ordinal import Ordinal
from linnet.tasks.text import Floats, OneLabel, TextModel, checked_names


class OrdinalModel(TextModel):
    """A model that gives each text a rating."""

    task: ClassVar[str] = "ordinal"

    @classmethod
    def structure(cls, features: TextFeatures, labels: tuple[str, ...], details: Mapping[str, Any]) -> Ordinal:
        return Ordinal(len(labels))

    @classmethod
    def n_features(cls, features: TextFeatures) -> tuple[int, ...]:
        return (features.n_features, 0)

    @classmethod
    def indicators(cls, gen: Ordinal) -> tuple[Floats, Floats]:
        """Rating y has passed y thresholds, each with the score of the text."""
        passed = np.triu(np.ones((gen.n - 1, gen.n), np.float32), 1)
        return np.arange(gen.n, dtype=np.float32)[None], passed

    def predict(self, texts: TextLike) -> list[str]:
        """The rating of each text."""
        ratings: list[str] = self._names[self.outputs(texts)[0]].tolist()
        return ratings

    @classmethod
    def probabilities(cls, gen: Ordinal, mu: Sequence[Floats]) -> Floats:
        """p(y) = P(y > r - 1) - P(y > r)."""
        return -np.diff(mu[1], axis=1, prepend=1, append=0)

    def evaluate(self, texts: TextLike, labels: Sequence[str]) -> OrdinalReport:
        """Predict the texts and compare with their ratings."""
        return evaluate_ordinal(list(labels), self.predict(texts), self.labels)


@dataclass(frozen=True)
class OrdinalTask(OneLabel):
    order: str | None = None

    name = "ordinal"
    description = "a rating for each text, such as 1 to 5"
    settings: ClassVar[Mapping[str, str]] = {
        "order": "the ratings from the lowest up with commas between them; numbers need none"
    }
    model: ClassVar[type[TextModel]] = OrdinalModel

    def names(self, found: Sequence[str], source: str) -> tuple[tuple[str, ...], Mapping[str, Any]]:
        return checked_names(in_order(sorted(set(found)), self.order, source), source), {}


def in_order(names: Sequence[str], order: str | None, source: str) -> list[str]:
    """The ratings from the lowest up: as numbers, or as the user says."""
    if order is not None:
        given = [name.strip() for name in order.split(",")]
        missing = [name for name in names if name not in given]
        if missing:
            raise DataError(f"the rating {missing[0]!r} of the data is not in order={order}.", source)
        return given
    try:
        return sorted(names, key=float)
    except ValueError:
        word = next(name for name in names if not _is_number(name))
        raise UsageError(
            f"expected ratings that are numbers, found {word!r}. Say their order from the lowest up: --set order=bad,fair,good."
        ) from None


def _is_number(name: str) -> bool:
    try:
        return bool(np.isfinite(float(name)))
    except ValueError:
        return False
