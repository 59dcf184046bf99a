"""Ratings of film reviews, 1 to 4 and 7 to 10 (IMDB): by thresholds, as flat labels and by regression; mean absolute error.

    own thresholds    task ordinal: a score for each threshold; by probabilities, the median
    one score         --set score=shared: one score, thresholds on it; with the perceptron it is PRank
    flat              task labels; with costs |y - y'| too, which MIRA learns with and probabilities decide by
    regression        scikit-learn's on the same features, rounded to the nearest rating; and its LinearSVC, flat

Settings of the regressions were chosen by a tenth of the training part, in favour of the peers; linnet's are the defaults.
Standard errors are those of the mean over test reviews.
"""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import datasets
from measure import compete, job
from report import Table

QUICK_REVIEWS = 1500
FEATURES = "words:1-2 punct bm25 min=2"
OURS: dict[str, dict[str, Any]] = {
    "own thresholds, no option (logistic)": {"task": "ordinal"},
    "own thresholds, averaged-mira": {"task": "ordinal", "learner": "averaged-mira"},
    "own thresholds, averaged-perceptron": {"task": "ordinal", "learner": "averaged-perceptron"},
    "one score, perceptron (PRank)": {"task": "ordinal", "learner": "perceptron", "options": {"score": "shared"}},
    "one score, averaged-perceptron": {
        "task": "ordinal",
        "learner": "averaged-perceptron",
        "options": {"score": "shared"},
    },
    "one score, averaged-mira": {"task": "ordinal", "learner": "averaged-mira", "options": {"score": "shared"}},
    "one score, logistic": {"task": "ordinal", "learner": "logistic", "options": {"runs": 3, "score": "shared"}},
    "flat, no option (nb-svm)": {"task": "labels"},
    "flat, averaged-mira": {"task": "labels", "learner": "averaged-mira"},
    "flat, averaged-mira, costs": {"task": "labels", "learner": "averaged-mira", "costs": True},
    "flat, logistic, costs": {"task": "labels", "learner": "logistic", "options": {"runs": 3}, "costs": True},
    "flat, nb-svm calibrated, costs": {"task": "labels", "costs": True},
}
QUICK = ("own thresholds, no option (logistic)", "one score, perceptron (PRank)")
PEERS: dict[str, tuple[str, dict[str, Any]]] = {
    "scikit-learn Ridge": ("Ridge", {"alpha": 0.1, "solver": "sparse_cg", "tol": 1e-3}),
    "scikit-learn SGDRegressor": ("SGDRegressor", {"alpha": 1e-6, "eta0": 0.1, "max_iter": 50, "random_state": 0}),
    "scikit-learn LinearSVC, flat": ("LinearSVC", {"C": 1.0}),
}


def run(quick: bool = False, rounds: int = 1) -> list[Table]:
    """Run the benchmark once: the same seed gives the same result, so more rounds would change nothing."""
    datasets.file_path("imdb-train.jsonl")
    limit = QUICK_REVIEWS if quick else None
    sides = {
        f"linnet, {name}": partial(job, "ratings:linnet", how=how, limit=limit)
        for name, how in OURS.items()
        if not quick or name in QUICK
    }
    sides |= {
        name: partial(job, "ratings:sklearn", kind=kind, given=given, limit=limit)
        for name, (kind, given) in PEERS.items()
        if not quick or kind == "Ridge"
    }
    contest = compete(sides, 1)
    rows = []
    for name, (found,) in contest.runs.items():
        n = found["n"]
        rows.append(
            [
                name,
                f"{found['error']:.4f} ± {found['sd'] / n**0.5:.4f}",
                f"{100 * found['right']:.2f}",
                f"{found['squared'] ** 0.5:.3f}",
                f"{found['cpu']:.1f}",
            ]
        )
    absent = contest.missing | contest.failed
    return [
        Table(
            "IMDB, ratings of 25,000 reviews",
            ["", "mean absolute error", "accuracy %", "root of mean square", "CPU s"],
            rows,
            "\n".join(f"{name} is left out: {reason}" for name, reason in absent.items()),
            {"runs": contest.runs, "failed": contest.failed},
        )
    ]


def linnet(how: dict[str, Any], limit: int | None) -> dict[str, float]:
    import time

    import linnet

    texts, ratings, test_texts, gold = _data(limit)
    scale = sorted({*ratings})
    options = dict(how.get("options", {}))
    if how.get("costs"):
        options["costs"] = {(str(y), str(k)): abs(y - k) for y in scale for k in scale}
    began = time.process_time()
    model = linnet.train(
        (texts, list(map(str, ratings))),
        task=how["task"],
        learner=how.get("learner"),
        features=FEATURES,
        options=options,
    )
    found = list(map(int, model.predict(test_texts)))
    return _measured(found, gold) | {"cpu": time.process_time() - began}


def sklearn(kind: str, given: dict[str, Any], limit: int | None) -> dict[str, float]:
    import time

    import numpy as np
    from sklearn import linear_model, svm

    from linnet.sklearn import TextVectorizer

    texts, ratings, test_texts, gold = _data(limit)
    vectorizer = TextVectorizer(FEATURES)
    X, X_test = vectorizer.fit_transform(texts), vectorizer.transform(test_texts)
    began = time.process_time()
    estimator = (getattr(linear_model, kind, None) or getattr(svm, kind))(**given)
    predicted = estimator.fit(X, np.array(ratings)).predict(X_test)
    scale = np.unique(ratings)
    found = scale[np.argmin(np.abs(predicted[:, None] - scale), axis=1)]
    return _measured(found.tolist(), gold) | {"cpu": time.process_time() - began}


def _data(limit: int | None) -> tuple[list[str], list[int], list[str], list[int]]:
    """The texts and ratings of both parts. The parts are sorted by label, so a limit takes rows from all over them."""
    parts: list[Any] = []
    for part in ("train", "test"):
        with datasets.opened(datasets.file_path(f"imdb-{part}.jsonl")) as file:
            rows = [json.loads(line) for line in file]
        rows = rows if limit is None else rows[:: max(1, len(rows) // limit)]
        parts += [[row["text"] for row in rows], [int(row["rating"]) for row in rows]]
    return tuple(parts)  # type: ignore[return-value]


def _measured(found: list[int], gold: list[int]) -> dict[str, float]:
    import numpy as np

    off = np.abs(np.array(found) - np.array(gold))
    return {
        "n": len(off),
        "error": float(off.mean()),
        "sd": float(off.std()),
        "right": float(np.mean(off == 0)),
        "squared": float(np.mean(off**2)),
    }


if __name__ == "__main__":
    from run import main

    main(["ratings"])
