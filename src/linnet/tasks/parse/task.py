"""The task `parse`: dependency trees, in which each token of a sentence has a head and a relation to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, cast

import numpy as np
import numpy.typing as npt

from linnet import io
from linnet.core.blocks import Block
from linnet.core.extract.different import different
from linnet.core.types import Data, Json
from linnet.errors import DataError, UsageError, check_choice
from linnet.fitting.contract import Columns, Counts, Known, Plan, how_of
from linnet.fitting.fitting import Recipe
from linnet.fitting.progress import SILENT, Steps
from linnet.io.formats import FileOptions
from linnet.io.python_values import Rows
from linnet.io.sentences.conllu import FOREST, TREE, UNCHECKED, heads_of
from linnet.io.sentences.heads import wrong_sentences
from linnet.io.sentences.sentences import Sentences
from linnet.limits import PARSED
from linnet.structures.tree import Tree
from linnet.tasks.defaults import is_pair
from linnet.tasks.parse.arcs import ArcFeatures
from linnet.tasks.parse.features import ParseFeatures, check_length
from linnet.tasks.parse.gold import Trees, gold_arcs, nearest, places, sentences_with_trees, tagged_tokens_in
from linnet.tasks.parse.markers import MARKER
from linnet.tasks.parse.measures import plain
from linnet.tasks.parse.model import ParseModel
from linnet.tasks.parse.presets import default_spec, pruner_spec
from linnet.tasks.sentences.gold import OverSentences, without_long
from linnet.tasks.sentences.own_tags import own_tags
from linnet.tasks.sentences.unlabelled import without_outputs

if TYPE_CHECKING:
    from linnet.core.form import Structure
    from linnet.fitting.notation import Notation
    from linnet.tasks.commands import Commands

Ints = npt.NDArray[np.int32]
_TAGS = ("upos", "xpos", "feats", "lemma")
_MOST_TAGS = 100
"""The largest number of fine tags that are used, as a tagger has a weight for each pair of tags."""
_MANY_CROSSINGS = 0.01
"""The share of arcs that cross others above which trees are not taken to be projective."""
_PRUNE = 0.001
"""The share of the probability of the best arc of a token below which its other arcs are left out."""
_C = 0.03
"""The default C of the learner."""
_PRUNER_EPOCHS = 3
"""The number of passes over the data in which the pruner is learned."""


@dataclass(frozen=True)
class ParseTask(OverSentences[Trees, ParseFeatures]):
    tags: str = "own"
    projective: str = "auto"
    order: int = 2
    prune: float = _PRUNE
    roots: str = "one"
    wrong: str = "refuse"

    name: ClassVar[str] = "parse"
    description: ClassVar[str] = "dependency trees: a head for each token, and its relation to the head"
    per_place: ClassVar[bool | None] = None
    settings: ClassVar[Mapping[str, str]] = {
        "tags": "own: learn a tagger too, so that the model parses plain text; given: use the tags of the file",
        "projective": "yes: arcs may not cross; no: they may; auto: they may if they do in the data",
        "roots": "one: a tree has one root; any: it may have several",
        "wrong": "refuse: stop at heads that do not form a tree, and say where; skip: leave out such sentences",
        "order": "1: features of single arcs; 2: also of siblings and grandparents; if no features are named",
        "prune": "leave out arcs less probable than this share of the best, by a first simple parser; by default "
        f"{_PRUNE}; 0: none",
    }
    model: ClassVar[type[ParseModel]] = ParseModel
    # The plan of the reranker was chosen on the development part of English web text.
    second_look: ClassVar[Plan] = Plan("numbers given:5", "crf", {"lam": 1e-3, "cost": 2.0})

    def __post_init__(self) -> None:
        check_choice("tags=", self.tags, ("own", "given"))
        check_choice("projective=", self.projective, ("auto", "yes", "no"))
        check_choice("roots=", self.roots, ("one", "any"))
        check_choice("wrong=", self.wrong, ("refuse", "skip"))
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

    @property
    def commands(self) -> Commands:
        from linnet.tasks.parse import commands

        return commands

    def taken(self, rows: Rows, columns: Columns, remembered: Mapping[str, str]) -> Data:
        """The tokens of each sentence with their tags, and a head and a relation for each."""
        heads = rows.values(rows.find("heads", ("heads",), columns.get("label_col"), "label"))
        relations = rows.values(rows.find("relations", ("relations", "deprels"), None, "label"))
        trees = [list(zip(*tree, strict=False)) for tree in zip(heads, relations, strict=True)]
        return tagged_tokens_in(rows, columns.get("text_col")), trees

    def read(self, data: Data, columns: Columns, known: Known | None = None) -> Trees:
        if columns.get("text_col") is not None:
            raise UsageError("sentences of tokens have no text column. Leave out --text-col.")
        if columns.get("label_col") not in (None, TREE):
            raise UsageError("trees are in the columns HEAD and DEPREL. Leave out --label-col.")
        sentences, skipped = self._read(data, {**how_of(columns), "format": columns.get("format") or "conllu"})
        short, left_out = without_long(sentences, PARSED.most)
        if len(short) and (known is None or known.grows):
            sentences = short
        check_length(sentences)
        heads, relations = gold_arcs(sentences)
        labels = (known or Known((), {}, grows=True)).labels_with(relations)
        number = {label: k for k, label in enumerate(labels)}
        r = np.array([number.get(name, -1) for name in relations], np.int32)
        truth = np.where(r >= 0, heads * len(labels) + r, heads * len(labels)).astype(np.int32)
        tree = Tree(1, one_root=self.roots == "one")
        projective = nearest(tree, heads, sentences.starts) * len(labels) + truth % len(labels)
        if known is not None:
            details: Mapping[str, Json] = known.details
        else:
            crossing = float(np.mean(projective // len(labels) != heads)) if len(heads) else 0.0
            wanted = crossing <= _MANY_CROSSINGS if self.projective == "auto" else self.projective == "yes"
            details = {
                "projective": wanted,
                "one_root": self.roots == "one",
                "crossing": crossing,
                "skipped": skipped,
                "left out": left_out,
            }
        y = projective if details["projective"] else truth
        return Trees(sentences, y, np.where(r >= 0, truth, -1 - heads).astype(np.int32), labels, details)

    def _read(self, data: Data, how: FileOptions) -> tuple[Sentences, int]:
        """The sentences of data, and the number of those that were left out because their heads do not form a tree."""
        if isinstance(data, Sentences):
            return data, 0
        if is_pair(data):
            return sentences_with_trees(*data), 0
        if self.wrong == "refuse":
            column = TREE if self.roots == "one" else FOREST
            return io.read_sentences(data, label_col=column, framed=False, **how), 0
        whole = io.read_sentences(data, label_col=UNCHECKED, framed=False, **how)
        assert whole.tags is not None
        wrong = wrong_sentences(heads_of(whole.tags), whole.starts, self.roots == "one")
        if len(wrong) == len(whole):
            raise DataError(
                "no sentence has a right tree. Leave out --set wrong=skip to see what is wrong.", whole.source
            )
        part, tokens = whole.part(np.delete(np.arange(len(whole)), wrong))
        return replace(part, tags=whole.tags.take(tokens)), len(wrong)

    def plan(self, spec: str | None, gold: Trees) -> Plan:
        fine, coarse, others = self._tag_columns(gold.sentences)
        found = default_spec(fine, coarse, others, self.order) if spec is None else spec
        return Plan(found, "averaged-mira", {"C": _C})

    def _tag_columns(self, sentences: Sentences) -> tuple[str, str, Sequence[str]]:
        """The columns of the fine and the coarse tag, and the other columns that features may use."""
        found = {name: different(sentences.columns[name])[0].to_pylist() for name in _TAGS if name in sentences.columns}
        full = {name: len(values) for name, values in found.items() if "" not in values}
        if "upos" not in full:
            raise DataError(
                "expected tags in the column UPOS, found none. Fill them in: a parser learns from tagged trees.",
                sentences.source,
            )
        fine = "xpos" if 1 < full.get("xpos", 0) <= _MOST_TAGS else "upos"
        given = [name for name in ("feats", "lemma") if name in sentences.columns] if self.tags == "given" else []
        return fine, "upos", given

    def fit(self, spec: str, gold: Trees, steps: Steps = SILENT) -> tuple[ParseFeatures, tuple[Block, ...]]:
        features, sentences = self._tagged(spec, gold, steps)
        arcs, sentences = features.arcs, features.marked(sentences)
        if self.prune:
            features.pruner, features.prune = self._pruner(replace(gold, sentences=sentences), steps), self.prune
        arcs.fit(sentences.columns, sentences.starts, gold.heads)
        out = features.out(sentences)
        if out is not None:
            out[places(gold.heads, gold.y_at)] = 0
        return features, features.blocks(sentences, len(gold.labels) > 1, out)

    def with_unlabelled(self, gold: Trees, own: Data, others: Data, columns: Columns) -> Trees:
        if self.tags != "own":
            raise UsageError(
                "the taggers of a parser learn from unlabelled sentences, and tags=given needs no taggers."
            )
        return replace(gold, unlabelled=without_outputs(own, others, how_of(columns)))

    def n_unlabelled(self, gold: Trees) -> int:
        return 0 if gold.unlabelled is None else len(gold.unlabelled)

    def _tagged(self, spec: str, gold: Trees, steps: Steps) -> tuple[ParseFeatures, Sentences]:
        """Features with their taggers, and the sentences with tags as new sentences would get them."""
        sentences = gold.sentences
        features = ParseFeatures(ArcFeatures(spec, (*sentences.columns, MARKER)))
        if self.tags == "own":
            used = [name for name in features.columns if name in _TAGS]
            wrong = [name for name in used if name not in ("upos", "xpos")]
            if wrong:
                raise UsageError(
                    f"the features use the column {wrong[0]!r}, for which there is no tagger. Leave it out, or use "
                    "--set tags=given."
                )
            features.tags, sentences = own_tags(sentences, used, steps, gold.unlabelled)
        return features, sentences

    def unseen(self, spec: str, gold: Trees, steps: Steps = SILENT) -> tuple[ParseTask, Trees]:
        return replace(self, tags="given"), replace(gold, sentences=self._tagged(spec, gold, steps)[1])

    def _pruner(self, gold: Trees, steps: Steps) -> ParseModel:
        """Learn the pruner: a parser of first order with few features, of heads without relations."""
        fine, _, _ = self._tag_columns(gold.sentences)
        heads = Trees(gold.sentences, gold.heads, gold.heads, ("_",), gold.details)
        plan = Plan(pruner_spec(fine), "crf")
        recipe = Recipe(ParseTask(tags="given", prune=0), plan, passes={"epochs": _PRUNER_EPOCHS})
        return cast(ParseModel, recipe.learn(heads, steps.inside("pruner")))

    def as_trained(self, details: Mapping[str, Json]) -> ParseTask:
        return replace(self, roots="one" if details["one_root"] else "any")

    def grow(self, features: ParseFeatures, gold: Trees) -> tuple[Block, ...]:
        """The blocks of further trees, with new features; the taggers and the pruner stay as they are, and right arcs are never
        pruned while learning."""
        sentences = features.tagged(gold.sentences)
        features.arcs.grow(sentences.columns, sentences.starts, gold.heads)
        out = features.out(sentences)
        if out is not None:
            out[places(gold.heads, gold.y_at)] = 0
        return features.blocks(sentences, len(gold.labels) > 1, out)

    def blocks(self, features: ParseFeatures, gold: Trees) -> tuple[Block, ...]:
        sentences = features.tagged(gold.sentences)
        return features.blocks(sentences, len(gold.labels) > 1, features.out(sentences))

    def notation(self, features: ParseFeatures, gold: Trees, gen: Structure, i: int) -> Notation:
        """The names of relations and of features; places are arcs."""
        from linnet.tasks.parse.notation import of_arcs

        return of_arcs(features, gold, gen, i)

    def counts(self, gold: Trees, y_hat: Ints, y_hat_at: npt.NDArray[np.int64]) -> Counts:
        """The LAS: tokens with the right head and relation. Relations are compared without what follows a colon."""
        R = len(gold.labels)
        names = [plain(name) for name in gold.labels]
        kind = np.array([names.index(name) for name in names])
        known = gold.truth >= 0
        right = known & (gold.truth // R == y_hat // R) & (kind[gold.truth % R] == kind[y_hat % R])
        of_sentence = np.add.reduceat(right, gold.y_at[:-1]).astype(np.float64)
        return Counts("LAS", of_sentence, np.diff(gold.y_at).astype(np.float64))


TASK = ParseTask()
