"""Whether other defaults would be better where texts with labels are few: `min=1`, another C, another power; and, beside texts
without labels, `labelled=2`.

The labelled texts are drawn from the training part, five times over, and up to 2,000 other texts of that part are judged: the
test part is not looked at, so that defaults may be chosen by what is found.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import datasets
from errors import MissingError
from measure import compete, job
from report import Table

SETS = ("trec", "trec-fine", "sentence_polarity", "movie_reviews", "20news")
SETS_WITH_POOL = ("trec", "sentence_polarity", "movie_reviews", "20news", "imdb")
SIZES = (100, 300, 1000)
SEEDS = 5
JUDGED = 2000
CHANGES: dict[str, tuple[str, dict[str, float]]] = {
    "min=1": ("min=1", {}),
    "C=0.3": ("min=2", {"C": 0.3}),
    "C=3": ("min=2", {"C": 3}),
    "power=0": ("min=2", {"power": 0}),
    "power=1": ("min=2", {"power": 1}),
}
"""What is changed, each by itself: `min` of the features, and options of nb-svm. The defaults are min=2, C=1 and power=0.5."""
CHANGES_WITH_POOL: dict[str, tuple[str, dict[str, float]]] = {"labelled=2": ("min=2 labelled=2", {})}
"""What is changed beside texts without labels, which are the rest of the training part."""
MOST = 9000
"""The largest number of texts without labels."""


def run(quick: bool = False, rounds: int = 1) -> list[Table]:
    """Run the benchmark once: the same seeds give the same result."""
    tables = [_table(SETS, CHANGES, quick, pool=False)]
    return tables if quick else [*tables, _table(SETS_WITH_POOL, CHANGES_WITH_POOL, quick, pool=True)]


def _table(sets: Sequence[str], changes: dict[str, tuple[str, dict[str, float]]], quick: bool, *, pool: bool) -> Table:
    there = [name for name in sets if datasets.is_here(name)]
    if not there:
        raise MissingError(f"none of {', '.join(sets)} is in the folder that LINNET_DATA names")
    seeds = 1 if quick else SEEDS
    how = {"changes": list(changes.values()), "seeds": seeds, "pool": pool}
    sides = {name: partial(job, "few_defaults:gains", name=name, **how) for name in there[: 1 if quick else None]}
    contest = compete(sides, 1)
    rows = [
        [name, f"{n:,}", f"{100 * usual:.1f}", *(f"{100 * gain:+.1f} ± {100 * error:.1f}" for gain, error in cells)]
        for name, (found,) in contest.runs.items()
        for n, usual, cells in zip(SIZES, found["usual"], found["gains"], strict=True)
    ]
    beside = ", beside texts without labels" if pool else ""
    title = f"accuracy in %{beside}, and what a change adds ± standard error: held-out texts, mean of {seeds} draws"
    return Table(title, ["", "labels", "without", *changes], rows, "", {"runs": contest.runs})


def gains(name: str, changes: list[tuple[str, dict[str, float]]], seeds: int, pool: bool) -> dict[str, Any]:
    """For each number of labels the mean accuracy by default, and for each change what it adds, with its standard error."""
    import numpy as np

    import few_draws
    import linnet
    from linnet.features.columns import as_text
    from linnet.tasks.texts.presets import UNLABELLED_FEATURES, default_features

    texts, labels = few_draws.parts(name)[:2]
    usual = default_features(as_text(texts[:JUDGED])) + (f" {UNLABELLED_FEATURES}" if pool else "")
    ways = [("min=2", {}), *changes]
    right = np.zeros((seeds, len(SIZES), len(ways)))
    for seed in range(seeds):
        order = few_draws.order(labels, seed, "random").tolist()
        judged = min(JUDGED, len(order) // 4) if pool else JUDGED
        held = order[max(len(order) - judged, SIZES[-1]) :]
        for k, n in enumerate(SIZES):
            few = [texts[i] for i in order[:n]], [labels[i] for i in order[:n]]
            others = {"text": [texts[i] for i in order[n : len(order) - len(held)][:MOST]]} if pool else None
            for s, (least, options) in enumerate(ways):
                spec = usual.replace("min=2", least)
                how = {"features": spec, "learner": "nb-svm", "options": options, "unlabelled": others}
                model = linnet.train(*few, **how, estimate=False)
                found = zip(model.predict([texts[i] for i in held]), (labels[i] for i in held), strict=True)
                right[seed, k, s] = np.mean([a == b for a, b in found])
    gain = right[:, :, 1:] - right[:, :, :1]
    error = gain.std(axis=0, ddof=1) / seeds**0.5 if seeds > 1 else 0 * gain[0]
    return {"usual": right[:, :, 0].mean(axis=0).tolist(), "gains": np.stack([gain.mean(axis=0), error], -1).tolist()}


if __name__ == "__main__":
    from run import main

    main(["few_defaults"])
