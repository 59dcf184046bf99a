"""Large models: how long it takes from the start of a program to its first answer, and until the whole file has been checked.

Texts are made up: words by Zipf's law, so that most pairs and triples of words are new. Logistic regression over them and 16
labels has 16 weights for each n-gram, none of which is zero: some 12 million n-grams make a file of a gigabyte. A model of a
hundredth of it stands beside it. The files are in the memory of the system when they are read, as they are after a first run.
"""

from __future__ import annotations

import os
import subprocess
import time
from functools import partial
from itertools import pairwise
from pathlib import Path

import datasets
from measure import ONE_THREAD, Run, compete, job, say
from report import Column, Table, contest_table

LABELS, WORDS = 16, 250
SIZES = {"1 GB": 38_000, "10 MB": 300}
QUICK = {"10 MB": 300}
IN_PYTHON = (
    Column("file MB", "file_mb", ".1f"),
    Column("index MB", "index_mb", ".1f"),
    Column("import ms", "import_ms", ".0f"),
    Column("load ms", "load_ms", ".1f"),
    Column("first text ms", "first_ms", ".1f"),
    Column("both, CPU ms", "cpu_ms", ".0f"),
    Column("next text ms", "next_ms", ".2f"),
    Column("checked, CPU ms", "checked_ms", ".0f"),
)
COMMAND = (
    Column("first answer s", "first", ".3f"),
    Column("end s", "wall", ".3f"),
    Column("CPU s", "cpu", ".3f"),
    Column("peak MB", "peak_mb", ".0f"),
)


def run(quick: bool = False, rounds: int = 5) -> list[Table]:
    files = {}
    for name, documents in (QUICK if quick else SIZES).items():
        say(f"  making the model of {name}")
        files[name] = job("large_models:made", documents=documents)
    in_python = {f"linnet, {name}": partial(job, "large_models:asked", **paths(of)) for name, of in files.items()}
    command = {f"linnet predict, {name}": partial(predicted, **paths(of)) for name, of in files.items()}
    return [
        contest_table("large models: linnet.load and predict", compete(in_python, rounds), IN_PYTHON, "cpu_ms", {}),
        contest_table("large models: the command, one text", compete(command, rounds), COMMAND, pairs={}),
    ]


def paths(of: Run) -> dict[str, object]:
    return {name: of[name] for name in ("model", "text")}


def made(documents: int) -> dict[str, str]:
    """Train a model on so many documents, if that has not been done, and write one more text."""
    import numpy as np

    import linnet

    model = datasets.cache() / f"large-{linnet.__version__}-{documents}.linnet"
    text = model.with_suffix(".txt")
    if not model.exists():
        rng = np.random.default_rng(0)
        letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
        vocabulary = np.array(["".join(letters[rng.integers(0, 26, n)]) for n in rng.integers(2, 11, 200_000)])
        share = np.cumsum(1 / np.arange(1, len(vocabulary) + 1))
        drawn = vocabulary[np.searchsorted(share, rng.random((documents + 1, WORDS)) * share[-1])]
        texts = [" ".join(row) for row in drawn]
        labels = [f"label {k}" for k in rng.integers(0, LABELS, documents)]
        text.write_text(texts[-1] + "\n")
        trained = linnet.train((texts[:-1], labels), features="words:1-3", learner="logistic", epochs=1)
        trained.save(model)
    return {"model": str(model), "text": str(text)}


def asked(model: str, text: str) -> Run:
    """The time of each step in Python. CPU time is that of the thread that asks, and then of the one that checks the file."""
    times = [time.perf_counter()]
    import linnet

    load = linnet.load  # imports what loading needs
    times.append(time.perf_counter())
    cpu, all_cpu = time.thread_time(), time.process_time()
    loaded = load(model)
    times.append(time.perf_counter())
    one = [Path(text).read_text()]
    loaded.predict(one)
    cpu = time.thread_time() - cpu
    times.append(time.perf_counter())
    loaded.predict(one)
    times.append(time.perf_counter())
    loaded.verify()
    all_cpu = time.process_time() - all_cpu
    index = loaded.features.arrays().get("index")
    took = [1000 * (b - a) for a, b in pairwise(times)]
    return {
        "file_mb": os.path.getsize(model) / 1e6,
        "index_mb": 0 if index is None else index.nbytes / 1e6,
        **dict(zip(("import_ms", "load_ms", "first_ms", "next_ms"), took, strict=True)),
        "cpu_ms": 1000 * cpu,
        "checked_ms": 1000 * (all_cpu - cpu),
    }


def predicted(model: str, text: str) -> Run:
    """The command, with the moment of its first answer. The table of answers begins with the names of its columns."""
    from peers import linnet_command

    began = time.perf_counter()
    argv = [linnet_command(), "predict", model, text]
    process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=os.environ | ONE_THREAD)
    assert process.stdout is not None
    process.stdout.read(1)
    first = time.perf_counter() - began
    process.stdout.read()
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    wall = time.perf_counter() - began
    return {
        "first": first,
        "wall": wall,
        "cpu": usage.ru_utime + usage.ru_stime,
        "peak_mb": usage.ru_maxrss * 1024 / 1e6,
    }


if __name__ == "__main__":
    from run import main

    main(["large_models"])
