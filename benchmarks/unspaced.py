"""Text without blanks between words: Chinese hotel reviews, Thai posts, and Chinese and English reviews in one file.

`linnet, no option` is `linnet.train((texts, labels))` and nothing more; beside it stands what people use for such text in
scikit-learn, n-grams of 1 to 3 characters with tf-idf and LinearSVC. One text in ten is for testing: the first tenth of a
file, and every tenth sentence of the English reviews, which are sorted by label. Of the mixed set, the accuracy on each half
is shown too.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import datasets
from errors import MissingError
from measure import compete, cpu_seconds, job
from report import Table

QUICK_TEXTS = 600
CHINESE, THAI, ENGLISH = "zh-hotel", "th-wisesight", "sentence_polarity"
SETS = {
    "Chinese hotel reviews": (CHINESE,),
    "Thai posts": (THAI,),
    "Chinese and English reviews": (CHINESE, ENGLISH),
}

Texts = tuple[list[str], list[str]]
"""Texts and their labels."""


def run(quick: bool = False, rounds: int = 1) -> list[Table]:
    """Run the benchmark once: the same seed gives the same result, so more rounds would change nothing."""
    limit = QUICK_TEXTS if quick else None
    tables = [
        _table(title, files, limit)
        for title, files in SETS.items()
        if all(datasets.has_file(f"{name}.jsonl") for name in files)
    ]
    if not tables:
        raise MissingError(f"neither {CHINESE}.jsonl nor {THAI}.jsonl is in the folder that LINNET_DATA names")
    return tables


def _table(title: str, files: tuple[str, ...], limit: int | None) -> Table:
    sides = {
        "linnet, no option": partial(job, "unspaced:linnet", files=files, limit=limit),
        "scikit-learn, characters 1-3": partial(job, "unspaced:sklearn", files=files, limit=limit),
    }
    contest = compete(sides, 1)
    parts = ["accuracy %", *(f"of {name}" for name in files if len(files) > 1)]
    rows = [
        [name, *(f"{100 * right:.2f}" for right in found["right"]), f"{found['cpu']:.1f}", found["features"]]
        for name, (found,) in contest.runs.items()
    ]
    absent = contest.missing | contest.failed
    return Table(
        f"without blanks: {title}",
        ["", *parts, "CPU s", "features"],
        rows,
        "\n".join(f"{name} is left out: {reason}" for name, reason in absent.items()),
        {"runs": contest.runs, "failed": contest.failed},
    )


def linnet(files: list[str], limit: int | None) -> dict[str, Any]:
    import linnet

    train, tests = data(files, limit)
    began = cpu_seconds()
    model = linnet.train(train)
    right = _right(lambda texts: list(map(str, model.predict(texts))), tests)
    return {"right": right, "cpu": cpu_seconds() - began, "features": str(model.features.spec)}


def sklearn(files: list[str], limit: int | None) -> dict[str, Any]:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import LinearSVC

    (texts, labels), tests = data(files, limit)
    began = cpu_seconds()
    model = make_pipeline(TfidfVectorizer(analyzer="char", ngram_range=(1, 3)), LinearSVC()).fit(texts, labels)
    right = _right(lambda texts: model.predict(texts).tolist(), tests)
    return {"right": right, "cpu": cpu_seconds() - began, "features": "tf-idf"}


def data(files: list[str], limit: int | None) -> tuple[Texts, list[Texts]]:
    """The texts of all files to learn from, and those of each file to test on."""
    train: Texts = ([], [])
    tests: list[Texts] = []
    for name in files:
        with datasets.opened(datasets.file_path(f"{name}.jsonl")) as file:
            rows = [json.loads(line) for line in file]
        rows = rows if limit is None else rows[:: max(1, len(rows) // limit)]
        tests.append(([], []))
        for i, row in enumerate(rows):
            is_test = i % 10 == 0 if name == ENGLISH else i < len(rows) // 10
            texts, labels = tests[-1] if is_test else train
            texts.append(row["text"])
            labels.append(row["label"])
    return train, tests


def _right(predict: Callable[[list[str]], list[str]], tests: list[Texts]) -> list[float]:
    """The share of right answers: of all texts and, if there are several files, of each."""
    right = [[a == b for a, b in zip(predict(texts), labels, strict=True)] for texts, labels in tests]
    every = [one for part in right for one in part]
    parts = [every, *right] if len(right) > 1 else [every]
    return [sum(part) / len(part) for part in parts]


if __name__ == "__main__":
    from run import main

    main(["unspaced"])
