"""Models that tag sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar, Unpack

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet.core import arrow
from linnet.core.blocks import Block
from linnet.core.schema import Either, Flag, Record, Schema, Text, Whole
from linnet.core.types import F32, Arrays, Bools, Data, Integers, Json, Setting, Token
from linnet.errors import DataError, UsageError
from linnet.features.sizes import Sizes
from linnet.features.tokens import TokenFeatures
from linnet.fitting.contract import Known
from linnet.io.formats import FileOptions
from linnet.io.sentences.sentences import Sentences
from linnet.limits import EXPLAINED_TAGS
from linnet.model import Model
from linnet.structures.chain import Chain
from linnet.structures.schemes import bio_of, convert, legal, same_place
from linnet.structures.trigrams import TrigramChain
from linnet.tasks.second_look.model import Best, Reranked
from linnet.tasks.second_look.why import SecondLook
from linnet.tasks.sentences.answers import best, check_explained, check_one, numbers_of_tokens, tokens
from linnet.tasks.sentences.gold import as_sentences, gold_sentences, sentences_of
from linnet.tasks.sentences.prose import sentence_batches, typed_sentences
from linnet.tasks.tag.measures import TagsReport, evaluate_tags
from linnet.tasks.tag.wholes import TagWhole
from linnet.tasks.tag.why import TagExplanations, explain_tags

if TYPE_CHECKING:
    from linnet.tasks.tag.decisions import TagDecisions

_MOST_TAGS_IN_THREES = 100
"""The largest number of tags for which there may be weights of three tags in a row."""


class TagModel(Reranked[TokenFeatures, Chain]):
    """A model that gives each token of a sentence a tag."""

    task: ClassVar[str] = "tag"
    details_schema: ClassVar[Schema] = Record(
        {"scheme": Either(Text()), "repaired": Whole()}, {"legal": Flag()}, open=True
    )
    called: ClassVar[str] = "tagger"
    rivals: ClassVar[bool] = True

    @classmethod
    def structure(
        cls,
        features: TokenFeatures,
        labels: tuple[str, ...],
        details: Mapping[str, Json],
        cost: npt.NDArray[np.float32] | None = None,
    ) -> Chain:
        follows, first, last = (legal(labels) if is_legal(details) else None) or (None, None, None)
        if features.order == 2 and len(labels) > _MOST_TAGS_IN_THREES:
            raise UsageError(
                f"y[-2]|y[-1] is for at most {_MOST_TAGS_IN_THREES} tags, found {len(labels)}. Leave it out."
            )
        kind = TrigramChain if features.order == 2 else Chain
        return kind(len(labels), observed=features.observed, legal=follows, starts=first, ends=last, cost=cost)

    @classmethod
    def sizes(cls, features: TokenFeatures, gen: Chain) -> Sizes:
        return Sizes((features.n_features, features.n_pair_features, 0)[: 1 + features.order])

    @classmethod
    def without(
        cls, features: TokenFeatures, gen: Chain, wanted: Sequence[Bools]
    ) -> tuple[TokenFeatures, tuple[F32, ...]]:
        return features.without(wanted[0], wanted[1]), tuple(flags.astype(np.float32) for flags in wanted)

    @classmethod
    def united(cls, features: Sequence[TokenFeatures]) -> tuple[TokenFeatures, list[tuple[tuple[Integers, F32], ...]]]:
        whole, numbers = TokenFeatures.united(features)
        none = np.zeros(0, np.int64)
        several = [(tokens, pairs, none)[: 1 + whole.order] for tokens, pairs in numbers]
        return whole, [tuple((some, np.ones(len(some), np.float32)) for some in blocks) for blocks in several]

    @classmethod
    def outcomes_of(cls, numbers: Integers, gen: Chain) -> tuple[Integers, ...]:
        return _outcomes(np.asarray(numbers, np.int64), len(numbers))[: len(gen.outcomes)]

    @classmethod
    def read_features(cls, header: Mapping[str, Json], arrays: Arrays, parts: Mapping[str, Model]) -> TokenFeatures:
        return TokenFeatures.from_arrays(header, arrays)

    @classmethod
    def moved(cls, before: Known, after: Known, gens: tuple[Chain, Chain]) -> tuple[npt.NDArray[np.int64], ...]:
        """The new numbers of outcomes: tags keep theirs, but those of pairs and of threes depend on the number of tags."""
        return _outcomes(np.arange(len(before.labels)), len(after.labels))[: len(gens[0].outcomes)]

    def tag(self, sentences: Sentences, forced: npt.NDArray[np.int32] | None = None) -> list[str]:
        """Tag sentences; return the tags of all tokens in a row. `forced` has for each token the number of a label that it must
        have, or -1."""
        return self._written(self._numbers(sentences, forced), sentences.starts)

    def _numbers(self, sentences: Sentences, forced: npt.NDArray[np.int32] | None = None) -> npt.NDArray[np.int32]:
        """The numbers of the tags of all tokens. Raise UsageError if the forced tags allow no sequence."""
        y_hat = self._decided(sentences, forced)
        if forced is not None:
            self._check_forced(y_hat, forced, sentences.starts)
        return y_hat

    def _decided(self, sentences: Sentences, forced: npt.NDArray[np.int32] | None = None) -> npt.NDArray[np.int32]:
        """The numbers of the tags of all tokens."""
        if self.reranker is not None:
            best = self.reranked(sentences, 1, forced)
            return np.concatenate([np.empty(0, np.int32), *(rows[0] for rows, _ in best)])
        y_hat = np.empty(sentences.n_tokens, np.int32)
        with self._predictor() as predictor:
            for at, blocks in self._pieces(sentences):
                y_hat[at], _ = predictor.argmax(blocks, None if forced is None else forced[at])
        return y_hat

    def candidates(self, sentences: Sentences, k: int, forced: npt.NDArray[np.int32] | None = None) -> list[Best]:
        with self._predictor() as predictor:
            found = [
                one
                for at, blocks in self._pieces(sentences)
                for one in predictor.kbest(blocks, k, None if forced is None else forced[at])
            ]
        for i, (rows, _) in enumerate(found, 1):
            if not len(rows):
                raise _too_many_forced(i)
        return found

    def wholes(self, sentences: Sentences) -> Iterator[TagWhole]:
        if self.details.get("scheme") is None:
            labels = [(label, False) for label in self.labels]
        else:
            labels = [(label[2:] or label, label[:1] in ("I", "E")) for label in self.labels]
        word, *others = (sentences.columns[name].to_pylist() for name in self.features.columns[:2])
        for a, b in pairwise(sentences.starts.tolist()):
            yield TagWhole(word[a:b], others[0][a:b] if others else None, labels)

    def _pieces(self, sentences: Sentences) -> Iterator[tuple[slice, tuple[Block, ...]]]:
        """Yield for some sentences at a time the slice of their tokens, and their blocks."""
        pieces: Iterator[tuple[slice, tuple[Block, ...]]] = self.features.pieces(sentences.columns, sentences.starts)
        return pieces

    def _written(self, y: npt.NDArray[np.int32], starts: npt.NDArray[np.int64]) -> list[str]:
        """The tags with these numbers, in the scheme of the training data."""
        tags: list[str] = np.array(self._names, np.object_)[y].tolist()
        return convert(tags, starts, "iob1")[0] if self.details.get("scheme") == "iob1" else tags

    @property
    def _names(self) -> Sequence[str]:
        """The labels in the scheme of the training data, if each has one spelling there."""
        return bio_of(self.labels) if self.details.get("scheme") == "bio" else self.labels

    @property
    def spelled_labels(self) -> dict[str, str]:
        """The labels as the training data spell them, keyed by the names that they have here."""
        return dict(zip(self.labels, self._names, strict=True))

    def _column(self, y: npt.NDArray[np.int32], starts: npt.NDArray[np.int64]) -> pa.Array:
        """The tags of each sentence as a column."""
        if self.details.get("scheme") == "iob1":
            return arrow.lists(arrow.texts(self._written(y, starts)), starts)
        return arrow.lists(arrow.chosen(self._names, y), starts)

    def _check_forced(
        self, y: npt.NDArray[np.int32], forced: npt.NDArray[np.int32], starts: npt.NDArray[np.int64]
    ) -> None:
        for i, (a, b) in enumerate(pairwise(starts.tolist()), 1):
            is_other = (forced[a:b] >= 0) & (forced[a:b] != y[a:b])
            if is_other.any() or not self._gen.allows(y[a:b]):
                raise _too_many_forced(i)

    def tag_with_proba(self, sentences: Sentences) -> tuple[list[str], npt.NDArray[np.float32]]:
        """Tag sentences; return the tags of all tokens and their probabilities. The probability of a tag of a span is that a
        span of its type begins at the token, or goes on there."""
        y_hat, p = self._numbers_with_proba(sentences)
        return self._written(y_hat, sentences.starts), p

    def _numbers_with_proba(self, sentences: Sentences) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]:
        self._check_probabilistic()
        y_hat, p = self._decided(sentences), np.empty(sentences.n_tokens, np.float32)
        told = same_place(self.labels) if self.details.get("scheme") in ("bio", "iob1") else np.eye(len(self.labels))
        with self._predictor() as predictor:
            for at, blocks in self._pieces(sentences):
                p[at] = (predictor.marginals(blocks)[0] * told.astype(np.float32)[y_hat[at]]).sum(axis=1)
        return y_hat, p

    def _check_probabilistic(self) -> None:
        if not self.probabilistic:
            raise UsageError(f"the scores of learner {self.learner!r} are not probabilities. Train with 'crf'.")

    def tag_k_best(self, sentences: Sentences, k: int) -> list[list[tuple[list[str], float]]]:
        """Find the k best sequences of tags of each sentence, with their scores, the best first."""
        found = (self.candidates if self.reranker is None else self.reranked)(sentences, k)
        ends = ((y, scores.tolist(), np.array([0, y.shape[1]])) for y, scores in found)
        return [
            [(self._written(y, cut), score) for y, score in zip(rows, scores, strict=True)]
            for rows, scores, cut in ends
        ]

    def typed(self, texts: Sequence[str]) -> Sentences:
        """What people type: prose, or a token with its values on each line where the model looks at more than the words."""
        return typed_sentences(texts, self.features.columns)

    def decisions(self, data: Sentences | Sequence[Sequence[Token]]) -> list[TagDecisions]:
        """The tags of each sentence, which can be corrected one by one."""
        from linnet.tasks.tag.decisions import TagDecisions

        self._check_linear()
        sentences = sentences_of(data, self)
        whole = self.features.blocks(sentences.columns, sentences.starts)
        columns = [sentences.columns[name].to_pylist() for name in self.features.columns]
        found = []
        for i, (a, b) in enumerate(pairwise(sentences.starts.tolist())):
            blocks, words = tuple(_example(block, i) for block in whole), columns[0][a:b]
            x = list(zip(*(column[a:b] for column in columns), strict=True)) if len(columns) > 1 else words
            ends = np.array([0, b - a], np.int64)
            predictor = self._predictor_over(self._gen)
            found.append(
                TagDecisions(
                    x, words, blocks, self.features, predictor, self.labels, partial(self._written, starts=ends)
                )
            )
        return found

    def batches(self, source: Data, *, text: str | None = None, **how: Unpack[FileOptions]) -> Iterator[Sentences]:
        """Read the sentences of files in batches; prose is cut into sentences and words."""
        return sentence_batches(source, text, self.features.columns, how)

    def answers(
        self,
        data: Sentences | Sequence[Sequence[Token]],
        *,
        proba: bool = False,
        top: int | None = None,
        **decide: Setting,
    ) -> pa.Table:
        """A table with `tokens` and `tags`, and the `probabilities` of the tags; with `top`, the `best` sequences of tags
        instead."""
        check_one(proba, top, "tags", "sequences", "tags")
        sentences = sentences_of(data, self)
        columns = {"tokens": tokens(sentences)}
        if top is not None:
            found = self.tag_k_best(sentences, top)
            return arrow.table(columns | {"best": best(found, lambda tags: {"tags": arrow.text_lists(tags)})})
        if not proba:
            y = self._numbers(sentences, self._forced(sentences, **decide))
            return arrow.table(columns | {"tags": self._column(y, sentences.starts)})
        y, p = self._numbers_with_proba(sentences)
        columns["tags"] = self._column(y, sentences.starts)
        columns["probabilities"] = numbers_of_tokens(p, sentences.starts)
        return arrow.table(columns)

    def predict(
        self,
        sentences: Sentences | Sequence[Sequence[Token]],
        forced: Sequence[Sequence[str | None] | None] | None = None,
    ) -> list[list[str]]:
        """Predict the tags of each sentence. A sentence is a list of words, or of tuples with the word and the other columns.

        forced: for each sentence None, or a list that has for each token a label that it must have, or None.
        """
        data = sentences_of(sentences, self)
        tags = self.tag(data, self._forced(data, forced))
        return [tags[a:b] for a, b in pairwise(data.starts)]

    def _forced(
        self, sentences: Sentences, forced: Sequence[Sequence[str | None] | None] | None = None
    ) -> npt.NDArray[np.int32] | None:
        return None if forced is None else self._numbered(forced, sentences.starts)

    def _numbered(
        self, forced: Sequence[Sequence[str | None] | None], starts: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.int32]:
        lengths = np.diff(starts).tolist()
        if len(forced) != len(lengths):
            raise UsageError(
                f"expected forced tags, or None, for each of {len(lengths)} sentences, found {len(forced)}."
            )
        number: dict[str | None, int] = {None: -1} | {label: k for k, label in enumerate(self.labels)}
        found: list[int] = []
        for i, (tags, length) in enumerate(zip(forced, lengths, strict=True), 1):
            tags = [None] * length if tags is None else tags
            unknown = [tag for tag in tags if tag not in number]
            if len(tags) != length:
                raise UsageError(
                    f"sentence {i}: expected {length} forced tags, one for each token or None, found {len(tags)}."
                )
            if unknown:
                raise UsageError(f"the model has no label {unknown[0]!r}. It has: {', '.join(self.labels)}.")
            found += [number[tag] for tag in tags]
        return np.array(found, np.int32)

    def predict_proba(self, sentences: Sentences | Sequence[Sequence[Token]]) -> list[npt.NDArray[np.float32]]:
        """The probabilities p(tag | sentence): for each sentence a row for each token, a column for each label."""
        self._check_probabilistic()
        data = sentences_of(sentences, self)
        p = np.empty((data.n_tokens, len(self.labels)), np.float32)
        with self._predictor() as predictor:
            for at, blocks in self._pieces(data):
                p[at] = predictor.marginals(blocks)[0]
        return [p[a:b] for a, b in pairwise(data.starts)]

    def predict_k_best(self, sentences: Sequence[Sequence[Token]], k: int) -> list[list[tuple[list[str], float]]]:
        """Find the k best sequences of tags of each sentence, with their scores, the best first."""
        return self.tag_k_best(as_sentences(sentences, self.features.columns), k)

    def explain(self, sentence: Sequence[Token]) -> TagExplanations:
        """Explain why each token of a sentence has its tag, and not the next best one."""
        return self.explain_sentences(as_sentences([sentence], self.features.columns))[0]

    def explain_sentences(self, sentences: Sentences) -> list[TagExplanations]:
        """Explain why each token of each sentence has its tag. Raise DataError where one is too long."""
        self._check_linear()
        check_explained(sentences, EXPLAINED_TAGS.most)
        y_hat = self._decided(sentences)
        words = sentences.columns["w"].to_pylist()
        whole = self.features.blocks(sentences.columns, sentences.starts)
        found = []
        for i, (a, b) in enumerate(pairwise(sentences.starts.tolist())):
            blocks = tuple(_example(block, i) for block in whole)
            with self._predictor() as predictor:
                found.append(explain_tags(words[a:b], blocks, self.features, predictor, self.labels, y_hat[a:b]))
        return found

    def second_look(self, sentence: Sequence[Token]) -> SecondLook | None:
        """Explain why the reranker chose the tags of a sentence; None without a reranker or without a choice."""
        return self.second_looks(as_sentences([sentence], self.features.columns))[0]

    def described(self, sentence: Sentences, y: npt.NDArray[np.int32]) -> list[str]:
        """The tags of one sentence, in the scheme in which they were learned."""
        return [self.labels[k] for k in y.tolist()]

    def evaluate(
        self,
        data: Data,
        tags: Sequence[Sequence[str]] | None = None,
        *,
        text: str | None = None,
        label: str | None = None,
        **how: Unpack[FileOptions],
    ) -> TagsReport:
        """Tag sentences and compare with the tags that they have. data: sentences, whose tags follow; or a table or a file with
        both."""
        sentences = gold_sentences(self, data, tags, {"text_col": text, "label_col": label, **how})
        if sentences.tags is None:
            raise DataError("expected sentences with tags to compare with, found none.", sentences.source)
        return evaluate_tags(
            sentences.tags.to_pylist(), self.tag(sentences), sentences.starts, self.features.known(sentences.columns)
        )


def is_legal(details: Mapping[str, Json]) -> bool:
    """Whether tags of spans follow each other as their scheme allows; where the details do not say, they do."""
    return bool(details.get("legal", True))


def _too_many_forced(i: int) -> UsageError:
    return UsageError(f"sentence {i}: no legal sequence of tags has all of the forced ones. Force fewer.")


def _example(block: Block, i: int) -> Block:
    """The block of one example among several."""
    *rows, places = block.arrays()
    indptr, indices, values = map(np.asarray, rows)
    a, b = (i, i + 1) if places is None else (int(places[i]), int(places[i + 1]))
    begin, end = int(indptr[a]), int(indptr[b])
    cut = None if places is None else np.array([0, b - a], np.int64)
    return Block(indptr[a : b + 1] - begin, indices[begin:end], values[begin:end], cut)


def _outcomes(tag: npt.NDArray[np.int64], n: int) -> tuple[npt.NDArray[np.int64], ...]:
    """The numbers of tags, of pairs and of threes of them among n tags, given the new number of each tag."""
    pairs = (tag[:, None] * n + tag).ravel()
    return tag, pairs, (pairs[:, None] * n + tag).ravel()


MODEL = TagModel
