"""Sets of 10,000 labels over a million features: memory and time to learn and to predict, beside scikit-learn on a tenth of it.

A weight for each label and feature would be 40 GB. The data are made up: an example has 1 to 5 labels, some more frequent
than others, and of each five of its twenty own features; beside them 40 features by Zipf's law. Of the labels that are
given three in a hundred are missing, and one example in twenty has one too many; what the labels without these errors
reach is the best possible.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import datasets
from measure import Run, compete, job, say, section
from report import Column, Table, contest_table

WHOLE = {"labels": 10_000, "features": 1_000_000, "examples": 200_000}
TENTH = {"labels": 1_000, "features": 100_000, "examples": 20_000}
QUICK = {"labels": 200, "features": 20_000, "examples": 4_000}
EPOCHS = 5
ALPHA = 1e-6
LEARNER = "averaged-perceptron"
OWN, SHOWN, OTHERS = 20, 5, 40
MISSING, TOO_MANY = 0.03, 0.05
PIECE = 10_000
COLUMNS = (
    Column("learning s", "learning", ".1f"),
    Column("predicting s", "predicting", ".1f"),
    Column("peak MB", "peak_mb", ".0f"),
    Column("model MB", "model_mb", ".0f"),
    Column("micro F1 %", "f1", ".1f"),
    Column("best possible", "best", ".1f"),
)


def run(quick: bool = False, rounds: int = 1) -> list[Table]:
    say("  making the data")
    whole, tenth = (QUICK, QUICK) if quick else (WHOLE, TENTH)
    paths = {name: job("labels10k:made", **size)["path"] for name, size in (("whole", whole), ("tenth", tenth))}
    contestants = {f"linnet, {part}": partial(job, "labels10k:linnet", path=path) for part, path in paths.items()}
    contestants["linnet, whole, from its file"] = partial(job, "labels10k:from_file", path=paths["whole"])
    contestants["sklearn one-vs-rest SGD, tenth"] = partial(job, "labels10k:sklearn", path=paths["tenth"])
    contest = compete(contestants, rounds)
    title = "labels10k: {labels:,} labels x {features:,} features x {examples:,} examples".format(**whole)
    pairs = {"learning: linnet / this": {"sklearn one-vs-rest SGD, tenth": "linnet, tenth"}}
    return [contest_table(title, contest, COLUMNS, "learning", pairs)]


def made(labels: int, features: int, examples: int) -> dict[str, str]:
    """Write a file with the examples, and a tenth as many more to predict."""
    import numpy as np

    path = datasets.cache() / f"labels-{labels}-{features}-{examples}.npz"
    if not path.exists():
        pieces = list(generated(labels, features, examples + examples // 10))
        parts = {name: np.concatenate([piece[name] for piece in pieces]) for name in pieces[0]}
        del pieces
        with datasets.replacing(path) as new, new.open("wb") as file:
            np.savez(file, train=examples, shape=(labels, features), **parts)
    return {"path": str(path)}


def generated(labels: int, features: int, examples: int, seed: int = 0) -> Iterator[dict[str, Any]]:
    """Yield some examples at a time: `width` and `indices` are the features, `size` and `y` the labels; the clean labels
    follow likewise."""
    import numpy as np

    own = np.random.default_rng([seed, 0]).integers(features // 1000, features, (labels, OWN))
    for number, begin in enumerate(range(0, examples, PIECE), 1):
        rng = np.random.default_rng([seed, number])
        n = min(PIECE, examples - begin)

        def some(size: Any, rng: Any = rng) -> Any:
            return (labels * rng.random(size) ** 2).astype(np.int64)

        row = np.repeat(np.arange(n), rng.integers(1, 6, n))
        clean = np.unique(row * labels + some(len(row)))
        row, label = np.divmod(clean, labels)
        shown = own[label[:, None], rng.integers(0, OWN, (len(label), SHOWN))]
        other = np.exp(rng.random((n, OTHERS)) * np.log(features)).astype(np.int64) - 1
        found = np.unique(
            np.concatenate(
                [(row[:, None] * features + shown).ravel(), (np.arange(n)[:, None] * features + other).ravel()]
            )
        )
        extra = np.flatnonzero(rng.random(n) < TOO_MANY)
        noisy = np.unique(np.concatenate([clean[rng.random(len(clean)) >= MISSING], extra * labels + some(len(extra))]))
        piece = {}
        for names, keys, by in (
            (("width", "indices"), found, features),
            (("size", "y"), noisy, labels),
            (("clean_size", "clean"), clean, labels),
        ):
            row, what = np.divmod(keys, by)
            piece[names[0]] = np.bincount(row, minlength=n).astype(np.uint32)
            piece[names[1]] = what.astype(np.uint32)
        yield piece


def linnet(path: str) -> Run:
    """Learn, write the model file, predict."""
    from linnet.learners import LEARNERS, Learning
    from linnet.model.file import write_model
    from linnet.structures.labelset import Labelset

    data = _Data(path)
    with section() as learning:
        learner = Learning(LEARNERS[LEARNER], {}, Labelset(data.labels), (data.features,))
        fit = learner.run(data.examples(0, data.train), epochs=EPOCHS, tol=0, take=True)
    write_model(_model(path), {}, {f"weights.{g}": array for g, array in enumerate(fit.weights)})
    with section() as predicting:
        found = _predicted(data, fit.weights)
    return data.result(found, learning, predicting) | {"model_mb": _model(path).stat().st_size / 1e6}


def from_file(path: str) -> Run:
    """Predict with the model that `linnet` has written."""
    from linnet.model.file import read_model

    data = _Data(path)
    with section() as predicting:
        _, arrays = read_model(_model(path))
        found = _predicted(data, [arrays[f"weights.{g}"] for g in range(len(arrays))])
    return data.result(found, None, predicting)


def sklearn(path: str) -> Run:
    """Learn a linear classifier for each label in as many passes; alpha is the best of 1e-3 to 1e-6 on the last tenth of the
    training part."""
    import numpy as np
    from scipy import sparse
    from sklearn.linear_model import SGDClassifier
    from sklearn.multiclass import OneVsRestClassifier

    data = _Data(path)

    def matrix(begin: int, end: int) -> Any:
        indptr, indices, values = data.rows(begin, end)
        return sparse.csr_matrix(
            (values, indices.astype(np.int32), indptr.astype(np.int32)), (end - begin, data.features)
        )

    X, Y = matrix(0, data.train), data.indicators(0, data.train).astype(np.int64)  # it numbers labels in this type
    with section() as learning:
        machines = OneVsRestClassifier(SGDClassifier(alpha=ALPHA, max_iter=EPOCHS, tol=None, average=True)).fit(X, Y)
    with section() as predicting:
        found = sparse.csr_matrix(machines.predict(matrix(data.train, data.n)))
    size = sum(machine.coef_.nbytes for machine in machines.estimators_ if hasattr(machine, "coef_"))
    return data.result(found, learning, predicting) | {"model_mb": size / 1e6}


class _Data:
    """The examples of a file; those from number `train` on are to be predicted."""

    def __init__(self, path: str) -> None:
        import numpy as np

        with np.load(path) as file:
            self.train, (self.labels, self.features) = int(file["train"]), map(int, file["shape"])
            self.n = len(file["width"])
            self._width, self._indices = file["width"], file["indices"]
            self._gold, self._clean = ((file[a], file[b]) for a, b in (("size", "y"), ("clean_size", "clean")))

    def rows(self, begin: int, end: int) -> Any:
        """The features of examples as indptr, indices and values, which are all 1."""
        import numpy as np

        width = self._width[begin:end]
        start = int(self._width[:begin].sum(dtype=np.int64))
        indptr = np.concatenate([[0], np.cumsum(width, dtype=np.int64)])
        return indptr, self._indices[start : start + indptr[-1]], np.ones(indptr[-1], np.float32)

    def sets(self, begin: int, end: int, clean: bool = False) -> Any:
        """The outputs y, each of which is the number of its labels and then the labels; and where each output begins."""
        import numpy as np

        size, labels = self._clean if clean else self._gold
        start = int(size[:begin].sum(dtype=np.int64))
        size = size[begin:end].astype(np.int64)
        y_at = np.concatenate([[0], np.cumsum(size + 1)])
        return np.insert(
            labels[start : start + size.sum()].astype(np.int32), y_at[:-1] - np.arange(len(size)), size
        ), y_at

    def examples(self, begin: int, end: int) -> Any:
        from linnet.core.blocks import Block
        from linnet.learners import Examples

        return Examples((Block(*self.rows(begin, end)),), *self.sets(begin, end))

    def indicators(self, begin: int, end: int, clean: bool = False) -> Any:
        """A matrix with a row for each example and 1 for each label that it has."""
        return as_indicators(*self.sets(begin, end, clean), self.labels)

    def result(self, found: Any, learning: Run | None, predicting: Run) -> Run:
        gold, clean = (self.indicators(self.train, self.n, which) for which in (False, True))
        parts = [predicting] if learning is None else [learning, predicting]
        taken = {"predicting": predicting["cpu"]} | ({} if learning is None else {"learning": learning["cpu"]})
        return taken | {
            "peak_mb": max(part["peak_mb"] for part in parts),
            "f1": micro_f1(gold, found),
            "best": micro_f1(gold, clean),
        }


def as_indicators(y: Any, y_at: Any, labels: int) -> Any:
    import numpy as np
    from scipy import sparse

    chosen = np.delete(y, y_at[:-1])
    indptr = y_at - np.arange(len(y_at))
    return sparse.csr_matrix((np.ones(len(chosen), np.int8), chosen, indptr), (len(y_at) - 1, labels))


def micro_f1(gold: Any, found: Any) -> float:
    """The measures in %, from two matrices of indicators."""
    return float(200 * gold.multiply(found).sum() / (gold.sum() + found.sum()))


def _predicted(data: _Data, weights: Any) -> Any:
    from linnet.core.blocks import Block
    from linnet.core.predictor import Predictor
    from linnet.structures.labelset import Labelset

    found = Predictor(Labelset(data.labels), weights).argmax((Block(*data.rows(data.train, data.n)),))
    return as_indicators(*found, data.labels)


def _model(path: str) -> Path:
    return Path(path).with_suffix(".linnet")


if __name__ == "__main__":
    from run import main

    main(["labels10k"])
