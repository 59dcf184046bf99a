"""Labels of texts with their scores or probabilities, as columns of a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from linnet.core import arrow
from linnet.core.types import Label
from linnet.tasks.texts.label_types import chosen, column_of

if TYPE_CHECKING:
    from linnet.tasks.texts.gold import Floats


def best_labels(names: Sequence[Label], scores: Floats, top: int, measure: str) -> pa.Table:
    """The best labels of each text and their scores or probabilities: prediction_1, score_1, prediction_2, score_2, ...

    >>> best_labels(["neg", "pos"], np.array([[0.25, 0.75]], np.float32), 1, "confidence").to_pylist()
    [{'prediction_1': 'pos', 'confidence_1': 0.75}]
    """
    best = np.argsort(-scores, axis=1, kind="stable")
    rows = np.arange(len(scores))
    columns: dict[str, pa.Array] = {}
    for k in range(min(top, len(names))):
        columns[f"prediction_{k + 1}"] = chosen(names, best[:, k])
        columns[f"{measure}_{k + 1}"] = arrow.numbers(scores[rows, best[:, k]])
    return arrow.table(columns)


def shares_of(names: Sequence[Label], labels: Sequence[Label], p: Floats) -> Floats:
    """The probability of the label of each text, taken from a table with a column for each label.

    >>> shares_of(["neg", "pos"], ["pos"], np.array([[0.25, 0.75]], np.float32)).tolist()
    [0.75]
    """
    number = {name: k for k, name in enumerate(names)}
    shares: Floats = p[np.arange(len(labels)), [number[label] for label in labels]]
    return shares


def sets_with_shares(names: Sequence[Label], sets: Sequence[Sequence[Label]], p: Floats) -> dict[str, pa.Array]:
    """The columns of label sets: the labels of each text, and the probability of each label."""
    number = {name: k for k, name in enumerate(names)}
    starts = arrow.starts_of(sets)
    rows = np.repeat(np.arange(len(sets)), np.diff(starts))
    codes = np.array([number[label] for some in sets for label in some], np.int64)
    return {"prediction": column_of_sets(sets, names), "confidence": arrow.lists(arrow.numbers(p[rows, codes]), starts)}


def column_of_sets(sets: Sequence[Sequence[Label]], names: Sequence[Label]) -> pa.Array:
    """Sets of labels as a column of lists, whose type is that of the names of all labels.

    >>> column_of_sets([[3, 1], []], [1, 3]).to_pylist()
    [[3, 1], []]
    """
    values = column_of([label for some in sets for label in some])
    return arrow.lists(values if len(values) else column_of(names).slice(0, 0), arrow.starts_of(sets))
