"""Wrong labels that are found: a tenth of the labels is flipped, and the first suspects of linnet are looked at.

A flipped label is another one, drawn at random. What counts is how many of the first suspects were flipped; labels that were
wrong before count against it, as nobody knows which they are. "One learner" ranks by the default learner alone. Beside it,
scikit-learn's logistic regression over tf-idf, by the probability that it gives to the label of a held-out text.

How suspects are ranked was chosen on sentence_polarity with seed 0, which is not among the runs here.
"""

from __future__ import annotations

from functools import partial

import datasets
from measure import compete, job
from report import Table

SETS = {"imdb": "train", "20news": "train", "trec": "train", "sentence_polarity": "all"}
SHARE = 0.1
FIRST = (100, 200, 500)
SEEDS = (1, 2, 3)
QUICK_DOCUMENTS = 2000


def run(quick: bool = False, rounds: int = 1) -> list[Table]:
    """Run the benchmark once for each seed of the flips."""
    names = [name for name in SETS if datasets.is_here(name)][-1 if quick else None :]
    jobs = {
        f"linnet, {name}, seed {seed}": partial(
            job, "suspects:found", name=name, seed=seed, limit=QUICK_DOCUMENTS if quick else None
        )
        for name in names
        for seed in SEEDS[: 1 if quick else None]
    }
    contest = compete(jobs, 1)
    rows = [
        [
            who.removeprefix("linnet, "),
            *(f"{share:.0%}" for share in one["first"]),
            f"{one['one learner']:.0%}",
            f"{one['scikit-learn']:.0%}",
            f"{one['seconds']:.0f}",
        ]
        for who, (one,) in contest.runs.items()
    ]
    head = [
        "",
        *(f"of the first {n}" for n in FIRST),
        f"one learner, of {FIRST[0]}",
        f"scikit-learn, of {FIRST[0]}",
        "seconds",
    ]
    note = "\n".join(f"{who} is left out: {reason}" for who, reason in (contest.missing | contest.failed).items())
    title = f"{SHARE:.0%} of the labels flipped: share of flipped labels among the first suspects"
    return [Table(title, head, rows, note, {"runs": contest.runs, "failed": contest.failed})]


def found(name: str, seed: int, limit: int | None) -> dict[str, object]:
    import time

    import numpy as np

    from linnet.comparison import suspects
    from linnet.tasks import named

    documents = datasets.read(name, SETS[name], limit)
    labels, flipped = flip(documents.labels, seed)
    began = time.perf_counter()
    rows = np.array([one.row for one in suspects.suspects((documents.texts, labels))]) - 1
    seconds = time.perf_counter() - began
    task = named("labels")
    score, _ = suspects.margins(task, task.read((documents.texts, labels), {}), others=())
    alone = np.argsort(-score, kind="stable")[: FIRST[0]]
    return {
        "first": [float(flipped[rows[:n]].mean()) for n in FIRST],
        "one learner": float(flipped[alone].mean()),
        "scikit-learn": float(flipped[by_logistic_regression(documents.texts, labels)].mean()),
        "seconds": seconds,
    }


def by_logistic_regression(texts: list[str], labels: list[str]) -> object:
    """The rows whose label is least probable, by a logistic regression that has not seen them."""
    import numpy as np
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold, cross_val_predict
    from sklearn.pipeline import make_pipeline

    y = np.unique(labels, return_inverse=True)[1]
    learner = make_pipeline(TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True), LogisticRegression(max_iter=1000))
    # Folds in the order of a file that was sorted by label would show which labels were flipped.
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    p = cross_val_predict(learner, texts, y, cv=folds, method="predict_proba")
    return np.argsort(p[np.arange(len(y)), y], kind="stable")[: FIRST[0]]


def flip(labels: list[str], seed: int) -> tuple[list[str], object]:
    """The labels of which a share is flipped, and a flag for each whether it is."""
    import numpy as np

    rng = np.random.default_rng(seed)
    names, y = np.unique(labels, return_inverse=True)
    flipped = np.zeros(len(y), bool)
    flipped[rng.choice(len(y), round(SHARE * len(y)), replace=False)] = True
    y[flipped] = (y[flipped] + rng.integers(1, len(names), flipped.sum())) % len(names)
    return names[y].tolist(), flipped


if __name__ == "__main__":
    from run import main

    main(["suspects"])
