"""Labels of texts with their scores or probabilities, as columns of a table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from linnet.core import arrow
from linnet.tasks.texts.gold import Floats


def best_labels(names: Sequence[str], scores: Floats, top: int, measure: str) -> pa.Table:
    """The best labels of each text and their scores or probabilities: prediction_1, score_1, prediction_2, score_2, ...

    >>> best_labels(["neg", "pos"], np.array([[0.25, 0.75]], np.float32), 1, "confidence").to_pylist()
    [{'prediction_1': 'pos', 'confidence_1': 0.75}]
    """
    best = np.argsort(-scores, axis=1, kind="stable")
    rows = np.arange(len(scores))
    columns: dict[str, pa.Array] = {}
    for k in range(min(top, len(names))):
        columns[f"prediction_{k + 1}"] = arrow.chosen(names, best[:, k])
        columns[f"{measure}_{k + 1}"] = arrow.numbers(scores[rows, best[:, k]])
    return arrow.table(columns)


def shares_of(names: Sequence[str], labels: Sequence[str], p: Floats) -> Floats:
    """The probability of the label of each text, taken from a table with a column for each label.

    >>> shares_of(["neg", "pos"], ["pos"], np.array([[0.25, 0.75]], np.float32)).tolist()
    [0.75]
    """
    number = {name: k for k, name in enumerate(names)}
    shares: Floats = p[np.arange(len(labels)), [number[label] for label in labels]]
    return shares


def sets_with_shares(names: Sequence[str], sets: Sequence[Sequence[str]], p: Floats) -> dict[str, pa.Array]:
    """The columns of label sets: the labels of each text, and the probability of each label."""
    number = {name: k for k, name in enumerate(names)}
    starts = arrow.starts_of(sets)
    rows = np.repeat(np.arange(len(sets)), np.diff(starts))
    codes = np.array([number[label] for some in sets for label in some], np.int64)
    return {"prediction": arrow.text_lists(sets), "confidence": arrow.lists(arrow.numbers(p[rows, codes]), starts)}
