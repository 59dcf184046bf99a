"""Measures for constituent trees, as evalb counts with the parameters of COLLINS.prm (Black et al. 1991; Sekine and Collins
1997).

precision   the share of right brackets, with the same label over the same words, among those that were found
recall      the share of gold brackets that were found
F1          2 right / (found + gold)
exact       the share of sentences all of whose brackets are right
crossing    the number per sentence of found brackets that overlap a gold one without being inside it or around it

Words whose gold tag is one of , : `` '' . are left out before counting, and so are brackets with no word left, TOP, and tags.
ADVP and PRT count as the same label.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from linnet.core.types import Json
from linnet.errors import DataError
from linnet.report.shown import Shown
from linnet.structures.bits import Span, spans_of

PUNCTUATION = (",", ":", "``", "''", ".")
_NO_LABEL = ("TOP",)
_SAME = {"PRT": "ADVP"}

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class LabelScore:
    """How right the brackets with one label are."""

    precision: float
    recall: float
    f1: float
    count: int


@dataclass(frozen=True, repr=False)
class BracketsReport(Shown):
    """How right constituent trees are."""

    drawn_by: ClassVar[str] = "linnet.tasks.brackets.terminal:brackets_report"

    n_sentences: int
    n_tokens: int
    n_brackets: int
    precision: float
    recall: float
    f1: float
    exact: float
    crossing: float
    no_crossing: float
    """The share of sentences without a crossing bracket."""
    per_label: dict[str, LabelScore]

    def as_dict(self) -> dict[str, Json]:
        """The JSON object of `linnet evaluate --json`."""
        return {**vars(self), "per_label": {name: vars(score) for name, score in self.per_label.items()}}


def evaluate_brackets(
    gold: Sequence[str], found: Sequence[str], tags: Sequence[str] | None, starts: Sequence[int] | Ints
) -> BracketsReport:
    """Compare the brackets around each word of gold and found trees. Without tags, no word is left out. `starts` says where the
    tokens of each sentence start."""
    if not len(gold) == len(found) == int(starts[-1]):
        raise DataError(
            f"expected the brackets of {int(starts[-1])} words, found those of {len(gold)} and {len(found)}."
        )
    if not len(gold):
        raise DataError("there is nothing to evaluate: no words.")
    wanted, given = counted(gold, tags, starts), counted(found, tags, starts)
    right = [a & b for a, b in zip(wanted, given, strict=True)]
    crossing = [_crossing(a, b) for a, b in zip(wanted, given, strict=True)]
    n_right, n_gold, n_found = (sum(one.total() for one in counts) for counts in (right, wanted, given))
    by_label = [_by_label(counts) for counts in (right, wanted, given)]
    return BracketsReport(
        n_sentences=len(right),
        n_tokens=len(gold),
        n_brackets=n_gold,
        precision=n_right / max(n_found, 1),
        recall=n_right / max(n_gold, 1),
        f1=2 * n_right / max(n_gold + n_found, 1),
        exact=float(np.mean([a == b for a, b in zip(wanted, given, strict=True)])),
        crossing=float(np.mean(crossing)),
        no_crossing=float(np.mean([n == 0 for n in crossing])),
        per_label={label: _score(label, *by_label) for label in sorted(by_label[1] | by_label[2])},
    )


def counted(bits: Sequence[str], tags: Sequence[str] | None, starts: Sequence[int] | Ints) -> list[Counter[Span]]:
    """The brackets of each sentence that count, over the words that count."""
    return [_brackets(bits[a:b], None if tags is None else tags[a:b]) for a, b in pairwise(np.asarray(starts).tolist())]


def _brackets(bits: Sequence[str], tags: Sequence[str] | None) -> Counter[Span]:
    kept = [True] * len(bits) if tags is None else [tag not in PUNCTUATION for tag in tags]
    before = np.cumsum([0, *kept]).tolist()
    spans = (Span(_SAME.get(label, label), before[a], before[b + 1] - 1) for label, a, b in spans_of(bits))
    return Counter(span for span in spans if span.first <= span.last and span.label not in _NO_LABEL)


def _crossing(gold: Counter[Span], found: Counter[Span]) -> int:
    places = {(first, last) for _, first, last in gold}
    return sum(
        n
        for (_, a, b), n in found.items()
        if any(a < first <= b < last or first < a <= last < b for first, last in places)
    )


def _by_label(counts: Sequence[Counter[Span]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for one in counts:
        for span, n in one.items():
            total[span.label] += n
    return total


def _score(label: str, right: Counter[str], gold: Counter[str], found: Counter[str]) -> LabelScore:
    hits, wanted, given = right[label], gold[label], found[label]
    return LabelScore(hits / max(given, 1), hits / max(wanted, 1), 2 * hits / max(wanted + given, 1), wanted)
