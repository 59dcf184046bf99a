"""What several benchmarks need for the peers: their input formats, and scikit-learn's names for the learners."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from errors import MissingError

TOKEN = r"(?u)\w+"

# The table maps ASCII letters to lower case, keeps digits and bytes of longer characters, and maps all else to a space. One
# call of bytes.translate is the cheapest way from text to words in Python. It also removes what VW reads as syntax (: and |).
WORDS_ONLY = bytes(ord(chr(c).lower()) if chr(c).isalnum() or chr(c) == "_" else 32 for c in range(128))
WORDS_ONLY += bytes(range(128, 256))


def words_only(text: str) -> bytes:
    return text.encode().translate(WORDS_ONLY)


def json_lines(path: str | Path) -> Iterator[dict[str, Any]]:
    with open(path, "rb") as file:
        for line in file:
            yield json.loads(line)


def shuffled(path: str | Path) -> Iterator[dict[str, Any]]:
    """The lines in a fixed random order, as online learners cannot use a file that is sorted by class."""
    with open(path, "rb") as file:
        lines = file.readlines()
    random.Random(0).shuffle(lines)
    return map(json.loads, lines)


def convert(documents: Iterable[dict[str, Any]], out: Path, head: Callable[[str], bytes]) -> None:
    """Write a document on each line: what `head` makes of the label, then the words."""
    with out.open("wb") as file:
        for document in documents:
            file.write(head(document["label"]) + words_only(document["text"]) + b"\n")


def write_predictions(out: Path, labels: Iterable[str]) -> None:
    out.write_text("label\n" + "\n".join(labels) + "\n", encoding="utf-8")


def vw_head(labels: list[str]) -> Callable[[str], bytes]:
    """The labels as VW numbers them: -1 and 1 if there are two, else 1 to K."""
    if len(labels) == 2:
        codes = {labels[0]: b"-1 | ", labels[1]: b"1 | "}
    else:
        codes = {label: b"%d | " % (i + 1) for i, label in enumerate(labels)}
    return codes.__getitem__


def vw_options(labels: list[str], bits: int = 22) -> str:
    problem = "" if len(labels) == 2 else f" --oaa {len(labels)}"
    return f"--quiet --loss_function logistic --ngram 2 -b {bits}{problem}"


def vw_label(labels: list[str], prediction: float) -> str:
    return labels[prediction > 0] if len(labels) == 2 else labels[int(prediction) - 1]


def vw_run(arguments: str) -> None:
    """Run VW to its end, as its own program would."""
    from vowpalwabbit import Workspace

    Workspace(arguments).finish()


def fasttext_label(model: Any, line: str) -> str:
    """Predict as fastText's own `predict` does, which raises under NumPy 2, by what it calls itself."""
    found = model.f.predict(line + "\n", 1, 0.0, "strict")
    return found[0][1].removeprefix("__label__") if found else ""


def linnet_command() -> str:
    """The command `linnet` that belongs to this Python, or else the one on the path."""
    import shutil

    beside = Path(sys.executable).with_name("linnet")
    found = str(beside) if beside.exists() else shutil.which("linnet")
    if found is None:
        raise MissingError("the command linnet is not installed")
    return found


def sklearn_learner(name: str, epochs: int = 10) -> Any:
    """The estimator of scikit-learn for a learner of linnet, with fixed epochs, no early stopping and one process."""
    from sklearn.linear_model import LogisticRegression, Perceptron, SGDClassifier
    from sklearn.naive_bayes import MultinomialNB
    from sklearn.svm import LinearSVC

    online = {"max_iter": epochs, "tol": None, "random_state": 0, "n_jobs": 1}
    constant = {"learning_rate": "constant", "eta0": 1.0, "penalty": None}
    estimators: dict[str, Callable[[], Any]] = {
        "naive-bayes": MultinomialNB,
        "perceptron": lambda: Perceptron(**online),
        "averaged-perceptron": lambda: SGDClassifier(loss="perceptron", average=True, **constant, **online),
        "mira": lambda: _passive_aggressive(False, online),
        "averaged-mira": lambda: _passive_aggressive(True, online),
        "logistic": lambda: LogisticRegression(max_iter=300),
        "logistic-sgd": lambda: SGDClassifier(loss="log_loss", **online),
        "averaged-logistic-sgd": lambda: SGDClassifier(loss="log_loss", average=True, **online),
        "svm": LinearSVC,
        "nb-svm": NbSvm,
    }
    return estimators[name]()


class NbSvm:
    """The NB-SVM of Wang and Manning (2012): for each label LinearSVC over X diag(r), r the logarithm of the ratio of counts.

    C is the best of 0.01, 0.03, 0.1, 0.3 and 1 on held-out sentences and questions.
    """

    def fit(self, X: Any, y: Any) -> NbSvm:
        import numpy as np
        from sklearn.svm import LinearSVC

        self._labels = np.unique(y)
        self._machines = []
        for label in self._labels:
            p, q = (1 + np.asarray(X[rows].sum(axis=0)).ravel() for rows in (y == label, y != label))
            r = np.log(p / p.sum()) - np.log(q / q.sum())
            self._machines.append((r, LinearSVC(C=0.3).fit(X.multiply(r).tocsr(), y == label)))
        return self

    def predict(self, X: Any) -> Any:
        import numpy as np

        scores = [machine.decision_function(X.multiply(r).tocsr()) for r, machine in self._machines]
        return self._labels[np.argmax(scores, axis=0)]


def _passive_aggressive(average: bool, online: dict[str, Any]) -> Any:
    """PA-I with C = 1, which is a learning rate of SGDClassifier since scikit-learn 1.8 and was a class of its own before."""
    import sklearn

    if tuple(map(int, sklearn.__version__.split(".")[:2])) >= (1, 8):
        from sklearn.linear_model import SGDClassifier

        return SGDClassifier(loss="hinge", penalty=None, learning_rate="pa1", eta0=1.0, average=average, **online)
    from sklearn.linear_model import PassiveAggressiveClassifier

    return PassiveAggressiveClassifier(C=1.0, average=average, **online)
