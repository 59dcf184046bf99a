"""The task `rerank`: put the candidates of each example, such as an n-best list, in a better order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from linnet.core.blocks import Block
from linnet.core.types import Data, Json
from linnet.errors import DataError, UsageError, check_choice
from linnet.fitting.contract import Columns, Counts, Known, Plan, how_of
from linnet.fitting.progress import SILENT, Steps
from linnet.io.python_values import Rows
from linnet.model.base import Model
from linnet.tasks.defaults import Defaults, is_pair
from linnet.tasks.rerank.features import CandidateFeatures
from linnet.tasks.rerank.gold import (
    Ints,
    Offsets,
    Ranked,
    as_lists,
    costs_of,
    lists_with_costs,
    regret_of,
    with_references,
)
from linnet.tasks.rerank.model import RerankModel, blocks_of

if TYPE_CHECKING:
    from linnet.core.form import Structure
    from linnet.fitting.notation import Notation
    from linnet.tasks.commands import Commands

_FEATURES = "words:1-2 presence min=2 numbers length ratio repeat unknown marks overlap consensus"
# C was chosen by cross-validation over half of the lists of the translations from Czech.
_C = 0.001
_LOSSES = ("list", "pairs")
_BETTER = ("less", "more")


@dataclass(frozen=True)
class RerankTask(Defaults[Ranked, CandidateFeatures]):
    loss: str = "list"
    better: str = "less"
    references: str | None = None

    name: ClassVar[str] = "rerank"
    description: ClassVar[str] = "the candidates of each example, such as an n-best list, in a better order"
    per_place: ClassVar[bool] = False
    settings: ClassVar[Mapping[str, str]] = {
        "loss": "list: learn the best candidate of each list; pairs: learn the order of each two that differ in cost",
        "better": "less: the numbers in the file are costs; more: they are what candidates are worth",
        "references": "a file with a reference for each list on a line: candidates without a cost then cost 100 less "
        "their BLEU",
    }
    model: ClassVar[type[Model]] = RerankModel

    def __post_init__(self) -> None:
        check_choice("loss=", self.loss, _LOSSES)
        check_choice("better=", self.better, _BETTER)

    @property
    def commands(self) -> Commands:
        from linnet.tasks.rerank import commands

        return commands

    def taken(self, rows: Rows, columns: Columns, remembered: Mapping[str, str]) -> Data:
        """Each row as an object with candidates; the cost of each is under the key that the user names, as in files."""
        return as_lists(rows.dicts(), cost=columns.get("label_col"))

    def read(self, data: Data, columns: Columns, known: Known | None = None) -> Ranked:
        if columns.get("text_col") is not None:
            raise UsageError("the texts of candidates are always under 'text'. Leave out --text-col.")
        if is_pair(data):
            data = lists_with_costs(as_lists(data[0]), list(data[1]))
        lists = as_lists(data, columns.get("label_col"), how_of(columns))
        if not len(lists):
            raise DataError("expected lists of candidates, found none.", lists.source)
        if self.references is not None:
            lists = with_references(lists, self.references)
        costs = costs_of(lists, self.better)
        more = regret_of(lists, costs)
        if known is None and not more.any():
            raise DataError("expected lists whose candidates differ in cost, found none to learn from.", lists.source)
        details = {
            "loss": self.loss,
            "better": self.better,
            "unit": float(more[more > 0].mean()) if more.any() else 1.0,
        }
        return Ranked.from_costs(lists, costs, details if known is None else known.details)

    def plan(self, spec: str | None, gold: Ranked) -> Plan:
        return Plan(_FEATURES if spec is None else spec, "averaged-mira", {"C": _C})

    def fit(self, spec: str, gold: Ranked, steps: Steps = SILENT) -> tuple[CandidateFeatures, tuple[Block, ...]]:
        features = CandidateFeatures(spec)
        return features, (Block(*features.fit_transform(gold.lists), gold.lists.at),)

    def is_one(self, x: Data) -> bool:
        """Whether x is one list of candidates: an object with `candidates`, or a list of texts or objects. Several are a
        list of such lists."""
        if isinstance(x, Mapping):
            return True
        return len(x) > 0 and (isinstance(x[0], str) or (isinstance(x[0], Mapping) and "candidates" not in x[0]))

    def as_trained(self, details: Mapping[str, Json]) -> RerankTask:
        return replace(self, loss=details["loss"], better=details["better"])

    def grow(self, features: CandidateFeatures, gold: Ranked) -> tuple[Block, ...]:
        """The blocks of further lists. No features are added, as words come before all others in the numbering, and as units of
        numbers belong to the first lists."""
        return blocks_of(features, gold.lists)

    def blocks(self, features: CandidateFeatures, gold: Ranked) -> tuple[Block, ...]:
        return blocks_of(features, gold.lists)

    def notation(self, features: CandidateFeatures, gold: Ranked, gen: Structure, i: int) -> Notation:
        """The names of features; places are candidates."""
        from linnet.fitting.notation import Notation

        one = gold.part(np.array([i])).lists.lists[0]
        return Notation(
            text=one.x or one.candidates[0].text,
            feature=lambda block, j: features.name(j),
            outcome=lambda block, k: "",
            output=lambda y: f"candidate {y[0]}: {one.candidates[y[0]].text}",
            place=lambda block, place: f"candidate {place}",
        )

    def counts(self, gold: Ranked, y_hat: Ints, y_hat_at: Offsets) -> Counts:
        """What the chosen candidates save against the dearest ones of their lists, as a share of what the best would save."""
        at = gold.lists.at[:-1]
        saved = regret_of(gold.lists, -gold.costs)
        return Counts("share of what can be saved", saved[at + y_hat], np.maximum.reduceat(saved, at))


TASK = RerankTask()
