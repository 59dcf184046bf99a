"""A head for each token of a sentence, and how it depends on it: dependency trees."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from linnet import io
from linnet.core.blocks import Block
from linnet.core.predictor import Predictor
from linnet.errors import DataError, UsageError, meant
from linnet.evaluate.trees import TreesReport, evaluate_trees, plain
from linnet.explain import Strong, strongest
from linnet.explain.second_look import SecondLook
from linnet.explain.trees import TreeExplanation, explain_tree
from linnet.features.arcs import ArcFeatures
from linnet.features.markers import MARKER
from linnet.features.whole_trees import TreeWhole
from linnet.io.conllu import FOREST, TREE, UNCHECKED, heads_of, tree_row
from linnet.io.sentences import Sentences
from linnet.io.trees import wrong_sentences
from linnet.learners import Preset
from linnet.learners.weights import blocks as blocks_of
from linnet.structures.grandparents import GrandTree
from linnet.structures.siblings import SiblingTree
from linnet.structures.tree import Tree
from linnet.tasks.contract import Counts, Plan
from linnet.tasks.learned import learned
from linnet.tasks.own_tags import own_tags
from linnet.tasks.parse_features import Flags, ParseFeatures
from linnet.tasks.parse_presets import default_spec, pruner_spec
from linnet.tasks.reranked import Best, Reranked
from linnet.tasks.sentences import as_sentences, from_text, prose_batches
from linnet.tasks.steps import steps

Ints = npt.NDArray[np.int32]
_TAGS = ("upos", "xpos", "feats", "lemma")
# A tagger has a weight for each pair of tags.
_MOST_TAGS = 100
# If more arcs than this cross others, trees are not taken to be projective.
_MANY_CROSSINGS = 0.01
_PRUNE = 0.001
_C = 0.03
_PRUNER_EPOCHS = 3
_BATCH = 1000


@dataclass(frozen=True)
class Trees:
    """Sentences with their trees. Where learning is over projective trees, y are those that share most arcs with the truth."""

    sentences: Sentences
    y: Ints
    truth: Ints
    """For each token its head times the number of relations, and its relation; -1 for a relation that is not known."""
    labels: tuple[str, ...]
    details: Mapping[str, Any]

    def __len__(self) -> int:
        return len(self.sentences)

    @property
    def y_at(self) -> npt.NDArray[np.int64]:
        return self.sentences.starts

    @property
    def source(self) -> str:
        return self.sentences.source

    @property
    def heads(self) -> Ints:
        return self.y // len(self.labels)

    def part(self, rows: npt.NDArray[np.int64]) -> Trees:
        sentences, tokens = self.sentences.part(rows)
        return Trees(sentences, self.y[tokens], self.truth[tokens], self.labels, self.details)

    def texts(self) -> list[str]:
        return self.sentences.texts()

    def column(self, name: str) -> None:
        """Files of sentences have columns of tokens only."""


@dataclass(frozen=True)
class Arc:
    """A token in its tree: the number of its head, 0 for the root, and how it depends on it."""

    head: int
    relation: str


class ParseModel(Reranked):
    """A model that gives each token of a sentence its head."""

    task: ClassVar[str] = "parse"
    called: ClassVar[str] = "parser"

    @classmethod
    def structure(
        cls, features: ParseFeatures, labels: tuple[str, ...], details: Mapping[str, Any], by_heads: bool = False
    ) -> Tree:
        kind = (Tree, SiblingTree, GrandTree)[len(features.arcs.names) - 1]
        return kind(len(labels), projective=details["projective"], one_root=details["one_root"], by_heads=by_heads)

    @classmethod
    def n_features(cls, features: ParseFeatures, gen: Tree) -> tuple[int, ...]:
        return tuple(features.arcs.n_features(name) for name in features.names(gen.n_relations > 1))

    @classmethod
    def read_features(cls, header: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> ParseFeatures:
        return ParseFeatures.from_arrays(header, arrays, cls)

    @property
    def labelled(self) -> bool:
        return len(self.labels) > 1

    def _pieces(self, sentences: Sentences) -> Iterator[tuple[npt.NDArray[np.int64], slice, tuple[Block, ...]]]:
        """Some sentences at a time: where they start, their tokens, and the blocks of their trees. They have their tags."""
        for i in range(0, len(sentences), _BATCH):
            starts = sentences.starts[i : i + _BATCH + 1]
            at = slice(int(starts[0]), int(starts[-1]))
            columns = {name: column.slice(at.start, at.stop - at.start) for name, column in sentences.columns.items()}
            piece = Sentences(columns, starts - starts[0], None, sentences.source, None)
            yield piece.starts, at, self.features.blocks(piece, self.labelled, self.features.out(piece))

    def unlikely(self, sentences: Sentences, share: float) -> Flags:
        """For each arc of sentences that have their tags whether it is less probable than this share of the best of its token.
        The arcs of the tree with the most probable arcs never are, so that there is always one left."""
        tree = Tree(1, projective=self._gen.projective, one_root=self._gen.one_root)
        out = [np.empty(0, np.uint8)]
        with self._predictor() as predictor:
            for starts, _, blocks in self._pieces(sentences):
                p = predictor.marginals(blocks)[0][:, 0]
                n = np.diff(starts)
                heads = np.repeat(n + 1, n)
                best = np.maximum.reduceat(p, np.cumsum(heads) - heads) if len(p) else p
                found = (p < share * np.repeat(best, heads)).astype(np.uint8)
                found[_places(_best(tree, p, starts), starts)] = 0
                out.append(found)
        return np.concatenate(out)

    def parse(self, sentences: Sentences) -> tuple[Sentences, Ints]:
        """The sentences with their tags, and for each token its head times the number of relations, and its relation."""
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
        """Trees that differ in heads, each with its best relations: of the k best, most differ in a relation only."""
        predictor = self._over(self.structure(self.features, self.labels, self.details, by_heads=True))
        return [one for *_, blocks in self._pieces(tagged) for one in predictor.kbest(blocks, k)]

    def wholes(self, tagged: Sentences) -> Iterator[TreeWhole]:
        known = [name for name in ("xpos", "upos") if name in self.features.arcs.columns]
        names = ("w", *(known or ["w"])[:1], *(known or ["w"])[-1:])
        word, fine, coarse = (tagged.columns[name].to_pylist() for name in names)
        for a, b in pairwise(tagged.starts.tolist()):
            yield TreeWhole(word[a:b], fine[a:b], coarse[a:b], self.labels)

    def arcs(self, y: Ints) -> list[Arc]:
        return [Arc(k // len(self.labels), self.labels[k % len(self.labels)]) for k in y.tolist()]

    def rows(self, tagged: Sentences, arcs: Sequence[Arc]) -> list[str]:
        """UPOS, XPOS, FEATS, head and relation of each token, as CoNLL-U has them."""
        n = tagged.n_tokens
        upos, xpos, feats = (
            tagged.columns[name].to_pylist() if name in tagged.columns else [""] * n
            for name in ("upos", "xpos", "feats")
        )
        trees = [f"{arc.head}\t{arc.relation}" for arc in arcs]
        return list(map(tree_row, upos, xpos, feats, trees))

    def parse_k_best(self, sentences: Sentences, k: int) -> list[list[tuple[list[Arc], float]]]:
        """For each sentence its k best trees with their scores, the best first."""
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
        """As `parse`, with the probability of each head and relation."""
        if not self.probabilistic or not self._gen.has_marginals:
            raise UsageError(f"the scores of learner {self.learner!r} are not probabilities. Train with 'crf'.")
        tagged, y_hat = self.parse(sentences)
        p = np.empty(sentences.n_tokens, np.float32)
        with self._predictor() as predictor:
            for cut, at, blocks in self._pieces(tagged):
                mu = predictor.marginals(blocks)[1 if self.labelled else 0]
                p[at] = mu[_places(y_hat[at] // len(self.labels), cut), y_hat[at] % len(self.labels)]
        return tagged, y_hat, p

    def batches(self, source: Any, format: str | None = None) -> Iterator[Sentences]:
        """The sentences of files, a batch at a time; prose is cut into sentences and words."""
        first = os.fspath(source if isinstance(source, str | os.PathLike) else source[0])
        if io.sentence_format(first, format) == "conllu" or len(self.features.columns) > 1:
            yield from io.read_sentence_batches(source, format=format, label_col=TREE, labelled=False)
            return
        if io.holds_sentences(first, format):
            for batch in io.read_sentence_batches(source, format=format, labelled=False):
                yield replace(batch, frame=None)  # what comes out is CoNLL-U
            return
        for texts in prose_batches(source, format):
            yield from_text(texts)

    def predict(self, sentences: Sequence[Sequence[Any]]) -> list[list[Arc]]:
        """The tree of each sentence, which is a list of words (or of tuples: the word, then the other columns)."""
        data = as_sentences(sentences, self.features.columns)
        arcs = self.arcs(self.parse(data)[1])
        return [arcs[a:b] for a, b in pairwise(data.starts)]

    def evaluate(self, sentences: Sentences) -> TreesReport:
        """Parse the sentences and compare with the trees that they have."""
        heads, relations = _gold(sentences)
        found = self.arcs(self.parse(sentences)[1])
        return evaluate_trees(
            heads, relations, [arc.head for arc in found], [arc.relation for arc in found], sentences.starts
        )

    def explain(self, sentence: Sequence[Any]) -> TreeExplanation:
        """Why each token of a sentence has its head."""
        return self.explain_sentences(as_sentences([sentence], self.features.columns))[0]

    def explain_sentences(self, sentences: Sentences) -> list[TreeExplanation]:
        self._check_linear()
        tagged, y_hat = self.parse(sentences)
        found = []
        for i in range(len(tagged)):
            one, tokens = tagged.part(np.array([i]))
            n = one.n_tokens
            out = self.features.out(one)
            with self._predictor() as predictor:
                found.append(
                    explain_tree(
                        one.columns["w"].to_pylist(),
                        partial(self.features.blocks, one, self.labelled),
                        np.zeros(n * (n + 1), np.uint8) if out is None else out,
                        self.features.names(self.labelled),
                        self.features.arcs.name,
                        predictor,
                        self.labels,
                        y_hat[tokens],
                    )
                )
        return found

    def second_look(self, sentence: Sequence[Any]) -> SecondLook | None:
        """Why the reranker chose the tree of a sentence; None where there is none, or nothing to choose from."""
        return self.second_looks(as_sentences([sentence], self.features.columns))[0]

    def described(self, sentence: Sentences, y: Ints) -> list[str]:
        words = sentence.columns["w"].to_pylist()
        return [f"{arc.relation} of {words[arc.head - 1]}" if arc.head else arc.relation for arc in self.arcs(y)]

    @classmethod
    def strongest_of(
        cls, features: ParseFeatures, gen: Tree, weights: Any, labels: Sequence[str], top: int
    ) -> dict[str, list[Strong]]:
        """The features that speak most strongly for each relation."""
        block = "relations" if len(labels) > 1 else "arcs"
        W = blocks_of(weights, gen)[features.names(len(labels) > 1).index(block)]
        return strongest(_Named(features.arcs, block), W, labels, top)


@dataclass(frozen=True)
class _Named:
    features: ArcFeatures
    block: str

    def name(self, feature: int) -> str:
        return self.features.name(self.block, feature)


@dataclass(frozen=True)
class ParseTask:
    tags: str = "own"
    projective: str = "auto"
    order: int = 2
    prune: float = _PRUNE
    roots: str = "one"
    wrong: str = "refuse"

    name: ClassVar[str] = "parse"
    description: ClassVar[str] = "a head for each token and how it depends on it: dependency trees"
    per_place: ClassVar[bool | None] = None
    settings: ClassVar[Mapping[str, str]] = {
        "tags": "own: learn a tagger too, so that the model parses text; given: use those of the file",
        "projective": "yes, no or auto: whether arcs may cross; auto: if they do in the data",
        "roots": "one: a tree has one root; any: several",
        "wrong": "refuse: stop at heads that are no tree, and say where; skip: leave out such sentences",
        "order": "1: arcs alone; 2: also siblings and grandparents; where the features do not say",
        "prune": f"leave out arcs that a first look finds less probable than this share of the best; {_PRUNE}; 0: none",
    }
    model: ClassVar[type[ParseModel]] = ParseModel
    # Chosen on the development part of English web text.
    second_look: ClassVar[Plan] = Plan("numbers given:5", "crf", {"lam": 1e-3, "cost": 2.0})

    def __post_init__(self) -> None:
        choices = {
            "tags": ("own", "given"),
            "projective": ("auto", "yes", "no"),
            "roots": ("one", "any"),
            "wrong": ("refuse", "skip"),
        }
        for name, values in choices.items():
            value = getattr(self, name)
            if value not in values:
                raise UsageError(f"expected {name}={', '.join(values)}, found {value!r}.{meant(str(value), values)}")
        if str(self.order) not in ("1", "2"):
            raise UsageError(f"expected order=1 or order=2, found {self.order!r}.")
        try:
            share = float(self.prune)
        except ValueError:
            share = -1
        if not 0 <= share < 1:
            raise UsageError(f"expected prune to be a share from 0 to less than 1, found {self.prune!r}.")
        object.__setattr__(self, "order", int(self.order))
        object.__setattr__(self, "prune", share)

    def read(self, data: Any, columns: Mapping[str, Any], like: Trees | None = None) -> Trees:
        if columns.get("text_col") is not None:
            raise UsageError("sentences of tokens have no text column. Leave out --text-col.")
        if columns.get("label_col") not in (None, TREE):
            raise UsageError("trees are in the columns HEAD and DEPREL. Leave out --label-col.")
        sentences, skipped = self._read(data, columns.get("format") or "conllu")
        heads, relations = _gold(sentences)
        labels = tuple(sorted(set(relations))) if like is None else like.labels
        number = {label: k for k, label in enumerate(labels)}
        r = np.array([number.get(name, -1) for name in relations], np.int32)
        truth = np.where(r >= 0, heads * len(labels) + r, heads * len(labels)).astype(np.int32)
        tree = Tree(1, one_root=self.roots == "one")
        projective = _nearest(tree, heads, sentences.starts) * len(labels) + truth % len(labels)
        if like is not None:
            details = like.details
        else:
            crossing = float(np.mean(projective // len(labels) != heads)) if len(heads) else 0.0
            wanted = crossing <= _MANY_CROSSINGS if self.projective == "auto" else self.projective == "yes"
            details = {"projective": wanted, "one_root": self.roots == "one", "crossing": crossing, "skipped": skipped}
        y = projective if details["projective"] else truth
        return Trees(sentences, y, np.where(r >= 0, truth, -1 - heads).astype(np.int32), labels, details)

    def _read(self, data: Any, format: str) -> tuple[Sentences, int]:
        """The sentences of data, and how many were left out because their heads are no trees."""
        if isinstance(data, Sentences):
            return data, 0
        if self.wrong == "refuse":
            column = TREE if self.roots == "one" else FOREST
            return io.read_sentences(data, format=format, label_col=column, framed=False), 0
        whole = io.read_sentences(data, format=format, label_col=UNCHECKED, framed=False)
        assert whole.tags is not None
        wrong = wrong_sentences(heads_of(whole.tags), whole.starts, self.roots == "one")
        if len(wrong) == len(whole):
            raise DataError("no sentence has a tree. Leave out --set wrong=skip to see what is wrong.", whole.source)
        part, tokens = whole.part(np.delete(np.arange(len(whole)), wrong))
        return replace(part, tags=whole.tags.take(tokens)), len(wrong)

    def weighted(
        self, features: ParseFeatures, gold: Trees, class_weight: str | Mapping[str, float] | None
    ) -> tuple[Tree, None]:
        if class_weight is not None:
            raise UsageError("class weights are for labels and tags. Leave out class-weight.")
        return ParseModel.structure(features, gold.labels, gold.details), None

    def plan(self, spec: str | None, gold: Trees) -> Plan:
        fine, coarse, others = self._tag_columns(gold.sentences)
        found = default_spec(fine, coarse, others, self.order) if spec is None else spec
        return Plan(found, "averaged-mira", {"C": _C})

    def _tag_columns(self, sentences: Sentences) -> tuple[str, str, Sequence[str]]:
        """The fine tag, the coarse one, and the columns that may be used beside them."""
        found = {name: pc.unique(sentences.columns[name]).to_pylist() for name in _TAGS if name in sentences.columns}
        full = {name: len(values) for name, values in found.items() if "" not in values}
        if "upos" not in full:
            raise DataError(
                "the tags (UPOS) are missing. A parser learns from tagged trees: fill them in.", sentences.source
            )
        fine = "xpos" if 1 < full.get("xpos", 0) <= _MOST_TAGS else "upos"
        given = [name for name in ("feats", "lemma") if name in sentences.columns] if self.tags == "given" else []
        return fine, "upos", given

    def measure_of(self, learner: Preset, gold: Trees) -> None:
        """There are no sets."""

    def fit(self, spec: str, gold: Trees) -> tuple[ParseFeatures, tuple[Block, ...]]:
        features, sentences = self._tagged(spec, gold.sentences)
        arcs, sentences = features.arcs, features.marked(sentences)
        if self.prune:
            features.pruner, features.prune = self._pruner(replace(gold, sentences=sentences)), self.prune
        arcs.fit(sentences.columns, sentences.starts, gold.heads)
        out = features.out(sentences)
        if out is not None:
            out[_places(gold.heads, gold.y_at)] = 0
        return features, features.blocks(sentences, len(gold.labels) > 1, out)

    def _tagged(self, spec: str, sentences: Sentences) -> tuple[ParseFeatures, Sentences]:
        """Features with their tagger, and the sentences with tags as new ones would have them."""
        features = ParseFeatures(ArcFeatures(spec, (*sentences.columns, MARKER)))
        if self.tags == "own":
            used = [name for name in features.columns if name in _TAGS]
            wrong = [name for name in used if name not in ("upos", "xpos")]
            if wrong:
                raise UsageError(
                    f"the features use the column {wrong[0]!r}, for which there is no tagger. Leave it out, or use "
                    "--set tags=given."
                )
            features.tags, sentences = own_tags(sentences, used)
        return features, sentences

    def unseen(self, spec: str, gold: Trees) -> tuple[ParseTask, Trees]:
        return replace(self, tags="given"), replace(gold, sentences=self._tagged(spec, gold.sentences)[1])

    def _pruner(self, gold: Trees) -> ParseModel:
        """A parser of first order over heads alone, of few features."""
        fine, _, _ = self._tag_columns(gold.sentences)
        heads = Trees(gold.sentences, gold.heads, gold.heads, ("_",), gold.details)
        task = ParseTask(tags="given", prune=0)
        with steps("pruner"):
            model: ParseModel = learned(task, heads, Plan(pruner_spec(fine), "crf"), epochs=_PRUNER_EPOCHS)
        return model

    def blocks(self, features: ParseFeatures, gold: Trees) -> tuple[Block, ...]:
        sentences = features.tagged(gold.sentences)
        return features.blocks(sentences, len(gold.labels) > 1, features.out(sentences))

    def counts(self, gold: Trees, y_hat: Ints, y_hat_at: npt.NDArray[np.int64]) -> Counts:
        """LAS: tokens with the right head and relation; relations are compared without what follows a colon."""
        R = len(gold.labels)
        names = [plain(name) for name in gold.labels]
        kind = np.array([names.index(name) for name in names])
        known = gold.truth >= 0
        right = known & (gold.truth // R == y_hat // R) & (kind[gold.truth % R] == kind[y_hat % R])
        of_sentence = np.add.reduceat(right, gold.y_at[:-1]).astype(np.float64)
        return Counts("LAS", of_sentence, np.diff(gold.y_at).astype(np.float64))


def _gold(sentences: Sentences) -> tuple[Ints, list[str]]:
    """Heads and relations of sentences that were read with their trees."""
    if sentences.tags is None:
        raise DataError("there are no trees to compare with.", sentences.source)
    encoded = sentences.tags.dictionary_encode()
    found = [tree.split("\t") for tree in encoded.dictionary.to_pylist()]
    at = np.from_dlpack(encoded.indices)
    heads = np.array([int(head) for head, _ in found], np.int32)[at] if len(at) else np.empty(0, np.int32)
    relations = [relation for _, relation in found]
    return heads, [relations[k] for k in at.tolist()]


def _places(heads: Ints, starts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The place of the arc of each token, among those of all sentences."""
    n = np.diff(starts)
    begin = np.concatenate([np.zeros(1, np.int64), np.cumsum(n * (n + 1))])[:-1]
    own = np.repeat(n + 1, n)
    token = np.arange(len(heads)) - np.repeat(starts[:-1] - starts[0], n)
    places: npt.NDArray[np.int64] = np.repeat(begin, n) + token * own + heads
    return places


def _nearest(gen: Tree, heads: Ints, starts: npt.NDArray[np.int64]) -> Ints:
    """The heads of those trees of GEN(x) that share most arcs with these."""
    near = np.empty_like(heads)
    for i in range(0, len(starts) - 1, _BATCH):
        own = starts[i : i + _BATCH + 1]
        at = slice(int(own[0]), int(own[-1]))
        n = np.diff(own)
        has = np.zeros(np.sum(n * (n + 1)), np.float32)
        has[_places(heads[at], own)] = 1
        near[at] = _best(gen, has, own)
    return near


def _best(gen: Tree, scores: npt.NDArray[np.float32], starts: npt.NDArray[np.int64]) -> Ints:
    """The heads of the best trees, given the scores of all arcs of all sentences."""
    n = np.diff(starts)
    places = np.concatenate([np.zeros(1, np.int64), np.cumsum(n * (n + 1))])
    rows = np.arange(len(scores) + 1, dtype=np.int64), np.zeros(len(scores), np.uint32), scores
    heads: Ints = Predictor(gen, [np.array([[0.0], [1.0]], np.float32)]).argmax((Block(*rows, places),))[0]
    return heads
