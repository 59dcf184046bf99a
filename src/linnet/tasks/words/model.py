"""A model that labels the words of a text, and answers with a text that it makes of the words and their labels."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import ClassVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet.core import arrow
from linnet.core.blocks import Block
from linnet.core.types import F32, Arrays, Bools, Json, Setting
from linnet.errors import UsageError
from linnet.features.sizes import Sizes
from linnet.features.tokens import TokenFeatures
from linnet.fitting.contract import Known
from linnet.io.sentences.sentences import Sentences
from linnet.model.base import Model
from linnet.structures.chain import Chain
from linnet.tasks.sentences.answers import best, check_one, numbers_of_tokens
from linnet.tasks.sentences.gold import as_sentences
from linnet.tasks.tag.why import TagExplanations, explain_tags
from linnet.tasks.usual_model import UsualModel


class WordsModel(UsualModel):
    """A model that labels the words of a text. A task of one's own says `words` and `written`."""

    rivals: ClassVar[bool] = True
    column: ClassVar[str] = "text"
    """The name of the column of the answers."""

    @classmethod
    @abstractmethod
    def words(cls, text: str) -> list[str]:
        """The words of a text, as the features see them."""

    @abstractmethod
    def written(self, words: Sequence[str], labels: Sequence[str]) -> str:
        """The text that the words and their labels make."""

    @classmethod
    def structure(cls, features: TokenFeatures, labels: tuple[str, ...], details: Mapping[str, Json]) -> Chain:
        if features.order == 2:
            raise UsageError(f"task {cls.task!r} has pairs of labels only. Leave out y[-2]|y[-1].")
        return Chain(len(labels), observed=features.observed)

    @classmethod
    def sizes(cls, features: TokenFeatures, gen: Chain) -> Sizes:
        return Sizes((features.n_features, features.n_pair_features))

    @classmethod
    def without(
        cls, features: TokenFeatures, gen: Chain, wanted: Sequence[Bools]
    ) -> tuple[TokenFeatures, tuple[F32, ...]]:
        return features.without(wanted[0], wanted[1]), tuple(flags.astype(np.float32) for flags in wanted)

    @classmethod
    def read_features(cls, header: Mapping[str, Json], arrays: Arrays, parts: Mapping[str, Model]) -> TokenFeatures:
        return TokenFeatures.from_arrays(header, arrays)

    @classmethod
    def moved(cls, before: Known, after: Known, gens: tuple[Chain, Chain]) -> tuple[npt.NDArray[np.int64], ...]:
        """The new numbers of outcomes: labels keep theirs, but that of a pair, a L + b, depends on the number L of
        labels."""
        label = np.arange(len(before.labels))
        return label, (label[:, None] * len(after.labels) + label).ravel()

    def predict(self, data: Sequence[str]) -> list[str]:
        """The text that is made of each text."""
        sentences = self._sentences(data)
        y, _ = self.outputs(self._blocks(sentences))
        return [self._written(words, y[a:b]) for words, a, b in _each(sentences)]

    def answers(
        self, data: Sequence[str], *, proba: bool = False, top: int | None = None, **decide: Setting
    ) -> pa.Table:
        """The text that is made of each text, with the `probabilities` of the labels of its words; or with `top` the `best`
        texts and their scores."""
        check_one(proba, top, "words", "texts", "words")
        if top is not None:
            return arrow.table({"best": best(self._best(data, top), lambda some: {self.column: arrow.texts(some)})})
        columns = {self.column: arrow.texts(self.predict(data))}
        return arrow.table(columns | ({"probabilities": self._probabilities(data)} if proba else {}))

    def _best(self, texts: Sequence[str], top: int) -> list[list[tuple[str, float]]]:
        """The best texts of each text with their scores, the best first."""
        sentences = self._sentences(texts)
        with self._predictor() as predictor:
            found = predictor.kbest(self._blocks(sentences), top)
        outputs = zip(_each(sentences), found, strict=True)
        return [
            [(self._written(words, y), float(score)) for y, score in zip(*some, strict=True)]
            for (words, _, _), some in outputs
        ]

    def _probabilities(self, texts: Sequence[str]) -> pa.Array:
        if not self.probabilistic:
            raise UsageError(f"the scores of learner {self.learner!r} are not probabilities. Train with 'crf'.")
        sentences = self._sentences(texts)
        blocks = self._blocks(sentences)
        y, _ = self.outputs(blocks)
        with self._predictor() as predictor:
            p = predictor.marginals(blocks)[0][np.arange(len(y)), y]
        return numbers_of_tokens(p, sentences.starts)

    def explain(self, text: str) -> TagExplanations:
        """Why each word has its label, and not the next best one."""
        self._check_linear()
        with self._predictor() as predictor:
            return explain_tags(
                self.words(text), self._blocks(self._sentences([text])), self.features, predictor, self.labels
            )

    def _sentences(self, texts: Iterable[str] | os.PathLike[str]) -> Sentences:
        if isinstance(texts, os.PathLike):
            texts = [text for batch in self.batches(texts) for text in batch]
        return as_sentences([self.words(text) for text in texts], ("w",))

    def _blocks(self, sentences: Sentences) -> tuple[Block, ...]:
        blocks: tuple[Block, ...] = self.features.blocks(sentences.columns, sentences.starts)
        return blocks

    def _written(self, words: Sequence[str], y: npt.NDArray[np.int32]) -> str:
        return self.written(words, [self.labels[k] for k in y.tolist()])


def _each(sentences: Sentences) -> Iterator[tuple[list[str], int, int]]:
    """The words of each text, and where they begin and end among all words."""
    words = sentences.columns["w"].to_pylist()
    for a, b in pairwise(sentences.starts.tolist()):
        yield words[a:b], a, b
