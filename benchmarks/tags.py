"""The presets for tags on their test parts: linnet with no option, which picks one, and with the fast one of its kind.

The files are those of the shared tasks of CoNLL-2000 (chunks) and CoNLL-2002 (Spanish entities) and of the treebank EWT (parts
of speech, small and large tag set), plain or gzipped, in the folder named by LINNET_DATA. Nothing is chosen here.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from functools import partial
from pathlib import Path

import datasets
from measure import Run, compete, spawn
from report import Column, Table, contest_table

COLUMNS = (
    Column("F1 or accuracy %", "score"),
    Column("CPU s", "cpu", ".1f"),
    Column("wall s", "wall", ".1f"),
    Column("peak MB", "peak_mb", ".0f"),
    Column("model MB", "model_mb", ".1f"),
)
SETS: dict[str, tuple[str, str, str, str, list[str]]] = {
    "CoNLL-2000 chunks, F1": ("conll2000-train.txt", "conll2000-test.txt", "chunk-fast", "f1", []),
    "CoNLL-2002 Spanish entities, F1": (
        "conll2002-esp-train.txt",
        "conll2002-esp-testb.txt",
        "ner-fast",
        "f1",
        [],
    ),
    "EWT UPOS, accuracy": ("ewt-train.conllu", "ewt-test.conllu", "pos-fast", "token_accuracy", []),
    "EWT XPOS, accuracy": (
        "ewt-train.conllu",
        "ewt-test.conllu",
        "pos-fast",
        "token_accuracy",
        ["--label-col", "xpos"],
    ),
}


def run(quick: bool = False, rounds: int = 1) -> list[Table]:
    """Run the benchmark; more rounds only make the times more reliable. With `quick`, the slow presets are left out."""
    tables = []
    for title, (train, test, fast, score, options) in SETS.items():
        paths = [datasets.file_path(train), datasets.file_path(test)]
        contestants = {f"linnet, {fast}": partial(_measure, paths, score, options, ["--features", fast])}
        if not quick:
            contestants["linnet, no option"] = partial(_measure, paths, score, options, [])
        tables.append(contest_table(title, compete(contestants, rounds), COLUMNS))
    return tables


def _measure(paths: list[Path], score: str, columns: list[str], features: list[str]) -> Run:
    from peers import linnet_command

    train, test = paths
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder, "model.linnet")
        usage = spawn([linnet_command(), "train", train, "-o", model, *columns, *features])
        evaluated = subprocess.run(
            [linnet_command(), "evaluate", model, test, "--json", *columns], check=True, capture_output=True
        )
        return usage.as_run() | {
            "score": 100 * json.loads(evaluated.stdout)[score],
            "model_mb": model.stat().st_size / 1e6,
        }


if __name__ == "__main__":
    from run import main

    main(["tags"])
