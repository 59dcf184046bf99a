"""linnet predict"""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

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
        others = "crf" if loaded.task == "tag" else "logistic or naive-bayes, with --set calibrate=sigmoid"
        raise UsageError(
            f"{model} was trained with {loaded.learner!r}, whose scores are not probabilities. "
            f"Train with --learner {others}, or leave out --proba."
        )
    paths = data if len(data) > 1 else data[0]
    if loaded.task == "compress":
        if proba or top is not None or text_col is not None:
            raise UsageError(f"{model} compresses: --proba, --top and --text-col are for labels. Leave them out.")
        _compressions(loaded, paths, output, format)
    elif loaded.task == "tag":
        if text_col is not None:
            raise UsageError(f"{model} tags tokens: --text-col is for labels. Leave it out.")
        if proba and top is not None:
            raise UsageError("for tags --top has whole sequences and --proba single tags. Leave one of them out.")
        if top is None:
            _tags(loaded, paths, output, format, proba)
        else:
            _sequences(loaded, paths, output, format, top)
    else:
        batches = io.read_batches(paths, format=format, text_col=text_col, labelled=False)
        with io.Writer.open(output) as writer:
            for batch in batches:
                writer.write(_columns(loaded, batch.text, proba, top))


def _tags(model: Any, paths: str | list[str], output: str | None, format: str | None, proba: bool) -> None:
    """The same sentences again, with a tag for each token; with probabilities, in columns, of which they are the last."""
    with io.SentenceWriter.open(output) as writer:
        for batch in model.batches(paths, format):
            if proba:
                tags, p = model.tag_with_proba(batch)
                columns = batch.columns | {"predicted tag": pa.array(tags, pa.large_string())}
                writer.write(replace(batch, columns=columns, frame=None), [f"{share:.4f}" for share in p.tolist()])
            else:
                writer.write(batch, model.tag(batch))


def _sequences(model: Any, paths: str | list[str], output: str | None, format: str | None, top: int) -> None:
    """A line of JSON for each sentence: its tokens, and its best sequences of tags with their scores."""
    with ExitStack() as stack:
        file = sys.stdout.buffer if output in (None, "-") else stack.enter_context(io.atomic(output))
        for batch in model.batches(paths, format):
            words = batch.columns["w"].to_pylist()
            for (a, b), best in zip(pairwise(batch.starts.tolist()), model.tag_k_best(batch, top), strict=True):
                sequences = [{"tags": tags, "score": score} for tags, score in best]
                line = json.dumps({"tokens": words[a:b], "best": sequences}, ensure_ascii=False)
                file.write(line.encode() + b"\n")


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
