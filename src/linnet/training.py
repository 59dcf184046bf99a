"""From labelled text to a model: read, hold out, make features, learn."""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet import __version__, io
from linnet.errors import DataError, UsageError
from linnet.features import SparseRows, TextFeatures, as_text
from linnet.learners import Epoch, Examples, Fit, Learning, Progress, learner
from linnet.model import Model, load_with_state
from linnet.structures.labels import Labels

DEFAULT_FEATURES = "words:1-2 punct bm25 min=2"
DEFAULT_LEARNER = "averaged-mira"
_CHECKPOINT_SECONDS = 60.0
_WORTH_KEEPING = 1.0
"""Seconds of learning: what took less is sooner had again than resumed."""
_MOST_LABELS = 4096

Data = Any
"""A path, several paths, or a pair (texts, labels)."""


@dataclass(frozen=True)
class Labelled:
    """Texts with the numbers of their labels."""

    text: pa.ChunkedArray | pa.Array
    y: npt.NDArray[np.int32]
    labels: tuple[str, ...]
    source: str

    def __len__(self) -> int:
        return len(self.y)

    def part(self, rows: npt.NDArray[np.int64]) -> Labelled:
        return Labelled(self.text.take(pa.array(rows)), self.y[rows], self.labels, self.source)


def train(
    data: Data,
    *,
    learner: str = DEFAULT_LEARNER,
    features: str = DEFAULT_FEATURES,
    epochs: int | None = None,
    dev: Data | float | None = None,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    class_weight: str | Mapping[str, float] | None = None,
    patience: int = 3,
    tol: float = 1e-3,
    shuffle: bool = True,
    text_col: str | None = None,
    label_col: str | None = None,
    format: str | None = None,
    progress: Callable[[Progress], None] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool = False,
) -> Model:
    """Train a model on a file (or on a pair of texts and labels).

    dev: a share of the data to hold out, or other data; learning then stops when it no longer helps there.
    class_weight: "balanced", or a weight for each label.
    checkpoint: where to keep the state of long learning; with `resume`, go on from there.

    >>> model = train((["good", "fine", "bad", "poor"], ["+", "+", "-", "-"]), features="words:1")
    >>> model.predict(["a good film"])
    ['+']
    """
    if epochs is not None and epochs < 1:
        raise UsageError(f"expected at least one epoch, found {epochs}.")
    columns = {"format": format, "text_col": text_col, "label_col": label_col}
    whole = _labelled(data, columns)
    training, held_out = _hold_out(whole, dev, seed, columns)
    text_features = TextFeatures(features)
    rows = text_features.fit_transform(training.text)
    gen = Labels(len(whole.labels))
    examples = Examples.labelled(rows, training.y, _weights(training, class_weight))
    learning = Learning(_preset(learner), options or {}, gen, (text_features.n_features,), examples.length2())
    held = Examples.labelled(text_features.transform(held_out.text), held_out.y) if held_out is not None else None

    def model_of(fit: Fit) -> Model:
        return Model(
            features=text_features,
            labels=whole.labels,
            weights=fit.weights[0] if fit.weights else learning.weights()[0],
            learner=learning.preset.name,
            options=learning.options,
            report=fit.report(),
            provenance=_provenance(whole, held_out, seed, class_weight),
        )

    keeper = _Keeper(
        checkpoint,
        learning,
        model_of,
        fingerprint=lambda: _fingerprint(text_features, examples, rows, held_out, (seed, shuffle)),
    )
    fit = learning.run(
        examples,
        epochs=epochs,
        seed=seed,
        dev=held,
        patience=patience,
        tol=tol,
        shuffle=shuffle,
        fit=keeper.resumed() if resume else None,
        progress=progress,
        after_epoch=keeper.after_epoch,
    )
    keeper.done(fit)
    return model_of(fit)


def _preset(name: str) -> Any:
    return learner(name)


def _labelled(data: Data, columns: Mapping[str, Any], labels: tuple[str, ...] | None = None) -> Labelled:
    if isinstance(data, tuple) and len(data) == 2 and not all(isinstance(part, str | os.PathLike) for part in data):
        text, column, source = as_text(data[0]), _as_labels(data[1]), "texts and labels"
        if len(text) != len(column):
            raise DataError(f"expected as many labels as texts, found {len(column)} labels and {len(text)} texts.")
    else:
        dataset = io.read(data, **columns, least_labels=2 if labels is None else 1)
        text, column, source = dataset.text, dataset.labels, dataset.source
    return _encode(text, column, source, labels)


def _as_labels(labels: Any) -> pa.Array:
    return as_text([str(label) for label in labels])


def _encode(text: Any, column: Any, source: str, labels: tuple[str, ...] | None) -> Labelled:
    """Number the labels in alphabetical order, or in that of `labels`; one that is not there becomes -1."""
    found = column.to_pylist()
    names = tuple(sorted(set(found))) if labels is None else labels
    if len(names) < 2:
        what = (
            f"every row has the label {names[0]!r}; learning needs at least two" if names else "there are no examples"
        )
        raise DataError(f"{what}.", source)
    if len(names) > _MOST_LABELS:
        raise DataError(
            f"found {len(names):,} different labels; at most {_MOST_LABELS:,}. Is the label column the right one?",
            source,
        )
    number = {name: k for k, name in enumerate(names)}
    y = np.fromiter((number.get(name, -1) for name in found), np.int32, len(found))
    return Labelled(text, y, names, source)


def _hold_out(
    whole: Labelled, dev: Data | float | None, seed: int, columns: Mapping[str, Any]
) -> tuple[Labelled, Labelled | None]:
    if dev is None:
        return whole, None
    if not isinstance(dev, float | int):
        return whole, _labelled(dev, columns, whole.labels)
    if not 0 < dev < 1:
        raise UsageError(f"expected a share between 0 and 1 to hold out, found {dev}.")
    order = np.random.default_rng([seed, 0xDE7]).permutation(len(whole))
    n = max(1, round(dev * len(whole)))
    if n >= len(whole):
        raise DataError(f"{whole.source}: {len(whole)} examples are too few to hold out {dev:g} of them.")
    return whole.part(np.sort(order[n:])), whole.part(np.sort(order[:n]))


def _weights(data: Labelled, class_weight: str | Mapping[str, float] | None) -> npt.NDArray[np.float32] | None:
    """One weight per example: that of its label. `balanced` gives every label the same weight in all."""
    if class_weight is None:
        return None
    if isinstance(class_weight, str):
        if class_weight != "balanced":
            raise UsageError(f"expected class weights to be 'balanced' or label=weight, found {class_weight!r}.")
        count = np.maximum(np.bincount(data.y, minlength=len(data.labels)), 1)
        weight = len(data) / (len(data.labels) * count)
    else:
        unknown = set(class_weight) - set(data.labels)
        if unknown:
            raise UsageError(f"class weight for {sorted(unknown)[0]!r}, but the labels are {', '.join(data.labels)}.")
        weight = np.array([class_weight.get(label, 1.0) for label in data.labels], np.float64)
        if not np.all((weight >= 0) & (weight < np.inf)):
            raise UsageError("expected class weights of 0 or more.")
    per_example: npt.NDArray[np.float32] = weight.astype(np.float32)[data.y]
    return per_example


def _fingerprint(
    features: TextFeatures, examples: Examples, rows: SparseRows, held_out: Labelled | None, settings: tuple[Any, ...]
) -> int:
    """A number that another run would not have: other examples, other weights of theirs, another order."""
    parts: list[npt.NDArray[Any]] = [*features.arrays().values(), *rows, examples.y]
    parts += [part for part in (examples.weight, held_out.y if held_out is not None else None) if part is not None]
    crc = zlib.crc32(repr(settings).encode())
    for part in parts:
        crc = zlib.crc32(np.ascontiguousarray(part).view(np.uint8).data if part.size else b"", crc)
    return crc


def _provenance(whole: Labelled, held_out: Labelled | None, seed: int, class_weight: Any) -> dict[str, Any]:
    return {
        "linnet": __version__,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "data": whole.source,
        "examples": len(whole),
        "held_out": 0 if held_out is None else len(held_out),
        "seed": seed,
        "class_weight": class_weight if isinstance(class_weight, str) else dict(class_weight or {}) or None,
    }


class _Keeper:
    """Writes a checkpoint once a minute and when learning is interrupted; takes it away when learning is done."""

    def __init__(
        self,
        path: str | os.PathLike[str] | None,
        learning: Learning,
        model_of: Callable[[Fit], Model],
        fingerprint: Callable[[], int],
    ) -> None:
        self.path = None if path is None else Path(path)
        self.learning = learning
        self.model_of = model_of
        self.fingerprint = fingerprint
        self.began = self.last = time.monotonic()
        self.snapshot: tuple[dict[str, Any], dict[str, Any], Fit] = ({}, {}, Fit([]))

    def after_epoch(self, fit: Fit) -> None:
        if self.path is None or time.monotonic() - self.began < _WORTH_KEEPING:
            return
        self._snap(fit)
        if time.monotonic() - self.last > _CHECKPOINT_SECONDS:
            self._write()

    def _snap(self, fit: Fit) -> None:
        """The state after an epoch together with its history, in one assignment: Ctrl-C may come at any moment."""
        arrays, numbers = self.learning.online.state()
        self.snapshot = (arrays, numbers, Fit(list(fit.weights), list(fit.history), best=fit.best))

    def done(self, fit: Fit) -> None:
        if self.path is None:
            return
        if fit.interrupted and self.snapshot[2].history:
            self._write()
        else:
            self.path.unlink(missing_ok=True)

    def _write(self) -> None:
        """The state at the end of the last whole epoch, with what is needed to choose between epochs."""
        assert self.path is not None
        arrays, numbers, fit = self.snapshot
        history = [asdict(epoch) for epoch in fit.history]
        state = {"online": numbers, "history": history, "best": fit.best, "data": self.fingerprint()}
        self.model_of(fit).save(self.path, (arrays, state))
        self.last = time.monotonic()

    def resumed(self) -> Fit:
        if self.path is None or not self.path.exists():
            raise UsageError(
                f"there is no checkpoint {os.fspath(self.path or '')!r} to go on from. Train without --resume."
            )
        model, state = load_with_state(self.path)
        learning = self.learning
        options = learning.preset.checked(model.options) if model.learner == learning.preset.name else None
        if state is None or options != learning.options:
            raise UsageError(
                f"{self.path} is from another learner ({model.learner}). Use the options that it was made with."
            )
        arrays, numbers = state
        if numbers["data"] != self.fingerprint():
            raise UsageError(f"{self.path} is from other data or features. Train without --resume.")
        learning.online.restore(arrays, numbers["online"])
        history = [Epoch(**epoch | {"moved": float(epoch["moved"])}) for epoch in numbers["history"]]
        fit = Fit([], history, best=numbers["best"])
        if any(epoch.dev is not None for epoch in history):
            fit.weights = [np.array(model.weights)]
        self._snap(fit)
        return fit


def parse_class_weight(text: str) -> str | dict[str, float]:
    """`balanced`, or `spam=5,ham=1`."""
    if "=" not in text:
        return text
    weights: dict[str, float] = {}
    for item in text.split(","):
        label, _, number = item.rpartition("=")
        try:
            weights[label] = float(number)
        except ValueError:
            raise UsageError(f"expected label=weight in the class weights, found {item!r}.") from None
    return weights


__all__: Sequence[str] = ("DEFAULT_FEATURES", "DEFAULT_LEARNER", "parse_class_weight", "train")
