"""Models of dependency trees."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar, Unpack

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet import io
from linnet.core import arrow
from linnet.core.blocks import Block
from linnet.core.schema import Flag, Real, Record, Schema, Whole
from linnet.core.types import F32, Array, Arrays, Bools, Data, Json, Setting, Token
from linnet.errors import UsageError
from linnet.explain import Strong, strongest
from linnet.features.sizes import Sizes
from linnet.io.formats import FileOptions
from linnet.io.sentences.conllu import TREE
from linnet.io.sentences.sentences import Sentences
from linnet.learners.weights import blocks as blocks_of
from linnet.model import Model
from linnet.structures.grandparents import GrandTree
from linnet.structures.siblings import SiblingTree
from linnet.structures.tree import Tree
from linnet.tasks.parse.answers import arcs_of_tokens, best_trees, made_tags
from linnet.tasks.parse.arcs import ArcFeatures
from linnet.tasks.parse.features import Flags, ParseFeatures
from linnet.tasks.parse.gold import best_heads, gold_arcs, places
from linnet.tasks.parse.measures import TreesReport, evaluate_trees
from linnet.tasks.parse.wholes import TreeWhole
from linnet.tasks.parse.why import ScoredTree, TreeExplanation, explain_tree
from linnet.tasks.second_look.model import Best, Reranked
from linnet.tasks.second_look.why import SecondLook
from linnet.tasks.sentences.answers import check_one, numbers_of_tokens, tokens
from linnet.tasks.sentences.gold import as_sentences, gold_sentences, sentences_of
from linnet.tasks.sentences.prose import from_text, prose_batches, refuse_text_col

if TYPE_CHECKING:
    from linnet.tasks.parse.decisions import ArcDecisions

Ints = npt.NDArray[np.int32]
_BATCH = 1000
"""The number of sentences that are parsed at a time."""


@dataclass(frozen=True)
class Arc:
    """The arc of a token: the number of its head, 0 for the root, and its relation to the head."""

    head: int
    relation: str


class ParseModel(Reranked[ParseFeatures, Tree]):
    """A model that gives each token of a sentence a head and a relation."""

    task: ClassVar[str] = "parse"
    called: ClassVar[str] = "parser"
    details_schema: ClassVar[Schema] = Record(
        {"projective": Flag(), "one_root": Flag()},
        {"crossing": Real(0, 1), "skipped": Whole(), "left out": Whole()},
        open=True,
    )

    @classmethod
    def structure(
        cls, features: ParseFeatures, labels: tuple[str, ...], details: Mapping[str, Json], by_heads: bool = False
    ) -> Tree:
        kind = (Tree, SiblingTree, GrandTree)[len(features.arcs.names) - 1]
        return kind(len(labels), projective=details["projective"], one_root=details["one_root"], by_heads=by_heads)

    @classmethod
    def sizes(cls, features: ParseFeatures, gen: Tree) -> Sizes:
        return Sizes(tuple(features.arcs.n_features(name) for name in features.names(gen.n_relations > 1)))

    @classmethod
    def models_in(cls, features: ParseFeatures) -> Mapping[str, Model]:
        return features.models()

    @classmethod
    def without(
        cls, features: ParseFeatures, gen: Tree, wanted: Sequence[Bools]
    ) -> tuple[ParseFeatures, tuple[F32, ...]]:
        of_block = dict(zip(features.names(gen.n_relations > 1), wanted, strict=True))
        return replace(features, arcs=features.arcs.without(of_block)), tuple(
            flags.astype(np.float32) for flags in wanted
        )

    @classmethod
    def read_features(cls, header: Mapping[str, Json], arrays: Arrays, parts: Mapping[str, Model]) -> ParseFeatures:
        return ParseFeatures.from_arrays(header, arrays, parts)

    @property
    def labelled(self) -> bool:
        """Whether there is more than one relation, and so a block for relations."""
        return len(self.labels) > 1

    def _pieces(self, sentences: Sentences) -> Iterator[tuple[npt.NDArray[np.int64], slice, tuple[Block, ...]]]:
        """Yield for some sentences at a time where they start, the slice of their tokens, and their blocks. The sentences have
        their tags."""
        for i in range(0, len(sentences), _BATCH):
            starts = sentences.starts[i : i + _BATCH + 1]
            at = slice(int(starts[0]), int(starts[-1]))
            columns = {name: column.slice(at.start, at.stop - at.start) for name, column in sentences.columns.items()}
            piece = Sentences(columns, starts - starts[0], None, sentences.source, None)
            yield piece.starts, at, self.features.blocks(piece, self.labelled, self.features.out(piece))

    def unlikely(self, sentences: Sentences, share: float) -> Flags:
        """Whether each arc of sentences that have their tags is less probable than this share of the best arc of its token. The
        arcs of the tree with the most probable arcs never count as unlikely, so that one tree is always left."""
        tree = Tree(1, projective=self._gen.projective, one_root=self._gen.one_root)
        out = [np.empty(0, np.uint8)]
        with self._predictor() as predictor:
            for starts, _, blocks in self._pieces(sentences):
                p = predictor.marginals(blocks)[0][:, 0]
                n = np.diff(starts)
                heads = np.repeat(n + 1, n)
                best = np.maximum.reduceat(p, np.cumsum(heads) - heads) if len(p) else p
                found = (p < share * np.repeat(best, heads)).astype(np.uint8)
                found[places(best_heads(tree, p, starts), starts)] = 0
                out.append(found)
        return np.concatenate(out)

    def parse(self, sentences: Sentences) -> tuple[Sentences, Ints]:
        """Parse sentences; return them with their tags, and for each token its head times the number of relations, plus its
        relation."""
        tagged = self.features.tagged(sentences)
        if self.reranker is not None:
            best = self.reranked(tagged, 1)
            return tagged, np.concatenate([np.empty(0, np.int32), *(rows[0] for rows, _ in best)])
        y_hat = np.empty(sentences.n_tokens, np.int32)
        with self._predictor() as predictor:
            for _, at, blocks in self._pieces(tagged):
                y_hat[at], _ = predictor.argmax(blocks)
        return tagged, y_hat

    def completed(self, sentences: Sentences) -> Sentences:
        tagged: Sentences = self.features.tagged(sentences)
        return tagged

    def candidates(self, tagged: Sentences, k: int, forced: Ints | None = None) -> list[Best]:
        """The k best trees that differ in heads, each with its best relations. Most of the k best trees would otherwise
        differ in a relation only."""
        predictor = self._predictor_over(self.structure(self.features, self.labels, self.details, by_heads=True))
        return [one for *_, blocks in self._pieces(tagged) for one in predictor.kbest(blocks, k)]

    def wholes(self, tagged: Sentences) -> Iterator[TreeWhole]:
        # The fine tag is xpos and the coarse one upos; where the features use one of them, it is both, and else the
        # word is.
        known: list[str] = [name for name in ("xpos", "upos") if name in self.features.arcs.columns]
        names = ("w", *(known or ["w"])[:1], *(known or ["w"])[-1:])
        word, fine, coarse = (tagged.columns[name].to_pylist() for name in names)
        for a, b in pairwise(tagged.starts.tolist()):
            yield TreeWhole(word[a:b], fine[a:b], coarse[a:b], self.labels)

    def arcs(self, y: Ints) -> list[Arc]:
        """The arcs of the tokens of an output."""
        return [Arc(k // len(self.labels), self.labels[k % len(self.labels)]) for k in y.tolist()]

    def parse_k_best(self, sentences: Sentences, k: int) -> list[list[tuple[list[Arc], float]]]:
        """Find the k best trees of each sentence, with their scores, the best first."""
        tagged = self.features.tagged(sentences)
        if self.reranker is not None:
            found = self.reranked(tagged, k)
        else:
            with self._predictor() as predictor:
                found = [one for *_, blocks in self._pieces(tagged) for one in predictor.kbest(blocks, k)]
        return [
            [(self.arcs(y), score) for y, score in zip(rows, scores.tolist(), strict=True)] for rows, scores in found
        ]

    def parse_with_proba(self, sentences: Sentences) -> tuple[Sentences, Ints, npt.NDArray[np.float32]]:
        """Parse sentences as `parse` does; also return the probability of each head with its relation."""
        if not self.probabilistic or not self._gen.has_marginals:
            raise UsageError(f"the scores of learner {self.learner!r} are not probabilities. Train with 'crf'.")
        tagged, y_hat = self.parse(sentences)
        p = np.empty(sentences.n_tokens, np.float32)
        with self._predictor() as predictor:
            for cut, at, blocks in self._pieces(tagged):
                mu = predictor.marginals(blocks)[1 if self.labelled else 0]
                p[at] = mu[places(y_hat[at] // len(self.labels), cut), y_hat[at] % len(self.labels)]
        return tagged, y_hat, p

    def typed(self, texts: Sequence[str]) -> Sentences:
        """What people type, cut into sentences and words."""
        return from_text(texts)

    def decisions(self, data: Sentences | Sequence[Sequence[Token]]) -> list[ArcDecisions]:
        """The heads and the relations of the tokens of each sentence, which can be corrected one by one."""
        from linnet.tasks.parse.decisions import ArcDecisions

        self._check_linear()
        tagged, found = self.features.tagged(sentences_of(data, self)), []
        for one in (tagged.part(np.array([i]))[0] for i in range(len(tagged))):
            words: list[str] = one.columns["w"].to_pylist()
            out, predictor = self.features.out(one), self._predictor_over(self._gen)
            scored = partial(
                ScoredTree,
                names=self.features.names(self.labelled),
                name=self.features.arcs.name,
                predictor=predictor,
                labels=self.labels,
                n=len(words),
            )
            none = np.zeros(len(words) * (len(words) + 1), np.uint8)
            found.append(
                ArcDecisions(
                    self._as_given(one),
                    words,
                    partial(self.features.blocks, one, self.labelled),
                    none if out is None else out,
                    scored,
                    predictor,
                    self.labels,
                )
            )
        return found

    def _as_given(self, one: Sentences) -> list[Token]:
        """The tokens of one sentence as a session learns from them: words, with their tags if these are given."""
        columns = [one.columns[name].to_pylist() for name in self.features.columns]
        return list(zip(*columns, strict=True)) if len(columns) > 1 else columns[0]

    def batches(self, source: Data, *, text: str | None = None, **how: Unpack[FileOptions]) -> Iterator[Sentences]:
        """Read the sentences of files in batches; prose is cut into sentences and words."""
        refuse_text_col(text)
        first = os.fspath(source if isinstance(source, str | os.PathLike) else source[0])
        known = how.get("format"), how.get("encoding")
        if io.sentence_format(first, *known) == "conllu" or len(self.features.columns) > 1:
            yield from io.read_sentence_batches(source, label_col=TREE, labelled=False, **how)
            return
        if io.holds_sentences(first, *known):
            for batch in io.read_sentence_batches(source, labelled=False, **how):
                yield replace(batch, frame=None)  # The output is CoNLL-U.
            return
        for texts in prose_batches(source, how):
            yield from_text(texts)

    def answers(
        self,
        data: Sentences | Sequence[Sequence[Token]],
        *,
        proba: bool = False,
        top: int | None = None,
        **decide: Setting,
    ) -> pa.Table:
        """A table with `tokens`, the tags that the model makes (`upos`, `xpos`), `heads` (0 for the root) and `relations`, and
        the `probabilities` of these; with `top`, the `best` trees instead."""
        check_one(proba, top, "trees", "trees", "arcs")
        sentences = sentences_of(data, self)
        columns = {"tokens": tokens(sentences)}
        if top is not None:
            return arrow.table(columns | {"best": best_trees(self.parse_k_best(sentences, top))})
        tagged, y, *p = self.parse_with_proba(sentences) if proba else self.parse(sentences, **decide)
        columns |= made_tags(tagged, self.features.tags.columns if self.features.tags else ())
        columns |= arcs_of_tokens(y, self.labels, sentences.starts)
        if proba:
            columns["probabilities"] = numbers_of_tokens(p[0], sentences.starts)
        return arrow.table(columns)

    def predict(self, sentences: Sentences | Sequence[Sequence[Token]]) -> list[list[Arc]]:
        """Predict the tree of each sentence. A sentence is a list of words, or of tuples with the word and the other
        columns."""
        data = sentences_of(sentences, self)
        arcs = self.arcs(self.parse(data)[1])
        return [arcs[a:b] for a, b in pairwise(data.starts)]

    def evaluate(
        self,
        data: Data,
        trees: Sequence[Sequence[tuple[int, str]]] | None = None,
        *,
        text: str | None = None,
        label: str | None = None,
        **how: Unpack[FileOptions],
    ) -> TreesReport:
        """Parse sentences and compare with the trees that they have. data: sentences, whose trees follow; or a table or a file
        with both."""
        sentences = gold_sentences(self, data, trees, {"text_col": text, "label_col": label, **how})
        heads, relations = gold_arcs(sentences)
        found = self.arcs(self.parse(sentences)[1])
        return evaluate_trees(
            heads, relations, [arc.head for arc in found], [arc.relation for arc in found], sentences.starts
        )

    def explain(self, sentence: Sequence[Token]) -> TreeExplanation:
        """Explain why each token of a sentence has its head, and not the next best one."""
        return self.explain_sentences(as_sentences([sentence], self.features.columns))[0]

    def explain_sentences(self, sentences: Sentences) -> list[TreeExplanation]:
        """Explain why each token of each sentence has its head."""
        self._check_linear()
        tagged, y_hat = self.parse(sentences)
        found = []
        for i in range(len(tagged)):
            one, tokens = tagged.part(np.array([i]))
            with self._predictor() as predictor:
                found.append(
                    explain_tree(
                        one.columns["w"].to_pylist(),
                        self.features.blocks(one, self.labelled, self.features.out(one)),
                        self.features.names(self.labelled),
                        self.features.arcs.name,
                        predictor,
                        self.labels,
                        y_hat[tokens],
                    )
                )
        return found

    def second_look(self, sentence: Sequence[Token]) -> SecondLook | None:
        """Explain why the reranker chose the tree of a sentence; None without a reranker or without a choice."""
        return self.second_looks(as_sentences([sentence], self.features.columns))[0]

    def described(self, sentence: Sentences, y: Ints) -> list[str]:
        words = sentence.columns["w"].to_pylist()
        return [f"{arc.relation} of {words[arc.head - 1]}" if arc.head else arc.relation for arc in self.arcs(y)]

    @classmethod
    def strongest_of(
        cls, features: ParseFeatures, gen: Tree, weights: Sequence[Array], labels: Sequence[str], top: int
    ) -> dict[str, list[Strong]]:
        """The features that speak most strongly for each relation."""
        block = "relations" if len(labels) > 1 else "arcs"
        W = blocks_of(weights, gen)[features.names(len(labels) > 1).index(block)]
        return strongest(_Named(features.arcs, block), W, labels, top)


@dataclass(frozen=True)
class _Named:
    """The features of one block, which have names."""

    features: ArcFeatures
    block: str

    def name(self, feature: int) -> str:
        return self.features.name(self.block, feature)


MODEL = ParseModel
