"""Measures for dependency trees, as the script of the CoNLL 2018 shared task counts (Zeman et al. 2018), on given tokens.

UAS    the share of tokens with the right head
LAS    the share of tokens with the right head and relation; relations are compared without what follows a colon
CLAS   the F1 of head and relation over content words, whose relation is none of aux, case, cc, clf, cop, det, mark, punct
UCM    the share of sentences all of whose heads are right
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from linnet.core.types import Integers, Json
from linnet.errors import DataError
from linnet.report.shown import Shown

Ints = Integers
FUNCTION = ("aux", "case", "cc", "clf", "cop", "det", "mark", "punct")


@dataclass(frozen=True)
class RelationScore:
    """How right the tokens with one relation are, by head and relation together."""

    precision: float
    recall: float
    f1: float
    count: int
    """The number of tokens that have the relation."""


@dataclass(frozen=True, repr=False)
class TreesReport(Shown):
    """How right dependency trees are."""

    drawn_by: ClassVar[str] = "linnet.tasks.parse.terminal:trees_report"

    n_tokens: int
    n_sentences: int
    uas: float
    las: float
    clas: float
    ucm: float
    per_relation: dict[str, RelationScore]

    def as_dict(self) -> dict[str, Json]:
        """The JSON object of `linnet evaluate --json`."""
        return {**vars(self), "per_relation": {name: vars(score) for name, score in self.per_relation.items()}}


def plain(relation: str) -> str:
    """A relation without what follows a colon."""
    return relation.partition(":")[0]


def evaluate_trees(
    heads: Sequence[int] | Ints,
    relations: Sequence[str],
    heads_hat: Sequence[int] | Ints,
    relations_hat: Sequence[str],
    starts: Sequence[int] | Ints,
) -> TreesReport:
    """Compare gold trees with others, token by token. All but `starts` have an entry for each token of all sentences, heads
    being counted from 1 within the sentence, 0 for the root; `starts` says where the tokens of each sentence start, and where
    the last ones end."""
    starts = np.asarray(starts, np.int64)
    if not len(heads) == len(relations) == len(heads_hat) == len(relations_hat):
        raise DataError(f"expected as many heads as tokens, found {len(heads_hat)} and {len(heads)}.")
    if not len(heads):
        raise DataError("there is nothing to evaluate: no tokens.")
    r, r_hat = (np.array(list(map(plain, names))) for names in (relations, relations_hat))
    right = np.asarray(heads) == np.asarray(heads_hat)
    both = right & (r == r_hat)
    content, content_hat = (~np.isin(some, FUNCTION) for some in (r, r_hat))
    whole = np.add.reduceat(~right, starts[:-1]) == 0
    scores = {}
    for name in sorted({*r.tolist(), *r_hat.tolist()}):
        wanted, found = int(np.sum(r == name)), int(np.sum(r_hat == name))
        hits = int(np.sum(both & (r == name)))
        scores[name] = RelationScore(
            hits / max(found, 1), hits / max(wanted, 1), 2 * hits / max(wanted + found, 1), wanted
        )
    return TreesReport(
        n_tokens=len(right),
        n_sentences=len(starts) - 1,
        uas=float(right.mean()),
        las=float(both.mean()),
        clas=float(2 * np.sum(both & content) / max(content.sum() + content_hat.sum(), 1)),
        ucm=float(whole.mean()),
        per_relation=scores,
    )
