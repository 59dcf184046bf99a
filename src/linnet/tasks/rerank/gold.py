"""Lists of candidates with their costs."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from linnet import io
from linnet.core.small_files import small_text
from linnet.core.types import Data, Json, Output
from linnet.errors import DataError, UsageError
from linnet.io.bytes.faults import Where
from linnet.io.formats import FileOptions
from linnet.io.lists.json_lists import as_list
from linnet.io.lists.lists import Lists
from linnet.io.python_values import rows_of, several
from linnet.structures.candidates import gold

Ints = npt.NDArray[np.int32]
Offsets = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
_LABELS = ("worse", "better")


@dataclass(frozen=True)
class Ranked:
    """Lists with the cost of each candidate."""

    lists: Lists
    costs: npt.NDArray[np.float64]
    y: Ints
    y_at: Offsets
    details: Mapping[str, Json]
    labels: tuple[str, ...] = _LABELS

    @classmethod
    def from_costs(cls, lists: Lists, costs: npt.NDArray[np.float64], details: Mapping[str, Json]) -> Ranked:
        """Lists with these costs. The regret of a candidate is what it costs more than the best one of its list.
        Learning takes regrets in the unit of `details`, which is their mean over the candidates that have one."""
        y, y_at = gold(regret_of(lists, costs) / float(details["unit"]), lists.at)
        return cls(lists, costs, y, y_at, details)

    def __len__(self) -> int:
        return len(self.lists)

    @property
    def source(self) -> str:
        return self.lists.source

    def part(self, rows: Offsets) -> Ranked:
        of_lists = self.lists.split(self.costs)
        costs = np.concatenate([of_lists[i] for i in rows]) if len(rows) else np.zeros(0)
        return Ranked.from_costs(self.lists.part(rows.tolist()), costs, self.details)

    def texts(self) -> list[str]:
        return [one.x or one.candidates[0].text for one in self.lists.lists]

    def column(self, name: str) -> None:
        """None, as files of lists have columns of candidates only."""


def as_lists(data: Data, cost: str | None = None, how: FileOptions | None = None) -> Lists:
    """Lists of candidates from files, or from Python values: for each list an object as in jsonl, or a list of candidates.

    >>> as_lists([["a", "b"], {"source": "x", "candidates": [{"text": "c", "cost": 1}]}]).at.tolist()
    [0, 2, 3]
    """
    if isinstance(data, Lists):
        return data
    data = several(data)
    rows = None if isinstance(data, list | tuple) else rows_of(data)
    data = data if rows is None else rows.dicts()
    paths = [data] if not isinstance(data, list | tuple) else data
    if paths and all(isinstance(path, str | os.PathLike) for path in paths):
        return io.read_lists(data, cost=cost, **(how or {}))
    found = [one if isinstance(one, Mapping) else {"candidates": list(one)} for one in data]
    return Lists([as_list(one, Where("lists", i), cost) for i, one in enumerate(found, 1)], "lists")


def costs_of(lists: Lists, better: str) -> npt.NDArray[np.float64]:
    """The cost of each candidate: as the file gives it, or 100 less its BLEU where there are references instead."""
    costs = lists.costs
    missing = np.flatnonzero(np.isnan(costs))
    if len(missing) == len(costs) and all(one.reference for one in lists.lists):
        return bleu_costs(lists)
    if len(missing):
        i = int(np.searchsorted(lists.at, missing[0], "right"))
        raise DataError(
            f"a candidate of list {i} has no cost. Give each candidate a 'cost' or a 'rank', name another key with "
            "--label-col, or give each list a 'reference'.",
            lists.source,
        )
    return -costs if better == "more" else costs


def regret_of(lists: Lists, costs: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The regret of each candidate: what it costs more than the best one of its list."""
    at = lists.at
    regret: npt.NDArray[np.float64] = costs - np.repeat(np.minimum.reduceat(costs, at[:-1]), np.diff(at))
    return regret


def bleu_costs(lists: Lists) -> npt.NDArray[np.float64]:
    """100 less the sentence BLEU of each candidate, smoothed as sacrebleu does it."""
    try:
        from sacrebleu.metrics.bleu import BLEU
    except ImportError:
        raise UsageError("BLEU needs sacrebleu: pip install linnet[rerank].") from None
    bleu = BLEU(effective_order=True)
    pairs = ((candidate.text, one.reference) for one in lists.lists for candidate in one.candidates)
    return np.array([100 - bleu.sentence_score(text, [reference]).score for text, reference in pairs])


def with_references(lists: Lists, path: str) -> Lists:
    """Lists with the references of a file, which has one for each list on a line."""
    references = small_text(path).splitlines()
    if len(references) != len(lists):
        raise DataError(f"expected {len(lists):,} lines, a reference for each list, found {len(references):,}.", path)
    together = zip(lists.lists, references, strict=True)
    return replace(lists, lists=[replace(one, reference=reference) for one, reference in together])


def lists_with_costs(lists: Lists, Y: Sequence[Output]) -> Lists:
    """Lists whose candidates have these costs, instead of their own."""
    sizes = np.diff(lists.at).tolist()
    if [len(costs) for costs in Y] != sizes:
        raise DataError("expected a cost for each candidate of each list. Pass as many costs as there are candidates.")
    found = [
        replace(one, candidates=[replace(c, cost=float(cost)) for c, cost in zip(one.candidates, costs, strict=True)])
        for one, costs in zip(lists.lists, Y, strict=True)
    ]
    return replace(lists, lists=found)
