"""Models that shorten sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar, Unpack

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet.core import arrow
from linnet.core.blocks import Block
from linnet.core.schema import Real, Record, Schema
from linnet.core.types import I64, Arrays, Data, Json, Setting, Token
from linnet.errors import UsageError
from linnet.features.sizes import Sizes
from linnet.io.formats import FileOptions
from linnet.io.sentences.sentences import Sentences
from linnet.limits import EXPLAINED_COMPRESSION
from linnet.model.base import Model
from linnet.structures.compression import Compression
from linnet.tasks.compress.features import REACH, CompressionFeatures
from linnet.tasks.compress.gold import kept_of
from linnet.tasks.compress.measures import CompressionReport, evaluate_compression
from linnet.tasks.compress.why import Features, explain_compression
from linnet.tasks.sentences.answers import best, check_explained, check_no_proba, tokens
from linnet.tasks.sentences.gold import as_sentences, gold_sentences, sentences_of
from linnet.tasks.sentences.prose import sentence_batches, typed_sentences
from linnet.tasks.tag.why import TagExplanations

if TYPE_CHECKING:
    from linnet.tasks.compress.decisions import CompressionDecisions

Flags = npt.NDArray[np.bool_]


class CompressModel(Model[CompressionFeatures, Compression]):
    """A model that shortens sentences by leaving out tokens."""

    task: ClassVar[str] = "compress"
    own_labels: ClassVar[tuple[str, ...] | None] = ("drop", "keep")
    details_schema: ClassVar[Schema] = Record({}, {"rate": Real(0, 1)}, open=True)

    @classmethod
    def structure(
        cls, features: CompressionFeatures, labels: tuple[str, ...], details: Mapping[str, Json]
    ) -> Compression:
        return Compression(REACH)

    @classmethod
    def sizes(cls, features: CompressionFeatures, gen: Compression) -> Sizes:
        return Sizes((features.n_features, features.n_pair_features))

    @classmethod
    def read_features(
        cls, header: Mapping[str, Json], arrays: Arrays, parts: Mapping[str, Model]
    ) -> CompressionFeatures:
        return CompressionFeatures.from_arrays(header, arrays)

    def keep(self, sentences: Sentences, *, least: float = 0.0, most: float = 1.0) -> Flags:
        """Decide for each token whether it is kept. The share of the tokens of a sentence that are kept is from `least`
        to `most`."""
        if not 0 <= least <= most <= 1:
            raise UsageError(f"expected shares with 0 <= least <= most <= 1, found {least:g} and {most:g}.")
        blocks = blocks_of(self.features, sentences)
        if least == 0 and most == 1:
            with self._predictor() as predictor:
                y_hat, _ = predictor.argmax(blocks)
        else:  # only outputs that keep so many tokens, which are another structure than that of the model
            y_hat, _ = self._predictor_over(Compression(REACH, least=least, most=most)).argmax(blocks)
        kept: Flags = y_hat == 1
        return kept

    def keep_k_best(self, sentences: Sentences, k: int) -> list[list[tuple[list[str], float]]]:
        """For each sentence, return its k best compressions, the best first: the words that are kept, and the score."""
        with self._predictor() as predictor:
            found = predictor.kbest(blocks_of(self.features, sentences), k)
        words = sentences.columns["w"].to_pylist()
        return [
            [([words[a + t] for t in np.flatnonzero(y)], score) for y, score in zip(rows, scores.tolist(), strict=True)]
            for a, (rows, scores) in zip(sentences.starts.tolist()[:-1], found, strict=True)
        ]

    def answers(
        self,
        data: Sentences | Sequence[Sequence[Token]],
        *,
        proba: bool = False,
        top: int | None = None,
        **decide: Setting,
    ) -> pa.Table:
        """A table with the `tokens` of each sentence, a flag for each whether to `keep` it, and the `words` that are
        kept. With `top`, it has the `tokens` and so many of the `best` compressions with their scores. `decide` takes
        what `predict` takes: `rate`, `least`, `most`."""
        check_no_proba(proba, "compresses")
        sentences = sentences_of(data, self)
        columns = {"tokens": tokens(sentences)}
        if top is not None:
            found = self.keep_k_best(sentences, top)
            return arrow.table(columns | {"best": best(found, lambda words: {"words": arrow.text_lists(words)})})
        kept = self._kept(sentences, **decide)
        columns["keep"] = arrow.lists(arrow.bools(kept), sentences.starts)
        columns["words"] = arrow.text_lists(self.words(sentences, kept))
        return arrow.table(columns)

    def predict(
        self,
        sentences: Sentences | Sequence[Sequence[Token]],
        *,
        rate: float | None = None,
        least: float = 0.0,
        most: float = 1.0,
    ) -> list[list[str]]:
        """Predict the words of each sentence that are kept.

        rate: the share of the words that are kept; `least` and `most` are then ignored.
        least, most: the smallest and the largest share. Shares become the nearest whole number of words, halves the larger
        one: 0.7 of 5 words are 4.
        """
        data = sentences_of(sentences, self)
        return self.words(data, self._kept(data, rate=rate, least=least, most=most))

    def _kept(self, data: Sentences, *, rate: float | None = None, least: float = 0.0, most: float = 1.0) -> Flags:
        return self.keep(data, least=least, most=most) if rate is None else self.keep(data, least=rate, most=rate)

    def words(self, sentences: Sentences, kept: Flags) -> list[list[str]]:
        """The words that are kept, sentence by sentence."""
        words = sentences.columns["w"].to_pylist()
        flags = kept.tolist()
        return [[words[t] for t in range(a, b) if flags[t]] for a, b in pairwise(sentences.starts.tolist())]

    def typed(self, texts: Sequence[str]) -> Sentences:
        """What people type: prose, or a token with its values on each line where the model looks at more than the words."""
        return typed_sentences(texts, self.features.columns)

    def decisions(self, data: Sentences | Sequence[Sequence[Token]]) -> list[CompressionDecisions]:
        """The tokens of each sentence, each of which can be kept or dropped."""
        from linnet.tasks.compress.decisions import CompressionDecisions

        self._check_linear()
        sentences, found = sentences_of(data, self), []
        names = self.features.name, self.features.pair_name
        for one in (sentences.part(np.array([i]))[0] for i in range(len(sentences))):
            columns = [one.columns[name].to_pylist() for name in self.features.columns]
            x = list(zip(*columns, strict=True)) if len(columns) > 1 else columns[0]
            blocks, predictor = blocks_of(self.features, one), self._predictor_over(self._gen)
            found.append(CompressionDecisions(x, columns[0], blocks, names, predictor, self.labels))
        return found

    def batches(self, source: Data, *, text: str | None = None, **how: Unpack[FileOptions]) -> Iterator[Sentences]:
        """Read the sentences of files in batches. Plain text is cut into sentences and words, unless the features look at
        columns that it does not have."""
        return sentence_batches(source, text, self.features.columns, how, formats=("jsonl",))

    def evaluate(
        self,
        data: Data,
        keep: Sequence[Sequence[int]] | None = None,
        *,
        text: str | None = None,
        label: str | None = None,
        least: float = 0.0,
        most: float = 1.0,
        **how: Unpack[FileOptions],
    ) -> CompressionReport:
        """Compress sentences, and compare the tokens that are kept with the gold ones. data: sentences, whose flags
        follow; or a table or a file with both."""
        sentences = gold_sentences(self, data, keep, {"text_col": text, "label_col": label, **how})
        gold = kept_of(sentences) == 1
        return evaluate_compression(gold, self.keep(sentences, least=least, most=most), sentences.starts)

    def explain(self, sentence: Sequence[Token]) -> TagExplanations:
        """Explain why each token of a sentence is kept or dropped."""
        return self.explain_sentences(as_sentences([sentence], self.features.columns))[0]

    def explain_sentences(self, sentences: Sentences) -> list[TagExplanations]:
        """Explain why each token of each sentence is kept or dropped. Raise DataError where one is too long."""
        check_explained(sentences, EXPLAINED_COMPRESSION.most)
        found = []
        words = sentences.columns["w"].to_pylist()
        for a, b in pairwise(sentences.starts.tolist()):
            columns = {name: column.slice(a, b - a) for name, column in sentences.columns.items()}
            one = Sentences(columns, np.array([0, b - a], np.int64), None, sentences.source, None)
            blocks = blocks_of(self.features, one)
            names = self.features.name, self.features.pair_name
            tokens, pairs = map(Features, blocks, names, self.W)
            with self._predictor() as predictor:
                found.append(explain_compression(words[a:b], blocks, tokens, pairs, predictor, self.labels))
        return found


def neighbours_of(sentences: Sentences) -> list[tuple[I64, I64]]:
    """For each sentence, the pairs of tokens that could stand side by side after compression. They follow from the length of
    the sentence, so they are made once for each length."""
    gen = Compression(REACH)
    lengths = np.diff(sentences.starts).tolist()
    of_length = {length: gen.pairs(length) for length in set(lengths)}
    return [of_length[length] for length in lengths]


def blocks_of(features: CompressionFeatures, sentences: Sentences) -> tuple[Block, ...]:
    """The two blocks of the structure: features of tokens, and features of pairs that could stand side by side."""
    return features.blocks(sentences.columns, sentences.starts, neighbours_of(sentences))


MODEL = CompressModel
