"""A model whose best outputs another one puts in order, by what is said of each of them as a whole (features/wholes.py)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from linnet.features.wholes import Whole, differences
from linnet.io.lists import Candidate, CandidateList, Lists
from linnet.io.sentences import Sentences
from linnet.model import Model
from linnet.tasks.rerank import RerankModel, in_order

Ints = npt.NDArray[np.int32]
Best = tuple[Ints, npt.NDArray[np.float64]]
"""Some outputs of a sentence, a row for each, and their scores, the best first."""


class Reranked(Model):
    """What `linnet train --rerank` can make; without a reranker it is as any other model."""

    reranked_by: ClassVar[type[Model] | None] = RerankModel

    def completed(self, sentences: Sentences) -> Sentences:
        """The sentences with all columns that the model makes by itself."""
        return sentences

    @abstractmethod
    def candidates(self, sentences: Sentences, k: int, forced: Ints | None = None) -> list[Best]:
        """For each sentence, which is complete, the k outputs that are worth a second look."""

    @abstractmethod
    def wholes(self, sentences: Sentences) -> Iterable[Whole]:
        """The sentences as the reranker sees them."""

    def lists(self, sentences: Sentences, found: Sequence[Best], costs: Sequence[float] | None = None) -> Lists:
        """The candidates of each sentence with their features, and with what they cost, one after the other."""
        cost = iter([] if costs is None else costs)
        return Lists(
            [
                CandidateList(
                    [
                        Candidate("", {"score": score}, features, next(cost, None))
                        for score, features in zip(scores.tolist(), differences(x, rows.tolist()), strict=True)
                    ]
                )
                for x, (rows, scores) in zip(self.wholes(sentences), found, strict=True)
            ],
            sentences.source,
        )

    def reranked(self, sentences: Sentences, k: int, forced: Ints | None = None) -> list[Best]:
        """The k best outputs of each sentence by the scores of the reranker."""
        reranker: Any = self.reranker
        found = self.candidates(sentences, max(k, reranker.details["k"]), forced)
        out = []
        for (rows, _), scores in zip(found, reranker.scores(self.lists(sentences, found)), strict=True):
            order = in_order(scores)[:k]
            out.append((rows[order], scores[order].astype(np.float64)))
        return out
