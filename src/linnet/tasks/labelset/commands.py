"""What the commands do for sets of labels."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from linnet.tasks.commands import Asked, Data, Write
from linnet.tasks.evaluated import Evaluated
from linnet.tasks.explained import Explained
from linnet.tasks.labels.commands import explained_texts, read_all, some_rows, wrong_texts
from linnet.tasks.problems import facts_of, problems_in

if TYPE_CHECKING:
    from linnet.core.types import Json
    from linnet.features import Table
    from linnet.tasks.labelset.model import LabelsetModel

MOST_LABELS = 3
"""The number of labels of a text that are explained."""
probable = "logistic"
takes: tuple[str, ...] = ("at_least",)
write: Write | None = None


def evaluate(model: LabelsetModel, data: Data, asked: Asked) -> Evaluated:
    from linnet.tasks.labelset.measures import LabelsetReport
    from linnet.tasks.labelset.terminal import labelset_report

    report = model.evaluate(data.source, text=data.text_col, label=data.label_col, **data.how, **asked.decide())
    assert isinstance(report, LabelsetReport)
    return Evaluated(report, labelset_report(report), lambda: wrong_texts(model, data, asked))


def explain(model: LabelsetModel, data: Data | None, text: str, top: int) -> Explained:
    """Explain the best labels of each text that are in its set, or the best label if the set is empty."""
    found = [model.explain(row, label) for row in some_rows(model, data, text) for label in _some(model, row)]
    return explained_texts(found, lambda: model.strongest(top))


def _some(model: LabelsetModel, row: Table) -> list[str]:
    scores = model.scores(row)[0]
    best = np.argsort(-scores, kind="stable")[:MOST_LABELS]
    chosen = best[scores[best] > 0] if np.any(scores > 0) else best[:1]
    return [model.labels[k] for k in chosen]


def facts(data: Data) -> dict[str, Json]:
    """What a user should know about data before training. Problems name rows of the data, counted from 1."""
    dataset = read_all(data, labelled=data.label_col is not None, several=True)
    sets = dataset.label_sets()
    counts = Counter(label for some in sets for label in some)
    problems = (
        [] if sets else ["there are no labels, so there is nothing to learn from: name their column with --label-col"]
    )
    if sets and not counts:
        problems.append("no row has a label, so there is nothing to learn from")
    problems += problems_in(lambda: [dataset.text], [tuple(sorted(some)) for some in sets], counts, several=True)
    size = np.array([len(some) for some in sets] or [0])
    return facts_of(
        dataset,
        counts,
        problems,
        labels_per_text={"least": int(size.min()), "mean": float(size.mean()), "most": int(size.max())},
        texts_without_a_label=int(np.sum(size == 0)) if sets else len(dataset.text),
    )
