"""From a file of labelled text to a saved model and the predictions of another file.

The whole of it counts: starting Python, reading, the peers' own input formats, learning, saving, predicting, writing.
linnet's command line runs with no option at all, in two processes; each of the others in one.
"""

from __future__ import annotations

import csv
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import datasets
from measure import Run, compete, job, spawn
from report import Column, Table, contest_table

SETS = ("imdb", "20news", "trec", "reviews")
COLUMNS = (
    Column("CPU s", "cpu"),
    Column("wall s", "wall"),
    Column("peak MB", "peak_mb", ".0f"),
    Column("model MB", "model_mb", ".1f"),
    Column("accuracy %", "accuracy"),
)
PEERS: dict[str, tuple[str, dict[str, int]]] = {
    "linnet, Python": ("linnet", {}),
    "vw, 1 pass": ("vw", {"passes": 1}),
    "vw, 5 passes": ("vw", {"passes": 5}),
    "fastText": ("fasttext", {}),
    "sklearn tf-idf + LinearSVC": ("sklearn", {}),
}


def run(quick: bool = False, rounds: int = 3) -> list[Table]:
    limit = 1000 if quick else None
    tables = []
    for name in datasets.available(SETS):
        paths = job("endtoend:prepare", name=name, limit=limit)
        train, test = paths["train"], paths["test"]
        contestants: dict[str, Callable[[], Run]] = {"linnet, command": partial(linnet_command, train, test)}
        for title, (function, options) in PEERS.items():
            contestants[title] = partial(in_python, function, train, test, options)
        tables.append(contest_table(f"end to end: {name}", compete(contestants, rounds), COLUMNS))
    return tables


def linnet_command(train: str, test: str) -> Run:
    from peers import linnet_command

    command = linnet_command()
    with tempfile.TemporaryDirectory() as folder:
        model, out = Path(folder, "model.linnet"), Path(folder, "out.csv")
        usage = spawn([command, "train", train, "-o", model]) + spawn(
            [command, "predict", model, test, "-o", out, "--only"]
        )
        return usage.as_run() | _outcome(model, out, test)


def in_python(function: str, train: str, test: str, options: dict[str, int]) -> Run:
    with tempfile.TemporaryDirectory() as folder:
        model, out = Path(folder, "model"), Path(folder, "out.csv")
        run = job(f"tools:{function}", train=train, test=test, model=str(model), out=str(out), **options)
        return run | _outcome(model, out, test)


def _outcome(model: Path, out: Path, test: str) -> Run:
    return {
        "model_mb": model.stat().st_size / 1e6,
        "accuracy": job("endtoend:score", out=str(out), test=test)["accuracy"],
    }


def prepare(name: str, limit: int | None) -> dict[str, str]:
    return {part: str(datasets.plain(name, part, limit)) for part in ("train", "test")}


def score(out: str, test: str) -> Run:
    from peers import json_lines

    with open(out, newline="", encoding="utf-8") as file:
        rows = csv.reader(file)
        next(rows)
        found = [row[0] for row in rows]
    gold = [str(document["label"]) for document in json_lines(test)]
    return {"accuracy": 100 * sum(a == b for a, b in zip(found, gold, strict=True)) / len(gold)}


if __name__ == "__main__":
    from run import main

    main(["endtoend"])
