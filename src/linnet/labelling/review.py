"""A second look at answers: those that are probably mistakes, and those in which annotators differ."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from linnet.comparison.suspects import suspects
from linnet.errors import DataError, UsageError
from linnet.labelling.agreement import kappas, krippendorffs_alpha
from linnet.labelling.events import Answer
from linnet.labelling.labelling import Labelling
from linnet.labelling.text_kinds import TextKind


@dataclass(frozen=True)
class Doubt:
    """An answer that is probably a mistake."""

    row: int
    text: str
    label: str
    suggested: str
    score: float
    """The probability of the suggested label less that of the answer, when the text is held out."""


@dataclass(frozen=True)
class Pair:
    """How much two annotators agree."""

    one: str
    other: str
    kappa: float | None
    """Cohen's kappa; None where chance alone would make them agree."""
    n: int
    """The number of answers that both have given, or of parts of answers, such as tags."""


@dataclass(frozen=True)
class Agreement:
    """How much all annotators agree."""

    annotators: dict[str, int]
    """The number of texts that each has answered."""
    pairs: tuple[Pair, ...]
    alpha: float | None
    """Krippendorff's alpha; None where it is not defined."""
    n: int
    """The number of answers that at least two have given, or of parts of answers."""
    differ: tuple[tuple[int, dict[str, Answer]], ...]
    """The texts whose answers differ, with the answer of each annotator."""


def doubts(labelling: Labelling) -> tuple[Doubt, ...]:
    """The answers that are probably mistakes, the most suspicious first (comparison/suspects.py). Each text is held out once.
    Raise UsageError where that cannot be told."""
    if not isinstance(labelling.kind, TextKind) or labelling.kind.several:
        raise UsageError("suspected mistakes are found where each text has one label, and only there.")
    answers = {event.row: str(event.answer[0]) for event in labelling.state.answers()}
    rows = list(answers)
    if len(set(answers.values())) < 2:
        raise UsageError("expected answers of at least two labels to look for mistakes. Answer more texts.")
    try:
        found = suspects([labelling.pool.text(row) for row in rows], list(answers.values()), task="labels")
    except DataError as error:
        raise UsageError(str(error)) from None
    return tuple(Doubt(rows[one.row - 1], one.text, one.label, one.suggested, one.score) for one in found)


def agreement(labelling: Labelling) -> Agreement:
    """How much the annotators agree, over the texts that several have answered."""
    labelling.journal.catch_up()
    given = labelling.state.by_annotator()
    units = {by: _units(labelling, answers) for by, answers in given.items()}
    alpha, n = krippendorffs_alpha(list(units.values()), labelling.kind.distance(labelling.labels))
    pairs = tuple(Pair(one, other, _defined(kappa), both) for one, other, kappa, both in kappas(units))
    rows = sorted({row for answers in given.values() for row in answers})
    each = [(row, {by: answers[row] for by, answers in given.items() if row in answers}) for row in rows]
    differ = tuple((row, answers) for row, answers in each if len(set(answers.values())) > 1)
    return Agreement({by: len(answers) for by, answers in given.items()}, pairs, _defined(alpha), n, differ)


def _units(labelling: Labelling, answers: Mapping[int, Answer]) -> dict[tuple[int, int], Hashable]:
    """What an annotator has decided: the answers, or their parts, each by its text and its place in the answer."""
    return {(row, k): unit for row, answer in answers.items() for k, unit in enumerate(labelling.kind.units(answer))}


def _defined(value: float) -> float | None:
    return None if math.isnan(value) else value
