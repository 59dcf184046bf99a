"""Which tokens of a sentence to keep, so that it gets shorter and still says what matters."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from linnet import io
from linnet.core.blocks import Block
from linnet.errors import DataError, UsageError
from linnet.evaluate.compression import CompressionReport, evaluate_compression
from linnet.evaluate.sentences import per_sentence
from linnet.explain.compression import explain_compression
from linnet.explain.tags import TagExplanation
from linnet.features.compression import REACH, CompressionFeatures
from linnet.io.sentences import Sentences
from linnet.learners import Preset
from linnet.model import Model
from linnet.structures.compression import Compression
from linnet.tasks.contract import Counts, Plan
from linnet.tasks.sentences import OfSentences, as_sentences, from_text, prose_batches

_LABELS = ("drop", "keep")
# These, the learner and its C were chosen by cross-validation over the training documents of the Clarke and Lapata corpus.
_FEATURES = " ".join(
    (
        "lower[-1..1] lower[-1]|lower lower|lower[1] suffix:2-3[-1..1] short-shape[-1..1] cap digit hyphen length",
        "gap <lower|>lower <suffix:2|>suffix:2 <short-shape|>short-shape gap|<lower gap|>lower",
        "gap|<lower[1] gap|>lower[-1] <lower[1]|>lower[-1] <lower[1]|>lower <lower|>lower[-1]",
    )
)

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Compressed(OfSentences):
    """Sentences and which of their tokens are kept."""

    sentences: Sentences
    y: npt.NDArray[np.int32]
    labels: tuple[str, ...] = _LABELS

    @property
    def details(self) -> Mapping[str, Any]:
        return {"rate": float(self.y.mean())}

    @property
    def y_at(self) -> npt.NDArray[np.int64]:
        return self.sentences.starts

    def part(self, rows: npt.NDArray[np.int64]) -> Compressed:
        sentences, tokens = self.sentences.part(rows)
        return Compressed(sentences, self.y[tokens])


class CompressModel(Model):
    """A model that leaves out tokens of a sentence."""

    task: ClassVar[str] = "compress"

    @classmethod
    def structure(
        cls, features: CompressionFeatures, labels: tuple[str, ...], details: Mapping[str, Any]
    ) -> Compression:
        return Compression(REACH)

    @classmethod
    def n_features(cls, features: CompressionFeatures, gen: Compression) -> tuple[int, ...]:
        return (features.n_features, features.n_pair_features)

    @classmethod
    def read_features(cls, header: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> CompressionFeatures:
        return CompressionFeatures.from_arrays(header, arrays)

    def keep(self, sentences: Sentences, *, least: float = 0.0, most: float = 1.0) -> Flags:
        """For each token whether it stays. `least` and `most` bound the share of the tokens of a sentence that stay."""
        if not 0 <= least <= most <= 1:
            raise UsageError(f"expected shares with 0 <= least <= most <= 1, found {least:g} and {most:g}.")
        blocks = _blocks(self.features, sentences)
        if least == 0 and most == 1:
            with self._predictor() as predictor:
                y_hat, _ = predictor.argmax(blocks)
        else:
            y_hat, _ = self._over(Compression(REACH, least=least, most=most)).argmax(blocks)
        kept: Flags = y_hat == 1
        return kept

    def keep_k_best(self, sentences: Sentences, k: int) -> list[list[tuple[list[str], float]]]:
        """For each sentence its k best compressions, as the words that stay, with their scores, the best first."""
        with self._predictor() as predictor:
            found = predictor.kbest(_blocks(self.features, sentences), k)
        words = sentences.columns["w"].to_pylist()
        return [
            [([words[a + t] for t in np.flatnonzero(y)], score) for y, score in zip(rows, scores.tolist(), strict=True)]
            for a, (rows, scores) in zip(sentences.starts.tolist()[:-1], found, strict=True)
        ]

    def predict(
        self, sentences: Sequence[Sequence[Any]], *, rate: float | None = None, least: float = 0.0, most: float = 1.0
    ) -> list[list[str]]:
        """The words of each sentence that stay: within a budget, or at a rate, each a share of its words.

        Both are rounded to whole words: 0.7 of 5 words are 4.
        """
        data = as_sentences(sentences, self.features.columns)
        kept = self.keep(data, least=least, most=most) if rate is None else self.keep(data, least=rate, most=rate)
        return self.words(data, kept)

    def words(self, sentences: Sentences, kept: Flags) -> list[list[str]]:
        """The words that stay, sentence by sentence."""
        words = sentences.columns["w"].to_pylist()
        flags = kept.tolist()
        return [[words[t] for t in range(a, b) if flags[t]] for a, b in pairwise(sentences.starts.tolist())]

    def batches(self, source: Any, format: str | None = None) -> Iterator[Sentences]:
        """The sentences of files, a batch at a time; prose is cut into sentences and words."""
        first = source if isinstance(source, str | os.PathLike) else source[0]
        if io.holds_sentences(os.fspath(first), format) or format == "jsonl" or len(self.features.columns) > 1:
            yield from io.read_sentence_batches(source, format=format, labelled=False)
            return
        for texts in prose_batches(source, format):
            yield from_text(texts)

    def evaluate(self, sentences: Sentences, *, least: float = 0.0, most: float = 1.0) -> CompressionReport:
        """Compress the sentences and compare with what they keep."""
        gold = _kept(sentences) == 1
        return evaluate_compression(gold, self.keep(sentences, least=least, most=most), sentences.starts)

    def explain(self, sentence: Sequence[Any]) -> list[TagExplanation]:
        """Why each token of a sentence is kept or dropped."""
        return self.explain_sentences(as_sentences([sentence], self.features.columns))[0]

    def explain_sentences(self, sentences: Sentences) -> list[list[TagExplanation]]:
        found = []
        words = sentences.columns["w"].to_pylist()
        for a, b in pairwise(sentences.starts.tolist()):
            columns = {name: column.slice(a, b - a) for name, column in sentences.columns.items()}
            one = Sentences(columns, np.array([0, b - a], np.int64), None, sentences.source, None)
            tokens, pairs = (
                _weighed(block, name, W)
                for block, name, W in zip(
                    _blocks(self.features, one),
                    (self.features.name, self.features.pair_name),
                    self.W,
                    strict=True,
                )
            )
            found.append(explain_compression(words[a:b], tokens, pairs, self._gen, self.labels))
        return found


class CompressTask:
    name = "compress"
    description = "which tokens of a sentence to keep, to make it shorter"
    per_place = True
    settings: ClassVar[Mapping[str, str]] = {}
    model = CompressModel

    def read(self, data: Any, columns: Mapping[str, Any], like: Compressed | None = None) -> Compressed:
        if columns.get("text_col") is not None:
            raise UsageError("sentences of tokens have no text column. Leave out --text-col.")
        sentences = io.read_sentences(
            data, format=columns.get("format"), label_col=columns.get("label_col") or "keep", framed=False
        )
        y = _kept(sentences)
        if len(set(y.tolist())) < 2:
            raise DataError("every token is kept, or every one dropped; learning needs both.", sentences.source)
        return Compressed(sentences, y)

    def weighted(
        self, features: CompressionFeatures, gold: Compressed, class_weight: str | Mapping[str, float] | None
    ) -> tuple[Compression, None]:
        if class_weight is not None:
            raise UsageError("class weights are for labels and tags. Leave out class-weight.")
        return self.model.structure(features, gold.labels, gold.details), None

    def plan(self, spec: str | None, gold: Compressed) -> Plan:
        return Plan(_FEATURES if spec is None else spec, "averaged-mira", {"C": 0.005})

    def measure_of(self, learner: Preset, gold: Compressed) -> None:
        """There are no sets."""

    def fit(self, spec: str, gold: Compressed) -> tuple[CompressionFeatures, tuple[Block, ...]]:
        columns = gold.sentences.columns
        features = CompressionFeatures(spec, tuple(columns))
        pairs = _pairs(gold.sentences)
        return features, features.fit_blocks(columns, gold.y_at, pairs, gold.y, gold.labels)

    def blocks(self, features: CompressionFeatures, gold: Compressed) -> tuple[Block, ...]:
        return _blocks(features, gold.sentences)

    def counts(self, gold: Compressed, y_hat: npt.NDArray[np.int32], y_hat_at: npt.NDArray[np.int64]) -> Counts:
        """The F1 of kept tokens: 2 both / (gold + kept)."""
        wanted, kept = gold.y == 1, y_hat == 1
        both, of_gold, of_kept = (per_sentence(part, gold.y_at) for part in (wanted & kept, wanted, kept))
        return Counts("token F1", 2 * both.astype(np.float64), (of_gold + of_kept).astype(np.float64))


def _kept(sentences: Sentences) -> npt.NDArray[np.int32]:
    if sentences.tags is None:
        raise DataError("there is no 'keep' to compare with.", sentences.source)
    tags = sentences.tags.to_pylist()
    wrong = next((tag for tag in tags if tag not in ("0", "1")), None)
    if wrong is not None:
        raise DataError(f"expected 0 and 1 for what is dropped and what is kept, found {wrong!r}.", sentences.source)
    return np.array([tag == "1" for tag in tags], np.int32)


def _pairs(sentences: Sentences) -> list[Any]:
    """The pairs of possible neighbours of each sentence; those of sentences of the same length are the same."""
    gen = Compression(REACH)
    lengths = np.diff(sentences.starts).tolist()
    of_length = {length: gen.pairs(length) for length in set(lengths)}
    return [of_length[length] for length in lengths]


def _blocks(features: CompressionFeatures, sentences: Sentences) -> tuple[Block, ...]:
    return features.blocks(sentences.columns, sentences.starts, _pairs(sentences))


def _weighed(block: Block, name: Any, W: npt.NDArray[np.float32]) -> list[list[tuple[str, float, Any]]]:
    """Of each place the bias, and its features with their values and weights."""
    indptr, indices, values = (np.asarray(part) for part in block.arrays()[:3])
    places = []
    for a, b in pairwise(indptr.tolist()):
        rows = [(name(int(j)), float(x), W[1 + int(j)]) for j, x in zip(indices[a:b], values[a:b], strict=True)]
        places.append([("bias", 1.0, W[0]), *rows])
    return places
