"""Few labels and many texts without any: accuracy with 100, 300 and 1,000 labels, with `--unlabelled` and without.

The labelled texts are drawn from the training part, at random or as many of each label, five times over; all other texts of
that part, at most 20,000 of them, are there without labels. Sets with folds are tested on two of them by turns, so that the
five draws test on all texts. Every tool gets the same texts. Sentence embeddings (`pip install 'linnet[embeddings]'`) take long
to compute, a second for ten long texts: for 20news and imdb there are those of three draws, of up to 1,000 and 100 texts, which
are the texts without labels of each other, too.
"""

from __future__ import annotations

import statistics
from functools import partial
from typing import Any

import datasets
from errors import MissingError
from measure import compete, job
from report import Table

SETS = ("trec", "sentence_polarity", "movie_reviews", "20news", "imdb")
EQUAL = ("trec", "20news")
"""The sets that are drawn with as many texts of each label, too; in the others both labels are as frequent already."""
LONG = {"20news": 1000, "imdb": 100}
"""The sets whose embeddings are computed for some texts alone, and the largest number of labels for which they are."""
SIZES = (100, 300, 1000)
SEEDS = 5
LONG_SEEDS = 3


def run(quick: bool = False, rounds: int = 1) -> list[Table]:
    """Run the benchmark once: the same seeds give the same result."""
    there = [name for name in SETS if datasets.is_here(name)]
    if not there:
        raise MissingError(f"none of {', '.join(SETS)} is in the folder that LINNET_DATA names")
    tables = []
    for name in there[:1] if quick else there:
        for draw in ("random", "equal") if name in EQUAL and not quick else ("random",):
            tables.append(_table(name, draw, 1 if quick else SEEDS))
    return tables if quick or not datasets.is_here("imdb") else [*tables, _costs()]


def _table(name: str, draw: str, seeds: int) -> Table:
    import few_tools

    sides = {
        tool: partial(job, "few_labels:accuracies", name=name, tool=tool, draw=draw, seeds=seeds)
        for tool in few_tools.TOOLS
    }
    if draw == "random" or name in LONG:
        sides["MiniLM"] = partial(job, "few_labels:of_embeddings", name=name, draw=draw, seeds=seeds)
    contest = compete(sides, 1)
    rows = []
    for who, (found,) in contest.runs.items():
        accuracy = found["accuracy"]
        by_tool = accuracy if isinstance(accuracy, dict) else {who: accuracy}
        rows += [[tool, *map(_cell, cells)] for tool, cells in by_tool.items()]
    both = [contest.runs[tool][0]["each"] for tool in (few_tools.TAUGHT, few_tools.IN_NUMPY) if tool in contest.runs]
    if len(both) == 2:
        rows.append([f"{few_tools.TAUGHT}, less {few_tools.IN_NUMPY}", *_differences(*both)])
    head = ["", *(f"{n:,} labels" for n in SIZES)]
    drawn = "at random" if draw == "random" else "as many of each label"
    title = f"{name}, labels drawn {drawn}: accuracy in %, mean of {seeds} draws ± standard error"
    return Table(title, head, rows, "", {"name": name, "draw": draw, "runs": contest.runs, "failed": contest.failed})


def _differences(ours: list[list[float]], theirs: list[list[float]]) -> list[str]:
    """The mean over the draws of one tool less another, with its standard error, for each number of labels."""
    cells = []
    for a, b in zip(zip(*ours, strict=True), zip(*theirs, strict=True), strict=True):
        d = [100 * (x - y) for x, y in zip(a, b, strict=True)]
        error = statistics.stdev(d) / len(d) ** 0.5 if len(d) > 1 else 0.0
        cells.append(f"{statistics.fmean(d):+.1f} ± {error:.1f}")
    return cells


def _costs() -> Table:
    sides = {
        "linnet --unlabelled": partial(job, "few_labels:cost"),
        "MiniLM": partial(job, "few_labels:cost_of_encoding"),
    }
    contest = compete(sides, 1)
    rows = [
        [
            who,
            *(f"{found[key]:,.1f}" if key in found else "" for key in ("learning", "speed")),
            f"{found['peak_mb']:.0f}",
        ]
        for who, (found,) in contest.runs.items()
    ]
    title = "imdb, 100 labels and 19,900 texts without"
    head = ["", "learning, CPU s", "predicting, texts per CPU s", "peak memory, MB"]
    return Table(title, head, rows, "", {"name": "imdb", "draw": "", "runs": contest.runs, "failed": contest.failed})


def _cell(found: tuple[float, float] | None) -> str:
    return "" if found is None else f"{100 * found[0]:.1f} ± {100 * found[1]:.1f}"


def accuracies(name: str, tool: str, draw: str, seeds: int) -> dict[str, Any]:
    """For each number of labels the mean accuracy over the draws and its standard error."""
    import numpy as np

    import few_draws
    from few_tools import TOOLS

    found, before = np.full((seeds, len(SIZES)), np.nan), None
    for seed in range(seeds):
        texts, labels, test_texts, test_labels = few_draws.parts(name, seed)
        if texts != before:  # Those of a set with folds are others for each draw.
            there = few_draws.pool(len(texts)).tolist()
            place = {i: k for k, i in enumerate(there)}
            learn = TOOLS[tool]([texts[i] for i in there])
            before = texts
        ordered = few_draws.order(labels, seed, draw).tolist()
        for k, n in enumerate(SIZES):
            few = ordered[:n]
            predicted = learn([place[i] for i in few], [labels[i] for i in few])(test_texts)
            found[seed, k] = np.mean([a == b for a, b in zip(predicted, test_labels, strict=True)])
    return {"accuracy": _means(found), "each": found.tolist()}


def of_embeddings(name: str, draw: str, seeds: int) -> dict[str, Any]:
    """As `accuracies`, of the tools over embeddings."""

    import numpy as np

    from few_draws import order, parts
    from few_tools import BESIDE, MINILM, MINILM_TAUGHT, beside, of_embeddings
    from minilm import Embeddings

    embeddings = Embeddings(name)
    most = SIZES[-1]
    if name in LONG:
        seeds, most = min(seeds, LONG_SEEDS), LONG[name] if draw == "random" else 300
    found = {tool: np.full((seeds, len(SIZES)), np.nan) for tool in (MINILM, MINILM_TAUGHT, BESIDE)}
    for seed in range(seeds):
        texts, labels, test_texts, test_labels = parts(name, seed)
        test = embeddings.of(test_texts)
        pool = np.arange(len(texts))
        if name in LONG:
            pool = np.concatenate([order(labels, k, "random")[: LONG[name]] for k in range(LONG_SEEDS)])
        ordered = order(labels, seed, draw)
        for k, n in enumerate(n for n in SIZES if n <= most):
            few = ordered[:n]
            rest = np.setdiff1d(pool, few)
            x, others = (embeddings.of([texts[i] for i in some]) for some in (few, rest))
            given = [labels[i] for i in few]
            right = of_embeddings(x, given, others, test, test_labels)
            predicted = beside([texts[i] for i in few], x, given)(test_texts, test)
            right[BESIDE] = float(np.mean([a == b for a, b in zip(predicted, test_labels, strict=True)]))
            for tool, accuracy in right.items():
                found[tool][seed, k] = accuracy
    return {"accuracy": {tool: _means(values) for tool, values in found.items()}}


def cost() -> dict[str, Any]:
    """The CPU seconds of learning with 19,900 texts without labels, with the estimate, and the texts predicted in a second."""
    import time

    import linnet
    from few_draws import order, parts

    texts, labels, test, _ = parts("imdb")
    ordered = order(labels, 0, "random").tolist()
    few, rest = ordered[: SIZES[0]], {"text": [texts[i] for i in ordered[SIZES[0] :]]}
    began = time.process_time()
    model = linnet.train([texts[i] for i in few], [labels[i] for i in few], unlabelled=rest)
    learning = time.process_time() - began
    began = time.process_time()
    model.predict(test)
    return {"learning": learning, "speed": len(test) / (time.process_time() - began)}


def cost_of_encoding() -> dict[str, Any]:
    """The texts that the encoder takes in a CPU second."""
    import time

    from few_draws import parts
    from minilm import Embeddings

    test = parts("imdb")[2][:100]
    model = Embeddings("imdb").model()
    model.encode(test[:1])
    began = time.process_time()
    model.encode(sorted(test, key=len), batch_size=32)
    return {"speed": len(test) / (time.process_time() - began)}


def _means(found: Any) -> list[tuple[float, float] | None]:
    """The mean and the standard error of each column; None for one without numbers."""
    n = len(found)
    errors = found.std(axis=0, ddof=1) / n**0.5 if n > 1 else 0 * found[0]
    cells = zip(found.mean(axis=0).tolist(), errors.tolist(), strict=True)
    return [None if mean != mean else (mean, error) for mean, error in cells]


if __name__ == "__main__":
    from run import main

    main(["few_labels"])
