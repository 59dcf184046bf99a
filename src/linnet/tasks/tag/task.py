"""The task `tag`: a tag for each token of a sentence, such as parts of speech, chunks or entities."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from linnet import io
from linnet.core.blocks import Block
from linnet.core.long_arrays import counts
from linnet.core.types import Data
from linnet.errors import DataError, UsageError
from linnet.features.nearby import NEARBY
from linnet.features.token_spec import LEAST, MOST
from linnet.features.tokens import TokenFeatures
from linnet.fitting.contract import Columns, Counts, Known, Measure, Plan, how_of
from linnet.fitting.opening import Enough, opened
from linnet.fitting.progress import SILENT, Steps
from linnet.io.python_values import Rows
from linnet.io.sentences.sentences import Sentences, join
from linnet.structures.chain import Chain
from linnet.structures.costs import costs
from linnet.structures.schemes import Coded, bio_of, scheme_of, scheme_of_coded
from linnet.tasks.defaults import is_pair
from linnet.tasks.sentences.columns import TAGS, tokens_in
from linnet.tasks.sentences.gold import OverSentences
from linnet.tasks.sentences.unlabelled import without_outputs
from linnet.tasks.tag.gold import Tagged, in_bioes, numbered, renumbered, sentences_with_tags
from linnet.tasks.tag.measures import spans_of_sentences, tokens_of_sentences
from linnet.tasks.tag.model import TagModel, is_legal
from linnet.tasks.tag.presets import PRESETS, is_given

if TYPE_CHECKING:
    from linnet.core.form import Structure
    from linnet.fitting.notation import Notation
    from linnet.tasks.commands import Commands

_MOST_TAGS = 250
"""The largest number of different tags."""
_STREAM_BYTES = 1 << 20
"""The number of bytes of a stream that are read at a time."""
_UNKNOWN = "S-?"
"""The tag that stands for tags of spans that were not in the training data. Their number is -1, and it is the last of
the names."""

_TAUGHT = 2000
"""The largest number of sentences without tags that a student learns from."""
_SETTINGS = {"cost": 2.0, "dropout": 0.2}
"""The options that `auto` tries with this value or with 0, whichever is not the usual one."""
_OTHER_KIND = {"chunk": "ner", "ner": "chunk"}
"""The preset that `auto` tries beside the usual one."""


class TagTask(OverSentences[Tagged, TokenFeatures]):
    name = "tag"
    description = "a tag for each token: parts of speech, chunks, entities"
    per_place = True
    settings: ClassVar[Mapping[str, str]] = {}
    model = TagModel
    chooses_student: ClassVar[bool] = False
    """False, so that the model is always the sum of teacher and student. To choose between them on held-out sentences
    would mean to learn five more times, which takes long over sentences, and the sum was never worse."""
    may_be_large: ClassVar[bool] = True
    # The plan of the reranker was chosen on the last fifth of the training part of CoNLL-2000.
    second_look = Plan("numbers given:5", "crf", {"lam": 3e-4, "cost": 2.0})

    @property
    def commands(self) -> Commands:
        from linnet.tasks.tag import commands

        return commands

    def read(self, data: Data, columns: Columns, known: Known | None = None) -> Tagged:
        sentences = self._sentences(data, columns)
        assert sentences.tags is not None
        room = columns.get("room")
        tags, repaired = numbered(sentences.tags, room), 0
        scheme = _scheme(tags, known)
        if scheme is not None:
            tags, repaired = in_bioes(tags, sentences.starts, room)
        values = [tags.names[k] for k in np.flatnonzero(counts(tags.codes, len(tags.names))).tolist()]
        names = _names(values, sentences.source) if known is None else known.labels_with(values)
        if known is not None and known.grows:
            repaired += known.details["repaired"]
        number = {name: k for k, name in enumerate(names)}
        y = renumbered(tags, np.array([number.get(value, -1) for value in tags.names], np.int32), room)
        legal = known is None or is_legal(known.details)
        return Tagged(sentences, y, names, scheme, repaired, legal, room)

    def stream(self, paths: Data, columns: Columns, known: Known | None, enough: Enough | None) -> Iterator[Sentences]:
        batches = io.read_sentence_batches(
            paths, label_col=columns.get("label_col"), batch_bytes=_STREAM_BYTES, live=True, **how_of(columns)
        )
        return opened(batches, join, lambda part: part, enough)

    def streamed(self, spec: str) -> str:
        """The specification without `near`, which looks at other sentences, and without min= and most=."""
        return " ".join(
            item for item in spec.split() if not (item.startswith((LEAST, MOST)) or set(item.split("|")) & set(NEARBY))
        )

    def taken(self, rows: Rows, columns: Columns, remembered: Mapping[str, str]) -> Data:
        """The tokens and the tags of each sentence."""
        tags = rows.find("tags", TAGS, columns.get("label_col"), "label")
        return tokens_in(rows, columns.get("text_col")), rows.values(tags)

    def _sentences(self, data: Data, columns: Columns) -> Sentences:
        """The sentences of files, or of Python values, with their tags."""
        if columns.get("text_col") is not None:
            raise UsageError("sentences of tokens have no text column. Leave out --text-col.")
        if isinstance(data, Sentences):
            return data
        if is_pair(data):
            return sentences_with_tags(*data)
        how, room = how_of(columns), columns.get("room")
        return io.read_sentences(data, label_col=columns.get("label_col"), framed=False, room=room, **how)

    def weighted(
        self, features: TokenFeatures, gold: Tagged, class_weight: str | Mapping[str, float] | None
    ) -> tuple[Chain, None]:
        """The structure, in which class weights are the costs of missing tags; they matter to learners with a margin."""
        return self.model.structure(features, gold.labels, gold.details, _costs(gold, class_weight)), None

    def plan(self, spec: str | None, gold: Tagged) -> Plan:
        words = [_kind(gold)] if spec is None else spec.split()
        columns, n_tags = tuple(gold.sentences.columns), len(gold.labels)
        named = {word: PRESETS[word] for word in words if word in PRESETS and (spec is None or word not in columns)}
        more = gold.unlabelled is not None
        features = [
            named[word].spec(columns, n_tags, unlabelled=more) if word in named else _checked(word) for word in words
        ]
        presets = list(named.values())
        return Plan(" ".join(features), "crf", presets[0].options if presets else {"cost": 2.0})

    def candidates(self, spec: str | None, gold: Tagged) -> list[Plan]:
        """The usual plan, the same with and without a margin and with and without dropout, and the preset for the other kind of
        spans."""
        usual = self.plan(spec, gold)
        margin, dropout = ({name: 0.0 if usual.options.get(name) else most} for name, most in _SETTINGS.items())
        plans = [replace(usual, options={**usual.options, **other}) for other in ({}, margin, dropout)]
        other = _OTHER_KIND.get(_kind(gold)) if spec is None else None
        return plans if other is None else [*plans, self.plan(other, gold)]

    def unseen(self, spec: str, gold: Tagged, steps: Steps = SILENT) -> tuple[TagTask, Tagged]:
        """The task and the examples as they are, as new sentences come with all columns too."""
        return self, gold

    def fit(self, spec: str, gold: Tagged, steps: Steps = SILENT) -> tuple[TokenFeatures, tuple[Block, ...]]:
        columns = gold.sentences.columns
        features = TokenFeatures(spec, tuple(columns))
        room = gold.room if gold.room is not None and gold.room.on_disk else None
        others = None if gold.unlabelled is None else (gold.unlabelled.columns["w"], gold.unlabelled.starts)
        blocks = features.fit_blocks(columns, gold.y_at, gold.y, gold.labels, room, others)
        taught = self.unlabelled(gold)
        return features if taught is None else self._with_features_of(features, taught), blocks

    def _with_features_of(self, features: TokenFeatures, gold: Tagged) -> TokenFeatures:
        """The features, followed by those new ones that further sentences have at least twice."""
        before = features.n_features, features.n_pair_features
        grown = self.grow(features, gold)
        tokens, pairs = (_known_or_again(block, n) for block, n in zip(grown, before, strict=False))
        return features.without(tokens, pairs)

    def with_unlabelled(self, gold: Tagged, own: Data, others: Data, columns: Columns) -> Tagged:
        """The gold sentences with others, whose tags are ignored, from files of tokens or of prose, or from Python."""
        return replace(gold, unlabelled=without_outputs(own, others, how_of(columns)))

    def n_unlabelled(self, gold: Tagged) -> int:
        return 0 if gold.unlabelled is None else len(gold.unlabelled)

    def unlabelled(self, gold: Tagged) -> Tagged | None:
        """Some of the sentences without tags, evenly spaced; None where they lack columns that presets look at."""
        others = gold.unlabelled
        if others is None or not {*filter(is_given, gold.sentences.columns)} <= {*others.columns}:
            return None
        n = min(_TAUGHT, len(others))
        some, _ = others.part(np.arange(n) * len(others) // n)
        return replace(gold, sentences=some, y=np.zeros(0, np.int32), unlabelled=None)

    def begin(self, spec: str, gold: Tagged, steps: Steps = SILENT) -> TokenFeatures:
        """Features that have seen nothing yet, unless some look at what is learned of words, such as the tags that they can
        have: these learn from the first sentences."""
        features = TokenFeatures(spec, tuple(gold.sentences.columns))
        return self.fit(spec, gold, steps)[0] if features.learns_first else features

    def grow(self, features: TokenFeatures, gold: Tagged) -> tuple[Block, ...]:
        return features.grow_blocks(gold.sentences.columns, gold.y_at)

    def blocks(self, features: TokenFeatures, gold: Tagged) -> tuple[Block, ...]:
        return features.blocks(gold.sentences.columns, gold.y_at)

    def notation(self, features: TokenFeatures, gold: Tagged, gen: Structure, i: int) -> Notation:
        """The names of tags and of features, and the words of the sentence."""
        from linnet.tasks.notation import of_tags

        words = gold.part(np.array([i])).sentences.columns["w"].to_pylist()
        assert isinstance(gen, Chain)
        return of_tags((features.name, features.pair_name), gold.labels, words, gen)

    def counts(self, gold: Tagged, y_hat: npt.NDArray[np.int32], y_hat_at: npt.NDArray[np.int64]) -> Counts:
        """The F1 of spans, 2 right / (predicted + gold), if tags mark spans, else the accuracy of tokens."""
        if gold.scheme is None:
            return token_accuracy(gold, y_hat, y_hat_at)
        names = np.array([*gold.labels, _UNKNOWN], np.object_)
        right, predicted, wanted = spans_of_sentences(names[gold.y].tolist(), names[y_hat].tolist(), gold.y_at)
        return Counts("F1", 2 * right, predicted + wanted)

    def measures(self, gold: Tagged) -> Mapping[str, Measure]:
        """The F1 of spans if tags mark spans, the accuracy of tokens, and the share of sentences whose tags are all right."""
        spans = {} if gold.scheme is None else {"f1": self.counts}
        return {**spans, "accuracy": token_accuracy, "sentence-accuracy": sentence_accuracy}


def _known_or_again(block: Block, n_known: int) -> npt.NDArray[np.bool_]:
    """For each feature of a block, whether it is one of the first `n_known` or occurs at least twice."""
    often = np.bincount(np.asarray(block.arrays()[1]), minlength=n_known)
    again: npt.NDArray[np.bool_] = (often > 1) | (np.arange(len(often)) < n_known)
    return again


def _costs(gold: Tagged, class_weight: str | Mapping[str, float] | None) -> npt.NDArray[np.float32] | None:
    """The cost of missing each tag, by class weights: `balanced`, `spans`, or a weight for each tag, in the scheme of the file
    or in that of the labels."""
    if class_weight is None:
        return None
    if class_weight == "balanced":
        count = np.maximum(np.bincount(gold.y[gold.y >= 0], minlength=len(gold.labels)), 1)
        share = len(gold.y) / (len(gold.labels) * count)
        return costs(gold.labels, weights=dict(zip(gold.labels, share.tolist(), strict=True)))
    if isinstance(class_weight, str):
        return costs(gold.labels, class_weight)
    in_file = dict(zip(gold.labels, bio_of(gold.labels) if gold.scheme == "bio" else gold.labels, strict=True))
    own = {label: class_weight[name] for label, name in in_file.items() if name in class_weight}
    others = {name: weight for name, weight in class_weight.items() if name not in in_file.values()}
    return costs(gold.labels, weights=own | others)


def _scheme(tags: Coded, known: Known | None) -> str | None:
    """The scheme of the tags. One sentence may not show it, so a session keeps the scheme of the sentences before."""
    if known is not None and not is_legal(known.details):
        return None
    if known is None or not known.grows or set(known.labels) <= {"O"}:
        return scheme_of_coded(tags)
    scheme: str | None = known.details["scheme"]
    return scheme


def _checked(word: str) -> str:
    """The word of a specification. Raise UsageError if it looks like a misspelt name of a preset."""
    near = difflib.get_close_matches(word, PRESETS, 1, 0.87)
    if near and word not in PRESETS:
        raise UsageError(f"unknown feature {word!r}. Did you mean the preset {near[0]!r}?")
    return word


def _kind(gold: Tagged) -> str:
    """The name of the preset that suits the tags: most tokens of a text are in a chunk, and few in a name."""
    if gold.scheme is None:
        return "pos"
    outside = [k for k, label in enumerate(gold.labels) if label == "O"]
    return "ner" if np.mean(np.isin(gold.y, outside)) > 0.5 else "chunk"


def _names(values: Sequence[str], source: str) -> tuple[str, ...]:
    """The tags in alphabetical order; if they mark spans, O comes first."""
    spans = scheme_of(values) is not None
    names = tuple(sorted(set(values), key=lambda tag: (spans and tag != "O", tag)))
    if len(names) < 2:
        raise DataError(f"expected at least two different tags to learn from, found {names[0]!r} alone.", source)
    if len(names) > _MOST_TAGS:
        raise DataError(
            f"expected at most {_MOST_TAGS} different tags, found {len(names):,}. Is the last column the tag?", source
        )
    return names


def token_accuracy(gold: Tagged, y_hat: npt.NDArray[np.int32], y_hat_at: npt.NDArray[np.int64]) -> Counts:
    """The share of tokens whose tag is right."""
    return Counts("token accuracy", *tokens_of_sentences(gold.y == y_hat, gold.y_at))


def sentence_accuracy(gold: Tagged, y_hat: npt.NDArray[np.int32], y_hat_at: npt.NDArray[np.int64]) -> Counts:
    """The share of sentences whose tags are all right."""
    right, total = tokens_of_sentences(gold.y == y_hat, gold.y_at)
    return Counts("sentence accuracy", (right == total).astype(np.float64), np.ones(len(gold)))


TASK = TagTask()
