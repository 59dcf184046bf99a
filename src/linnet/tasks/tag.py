"""A tag for each token of a sentence: parts of speech, chunks, entities."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet import io
from linnet.core.form import Block
from linnet.errors import DataError, UsageError
from linnet.evaluate.sequences import TagsReport, evaluate_tags
from linnet.explain.tags import TagExplanation, explain_tags
from linnet.features import SparseRows
from linnet.features.prose import split_sentences
from linnet.features.tokens import TokenFeatures
from linnet.io.sentences import Sentences
from linnet.model import Model
from linnet.structures.chain import Chain
from linnet.structures.schemes import convert, legal, scheme_of
from linnet.tasks.prose import prose_batches

# What does well on parts of speech, chunks and entities alike, chosen on held-out parts of the training data.
_WORDS = " ".join(
    (
        "w[-2..2] w[-1]|w w|w[1] w[-1]|w[1] w[-1]|w|w[1] lower[-2..2] suffix:1-5 prefix:1-5 cap digit hyphen",
        "short-shape[-1..1] short-shape[-1]|short-shape short-shape|short-shape[1]",
        "suffix:2[-1] suffix:2[1] suffix:3[-1] suffix:3[1] suffix:3[-1]|suffix:3 suffix:3|suffix:3[1]",
        "amb[-2..2] amb[-2]|amb[-1] amb[-1]|amb amb|amb[1] amb[-1]|amb[1] amb[-1]|amb|amb[1]",
        "amb|w amb|suffix:2 amb|short-shape amb[-1]|w amb|w[1] amb[1]|w",
    )
)
_COLUMN = "{0}[-2..2] {0}[-2]|{0}[-1] {0}[-1]|{0} {0}|{0}[1] {0}[1]|{0}[2] {0}[-1]|{0}|{0}[1] w|{0} w[-1]|{0} w[1]|{0}"
# Columns of a CoNLL file are there when a sentence is to be tagged; lemmas and heads of a treebank are not.
_GIVEN = re.compile(r"col\d+|pos")
_MOST_TAGS = 250


@dataclass(frozen=True)
class Tagged:
    """Sentences with the numbers of their tags."""

    sentences: Sentences
    y: npt.NDArray[np.int32]
    labels: tuple[str, ...]
    scheme: str | None = None
    """That of the file: bio, bioes or iob1; None where tags are no spans. The labels are always bioes."""
    repaired: int = 0
    """Tags that no scheme allows, such as an I- that follows nothing."""

    @property
    def details(self) -> Mapping[str, Any]:
        return {"scheme": self.scheme, "repaired": self.repaired}

    def __len__(self) -> int:
        return len(self.sentences)

    @property
    def y_at(self) -> npt.NDArray[np.int64]:
        return self.sentences.starts

    @property
    def source(self) -> str:
        return self.sentences.source

    def part(self, rows: npt.NDArray[np.int64]) -> Tagged:
        starts = self.sentences.starts
        lengths = starts[rows + 1] - starts[rows]
        cut = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
        tokens = np.arange(cut[-1]) + np.repeat(starts[rows] - cut[:-1], lengths)
        columns = {name: column.take(pa.array(tokens)) for name, column in self.sentences.columns.items()}
        sentences = Sentences(columns, cut, None, self.source, None)
        return Tagged(sentences, self.y[tokens], self.labels, self.scheme, self.repaired)


class TagModel(Model):
    """A model that gives each token of a sentence a tag."""

    task: ClassVar[str] = "tag"

    @classmethod
    def structure(cls, features: TokenFeatures, labels: tuple[str, ...]) -> Chain:
        allowed = legal(labels)
        if allowed is None:
            return Chain(len(labels))
        return Chain(len(labels), legal=allowed[0], starts=allowed[1], ends=allowed[2])

    @classmethod
    def n_features(cls, features: TokenFeatures) -> tuple[int, ...]:
        return (features.n_features, 0)

    @classmethod
    def read_features(cls, header: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> TokenFeatures:
        return TokenFeatures.from_arrays(header, arrays)

    def tag(self, sentences: Sentences) -> list[str]:
        """The tags of all tokens, one after the other."""
        with self._predictor() as predictor:
            y_hat, _ = predictor.argmax(_blocks(self.features, sentences))
        tags: list[str] = np.array(self.labels, np.object_)[y_hat].tolist()
        scheme = self.details.get("scheme")
        return tags if scheme is None else convert(tags, sentences.starts, scheme)[0]

    def batches(self, source: Any, format: str | None = None) -> Iterator[Sentences]:
        """The sentences of files, a batch at a time; prose is cut into sentences and words."""
        first = source if isinstance(source, str | os.PathLike) else source[0]
        if io.holds_sentences(os.fspath(first), format) or len(self.features.columns) > 1:
            yield from io.read_sentence_batches(source, format=format, labelled=False)
            return
        for texts in prose_batches(source, format):
            yield from_text(texts)

    def predict(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """The tags of each sentence, which is a list of words (or of tuples: the word, then the other columns)."""
        data = as_sentences(sentences, self.features.columns)
        tags = self.tag(data)
        return [tags[a:b] for a, b in pairwise(data.starts)]

    def explain(self, sentence: Sequence[Any]) -> list[TagExplanation]:
        """Why each token of a sentence has its tag, and not the next best one."""
        return self.explain_sentences(as_sentences([sentence], self.features.columns))[0]

    def explain_sentences(self, sentences: Sentences) -> list[list[TagExplanation]]:
        found = []
        words = sentences.columns["w"].to_pylist()
        whole = self.features.transform(sentences.columns, sentences.starts)
        for a, b in pairwise(sentences.starts.tolist()):
            begin, end = int(whole.indptr[a]), int(whole.indptr[b])
            rows = SparseRows(whole.indptr[a : b + 1] - begin, whole.indices[begin:end], whole.values[begin:end])
            names = [self.features.name(int(feature)) for feature in rows.indices]
            found.append(explain_tags(words[a:b], rows, names, self.weights, self.labels, legal(self.labels)))
        return found

    def evaluate(self, sentences: Sentences) -> TagsReport:
        """Tag the sentences and compare with the tags that they have."""
        if sentences.tags is None:
            raise DataError("there are no tags to compare with.", sentences.source)
        return evaluate_tags(
            sentences.tags.to_pylist(), self.tag(sentences), sentences.starts, self.features.known(sentences.columns)
        )


class TagTask:
    name = "tag"
    description = "a tag for each token: parts of speech, chunks, entities"
    learner = "crf"
    options: Mapping[str, Any] = MappingProxyType({"cost": 2.0})
    model = TagModel

    def read(self, data: Any, columns: Mapping[str, Any], labels: tuple[str, ...] | None = None) -> Tagged:
        if columns.get("text_col") is not None:
            raise UsageError("sentences of tokens have no text column. Leave out --text-col.")
        sentences = io.read_sentences(data, format=columns.get("format"), label_col=columns.get("label_col"))
        assert sentences.tags is not None
        tags, repaired = sentences.tags, 0
        scheme = scheme_of(tags.to_pylist())
        if scheme is not None:
            converted, repaired = convert(tags.to_pylist(), sentences.starts, "bioes")
            tags = pa.array(converted, pa.large_string())
        found = tags.dictionary_encode()
        values = found.dictionary.to_pylist()
        names = _names(values, sentences.source) if labels is None else labels
        number = {name: k for k, name in enumerate(names)}
        codes = np.array([number.get(value, -1) for value in values], np.int32)
        return Tagged(sentences, codes[found.indices.to_numpy()], names, scheme, repaired)

    def weights(self, gold: Tagged, class_weight: str | Mapping[str, float] | None) -> None:
        if class_weight is not None:
            raise UsageError("class weights are for labels; a sentence has many tags. Leave out class-weight.")

    def fit(self, spec: str | None, gold: Tagged) -> tuple[TokenFeatures, tuple[Block, ...]]:
        columns = gold.sentences.columns
        if spec is None:
            spec = " ".join([_WORDS, *(_COLUMN.format(name) for name in columns if _GIVEN.fullmatch(name))])
        features = TokenFeatures(spec, tuple(columns))
        rows = features.fit_transform(columns, gold.y_at, gold.y, gold.labels)
        return features, (Block(*rows, gold.y_at), _one_place_each(len(gold)))

    def blocks(self, features: TokenFeatures, gold: Tagged) -> tuple[Block, ...]:
        return _blocks(features, gold.sentences)


def from_text(texts: Sequence[str]) -> Sentences:
    """The sentences and words of prose."""
    cut = [[text[a:b] for a, b in sentence] for text in texts for sentence in split_sentences(text)]
    return as_sentences(cut, ("w",))


def as_sentences(sentences: Sequence[Sequence[Any]], names: Sequence[str]) -> Sentences:
    """Sentences from lists of words, or of tuples with a value for each of the columns."""
    starts = np.concatenate(
        [np.zeros(1, np.int64), np.cumsum([len(sentence) for sentence in sentences], dtype=np.int64)]
    )
    tokens = [(token,) if isinstance(token, str) else tuple(token) for sentence in sentences for token in sentence]
    for token in tokens:
        if len(token) != len(names):
            raise DataError(f"expected {len(names)} values for each token ({', '.join(names)}), found {token!r}.")
    columns = {name: pa.array([token[k] for token in tokens], pa.large_string()) for k, name in enumerate(names)}
    return Sentences(columns, starts, None, "sentences", None)


def _blocks(features: TokenFeatures, sentences: Sentences) -> tuple[Block, ...]:
    rows = features.transform(sentences.columns, sentences.starts)
    return (Block(*rows, sentences.starts), _one_place_each(len(sentences)))


def _one_place_each(n: int) -> Block:
    """A place without features for each sentence: transitions have the same weights everywhere."""
    return Block(np.zeros(n + 1, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32))


def _names(values: Sequence[str], source: str) -> tuple[str, ...]:
    """The tags in alphabetical order; of spans, those outside first."""
    spans = scheme_of(values) is not None
    names = tuple(sorted(set(values), key=lambda tag: (spans and tag != "O", tag)))
    if len(names) < 2:
        raise DataError(f"every token has the tag {names[0]!r}; learning needs at least two.", source)
    if len(names) > _MOST_TAGS:
        raise DataError(
            f"found {len(names):,} different tags; at most {_MOST_TAGS}. Is the last column the tag?", source
        )
    return names
