"""The task `labelset`: any number of labels for each text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from linnet.core.types import Data, Json, Setting
from linnet.errors import DataError, check_choice
from linnet.evaluate.label_counts import macro_f1
from linnet.fitting.contract import Columns, Counts, Known, Measure, Plan
from linnet.learners import Preset
from linnet.tasks.labelset.gold import Numbered, as_outputs, sets_of
from linnet.tasks.labelset.model import LabelsetModel, structure_of
from linnet.tasks.texts.gold import Ints, Kept, Offsets, Texts, read_texts
from linnet.tasks.texts.model import TextModel
from linnet.tasks.texts.presets import plans, with_vectors
from linnet.tasks.texts.task import TextTask

if TYPE_CHECKING:
    from linnet.core.blocks import Block
    from linnet.core.form import Structure
    from linnet.core.predictor import Predictor
    from linnet.features import TextFeatures
    from linnet.fitting.notation import Notation
    from linnet.learners import Examples
    from linnet.tasks.commands import Commands

_MOST_CELLS = 1 << 28
"""The number of texts times labels above which data are large: thresholds are then set only if asked for."""
_THRESHOLDS = ("auto", "micro", "macro", "none")
FEATURES = "words:1 log tfidf min=2"
_CANDIDATES = (
    (FEATURES, 1, 0.5),
    (FEATURES, 3, 0.5),
    (FEATURES, 0.3, 0.5),
    (FEATURES, 1, 0),
    ("words:1 punct bm25 min=2", 1, 0.5),
    ("words:1-2 log tfidf min=2", 1, 0.5),
    ("words:1-2 punct bm25 min=2", 1, 0.5),
)
"""What `auto` tries with nb-svm: features, C and power, in the order of texts/presets.py."""
_OTHERS = ("averaged-perceptron", "averaged-mira")
"""What `auto` tries for whole sets and for large data."""


@dataclass(frozen=True)
class LabelsetTask(TextTask):
    """The task of label sets. `separator` is the string between the labels of a row, where a column has them as one string."""

    separator: str | None = None
    thresholds: str = "auto"
    costs: str = "hamming"

    name = "labelset"
    description = "any number of labels for each text"
    per_place: ClassVar[bool] = False
    settings: ClassVar[Mapping[str, str]] = {
        "separator": "the string between the labels of a text; by default a comma",
        "thresholds": "micro or macro: set the score above which a label is in a set so that this F1 is best on held-out "
        "parts; none: the score is 0; auto: micro, but none for probabilities and for very many texts and labels",
        "costs": "what counts as an error: hamming, each label that is wrong; subset, each set that is wrong",
    }
    model: ClassVar[type[TextModel]] = LabelsetModel

    def __post_init__(self) -> None:
        check_choice("thresholds to be ", self.thresholds, _THRESHOLDS)
        structure_of(self.costs, 1)

    @property
    def commands(self) -> Commands:
        from linnet.tasks.labelset import commands

        return commands

    def plan(self, spec: str | None, gold: Texts) -> Plan:
        """The plan: nb-svm, which decides on each label by itself and keeps a number for each text and label; other learners
        for whole sets and for large data."""
        usual = "averaged-mira" if self.costs == "subset" else "averaged-perceptron" if _is_large(gold) else "nb-svm"
        return Plan(with_vectors(FEATURES, gold) if spec is None else spec, usual)

    def candidates(self, spec: str | None, gold: Texts) -> list[Plan]:
        """Plans that differ in features, C and power; for whole sets and for large data, the learners that suit these."""
        usual = self.plan(spec, gold)
        if usual.learner == "nb-svm":
            return plans(spec, usual.features, gold.sample(), _CANDIDATES)
        return [usual, *(Plan(usual.features, name) for name in _OTHERS if name != usual.learner)]

    def notation(self, features: TextFeatures, gold: Texts, gen: Structure, i: int) -> Notation:
        """As that of labels; an output is a set of them."""
        from linnet.tasks.notation import of_labels

        return replace(
            of_labels(features, gold, i), output=lambda y: ", ".join(gold.labels[k] for k in y[1 : 1 + y[0]]) or "none"
        )

    def measure_of(self, learner: Preset, gold: Texts) -> str | None:
        """The F1 for which thresholds are set: as the user says, or none for learners with probabilities and for large data."""
        auto = None if learner.probabilistic or not learner.linear or _is_large(gold) else "micro"
        return {"auto": auto, "none": None}.get(self.thresholds, self.thresholds)

    def as_trained(self, details: Mapping[str, Json]) -> Self:
        return replace(self, separator=details.get("separator"), costs=details.get("costs", self.costs))

    def _labels(self) -> dict[str, Setting]:
        return {"several": True, "separator": self.separator}

    def read(self, data: Data, columns: Columns, known: Known | None = None) -> Texts:
        read = read_texts(data, columns, least_labels=1, known=known, **self._labels())
        found, source = read.labels, read.source
        names = (known or Known((), {}, grows=True)).labels_with(name for one in found for name in one)
        if not names:
            raise DataError("expected rows with labels to learn from, found none.", source)
        sets = Numbered(found, {name: k for k, name in enumerate(names)})
        details = {"separator": self.separator, "costs": self.costs, **self.facts(read, known)}
        table = read.table
        return Texts(
            table.text,
            *as_outputs(sets, Kept(columns.get("room"))),
            names,
            source,
            table.columns,
            details,
            read.row_numbers,
            table.has_text,
            columns.get("room"),
            find=table.find,
        )

    def taught(
        self, teacher: Predictor, blocks: tuple[Block, ...], given: Examples, probable: bool, other_kind: bool
    ) -> tuple[Ints, Offsets]:
        """For each label the texts with the highest scores, as large a share of them as of the labelled texts."""
        scores = self.model.scores_of_labels(teacher.gen, teacher.scores(blocks))
        n, often = len(scores), np.bincount(_with_example(given.y, given.y_at)[1], minlength=scores.shape[1])
        wanted = np.rint(often * (n / len(given))).astype(np.int64)
        ranks = np.argsort(np.argsort(-scores, axis=0, kind="stable"), axis=0, kind="stable")
        return as_outputs([np.flatnonzero(has).tolist() for has in ranks < wanted])

    def counts(self, gold: Texts, y_hat: Ints, y_hat_at: Offsets) -> Counts:
        """The F1 of single labels, 2 right / (predicted + gold); or, with costs=subset, the share of sets that are right."""
        return whole_sets(gold, y_hat, y_hat_at) if self.costs == "subset" else single_labels(gold, y_hat, y_hat_at)

    def constant(self, training: Texts, held: Texts) -> tuple[Ints, Offsets] | None:
        """The most frequent set."""
        sets = Counter(tuple(one.tolist()) for one in sets_of(training.y, training.y_at))
        return as_outputs([sets.most_common(1)[0][0]] * len(held))

    def measures(self, gold: Texts) -> Mapping[str, Measure]:
        """The F1 of single labels, over all of them or as the mean over labels, and the share of sets that are right."""
        return {"micro-f1": single_labels, "macro-f1": mean_over_labels, "accuracy": whole_sets}


def single_labels(gold: Texts, y_hat: Ints, y_hat_at: Offsets) -> Counts:
    """The F1 of single labels over all texts, 2 right / (predicted + gold)."""
    right, size = np.zeros(len(gold)), np.zeros(len(gold))
    for i, (y, found) in enumerate(_both(gold, y_hat, y_hat_at)):
        right[i], size[i] = 2 * len(np.intersect1d(y[y >= 0], found)), len(y) + len(found)
    return Counts("F1", right, size)


def mean_over_labels(gold: Texts, y_hat: Ints, y_hat_at: Offsets) -> Counts:
    """The mean of the F1 of labels."""
    n = len(gold)
    wanted, found = _with_example(gold.y, gold.y_at), _with_example(y_hat, y_hat_at)
    return Counts("macro F1", macro_f1(wanted, found, n, len(gold.labels)), np.ones(n))


def whole_sets(gold: Texts, y_hat: Ints, y_hat_at: Offsets) -> Counts:
    """The share of texts whose set of labels is right."""
    same = [np.array_equal(y, found) for y, found in _both(gold, y_hat, y_hat_at)]
    return Counts("accuracy", np.array(same, np.float64), np.ones(len(gold)))


def _both(gold: Texts, y_hat: Ints, y_hat_at: Offsets) -> Iterator[tuple[Ints, Ints]]:
    """The gold and the predicted set of each text."""
    return zip(sets_of(gold.y, gold.y_at), sets_of(y_hat, y_hat_at), strict=True)


def _with_example(y: Ints, y_at: Offsets) -> tuple[Offsets, Ints]:
    """Each label of all sets, and the text that has it."""
    of_label = np.ones(len(y), np.bool_)
    of_label[y_at[:-1]] = False
    return np.repeat(np.arange(len(y_at) - 1), np.diff(y_at))[of_label], y[of_label]


def _is_large(gold: Texts) -> bool:
    return len(gold) * len(gold.labels) > _MOST_CELLS


TASK = LabelsetTask()
