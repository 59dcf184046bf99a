"""Few labels and many texts without any: accuracy with 100, 300 and 1,000 labels, with `--unlabelled` and without.

The labelled texts are drawn at random from the training part, five times over; all other texts of that part, at most 20,000 of
them, are there without labels. Every tool gets the same texts.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import datasets
from errors import MissingError
from measure import compete, job
from report import Table

SETS = ("trec", "sentence_polarity", "20news", "imdb", "movie_reviews")
SIZES = (100, 300, 1000)
SEEDS = 5
POOL = 20_000
TEST = 5000
TOOLS = ("tf-idf + logistic regression", "linnet", "linnet --unlabelled")


def run(quick: bool = False, rounds: int = 1) -> list[Table]:
    """Run the benchmark once: the same seeds give the same result."""
    there = [name for name in SETS if datasets.is_here(name)]
    if not there:
        raise MissingError(f"none of {', '.join(SETS)} is in the folder that LINNET_DATA names")
    tables = []
    for name in there[:1] if quick else there:
        sides = {
            tool: partial(job, "few_labels:accuracies", name=name, tool=tool, seeds=1 if quick else SEEDS)
            for tool in TOOLS
        }
        contest = compete(sides, 1)
        rows = [[who, *map(_cell, found["accuracy"]), f"{found['cpu']:.1f}"] for who, (found,) in contest.runs.items()]
        head = ["", *(f"{n:,} labels" for n in SIZES), "CPU s, 100 labels"]
        title = f"{name}: accuracy in %, mean of {SEEDS} draws ± standard error"
        tables.append(Table(title, head, rows, "", {"runs": contest.runs, "failed": contest.failed}))
    return tables


def _cell(found: tuple[float, float]) -> str:
    mean, error = found
    return f"{100 * mean:.1f} ± {100 * error:.1f}"


def accuracies(name: str, tool: str, seeds: int) -> dict[str, Any]:
    """For each number of labels the mean accuracy over the draws and its standard error; and the CPU time of one training."""
    import time

    import numpy as np

    texts, labels, test_texts, test_labels = _parts(name)
    found = np.zeros((seeds, len(SIZES)))
    cpu = 0.0
    for seed in range(seeds):
        order = np.random.default_rng(seed).permutation(len(texts))[:POOL]
        for k, n in enumerate(SIZES):
            few, rest = order[:n], order[n:]
            began = time.process_time()
            predict = _trained(tool, [texts[i] for i in few], [labels[i] for i in few], [texts[i] for i in rest])
            cpu = time.process_time() - began if k == 0 else cpu
            found[seed, k] = np.mean([a == b for a, b in zip(predict(test_texts), test_labels, strict=True)])
    error = found.std(axis=0, ddof=1) / seeds**0.5 if seeds > 1 else np.zeros(len(SIZES))
    return {"accuracy": list(zip(found.mean(axis=0).tolist(), error.tolist(), strict=True)), "cpu": cpu}


def _trained(tool: str, texts: list[str], labels: list[str], others: list[str]) -> Any:
    """A function that gives the labels of texts."""
    if tool.startswith("tf-idf"):
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline

        words = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True)
        return make_pipeline(words, LogisticRegression(C=100, max_iter=1000)).fit(texts, labels).predict
    import linnet

    unlabelled = {"text": others} if tool.endswith("--unlabelled") else None
    return linnet.train(texts, labels, unlabelled=unlabelled, estimate=False).predict


def _parts(name: str) -> tuple[list[str], list[str], list[str], list[str]]:
    """Texts and labels to learn from, and a random sample of those to test on: the test part, or a tenth of the folds."""
    import numpy as np

    if datasets.SOURCES[name].folds:
        whole = datasets.read(name)
        train = [i for i, fold in enumerate(whole.folds) if fold]
        test = [i for i, fold in enumerate(whole.folds) if not fold]
        texts, labels, test_texts, test_labels = (
            [of[i] for i in some] for some in (train, test) for of in (whole.texts, whole.labels)
        )
        return texts, labels, test_texts, test_labels
    first, second = datasets.read(name, "train"), datasets.read(name, "test")
    sample = np.random.default_rng(0).permutation(len(second.texts))[:TEST]
    return first.texts, first.labels, [second.texts[i] for i in sample], [second.labels[i] for i in sample]


if __name__ == "__main__":
    from run import main

    main(["few_labels"])
