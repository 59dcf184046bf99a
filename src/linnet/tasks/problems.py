"""What is wrong with data, said in one way for all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from linnet.core.types import Json
from linnet.io.sentences.sentences import Sentences
from linnet.io.texts.dataset import Dataset


def problem(rows: list[int], what: str) -> list[str]:
    """None, or one sentence with the first of the rows."""
    if not rows:
        return []
    places = ", ".join(map(str, rows[:5])) + (", ..." if len(rows) > 5 else "")
    return [f"{len(rows)} {what}: row {places}"]


def repeated_texts(texts: Sequence[str], labels: Sequence[object]) -> list[str]:
    """Texts that are empty, that were there before, or that were there before with other labels."""
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
    """Words per text."""
    lengths = np.array([len(text.split()) for text in texts])
    parts = {"least": lengths.min(), "median": np.median(lengths), "mean": lengths.mean(), "most": lengths.max()}
    return {name: float(value) for name, value in parts.items()}


def facts_of(dataset: Dataset, labels: Counter[str], problems: Sequence[str], **more: Json) -> dict[str, Json]:
    """What is said of texts and how often each label is there; more comes behind the labels."""
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
    rare = sorted(label for label, n in labels.items() if n < 5)
    return [f"{len(rare)} labels with fewer than 5 examples: {', '.join(rare[:10])}"] if rare else []


def repeated_sentences(sentences: Sentences) -> list[str]:
    """Sentences with the words of one before them."""
    words = sentences.columns["w"].to_pylist()
    first: dict[tuple[str, ...], int] = {}
    repeated = []
    for row, (a, b) in enumerate(pairwise(sentences.starts.tolist()), 1):
        if first.setdefault(tuple(words[a:b]), row) != row:
            repeated.append(row)
    return problem(repeated, "sentences that were there before")
