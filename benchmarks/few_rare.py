"""Features that only one text has, where short texts are few: `min=1` beside the default, `min=2`.

The labelled texts are drawn from the training part, five times over, and 2,000 other texts of that part are judged: the test
part is not looked at, so that the default may be chosen by what is found.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import datasets
from errors import MissingError
from measure import compete, job
from report import Table

SETS = ("trec", "trec-fine", "sentence_polarity")
SIZES = (100, 300, 1000)
SEEDS = 5
JUDGED = 2000


def run(quick: bool = False, rounds: int = 1) -> list[Table]:
    """Run the benchmark once: the same seeds give the same result."""
    there = [name for name in SETS if datasets.is_here(name)]
    if not there:
        raise MissingError(f"none of {', '.join(SETS)} is in the folder that LINNET_DATA names")
    seeds = 1 if quick else SEEDS
    sides = {name: partial(job, "few_rare:gains", name=name, seeds=seeds) for name in there[: 1 if quick else None]}
    contest = compete(sides, 1)
    rows = [
        [name, *(f"{100 * usual:.1f}, {100 * gain:+.1f} ± {100 * error:.1f}" for usual, gain, error in found["cells"])]
        for name, (found,) in contest.runs.items()
    ]
    title = f"accuracy in % with min=2, and what min=1 adds ± standard error: held-out texts, mean of {seeds} draws"
    return [Table(title, ["", *(f"{n:,} labels" for n in SIZES)], rows, "", {"runs": contest.runs})]


def gains(name: str, seeds: int) -> dict[str, Any]:
    """For each number of labels the mean accuracy by default, what `min=1` adds, and the standard error of that."""
    import numpy as np

    import few_draws
    import linnet
    from linnet.tasks.texts.presets import SHORT_FEATURES

    texts, labels = few_draws.parts(name)[:2]
    specs = (SHORT_FEATURES, SHORT_FEATURES.replace("min=2", "min=1"))
    right = np.zeros((seeds, len(SIZES), len(specs)))
    for seed in range(seeds):
        order = few_draws.order(labels, seed, "random").tolist()
        held = order[-JUDGED:]
        for k, n in enumerate(SIZES):
            few = [texts[i] for i in order[:n]], [labels[i] for i in order[:n]]
            for s, spec in enumerate(specs):
                model = linnet.train(*few, features=spec, learner="nb-svm", estimate=False)
                found = zip(model.predict([texts[i] for i in held]), (labels[i] for i in held), strict=True)
                right[seed, k, s] = np.mean([a == b for a, b in found])
    gain = right[:, :, 1] - right[:, :, 0]
    error = gain.std(axis=0, ddof=1) / seeds**0.5 if seeds > 1 else 0 * gain[0]
    return {"cells": np.stack([right[:, :, 0].mean(axis=0), gain.mean(axis=0), error], axis=1).tolist()}


if __name__ == "__main__":
    from run import main

    main(["few_rare"])
