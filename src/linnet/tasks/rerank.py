"""The best of the candidates that each example has: n-best lists in a better order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from linnet import io
from linnet.core.blocks import Block
from linnet.errors import DataError, UsageError, meant
from linnet.evaluate.candidates import CandidatesReport, evaluate_candidates
from linnet.explain.differences import Part, Scored, Use
from linnet.features.candidates import CandidateFeatures
from linnet.io.faults import Where
from linnet.io.json_lists import as_list
from linnet.io.lists import Lists
from linnet.learners import Preset
from linnet.model import Model
from linnet.structures.candidates import CandidatePairs, Candidates, gold
from linnet.tasks.contract import Counts, Plan

Ints = npt.NDArray[np.int32]
Offsets = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_FEATURES = "words:1-2 presence min=2 numbers length ratio repeat unknown marks overlap consensus"
# Chosen by cross-validation over half of the lists of the translations from Czech.
_C = 0.001
_LABELS = ("worse", "better")
_LOSSES = ("list", "pairs")
_BETTER = ("less", "more")


@dataclass(frozen=True)
class Ranked:
    """Lists with the cost of each candidate."""

    lists: Lists
    costs: npt.NDArray[np.float64]
    y: Ints
    y_at: Offsets
    details: Mapping[str, Any]
    labels: tuple[str, ...] = _LABELS

    @classmethod
    def of(cls, lists: Lists, costs: npt.NDArray[np.float64], details: Mapping[str, Any]) -> Ranked:
        """Costs are learned in units of what a candidate costs more than the best one, in the mean."""
        y, y_at = gold(_regret(lists, costs) / float(details["unit"]), lists.at)
        return cls(lists, costs, y, y_at, details)

    def __len__(self) -> int:
        return len(self.lists)

    @property
    def source(self) -> str:
        return self.lists.source

    def part(self, rows: Offsets) -> Ranked:
        of_lists = self.lists.of_lists(self.costs)
        costs = np.concatenate([of_lists[i] for i in rows]) if len(rows) else np.zeros(0)
        return Ranked.of(self.lists.part(rows.tolist()), costs, self.details)

    def texts(self) -> list[str]:
        return [one.x or one.candidates[0].text for one in self.lists.lists]

    def column(self, name: str) -> None:
        """Files of lists have columns of candidates only."""


class RerankModel(Model):
    """A model that puts candidates in order."""

    task: ClassVar[str] = "rerank"

    @classmethod
    def structure(cls, features: CandidateFeatures, labels: tuple[str, ...], details: Mapping[str, Any]) -> Candidates:
        return CandidatePairs() if details["loss"] == "pairs" else Candidates()

    @classmethod
    def n_features(cls, features: CandidateFeatures, gen: Candidates) -> tuple[int, ...]:
        return (features.n_features,)

    @classmethod
    def read_features(cls, header: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> CandidateFeatures:
        return CandidateFeatures.from_arrays(header, arrays)

    @classmethod
    def indicators(cls, gen: Candidates) -> tuple[npt.NDArray[np.float32], ...]:
        """A feature that speaks for a candidate speaks against `worse`."""
        return (np.array([[-1, 1]], np.float32),)

    @property
    def probabilistic(self) -> bool:
        """Pairs have no probabilities that belong to one list."""
        return super().probabilistic and bool(self._gen.has_marginals)

    def scores(self, data: Any) -> list[Floats]:
        """w.f(x, y) of the candidates of each list: the larger, the better."""
        lists = as_lists(data)
        with self._predictor() as predictor:
            return lists.of_lists(predictor.scores(_blocks(self.features, lists))[0][:, 0])

    def predict_proba(self, data: Any) -> list[Floats]:
        """How probable it is of each candidate that it is the best of its list."""
        if not self.probabilistic:
            raise UsageError(
                f"the scores of learner {self.learner!r} over {self.details['loss']} are not probabilities. Train with "
                "'logistic' and loss=list."
            )
        lists = as_lists(data)
        with self._predictor() as predictor:
            return lists.of_lists(predictor.marginals(_blocks(self.features, lists))[0][:, 0])

    def order(self, data: Any) -> list[list[int]]:
        """The numbers of the candidates of each list, the best first."""
        return [in_order(one) for one in self.scores(data)]

    def predict(self, data: Any) -> list[str]:
        """The best candidate of each list."""
        lists = as_lists(data)
        return [one.candidates[order[0]].text for one, order in zip(lists.lists, self.order(lists), strict=True)]

    def batches(self, source: Any, format: str | None = None) -> Iterator[Lists]:
        """The lists of files, some at a time."""
        return io.read_list_batches(source, format=format)

    def evaluate(self, data: Any) -> CandidatesReport:
        """Put candidates in order and compare with what they cost."""
        lists = as_lists(data)
        costs = _costs(lists, str(self.details["better"]))
        return evaluate_candidates(lists.of_lists(costs), self.scores(lists))

    def explain(self, data: Any, candidate: int | None = None, against: int | None = None) -> CandidateExplanation:
        """Why one candidate of a list, the best one, is before another, the second."""
        lists = as_lists([data] if isinstance(data, Mapping) else data)
        one, order = lists.lists[0], self.order(lists.part([0]))[0]
        mine = order[0] if candidate is None else candidate
        other = against if against is not None else next((c for c in order if c != mine), mine)
        for c in (mine, other):
            if not 0 <= c < len(order):
                raise UsageError(f"expected the number of a candidate from 0 to {len(order) - 1}, found {c}.")
        scored = Scored(_blocks(self.features, lists.part([0])), [self.features.name], self.W)
        parts = scored.differences([Use(0, mine, 0, 0, "")], [Use(0, other, 0, 0, "")])
        parts = [part for part in parts if part.what != "bias" and part.contribution]
        texts = [candidate.text for candidate in one.candidates]
        return CandidateExplanation(
            one.x, mine, other, texts[mine], texts[other], sum(part.contribution for part in parts), tuple(parts)
        )


@dataclass(frozen=True)
class CandidateExplanation:
    """Why `candidate` and not `against`: the contributions sum to the difference of their scores."""

    x: str
    candidate: int
    against: int
    text: str
    against_text: str
    score: float
    contributions: tuple[Part, ...]


@dataclass(frozen=True)
class RerankTask:
    loss: str = "list"
    better: str = "less"
    references: str | None = None

    name: ClassVar[str] = "rerank"
    description: ClassVar[str] = "the best of the candidates that each example has: n-best lists in a better order"
    per_place: ClassVar[bool] = False
    settings: ClassVar[Mapping[str, str]] = {
        "loss": "list: of the best candidate of a list; pairs: of each two that differ in cost",
        "better": "less: a candidate costs what the file says; more: that is what it is worth",
        "references": "a file with a reference for each list on a line: without a cost, a candidate costs 100 less its BLEU",
    }
    model: ClassVar[type[Model]] = RerankModel

    def __post_init__(self) -> None:
        for name, values in (("loss", _LOSSES), ("better", _BETTER)):
            value = getattr(self, name)
            if value not in values:
                raise UsageError(f"expected {name}={' or '.join(values)}, found {value!r}.{meant(str(value), values)}")

    def read(self, data: Any, columns: Mapping[str, Any], like: Ranked | None = None) -> Ranked:
        if columns.get("text_col") is not None:
            raise UsageError("the texts of candidates are under 'text'. Leave out --text-col.")
        lists = as_lists(data, columns.get("format"), columns.get("label_col"))
        if not len(lists):
            raise DataError("there are no lists of candidates.", lists.source)
        if self.references is not None:
            lists = _with_references(lists, self.references)
        costs = _costs(lists, self.better)
        more = _regret(lists, costs)
        if like is None and not more.any():
            raise DataError("in no list does a candidate cost more than another; learning needs that.", lists.source)
        details = {"loss": self.loss, "better": self.better, "unit": float(more[more > 0].mean())}
        return Ranked.of(lists, costs, details if like is None else like.details)

    def weighted(
        self, features: CandidateFeatures, gold: Ranked, class_weight: str | Mapping[str, float] | None
    ) -> tuple[Candidates, None]:
        if class_weight is not None:
            raise UsageError("class weights are for labels and tags. Leave out class-weight.")
        return self.model.structure(features, gold.labels, gold.details), None

    def plan(self, spec: str | None, gold: Ranked) -> Plan:
        return Plan(_FEATURES if spec is None else spec, "averaged-mira", {"C": _C})

    def measure_of(self, learner: Preset, gold: Ranked) -> None:
        """There are no sets."""

    def fit(self, spec: str, gold: Ranked) -> tuple[CandidateFeatures, tuple[Block, ...]]:
        features = CandidateFeatures(spec)
        return features, (Block(*features.fit_transform(gold.lists), gold.lists.at),)

    def blocks(self, features: CandidateFeatures, gold: Ranked) -> tuple[Block, ...]:
        return _blocks(features, gold.lists)

    def counts(self, gold: Ranked, y_hat: Ints, y_hat_at: Offsets) -> Counts:
        """What the chosen candidates cost less than the dearest ones of their lists, of what they could cost less."""
        at = gold.lists.at[:-1]
        saved = _regret(gold.lists, -gold.costs)
        return Counts("share of what can be saved", saved[at + y_hat], np.maximum.reduceat(saved, at))


def in_order(scores: Floats) -> list[int]:
    """The best first, of equals the one that came first."""
    order: list[int] = np.argsort(-scores, kind="stable").tolist()
    return order


def as_lists(data: Any, format: str | None = None, cost: str | None = None) -> Lists:
    """Of files, or of Python values: for each list an object as in jsonl, or a list of candidates.

    >>> as_lists([["a", "b"], {"source": "x", "candidates": [{"text": "c", "cost": 1}]}]).at.tolist()
    [0, 2, 3]
    """
    if isinstance(data, Lists):
        return data
    paths = [data] if not isinstance(data, list | tuple) else data
    if paths and all(isinstance(path, str) or hasattr(path, "__fspath__") for path in paths):
        return io.read_lists(data, format=format, cost=cost)
    found = [one if isinstance(one, Mapping) else {"candidates": list(one)} for one in data]
    return Lists([as_list(one, Where("lists", i), cost) for i, one in enumerate(found, 1)], "lists")


def _costs(lists: Lists, better: str) -> npt.NDArray[np.float64]:
    """What the file says; where it says nothing and there are references, 100 less the BLEU of each candidate."""
    costs = lists.costs
    missing = np.flatnonzero(np.isnan(costs))
    if len(missing) == len(costs) and all(one.reference for one in lists.lists):
        return bleu_costs(lists)
    if len(missing):
        i = int(np.searchsorted(lists.at, missing[0], "right"))
        raise DataError(
            f"a candidate of list {i} has no cost. Give each one a 'cost' or a 'rank', name its key with --label-col, or each "
            "list a 'reference'.",
            lists.source,
        )
    return -costs if better == "more" else costs


def _regret(lists: Lists, costs: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """What each candidate costs more than the best one of its list."""
    at = lists.at
    regret: npt.NDArray[np.float64] = costs - np.repeat(np.minimum.reduceat(costs, at[:-1]), np.diff(at))
    return regret


def bleu_costs(lists: Lists) -> npt.NDArray[np.float64]:
    """100 less the BLEU of each candidate by itself, smoothed as sacrebleu does it."""
    try:
        from sacrebleu.metrics.bleu import BLEU
    except ImportError:
        raise UsageError("BLEU needs sacrebleu: pip install linnet[rerank].") from None
    bleu = BLEU(effective_order=True)
    pairs = ((candidate.text, one.reference) for one in lists.lists for candidate in one.candidates)
    return np.array([100 - bleu.sentence_score(text, [reference]).score for text, reference in pairs])


def _with_references(lists: Lists, path: str) -> Lists:
    try:
        with open(path, encoding="utf-8") as file:
            references = file.read().splitlines()
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}.", path) from None
    if len(references) != len(lists):
        raise DataError(f"expected {len(lists):,} lines, a reference for each list, found {len(references):,}.", path)
    together = zip(lists.lists, references, strict=True)
    return replace(lists, lists=[replace(one, reference=reference) for one, reference in together])


def _blocks(features: CandidateFeatures, lists: Lists) -> tuple[Block, ...]:
    return (Block(*features.transform(lists), lists.at),)
