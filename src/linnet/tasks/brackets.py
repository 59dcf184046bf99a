"""Which words of a sentence belong together, one constituent inside the other: trees as treebanks bracket them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from linnet import io
from linnet.core.arrow import numbers
from linnet.core.blocks import Block
from linnet.core.nested import nested, under
from linnet.errors import DataError, UsageError, meant
from linnet.evaluate.brackets import BracketsReport, counted, evaluate_brackets
from linnet.explain.brackets import BracketsExplanation, explain_brackets
from linnet.features.spans import SpanFeatures
from linnet.io.mrg import TREE, bracketed
from linnet.io.sentences import Sentences
from linnet.learners import Preset
from linnet.model import Model
from linnet.structures.bits import JOIN, NONE, binary, numbered, probable, restored, spans_of
from linnet.structures.brackets import Brackets
from linnet.tasks.contract import Counts, Plan
from linnet.tasks.own_tags import OwnTags, own_tags
from linnet.tasks.sentences import OfSentences, as_sentences, from_text, prose_batches

TAG = "tag"
_BATCH = 1000
_LONGEST = 150
# Binary trees that are looked at for each of the k best: some are the same tree.
_TIMES = 4
_BLOCKS = ("spans", "splits")
# These, the learner and the side from which trees are made binary were chosen on the dev part of the Penn Treebank sample.
_FEATURES = """
min=2 i.lower j.lower i.tag j.tag i.lower[-1] j.lower[1] i.tag[-1] j.tag[1] dist i.lower|j.lower i.tag|j.tag i.lower|j.tag
i.tag|j.lower i.tag[-1]|j.tag[1] i.lower[-1]|j.lower[1] i.lower|j.lower[1] i.lower[-1]|j.lower i.lower[-1]|i.tag
j.tag|j.lower[1] i.tag|i.tag[1] j.tag[-1]|j.tag i.tag[-2]|i.tag[-1] j.tag[1]|j.tag[2] i.lower|i.tag[-1] j.lower|j.tag[1]
i.tag[-1]|i.tag|i.tag[1] j.tag[-1]|j.tag|j.tag[1] i.tag[-1]|i.tag|j.tag i.tag|j.tag|j.tag[1] i.tag[-1]|i.tag|j.tag|j.tag[1]
i.lower|dist j.lower|dist i.tag|dist j.tag|dist i.lower[-1]|dist j.lower[1]|dist i.tag|j.tag|dist i.tag[-1]|j.tag[1]|dist
i.tag[-1]|i.tag|j.tag|j.tag[1]|dist i.tag|i.tag[1]|j.tag[-1]|j.tag|dist b.tag|dist b.tag|i.tag|j.tag b.tag|i.tag[-1]|j.tag[1]
b.tag|i.tag[-1] b.tag|j.tag[1] b.tag|i.lower b.tag|j.lower k.lower[-1..0] k.tag[-1..0] k.tag[-1]|k.tag k.lower[-1]|k.tag
k.tag[-1]|k.lower i.lower|k.lower k.lower[-1]|j.lower i.tag|k.tag i.tag|k.tag[-1] k.tag|j.tag k.tag[-1]|j.tag
i.tag|k.tag[-1]|k.tag|j.tag i.tag|k.tag|dist k.tag[-1]|j.tag|dist
"""

Ints = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Bracketed(OfSentences):
    """Sentences with their trees: y are those made binary, bits what of them is around each word."""

    sentences: Sentences
    bits: npt.NDArray[np.object_]
    y: Ints
    y_at: npt.NDArray[np.int64]
    labels: tuple[str, ...]
    details: Mapping[str, Any]

    def part(self, rows: npt.NDArray[np.int64]) -> Bracketed:
        sentences, tokens = self.sentences.part(rows)
        y = [self.y[self.y_at[i] : self.y_at[i + 1]] for i in rows.tolist()]
        return replace(self, sentences=sentences, bits=self.bits[tokens], y=_joined(y), y_at=_ends(y))


@dataclass
class BracketFeatures:
    """The features of spans, and the tagger whose tags they are made of; None where tags are given."""

    spans: SpanFeatures
    tags: OwnTags | None = None

    @property
    def spec(self) -> str:
        return self.spans.spec

    @property
    def columns(self) -> tuple[str, ...]:
        """Those that a sentence must come with."""
        return tuple(name for name in self.spans.columns if self.tags is None or name != TAG)

    @property
    def n_features(self) -> int:
        return sum(map(self.spans.n_features, _BLOCKS))

    def name(self, feature: int) -> str:
        """Of a span."""
        return self.spans.name("spans", feature)

    def tagged(self, sentences: Sentences) -> Sentences:
        """The same sentences, with the tags that the tagger gives them."""
        missing = [name for name in self.columns if name not in sentences.columns]
        if missing:
            raise UsageError(
                f"{sentences.source}: the model needs the column {missing[0]!r}, which is not there. Give it trees (.mrg), or "
                "train it with --set tags=own."
            )
        return sentences if self.tags is None else self.tags.fill(sentences)

    def blocks(self, sentences: Sentences) -> tuple[Block, ...]:
        return self.spans.blocks(sentences.columns, sentences.starts, _BLOCKS)

    def header(self) -> dict[str, Any]:
        return {"spans": self.spans.header(), "tags": None if self.tags is None else self.tags.header()}

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        return nested({"spans": self.spans.arrays(), "tags": {} if self.tags is None else self.tags.arrays()})

    @classmethod
    def from_arrays(cls, header: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> BracketFeatures:
        spans = SpanFeatures.from_arrays(header["spans"], under("spans", arrays))
        tags = header["tags"]
        return cls(spans, None if tags is None else OwnTags.from_arrays(tags, under("tags", arrays)))


@dataclass(frozen=True)
class Bracket:
    """A constituent of the words first..last of a sentence, and how probable it is."""

    label: str
    first: int
    last: int
    probability: float


class BracketsModel(Model):
    """A model that brackets sentences."""

    task: ClassVar[str] = "brackets"
    called: ClassVar[str] = "parser"

    @classmethod
    def structure(cls, features: BracketFeatures, labels: tuple[str, ...], details: Mapping[str, Any]) -> Brackets:
        return Brackets(len(labels))

    @classmethod
    def n_features(cls, features: BracketFeatures, gen: Brackets) -> tuple[int, ...]:
        return tuple(map(features.spans.n_features, _BLOCKS))

    @classmethod
    def read_features(cls, header: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> BracketFeatures:
        return BracketFeatures.from_arrays(header, arrays)

    def bracket(self, sentences: Sentences) -> tuple[Sentences, list[str]]:
        """The sentences with their tags, and for each word what of the tree begins before it and ends behind it."""
        tagged = self.features.tagged(sentences)
        bits: list[str] = []
        with self._predictor() as predictor:
            for piece, blocks in self._pieces(self._cut(tagged)):
                y_hat, at = predictor.argmax(blocks)
                for n, a, b in zip(np.diff(piece.starts).tolist(), at[:-1], at[1:], strict=True):
                    bits += restored(y_hat[a:b], n, self.labels)
        return tagged, bits

    def bracket_with_proba(self, sentences: Sentences) -> tuple[Sentences, list[str], list[list[Bracket]]]:
        """As `bracket`, and the brackets of each sentence with their probabilities, outer ones before those inside."""
        if not self.probabilistic:
            raise UsageError(f"the scores of learner {self.learner!r} are not probabilities. Train with 'crf'.")
        tagged, bits = self.bracket(sentences)
        found: list[list[Bracket]] = [[] for _ in range(len(tagged))]
        begin = 0
        with self._predictor() as predictor:
            for piece, blocks in self._pieces(self._cut(tagged)):
                mu, at = predictor.marginals(blocks)[0], 0
                for n in np.diff(piece.starts).tolist():
                    i = int(np.searchsorted(tagged.starts, begin, "right")) - 1
                    shift = begin - int(tagged.starts[i])
                    spans, places = spans_of(bits[begin : begin + n]), n * (n + 1) // 2
                    p = probable(spans, mu[at : at + places], self.labels)
                    found[i] += [
                        Bracket(label, first + shift, last + shift, share)
                        for (label, first, last), share in zip(spans, p, strict=True)
                    ]
                    begin, at = begin + n, at + places
        return tagged, bits, found

    def _cut(self, tagged: Sentences) -> Sentences:
        """Long sentences in parts."""
        return replace(tagged, starts=cut(tagged.starts, self.details.get("longest", _LONGEST)))

    def bracket_k_best(self, sentences: Sentences, k: int) -> tuple[Sentences, list[list[tuple[list[str], float]]]]:
        """For each sentence its k best trees with their scores, the best first; fewer, where they are the same binary trees."""
        tagged = self.features.tagged(sentences)
        found: list[list[tuple[list[str], float]]] = []
        with self._predictor() as predictor:
            for piece, blocks in self._pieces(tagged):
                best = predictor.kbest(blocks, _TIMES * k)
                for n, (rows, scores) in zip(np.diff(piece.starts).tolist(), best, strict=True):
                    trees: dict[tuple[str, ...], float] = {}
                    for y, score in zip(rows, scores.tolist(), strict=True):
                        trees.setdefault(tuple(restored(y, n, self.labels)), score)
                    found.append([(list(bits), score) for bits, score in list(trees.items())[:k]])
        return tagged, found

    def _pieces(self, sentences: Sentences) -> Iterator[tuple[Sentences, tuple[Block, ...]]]:
        """Some sentences at a time, and the blocks of their trees. They have their tags."""
        for i in range(0, len(sentences), _BATCH):
            starts = sentences.starts[i : i + _BATCH + 1]
            columns = {
                name: column.slice(starts[0], starts[-1] - starts[0]) for name, column in sentences.columns.items()
            }
            piece = Sentences(columns, starts - starts[0], None, sentences.source, None)
            yield piece, self.features.blocks(piece)

    def batches(self, source: Any, format: str | None = None) -> Iterator[Sentences]:
        """The sentences of files, a batch at a time; prose is cut into sentences and words."""
        first = os.fspath(source if isinstance(source, str | os.PathLike) else source[0])
        if io.holds_sentences(first, format) or len(self.features.columns) > 1:
            yield from io.read_sentence_batches(
                source, format=format, label_col=column_of(source, format), labelled=False
            )
            return
        for texts in prose_batches(source, format):
            yield from_text(texts)

    def predict(self, sentences: Sequence[Sequence[Any]]) -> list[str]:
        """The tree of each sentence, which is a list of words (or of tuples: the word, then the other columns), in brackets."""
        return self.lines(*self.bracket(as_sentences(sentences, self.features.columns)))

    def lines(self, tagged: Sentences, bits: Sequence[str]) -> list[str]:
        """Trees in brackets, one for each sentence."""
        return bracketed(*_words_and_tags(tagged), bits, tagged.starts)

    def evaluate(self, sentences: Sentences) -> BracketsReport:
        """Bracket the sentences and compare with the trees that they have."""
        bits = _bits(sentences)
        tags = sentences.columns[TAG].to_pylist() if TAG in sentences.columns else None
        return evaluate_brackets(bits, self.bracket(sentences)[1], tags, sentences.starts)

    def explain(self, sentence: Sequence[Any]) -> BracketsExplanation:
        """Why each constituent of a sentence is one, and not the next best thing."""
        return self.explain_sentences(as_sentences([sentence], self.features.columns))[0]

    def explain_sentences(self, sentences: Sentences) -> list[BracketsExplanation]:
        self._check_linear()
        tagged, bits = self.bracket(sentences)
        found = []
        for i, (a, b) in enumerate(pairwise(tagged.starts.tolist())):
            one, _ = tagged.part(np.array([i]))
            with self._predictor() as predictor:
                blocks, name = self.features.blocks(one), self.features.spans.name
                brackets = explain_brackets(b - a, blocks, _BLOCKS, name, predictor, self.labels)
            words, tags = (tuple(column) for column in _words_and_tags(one))
            found.append(BracketsExplanation(words, tags, tuple(bits[a:b]), tuple(brackets)))
        return found


@dataclass(frozen=True)
class BracketsTask:
    tags: str = "own"
    branch: str = "left"
    longest: int = _LONGEST

    name: ClassVar[str] = "brackets"
    description: ClassVar[str] = "which words belong together, one constituent inside the other: trees in brackets"
    per_place: ClassVar[None] = None
    settings: ClassVar[Mapping[str, str]] = {
        "tags": "own: learn a tagger too, so that the model brackets text; given: use the tags of the file",
        "branch": "left or right: from where brackets of more than two parts are made binary to learn them",
        "longest": f"sentences of more words are not learned from, and get the trees of their parts; {_LONGEST}",
    }
    model: ClassVar[type[Model]] = BracketsModel

    def __post_init__(self) -> None:
        for name, values in (("tags", ("own", "given")), ("branch", ("left", "right"))):
            value = getattr(self, name)
            if value not in values:
                raise UsageError(f"expected {name}={' or '.join(values)}, found {value!r}.{meant(str(value), values)}")
        if not isinstance(self.longest, int) or self.longest < 1:
            raise UsageError(f"expected longest to be a number of words, found {self.longest!r}.")

    def read(self, data: Any, columns: Mapping[str, Any], like: Bracketed | None = None) -> Bracketed:
        """Files, or sentences whose tags are the brackets around each word."""
        if columns.get("text_col") is not None:
            raise UsageError("sentences of tokens have no text column. Leave out --text-col.")
        sentences = data
        if not isinstance(data, Sentences):
            format = columns.get("format")
            column = columns.get("label_col") or column_of(data, format)
            sentences = io.read_sentences(data, format=format, label_col=column, framed=False)
        details: dict[str, Any] = {"branch": self.branch, "longest": self.longest}
        if like is None:
            sentences, details["left out"] = _without_long(sentences, self.longest)
        bits = _bits(sentences)
        places = list(pairwise(sentences.starts.tolist()))
        trees = [binary(bits[a:b], left=self.branch == "left") for a, b in places]
        if like is None:
            labels = (NONE, *sorted({label for tree in trees for label in tree.values()} - {NONE}))
            if len(labels) < 2:
                raise DataError("no tree has a bracket with a label; there is nothing to learn.", sentences.source)
        else:
            labels = like.labels
        number = {label: k for k, label in enumerate(labels)}
        y = [numbered(tree, b - a, number) for tree, (a, b) in zip(trees, places, strict=True)]
        return Bracketed(sentences, np.array(bits, np.object_), _joined(y), _ends(y), labels, details)

    def weighted(
        self, features: BracketFeatures, gold: Bracketed, class_weight: str | Mapping[str, float] | None
    ) -> tuple[Brackets, None]:
        if class_weight is not None:
            raise UsageError("class weights are for labels and tags. Leave out class-weight.")
        return BracketsModel.structure(features, gold.labels, gold.details), None

    def plan(self, spec: str | None, gold: Bracketed) -> Plan:
        return Plan(" ".join(_FEATURES.split()) if spec is None else spec, "averaged-mira", {})

    def measure_of(self, learner: Preset, gold: Bracketed) -> None:
        """There are no sets."""

    def fit(self, spec: str, gold: Bracketed) -> tuple[BracketFeatures, tuple[Block, ...]]:
        spans, sentences = SpanFeatures(spec, tuple(gold.sentences.columns)), gold.sentences
        tags: OwnTags | None = None
        if self.tags == "own" and TAG in spans.columns:
            tags, sentences = own_tags(sentences, [TAG])
        features = BracketFeatures(spans.fit(sentences.columns, sentences.starts, gold.y, gold.y_at), tags)
        return features, features.blocks(sentences)

    def blocks(self, features: BracketFeatures, gold: Bracketed) -> tuple[Block, ...]:
        return features.blocks(features.tagged(gold.sentences))

    def counts(self, gold: Bracketed, y_hat: Ints, y_hat_at: npt.NDArray[np.int64]) -> Counts:
        """F1 = 2 right / (found + gold) of brackets, as evalb counts them."""
        sizes = np.diff(gold.sentences.starts).tolist()
        found = [
            bit
            for n, a, b in zip(sizes, y_hat_at[:-1], y_hat_at[1:], strict=True)
            for bit in restored(y_hat[a:b], n, gold.labels)
        ]
        tags = gold.sentences.columns[TAG].to_pylist() if TAG in gold.sentences.columns else None
        wanted, given = (counted(bits, tags, gold.sentences.starts) for bits in (gold.bits.tolist(), found))
        right = np.array([(a & b).total() for a, b in zip(wanted, given, strict=True)], np.float64)
        total = np.array([a.total() + b.total() for a, b in zip(wanted, given, strict=True)], np.float64)
        return Counts("F1", 2 * right, total)


def cut(starts: npt.NDArray[np.int64], longest: int) -> npt.NDArray[np.int64]:
    """Where sentences start, long ones in parts as long as each other.

    >>> cut(np.array([0, 3, 10]), 4).tolist()
    [0, 3, 6, 10]
    """
    found = [0]
    for a, b in pairwise(starts.tolist()):
        parts = max(1, -(-(b - a) // longest))
        found += [a + (b - a) * k // parts for k in range(1, parts + 1)]
    return np.array(found, np.int64)


def _without_long(sentences: Sentences, longest: int) -> tuple[Sentences, int]:
    """Those that are learned from, and how many are not."""
    kept = np.flatnonzero(np.diff(sentences.starts) <= longest)
    if len(kept) == len(sentences) or sentences.tags is None:
        return sentences, 0
    part, tokens = sentences.part(kept)
    return replace(part, tags=sentences.tags.take(numbers(tokens))), len(sentences) - len(kept)


def column_of(source: Any, format: str | None) -> str | None:
    """Where files have their trees: those in columns in the last one, what begins before a word and ends behind it."""
    first = source if isinstance(source, str | os.PathLike) else source[0]
    return TREE if io.kind_of(os.fspath(first), format) == BracketsTask.name else None


def _words_and_tags(sentences: Sentences) -> tuple[list[str], list[str]]:
    """Where there are no tags, X is in their place."""
    words: list[str] = sentences.columns["w"].to_pylist()
    return words, sentences.columns[TAG].to_pylist() if TAG in sentences.columns else ["X"] * len(words)


def _bits(sentences: Sentences) -> list[str]:
    """The brackets of sentences that were read with them."""
    if sentences.tags is None:
        raise DataError("there are no trees.", sentences.source)
    bits: list[str] = sentences.tags.to_pylist()
    for i, (a, b) in enumerate(pairwise(sentences.starts.tolist()), 1):
        try:
            spans = spans_of(bits[a:b])
        except ValueError as error:
            raise DataError(f"the brackets of sentence {i} are no tree: {error}.", sentences.source) from None
        joined = next((span.label for span in spans if JOIN in span.label), None)
        if joined is not None:
            raise DataError(
                f"sentence {i}: the label {joined!r} holds {JOIN!r}, which here joins labels. Spell it otherwise.",
                sentences.source,
            )
    return bits


def _joined(parts: Sequence[Ints]) -> Ints:
    return np.concatenate([np.zeros(0, np.int32), *parts])


def _ends(parts: Sequence[Ints]) -> npt.NDArray[np.int64]:
    return np.cumsum([0, *map(len, parts)], dtype=np.int64)
