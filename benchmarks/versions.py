"""Two versions of linnet in turns: the CPU seconds of training and of predicting, and whether both write the same bytes.

    python benchmarks/versions.py ../before/.venv/bin/linnet .venv/bin/linnet [--rounds 5] [--only imdb]

Each argument is the command of an install. Both do the same work one after the other in each round, so that a busy machine
slows both alike; a ratio below 1 says that the second one is quicker.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from functools import partial
from pathlib import Path

from datasets import file_path
from errors import MissingError
from measure import Run, compete, say, spawn

WORK = {
    "imdb": ("imdb-train.jsonl", "imdb-test.jsonl", []),
    "chunks": ("conll2000-train.txt", "conll2000-test.txt", ["--epochs", "2"]),
    "trees": ("ewt-train.conllu", "ewt-test.conllu", ["--task", "parse", "--set", "order=1", "--epochs", "1"]),
}


def learned(command: str, name: str, model: Path) -> Run:
    train, _, options = WORK[name]
    return spawn([command, "train", file_path(train), "-o", model, "--force", *options]).as_run()


def answered(command: str, name: str, model: Path) -> Run:
    _, test, _ = WORK[name]
    return spawn([command, "predict", model, file_path(test), "-o", model.with_suffix(".csv"), "--force"]).as_run()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("commands", nargs=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", choices=WORK)
    asked = parser.parse_args()
    print("| work | first, CPU s | second, CPU s | second / first | same bytes |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        models = [Path(folder) / "first.linnet", Path(folder) / "second.linnet"]
        for name in [asked.only] if asked.only else WORK:
            for what, run in (("train", learned), ("predict", answered)):
                names = ("first", "second")
                each = zip(names, asked.commands, models, strict=True)
                contest = compete({n: partial(run, command, name, model) for n, command, model in each}, asked.rounds)
                if len(contest.runs) < 2:
                    say(f"{name}, {what}: {contest.missing | contest.failed}")
                    continue
                files = models if what == "train" else [model.with_suffix(".csv") for model in models]
                same = "yes" if files[0].read_bytes() == files[1].read_bytes() else "no"
                seconds = " | ".join(f"{contest.median(n, 'cpu'):.2f}" for n in names)
                print(
                    f"| {name}, {what} | {seconds} | {contest.ratio('second', 'first', 'cpu'):.3f} | {same} |",
                    flush=True,
                )
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except MissingError as reason:
        sys.exit(f"{reason}.")
