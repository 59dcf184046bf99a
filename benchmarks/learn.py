"""The learners alone, on a matrix that is ready: nanoseconds per nonzero and epoch.

After one fit to warm up, each learner is fitted for 1 epoch and for 1 + E, and the difference divided by E times the
nonzeros: what comes before the first epoch and after the last (checks, copies, and VW's parsing, which fills its cache
in the first pass) does not count. The whole fit is given beside it. The accuracy on a tenth held out shows that
something is learned.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import datasets
from errors import MissingError
from measure import Run, compete, job, say, section
from report import Column, Table, contest_table

EPOCHS = 4
MORE_EPOCHS = 16  # The number for linnet, whose epochs are short beside the noise of the rest of a fit.
QUICK_EPOCHS = 20  # A small matrix needs more epochs to stand out from the noise.
COLUMNS = (
    Column("ns per nonzero and epoch", "ns", ".1f"),
    Column("same, whole fit", "ns_whole", ".1f"),
    Column("epochs", "epochs", ".0f"),
    Column("peak above MB", "above_mb", ".0f"),
    Column("accuracy %", "accuracy", ".1f"),
)
LINNET = ("perceptron", "averaged-perceptron", "averaged-mira", "logistic")
SKLEARN = {
    "perceptron": "sklearn Perceptron",
    "averaged-perceptron": "sklearn averaged perceptron",
    "mira": "sklearn PA-I",
    "averaged-mira": "sklearn averaged PA-I",
    "logistic-sgd": "sklearn SGD log",
    "averaged-logistic-sgd": "sklearn averaged SGD log",
}
RIVALS = {
    "sklearn Perceptron": "linnet perceptron",
    "sklearn averaged perceptron": "linnet averaged-perceptron",
    "sklearn PA-I": "linnet averaged-mira",
    "sklearn averaged PA-I": "linnet averaged-mira",
    "sklearn SGD log": "linnet logistic",
    "sklearn averaged SGD log": "linnet logistic",
    "vw logistic": "linnet logistic",
    "vw logistic, no collisions": "linnet logistic",
}


def run(quick: bool = False, rounds: int = 5) -> list[Table]:
    size = {"documents": 6_000, "features": 89_000} if quick else {"documents": 60_000, "features": 890_000}
    matrices = [
        ("20 classes, synthetic", partial(job, "learn:synthetic", classes=20, **size)),
        ("2 classes, synthetic", partial(job, "learn:synthetic", classes=2, **size)),
        ("20news, words 1-2 tf-idf", partial(job, "learn:newsgroups")),
    ]
    tables = []
    for title, make in matrices[: 2 if quick else 3]:
        say(f"  making the matrix: {title}")
        try:
            path = make()["path"]
        except MissingError as reason:
            say(f"  {title} is left out: {reason}.")
            continue
        given = {"path": path, "epochs": QUICK_EPOCHS if quick else EPOCHS}
        more = given | {"epochs": QUICK_EPOCHS if quick else MORE_EPOCHS}
        contestants = {f"linnet {name}": partial(job, "learn:linnet", learner=name, **more) for name in LINNET}
        for learner, name in SKLEARN.items():
            contestants[name] = partial(job, "learn:sklearn", learner=learner, **given)
        contestants["vw logistic"] = partial(job, "learn:vw", most_bits=22, **given)
        if not title.startswith("2 "):
            contestants["vw logistic, no collisions"] = partial(job, "learn:vw", most_bits=32, **given)
        contest = compete(contestants, rounds)
        tables.append(contest_table(f"learn: {title}", contest, COLUMNS, "ns", {"linnet / this": RIVALS}))
    return tables


def synthetic(classes: int, documents: int, features: int, words: int = 125) -> dict[str, str]:
    """Make a matrix with about 100 nonzeros a document and feature ranks by Zipf's law; a third of the words lean to the class
    of the document.

    One label in twenty is wrong, so that no learner ever runs out of mistakes.
    """
    path = datasets.cache() / f"synthetic-{classes}-{documents}.npz"
    if path.exists():
        return {"path": str(path)}
    import numpy as np
    from scipy import sparse

    rng = np.random.default_rng(0)
    y = rng.integers(classes, size=documents)
    ids = (np.exp(rng.random((documents, words)) * np.log(features)) - 1).astype(np.int64)
    leaning = rng.random(ids.shape) < 1 / 3
    planted = np.minimum(ids // classes * classes + y[:, None], features - 1)
    ids = np.where(leaning, planted, ids)
    indptr = np.arange(0, ids.size + 1, words)
    X = sparse.csr_matrix((np.ones(ids.size, np.float32), ids.ravel(), indptr), shape=(documents, features))
    X.sum_duplicates()
    wrong = rng.random(documents) < 0.05
    y[wrong] = rng.integers(classes, size=int(wrong.sum()))
    _save(path, X, y)
    return {"path": str(path)}


def newsgroups() -> dict[str, str]:
    """The training part of 20news, vectorised by linnet where it is installed, and else by scikit-learn."""
    documents = datasets.read("20news", "train")
    try:
        from linnet.sklearn import TextVectorizer

        maker, vectorizer = "linnet", TextVectorizer("words:1-2 tfidf")
    except ImportError:
        from sklearn.feature_extraction.text import TfidfVectorizer

        from peers import TOKEN

        maker, vectorizer = "sklearn", TfidfVectorizer(ngram_range=(1, 2), token_pattern=TOKEN)
    path = datasets.cache() / f"20news-{maker}.npz"
    if maker == "linnet" or not path.exists():
        import numpy as np

        y = np.unique(documents.labels, return_inverse=True)[1]
        order = np.random.default_rng(0).permutation(len(y))
        _save(path, vectorizer.fit_transform(documents.texts)[order], y[order])
    return {"path": str(path)}


def linnet(path: str, epochs: int, learner: str) -> Run:
    from linnet.sklearn import LinearClassifier

    return _measure(path, epochs, lambda n: LinearClassifier(learner=learner, epochs=n, tol=0.0))


def sklearn(path: str, epochs: int, learner: str) -> Run:
    from peers import sklearn_learner

    return _measure(path, epochs, partial(sklearn_learner, learner))


def vw(path: str, epochs: int, most_bits: int) -> Run:
    """Learn one-against-all or binary logistic regression with VW, whose cache is filled in the first pass.

    A weight for each class and feature needs a table that is slow to reach into; with fewer bits VW is faster, and
    weights collide.
    """
    import tempfile

    import vowpalwabbit  # noqa: F401  (so that it is missing before the work, not after)

    from peers import vw_run

    X, y, X_test, y_test = _load(path)
    classes = int(y.max()) + 1
    bits = (X.shape[1] - 1).bit_length() + (classes - 1).bit_length() * (classes > 2)
    bits = min(bits, most_bits)
    problem = f"--oaa {classes}" if classes > 2 else ""
    options = f"--quiet --loss_function logistic -b {bits} {problem} --holdout_off -k"
    with tempfile.TemporaryDirectory() as folder:
        data, test, cache, model, out = (Path(folder) / name for name in ("d", "t", "c", "m", "p"))
        _write_vw(data, X, y, classes)
        _write_vw(test, X_test, y_test, classes)
        taken = {}
        for n in (1, 1, 1 + epochs):
            with section() as taken[n]:
                vw_run(f"{options} -d {data} --cache_file {cache} --passes {n} -f {model}")
        vw_run(f"--quiet -t -i {model} -d {test} -p {out}")
        found = [float(line) for line in out.read_text().split()]
    guesses = [int(value) - 1 for value in found] if classes > 2 else [int(value > 0) for value in found]
    right = sum(a == b for a, b in zip(guesses, y_test, strict=True))
    return _result(taken, epochs, X.nnz, right / len(y_test))


def _measure(path: str, epochs: int, make: Callable[[int], Any]) -> Run:
    X, y, X_test, y_test = _load(path)
    taken = {}
    for n in (1, 1, 1 + epochs):
        estimator = make(n)
        with section() as taken[n]:
            estimator.fit(X, y)
    accuracy = float((estimator.predict(X_test) == y_test).mean())
    return _result(taken, max(int(estimator.n_iter_) - 1, 1), X.nnz, accuracy)


def _result(taken: dict[int, Run], epochs: int, nonzeros: int, accuracy: float) -> Run:
    """`epochs` is how many were run after the first: fewer than asked for if one of them made no mistake."""
    first, *_, all_ = taken.values()
    return all_ | {
        "ns": (all_["cpu"] - first["cpu"]) * 1e9 / (epochs * nonzeros),
        "ns_whole": all_["cpu"] * 1e9 / ((1 + epochs) * nonzeros),
        "epochs": epochs + 1,
        "accuracy": 100 * accuracy,
        "nonzeros": int(nonzeros),
    }


def _save(path: Path, X: Any, y: Any) -> None:
    import numpy as np

    norms = np.sqrt(np.asarray(X.multiply(X).sum(axis=1), dtype=np.float64)).ravel()
    rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
    data = (X.data / np.maximum(norms, 1e-12)[rows]).astype(np.float32)
    with datasets.replacing(path) as new, new.open("wb") as file:
        np.savez(file, data=data, indices=X.indices, indptr=X.indptr, shape=X.shape, y=y)


def _load(path: str) -> tuple[Any, Any, Any, Any]:
    import numpy as np
    from scipy import sparse

    with np.load(path) as file:
        parts = (file["data"], file["indices"].astype(np.int32), file["indptr"].astype(np.int32))
        X, y = sparse.csr_matrix(parts, shape=tuple(file["shape"])), file["y"]
    train = X.shape[0] - X.shape[0] // 10
    return X[:train], y[:train], X[train:], y[train:]


def _write_vw(path: Path, X: Any, y: Any, classes: int) -> None:
    labels = y + 1 if classes > 2 else 2 * y - 1
    with path.open("w") as file:
        for i, label in enumerate(labels):
            row = slice(X.indptr[i], X.indptr[i + 1])
            pairs = zip(X.indices[row].tolist(), X.data[row].tolist(), strict=True)
            file.write(f"{label} | " + " ".join(f"{k}:{value:.6g}" for k, value in pairs) + "\n")


if __name__ == "__main__":
    from run import main

    main(["learn"])
