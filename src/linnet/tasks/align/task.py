"""The task `align`: links between the words of a sentence and of its translation."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from linnet.core.blocks import Block
from linnet.core.types import Data
from linnet.errors import DataError, UsageError, check_choice
from linnet.fitting.contract import Columns, Counts, Known, Plan, how_of
from linnet.fitting.progress import SILENT, Steps
from linnet.io.pairs.formats import read_pairs
from linnet.io.pairs.pairs import Pairs, flags_of
from linnet.io.python_values import Rows
from linnet.model.base import Model
from linnet.structures.alignment import Alignment
from linnet.tasks.align.features import AlignmentFeatures
from linnet.tasks.align.gold import Aligned, Ints, pairs_with_links
from linnet.tasks.align.measures import counted
from linnet.tasks.align.model import SEARCHES, SIDES, AlignModel
from linnet.tasks.align.translation import Translations, learn_translations
from linnet.tasks.defaults import Defaults, is_pair

if TYPE_CHECKING:
    from linnet.core.form import Structure
    from linnet.fitting.notation import Notation
    from linnet.tasks.commands import Commands

# Features, learner, its C and the cost of missing a link were chosen by cross-validation over a third of the Hansards.
_FEATURES = " ".join(
    (
        "hmm hmm:5 hmm:4 model2:4 model1:4 model1 top.hmm:4 top.model1:4 alike kind dist",
        "~hmm:4[1,1] ~hmm:4[-1,-1] ~hmm:4[-1,-1]|~hmm:4[1,1] dist|~hmm:4",
        "s.common t.common s.count|t.count s.count|~hmm:4 t.count|~hmm:4",
    )
)
_C = 0.01
_MISS = 3.0


@dataclass(frozen=True)
class AlignTask(Defaults[Aligned, AlignmentFeatures]):
    parallel: tuple[str, ...] = ()
    """The paths of the parallel text; what is given may be one path, or any sequence of them."""
    search: str = "matching"
    miss: float = _MISS
    known: dict[tuple[int, tuple[str, ...]], Translations] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )
    """Translations that were learned from the parallel text, keyed by the number of letters and the names of the
    models. They are kept, as they are the same for every fold."""

    name: ClassVar[str] = "align"
    description: ClassVar[str] = "links between the tokens of a sentence and of its translation"
    per_place: ClassVar[bool] = False
    settings: ClassVar[Mapping[str, str]] = {
        "parallel": "FILE: pairs without links to learn word translations from; by default the pairs of DATA",
        "search": f"{', '.join(SEARCHES)}: which alignments are possible",
        "miss": f"the cost of a missed sure link, where a wrong link costs 1; by default {_MISS:g}",
    }
    model: ClassVar[type[Model]] = AlignModel

    def __post_init__(self) -> None:
        object.__setattr__(self, "parallel", _paths(self.parallel))
        check_choice("search=", self.search, SEARCHES)
        if not isinstance(self.miss, int | float) or not 0 < self.miss < float("inf"):
            raise UsageError(f"expected miss to be a number above 0, found {self.miss!r}.")

    @property
    def commands(self) -> Commands:
        from linnet.tasks.align import commands

        return commands

    def taken(self, rows: Rows, columns: Columns, remembered: Mapping[str, str]) -> Data:
        """The tokens of each sentence and of its translation, and the links between them: `links`, or `sure` and perhaps
        `possible` ones."""
        sides = [rows.values(rows.find(f"{name} tokens", (name,), None, "text")) for name in SIDES]
        links = rows.values(rows.find("links", ("sure", "links"), columns.get("label_col"), "label"))
        if "possible" in rows.columns:
            links = [(sure, possible or []) for sure, possible in zip(links, rows.values("possible"), strict=True)]
        return list(zip(*sides, strict=True)), links

    def read(self, data: Data, columns: Columns, known: Known | None = None) -> Aligned:
        for name in ("text_col", "label_col"):
            if columns.get(name) is not None:
                raise UsageError(f"pairs of sentences have no columns to name. Leave out --{name.replace('_', '-')}.")
        if is_pair(data):
            data = pairs_with_links(*data)
        pairs = data if isinstance(data, Pairs) else read_pairs(data, **how_of(columns))
        y = flags_of(pairs)
        if known is None and not (y == 1).any():
            raise DataError("expected some sure links to learn from, found none. Add links to the pairs.", pairs.name)
        details = {"search": self.search, "miss": float(self.miss)} if known is None else known.details
        return Aligned(pairs, y, details)

    def weighted(
        self, features: AlignmentFeatures, gold: Aligned, class_weight: str | Mapping[str, float] | None
    ) -> tuple[Alignment, None]:
        if class_weight is not None:
            raise UsageError(
                "class weights are for labels and tags. Use --set miss=2 to set the cost of a missed link."
            )
        return AlignModel.structure(features, gold.labels, gold.details), None

    def plan(self, spec: str | None, gold: Aligned) -> Plan:
        return Plan(_FEATURES if spec is None else spec, "averaged-mira", {"C": _C})

    def fit(self, spec: str, gold: Aligned, steps: Steps = SILENT) -> tuple[AlignmentFeatures, tuple[Block, ...]]:
        features = AlignmentFeatures(spec)
        for letters, names in features.models.items():
            features.translations[letters] = self._translations(gold, letters, tuple(sorted(names)))
        return features, features.blocks(gold.pairs, grow=True)

    def _translations(self, gold: Aligned, letters: int, names: tuple[str, ...]) -> Translations:
        """The word translations that the features need, learned from the parallel text, or from the gold pairs without one."""
        if not self.parallel:
            return learn_translations(gold.pairs, letters, names)
        if (letters, names) not in self.known:
            pairs = read_pairs(list(self.parallel), labelled=False)
            self.known[letters, names] = learn_translations(pairs, letters, names)
        return self.known[letters, names]

    def is_one(self, x: Data) -> bool:
        """Whether x is one pair, a tuple of two lists of tokens, and not a list of pairs."""
        return isinstance(x, tuple)

    def grow(self, features: AlignmentFeatures, gold: Aligned) -> tuple[Block, ...]:
        """The blocks of further pairs, with new features; the translations of words stay as they were learned."""
        return features.blocks(gold.pairs, grow=True)

    def blocks(self, features: AlignmentFeatures, gold: Aligned) -> tuple[Block, ...]:
        return features.blocks(gold.pairs)

    def notation(self, features: AlignmentFeatures, gold: Aligned, gen: Structure, i: int) -> Notation:
        """The names of features; places are links."""
        from linnet.tasks.align.notation import of_links

        return of_links(features, gold, i)

    def counts(self, gold: Aligned, y_hat: Ints, y_hat_at: npt.NDArray[np.int64]) -> Counts:
        """1 - AER, the share of right links among those that were found and those that are sure."""
        in_sure, in_possible, links, sure = counted(gold.y, y_hat, gold.y_at).astype(np.float64)
        return Counts("1 - AER", in_sure + in_possible, links + sure)


def _paths(given: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]) -> tuple[str, ...]:
    """The paths that were given: none, one, or several.

    >>> _paths(""), _paths("a,b.txt"), _paths(["a.txt", "b.txt"])
    ((), ('a,b.txt',), ('a.txt', 'b.txt'))
    """
    paths = [given] if isinstance(given, str | os.PathLike) else given
    return tuple(os.fspath(path) for path in paths if os.fspath(path))


TASK = AlignTask()
