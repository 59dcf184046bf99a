"""How right a model is that has learned from few examples: sentences of film reviews, 30, 100 and 1,000 of them.

Each learner gets the same random sentences, ten times over, and is tested on the same 2,000 others.
"""

from __future__ import annotations

from functools import partial

import datasets
from errors import MissingError
from measure import compete, job
from report import Table

SET = "sentence_polarity"
SIZES = (30, 100, 1000)
LEARNERS = ("nb-svm", "logistic", "averaged-mira", "naive-bayes")
TEST = 2000
SEEDS = 10


def run(quick: bool = False, rounds: int = 1) -> list[Table]:
    """Run the benchmark once: the same seeds give the same result."""
    if not datasets.is_here(SET):
        raise MissingError(f"{SET} is not in the folder that LINNET_DATA names")
    sides = {
        f"linnet, {learner}": partial(job, "few_examples:accuracies", learner=learner, seeds=1 if quick else SEEDS)
        for learner in LEARNERS
    }
    contest = compete(sides, 1)
    rows = [
        [who.removeprefix("linnet, "), *(f"{100 * one:.1f}" for one in found)] for who, (found,) in contest.runs.items()
    ]
    head = ["", *(f"{n:,} examples" for n in SIZES)]
    title = f"Sentences of film reviews: accuracy in % after few examples, {SEEDS} seeds"
    return [Table(title, head, rows, "", {"runs": contest.runs, "failed": contest.failed})]


def accuracies(learner: str, seeds: int) -> list[float]:
    """The mean accuracy over the seeds for each number of examples."""
    import numpy as np

    import linnet

    documents = datasets.read(SET)
    texts, labels = np.array(documents.texts, object), np.array(documents.labels, object)
    found = np.zeros((seeds, len(SIZES)))
    for seed in range(seeds):
        order = np.random.default_rng(seed).permutation(len(texts))
        test, rest = order[:TEST], order[TEST:]
        for k, n in enumerate(SIZES):
            train = rest[:n]
            model = linnet.train(list(texts[train]), list(labels[train]), learner=learner, estimate=False)
            found[seed, k] = np.mean(np.array(model.predict(list(texts[test])), object) == labels[test])
    return found.mean(axis=0).tolist()


if __name__ == "__main__":
    from run import main

    main(["few_examples"])
