"""Labels of a tree: each learner over the 50 kinds of questions of TREC as they are, and over the tree of 6 above them.

Learned from a random nine tenths of the training part, ten times, each time in another order; the same for both sides, with the
same features and options. The tree loss is the mean number of edges between the right label and the predicted one: 2 where the
six are right, else 4. Differences are tested twice: over test questions, of each its mean over all runs (paired bootstrap), and over
runs, by how many of them have the lower loss (sign test). The last rows are flat learners that decide by the tree: calibrated
probabilities, and the label of least expected loss. Nothing is chosen here.
"""

from __future__ import annotations

import statistics
from functools import partial
from typing import Any

import datasets
from measure import Contest, compete, job
from report import Table

NAME = "trec-fine"
SEEDS = 10
QUICK_SEEDS, QUICK_DOCUMENTS = 2, 600
LEARNERS: dict[str, tuple[str, dict[str, Any]]] = {
    "perceptron": ("perceptron", {}),
    "averaged-perceptron": ("averaged-perceptron", {}),
    "mira": ("mira", {}),
    "averaged-mira": ("averaged-mira", {}),
    "pa": ("pa", {}),
    "arow": ("arow", {}),
    "svm, all labels at once": ("svm", {"loss": "multiclass-hinge"}),
    "logistic": ("logistic", {}),
}
QUICK_LEARNERS = ("averaged-mira", "logistic")
DECIDED = ("nb-svm", "averaged-mira")
"""Flat, with their scores calibrated and the costs of the tree."""


def run(quick: bool = False, rounds: int = 1) -> list[Table]:
    """Rounds are seeds here, of which there are ten."""
    datasets.file_path("trec-train.jsonl")
    given = {"seeds": QUICK_SEEDS if quick else SEEDS, "limit": QUICK_DOCUMENTS if quick else None}
    sides = {
        name: partial(job, "trec_hierarchy:answers", learner=learner, options=options, **given)
        for name, (learner, options) in LEARNERS.items()
        if not quick or name in QUICK_LEARNERS
    }
    for learner in DECIDED:
        sides[f"{learner}, decided by costs"] = partial(job, "trec_hierarchy:decided", learner=learner, **given)
    contest = compete({f"linnet, {name}": side for name, side in sides.items()}, 1)
    return [_table(contest)]


def answers(learner: str, options: dict[str, Any], seeds: int, limit: int | None) -> dict[str, Any]:
    """What is predicted for the test questions, in each run, by the learner as it is and over the tree."""
    return _answers(
        seeds,
        limit,
        flat={"task": "labels", "learner": learner, "options": options},
        tree={"task": "hierarchy", "learner": learner, "options": options},
    )


def decided(learner: str, seeds: int, limit: int | None) -> dict[str, Any]:
    """The same of a learner as it is, and with calibrated probabilities and the costs of the tree."""
    labels = sorted({*datasets.read(NAME, "train", limit).labels})
    costs = {(y, y_hat): edges(y, y_hat) for y in labels for y_hat in labels}
    return _answers(
        seeds, limit, flat={"learner": learner}, tree={"learner": learner, "calibrate": "sigmoid"}, costs=costs
    )


def _answers(seeds: int, limit: int | None, costs: Any = None, **sides: dict[str, Any]) -> dict[str, Any]:
    import random

    import linnet

    train, test = (datasets.read(NAME, part, limit) for part in ("train", "test"))
    found: dict[str, list[list[str]]] = {side: [] for side in sides}
    for seed in range(seeds):
        kept = sorted(random.Random(seed).sample(range(len(train.texts)), round(0.9 * len(train.texts))))
        data = [train.texts[i] for i in kept], [train.labels[i] for i in kept]
        for side, how in sides.items():
            model = linnet.train(data, seed=seed, **how)
            known = {pair: cost for pair, cost in (costs or {}).items() if {*pair} <= {*model.labels}}
            by_costs = {"costs": known} if "calibrate" in how else {}
            found[side].append(model.predict(test.texts, **by_costs))
    return {"gold": test.labels, **found}


def edges(y: str, y_hat: str) -> float:
    """Between two labels such as NUM:date."""
    return 0.0 if y == y_hat else 2.0 if y.split(":")[0] == y_hat.split(":")[0] else 4.0


def compared(gold: list[str], flat: list[list[str]], tree: list[list[str]]) -> dict[str, Any]:
    """Accuracy in % and tree loss of both sides, means over runs; p over examples and over runs."""
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


def _table(contest: Contest) -> Table:
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
    title = "TREC, 50 labels below 6: accuracy and tree loss (± standard deviation over runs)"
    absent = contest.missing | contest.failed
    note += "".join(f"\n{name} is left out: {reason}" for name, reason in absent.items())
    return Table(title, headings, rows, note, {"comparisons": details, "failed": contest.failed})


if __name__ == "__main__":
    from run import main

    main(["trec_hierarchy"])
