"""Labelling a pool of texts one after the other: which text to ask about next, and how long it takes until all are judged anew.

`linnet.Pool` learns vectors from all texts once. Then ten texts at a time get their labels, chosen by `margin`, by `density`
(times margin) or at random, after ten that are drawn at random; what is right is counted on the test part, by the model of the
pool. The time of a label is CPU time on one core, for 20,000 reviews of imdb.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import datasets
from errors import MissingError
from measure import compete, job
from report import Table

SETS = ("trec", "sentence_polarity")
SIZES = (50, 100, 200)
ORDERS = ("random", "margin", "density")
SEEDS = 5
LOT = 10
POOL = 3000
"""The number of texts to choose from."""
TIMED = (100, 300, 1000)


def run(quick: bool = False, rounds: int = 1) -> list[Table]:
    there = [name for name in SETS if datasets.is_here(name)]
    if not there:
        raise MissingError(f"none of {', '.join(SETS)} is in the folder that LINNET_DATA names")
    tables = [_orders(name, 1 if quick else SEEDS) for name in (there[:1] if quick else there)]
    return tables if quick or not datasets.is_here("imdb") else [*tables, _times()]


def _orders(name: str, seeds: int) -> Table:
    sides = {how: partial(job, "active_orders:accuracies", name=name, how=how, seeds=seeds) for how in ORDERS}
    contest = compete(sides, 1)
    rows = [
        [how, *(f"{100 * mean:.1f} ± {100 * error:.1f}" for mean, error in found["accuracy"])]
        for how, (found,) in contest.runs.items()
    ]
    title = f"{name}: accuracy in %, mean of {seeds} draws of the first ten labels ± standard error"
    return Table(title, ["", *(f"{n} labels" for n in SIZES)], rows, "", {"runs": contest.runs})


def _times() -> Table:
    contest = compete({"linnet": partial(job, "active_orders:times")}, 1)
    (found,) = contest.runs["linnet"]
    rows = [[f"{n:,} labels", f"{ms:.0f}"] for n, ms in zip(TIMED, found["ms"], strict=True)]
    rows.append(["the pool is made, once", f"{1000 * found['made']:.0f}"])
    title = "20,000 reviews of imdb: CPU ms until all texts are judged anew after a label"
    return Table(title, ["", "ms"], rows, "", {"runs": contest.runs})


def accuracies(name: str, how: str, seeds: int) -> dict[str, Any]:
    """The mean accuracy on the test part, and its standard error, for each number of labels."""
    import numpy as np

    import few_draws
    import linnet

    texts, labels, test_texts, test_labels = few_draws.parts(name)
    some = few_draws.order(labels, 0, "random")[:POOL]
    texts, labels = [texts[i] for i in some], [labels[i] for i in some]
    pool = linnet.Pool(texts)
    found = np.zeros((seeds, len(SIZES)))
    for seed in range(seeds):
        for i in np.random.default_rng(seed).permutation(len(pool))[:LOT].tolist():
            pool.learn(i, labels[i])
        for k, n in enumerate(SIZES):
            while len(pool.given) < n:
                for i in pool.order(how)[:LOT].tolist():
                    pool.learn(i, labels[i])
            predicted = pool.model().predict(test_texts)
            found[seed, k] = np.mean([a == b for a, b in zip(predicted, test_labels, strict=True)])
        while pool.given:
            pool.undo()
    error = found.std(axis=0, ddof=1) / seeds**0.5 if seeds > 1 else 0 * found[0]
    return {"accuracy": list(zip(found.mean(axis=0).tolist(), error.tolist(), strict=True))}


def times() -> dict[str, Any]:
    """The CPU time of making the pool, in seconds, and of judging all texts after one more label, in milliseconds."""
    import time

    import few_draws
    import linnet

    texts, labels, _, _ = few_draws.parts("imdb")
    order = few_draws.order(labels, 0, "random").tolist()
    began = time.process_time()
    pool = linnet.Pool([texts[i] for i in order])
    made = time.process_time() - began
    taken = []
    for n in TIMED:
        for i in range(len(pool.given), n):
            pool.learn(i, labels[order[i]])
        pool.scores()
        pool.undo()
        pool.learn(n - 1, labels[order[n - 1]])
        began = time.process_time()
        pool.scores()
        taken.append(1000 * (time.process_time() - began))
    return {"made": made, "ms": taken}


if __name__ == "__main__":
    from run import main

    main(["active_orders"])
