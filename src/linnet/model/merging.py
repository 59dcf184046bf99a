"""Models of the same task merged into one: features are united by their names, and weights are averaged,

    w = (w_1 + ... + w_n) / n,

where a feature that a model does not have weighs 0 in it. So the scores of the merged model are the means of the scores, if the
values of features are the same in all models. Where values depend on how many texts have a feature (tfidf, bm25), these numbers
are added up, and the weights of each model are adjusted to the new values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from linnet.core.strips import by_block
from linnet.core.types import F32, Array, Integers, Json
from linnet.errors import UsageError
from linnet.learners import learner
from linnet.learners.weights import divided, total
from linnet.model.base import Model

_REPAIRED = "repaired"


def merged(models: Sequence[Model]) -> Model:
    """The merged model that `Model.merge` describes."""
    first = models[0]
    for other in models[1:]:
        _check(first, other)
    features, places = first.united([model.features for model in models])
    n_features = first.sizes(features, first._gen).n_features
    weights = [
        _placed(model, n_features, rows, _columns(first, model)) for model, rows in zip(models, places, strict=True)
    ]
    whole = weights[0]
    for others in weights[1:]:
        whole = total(whole, others)
    provenance = {"merged": [dict(model.provenance) for model in models], "linnet": first.provenance.get("linnet")}
    return replace(
        first,
        features=features,
        weights=tuple(divided(whole, len(models))),
        details=_details(models),
        report={},
        provenance=provenance,
        state=None,
    )


def _check(first: Model, other: Model) -> None:
    """Raise UsageError, with the reason, if two models cannot be merged."""
    for what, a, b in (
        ("tasks", first.task, other.task),
        ("learners", first.learner, other.learner),
        ("features", str(first.features.spec), str(other.features.spec)),
        ("labels", sorted(first.labels), sorted(other.labels)),
        ("settings of the task", _settings(first), _settings(other)),
    ):
        if a != b:
            raise UsageError(
                f"models are merged by averaging the weights of the same features for the same labels, but their {what} "
                f"differ: {_difference(a, b)}. Train them alike."
            )
    preset = learner(first.learner)
    preset.check_linear()
    if preset.generative:
        raise UsageError(
            f"models of {first.learner!r} are not merged: they keep logarithms of probabilities, not the counts that could be "
            "added up. Train on all data at once."
        )
    if first.parts or other.parts:
        raise UsageError("models with a reranker are not merged, as it knows the scores of one model only.")


def _settings(model: Model) -> dict[str, Json]:
    """The details of a model, without those of its data: the names of the columns, and how many tags were repaired."""
    return {name: value for name, value in model.details.items() if name not in ("columns", _REPAIRED)}


def _details(models: Sequence[Model]) -> dict[str, Json]:
    """The details of a merged model."""
    details = dict(models[0].details)
    if _REPAIRED in details:
        details[_REPAIRED] = sum(model.details[_REPAIRED] for model in models)
    return details


def _difference(a: Json, b: Json) -> str:
    if isinstance(a, list):
        only = next(label for label in [*a, *b] if (label in a) != (label in b))
        return f"only one of them has {only!r}"
    if isinstance(a, Mapping):
        name = next(name for name in [*a, *b] if a.get(name) != b.get(name))
        return f"{name} is {a.get(name)!r} in one and {b.get(name)!r} in the other"
    return f"{a!r} and {b!r}"


def _columns(first: Model, model: Model) -> Sequence[Integers | None]:
    """For each block the new number of each outcome of a model, if its labels are in another order than those of the first."""
    if model.labels == first.labels:
        return (None,) * len(model.outcomes)
    return model.outcomes_of(np.array([first.labels.index(label) for label in model.labels]), model._gen)


def _placed(
    model: Model,
    n_features: Sequence[int],
    rows: Sequence[tuple[Integers, F32]],
    columns: Sequence[Integers | None],
) -> list[Array]:
    """The weights of a model among the features of all models.

    rows: for each block the new number of each feature, and what its weights are multiplied by.
    columns: for each block the new number of each outcome, or None if all keep their numbers."""
    found: list[Array] = []
    for block, n, (numbers, factor), places in zip(by_block(model.weights), n_features, rows, columns, strict=True):
        if len(block) == 1:
            found.append(_table(block[0], n, numbers, factor, places))
        else:
            found.extend(_strips(block, n, numbers, factor, places))
    return found


def _table(W: Array, n: int, numbers: Integers, factor: F32, columns: Integers | None) -> Array:
    placed = np.zeros((1 + n, W.shape[1]), np.float32)
    placed[0] = W[0]
    placed[1 + numbers] = W[1:] * factor[:, None]
    if columns is not None:
        placed[:, columns] = placed[:, : len(columns)].copy()
    return placed


def _strips(
    block: tuple[Array, ...], n: int, numbers: Integers, factor: F32, columns: Integers | None
) -> tuple[Array, ...]:
    indptr, outcomes, values = block
    lengths = np.diff(indptr).astype(np.int64)
    row = np.repeat(np.concatenate([[0], 1 + numbers]), lengths)
    order = np.argsort(row, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=n + 1))]).astype(np.uint64)
    weights = values * np.repeat(np.concatenate([np.ones(1, np.float32), factor]), lengths)
    places = outcomes if columns is None else columns[outcomes].astype(np.uint32)
    return starts, places[order], weights[order]
