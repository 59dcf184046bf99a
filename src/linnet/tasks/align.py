"""Which words of a sentence and of its translation belong together: word alignment."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from linnet.core.blocks import Block
from linnet.errors import DataError, UsageError, meant
from linnet.evaluate.alignments import AlignmentReport, counted, evaluate_alignments
from linnet.explain import Strong, strongest
from linnet.explain.alignments import AlignmentExplanation, explain_alignment
from linnet.features.alignment import AlignmentFeatures
from linnet.features.translation import Translations, learn_translations
from linnet.io.pair_formats import read_pair_batches, read_pairs
from linnet.io.pairs import Link, Pairs, flags_of, links_of, pairs_of
from linnet.learners import Preset
from linnet.model import Model
from linnet.structures.alignment import Alignment, OneToMany
from linnet.structures.itg import Itg
from linnet.structures.matching import Matching
from linnet.structures.monotone import Monotone
from linnet.tasks.contract import Counts, Plan

Ints = npt.NDArray[np.int32]
_KINDS = {"matching": Matching, "one-to-many": OneToMany, "monotone": Monotone, "itg": Itg}
# These, the learner, its C and the cost of missing a link were chosen by cross-validation over a third of the Hansards.
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
class Aligned:
    """Pairs of sentences and the flags of their links: 1 sure, 2 possible."""

    pairs: Pairs
    y: Ints
    details: Mapping[str, Any]
    labels: tuple[str, ...] = ("link",)

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def y_at(self) -> npt.NDArray[np.int64]:
        return self.pairs.places

    @property
    def source(self) -> str:
        return self.pairs.name

    def part(self, rows: npt.NDArray[np.int64]) -> Aligned:
        pairs = self.pairs.part(rows)
        return Aligned(pairs, flags_of(pairs), self.details)

    def texts(self) -> list[str]:
        return [f"{' '.join(source)} ||| {' '.join(target)}" for source, target in self.pairs.words()]

    def column(self, name: str) -> None:
        """Files of pairs have no other columns."""


class AlignModel(Model):
    """A model that links the tokens of two sentences."""

    task: ClassVar[str] = "align"

    @classmethod
    def structure(cls, features: AlignmentFeatures, labels: tuple[str, ...], details: Mapping[str, Any]) -> Alignment:
        return _KINDS[details["search"]](details["miss"])

    @classmethod
    def n_features(cls, features: AlignmentFeatures, gen: Alignment) -> tuple[int, ...]:
        return features.n_features, features.n_none_features

    @classmethod
    def read_features(cls, header: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> AlignmentFeatures:
        return AlignmentFeatures.from_arrays(header, arrays)

    def align(self, pairs: Pairs) -> Ints:
        """A flag for each place of each pair: 1 for a link."""
        with self._predictor() as predictor:
            y_hat: Ints = predictor.argmax(self.features.blocks(pairs))[0]
        return y_hat

    def align_k_best(self, pairs: Pairs, k: int) -> list[list[tuple[list[Link], float]]]:
        """For each pair its k best alignments with their scores, the best first."""
        with self._predictor() as predictor:
            found = predictor.kbest(self.features.blocks(pairs), k)
        one = (pairs.part(np.array([i])) for i in range(len(pairs)))
        return [
            [(links_of(y, pair)[0], score) for y, score in zip(rows, scores.tolist(), strict=True)]
            for pair, (rows, scores) in zip(one, found, strict=True)
        ]

    def predict(self, pairs: Sequence[tuple[Sequence[str], Sequence[str]]]) -> list[list[Link]]:
        """The links of pairs of sentences, which are lists of tokens: the numbers of a source and of a target token, from 0."""
        data = pairs_of(pairs, None)
        return links_of(self.align(data), data)

    def batches(self, source: Any, format: str | None = None) -> Iterator[Pairs]:
        """The pairs of files, some at a time."""
        return read_pair_batches(source, format=format, labelled=False)

    def evaluate(self, pairs: Pairs) -> AlignmentReport:
        """Align the pairs and compare with the links that they have."""
        if pairs.links is None:
            raise DataError("there are no links to compare with.", pairs.name)
        return evaluate_alignments(flags_of(pairs), self.align(pairs), pairs.places)

    def explain(self, source: Sequence[str], target: Sequence[str]) -> AlignmentExplanation:
        """Why each token of a translation is linked as it is."""
        return self.explain_pairs(pairs_of([(source, target)], None))[0]

    def explain_pairs(self, pairs: Pairs) -> list[AlignmentExplanation]:
        self._check_linear()
        found = []
        names = self.features.name, self.features.none_name
        for i, (source, target) in enumerate(pairs.words()):
            blocks = self.features.blocks(pairs.part(np.array([i])))
            with self._predictor() as predictor:
                found.append(explain_alignment(source, target, blocks, names, predictor))
        return found

    def strongest(self, top: int = 10) -> dict[str, list[Strong]]:
        """The features that speak most strongly for a link, and against one."""
        w = self.W[0][:, :1]
        return strongest(self.features, np.hstack([w, -w]), ("link", "no link"), top)


@dataclass(frozen=True)
class AlignTask:
    parallel: str = ""
    search: str = "matching"
    miss: float = _MISS
    known: dict[tuple[int, tuple[str, ...]], Translations] = field(default_factory=dict, compare=False, repr=False)
    """What was learned of the parallel text: the same for every fold."""

    name: ClassVar[str] = "align"
    description: ClassVar[str] = "links between the tokens of a sentence and of its translation"
    per_place: ClassVar[bool] = False
    settings: ClassVar[Mapping[str, str]] = {
        "parallel": "FILE or FILE,FILE: pairs without links, to learn translations of words from; else those of DATA",
        "search": f"{', '.join(_KINDS)}: which alignments there are",
        "miss": f"what a missed sure link costs, where a wrong one costs 1; {_MISS:g}",
    }
    model: ClassVar[type[Model]] = AlignModel

    def __post_init__(self) -> None:
        if self.search not in _KINDS:
            raise UsageError(
                f"expected search={', '.join(_KINDS)}, found {self.search!r}.{meant(str(self.search), _KINDS)}"
            )
        if not isinstance(self.miss, int | float) or not 0 < self.miss < float("inf"):
            raise UsageError(f"expected miss to be a number above 0, found {self.miss!r}.")

    def read(self, data: Any, columns: Mapping[str, Any], like: Aligned | None = None) -> Aligned:
        for name in ("text_col", "label_col"):
            if columns.get(name) is not None:
                raise UsageError(f"pairs of sentences have no such column. Leave out --{name.replace('_', '-')}.")
        pairs = data if isinstance(data, Pairs) else read_pairs(data, format=columns.get("format"))
        y = flags_of(pairs)
        if like is None and not (y == 1).any():
            raise DataError("no link is sure; learning needs some.", pairs.name)
        details = {"search": self.search, "miss": float(self.miss)} if like is None else like.details
        return Aligned(pairs, y, details)

    def weighted(
        self, features: AlignmentFeatures, gold: Aligned, class_weight: str | Mapping[str, float] | None
    ) -> tuple[Alignment, None]:
        if class_weight is not None:
            raise UsageError("class weights are for labels and tags. Use --set miss=2 for what a missed link costs.")
        return AlignModel.structure(features, gold.labels, gold.details), None

    def plan(self, spec: str | None, gold: Aligned) -> Plan:
        return Plan(_FEATURES if spec is None else spec, "averaged-mira", {"C": _C})

    def measure_of(self, learner: Preset, gold: Aligned) -> None:
        """There are no sets."""

    def fit(self, spec: str, gold: Aligned) -> tuple[AlignmentFeatures, tuple[Block, ...]]:
        features = AlignmentFeatures(spec)
        parallel: Pairs | None = None if self.parallel else gold.pairs
        for letters, names in features.models.items():
            wanted = letters, tuple(sorted(names))
            if not self.parallel or wanted not in self.known:
                if parallel is None:
                    parallel = read_pairs([os.fspath(path) for path in self.parallel.split(",")], labelled=False)
                self.known[wanted] = learn_translations(parallel, *wanted)
            features.translations[letters] = self.known[wanted]
        return features, features.blocks(gold.pairs, grow=True)

    def blocks(self, features: AlignmentFeatures, gold: Aligned) -> tuple[Block, ...]:
        return features.blocks(gold.pairs)

    def counts(self, gold: Aligned, y_hat: Ints, y_hat_at: npt.NDArray[np.int64]) -> Counts:
        """1 - AER: what is right of what was found and what is sure."""
        in_sure, in_possible, links, sure = counted(gold.y, y_hat, gold.y_at).astype(np.float64)
        return Counts("1 - AER", in_sure + in_possible, links + sure)
