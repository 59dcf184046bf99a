"""linnet inspect"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from linnet import io
from linnet.cli.console import print_json, show
from linnet.model import Model
from linnet.tasks import load

_OF_EPOCH = ("epoch", "loss", "mistakes", "updates", "moved", "gap", "dev")


def run(*, what: str, as_json: bool, format: str | None, text_col: str | None, label_col: str | None) -> None:
    if format is None and _is_model(what):
        facts = _model_facts(load(what), os.path.getsize(what))
    elif io.holds_sentences(what, format):
        facts = _sentence_facts(io.read_sentences(what, format=format, label_col=label_col))
    else:
        facts = _data_facts(
            io.read(
                what,
                format=format,
                text_col=text_col,
                label_col=label_col,
                labelled=label_col is not None,
                least_labels=1,
            )
        )
    if as_json:
        print_json(facts)
        return
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="dim")
    table.add_column()
    for name, value in facts.items():
        table.add_row(name.replace("_", " "), Text(_plain(value)))
    show(table)


def _is_model(path: str) -> bool:
    """A model starts with the length of a JSON table and its brace; no text that linnet reads does."""
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        head = file.read(24)
    return path.endswith(".linnet") or head[8:24] == b'{"__metadata__":'


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_plain(item)}" for key, item in value.items()) or "none"
    if isinstance(value, list):
        return "\n".join(map(_plain, value)) or "none"
    return f"{value:,}" if isinstance(value, int) else f"{value:.4g}" if isinstance(value, float) else str(value)


def _model_facts(model: Model, size: int) -> dict[str, Any]:
    epochs = model.report.get("epochs", [])
    return {
        "task": model.task,
        "learner": model.learner,
        "options": dict(model.options),
        "labels": list(model.labels) if len(model.labels) <= 50 else [*model.labels[:50], "..."],
        "n_labels": len(model.labels),
        "features": str(model.features.spec),
        "n_features": model.features.n_features,
        "epochs": [_known({key: epoch.get(key) for key in _OF_EPOCH}) for epoch in epochs],
        "stopped": model.report.get("stopped", ""),
        "best_epoch": model.report.get("best", 0),
        "theory": _known(model.report.get("theory") or {}),
        "provenance": _known(model.provenance),
        "bytes": size,
    }


def _known(facts: Mapping[str, Any]) -> dict[str, Any]:
    """What is neither None nor nan."""
    return {key: value for key, value in facts.items() if value is not None and value == value}


def _data_facts(data: io.Dataset) -> dict[str, Any]:
    """What a person should know before training; places are rows of the data, from 1."""
    texts, labels = data.text.to_pylist(), data.label_list()
    lengths = np.array([len(text.split()) for text in texts])
    first: dict[str, int] = {}
    problems: list[str] = []
    empty, repeated, contradicting = [], [], []
    for row, text in enumerate(texts, 1):
        if not text.strip():
            empty.append(row)
        elif text in first:
            repeated.append(row)
            if labels and labels[row - 1] != labels[first[text] - 1]:
                contradicting.append(row)
        else:
            first[text] = row
    counts = Counter(labels)
    if not labels:
        problems.append("there is no label column, so there is nothing to learn from: --label-col NAME")
    elif len(counts) == 1:
        problems.append(f"every row has the label {labels[0]!r}; learning needs at least two")
    problems += _problem([row for row, label in enumerate(labels, 1) if not label], "rows without a label")
    problems += _problem(empty, "empty texts")
    problems += _problem(repeated, "texts that were there before")
    problems += _problem(contradicting, "texts that were there before with another label")
    rare = sorted(label for label, n in counts.items() if n < 5)
    if rare:
        problems.append(f"{len(rare)} labels with fewer than 5 examples: {', '.join(rare[:10])}")
    if counts and max(counts.values()) > 10 * min(counts.values()):
        problems.append(
            "the largest label has more than 10 times the examples of the smallest: --set class-weight=balanced"
        )
    return {
        "source": data.source,
        "rows": len(texts),
        "text_column": data.text_col,
        "label_column": data.label_col,
        "labels": dict(counts.most_common()),
        "words_per_text": {
            name: float(value)
            for name, value in zip(
                ("least", "median", "mean", "most"),
                (lengths.min(), np.median(lengths), lengths.mean(), lengths.max()),
                strict=True,
            )
        },
        "problems": problems,
    }


def _sentence_facts(data: io.Sentences) -> dict[str, Any]:
    """The same for sentences; places are sentences of the data, from 1."""
    from linnet.structures.schemes import convert, scheme_of

    tags = [] if data.tags is None else data.tags.to_pylist()
    words = data.columns["w"].to_pylist()
    starts = data.starts.tolist()
    first: dict[tuple[str, ...], int] = {}
    repeated = []
    for row, (a, b) in enumerate(pairwise(starts), 1):
        if first.setdefault(tuple(words[a:b]), row) != row:
            repeated.append(row)
    scheme = scheme_of(tags)
    problems = _problem(repeated, "sentences that were there before")
    repaired = convert(tags, data.starts, "bioes")[1] if scheme else 0
    if repaired:
        problems.append(f"{repaired} tags that the scheme does not allow, such as an I- that follows nothing")
    return {
        "source": data.source,
        "sentences": len(data),
        "tokens": data.n_tokens,
        "columns": ", ".join(data.columns),
        "scheme": scheme or "none",
        "tags": dict(Counter(tags).most_common()),
        "problems": problems,
    }


def _problem(rows: list[int], what: str) -> list[str]:
    if not rows:
        return []
    places = ", ".join(map(str, rows[:5])) + (", ..." if len(rows) > 5 else "")
    return [f"{len(rows)} {what}: row {places}"]
