"""Peak memory of training from files as the data grow, beside training in memory, and whether both write the same model.

The data are a set once, four times and sixteen times, each time shuffled anew. So the features stop growing, except for those
that one text had alone, which min=2 leaves out of the first file: what still grows is what each example takes. Texts are
learned with no option, and the chunks of CoNLL-2000 in one epoch of averaged-perceptron, as the usual learner takes long.

The peak is that of the resident set: the memory of the program itself, with the libraries that it has loaded and the pages of
files that are mapped at that moment. What the system keeps of files in memory that is free does not count.
"""

from __future__ import annotations

import hashlib
import random
import tempfile
from functools import partial
from pathlib import Path

import datasets
from errors import MissingError
from measure import Run, compete, job, say, spawn
from report import Table

TIMES = (1, 4, 16)
PLACES = {
    "from files": ["--set", "memory=rows"],
    "from files, one thread": ["--set", "memory=rows", "--threads", "1"],
    "in memory": ["--set", "memory=all"],
}
QUICK = 500


def run(quick: bool = False, rounds: int = 1) -> list[Table]:
    limit = QUICK if quick else None
    texts = table("training with no option", job("memory:prepare", limit=limit), rounds, [])
    how = ["--task", "tag", "--learner", "averaged-perceptron", "--epochs", "1"]
    try:
        sentences = job("memory:prepare_sentences", limit=limit)
    except MissingError as reason:
        say(f"tags are left out: {reason}.")
        return [texts]
    return [texts, table("tags", sentences, rounds, how)]


def table(title: str, files: Run, rounds: int, how: list[str]) -> Table:
    """The peak memory of training on the files that `prepare` has written."""
    names = {f"{times} x, {place}": (times, place) for times in TIMES for place in PLACES}
    contestants = {
        name: partial(_trained, files[str(times)], [*PLACES[place], *how]) for name, (times, place) in names.items()
    }
    contest = compete(contestants, rounds)
    rows = []
    for name, (times, place) in names.items():
        if name not in contest.runs:
            continue
        hashes = {run["model"] for other in names if names[other][0] == times for run in contest.runs.get(other, [])}
        rows.append(
            [
                f"{times} x {files['name']}, {files[f'{times} MB']:.0f} MB, {place}",
                f"{contest.median(name, 'peak_mb'):.0f}",
                f"{contest.median(name, 'cpu'):.1f}",
                f"{contest.median(name, 'wall'):.1f}",
                "yes" if len(hashes) == 1 else "NO",
            ]
        )
    return Table(
        f"memory: {title}, from files and in memory",
        ["", "peak MB", "CPU s", "wall s", "the same model"],
        rows,
        details={"runs": contest.runs, "missing": contest.missing, "failed": contest.failed},
    )


def _trained(train: str, how: list[str]) -> Run:
    from peers import linnet_command

    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder, "model.linnet")
        used = spawn([linnet_command(), "train", train, "-o", model, *how])
        return used.as_run() | {"model": hashlib.sha256(model.read_bytes()).hexdigest()}


def prepare(limit: int | None) -> dict[str, object]:
    """Write the set once, four times and sixteen times, and return the paths and sizes of the files."""
    source = datasets.available(["imdb"])[0]
    lines = datasets.plain(source, "train", limit).read_bytes().splitlines(keepends=True)
    return _written(source, "jsonl", lines, limit)


def prepare_sentences(limit: int | None) -> dict[str, object]:
    """Write the sentences of CoNLL-2000 as `prepare` writes texts."""
    with datasets.opened(datasets.file_path("conll2000-train.txt")) as file:
        sentences = [sentence + b"\n\n" for sentence in file.read().strip().split(b"\n\n")]
    return _written("conll2000", "txt", sentences[:limit], limit)


def _written(source: str, ending: str, lines: list[bytes], limit: int | None) -> dict[str, object]:
    found: dict[str, object] = {"name": source}
    for times in TIMES:
        path = datasets.cache() / f"memory-{source}{'' if limit is None else f'-{limit}'}-{times}.{ending}"
        if not path.exists():
            r = random.Random(times)
            with datasets.replacing(path) as new, new.open("wb") as file:
                for _ in range(times):
                    r.shuffle(lines)
                    file.writelines(lines)
        found |= {str(times): str(path), f"{times} MB": path.stat().st_size / 1e6}
    return found


if __name__ == "__main__":
    from run import main

    main(["memory"])
