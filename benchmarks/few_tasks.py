"""Few labels in other languages and for other outputs than one label in English: with `--unlabelled` and without.

Chinese and Thai texts, questions with 50 labels, alone and as leaves of a tree, topics of news as sets and as a ranking, and
ratings. The labelled texts are drawn at random from the training part, five times over; the other texts of that part, at most
10,000, are there without labels, and up to 2,000 texts of the test part are judged.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import datasets
from errors import MissingError
from measure import compete, job
from report import Table

SIZES = (100, 300, 1000)
SEEDS = 5
POOL, TEST = 10_000, 2000
TENTH = "a set of one file: its first tenth is the test part"


@dataclass(frozen=True)
class Case:
    """A set, a task, and what is measured.

    file: the name of the training part, or of the only part.
    test: the name of the test part, or TENTH.
    output: makes the output of a row.
    measure: the number that a report of `evaluate` has, and its name in the table.
    """

    what: str
    task: str
    file: str
    test: str
    output: Callable[[dict[str, Any]], Any]
    measure: Callable[[Any], float]
    unit: str


def _accuracy(report: Any) -> float:
    return 100 * report.accuracy


def _label(row: dict[str, Any]) -> str:
    return row["label"]


def _labels(row: dict[str, Any]) -> list[str]:
    return row["labels"]


TREC, REUTERS, IMDB = ((f"{name}-train.jsonl", f"{name}-test.jsonl") for name in ("trec", "reuters", "imdb"))
CASES = {
    "zh-hotel": Case(
        "Chinese reviews of hotels, 2 labels", "labels", "zh-hotel.jsonl", TENTH, _label, _accuracy, "accuracy"
    ),
    "th-wisesight": Case("Thai posts, 4 labels", "labels", "th-wisesight.jsonl", TENTH, _label, _accuracy, "accuracy"),
    "trec-fine": Case("questions, 50 labels", "labels", *TREC, _label, _accuracy, "accuracy"),
    "trec-tree": Case(
        "questions, 50 leaves of a tree",
        "hierarchy",
        *TREC,
        lambda row: row["label"].replace(":", "/"),
        _accuracy,
        "accuracy",
    ),
    "reuters-sets": Case(
        "news, sets of topics", "labelset", *REUTERS, _labels, lambda report: 100 * report.micro_f1, "micro F1"
    ),
    "reuters-ranking": Case(
        "news, topics in order",
        "ranking",
        *REUTERS,
        _labels,
        lambda report: 100 * report.average_precision,
        "average precision",
    ),
    "imdb-ratings": Case(
        "film reviews, ratings of 1 to 10 (imdb)",
        "ordinal",
        *IMDB,
        lambda row: str(int(row["rating"])),
        lambda report: report.mean_absolute_error,
        "mean absolute error: less is better",
    ),
}


def run(quick: bool = False, rounds: int = 1) -> list[Table]:
    """Run the benchmark once: the same seeds give the same result."""
    there = [name for name, case in CASES.items() if datasets.has_file(case.file)]
    if not there:
        raise MissingError("none of its sets is in the folder that LINNET_DATA names")
    seeds = 1 if quick else SEEDS
    sides = {name: partial(job, "few_tasks:figures", name=name, seeds=seeds) for name in there[: 1 if quick else None]}
    contest = compete(sides, 1)
    rows = [
        [f"{CASES[name].what}: {CASES[name].unit}", f"{n:,}", *(f"{mean:.2f} ± {error:.2f}" for mean, error in cells)]
        for name, (found,) in contest.runs.items()
        for n, cells in zip(SIZES, found["means"], strict=True)
    ]
    title = f"few labels, other tasks and languages: mean of {seeds} draws ± standard error"
    head = ["", "labels", "linnet", "linnet --unlabelled", "difference"]
    return [Table(title, head, rows, "", {"runs": contest.runs, "failed": contest.failed})]


def figures(name: str, seeds: int) -> dict[str, Any]:
    """For each number of labels the means and standard errors of both ways and of their difference."""
    import numpy as np

    import linnet

    case = CASES[name]
    (texts, outputs), test = _parts(case)
    found: list[list[tuple[float, float]]] = [[] for _ in SIZES]
    for seed in range(seeds):
        order = np.random.default_rng(seed).permutation(len(texts)).tolist()
        for k, n in enumerate(SIZES):
            few = [texts[i] for i in order[:n]], [outputs[i] for i in order[:n]]
            others = {"text": [texts[i] for i in order[n : n + POOL]]}
            with_and_without = (
                linnet.train(*few, task=case.task, unlabelled=pool, estimate=False) for pool in (None, others)
            )
            found[k].append(tuple(case.measure(model.evaluate(*test)) for model in with_and_without))
    return {
        "each": found,
        "means": [[*map(_mean, (*zip(*pairs, strict=True), _differences(pairs)))] for pairs in found],
    }


def _differences(pairs: list[tuple[float, float]]) -> list[float]:
    return [b - a for a, b in pairs]


def _mean(values: list[float]) -> tuple[float, float]:
    """The mean of some numbers, and its standard error."""
    return statistics.fmean(values), statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0


def _parts(case: Case) -> tuple[tuple[list[str], list[Any]], tuple[list[str], list[Any]]]:
    """Texts and outputs to learn from, and those to test on."""
    import numpy as np

    rows = _rows(case.file)
    if case.test is TENTH:
        cut = len(rows) // 10
        rows, tested = rows[cut:], rows[:cut]
    else:
        tested = _rows(case.test)
    tested = [tested[i] for i in np.random.default_rng(0).permutation(len(tested))[:TEST].tolist()]
    return tuple(([row["text"] for row in some], [case.output(row) for row in some]) for some in (rows, tested))


def _rows(file: str) -> list[dict[str, Any]]:
    with datasets.opened(datasets.file_path(file)) as lines:
        return [json.loads(line) for line in lines]


if __name__ == "__main__":
    from run import main

    main(["few_tasks"])
