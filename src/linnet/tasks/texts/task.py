"""Code that all tasks over texts share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from linnet.core.blocks import Block
from linnet.core.form import Structure
from linnet.core.predictor import Predictor
from linnet.core.types import Data, Json, Setting
from linnet.errors import DataError, UsageError
from linnet.evaluate.label_counts import f1_of, macro_f1
from linnet.features import FeatureSpec, SparseRows, Table, TextFeatures
from linnet.features.kinds import KINDS
from linnet.features.rows_file import RowsFile
from linnet.fitting.contract import Columns, Counts, Known, Measure, Plan
from linnet.fitting.opening import Enough
from linnet.fitting.progress import SILENT, Steps
from linnet.fitting.shares import STRENGTH, STRENGTH_OF_OTHER_KIND, in_shares, shares
from linnet.io.python_values import Rows
from linnet.tasks.defaults import Defaults, is_pair
from linnet.tasks.texts.costs import costs_of
from linnet.tasks.texts.gold import (
    Floats,
    Found,
    Ints,
    Kept,
    Labelled,
    Offsets,
    Texts,
    check_not_values,
    checked_names,
    labelled_rows,
    read_texts,
    stream_texts,
)
from linnet.tasks.texts.label_types import LABEL_TYPE, spelled
from linnet.tasks.texts.lexicon import numbered, spoken_for, without_labels
from linnet.tasks.texts.model import OneLabelModel, TextModel
from linnet.tasks.texts.presets import features_for
from linnet.tasks.texts.tables import as_table
from linnet.tasks.texts.unlabelled import read_unlabelled

if TYPE_CHECKING:
    from linnet.learners import Examples

LEAST_LABELS = "least_labels"
"""The key of the least number of labels among what `OneLabel.asks` says."""


class TextTask(Defaults[Texts, TextFeatures]):
    """The methods that are the same for all tasks over texts."""

    name: ClassVar[str]
    per_place: ClassVar[bool] = True
    settings: ClassVar[Mapping[str, str]] = {}
    model: ClassVar[type[TextModel]]
    may_be_large: ClassVar[bool] = True

    def plan(self, spec: str | None, gold: Texts) -> Plan:
        return Plan(features_for(gold) if spec is None else spec, "averaged-mira")

    def asks(self, plan: Plan) -> Columns:
        """What the features need of the data: texts, unless all features are of other columns, and lists of numbers."""
        return FeatureSpec.parse(plan.features).reads if plan.features else {"needs_text": True}

    def stream(self, paths: Data, columns: Columns, known: Known | None, enough: Enough | None) -> Iterator[Labelled]:
        columns = {name: value for name, value in columns.items() if name != LEAST_LABELS}
        return stream_texts(paths, columns, known, enough, **self._labels())

    def _labels(self) -> dict[str, Setting]:
        """How the readers find several labels of a text; nothing where each text has one."""
        return {}

    def streamed(self, spec: str) -> str:
        return FeatureSpec.parse(spec).streamed

    def taken(self, rows: Rows, columns: Columns, remembered: Mapping[str, str]) -> Labelled:
        return labelled_rows(rows, columns, remembered, self.model.several)

    def facts(self, read: Found, known: Known | None) -> dict[str, Json]:
        """What a model knows of its data beside their labels: what was found, or what it knew before."""
        details = read.details if known is None else known.details
        return {name: details[name] for name in ("columns", LABEL_TYPE) if name in details}

    def fit(self, spec: str, gold: Texts, steps: Steps = SILENT) -> tuple[TextFeatures, tuple[Block, ...]]:
        features, room = TextFeatures(spec), gold.room
        rows: SparseRows | RowsFile
        if room is not None and room.on_disk:
            rows = features.fit_file(gold.table(), room)
        else:
            rows = features.fit_transform(gold.table(), gold.unlabelled)
        return features, self.model.blocks(self._gen(features, gold), rows)

    def is_one(self, x: Data) -> bool:
        return isinstance(x, str | Mapping)

    def begin(self, spec: str, gold: Texts, steps: Steps = SILENT) -> TextFeatures:
        """Features that have seen nothing yet, unless some are of other columns: these learn from the first rows."""
        features = TextFeatures(spec)
        return self.fit(spec, gold, steps)[0] if features.spec.columns else features

    def grow(self, features: TextFeatures, gold: Texts) -> tuple[Block, ...]:
        if features.spec.columns:
            return self.blocks(features, gold)
        return self.model.blocks(self._gen(features, gold), features.partial_fit_transform(gold.text))

    def blocks(self, features: TextFeatures, gold: Texts) -> tuple[Block, ...]:
        return self.model.blocks(self._gen(features, gold), features.transform(gold.table()))

    def with_unlabelled(self, gold: Texts, own: Data, others: Data, columns: Columns) -> Texts:
        named = columns.get("text_col") or gold.details.get("columns", {}).get("text")
        tables = [] if own is None else [self._rest(own, named, columns)]
        tables += [] if others is None else [read_unlabelled(others, named, columns)]
        pool = tables[0] if len(tables) == 1 else tables[0].followed_by(tables[1])
        if len(pool) == 0:
            raise DataError(
                "expected texts without labels, found none: every row has a label. Leave out unlabelled.", pool.source
            )
        return _with_texts(gold, pool)

    def _rest(self, own: Data, text: str | None, columns: Columns) -> Table:
        """The texts of the data that have no label."""
        if self.model.several:
            raise UsageError(
                "a row without labels is a text that has none of them. Put texts that nobody has looked at into a file of "
                "their own."
            )
        if isinstance(own, Rows):
            own = self.taken(own, columns, {})
        elif is_pair(own):
            own = Labelled(as_table(own[0], text), own[1])
        return read_unlabelled(own, text, columns, only_missing=True)

    def n_unlabelled(self, gold: Texts) -> int:
        return 0 if gold.unlabelled is None else len(gold.unlabelled)

    def unlabelled(self, gold: Texts) -> Texts | None:
        table = gold.unlabelled
        if table is None:
            return None
        nothing, at = np.zeros(0, np.int32), np.zeros(len(table) + 1, np.int64)
        source = table.source or ""
        return Texts(table.text, nothing, at, gold.labels, source, table.columns, gold.details, find=table.find)

    def _gen(self, features: TextFeatures, gold: Texts) -> Structure:
        gen: Structure = self.model.structure(features, gold.labels, gold.details)
        return gen


class OneLabel(TextTask):
    """The methods that are the same for all tasks whose outputs are one label."""

    model: ClassVar[type[OneLabelModel]]
    cost: ClassVar[str] = "mean cost"
    """The name of the mean of the costs, where errors differ in cost."""

    def read(self, data: Data, columns: Columns, known: Known | None = None) -> Texts:
        least = int(columns.get(LEAST_LABELS, 2)) if known is None else 1
        columns = {name: value for name, value in columns.items() if name != LEAST_LABELS}
        read = read_texts(data, columns, least_labels=least, known=known)
        n, source, kept = len(read.labels), read.source, Kept(columns.get("room"))
        usual = {name: self.label(name) for name in dict.fromkeys(read.labels)}
        found = list(dict.fromkeys(usual.values()))
        if known is None:
            check_not_values(len(found), n, source)
            checked_names(sorted(found), source, least)
        names, details = self.names(found, source) if known is None else self.names_with(known, found, source)
        number = {name: k for k, name in enumerate(names)}
        numbers = {name: number.get(usual[name], -1) for name in usual}
        y = kept.filled(map(numbers.__getitem__, read.labels), n, np.int32)
        details = {**details, **self.facts(read, known)}
        at, table = kept.filled(range(n + 1), n + 1, np.int64), read.table
        return Texts(
            table.text,
            y,
            at,
            names,
            source,
            table.columns,
            details,
            read.row_numbers,
            table.has_text,
            columns.get("room"),
            find=table.find,
        )

    def label(self, name: str) -> str:
        """The usual spelling of a label."""
        return name

    def names(self, found: Sequence[str], source: str) -> tuple[tuple[str, ...], Mapping[str, Json]]:
        """The labels in the order of their numbers, and the details that the model keeps about them. `found` has each label
        once."""
        return checked_names(sorted(set(found)), source, least=1), {}

    def names_with(self, known: Known, found: Sequence[str], source: str) -> tuple[tuple[str, ...], Mapping[str, Json]]:
        """The known labels with the new ones added, in the order of their numbers, and the details that the model keeps."""
        return known.labels_with(found), known.details

    def weighted(
        self, features: TextFeatures, gold: Texts, class_weight: str | Mapping[str, float] | None
    ) -> tuple[Structure, Floats | None]:
        """The structure, and the weight of each example, which is that of its label. `balanced` gives every label the same
        total weight."""
        structure = self.model.structure(features, gold.labels, gold.details)
        if class_weight is None:
            return structure, None
        if isinstance(class_weight, str):
            if class_weight != "balanced":
                raise UsageError(
                    f"expected class weights to be 'balanced' or LABEL=NUMBER,..., found {class_weight!r}."
                )
            count = np.maximum(np.bincount(gold.y, minlength=len(gold.labels)), 1)
            weight = len(gold) / (len(gold.labels) * count)
        else:
            class_weight = {spelled(label): weight for label, weight in class_weight.items()}
            unknown = set(class_weight) - set(gold.labels)
            if unknown:
                raise UsageError(
                    f"there is a class weight for {sorted(unknown)[0]!r}, but the labels are: {', '.join(gold.labels)}."
                )
            weight = np.array([class_weight.get(label, 1.0) for label in gold.labels], np.float64)
            if not np.all((weight >= 0) & (weight < np.inf)):
                raise UsageError("expected class weights of 0 or more, found one that is not.")
        return structure, weight.astype(np.float32)[gold.y]

    def taught(
        self, teacher: Predictor, blocks: tuple[Block, ...], given: Examples, probable: bool, other_kind: bool
    ) -> tuple[Ints, Offsets]:
        """The best label of each text, with labels in about the shares that they have among the labelled texts."""
        scores = self.model.scores_of_labels(teacher.gen, teacher.scores(blocks))
        strength = STRENGTH_OF_OTHER_KIND if other_kind else STRENGTH
        return in_shares(scores, shares(given.y, scores.shape[1]), strength), np.arange(len(scores) + 1)

    def with_lexicon(self, gold: Texts, words: Mapping[str, Sequence[str]]) -> Texts:
        named = {self.label(label): some for label, some in words.items()}
        return replace(gold, spoken=spoken_for(numbered(named, gold.labels), gold.table(), gold.unlabelled))

    def without_labels(self, data: Data, columns: Columns, labels: Sequence[str]) -> Texts | None:
        table = without_labels(data, columns)
        if table is None:
            return None
        source = table.source or "texts without labels"
        if len(labels) == 1:
            raise DataError(
                f"the texts have no labels, and the lexicon has words for {labels[0]!r} alone; learning needs at least two "
                "labels. Give words for another one, too.",
                source,
            )
        names, details = self.names(list(map(self.label, labels)), source)
        checked_names(names, source)
        nothing = Texts(
            table.text.slice(0, 0), np.zeros(0, np.int32), np.zeros(1, np.int64), names, source, None, details
        )
        return replace(nothing, unlabelled=table)

    def words_of_labels(self, features: TextFeatures, gold: Texts) -> tuple[Texts, Floats] | None:
        spoken = gold.spoken
        if spoken is None:
            return None
        for kind, name, _ in features.spec.columns:
            if name and not KINDS[kind].of_text:
                raise UsageError(
                    f"words that speak for labels are words of the text, and have no column {name!r}. Leave out the lexicon, "
                    f"or {kind}:{name}."
                )
        at = np.arange(len(spoken.y) + 1)
        words = Texts(spoken.texts, spoken.y, at, gold.labels, "lexicon", None, gold.details)
        return words, spoken.weights

    def counts(self, gold: Texts, y_hat: Ints, y_hat_at: Offsets) -> Counts:
        C = self.model.structure(None, gold.labels, gold.details).costs
        if C is None:
            return accuracy(gold, y_hat, y_hat_at)
        return Counts(self.cost, costs_of(gold.y, y_hat, C), np.ones(len(gold)), less_is_better=True)

    def measures(self, gold: Texts) -> Mapping[str, Measure]:
        """Accuracy, macro F1, the F1 of the rarer label where there are two, and the mean cost where errors differ in cost."""
        costly = self.model.structure(None, gold.labels, gold.details).costs is not None
        own = {self.cost.replace(" ", "-"): self.counts} if costly else {}
        two = {"f1": rarer_f1(gold)} if len(gold.labels) == 2 else {}
        return {**own, "accuracy": accuracy, "macro-f1": macro_f1_of_labels, **two}


def _with_texts(gold: Texts, table: Table) -> Texts:
    """The gold examples with further texts without labels."""
    there = gold.unlabelled
    return replace(gold, unlabelled=table if there is None else there.followed_by(table))


def accuracy(gold: Texts, y_hat: Ints, y_hat_at: Offsets) -> Counts:
    """The share of texts whose label is right."""
    return Counts("accuracy", (y_hat == gold.y).astype(np.float64), np.ones(len(gold)))


def macro_f1_of_labels(gold: Texts, y_hat: Ints, y_hat_at: Offsets) -> Counts:
    """The mean of the F1 of labels."""
    n, each = len(gold), np.arange(len(gold))
    return Counts("macro F1", macro_f1((each, gold.y), (each, y_hat), n, len(gold.labels)), np.ones(n))


def rarer_f1(gold: Texts) -> Measure:
    """The F1 of the label that fewer of these texts have."""
    label = int(np.bincount(gold.y[gold.y >= 0], minlength=2).argmin())

    def counts(gold: Texts, y_hat: Ints, y_hat_at: Offsets) -> Counts:
        return Counts(f"F1 of {gold.labels[label]}", *f1_of(label, gold.y, y_hat))

    return counts
