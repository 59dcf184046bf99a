"""The CPU time of linnet and LIBLINEAR until the objective is within 1e-4 of the optimum.

    1/2 ||w||^2 + C sum_i loss_i,    the bias a feature of 1 that is regularised with the others (LIBLINEAR's -B 1)

Each tool has one number that says when to stop (linnet's tol, LIBLINEAR's -e). Beforehand the coarsest of a ladder that is
fine enough is found; the fit with that one is timed, on a matrix that is ready in the tool's own form. The best is what a
long run of linnet reaches, and its duality gap says how far that can be off. Objectives are computed here, in float64, for
the weights that each tool returns.

The log loss is multinomial in linnet: with two labels it is LIBLINEAR's problem with half the C, over more labels another one
than LIBLINEAR's one against the rest, whose best is that of a long run of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import datasets
from errors import MissingError
from measure import Run, compete, job, say, section
from report import Column, Table, contest_table

ENOUGH = 1e-4
LADDER = tuple(digit * 10.0**-power for power in range(1, 6) for digit in (5, 2, 1))
LONG = 1e-5
MOST = 2000
COLUMNS = (
    Column("CPU s to 1e-4", "cpu", ".2f"),
    Column("above the best", "above", ".1e"),
    Column("stops at", "stop", ".2g"),
    Column("passes", "passes", ".0f"),
    Column("peak above MB", "above_mb", ".0f"),
)
PROBLEMS = {
    "squared hinge, one against the rest": ("squared-hinge", ["-s 1"]),
    "hinge, one against the rest": ("hinge", ["-s 3"]),
    "multiclass hinge": ("multiclass-hinge", ["-s 4"]),
    "log": ("log", ["-s 0", "-s 7"]),
}


def run(quick: bool = False, rounds: int = 3) -> list[Table]:
    tables = []
    for name in datasets.available(["imdb", "20news"]):
        say(f"  making the matrix: {name}, words 1-2 tf-idf")
        path = job("optimum:matrix", name=name, limit=1000 if quick else None)["path"]
        for title, (loss, peers) in PROBLEMS.items():
            contestants: dict[str, Callable[[], Run]] = {}
            try:
                found = _answer(job("optimum:find", path=path, loss=loss))
                contestants["linnet"] = partial(job, "optimum:linnet", path=path, loss=loss, **found)
                best = found["best"]
                for solver in peers:
                    given = {"path": path, "loss": loss, "solver": solver}
                    found = _answer(job("optimum:find_peer", **given, best=best))
                    contestants[f"LIBLINEAR {solver}"] = partial(job, "optimum:liblinear", **given, **found)
            except MissingError as reason:
                say(f"  LIBLINEAR is left out: {reason}.")
            contest = compete(contestants, rounds)
            rivals = {peer: "linnet" for peer in contestants if peer != "linnet"}
            tables.append(
                contest_table(f"optimum: {name}, {title}", contest, COLUMNS, "cpu", {"linnet / this": rivals})
            )
    return tables


def _answer(run: Run) -> Run:
    return {key: run[key] for key in ("best", "stop")}


def matrix(name: str, limit: int | None) -> dict[str, str]:
    import numpy as np

    from linnet.sklearn import TextVectorizer

    documents = datasets.read(name, "train", limit)
    X = TextVectorizer("words:1-2 tfidf").fit_transform(documents.texts)
    y = np.unique(documents.labels, return_inverse=True)[1]
    order = np.random.default_rng(0).permutation(len(y))
    X, y = X[order], y[order]
    path = datasets.cache() / f"optimum-{name}{'' if limit is None else f'-{limit}'}.npz"
    with datasets.replacing(path) as new, new.open("wb") as file:
        np.savez(file, data=X.data, indices=X.indices, indptr=X.indptr, shape=X.shape, y=y)
    return {"path": str(path)}


def find(path: str, loss: str) -> dict[str, float]:
    """The best objective that is known, and the coarsest tol that comes near enough to it."""
    X, y = _load(path)
    examples = _examples(X, y)

    def reached(tol: float) -> float:
        fit = _learning(loss, X, y).run(examples, tol=tol, epochs=MOST, take=True)
        return _objective(X, y, fit.weights[0], loss)

    best = reached(LONG)
    return {"best": best, "stop": _coarsest(reached, best)}


def find_peer(path: str, loss: str, solver: str, best: float) -> dict[str, float]:
    X, y = _load(path)
    problem = _problem(X, y)

    def reached(e: float) -> float:
        return _objective(X, y, _weights(_train(problem, loss, solver, e, y), X, y, loss), _of_peer(loss, y))

    best = best if _of_peer(loss, y) == loss else reached(LONG)
    return {"best": best, "stop": _coarsest(reached, best)}


def _coarsest(reached: Callable[[float], float], best: float) -> float:
    return next((stop for stop in LADDER if reached(stop) <= best * (1 + ENOUGH)), LADDER[-1])


def linnet(path: str, loss: str, stop: float, best: float) -> Run:
    X, y = _load(path)
    examples, learning = _examples(X, y), _learning(loss, X, y)
    with section() as taken:
        fit = learning.run(examples, tol=stop, epochs=MOST, take=True)
    above = _objective(X, y, fit.weights[0], loss) / best - 1
    return taken | {"above": above, "stop": stop, "passes": len(fit.history)}


def liblinear(path: str, loss: str, solver: str, stop: float, best: float) -> Run:
    X, y = _load(path)
    problem = _problem(X, y)
    with section() as taken:
        model = _train(problem, loss, solver, stop, y)
    above = _objective(X, y, _weights(model, X, y, loss), _of_peer(loss, y)) / best - 1
    return taken | {"above": above, "stop": stop}


def _load(path: str) -> tuple[Any, Any]:
    import numpy as np
    from scipy import sparse

    with np.load(path) as file:
        parts = (file["data"], file["indices"], file["indptr"])
        return sparse.csr_matrix(parts, shape=tuple(file["shape"])), file["y"]


def _examples(X: Any, y: Any) -> Any:
    import numpy as np

    from linnet.features import SparseRows
    from linnet.learners import Examples

    rows = SparseRows(X.indptr.astype(np.int64), X.indices.astype(np.uint32), X.data.astype(np.float32))
    return Examples.labelled(rows, y.astype(np.int32))


def _learning(loss: str, X: Any, y: Any) -> Any:
    from linnet.learners import Learning, learner
    from linnet.structures.labels import Labels

    name, options = ("logistic", {"by": "dual", "lam": 1 / len(y)}) if loss == "log" else ("svm", {"loss": loss})
    return Learning(learner(name), options, Labels(int(y.max()) + 1), (X.shape[1],))


def _problem(X: Any, y: Any) -> Any:
    import numpy as np
    from liblinear.liblinearutil import problem

    return problem(y.astype(np.float64), X.astype(np.float64), bias=1)


def _of_peer(loss: str, y: Any) -> str:
    return "each-log" if loss == "log" and y.max() > 1 else loss


def _train(problem: Any, loss: str, solver: str, e: float, y: Any) -> Any:
    import ctypes

    from liblinear.liblinearutil import liblinear as library
    from liblinear.liblinearutil import parameter

    ctypes.CDLL(None).srand(1)  # The order of the examples is the same when it is timed as when the stop was found.
    C = 2 if _of_peer(loss, y) == "log" else 1
    return library.train(problem, parameter(f"{solver} -c {C} -B 1 -q -e {e}"))


def _weights(pointer: Any, X: Any, y: Any, loss: str) -> Any:
    """The weights in the form of linnet, with a column for each label and the bias first. One classifier for two labels becomes
    two, each with half of its weights where it is the difference of the two."""
    import numpy as np
    from liblinear.liblinear import toPyModel

    model = toPyModel(pointer)
    n = int(y.max()) + 1
    labels = [int(model.label[k]) for k in range(n)]
    machines = 1 if n == 2 and loss != "multiclass-hinge" else n
    w = np.ctypeslib.as_array(model.w, shape=((X.shape[1] + 1) * machines,)).reshape(-1, machines)
    W = np.empty((len(w), n))
    W[:, labels] = w if machines > 1 else w * ([0.5, -0.5] if loss == "log" else [1, -1])
    return np.roll(W, 1, axis=0)


def _objective(X: Any, y: Any, W: Any, loss: str) -> float:
    """The objective of weights, with C = 1."""
    import numpy as np

    n = int(y.max()) + 1
    W = W[:, :n].astype(np.float64)
    theta = X.astype(np.float64) @ W[1:] + W[0]
    right, of_right = np.eye(n)[y], theta[np.arange(len(y)), y]
    s = 2 * right - 1
    losses = {
        "squared-hinge": lambda: (np.maximum(0, 1 - s * theta) ** 2).sum(),
        "hinge": lambda: np.maximum(0, 1 - s * theta).sum(),
        "multiclass-hinge": lambda: ((theta + 1 - right).max(axis=1) - of_right).sum(),
        "log": lambda: (np.logaddexp.reduce(theta, axis=1) - of_right).sum(),
        "each-log": lambda: np.logaddexp(0, -s * theta).sum(),
    }
    return float((W**2).sum() / 2 + losses[loss]())


if __name__ == "__main__":
    from run import main

    main(["optimum"])
