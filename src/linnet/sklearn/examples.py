"""Users of scikit-learn hand over more than X: classes, weights of examples, a seed, a held-out share."""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from sklearn.utils import check_random_state
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import type_of_target, unique_labels
from sklearn.utils.validation import _check_sample_weight, check_non_negative

from linnet.core import arrow
from linnet.errors import DataError, UsageError
from linnet.features import FeatureSpec, Table, as_text
from linnet.tasks.texts.tables import looked_at

Classes = npt.NDArray[Any]
Rows = npt.NDArray[np.int64]


class Part(NamedTuple):
    """A part has some examples: texts or a matrix, the numbers of their classes, and their weights."""

    X: Any
    y: npt.NDArray[np.int32]
    weight: npt.NDArray[np.float32] | None

    def take(self, rows: Rows) -> Part:
        X = self.X.take(arrow.numbers(rows)) if isinstance(self.X, pa.Array | pa.ChunkedArray | Table) else self.X[rows]
        return Part(X, self.y[rows], None if self.weight is None else self.weight[rows])

    def with_weight(self) -> Part:
        """Leave out the examples of weight 0: these are as if they were not there."""
        if self.weight is None or self.weight.all():
            return self
        return self.take(np.flatnonzero(self.weight))


def check_parameters(learner: Any, options: Any, epochs: Any, patience: Any, tol: Any) -> None:
    """Raise UsageError for what no run can have."""
    if not isinstance(learner, str):
        raise UsageError(f"expected learner to be a name, found {learner!r}.")
    if not (options is None or isinstance(options, Mapping)):
        raise UsageError(f"expected options to be a dict, found {options!r}.")
    for name, value in {"epochs": epochs, "patience": patience}.items():
        if value is not None and not (isinstance(value, numbers.Integral) and int(value) >= 1):
            raise UsageError(f"expected {name} to be a whole number from 1 on, found {value!r}.")
    if not (isinstance(tol, numbers.Real) and float(tol) >= 0):
        raise UsageError(f"expected tol to be a number from 0 on, found {tol!r}.")


def texts_of(X: Any, spec: FeatureSpec) -> Any:
    """Give one column of text, or a table where the features look at several."""
    return looked_at(X, spec) if spec.columns else as_text(X)


def rows_of(texts: Any) -> list[Any]:
    """Give texts one by one: strings, or dicts where there are other columns beside them."""
    if not isinstance(texts, Table):
        return list(texts.to_pylist())
    rows = [{}] * len(texts) if texts.columns is None else texts.columns.to_pylist()
    return [{"text": text, **row} for text, row in zip(texts.text.to_pylist(), rows, strict=True)]


def is_text(X: Any) -> bool:
    """Tell whether X is one column of text."""
    try:
        as_text(X)
    except (DataError, TypeError):
        return False
    return True


def seed_of(random_state: Any) -> int:
    """An int is the seed; from a RandomState, or from None, one is drawn."""
    if isinstance(random_state, numbers.Integral) and int(random_state) >= 0:
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31 - 1))


def check_labels(y: npt.NDArray[Any]) -> None:
    """Raise ValueError for what cannot be classes: measurements, or text with something else among it."""
    if y.dtype == object and 0 < sum(isinstance(label, str) for label in y) < len(y):
        kinds = " and ".join(sorted({type(label).__name__ for label in y}))
        raise DataError(f"expected labels of one kind, found {kinds}.")
    # The check_classification_targets of scikit-learn would warn of every small batch with many classes.
    kind = type_of_target(y, input_name="y")
    if kind not in ("binary", "multiclass"):
        raise DataError(f"Unknown label type: {kind}. Expected one class for each example.")


def joined(known: Classes, *more: Any) -> Classes:
    """Give all classes in order; ValueError for a mixture of numbers and strings."""
    classes: Classes = unique_labels(known, *(np.asarray(labels) for labels in more if labels is not None))
    return classes


def numbered(y: npt.NDArray[Any], classes: Classes) -> npt.NDArray[np.int32]:
    """Give the number of each label among the classes, which are in order; -1 for one that is not there."""
    at = np.searchsorted(classes, y)
    return np.where(classes.take(at, mode="clip") == y, at, -1).astype(np.int32)


def example_weights(
    class_weight: Any, classes: Classes, y: npt.NDArray[np.int32], sample_weight: Any
) -> npt.NDArray[np.float32] | None:
    """Give each example its own weight times that of its class; None where all are 1."""
    per_example: npt.NDArray[np.float32] | None = None
    if sample_weight is not None:
        per_example = _check_sample_weight(sample_weight, y, dtype=np.float32)
        check_non_negative(per_example, "`sample_weight`")
        if not per_example.any():
            raise DataError("every sample_weight is zero, so there is nothing to learn from.")
    if class_weight is None:
        return per_example
    per_class = _class_weights(class_weight, classes, y)[y]
    return per_class if per_example is None else per_class * per_example


def _class_weights(class_weight: Any, classes: Classes, y: npt.NDArray[np.int32]) -> npt.NDArray[np.float32]:
    if isinstance(class_weight, Mapping):
        weight = np.array([class_weight.get(label, 1) for label in classes.tolist()], np.float32)
        if not (np.isfinite(weight) & (weight >= 0)).all():
            raise UsageError(f"expected class weights from 0 on, found {dict(class_weight)}.")
        return weight
    if class_weight != "balanced":
        raise UsageError(f"expected class_weight to be None, 'balanced' or a dict, found {class_weight!r}.")
    weight = np.ones(len(classes), np.float32)
    seen = np.unique(y)
    weight[seen] = compute_class_weight("balanced", classes=seen, y=y)
    return weight


def check_class_weight(class_weight: Any, classes: Classes) -> None:
    """Raise UsageError if a dict has a class that is not in the data, and lacks one that is: it is probably
    misspelt."""
    known = classes.tolist()
    if isinstance(class_weight, Mapping) and not all(label in class_weight for label in known):
        for label in class_weight:
            if label not in known:
                names = ", ".join(map(repr, known))
                raise UsageError(f"class_weight has {label!r}, but the classes are {names}.")


def hold_out(n: int, share: float, seed: int) -> tuple[Rows, Rows]:
    """Give the examples to learn from and those held out, as `linnet.train` chooses them."""
    if not 0 < share < 1:
        raise UsageError(f"expected a share between 0 and 1 to hold out, found {share}.")
    held = max(1, round(share * n))
    if held >= n:
        raise DataError(f"{n} examples are too few to hold out {share:g} of them.")
    order = np.random.default_rng([seed, 0xDE7]).permutation(n)
    return np.sort(order[held:]), np.sort(order[:held])
