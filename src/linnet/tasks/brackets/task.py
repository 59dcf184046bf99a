"""The task `brackets`: constituent trees, as treebanks write them in brackets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from linnet import io
from linnet.core.blocks import Block
from linnet.core.types import Data, Json
from linnet.errors import DataError, UsageError, check_choice
from linnet.fitting.contract import Columns, Counts, Known, Plan, how_of
from linnet.fitting.progress import SILENT, Steps
from linnet.io.python_values import Rows
from linnet.io.sentences.sentences import Sentences
from linnet.io.texts.columns import usual
from linnet.limits import BRACKETED
from linnet.model.base import Model
from linnet.structures.bits import NONE, binary, numbered, restored
from linnet.tasks.brackets.features import BracketFeatures
from linnet.tasks.brackets.gold import (
    TAG,
    Bracketed,
    Ints,
    bits_of,
    column_of,
    ends_of,
    joined,
    sentences_with_brackets,
)
from linnet.tasks.brackets.measures import counted
from linnet.tasks.brackets.model import BracketsModel
from linnet.tasks.brackets.spans import SpanFeatures
from linnet.tasks.defaults import is_pair
from linnet.tasks.sentences.columns import TOKENS, tokens_in
from linnet.tasks.sentences.gold import OverSentences, without_long
from linnet.tasks.sentences.own_tags import OwnTags, own_tags

if TYPE_CHECKING:
    from linnet.core.form import Structure
    from linnet.fitting.notation import Notation
    from linnet.tasks.commands import Commands

# Features, learner and the side from which trees are made binary were chosen on the dev part of the Penn Treebank sample.
FEATURES = """
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


@dataclass(frozen=True)
class BracketsTask(OverSentences[Bracketed, BracketFeatures]):
    tags: str = "own"
    branch: str = "left"
    longest: int = BRACKETED.most

    name: ClassVar[str] = "brackets"
    description: ClassVar[str] = "constituent trees in brackets: which words of a sentence belong together"
    per_place: ClassVar[None] = None
    settings: ClassVar[Mapping[str, str]] = {
        "tags": "own: learn a tagger too, so that the model parses plain text; given: use the tags of the file",
        "branch": "left or right: the side from which brackets with more than two parts are made binary",
        "longest": f"sentences with more words are not learned from, and are parsed in parts; by default {BRACKETED.most}",
    }
    model: ClassVar[type[Model]] = BracketsModel

    def __post_init__(self) -> None:
        check_choice("tags=", self.tags, ("own", "given"))
        check_choice("branch=", self.branch, ("left", "right"))
        if not isinstance(self.longest, int) or self.longest < 1:
            raise UsageError(f"expected longest to be a number of words, found {self.longest!r}.")

    @property
    def commands(self) -> Commands:
        from linnet.tasks.brackets import commands

        return commands

    def read(self, data: Data, columns: Columns, known: Known | None = None) -> Bracketed:
        """Read trees from files, or from a pair of sentences and trees."""
        if columns.get("text_col") is not None:
            raise UsageError("sentences of tokens have no text column. Leave out --text-col.")
        sentences = self._sentences(data, columns)
        details: dict[str, Json] = {"branch": self.branch, "longest": self.longest}
        if known is None or known.grows:
            sentences, details["left out"] = without_long(sentences, self.longest)
        bits = bits_of(sentences)
        places = list(pairwise(sentences.starts.tolist()))
        trees = [binary(bits[a:b], left=self.branch == "left") for a, b in places]
        found = (label for tree in trees for label in tree.values())
        labels = (known or Known((NONE,), {}, grows=True)).labels_with(found)
        if known is None and len(labels) < 2:
            raise DataError("expected trees with labelled brackets, found none to learn from.", sentences.source)
        if known is not None and known.grows:
            details["left out"] += known.details["left out"]
        number = {label: k for k, label in enumerate(labels)}
        y = [numbered(tree, b - a, number) for tree, (a, b) in zip(trees, places, strict=True)]
        return Bracketed(sentences, np.array(bits, np.object_), joined(y), ends_of(y), labels, details)

    def taken(self, rows: Rows, columns: Columns, remembered: Mapping[str, str]) -> Data:
        """The tokens of each sentence, or None where the rows have but trees, and the trees."""
        trees = rows.values(rows.find("trees", ("tree", "trees"), columns.get("label_col"), "label"))
        named = columns.get("text_col") or usual(TOKENS, rows.names)
        return None if named is None else tokens_in(rows, named), trees

    def _sentences(self, data: Data, columns: Columns) -> Sentences:
        """The sentences of files, or of Python values, with the brackets around each word."""
        if isinstance(data, Sentences):
            return data
        if is_pair(data):
            return sentences_with_brackets(*data)
        how = how_of(columns)
        column = columns.get("label_col") or column_of(data, how)
        return io.read_sentences(data, label_col=column, framed=False, **how)

    def plan(self, spec: str | None, gold: Bracketed) -> Plan:
        return Plan(" ".join(FEATURES.split()) if spec is None else spec, "averaged-mira", {})

    def fit(self, spec: str, gold: Bracketed, steps: Steps = SILENT) -> tuple[BracketFeatures, tuple[Block, ...]]:
        spans, sentences = SpanFeatures(spec, tuple(gold.sentences.columns)), gold.sentences
        tags: OwnTags | None = None
        if self.tags == "own" and TAG in spans.columns:
            tags, sentences = own_tags(sentences, [TAG], steps)
        features = BracketFeatures(spans.fit(sentences.columns, sentences.starts, gold.y, gold.y_at), tags)
        return features, features.blocks(sentences)

    def as_trained(self, details: Mapping[str, Json]) -> BracketsTask:
        return replace(self, branch=details["branch"], longest=details["longest"])

    def grow(self, features: BracketFeatures, gold: Bracketed) -> tuple[Block, ...]:
        """The blocks of further trees, with new features; the tagger stays as it is."""
        sentences = features.tagged(gold.sentences)
        features.spans.grow(sentences.columns, sentences.starts, gold.y, gold.y_at)
        return features.blocks(sentences)

    def blocks(self, features: BracketFeatures, gold: Bracketed) -> tuple[Block, ...]:
        return features.blocks(features.tagged(gold.sentences))

    def notation(self, features: BracketFeatures, gold: Bracketed, gen: Structure, i: int) -> Notation:
        """The names of labels and of features; places are spans."""
        from linnet.tasks.brackets.notation import of_spans

        return of_spans(features, gold, i)

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


TASK = BracketsTask()
