"""The task `ordinal`: a rating for each text, which is a label on an ordered scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from linnet.core.types import Json
from linnet.errors import DataError, UsageError, check_choice, meant
from linnet.fitting.contract import Known, Plan
from linnet.tasks.ordinal.model import OWN, SHARED, OrdinalModel
from linnet.tasks.ordinal.scale import is_number, rating
from linnet.tasks.texts.gold import Texts, checked_names
from linnet.tasks.texts.model import OneLabelModel
from linnet.tasks.texts.presets import default_features
from linnet.tasks.texts.task import OneLabel

if TYPE_CHECKING:
    from linnet.core.form import Structure
    from linnet.features import TextFeatures
    from linnet.fitting.notation import Notation
    from linnet.tasks.commands import Commands

# Chosen on 5,000 reviews of films with ratings from 1 to 10.
_MORE_FEATURES = ("words:1-2 punct bm25 min=2", "words:1-3 punct bm25 min=2")
"""The features that `auto` tries beside the usual ones, if none are named."""
_LAMS = (1e-5, 3e-6)
_LENGTHS = (0.1, 0.01)


@dataclass(frozen=True)
class OrdinalTask(OneLabel):
    order: str | None = None
    score: str = "own"

    name = "ordinal"
    cost = "mean absolute error"
    description = "a rating for each text, such as 1 to 5"
    settings: ClassVar[Mapping[str, str]] = {
        "order": "the ratings from the lowest up, separated by commas; not needed for numbers",
        "score": "own: each threshold between two ratings has weights of its own; shared: all thresholds are on one score "
        "(with learner perceptron, this is PRank)",
    }
    model: ClassVar[type[OneLabelModel]] = OrdinalModel

    def __post_init__(self) -> None:
        check_choice("score to be ", self.score, (OWN, SHARED))

    @property
    def commands(self) -> Commands:
        from linnet.tasks.ordinal import commands

        return commands

    def notation(self, features: TextFeatures, gold: Texts, gen: Structure, i: int) -> Notation:
        """As that of labels; outcomes are thresholds between ratings, or the one score that all of these share."""
        from linnet.tasks.notation import of_labels

        last = len(gen.outcomes) - 1
        return replace(
            of_labels(features, gold, i),
            outcome=lambda block, k: f"above {gold.labels[k]}" if block == last else "score",
        )

    def plan(self, spec: str | None, gold: Texts) -> Plan:
        """A learner with probabilities: their median has the least mean absolute error."""
        features = default_features(gold.sample()) if spec is None else spec
        return Plan(features, "logistic", {"runs": 3}) if self.score == OWN else Plan(features, "averaged-mira")

    def candidates(self, spec: str | None, gold: Texts) -> list[Plan]:
        """The usual learner, and the same loss at its optimum with more or less regularisation; for a shared score, steps of
        different lengths."""
        usual = self.plan(spec, gold)
        if self.score == OWN:
            settings = [usual.options, *({"by": "dual", "lam": lam} for lam in _LAMS)]
        else:
            settings = [usual.options, *({"C": C} for C in _LENGTHS)]
        specs = [usual.features] if spec is not None else dict.fromkeys([usual.features, *_MORE_FEATURES])
        return [Plan(features, usual.learner, options) for features in specs for options in settings]

    def names_with(self, known: Known, found: Sequence[str], source: str) -> tuple[tuple[str, ...], Mapping[str, Json]]:
        """The known ratings. A new one is refused: it would split a threshold, and what was learned for it, in two."""
        new = next((name for name in found if name not in known.labels), None) if known.grows else None
        if new is not None:
            raise DataError(
                f"the rating {new!r} is new to the model, which has: {', '.join(known.labels)}. Train again with all ratings.",
                source,
            )
        return known.labels, known.details

    def label(self, name: str) -> str:
        return rating(name)

    def names(self, found: Sequence[str], source: str) -> tuple[tuple[str, ...], Mapping[str, Json]]:
        return checked_names(in_order(sorted(set(found)), self.order, source), source), {"score": self.score}


def in_order(names: Sequence[str], order: str | None, source: str) -> list[str]:
    """The ratings from the lowest up, in the order of their numbers or in the order that the user gives."""
    if order is None:
        word = next((name for name in names if not is_number(name)), None)
        if word is not None:
            raise UsageError(
                f"expected ratings that are numbers, found {word!r}. Give their order from the lowest up: "
                f"--set order={','.join(names[:3])}."
            )
        return sorted(names, key=float)
    given = [rating(name.strip()) for name in order.split(",")]
    twice = next((name for name in given if given.count(name) > 1), None)
    if "" in given or twice is not None:
        found = f"{twice!r} twice" if twice else "one without a name"
        raise UsageError(f"expected each rating once in order={order}, separated by commas, found {found}.")
    missing = next((name for name in names if name not in given), None)
    if missing is not None:
        raise DataError(f"the rating {missing!r} of the data is not in order={order}.{meant(missing, given)}", source)
    return given


TASK = OrdinalTask()
