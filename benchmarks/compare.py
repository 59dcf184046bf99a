"""`linnet compare` with twelve learners beside scikit-learn with three of them, over the same ten folds.

scikit-learn makes counts of words 1-2 once for each fold and learns LinearSVC, LogisticRegression and MultinomialNB
from them, one after the other. linnet's command does the same with twelve learners, and everything else that it
reports: training errors, learning curves, calibration, significance. Wall time counts: linnet uses all cores,
scikit-learn as many as it does by itself; so does the one with a process for each core (`joblib`).
"""

from __future__ import annotations

import json
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import datasets
from measure import Run, compete, job, spawn
from report import Column, Table, contest_table

SETS = ("movie_reviews",)
LEARNERS = (
    "naive-bayes perceptron averaged-perceptron mira averaged-mira pa pa2 arow svm nb-svm pegasos logistic"
).split()
FEATURES = "words:1-2"
PEERS = ("svm", "logistic", "naive-bayes")
COLUMNS = (
    Column("wall s", "wall"),
    Column("CPU s", "cpu"),
    Column("learners", "learners", ".0f"),
    Column("best accuracy %", "accuracy"),
)


def run(quick: bool = False, rounds: int = 3) -> list[Table]:
    limit = 200 if quick else None
    tables = []
    for name in datasets.available(SETS):
        path = job("compare:prepare", name=name, limit=limit)["path"]
        contest = compete(
            {
                f"linnet compare, {len(LEARNERS)} learners": partial(linnet_command, path),
                "sklearn, 3 learners": partial(job, "compare:sklearn", path=path, jobs=1),
                "sklearn, 3 learners, all cores": partial(job, "compare:sklearn", path=path, jobs=-1),
            },
            rounds,
        )
        tables.append(contest_table(f"comparing learners: {name}, {FEATURES}, 10 folds", contest, COLUMNS, key="wall"))
    return tables


def prepare(name: str, limit: int | None) -> dict[str, str]:
    """The set as one file with a column `fold`."""
    documents = datasets.read(name, "all", limit)
    path = datasets.cache() / f"{name}-folds{'' if limit is None else f'-{limit}'}.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for text, label, fold in zip(*documents, strict=True):
            file.write(json.dumps({"text": text, "label": label, "fold": fold}) + "\n")
    return {"path": str(path)}


def linnet_command(path: str) -> Run:
    from peers import linnet_command

    command = linnet_command()
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "page.html")
        usage = spawn(
            [command, "compare", path, "--learners", ",".join(LEARNERS), "--features", FEATURES, "--html", page]
        )
        best = page.read_text(encoding="utf-8").partition('<td class="n">')[2].split()[0]
    return usage.as_run() | {"learners": len(LEARNERS), "accuracy": float(best)}


def sklearn(path: str, jobs: int) -> Run:
    from joblib import Parallel, delayed

    from peers import json_lines

    documents = list(json_lines(path))
    parts = sorted({document["fold"] for document in documents})
    right = Parallel(n_jobs=jobs)(delayed(_fold)(documents, fold) for fold in parts)
    accuracy = max(sum(found[name] for found in right) for name in PEERS) / len(documents)
    return {"learners": len(PEERS), "accuracy": 100 * accuracy}


def _fold(documents: list[dict[str, Any]], fold: int) -> dict[str, int]:
    """The number of held-out documents that each learner gets right."""
    from sklearn.feature_extraction.text import CountVectorizer

    from peers import TOKEN, sklearn_learner

    train, test = ([d for d in documents if (d["fold"] == fold) == held] for held in (False, True))
    vectorizer = CountVectorizer(ngram_range=(1, 2), token_pattern=TOKEN)
    X, y = vectorizer.fit_transform([d["text"] for d in train]), [d["label"] for d in train]
    Z, gold = vectorizer.transform([d["text"] for d in test]), [d["label"] for d in test]
    learners = {name: sklearn_learner(name).fit(X, y) for name in PEERS}
    return {name: int((learner.predict(Z) == gold).sum()) for name, learner in learners.items()}


if __name__ == "__main__":
    from run import main

    main(["compare"])
