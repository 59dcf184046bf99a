"""Sets of 10,000 labels over a million features: memory and time to learn and to predict, beside scikit-learn on a tenth of it.

A weight for each label and feature would be 40 GB. The data are made up: an example has 1 to 5 labels, some of them more frequent
than others, and of each five of its twenty own features; beside them 40 features by Zipf's law. Of the labels that are given, three in a hundred are
missing, and one example in twenty has one too many; what the labels without these errors reach is the best possible.
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
LINNET = ("averaged-perceptron", "averaged-mira")
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
    whole, tenth = ((QUICK, QUICK) if quick else (WHOLE, TENTH))
    paths = {name: job("labels10k:made", **size)["path"] for name, size in (("whole", whole), ("tenth", tenth))}
    contestants = {}
    for name in LINNET:
        for part, path in paths.items():
            contestants[f"linnet {name}, {part}"] = partial(job, "labels10k:linnet", path=path, learner=name)
        contestants[f"linnet {name}, whole, from its file"] = partial(job, "labels10k:from_file", path=paths["whole"], learner=name)
    contestants["sklearn one-vs-rest SGD, tenth"] = partial(job, "labels10k:sklearn", path=paths["tenth"])
    contest = compete(contestants, rounds)
    title = "labels10k: {labels:,} labels x {features:,} features x {examples:,} examples".format(**whole)
    pairs = {"learning: linnet / this": {"sklearn one-vs-rest SGD, tenth": f"linnet {LINNET[0]}, tenth"}}
    return [contest_table(title, contest, COLUMNS, "learning", pairs)]


def made(labels: int, features: int, examples: int) -> dict[str, str]:
    """A file with the examples, and a tenth as many more to predict."""
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
    """Some examples at a time: `width` and `indices`, the features; `size` and `y`, the labels; and the clean ones likewise."""
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
        found = np.unique(np.concatenate([(row[:, None] * features + shown).ravel(), (np.arange(n)[:, None] * features + other).ravel()]))
        extra = np.flatnonzero(rng.random(n) < TOO_MANY)
        noisy = np.unique(np.concatenate([clean[rng.random(len(clean)) >= MISSING], extra * labels + some(len(extra))]))
        piece = {}
        for names, keys, by in ((("width", "indices"), found, features), (("size", "y"), noisy, labels), (("clean_size", "clean"), clean, labels)):
            row, what = np.divmod(keys, by)
            piece[names[0]] = np.bincount(row, minlength=n).astype(np.uint32)
            piece[names[1]] = what.astype(np.uint32)
        yield piece


def linnet(path: str, learner: str) -> Run:
    """Learn, write the model file, predict."""
    from linnet.io.model_file import write_model
    from linnet.learners import LEARNERS, Learning
    from linnet.structures.labelset import Labelset

    data = _Data(path)
    with section() as learning:
        gen = Labelset(data.labels)
        fit = Learning(LEARNERS[learner], {}, gen, (data.features,)).run(data.examples(0, data.train), epochs=EPOCHS, tol=0, take=True)
    model = _model(path, learner)
    write_model(model, {}, {f"weights.{g}": array for g, array in enumerate(fit.weights)})
    with section() as predicting:
        y, y_at = _predicted(gen, fit.weights, data)
    return {
        "learning": learning["cpu"],
        "predicting": predicting["cpu"],
        "model_mb": model.stat().st_size / 1e6,
        "f1": 100 * gen.accuracy(*data.sets(data.train, data.n), y, y_at),
        "best": data.best(),
        "peak_mb": max(learning["peak_mb"], predicting["peak_mb"]),
    }


def from_file(path: str, learner: str) -> Run:
    """Predict with the model that `linnet` has written."""
    from linnet.io.model_file import read_model
    from linnet.structures.labelset import Labelset

    data = _Data(path)
    with section() as predicting:
        gen = Labelset(data.labels)
        _, arrays = read_model(_model(path, learner))
        y, y_at = _predicted(gen, [arrays[f"weights.{g}"] for g in range(len(arrays))], data)
    f1 = 100 * gen.accuracy(*data.sets(data.train, data.n), y, y_at)
    return {"predicting": predicting["cpu"], "f1": f1, "best": data.best(), "peak_mb": predicting["peak_mb"]}


def sklearn(path: str) -> Run:
    """A machine for each label, as many passes. alpha is what was best of 1e-4, 1e-5 and 1e-6 on the last tenth of the training part."""
    from scipy import sparse
    from sklearn.linear_model import SGDClassifier
    from sklearn.multiclass import OneVsRestClassifier

    data = _Data(path)

    def matrix(begin: int, end: int) -> Any:
        indptr, indices, values = data.rows(begin, end)
        return sparse.csr_matrix((values, indices.astype("int32"), indptr.astype("int32")), (end - begin, data.features))

    def indicators(y: Any, y_at: Any) -> Any:
        import numpy as np

        labels = np.delete(y, y_at[:-1])
        indptr = y_at - np.arange(len(y_at))
        return sparse.csr_matrix((np.ones(len(labels), np.int8), labels, indptr), (len(y_at) - 1, data.labels))

    X, Y = matrix(0, data.train), indicators(*data.sets(0, data.train))
    with section() as learning:
        machines = OneVsRestClassifier(SGDClassifier(alpha=1e-5, max_iter=EPOCHS, tol=None, average=True)).fit(X, Y)
    with section() as predicting:
        found = sparse.csr_matrix(machines.predict(matrix(data.train, data.n)))
    gold = indicators(*data.sets(data.train, data.n))
    f1 = 200 * gold.multiply(found).sum() / (gold.sum() + found.sum())
    return {
        "learning": learning["cpu"],
        "predicting": predicting["cpu"],
        "model_mb": sum(machine.coef_.nbytes for machine in machines.estimators_ if hasattr(machine, "coef_")) / 1e6,
        "f1": float(f1),
        "best": data.best(),
        "peak_mb": max(learning["peak_mb"], predicting["peak_mb"]),
    }


class _Data:
    """The examples of a file; those from `train` on are to be predicted."""

    def __init__(self, path: str) -> None:
        import numpy as np

        with np.load(path) as file:
            self.train, (self.labels, self.features) = int(file["train"]), map(int, file["shape"])
            self.n = len(file["width"])
            self._width, self._indices = file["width"], file["indices"]
            self._gold, self._clean = ((file[a], file[b]) for a, b in (("size", "y"), ("clean_size", "clean")))

    def rows(self, begin: int, end: int) -> Any:
        """indptr, indices and values; rows of length 1."""
        import numpy as np

        width = self._width[begin:end]
        start = int(self._width[:begin].sum(dtype=np.int64))
        indptr = np.concatenate([[0], np.cumsum(width, dtype=np.int64)])
        values = np.repeat((1 / np.sqrt(width)).astype(np.float32), width)
        return indptr, self._indices[start : start + indptr[-1]], values

    def sets(self, begin: int, end: int, clean: bool = False) -> Any:
        """y and where each output begins: the number of labels, and then those."""
        import numpy as np

        size, labels = self._clean if clean else self._gold
        start = int(size[:begin].sum(dtype=np.int64))
        size = size[begin:end].astype(np.int64)
        y_at = np.concatenate([[0], np.cumsum(size + 1)])
        return np.insert(labels[start : start + size.sum()].astype(np.int32), y_at[:-1] - np.arange(len(size)), size), y_at

    def examples(self, begin: int, end: int) -> Any:
        from linnet.core.form import Block

        from linnet.learners import Examples

        return Examples((Block(*self.rows(begin, end)),), *self.sets(begin, end))

    def best(self) -> float:
        """Micro F1, in %, of the labels without errors."""
        from linnet.structures.labelset import Labelset

        gold, clean = (self.sets(self.train, self.n, clean) for clean in (False, True))
        return 100 * Labelset(self.labels).accuracy(*gold, *clean)


def _predicted(gen: Any, weights: Any, data: _Data) -> Any:
    from linnet.core.form import Block
    from linnet.core.predictor import Predictor

    return Predictor(gen, weights).argmax((Block(*data.rows(data.train, data.n)),))


def _model(path: str, learner: str) -> Path:
    return Path(path).with_suffix(f".{learner}.linnet")


if __name__ == "__main__":
    from run import main

    main(["labels10k"])
