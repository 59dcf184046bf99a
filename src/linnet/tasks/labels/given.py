"""A model of weights that a person types, in the place of learning them.

    w_y = what is typed for label y,    0 where nothing is typed

so that theta_y = w_y.x + b_y, and p(y | x) = exp(theta_y) / sum over y' of exp(theta_y'). Of two labels it is enough to give
one its weights, as textbooks do: with w_- = 0 it is p(+ | x) = exp(w.x + b) / (1 + exp(w.x + b)) = sigma(w.x + b), without a
factor of two. Learning treats both labels alike, ends with w_+ = -w_-, and has p(+ | x) = sigma(2 (w_+.x + b_+)).
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import numpy as np

from linnet import __version__
from linnet.core.types import F32, Json, Label
from linnet.core.weights import stride_of
from linnet.errors import DataError, UsageError, meant
from linnet.features import TextFeatures
from linnet.features.typed_names import FeatureNameError
from linnet.io.typed_weights import TypedWeights, read_weights, weight_of
from linnet.learners import given
from linnet.tasks.labels.model import LabelsModel
from linnet.tasks.texts.label_types import spelled, typed

BIAS = "bias"
USUAL_FEATURES = "words:1"


def make(
    weights: Mapping[Label, Mapping[str, float]] | str | os.PathLike[str],
    *,
    features: str | None = None,
    labels: Sequence[Label] | None = None,
) -> LabelsModel:
    """Make a model of labels from weights that a person gives: it predicts, explains, evaluates and saves as one that was
    learned.

    weights: for each label the weights of its features by name, and of the `bias`; or the path of a file with them. What is not
        there is 0.
    features: what the names are of, such as "words:1-2", "sentiment" or "number:age"; single words, where neither this nor the
        file says it. Numbers count as they are.
    labels: all labels in their order. It is needed where a label has no weights: of two labels, the one with weights then has
        the probability sigma(w.x + b).

    >>> model = make({"pos": {"bias": 0.5, "dull": -2}}, labels=["neg", "pos"])
    >>> model.predict(["a dull film", "a film"]), model.scores(["a dull film"]).tolist()
    (['neg', 'pos'], [[0.0, -1.5]])
    """
    found = read_weights(weights) if isinstance(weights, str | os.PathLike) else _typed(weights)
    given_labels = found.labels if labels is None else labels
    values = list(found.weights if given_labels is None else given_labels)
    names = _names(values, found, is_named=given_labels is not None)
    made, rows = _features(features or found.features or USUAL_FEATURES, found)
    return LabelsModel(
        features=made,
        labels=tuple(names),
        weights=(_matrix(made.n_features, rows, names, found),),
        learner=given.PRESET.name,
        report={"epochs": [], "stopped": "the weights were given", "best": 0, "theory": None},
        provenance={
            "linnet": __version__,
            "weights": found.source,
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
        },
        details=typed(labels if labels is not None else weights if isinstance(weights, Mapping) else []),
    )


def _typed(weights: Mapping[Label, Json]) -> TypedWeights:
    """Weights given in Python, once they are known to be numbers."""
    numbers: dict[str, dict[str, float]] = {}
    for label, of_label in weights.items():
        if not isinstance(of_label, Mapping):
            raise UsageError(
                f"expected a dict of features with their weights for label {label!r}, found {of_label!r:.60}."
            )
        for feature, value in of_label.items():
            if isinstance(value, str) or weight_of(value) is None:
                raise UsageError(
                    f"expected a number as the weight of {feature!r} for label {label!r}, found {value!r:.60}."
                )
        numbers[spelled(label)] = {feature: float(value) for feature, value in of_label.items()}
    return TypedWeights(numbers, "weights")


def _names(labels: Sequence[Label], found: TypedWeights, *, is_named: bool) -> list[str]:
    """The names of all labels, if each is there once and all weights belong to one of them; DataError otherwise."""
    names = list(map(spelled, labels))
    for at, name in enumerate(names):
        if not name or name in names[:at]:
            raise DataError(f"expected each label once, found {labels[at]!r} among {list(labels)!r:.60}.", found.source)
    if not names:
        raise DataError("there is no label.", found.source)
    if len(names) == 1 and not is_named:
        raise DataError(
            f"{names[0]!r} is the only label. Name all labels in their order: --labels {names[0]},OTHER on the command line, "
            f'labels= in Python, "labels" in JSON. A label without weights scores 0.',
            found.source,
        )
    for label in found.weights:
        if label not in names:
            raise DataError(
                f"there are weights for label {label!r}, but the labels are: {', '.join(names)}.{meant(label, names)}",
                found.source,
            )
    return names


def _features(spec: str, found: TypedWeights) -> tuple[TextFeatures, dict[str, int]]:
    """The features that have weights, and the row of each name in W, of which row 0 is the bias. DataError, with the line, for
    a name that is none of the specification."""
    names = list(dict.fromkeys(name for of_label in found.weights.values() for name in of_label if name != BIAS))
    try:
        features, numbers = TextFeatures.of_names(spec, names)
    except FeatureNameError as error:
        raise DataError(str(error), found.source, found.lines.get(error.name)) from None
    return features, {BIAS: 0} | {name: 1 + j for name, j in zip(names, numbers, strict=True)}


def _matrix(n_features: int, rows: Mapping[str, int], labels: Sequence[str], found: TypedWeights) -> F32:
    """W: a row for the bias and for each feature, a column for each label."""
    W = np.zeros((1 + n_features, stride_of(len(labels))), np.float32)
    for label, of_label in found.weights.items():
        for name, number in of_label.items():
            W[rows[name], labels.index(label)] = number
    return W
