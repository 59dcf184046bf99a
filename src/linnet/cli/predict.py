"""linnet predict"""

from __future__ import annotations

from typing import Any

import numpy as np

from linnet import io
from linnet.errors import UsageError
from linnet.tasks import load


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
    paths = data if len(data) > 1 else data[0]
    if loaded.task == "compress":
        if proba or top is not None or text_col is not None:
            raise UsageError(f"{model} compresses: --proba, --top and --text-col are for labels. Leave them out.")
        _compressions(loaded, paths, output, format)
    elif loaded.task == "tag":
        if proba or top is not None or text_col is not None:
            raise UsageError(f"{model} tags tokens: --proba, --top and --text-col are for labels. Leave them out.")
        _tags(loaded, paths, output, format)
    else:
        batches = io.read_batches(paths, format=format, text_col=text_col, labelled=False)
        with io.Writer.open(output) as writer:
            for batch in batches:
                writer.write(_columns(loaded, batch.text, proba, top))


def _tags(model: Any, paths: str | list[str], output: str | None, format: str | None) -> None:
    """The same sentences again, with a tag for each token."""
    with io.SentenceWriter.open(output) as writer:
        for batch in model.batches(paths, format):
            writer.write(batch, model.tag(batch))


def _compressions(model: Any, paths: str | list[str], output: str | None, format: str | None) -> None:
    """The words that stay, a sentence on each line; into .jsonl the same sentences again with `keep`."""
    with io.SentenceWriter.open(output) as writer:
        for batch in model.batches(paths, format):
            kept = model.keep(batch)
            if output is not None and output.endswith(".jsonl"):
                writer.write(batch, kept.astype(int).astype(str))
            else:
                writer.write_lines(" ".join(words) for words in model.words(batch, kept))


def _columns(model: Any, text: Any, proba: bool, top: int | None) -> dict[str, Any]:
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
