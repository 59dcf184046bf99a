"""Models that may have a reranker, which puts their best outputs in order by features of whole outputs (wholes.py)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from linnet.fitting.kinds import F, S
from linnet.io.lists.lists import Candidate, CandidateList, Lists
from linnet.io.sentences.sentences import Sentences
from linnet.model.base import Model
from linnet.tasks.rerank.model import RerankModel, in_order
from linnet.tasks.second_look.wholes import Whole, differences
from linnet.tasks.second_look.why import Change, SecondLook

Ints = npt.NDArray[np.int32]
Best = tuple[Ints, npt.NDArray[np.float64]]
"""Some outputs of a sentence, with a row for each, and their scores, the best first."""
_SCORE = "score"
"""The name of the feature whose value is the score of the first model."""


class Reranked(Model[F, S]):
    """A model that `linnet train --rerank` can give a reranker.

    Subclasses fill in `completed`, `candidates`, `wholes` and `described`. `reranked` and `second_looks` call them here when
    sentences are predicted and explained, and training/reranking.py calls them when the reranker is learned: the sentences are
    completed, then their candidates found, and the features of these made from the wholes.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        second = self.reranker
        if second is not None and not (isinstance(second, RerankModel) and "k" in second.details):
            raise ValueError("the reranker does not say among how many outputs it chooses")

    @property
    def _second(self) -> RerankModel:
        """The reranker, which there must be."""
        assert isinstance(self.reranker, RerankModel)
        return self.reranker

    def completed(self, sentences: Sentences) -> Sentences:
        """The sentences with all columns that the model adds by itself, such as tags."""
        return sentences

    @abstractmethod
    def candidates(self, sentences: Sentences, k: int, forced: Ints | None = None) -> list[Best]:
        """The k best outputs of each sentence, for the reranker to choose from. The sentences are completed. `forced` has a
        number for each integer of all outputs, as `Predictor` takes it."""

    @abstractmethod
    def wholes(self, sentences: Sentences) -> Iterable[Whole]:
        """The sentences in the form that gives features of whole outputs."""

    @abstractmethod
    def described(self, sentence: Sentences, y: Ints) -> list[str]:
        """What each token of one sentence has in an output, such as its tag, in words."""

    def lists(self, sentences: Sentences, found: Sequence[Best], costs: Sequence[float] | None = None) -> Lists:
        """The outputs of each sentence as a list of candidates with features, for the reranker. `costs` are those of all
        candidates, one after the other."""
        cost = iter([] if costs is None else costs)
        return Lists(
            [
                CandidateList(
                    [
                        Candidate("", {_SCORE: score}, features, next(cost, None))
                        for score, features in zip(scores.tolist(), differences(x, rows.tolist()), strict=True)
                    ]
                )
                for x, (rows, scores) in zip(self.wholes(sentences), found, strict=True)
            ],
            sentences.source,
        )

    def second_looks(self, sentences: Sentences) -> list[SecondLook | None]:
        """For each sentence, why the reranker chose its output; None without a reranker or without a choice."""
        if self.reranker is None:
            return [None] * len(sentences)
        complete = self.completed(sentences)
        found = self.candidates(complete, self.reranker.details["k"])
        lists = self.lists(complete, found)
        return [
            self._look(complete.part(np.array([i]))[0], rows, lists.part([i])) if len(rows) > 1 else None
            for i, (rows, _) in enumerate(found)
        ]

    def _look(self, sentence: Sentences, rows: Ints, candidates: Lists) -> SecondLook:
        """Why the reranker chose one of the outputs of a sentence, which are given as rows and as candidates."""
        reranker = self._second
        best = reranker.order(candidates)[0][0]
        why = reranker.explain(candidates, best, None if best == 0 else 0)
        words = sentence.columns["w"].to_pylist()
        both = (self.described(sentence, rows[c]) for c in (why.candidate, why.against))
        changes = [Change(t, words[t], a, b) for t, (a, b) in enumerate(zip(*both, strict=True)) if a != b]
        mine, other = (candidates.candidates[c].features for c in (why.candidate, why.against))
        parts = [replace(part, what=_named(part.what, mine, other)) for part in why.contributions]
        return SecondLook(why.candidate, why.against, len(rows), tuple(changes), why.score, tuple(parts))

    def reranked(self, sentences: Sentences, k: int, forced: Ints | None = None) -> list[Best]:
        """The k best outputs of each sentence by the scores of the reranker."""
        reranker = self._second
        found = self.candidates(sentences, max(k, reranker.details["k"]), forced)
        out = []
        for (rows, _), scores in zip(found, reranker.scores(self.lists(sentences, found)), strict=True):
            order = in_order(scores)[:k]
            out.append((rows[order], scores[order].astype(np.float64)))
        return out


def _named(what: str, mine: Mapping[str, float], other: Mapping[str, float]) -> str:
    """The name of a feature: as it is where the chosen output has more of it, with "not" where the other has more."""
    if what == _SCORE:
        return "score of the first model"
    return what if mine.get(what, 0) > other.get(what, 0) else f"not {what}"
