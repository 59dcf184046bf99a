"""Errors that differ in cost: what they cost in the mean if learners ignore that, learn with it, or decide by probabilities.

    ignored      the label of the best score
    learned      the margin of an error is as wide as its cost (MIRA, the multiclass SVM)
    decided      the label of least expected cost, by probabilities: those of logistic regression, or calibrated scores

    imdb         a bad review taken for a good one costs 5, the other way 1
    20news       an error within a group of topics (comp.*, rec.*, ...) costs 1, between two groups 4
    trec         the tree of TREC as costs: an error within one of the six kinds costs 2, else 4

All options are the defaults. Standard errors are those of the mean over test documents.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import datasets
from measure import compete, job
from report import Table

SETS = ("imdb", "20news", "trec-fine")
QUICK_DOCUMENTS = 600
WAYS: dict[str, dict[str, Any]] = {
    "ignored, nb-svm": {"learner": "nb-svm"},
    "ignored, averaged-mira": {"learner": "averaged-mira"},
    "ignored, logistic": {"learner": "logistic"},
    "learned, averaged-mira": {"learner": "averaged-mira", "learns": True},
    "learned, svm": {"learner": "svm", "options": {"loss": "multiclass-hinge"}, "learns": True},
    "decided, logistic": {"learner": "logistic", "learns": True},
    "decided, averaged-mira calibrated": {"learner": "averaged-mira", "calibrate": "sigmoid", "decides": True},
    "decided, no option (nb-svm calibrated)": {"learns": True},
}
QUICK = ("ignored, nb-svm", "decided, no option (nb-svm calibrated)")


def cost(name: str, y: str, y_hat: str) -> float:
    if y == y_hat:
        return 0.0
    if name == "imdb":
        return 5.0 if y == "neg" else 1.0
    if name == "20news":
        return 1.0 if y.split(".")[0] == y_hat.split(".")[0] else 4.0
    return 2.0 if y.split(":")[0] == y_hat.split(":")[0] else 4.0


def run(quick: bool = False, rounds: int = 1) -> list[Table]:
    """Run the benchmark once: the same seed gives the same result, so more rounds would change nothing."""
    names = [name for name in SETS if datasets.is_here(name)][: 1 if quick else None]
    tables = []
    for name in names:
        given = {"name": name, "limit": QUICK_DOCUMENTS if quick else None}
        ways = {way: how for way, how in WAYS.items() if not quick or way in QUICK}
        contest = compete(
            {f"linnet, {way}": partial(job, "costs:paid", **given, how=how) for way, how in ways.items()}, 1
        )
        rows = [
            [way.removeprefix("linnet, "), f"{found['cost']:.4f} ± {found['error']:.4f}", f"{found['accuracy']:.2f}"]
            for way, (found,) in contest.runs.items()
        ]
        note = "\n".join(f"{way} is left out: {reason}" for way, reason in (contest.missing | contest.failed).items())
        details = {"runs": contest.runs, "failed": contest.failed}
        tables.append(Table(f"{name}: mean cost", ["", "mean cost", "accuracy %"], rows, note, details))
    return tables


def paid(name: str, limit: int | None, how: dict[str, Any]) -> dict[str, float]:
    import numpy as np

    import linnet

    train, test = (datasets.read(name, part, limit) for part in ("train", "test"))
    labels = sorted({*train.labels})
    costs = {(y, y_hat): cost(name, y, y_hat) for y in labels for y_hat in labels}
    model = linnet.train(
        (train.texts, train.labels),
        learner=how.get("learner"),
        options=how.get("options", {}) | ({"costs": costs} if how.get("learns") else {}),
        calibrate=how.get("calibrate"),
    )
    y_hat = model.predict(test.texts, **({"costs": costs} if how.get("decides") else {}))
    paid = np.array([cost(name, y, k) for y, k in zip(test.labels, y_hat, strict=True)])
    return {
        "cost": float(paid.mean()),
        "error": float(paid.std() / len(paid) ** 0.5),
        "accuracy": 100 * float(np.mean(paid == 0)),
    }


if __name__ == "__main__":
    from run import main

    main(["costs"])
