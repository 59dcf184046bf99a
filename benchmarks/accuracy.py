"""Each learner of linnet beside scikit-learn's same learner, with the same features, on the same documents.

Every document is predicted once by each side: sets with folds by cross-validation, the others on their test part. The
standard error of a difference is that of paired documents: sd(right by linnet - right by sklearn) / sqrt(n).
`linnet, no option` is `linnet.train(file)` and nothing more, and `linnet, auto` the same with `learner="auto"`, both beside
what does best among the peers: tf-idf of words 1-2 with LinearSVC, and NB-SVM over their presence (Wang and Manning 2012).
"""

from __future__ import annotations

import math
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import datasets
from errors import FailedError, MissingError
from measure import job, say
from report import Table

SETS = ("movie_reviews", "sentence_polarity", "trec", "trec-fine", "20news", "imdb")
QUICK_SETS = ("trec", "sentence_polarity")
LOG_TFIDF = "words:1-2 log tfidf"
FEATURES: dict[str, dict[str, Any]] = {
    "words:1": {"ngrams": (1, 1)},
    "words:1 presence": {"ngrams": (1, 1), "presence": True},
    "words:1-2 presence": {"ngrams": (1, 2), "presence": True},
    LOG_TFIDF: {"ngrams": (1, 2), "log": True, "tfidf": True},
    f"{LOG_TFIDF} min=2": {"ngrams": (1, 2), "log": True, "tfidf": True, "least": 2},
}
EPOCHS = 10
ONLINE = {"epochs": EPOCHS, "tol": 0.0}
LEARNERS: dict[str, dict[str, Any]] = {
    "naive-bayes": {},
    "perceptron": ONLINE,
    "averaged-perceptron": ONLINE,
    "mira": ONLINE | {"options": {"C": 1.0}},
    "averaged-mira": ONLINE | {"options": {"C": 1.0}},
    "logistic": {},
}
WHOLE: dict[str, dict[str, Any]] = {"no option": {}, "auto": {"learner": "auto"}}
BEST_PEERS = {"LinearSVC": (LOG_TFIDF, "svm"), "NB-SVM": ("words:1-2 presence", "nb-svm")}
# A softmax over 20 classes and a million features takes L-BFGS minutes and gigabytes: only with rare features left out.
TOO_LARGE = {("20news", "words:1-2 presence", "logistic"), ("20news", LOG_TFIDF, "logistic")}

Right = dict[str, str]
"""For each learner, a string of 0 and 1 that says whether it was right about each document."""


def run(quick: bool = False, rounds: int = 1) -> list[Table]:
    """Run the benchmark once: the same seed gives the same result, so more rounds would change nothing."""
    limit = 1000 if quick else None
    tables = []
    for name in datasets.available(QUICK_SETS if quick else SETS):
        ours, theirs, failed = {}, {}, {}
        for features in ["words:1 presence", LOG_TFIDF] if quick else FEATURES:
            learners = [learner for learner in LEARNERS if (name, features, learner) not in TOO_LARGE]
            given = {"name": name, "features": features, "limit": limit, "learners": learners}
            ours[features] = _try("linnet", f"{name}, {features}", "accuracy:linnet", given, failed)
            theirs[features] = _try("sklearn", f"{name}, {features}", "accuracy:sklearn", given, failed)
        whole, best = {}, {}
        for what, options in WHOLE.items():
            given = {"name": name, "limit": limit, "options": options}
            whole[what] = _try("linnet", f"{name}, {what}", "accuracy:linnet_whole", given, failed)
        for peer, (features, learner) in BEST_PEERS.items():
            given = {"name": name, "features": features, "limit": limit, "learners": [learner]}
            best[peer] = _try("sklearn", f"{name}, {peer}", "accuracy:sklearn", given, failed)
        table = _table(name, ours, theirs, whole, best)
        table.details["failed"] = failed
        tables.append(table)
    return tables


def linnet(name: str, features: str, limit: int | None, learners: list[str]) -> Right:
    import numpy as np

    from linnet.sklearn import LinearClassifier, TextVectorizer

    right: dict[str, list[bool]] = {learner: [] for learner in learners}
    for texts, labels, test_texts, test_labels in splits(name, limit):
        vectorizer = TextVectorizer(features)
        X, X_test = vectorizer.fit_transform(texts), vectorizer.transform(test_texts)
        for learner in learners:
            estimator = LinearClassifier(learner=learner, **LEARNERS[learner])
            right[learner].extend(estimator.fit(X, np.asarray(labels)).predict(X_test) == np.asarray(test_labels))
    return _strings(right)


def linnet_whole(name: str, limit: int | None, options: dict[str, Any]) -> Right:
    """Train from files as a user would: linnet chooses features, learner and options."""
    import linnet

    right: list[bool] = []
    with tempfile.TemporaryDirectory() as folder:
        train = Path(folder, "train.jsonl")
        for texts, labels, test_texts, test_labels in splits(name, limit):
            datasets.write(train, zip(texts, labels, strict=True))
            found = linnet.train(str(train), **options).predict(test_texts)
            right.extend(str(a) == b for a, b in zip(found, test_labels, strict=True))
    return _strings({"whole": right})


def sklearn(name: str, features: str, limit: int | None, learners: list[str]) -> Right:
    import warnings

    import numpy as np
    from sklearn.exceptions import ConvergenceWarning

    from peers import sklearn_learner

    warnings.simplefilter("ignore", ConvergenceWarning)
    right: dict[str, list[bool]] = {learner: [] for learner in learners}
    for X, labels, X_test, test_labels in _sklearn_splits(name, limit, **FEATURES[features]):
        for learner in learners:
            estimator = sklearn_learner(learner, EPOCHS)
            right[learner].extend(estimator.fit(X, np.asarray(labels)).predict(X_test) == np.asarray(test_labels))
    return _strings(right)


def splits(name: str, limit: int | None) -> Iterator[tuple[list[str], list[str], list[str], list[str]]]:
    """Yield training texts and labels, and test texts and labels; a set with folds has ten of these."""
    texts, labels, parts = _parts(name, limit)
    for train, test in parts:
        yield _pick(texts, train), _pick(labels, train), _pick(texts, test), _pick(labels, test)


def _sklearn_splits(
    name: str,
    limit: int | None,
    ngrams: tuple[int, int],
    presence: bool = False,
    log: bool = False,
    tfidf: bool = False,
    least: int = 1,
) -> Iterator[tuple[Any, list[str], Any, list[str]]]:
    """Yield the matrices of each fold. Words are counted once for all folds; each fold then keeps the columns that its training
    part has, as if it had been counted alone."""
    import numpy as np
    from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer

    from peers import TOKEN

    texts, labels, parts = _parts(name, limit)
    vectorizer = CountVectorizer(ngram_range=ngrams, token_pattern=TOKEN, binary=presence, dtype=np.float64)
    counts = vectorizer.fit_transform(texts)
    for train, test in parts:
        X, X_test = counts[train], counts[test]
        kept = np.flatnonzero(X.getnnz(axis=0) >= least)
        X, X_test = X[:, kept], X_test[:, kept]
        if tfidf:
            weigh = TfidfTransformer(sublinear_tf=log).fit(X)
            X, X_test = weigh.transform(X), weigh.transform(X_test)
        yield X, _pick(labels, train), X_test, _pick(labels, test)


def _parts(name: str, limit: int | None) -> tuple[list[str], list[str], list[tuple[list[int], list[int]]]]:
    """All texts and labels, and the (training, test) indices of each fold, or of the one split there is."""
    if datasets.SOURCES[name].folds:
        documents = datasets.read(name, "all", limit)
        folds = sorted(set(documents.folds))
        parts = [([i for i, f in enumerate(documents.folds) if f != k], _where(documents.folds, k)) for k in folds]
        return documents.texts, documents.labels, parts
    train, test = datasets.read(name, "train", limit), datasets.read(name, "test", limit)
    n, m = len(train.texts), len(test.texts)
    return train.texts + test.texts, train.labels + test.labels, [(list(range(n)), list(range(n, n + m)))]


def _where(folds: Sequence[int], k: int) -> list[int]:
    return [i for i, fold in enumerate(folds) if fold == k]


def _pick(column: Sequence[str], indices: Sequence[int]) -> list[str]:
    return [column[i] for i in indices]


def _strings(right: dict[str, list[bool]]) -> Right:
    return {learner: "".join("1" if value else "0" for value in values) for learner, values in right.items()}


def _try(side: str, what: str, target: str, given: dict[str, Any], failed: dict[str, str]) -> Right:
    say(f"  {side}: {what}")
    try:
        return job(target, **given)
    except MissingError as reason:
        say(f"  {side} is left out: {reason}.")
    except FailedError as reason:
        say(f"  {side} is left out: {reason}")
        failed[f"{side}: {what}"] = str(reason)
    return {}


def _table(
    name: str, ours: dict[str, Right], theirs: dict[str, Right], whole: dict[str, Right], best: dict[str, Right]
) -> Table:
    compared = [
        (f"{learner}, {features}", ours[features].get(learner), theirs[features].get(learner))
        for features in ours
        for learner in LEARNERS
    ]
    compared += [
        (f"linnet, {what}; {peer}", whole[what].get("whole"), best[peer].get(learner))
        for what in whole
        for peer, (_, learner) in BEST_PEERS.items()
    ]
    rows, details = [], {}
    for title, a, b in compared:
        if a is None and b is None:
            continue
        accuracies = [None if right is None else 100 * right.count("1") / len(right) for right in (a, b)]
        difference = paired(a, b) if a is not None and b is not None else None
        n = len(a or b or "")
        alone = next(value for value in accuracies if value is not None) / 100
        rows.append(
            [
                title,
                *("" if value is None else f"{value:.2f}" for value in accuracies),
                "" if difference is None else f"{difference[0]:+.2f}",
                f"{100 * math.sqrt(alone * (1 - alone) / n):.2f}" if difference is None else f"{difference[1]:.2f}",
            ]
        )
        details[title] = {"n": n, "linnet": accuracies[0], "sklearn": accuracies[1], "difference": difference}
    headings = ["", "linnet %", "sklearn %", "difference", "standard error"]
    return Table(f"accuracy: {name}", headings, rows, details={"comparisons": details})


def paired(ours: str, theirs: str) -> tuple[float, float]:
    """The difference of accuracies in points, and its standard error over paired documents."""
    differences = [100 * (int(a) - int(b)) for a, b in zip(ours, theirs, strict=True)]
    return statistics.fmean(differences), statistics.pstdev(differences) / math.sqrt(len(differences))


if __name__ == "__main__":
    from run import main

    main(["accuracy"])
