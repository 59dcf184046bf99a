"""linnet predict"""

from __future__ import annotations

from typing import Any

import numpy as np

from linnet import io
from linnet.errors import UsageError
from linnet.model import Model, load


def run(
    *,
    model: str,
    data: list[str],
    output: str | None,
    proba: bool,
    top: int | None,
    format: str | None,
    text_col: str | None,
) -> None:
    loaded = load(model)
    if proba and not loaded.probabilistic:
        raise UsageError(
            f"{model} was trained with {loaded.learner!r}, whose scores are not probabilities. "
            "Train with --learner logistic or naive-bayes, or leave out --proba."
        )
    batches = io.read_batches(data if len(data) > 1 else data[0], format=format, text_col=text_col, labelled=False)
    with io.Writer.open(output) as writer:
        for batch in batches:
            writer.write(_columns(loaded, batch.text, proba, top))


def _columns(model: Model, text: Any, proba: bool, top: int | None) -> dict[str, Any]:
    if not proba and top is None:
        return {"label": model.predict(text)}
    table = model.predict_proba(text) if model.probabilistic else model.scores(text)
    name = "probability" if model.probabilistic else "score"
    names = np.array(model.labels, object)
    best = np.argsort(-table, axis=1, kind="stable")
    if top is None:
        first = best[:, 0]
        return {"label": names[first].tolist(), name: table[np.arange(len(table)), first]}
    columns: dict[str, Any] = {}
    for k in range(min(top, len(names))):
        columns[f"label_{k + 1}"] = names[best[:, k]].tolist()
        columns[f"{name}_{k + 1}"] = table[np.arange(len(table)), best[:, k]]
    return columns
