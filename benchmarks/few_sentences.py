"""Few tagged sentences and many without tags: parts of speech, chunks and entities with 100, 300 and 1,000 tagged sentences,
with `--unlabelled` and without.

The sets are ewt-{train,test}.conllu, conll2000-{train,test}.txt and conll2002-esp-{train,testb}.txt, plain or gzipped, in the
folder named by LINNET_DATA. The tagged sentences are drawn at random from the training part, five times over; all others of
that part are there without their tags. The sets of CoNLL have parts of speech beside the words, which both sides see. Both
learn in one run, where the presets would take the mean of four. What was chosen was chosen on other draws, with held-out
sentences of the training parts.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import datasets
from errors import MissingError
from measure import compete, job
from report import Table

SETS = {
    "parts of speech, EWT, accuracy": ("ewt-train.conllu", "ewt-test.conllu"),
    "chunks, CoNLL-2000, F1": ("conll2000-train.txt", "conll2000-test.txt"),
    "entities, CoNLL-2002 Spanish, F1": ("conll2002-esp-train.txt", "conll2002-esp-testb.txt"),
}
SIZES = (100, 300, 1000)
SEEDS = 5
TOOLS = ("linnet", "linnet --unlabelled")


def run(quick: bool = False, rounds: int = 1) -> list[Table]:
    """Run the benchmark once: the same seeds give the same result."""
    there = [name for name, files in SETS.items() if all(map(datasets.has_file, files))]
    if not there:
        raise MissingError("none of the sets of sentences is in the folder that LINNET_DATA names")
    seeds = 1 if quick else SEEDS
    return [_table(name, SIZES[:1] if quick else SIZES, seeds) for name in (there[:1] if quick else there)]


def _table(name: str, sizes: tuple[int, ...], seeds: int) -> Table:
    sides = {
        tool: partial(job, "few_sentences:scores", name=name, tool=tool, sizes=sizes, seeds=seeds) for tool in TOOLS
    }
    contest = compete(sides, 1)
    rows = [
        [who, *map(_cell, found["score"]), *(f"{seconds:.1f}" for seconds in found["cpu"])]
        for who, (found,) in contest.runs.items()
    ]
    head = ["", *(f"{n:,} sentences" for n in sizes), *(f"CPU s, {n:,}" for n in sizes)]
    title = f"{name} in %, mean of {seeds} draws ± standard error"
    return Table(title, head, rows, "", {"runs": contest.runs, "failed": contest.failed})


def _cell(found: tuple[float, float]) -> str:
    mean, error = found
    return f"{100 * mean:.1f} ± {100 * error:.1f}"


def scores(name: str, tool: str, sizes: tuple[int, ...], seeds: int) -> dict[str, Any]:
    """For each number of tagged sentences the mean score over the draws, its standard error, and the CPU time of a training."""
    import time

    import numpy as np

    import linnet
    from linnet import io

    whole, test = (io.read_sentences(str(datasets.file_path(file)), framed=False) for file in SETS[name])
    found, cpu = np.zeros((seeds, len(sizes))), np.zeros((seeds, len(sizes)))
    for seed in range(seeds):
        order = np.random.default_rng(seed).permutation(len(whole))
        for k, n in enumerate(sizes):
            others = _drawn(whole, np.sort(order[n:])) if tool.endswith("--unlabelled") else None
            few = _drawn(whole, order[:n])
            began = time.process_time()
            model = linnet.train(few, task="tag", unlabelled=others, options={"runs": 1})
            cpu[seed, k] = time.process_time() - began
            report = model.evaluate(test)
            found[seed, k] = report.token_accuracy if report.f1 is None else report.f1
    error = found.std(axis=0, ddof=1) / seeds**0.5 if seeds > 1 else np.zeros(len(sizes))
    return {
        "score": list(zip(found.mean(axis=0).tolist(), error.tolist(), strict=True)),
        "cpu": cpu.mean(axis=0).tolist(),
    }


def _drawn(sentences: Any, rows: Any) -> Any:
    """Some of the sentences, with their tags."""
    from dataclasses import replace

    from linnet.core.arrow import numbers

    some, tokens = sentences.part(rows)
    return replace(some, tags=sentences.tags.take(numbers(tokens)))


if __name__ == "__main__":
    from run import main

    main(["few_sentences"])
