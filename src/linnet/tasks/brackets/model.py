"""Models of constituent trees."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar, Unpack

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet.core import arrow
from linnet.core.blocks import Block
from linnet.core.schema import Record, Schema, Text, Whole
from linnet.core.types import Arrays, Data, Json, Setting, Token
from linnet.errors import DataError, UsageError
from linnet.explain.differences import weights_of
from linnet.features.sizes import Sizes
from linnet.io.formats import FileOptions
from linnet.io.sentences.mrg import bracketed
from linnet.io.sentences.sentences import Sentences
from linnet.limits import BRACKETED
from linnet.model.base import Model
from linnet.structures.bits import JOIN, NONE, is_label, probable, restored, spans_of
from linnet.structures.brackets import Brackets
from linnet.tasks.brackets.answers import brackets_of_sentences, found_brackets
from linnet.tasks.brackets.features import BLOCKS, BracketFeatures
from linnet.tasks.brackets.gold import TAG, bits_of, column_of
from linnet.tasks.brackets.measures import BracketsReport, evaluate_brackets
from linnet.tasks.brackets.why import BracketsExplanation, ScoredSpans, explain_brackets
from linnet.tasks.sentences.answers import best, check_one, tokens
from linnet.tasks.sentences.gold import as_sentences, gold_sentences, sentences_of
from linnet.tasks.sentences.prose import from_text, sentence_batches

if TYPE_CHECKING:
    from linnet.tasks.brackets.decisions import BracketDecisions

_BATCH = 1000
"""The number of sentences that are parsed at a time."""
_TIMES = 4
"""The number of binary trees that are searched for each of the k best trees, as several may be the same tree."""


@dataclass(frozen=True)
class Bracket:
    """A constituent over the words first..last of a sentence, and its probability."""

    label: str
    first: int
    last: int
    probability: float


class BracketsModel(Model[BracketFeatures, Brackets]):
    """A model that gives each sentence a constituent tree."""

    task: ClassVar[str] = "brackets"
    called: ClassVar[str] = "parser"
    details_schema: ClassVar[Schema] = Record({"branch": Text(), "longest": Whole(1), "left out": Whole()}, open=True)

    @classmethod
    def structure(cls, features: BracketFeatures, labels: tuple[str, ...], details: Mapping[str, Json]) -> Brackets:
        """The trees over these labels, of which the first stands for no constituent. ValueError for a label that no
        tree can have."""
        if labels[:1] != (NONE,):
            raise ValueError(f"the first label of constituents is not {NONE!r}")
        for label in labels[1:]:
            if not all(map(is_label, label.split(JOIN))):
                raise ValueError(f"no constituent has the label {label!r}")
        return Brackets(len(labels))

    @classmethod
    def sizes(cls, features: BracketFeatures, gen: Brackets) -> Sizes:
        return Sizes(tuple(map(features.spans.n_features, BLOCKS)))

    @classmethod
    def models_in(cls, features: BracketFeatures) -> Mapping[str, Model]:
        return features.models()

    @classmethod
    def read_features(cls, header: Mapping[str, Json], arrays: Arrays, parts: Mapping[str, Model]) -> BracketFeatures:
        return BracketFeatures.from_arrays(header, arrays, parts)

    def bracket(self, sentences: Sentences) -> tuple[Sentences, list[str]]:
        """Parse sentences; return them with their tags, and for each word the brackets that begin before it and end after
        it."""
        tagged = self.features.tagged(sentences)
        bits: list[str] = []
        with self._predictor() as predictor:
            for piece, blocks in self._pieces(self._cut(tagged)):
                y_hat, at = predictor.argmax(blocks)
                for n, a, b in zip(np.diff(piece.starts).tolist(), at[:-1], at[1:], strict=True):
                    bits += restored(y_hat[a:b], n, self.labels)
        return tagged, bits

    def bracket_with_proba(self, sentences: Sentences) -> tuple[Sentences, list[str], list[list[Bracket]]]:
        """Parse sentences as `bracket` does; also return the brackets of each sentence with their probabilities, outer brackets
        before inner ones."""
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
        """The sentences with long ones cut into parts."""
        return replace(tagged, starts=cut(tagged.starts, self.details.get("longest", BRACKETED.most)))

    def _whole(self, sentences: Sentences) -> Sentences:
        """The sentences themselves. Raise DataError where one is so long that it would be parsed in parts."""
        most, longest = self.details.get("longest", BRACKETED.most), int(np.diff(sentences.starts).max(initial=0))
        if longest > most:
            raise DataError(
                f"a sentence has {longest:,} words, and trees of at most {most:,} are explained. Split it.",
                sentences.source,
            )
        return sentences

    def bracket_k_best(self, sentences: Sentences, k: int) -> tuple[Sentences, list[list[tuple[list[str], float]]]]:
        """Find the k best trees of each sentence, with their scores, the best first; fewer, if several binary trees are the
        same tree."""
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
        """Yield some sentences at a time with the blocks of their trees. The sentences have their tags."""
        for i in range(0, len(sentences), _BATCH):
            starts = sentences.starts[i : i + _BATCH + 1]
            columns = {
                name: column.slice(starts[0], starts[-1] - starts[0]) for name, column in sentences.columns.items()
            }
            piece = Sentences(columns, starts - starts[0], None, sentences.source, None)
            yield piece, self.features.blocks(piece)

    def typed(self, texts: Sequence[str]) -> Sentences:
        """What people type, cut into sentences and words."""
        return from_text(texts)

    def decisions(self, data: Sentences | Sequence[Sequence[Token]]) -> list[BracketDecisions]:
        """The constituents of each sentence, which can be corrected one by one."""
        from linnet.tasks.brackets.decisions import BracketDecisions

        self._check_linear()
        tagged, found = self.features.tagged(self._whole(sentences_of(data, self))), []
        for one in (tagged.part(np.array([i]))[0] for i in range(len(tagged))):
            words: list[str] = one.columns["w"].to_pylist()
            blocks, predictor = self.features.blocks(one), self._predictor_over(self._gen)
            spans = ScoredSpans(len(words), blocks, self._feature_names, weights_of(predictor))

            def line(y: npt.NDArray[np.int32], one: Sentences = one) -> str:
                return self.lines(one, restored(y, one.n_tokens, self.labels))[0]

            found.append(BracketDecisions(words, words, spans, predictor, self.labels, line))
        return found

    @property
    def _feature_names(self) -> list[Callable[[int], str]]:
        """A function for each block that gives the name of a feature by its number."""
        return [partial(self.features.spans.name, block) for block in BLOCKS]

    def batches(self, source: Data, *, text: str | None = None, **how: Unpack[FileOptions]) -> Iterator[Sentences]:
        """Read the sentences of files in batches; prose is cut into sentences and words."""
        column = column_of(source, how)
        return sentence_batches(source, text, self.features.columns, how, label_col=column)

    def answers(
        self,
        data: Sentences | Sequence[Sequence[Token]],
        *,
        proba: bool = False,
        top: int | None = None,
        **decide: Setting,
    ) -> pa.Table:
        """A table with the `tokens`, the `tree` in brackets, and its `brackets` with label, first and last word, and
        probability; with `top`, the `best` trees instead."""
        check_one(proba, top, "trees", "trees", "brackets")
        sentences = sentences_of(data, self)
        columns = {"tokens": tokens(sentences)}
        if top is not None:
            trees = self._k_best_lines(sentences, top)
            return arrow.table(columns | {"best": best(trees, lambda lines: {"tree": arrow.texts(lines)})})
        tagged, bits, *found = self.bracket_with_proba(sentences) if proba else self.bracket(sentences, **decide)
        columns["tree"] = arrow.texts(self.lines(tagged, bits))
        columns["brackets"] = found_brackets(found[0]) if proba else brackets_of_sentences(bits, sentences.starts)
        return arrow.table(columns)

    def _k_best_lines(self, sentences: Sentences, k: int) -> list[list[tuple[str, float]]]:
        """The k best trees of each sentence, in brackets, with their scores."""
        tagged, found = self.bracket_k_best(sentences, k)
        one = (tagged.part(np.array([i]))[0] for i in range(len(tagged)))
        return [
            [(self.lines(sentence, bits)[0], score) for bits, score in trees]
            for sentence, trees in zip(one, found, strict=True)
        ]

    def predict(self, sentences: Sentences | Sequence[Sequence[Token]]) -> list[str]:
        """Predict the tree of each sentence, in brackets. A sentence is a list of words, or of tuples with the word and the
        other columns."""
        return self.lines(*self.bracket(sentences_of(sentences, self)))

    def lines(self, tagged: Sentences, bits: Sequence[str]) -> list[str]:
        """The tree of each sentence, in brackets on one line."""
        return bracketed(*_words_and_tags(tagged), bits, tagged.starts)

    def evaluate(
        self,
        data: Data,
        trees: Sequence[str] | None = None,
        *,
        text: str | None = None,
        label: str | None = None,
        **how: Unpack[FileOptions],
    ) -> BracketsReport:
        """Parse sentences and compare with the trees that they have. data: sentences, whose trees follow; or a table or a file
        with both."""
        sentences = gold_sentences(self, data, trees, {"text_col": text, "label_col": label, **how})
        bits = bits_of(sentences)
        tags = sentences.columns[TAG].to_pylist() if TAG in sentences.columns else None
        return evaluate_brackets(bits, self.bracket(sentences)[1], tags, sentences.starts)

    def explain(self, sentence: Sequence[Token]) -> BracketsExplanation:
        """Explain why each constituent of a sentence is one, against the next best tree without it."""
        return self.explain_sentences(as_sentences([sentence], self.features.columns))[0]

    def explain_sentences(self, sentences: Sentences) -> list[BracketsExplanation]:
        self._check_linear()
        tagged, bits = self.bracket(self._whole(sentences))
        found = []
        for i, (a, b) in enumerate(pairwise(tagged.starts.tolist())):
            one, _ = tagged.part(np.array([i]))
            with self._predictor() as predictor:
                blocks, name = self.features.blocks(one), self.features.spans.name
                brackets = explain_brackets(b - a, blocks, BLOCKS, name, predictor, self.labels)
            words, tags = (tuple(column) for column in _words_and_tags(one))
            found.append(BracketsExplanation(words, tags, tuple(bits[a:b]), tuple(brackets)))
        return found


def cut(starts: npt.NDArray[np.int64], longest: int) -> npt.NDArray[np.int64]:
    """The places where sentences start, with long sentences cut into parts of about the same length.

    >>> cut(np.array([0, 3, 10]), 4).tolist()
    [0, 3, 6, 10]
    """
    found = [0]
    for a, b in pairwise(starts.tolist()):
        parts = max(1, -(-(b - a) // longest))
        found += [a + (b - a) * k // parts for k in range(1, parts + 1)]
    return np.array(found, np.int64)


def _words_and_tags(sentences: Sentences) -> tuple[list[str], list[str]]:
    """The words and the tags of sentences; where there are no tags, each is X."""
    words: list[str] = sentences.columns["w"].to_pylist()
    return words, sentences.columns[TAG].to_pylist() if TAG in sentences.columns else ["X"] * len(words)


MODEL = BracketsModel
