"""Models that put candidates in order."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Unpack

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet import io
from linnet.core import arrow
from linnet.core.blocks import Block
from linnet.core.schema import Real, Record, Schema, Text, Whole
from linnet.core.types import Array, Arrays, Data, Json, Reals, Setting
from linnet.errors import UsageError
from linnet.explain.differences import Scored, Use
from linnet.features.sizes import Sizes
from linnet.io.formats import FileOptions
from linnet.io.lists.lists import CandidateList, Lists
from linnet.model.base import Model
from linnet.structures.candidates import CandidatePairs, Candidates
from linnet.tasks.rerank.features import CandidateFeatures
from linnet.tasks.rerank.gold import as_lists, costs_of
from linnet.tasks.rerank.measures import CandidatesReport, evaluate_candidates
from linnet.tasks.rerank.why import CandidateExplanation

if TYPE_CHECKING:
    from linnet.tasks.rerank.decisions import CandidateDecision


class RerankModel(Model[CandidateFeatures, Candidates]):
    """A model that puts candidates in order."""

    task: ClassVar[str] = "rerank"
    own_labels: ClassVar[tuple[str, ...] | None] = ("worse", "better")
    details_schema: ClassVar[Schema] = Record(
        {"loss": Text(("list", "pairs")), "better": Text(("less", "more")), "unit": Real(1e-300)},
        {"k": Whole(1, 10_000)},
        open=True,
    )

    @classmethod
    def structure(cls, features: CandidateFeatures, labels: tuple[str, ...], details: Mapping[str, Json]) -> Candidates:
        return CandidatePairs() if details["loss"] == "pairs" else Candidates()

    @classmethod
    def sizes(cls, features: CandidateFeatures, gen: Candidates) -> Sizes:
        return Sizes((features.n_features,))

    @classmethod
    def read_features(cls, header: Mapping[str, Json], arrays: Arrays, parts: Mapping[str, Model]) -> CandidateFeatures:
        return CandidateFeatures.from_arrays(header, arrays)

    @classmethod
    def indicators(cls, gen: Candidates) -> tuple[npt.NDArray[np.float32], ...]:
        """The signs of the labels: a feature that speaks for `better` speaks against `worse`."""
        return (np.array([[-1, 1]], np.float32),)

    @property
    def probabilistic(self) -> bool:
        """Whether the model has probabilities; with loss=pairs it has none that belong to one list."""
        return super().probabilistic and bool(self._gen.has_marginals)

    def scores(self, data: Data) -> list[Array]:
        """The scores w.f(x, y) of the candidates of each list: the larger, the better."""
        lists = as_lists(data)
        with self._predictor() as predictor:
            return lists.split(predictor.scores(blocks_of(self.features, lists))[0][:, 0])

    def predict_proba(self, data: Data) -> list[Array]:
        """The probability of each candidate to be the best of its list."""
        if not self.probabilistic:
            raise UsageError(
                f"the scores of learner {self.learner!r} with loss={self.details['loss']} are not probabilities. Train with "
                "'logistic' and loss=list."
            )
        lists = as_lists(data)
        with self._predictor() as predictor:
            return lists.split(predictor.marginals(blocks_of(self.features, lists))[0][:, 0])

    def order(self, data: Data) -> list[list[int]]:
        """The numbers of the candidates of each list, the best first."""
        return [in_order(one) for one in self.scores(data)]

    def answers(self, data: Data, *, proba: bool = False, top: int | None = None, **decide: Setting) -> pa.Table:
        """A table with the `text` of the best candidate of each list, the numbers of its candidates in `order`, the best first,
        and their `scores` or `probabilities`; with `top`, this many candidates."""
        lists = as_lists(data)
        found = self.predict_proba(lists, **decide) if proba else self.scores(lists, **decide)
        order = [in_order(one)[:top] for one in found]
        starts = arrow.starts_of(order)
        values = np.concatenate([np.empty(0, np.float32), *(one[some] for one, some in zip(found, order, strict=True))])
        numbers = np.array([c for some in order for c in some], np.int32)
        texts = (one.candidates[some[0]].text for one, some in zip(lists.lists, order, strict=True))
        return arrow.table(
            {
                "text": arrow.texts(texts),
                "order": arrow.lists(arrow.numbers(numbers), starts),
                "probabilities" if proba else "scores": arrow.lists(arrow.numbers(values.astype(np.float32)), starts),
            }
        )

    def predict(self, data: Data) -> list[str]:
        """Predict the best candidate of each list, as its text."""
        lists = as_lists(data)
        return [one.candidates[order[0]].text for one, order in zip(lists.lists, self.order(lists), strict=True)]

    def typed(self, texts: Sequence[str]) -> Lists:
        """What people type, as lists: a candidate on each line, or an object of JSON lines."""
        return as_lists([_typed(text) for text in texts])

    def decisions(self, data: Data) -> list[CandidateDecision]:
        """The best candidate of each list, which can be corrected."""
        from linnet.tasks.rerank.decisions import CandidateDecision

        self._check_linear()
        lists = as_lists(data)
        return [
            CandidateDecision(
                _as_given(one),
                [candidate.text for candidate in one.candidates],
                partial(self._scored, lists.part([i])),
                order[0],
            )
            for i, (one, order) in enumerate(zip(lists.lists, self.order(lists), strict=True))
        ]

    def _scored(self, one: Lists) -> Scored:
        """One list whose candidates are compared feature by feature."""
        return Scored(blocks_of(self.features, one), [self.features.name], self.W)

    def batches(self, source: Data, *, text: str | None = None, **how: Unpack[FileOptions]) -> Iterator[Lists]:
        """Read the lists of files, some at a time."""
        refuse_text_col(text)
        return io.read_list_batches(source, **how)

    def evaluate(
        self,
        data: Data,
        costs: Sequence[Sequence[float]] | None = None,
        *,
        text: str | None = None,
        label: str | None = None,
        **how: Unpack[FileOptions],
    ) -> CandidatesReport:
        """Put candidates in order, and compare with their costs. data: lists, whose costs follow or are in them; or a
        table or a file."""
        columns = {"text_col": text, "label_col": label, **how}
        lists: Lists = data if isinstance(data, Lists) else self.gold(data, costs, columns).lists
        gold = costs_of(lists, str(self.details["better"]))
        return evaluate_candidates(lists.split(gold), self.scores(lists))

    def explain(self, data: Data, candidate: int | None = None, against: int | None = None) -> CandidateExplanation:
        """Explain why one candidate of a list is before another; by default, the best one before the second."""
        lists = as_lists([data] if isinstance(data, Mapping) else data)
        one, order = lists.lists[0], self.order(lists.part([0]))[0]
        mine = order[0] if candidate is None else candidate
        other = against if against is not None else next((c for c in order if c != mine), mine)
        for c in (mine, other):
            if not 0 <= c < len(order):
                raise UsageError(f"expected the number of a candidate from 0 to {len(order) - 1}, found {c}.")
        scored = self._scored(lists.part([0]))
        parts = scored.differences([Use(0, mine, 0, 0, "")], [Use(0, other, 0, 0, "")])
        parts = [part for part in parts if part.what != "bias" and part.contribution]
        texts = [candidate.text for candidate in one.candidates]
        return CandidateExplanation(
            one.x, mine, other, texts[mine], texts[other], sum(part.contribution for part in parts), tuple(parts)
        )


def _as_given(one: CandidateList) -> dict[str, Json]:
    """A list as an object of JSON lines has it, without costs."""
    candidates = [{"text": c.text, **c.numbers, "features": dict(c.features)} for c in one.candidates]
    return {"source": one.x, "reference": one.reference, "candidates": candidates}


def _typed(text: str) -> Mapping[str, Json] | list[str]:
    """A list of candidates, as an object of JSON or as lines of text."""
    if not text.lstrip().startswith("{"):
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        if len(lines) < 2:
            raise UsageError(
                "expected a list of candidates, each on a line of its own, found one text. Name a file, or write more lines."
            )
        return lines
    try:
        found: Mapping[str, Json] = json.loads(text)
    except json.JSONDecodeError as error:
        raise UsageError(f"expected an object of JSON with candidates, found an error in it: {error}.") from None
    return found


def in_order(scores: Reals) -> list[int]:
    """The numbers of candidates, the best first; ties stay in the order in which they came."""
    order: list[int] = np.argsort(-scores, kind="stable").tolist()
    return order


def blocks_of(features: CandidateFeatures, lists: Lists) -> tuple[Block, ...]:
    return (Block(*features.transform(lists), lists.at),)


def refuse_text_col(text: str | None) -> None:
    """Raise UsageError if the user names a text column."""
    if text is not None:
        raise UsageError("the texts of candidates are always under 'text'. Leave out --text-col.")


MODEL = RerankModel
