"""Labels of a tree: each learner over the 50 kinds of questions of TREC as they are, and over the tree of 6 above them.

    test     learned from a random nine tenths of the training part, ten times, each time in another order; then the test part
    folds    the training part predicted by five folds, three times: ten times as many questions

Both sides have the same features, options, questions and orders. The tree loss is the mean number of edges between the right
label and the predicted one: 2 where the one of the six is right, else 4. Differences are tested over questions, of each its
mean over all runs (paired bootstrap), and over runs, by how many of them have the lower loss (sign test). The last rows of the
first table are flat learners that decide by the tree: calibrated probabilities, and the label of least expected loss. Nothing
is chosen here.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterator
from functools import partial
from typing import Any

import datasets
from measure import Contest, compete, job
from report import Table

Pair = tuple[list[str], list[str]]
"""A pair of texts and their labels."""

NAME = "trec-fine"
FEATURES = "words:1-2 punct bm25 min=2"
RUNS = {"test": 10, "folds": 3}
FOLDS = 5
QUICK_RUNS, QUICK_DOCUMENTS = 2, 600
LEARNERS: dict[str, tuple[str, dict[str, Any]]] = {
    "perceptron": ("perceptron", {}),
    "averaged-perceptron": ("averaged-perceptron", {}),
    "mira": ("mira", {}),
    "averaged-mira": ("averaged-mira", {}),
    "pa": ("pa", {}),
    "arow": ("arow", {}),
    "svm, all labels at once": ("svm", {"loss": "multiclass-hinge"}),
    "svm, each node": ("svm", {}),
    "nb-svm": ("nb-svm", {}),
    "logistic": ("logistic", {}),
}
QUICK_LEARNERS = ("averaged-mira", "logistic")
DECIDED = ("nb-svm", "averaged-mira")
"""The learners that are also tried over flat labels with calibrated scores and the costs of the tree."""


def run(quick: bool = False, rounds: int = 1) -> list[Table]:
    """Run the benchmark once: it repeats its runs with several seeds itself."""
    datasets.file_path("trec-train.jsonl")
    tables = []
    for part, runs in RUNS.items():
        given = {"part": part, "runs": QUICK_RUNS if quick else runs, "limit": QUICK_DOCUMENTS if quick else None}
        sides = {
            name: partial(job, "trec_hierarchy:answers", learner=learner, options=options, **given)
            for name, (learner, options) in LEARNERS.items()
            if not quick or name in QUICK_LEARNERS
        }
        for learner in DECIDED if part == "test" else ():
            sides[f"{learner}, decided by costs"] = partial(job, "trec_hierarchy:decided", learner=learner, **given)
        contest = compete({f"linnet, {name}": side for name, side in sides.items()}, 1)
        tables.append(_table(part, contest))
    return tables


def answers(learner: str, options: dict[str, Any], **given: Any) -> dict[str, Any]:
    """The predictions for the questions in each run, by a learner over flat labels and over the tree."""
    how = {"learner": learner, "options": options}
    return _answers(flat={"task": "labels", **how}, tree={"task": "hierarchy", **how}, **given)


def decided(learner: str, **given: Any) -> dict[str, Any]:
    """The predictions for the questions in each run, by a learner over flat labels as it is, and with calibrated probabilities
    and the costs of the tree."""
    return _answers(flat={"learner": learner}, tree={"learner": learner, "calibrate": "sigmoid"}, **given)


def _answers(part: str, runs: int, limit: int | None, flat: dict[str, Any], tree: dict[str, Any]) -> dict[str, Any]:
    import linnet

    found: dict[str, Any] = {"flat": [], "tree": []}
    for seed in range(runs):
        for side, how in (("flat", flat), ("tree", tree)):
            gold, predicted = [], []
            for data, (texts, labels) in _parts(part, seed, limit):
                model = linnet.train(data, seed=seed, features=FEATURES, **how)
                costs = {(y, k): edges(y, k) for y in model.labels for k in model.labels}
                predicted += model.predict(texts, **({"costs": costs} if "calibrate" in how else {}))
                gold += labels
            found[side].append(predicted)
            found["gold"] = gold
    return found


def _parts(part: str, seed: int, limit: int | None) -> Iterator[tuple[Pair, Pair]]:
    """Yield pairs of what to learn from and what to predict."""
    train = datasets.read(NAME, "train", limit)
    n = len(train.texts)
    if part == "test":
        test = datasets.read(NAME, "test", limit)
        kept = sorted(random.Random(seed).sample(range(n), round(0.9 * n)))
        yield _pick(train, kept), (test.texts, test.labels)
        return
    order = random.Random(0).sample(range(n), n)
    for fold in range(FOLDS):
        yield _pick(train, [i for k, i in enumerate(order) if k % FOLDS != fold]), _pick(train, order[fold::FOLDS])


def _pick(documents: datasets.Documents, rows: list[int]) -> Pair:
    return [documents.texts[i] for i in rows], [documents.labels[i] for i in rows]


def edges(y: str, y_hat: str) -> float:
    """The number of edges of the tree between two labels such as NUM:date."""
    return 0.0 if y == y_hat else 2.0 if y.split(":")[0] == y_hat.split(":")[0] else 4.0


def compared(gold: list[str], flat: list[list[str]], tree: list[list[str]]) -> dict[str, Any]:
    """The means over runs of accuracy in % and of tree loss for both sides, with p over examples and over runs."""
    import numpy as np

    from linnet.evaluate.significance import differences, mcnemar

    cost = [[[edges(y, y_hat) for y, y_hat in zip(gold, one, strict=True)] for one in side] for side in (flat, tree)]
    right = [[[y == y_hat for y, y_hat in zip(gold, one, strict=True)] for one in side] for side in (flat, tree)]
    loss = np.array(cost)  # sides x runs x examples
    per_run = loss.mean(axis=2)
    per_example = loss.mean(axis=1)
    of_right = np.array(right, float).mean(axis=1)
    ones = np.ones_like(per_example)
    fewer, more = (int(np.sum(a < b)) for a, b in ((per_run[1], per_run[0]), (per_run[0], per_run[1])))
    return {
        "accuracy": (100 * of_right.mean(axis=1)).tolist(),
        "p_accuracy": float(differences(of_right, ones)[0, 1]),
        "loss": loss.mean(axis=(1, 2)).tolist(),
        "sd": per_run.std(axis=1, ddof=1).tolist(),
        "p_examples": float(differences(per_example, ones)[0, 1]),
        "runs_lower": fewer,
        "p_runs": mcnemar(fewer, more, "exact"),
    }


def _table(part: str, contest: Contest) -> Table:
    rows, details = [], {}
    for name, (answer,) in contest.runs.items():
        found = details[name] = compared(answer["gold"], answer["flat"], answer["tree"])
        rows.append(
            [
                name.removeprefix("linnet, "),
                *(f"{value:.2f}" for value in found["accuracy"]),
                f"{found['p_accuracy']:.3f}",
                *(f"{value:.4f} ± {sd:.4f}" for value, sd in zip(found["loss"], found["sd"], strict=True)),
                f"{found['p_examples']:.4f}",
                f"{found['runs_lower']} of {len(answer['flat'])}",
                f"{found['p_runs']:.4f}",
            ]
        )
    headings = ["", "flat %", "tree %", "p", "flat, edges", "tree, edges", "p, questions", "runs lower", "p, runs"]
    gains = [found["loss"][0] - found["loss"][1] for found in details.values()]
    note = f"The tree loss is lower by {statistics.fmean(gains):.3f} edges in the mean." if gains else ""
    title = f"TREC, 50 labels below 6, {part}: accuracy and tree loss (± standard deviation over runs)"
    absent = contest.missing | contest.failed
    note += "".join(f"\n{name} is left out: {reason}" for name, reason in absent.items())
    return Table(title, headings, rows, note, {"comparisons": details, "failed": contest.failed})


if __name__ == "__main__":
    from run import main

    main(["trec_hierarchy"])
