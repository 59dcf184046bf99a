"""Sets of labels: Reuters-21578 (ModApte), the 90 topics that are in both parts, all documents of both parts.

linnet's nb-svm over words, and scikit-learn's one-vs-rest LinearSVC over tf-idf, from the training file to what predicts: CPU
time, and on the test part F1 and what Schapire and Singer (2000) measure of rankings. Thresholds of topics are set by scores of
fifths of the training part that were held out, for micro or for macro F1. Features, C and all else were chosen there too.
linnet stops where the duality gap is 2% of the objective, which over texts is as good as the optimum.
"""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import datasets
from measure import Run, compete, job, section
from report import Column, Table, contest_table

TOL = 0.02
COLUMNS = (
    Column("CPU s", "cpu"),
    Column("peak above MB", "above_mb", ".0f"),
    Column("micro F1", "micro_f1"),
    Column("macro F1", "macro_f1"),
    Column("one-error", "one_error"),
    Column("coverage", "coverage"),
    Column("average precision", "average_precision"),
)


def run(quick: bool = False, rounds: int = 3) -> list[Table]:
    prepared = job("reuters:prepare", limit=1000 if quick else None)
    files = {part: prepared[part] for part in ("train", "test")}
    contestants = {
        "linnet": partial(job, "reuters:linnet", **files, measure="none"),
        "linnet, thresholds for micro F1": partial(job, "reuters:linnet", **files, measure="micro"),
        "linnet, thresholds for macro F1": partial(job, "reuters:linnet", **files, measure="macro"),
        "sklearn LinearSVC": partial(job, "reuters:sklearn", **files),
        "sklearn LinearSVC, balanced": partial(job, "reuters:sklearn", **files, class_weight="balanced"),
    }
    return [contest_table("Reuters-21578, 90 topics", compete(contestants, rounds), COLUMNS)]


def prepare(limit: int | None) -> dict[str, str]:
    """Write both parts with only the topics that are in both of them."""
    parts = {part: list(datasets.label_sets("reuters", part)) for part in ("train", "test")}
    topics = set.intersection(*({label for _, labels in rows for label in labels} for rows in parts.values()))
    paths = {}
    for part, rows in parts.items():
        path = datasets.cache() / f"reuters-90-{part}{'' if limit is None else f'-{limit}'}.jsonl"
        with datasets.replacing(path) as new, new.open("w", encoding="utf-8") as file:
            for text, labels in rows[:limit]:
                file.write(json.dumps({"text": text, "labels": [name for name in labels if name in topics]}) + "\n")
        paths[part] = str(path)
    return paths


def linnet(train: str, test: str, measure: str) -> Run:
    from linnet.training.train import train as learn

    learn(
        (["a", "b"] * 5, [["x"], []] * 5), task="labelset"
    )  # This imports what is needed, as the peer has imported all.
    with section() as run:
        model = learn(train, task="labelset", options={"thresholds": measure}, tol=TOL)
    texts, sets = _read(test)
    return run | figures(model.labels, sets, model.predict(texts), model.scores(texts))


def sklearn(train: str, test: str, class_weight: str | None = None) -> Run:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.multiclass import OneVsRestClassifier
    from sklearn.preprocessing import MultiLabelBinarizer
    from sklearn.svm import LinearSVC

    with section() as run:
        texts, sets = _read(train)
        vectorizer, binarizer = TfidfVectorizer(sublinear_tf=True, min_df=2), MultiLabelBinarizer()
        machines = OneVsRestClassifier(LinearSVC(class_weight=class_weight))
        machines.fit(vectorizer.fit_transform(texts), binarizer.fit_transform(sets))
    texts, sets = _read(test)
    scores = machines.decision_function(vectorizer.transform(texts))
    return run | figures(binarizer.classes_.tolist(), sets, binarizer.inverse_transform(scores > 0), scores)


def figures(labels: Any, gold: Any, predicted: Any, scores: Any) -> Run:
    from linnet.tasks.labelset.measures import LabelsetCounts

    counts = LabelsetCounts(labels)
    counts.add(gold, predicted, scores)
    report = counts.report()
    assert report.ranking is not None
    return {
        "micro_f1": 100 * report.micro_f1,
        "macro_f1": 100 * report.macro_f1,
        "one_error": 100 * report.ranking.one_error,
        "coverage": report.ranking.coverage,
        "average_precision": 100 * report.ranking.average_precision,
    }


def _read(path: str) -> tuple[list[str], list[list[str]]]:
    from peers import json_lines

    rows = list(json_lines(path))
    return [row["text"] for row in rows], [row["labels"] for row in rows]


if __name__ == "__main__":
    from run import main

    main(["reuters"])
