"""Learned on one kind of text, used on another: what text of the new kind brings that nobody has labelled.

Labelled reviews of imdb, and sentences of other reviews to judge (sentence_polarity); the other way round, labelled
sentences and whole reviews (movie_reviews) to judge; and reviews of people and of critics (imdb, movie_reviews), either way.
The texts without labels are those of the labelled kind, of the new one, or both.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import datasets
from errors import MissingError
from measure import compete, job
from report import Table

SHIFTS = (
    ("imdb", "sentence_polarity"),
    ("sentence_polarity", "movie_reviews"),
    ("movie_reviews", "imdb"),
    ("imdb", "movie_reviews"),
)
SIZES = (100, 1000)
SEEDS = 5
POOL = 4000
SIDES = {
    "labels alone": (),
    "text of the labelled kind": ("from",),
    "text of the new kind": ("to",),
    "text of both": ("from", "to"),
}


def run(quick: bool = False, rounds: int = 1) -> list[Table]:
    there = [shift for shift in SHIFTS if all(map(datasets.is_here, shift))]
    if not there:
        raise MissingError("imdb, sentence_polarity and movie_reviews are not in the folder that LINNET_DATA names")
    tables = []
    for shift in there[1:2] if quick else there:
        seeds = 1 if quick else SEEDS
        sides = {
            who: partial(job, "domain_shift:accuracies", shift=shift, pools=pools, seeds=seeds)
            for who, pools in SIDES.items()
        }
        contest = compete(sides, 1)
        rows = [
            [who, *(f"{100 * mean:.1f} ± {100 * error:.1f}" for mean, error in found["accuracy"])]
            for who, (found,) in contest.runs.items()
        ]
        title = f"labels of {shift[0]}, used on {shift[1]}: accuracy in %, mean of {seeds} draws ± standard error"
        tables.append(Table(title, ["", *(f"{n:,} labels" for n in SIZES)], rows, "", {"runs": contest.runs}))
    return tables


def accuracies(shift: list[str], pools: list[str], seeds: int) -> dict[str, Any]:
    """The mean accuracy on the test part of the new kind, and its standard error, for each number of labels."""
    import numpy as np

    import few_draws
    import linnet

    (texts, labels, _, _), (new, _, test, right) = map(few_draws.parts, shift)
    found = np.zeros((seeds, len(SIZES)))
    for seed in range(seeds):
        others_of_new = np.random.default_rng(seed).permutation(len(new)).tolist()  # A file may be sorted by label.
        order = few_draws.order(labels, seed, "random").tolist()
        for k, n in enumerate(SIZES):
            of = {"from": [texts[i] for i in order[n : n + POOL]], "to": [new[i] for i in others_of_new[:POOL]]}
            others = [text for pool in pools for text in of[pool]]
            few = [texts[i] for i in order[:n]], [labels[i] for i in order[:n]]
            model = linnet.train(*few, unlabelled={"text": others} if others else None, estimate=False)
            found[seed, k] = np.mean([a == b for a, b in zip(model.predict(test), right, strict=True)])
    error = found.std(axis=0, ddof=1) / seeds**0.5 if seeds > 1 else 0 * found[0]
    return {"accuracy": list(zip(found.mean(axis=0).tolist(), error.tolist(), strict=True))}


if __name__ == "__main__":
    from run import main

    main(["domain_shift"])
