"""How far `linnet train` can be believed: the accuracy that it expects, and the confidence of each prediction.

Each set is learned with no option, with and without the estimate. `expected` is what training says, `accuracy` what the test
part gives; `factors stay` is what it would expect if the factors of nb-svm were not counted again without the held-out part.
ECE is the expected calibration error of the confidences on the test part, in points; `by chance` is what it would
be on average if every confidence were exactly right, since a small test part has errors of its own. The test parts of 20news
and trec are of a later time or another source than the training parts, which no held-out part can know; for 20news a random
fifth of the training part stands beside it.
"""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import numpy as np

import datasets
from errors import MissingError
from measure import compete, cpu_seconds, job
from report import Table

FIFTH = "a random fifth"
SETS = {
    "imdb": ("imdb-train", "imdb-test"),
    "20news, by date": ("20news-train", "20news-test"),
    "20news, at random": ("20news-train", FIFTH),
    "sentence_polarity": ("sentence_polarity", FIFTH),
    "trec": ("trec-train", "trec-test"),
    "th-wisesight": ("th-wisesight", FIFTH),
    "zh-hotel": ("zh-hotel", FIFTH),
}
QUICK = {"sentence_polarity": SETS["sentence_polarity"]}
_DRAWS = 50

Texts = tuple[list[str], list[str]]
"""Texts and their labels."""


def run(quick: bool = False, rounds: int = 1) -> list[Table]:
    """Run the benchmark once: the same seed gives the same result, so more rounds would change nothing."""
    sides = {
        name: partial(job, "confidence:linnet", train=train, test=test)
        for name, (train, test) in (QUICK if quick else SETS).items()
        if datasets.has_file(f"{train}.jsonl")
    }
    if not sides:
        raise MissingError("none of the data sets is in the folder that LINNET_DATA names")
    contest = compete(sides, 1)
    rows = [
        [
            name,
            f"{100 * found['expected']:.1f} +- {100 * found['error']:.1f}",
            f"{100 * found['seen']:.1f}",
            f"{100 * found['accuracy']:.1f}",
            f"{100 * found['ece']:.1f}",
            f"{100 * found['by_chance']:.1f}",
            f"{found['without']:.2f}",
            f"{found['with']:.2f}",
        ]
        for name, (found,) in contest.runs.items()
    ]
    absent = contest.missing | contest.failed
    return [
        Table(
            "what training expects, and how sure predictions are",
            [
                "",
                "expected %",
                "factors stay %",
                "accuracy %",
                "ECE",
                "by chance",
                "CPU s without",
                "with the estimate",
            ],
            rows,
            "\n".join(f"{name} is left out: {reason}" for name, reason in absent.items()),
            {"runs": contest.runs, "failed": contest.failed},
        )
    ]


def linnet(train: str, test: str) -> dict[str, Any]:
    import linnet
    from linnet.evaluate.calibration import reliability

    (texts, labels), (new, gold) = data(train, test)
    seconds = {}
    for name, estimate in (("without", False), ("with", True)):
        began = cpu_seconds()
        model = linnet.train(texts, labels, task="labels", estimate=estimate)
        seconds[name] = cpu_seconds() - began
    p = model.predict_proba(new)
    best = p.max(axis=1).astype(np.float64)
    right = np.array(model.labels)[p.argmax(axis=1)] == np.array(gold)
    rng = np.random.default_rng(0)
    chance = np.mean([reliability(best, rng.random(len(best)) < best).ece for _ in range(_DRAWS)])
    expected = model.report["expected"]
    return {
        "expected": expected["accuracy"],
        "error": expected["error"],
        "seen": _with_factors_that_have_seen_all(texts, labels),
        "accuracy": float(right.mean()),
        "ece": reliability(best, right).ece,
        "by_chance": float(chance),
        **seconds,
    }


def _with_factors_that_have_seen_all(texts: list[str], labels: list[str]) -> float:
    """The accuracy on a held-out fifth by scores whose factors of naive Bayes were counted with that fifth."""
    from linnet.evaluate.folds import folds
    from linnet.fitting.fitting import Recipe
    from linnet.tasks import named

    task = named("labels")
    gold = task.read((texts, labels), {})
    plan = task.plan(None, gold)
    fitting = Recipe(task, plan).prepare(gold)
    learning = fitting.learning(plan)
    learning.run(fitting.examples)
    held = folds(len(gold), 5, y=gold.y) == 0
    scores = learning.held_out(fitting.examples, np.where(held, 0, -1), 0.001, exact=False)
    return float(np.mean(scores[held].argmax(axis=1) == gold.y[held]))


def data(train: str, test: str) -> tuple[Texts, Texts]:
    """The texts to learn from, and those to test on."""
    whole = _read(train)
    if test != FIFTH:
        return whole, _read(test)
    held = (np.random.default_rng(0).random(len(whole[0])) < 0.2).tolist()
    rows = list(zip(*whole, held, strict=True))
    learned, tested = ([(text, label) for text, label, out in rows if out is side] for side in (False, True))
    return ([text for text, _ in learned], [y for _, y in learned]), (
        [text for text, _ in tested],
        [y for _, y in tested],
    )


def _read(name: str) -> Texts:
    with datasets.opened(datasets.file_path(f"{name}.jsonl")) as file:
        rows = [json.loads(line) for line in file]
    return [row["text"] for row in rows], [row["label"] for row in rows]


if __name__ == "__main__":
    from run import main

    main(["confidence"])
