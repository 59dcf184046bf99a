"""Threads: wall and CPU time of training from a file and predicting another, for 1, 2, 4 and 8 threads, and whether the bytes
of model and answers are the same.

imdb and 20news are learned with no option, beside VW; the chunks of CoNLL-2000 by the averaged perceptron in five passes. The
rows with shards learn from 4 parts that are mixed after each pass (`--shards 4`), which threads share, with the learner that is
in the row without shards above them. More threads than cores bring nothing but show that bytes do not depend on them. Wall
time means something only on a machine that does nothing else.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import datasets
import endtoend
from measure import Contest, Run, compete, job, spawn
from report import Table

THREADS = (1, 2, 4, 8)
SHARDS = "4"


class Set(NamedTuple):
    """A data set: its two files, the options of training, and those of the learner that learns from shards."""

    train: str
    test: str
    usual: tuple[str, ...]
    mixed: tuple[str, ...]


SETS = {
    "imdb": Set("imdb-train.jsonl", "imdb-test.jsonl", (), ("--learner", "averaged-mira")),
    "20news": Set("20news-train.jsonl", "20news-test.jsonl", (), ("--learner", "averaged-mira")),
    "CoNLL-2000": Set(
        "conll2000-train.txt",
        "conll2000-test.txt",
        ("--learner", "averaged-perceptron", "--epochs", "5"),
        ("--learner", "averaged-perceptron", "--epochs", "5"),
    ),
}


def run(quick: bool = False, rounds: int = 3) -> list[Table]:
    names = [name for name, data in SETS.items() if datasets.has_file(data.train)]
    return [_table(name, compete(_contestants(name, quick), rounds)) for name in names]


def _contestants(name: str, quick: bool) -> dict[str, Callable[[], Run]]:
    data = SETS[name]
    files = job("threads:prepare", name=name, limit=1000 if quick else None)
    train, test = files["train"], files["test"]
    found: dict[str, Callable[[], Run]] = {}
    for n in THREADS[:2] if quick else THREADS:
        found[f"linnet, threads {n}"] = partial(commands, train, test, ("--threads", str(n), *data.usual), n)
    if data.usual != data.mixed:
        found["linnet, no shards"] = partial(commands, train, test, ("--threads", "1", *data.mixed), 1)
    for n in THREADS[:2]:
        options = ("--threads", str(n), *data.mixed, "--shards", SHARDS)
        found[f"linnet, {SHARDS} shards, threads {n}"] = partial(commands, train, test, options, n)
    if name in ("imdb", "20news"):
        found["vw, 5 passes"] = partial(endtoend.in_python, "vw", train, test, {"passes": 5})
    return found


def commands(train: str, test: str, options: tuple[str, ...], threads: int) -> Run:
    """Train and predict with the command line; what both took, the accuracy or F1, and the hashes of both files as numbers."""
    from peers import linnet_command

    command = linnet_command()
    with tempfile.TemporaryDirectory() as folder:
        model, out = Path(folder, "model.linnet"), Path(folder, "answers.jsonl")
        learning = spawn([command, "train", train, "-o", model, *options])
        predicting = spawn([command, "predict", model, test, "-o", out, "--threads", str(threads)])
        right = job("threads:score", model=str(model), test=test)
        return (
            (learning + predicting).as_run()
            | {"train wall": learning.wall, "train cpu": learning.cpu}
            | {"predict wall": predicting.wall, "predict cpu": predicting.cpu, "accuracy": right["accuracy"]}
            | {"hash": _hash(model, out)}
        )


def _hash(*files: Path) -> float:
    """The first 48 bits of the SHA-256 of some files, as a number."""
    found = hashlib.sha256(b"".join(hashlib.sha256(file.read_bytes()).digest() for file in files))
    return float(int.from_bytes(found.digest()[:6], "big"))


def prepare(name: str, limit: int | None) -> dict[str, str]:
    """The files of a set; those of texts plain, so that they are not unpacked while they are measured."""
    if name in ("imdb", "20news"):
        return {part: str(datasets.plain(name, part, limit)) for part in ("train", "test")}
    data = SETS[name]
    return {"train": str(datasets.file_path(data.train)), "test": str(datasets.file_path(data.test))}


def score(model: str, test: str) -> Run:
    import linnet

    found = linnet.load(model).evaluate(test)
    return {"accuracy": 100 * (found.f1 if hasattr(found, "f1") else found.accuracy)}


def _table(name: str, contest: Contest) -> Table:
    keys = ("train wall", "train cpu", "predict wall", "predict cpu", "wall", "cpu", "peak_mb", "accuracy")
    rows = []
    for who, runs in contest.runs.items():
        figures = [f"{contest.median(who, key):.2f}" if key in runs[0] else "" for key in keys]
        bytes_of = {f"{int(run['hash']):012x}" for run in runs if "hash" in run}
        rows.append([who, *figures, " ".join(sorted(bytes_of))])
    head = ["", *(key.replace("cpu", "CPU").replace("peak_mb", "peak MB") for key in keys), "hash of both files"]
    note = "\n".join(f"{who} is left out: {reason}" for who, reason in (contest.missing | contest.failed).items())
    return Table(f"threads: {name}", head, rows, note, {"runs": contest.runs, "failed": contest.failed})


if __name__ == "__main__":
    from run import main

    main(["threads"])
