"""Measures for word alignments (Och and Ney 2003). A are the links that were found, S the sure ones, P the possible ones; P
includes S.

precision = |A in P| / |A|      recall = |A in S| / |S|      AER = 1 - (|A in S| + |A in P|) / (|A| + |S|)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from linnet.core.types import Json
from linnet.errors import DataError
from linnet.evaluate.sentences import per_sentence
from linnet.report.shown import Shown

Flags = npt.NDArray[np.int32]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, repr=False)
class AlignmentReport(Shown):
    """How right word alignments are."""

    drawn_by: ClassVar[str] = "linnet.tasks.align.terminal:alignment_report"

    n_pairs: int
    n_links: int
    """The number of links that were found."""
    n_sure: int
    n_possible: int
    precision: float
    recall: float
    aer: float

    def as_dict(self) -> dict[str, Json]:
        return dict(vars(self))


def counted(gold: Flags, found: Flags, places: Ints) -> npt.NDArray[np.int64]:
    """The counts |A in S|, |A in P|, |A| and |S| of each pair. Gold flags are 1 for sure and 2 for possible; `places` says
    where the flags of each pair start."""
    A, S, P = found == 1, gold == 1, gold > 0
    return np.array([per_sentence(flags, places) for flags in (A & S, A & P, A, S)])


def evaluate_alignments(gold: Flags, found: Flags, places: Ints) -> AlignmentReport:
    """Compare the flags of links that were found with the gold flags."""
    if len(gold) != len(found):
        raise DataError(f"expected a flag for each of {len(gold)} places, found {len(found)}.")
    in_sure, in_possible, links, sure = (int(total) for total in counted(gold, found, places).sum(axis=1))
    return AlignmentReport(
        n_pairs=len(places) - 1,
        n_links=links,
        n_sure=sure,
        n_possible=int((gold > 0).sum()),
        precision=in_possible / links if links else 1.0,
        recall=in_sure / sure if sure else 1.0,
        aer=1 - (in_sure + in_possible) / (links + sure) if links + sure else 0.0,
    )
