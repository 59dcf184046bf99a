"""Problems of data that `linnet inspect` reports, in the same words for all tasks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from linnet.core.types import Json
from linnet.io.sentences.sentences import Sentences
from linnet.io.texts.dataset import Dataset


def problem(rows: list[int], what: str) -> list[str]:
    """A list with one sentence that names the first rows with a problem; an empty list where there are none."""
    if not rows:
        return []
    places = ", ".join(map(str, rows[:5])) + (", ..." if len(rows) > 5 else "")
    return [f"{len(rows)} {what}: row {places}"]


def repeated_texts(texts: Sequence[str], labels: Sequence[object]) -> list[str]:
    """Problems of texts: texts that are empty, that are repeated, and that are repeated with other labels."""
    first: dict[str, int] = {}
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
    return [
        *problem(empty, "empty texts"),
        *problem(repeated, "texts that were there before"),
        *problem(contradicting, "texts that were there before with another label"),
    ]


def lengths_of(texts: Sequence[str]) -> dict[str, float]:
    """The numbers of words per text: least, median, mean and most."""
    lengths = np.array([len(text.split()) for text in texts])
    parts = {"least": lengths.min(), "median": np.median(lengths), "mean": lengths.mean(), "most": lengths.max()}
    return {name: float(value) for name, value in parts.items()}


def facts_of(dataset: Dataset, labels: Counter[str], problems: Sequence[str], **more: Json) -> dict[str, Json]:
    """Facts about texts with the number of texts of each label; `more` facts follow the labels."""
    texts = dataset.text.to_pylist()
    return {
        "source": dataset.source,
        "rows": len(texts),
        "text_column": dataset.text_col,
        "label_column": dataset.label_col,
        "other_columns": [] if dataset.columns is None else dataset.columns.column_names,
        "labels": dict(labels.most_common()),
        **more,
        "words_per_text": lengths_of(texts),
        "problems": list(problems),
    }


def rare_labels(labels: Counter[str]) -> list[str]:
    """A list with one sentence on labels that few texts have; an empty list where there are none."""
    rare = sorted(label for label, n in labels.items() if n < 5)
    return [f"{len(rare)} labels with fewer than 5 examples: {', '.join(rare[:10])}"] if rare else []


def repeated_sentences(sentences: Sentences) -> list[str]:
    """Problems of sentences: those with the same words as an earlier one."""
    words = sentences.columns["w"].to_pylist()
    first: dict[tuple[str, ...], int] = {}
    repeated = []
    for row, (a, b) in enumerate(pairwise(sentences.starts.tolist()), 1):
        if first.setdefault(tuple(words[a:b]), row) != row:
            repeated.append(row)
    return problem(repeated, "sentences that were there before")
