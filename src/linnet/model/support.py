"""The support vectors of a model: the examples that its weights are a sum of, w = sum_i alpha_i f(x_i), each with its alpha."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from linnet.core.types import Array, Json
from linnet.errors import UsageError
from linnet.explain.strongest import Named
from linnet.learners import LEARNERS, learner

if TYPE_CHECKING:
    from linnet.model.base import Model

REPORT = "support"
"""The name under which the report of a model keeps its support vectors."""
_KERNEL = "kernel"
"""The name of the scorer that compares an example with support vectors."""


@dataclass(frozen=True)
class SupportVector:
    """An example that the weights are made of."""

    row: int | None
    """The number of the example in the training data, from 1; None where the model did not keep it."""
    text: str
    """The example as a text; where the model did not keep it, the names of its features."""
    alpha: dict[str, float]
    """What the example has added for each label, its features being multiplied by it: above 0 for, below 0 against the label.
    Over tags and trees, the sum over its places."""

    @property
    def size(self) -> float:
        """The largest |alpha|."""
        return max(map(abs, self.alpha.values()), default=0.0)

    def as_dict(self) -> dict[str, Json]:
        return asdict(self)


def kept(rows: Sequence[int], texts: Sequence[str], alpha: Array) -> dict[str, Json]:
    """Support vectors as the report of a model keeps them. rows: the numbers of the examples, from 0."""
    return {REPORT: {"rows": [int(row) + 1 for row in rows], "texts": list(texts), "alpha": alpha.tolist()}}


def support_vectors(model: Model) -> list[SupportVector]:
    """The support vectors of a model, those with the largest alpha first. Raise UsageError where it has none, or did not keep
    them."""
    found = model.report.get(REPORT)
    names = _outcomes(model)
    if found is not None:
        each = zip(found["rows"], found["texts"], found["alpha"], strict=True)
        vectors = [SupportVector(row, text, _named(names, alpha)) for row, text, alpha in each]
    elif model.scorer_name == _KERNEL:
        vectors = _compared(model, names)
    else:
        raise UsageError(_why_none(model))
    return sorted(vectors, key=lambda vector: -vector.size)


def _outcomes(model: Model) -> Sequence[str]:
    """The names of the outcomes of block 0: labels, or numbers where these are others, such as thresholds."""
    n = int(model.outcomes[0])
    return model.labels if len(model.labels) == n else [str(k) for k in range(n)]


def _named(names: Sequence[str], alpha: Sequence[float]) -> dict[str, float]:
    return {name: float(number) for name, number in zip(names, alpha, strict=True) if number}


def _compared(model: Model, names: Sequence[str]) -> list[SupportVector]:
    """The rows that a kernel model compares with, which know nothing of the texts that they were made of."""
    features: object = model.features
    _, alpha, indptr, indices = (np.asarray(array) for array in model.weights[:4])
    ends = indptr.astype(np.int64)
    vectors = []
    for s, row in enumerate(alpha[1:, : len(names)].tolist()):
        numbers = indices[ends[s] : ends[s + 1]].tolist()
        text = " ".join(features.name(j) for j in numbers) if isinstance(features, Named) else ""
        vectors.append(SupportVector(None, text, _named(names, row)))
    return vectors


def _why_none(model: Model) -> str:
    """Why a model has no support vectors to show, and what to do."""
    if knows(model.learner, model.options):
        return (
            "the model did not keep its support vectors. Train it again with --set support=keep (in Python keep_support=True), "
            "which adds their rows and texts to the file."
        )
    return no_support(model.learner)


def no_support(name: str) -> str:
    """The sentence for a learner that has no support vectors."""
    with_them = ", ".join(known for known in LEARNERS if knows(known, LEARNERS[known].checked({})))
    return (
        f"learner {name!r} has no support vectors: it keeps no alpha for each example. Those that do are {with_them}, and "
        "logistic with by=dual."
    )


def knows(name: str, options: Mapping[str, Json]) -> bool:
    """Whether a learner knows, with these options, what each example has added to the weights."""
    return learner(name).supported(options)
