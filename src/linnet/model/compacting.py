"""Small models: the weights that matter least become zero, features without weights are removed, and weights are
rounded.

A weight w_jk matters as much as it usually moves a score,

    |w_jk - m_j| v_j,    v_j^2 the mean square of feature j over examples, 1 where features do not tell it,

where m_j is the median weight of feature j if an output uses exactly one outcome of each place, and else 0. In the
first case, what the weights of all outcomes have in common decides nothing, so m_j is subtracted from all of them. Of
the weights that matter most, as many are kept as fit into a file of the wanted size, or as few as give the wanted share
of the same answers. All weights of the bias are kept as they are.

Rounding puts each weight into one of 255 cells, narrow for small weights and wide for large ones, and replaces it by the mean
of its cell:

    cell(w) = round(127 sign(w) sqrt(|w| / max |w|))

The model has the rounded weights, and no others: they are what it scores with and what it is explained by. In the file each is
a byte (packing.py).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from linnet.core.strips import by_block
from linnet.core.types import F32, Array, Bools, Data, Json
from linnet.errors import UsageError
from linnet.learners import learner
from linnet.learners.joint import CERTAIN
from linnet.model.base import Model, model_from_parts, parts_of_model
from linnet.model.file import size_of_file

if TYPE_CHECKING:
    from linnet.features.contract import Features

STEPS = "compacted"
"""The key in the provenance of a model under which each step of compacting is listed: what the model was before it, and
what was asked for."""
_CELLS = 127
"""The number of cells on either side of zero."""
_TRIALS = 12
"""The most trials by which the share of kept weights is found."""
_UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9}


def compacted(model: Model, size: int | str | None, keep: float | None, dev: Data, eight_bit: bool) -> Model:
    """The smaller model that `Model.compact` describes."""
    _check_asked(size, keep, dev)
    before = _size(model)
    whole = Prunable(model)
    if size is not None:
        small, same = _of_size(whole, bytes_of(size, before) - _ROOM, eight_bit), None
    elif keep is not None:
        small, same = _least(whole, keep, batches_of(model, dev), eight_bit)
    else:
        small, same = whole.pruned(1, eight_bit), None
    given = {"size": size, "keep": keep, "dev": dev, "eight_bit": eight_bit or None}
    facts = {
        "bytes": before,
        "features": model.features.n_features,
        "same": same,
        "asked": {
            name: _path_of(value) if name == "dev" else value for name, value in given.items() if value is not None
        },
    }
    return replace(small, provenance={**small.provenance, STEPS: [*model.provenance.get(STEPS, []), facts]})


def _path_of(dev: Data) -> str | None:
    """The path of examples; None where they are in memory, as training/given.py writes it down, too."""
    return os.fspath(dev) if isinstance(dev, str | os.PathLike) else None


def bytes_of(size: int | str, whole: int) -> int:
    """A size in bytes, given as a number, as text with a unit, or as a share of the whole.

    >>> bytes_of("5MB", 0), bytes_of("300 kB", 0), bytes_of("25%", 1000), bytes_of(4096, 0)
    (5000000, 300000, 250, 4096)
    """
    text = str(size).strip().upper()
    number = text.rstrip("KMGB% ")
    unit = text[len(number) :].strip()
    try:
        found = float(number) * (whole / 100 if unit == "%" else _UNITS[unit])
    except (ValueError, KeyError):
        found = 0
    if not 0 < found < float("inf"):
        raise UsageError(f"expected a size such as 5MB, 300KB or 25%, found {size!r}.")
    return int(found)


def batches_of(model: Model, dev: Data) -> list[Data]:
    """Examples in batches that `answers` takes; a file is read, and anything else is one batch."""
    return list(model.batches(os.fspath(dev))) if isinstance(dev, str | os.PathLike) else [dev]


def agreement(ours: pa.Table, theirs: pa.Table) -> tuple[int, int]:
    """The number of equal decisions in two tables of answers, and the number of all. A text has one decision, and a sentence
    one for each token."""
    equal = total = 0
    for a, b in zip(_decisions(ours), _decisions(theirs), strict=True):
        total += max(len(a), len(b))
        if len(a) == len(b):
            equal += sum(x == y for x, y in zip(a, b, strict=True))
    return equal, total


class Prunable:
    """A linear model with the importance of its weights, and the models inside it, which are pruned to the same
    share."""

    def __init__(self, model: Model) -> None:
        _check_learner(model)
        self._model = model
        inner = {**model.models_in(model.features), **model.parts}
        self._inner = {name: Prunable(part) for name, part in inner.items()}
        values = model.usual_values(model.features, model._gen)
        blocks = by_block(model.weights)
        self._blocks = [
            _Block.of(block, v, k, g == 0 and model.rivals)
            for g, (block, v, k) in enumerate(zip(blocks, values, model.outcomes, strict=True))
        ]
        there = [block.importance[block.importance > 0] for block in self._blocks]
        self._sorted = np.sort(np.concatenate(there))

    def pruned(self, share: float, eight_bit: bool) -> Model:
        """The model with this share of its weights."""
        kept = round(share * len(self._sorted))
        least = self._sorted[len(self._sorted) - kept] if kept else np.inf
        chosen = [block.importance >= max(least, np.finfo(np.float32).tiny) for block in self._blocks]
        wanted = [block.rows_with(some) for block, some in zip(self._blocks, chosen, strict=True)]
        features, factors = self._model.without(self._model.features, self._model._gen, wanted)
        weights = [
            array
            for block, some, factor in zip(self._blocks, chosen, factors, strict=True)
            for array in block.pruned(some, factor, eight_bit)
        ]
        parts = {name: part.pruned(share, eight_bit) for name, part in self._inner.items()}
        return _made(self._model, features, tuple(weights), parts)


@dataclass(frozen=True)
class _Block:
    """The weights of one block: W, a row for the bias and for each feature; or the arrays of a matrix in compressed rows."""

    arrays: tuple[Array, ...]
    weights: F32
    """The weights of features that may be left out, less what all outcomes have in common: a table, or a row of values."""
    importance: F32
    n_features: int

    @classmethod
    def of(cls, arrays: tuple[Array, ...], usual: F32 | None, n_outcomes: int, rivals: bool) -> _Block:
        if len(arrays) == 1:
            weights = arrays[0][1:, :n_outcomes]
            if rivals and len(weights):
                weights = weights - np.median(weights, axis=1, keepdims=True)
            value = np.float32(1) if usual is None else usual[:, None]
            return cls(arrays, weights, (np.abs(weights) * value).astype(np.float32, copy=False), len(weights))
        lengths = np.diff(arrays[0])[1:].astype(np.int64)
        weights = arrays[2][int(arrays[0][1]) :]
        value = np.float32(1) if usual is None else np.repeat(usual, lengths)
        return cls(arrays, weights, np.abs(weights) * value, len(lengths))

    def rows_with(self, chosen: Bools) -> Bools:
        """A flag for each feature, set where one of its weights is chosen."""
        if chosen.ndim == 2:
            flags: Bools = np.any(chosen, axis=1)
            return flags
        found = np.zeros(self.n_features, np.bool_)
        found[self._feature()[chosen]] = True
        return found

    def _feature(self) -> Array:
        return np.repeat(np.arange(self.n_features), np.diff(self.arrays[0])[1:].astype(np.int64))

    def pruned(self, chosen: Bools, factor: F32, eight_bit: bool) -> tuple[Array, ...]:
        """The arrays with the chosen weights alone, for the features whose factor is not 0; weights are multiplied by it."""
        if chosen.ndim == 2:
            return (self._table(chosen, factor, eight_bit),)
        return self._strips(chosen, factor, eight_bit)

    def _table(self, chosen: Bools, factor: F32, eight_bit: bool) -> Array:
        rows = np.flatnonzero(factor)
        W = np.zeros((1 + len(rows), self.arrays[0].shape[1]), np.float32)
        W[0] = self.arrays[0][0]
        weights = np.where(chosen[rows], self.weights[rows], np.float32(0)) * factor[rows, None]
        W[1:, : weights.shape[1]] = rounded(weights) if eight_bit else weights
        return W

    def _strips(self, chosen: Bools, factor: F32, eight_bit: bool) -> tuple[Array, ...]:
        indptr, outcomes, values = self.arrays
        first, feature, rows = int(indptr[1]), self._feature(), np.flatnonzero(factor)
        counts = np.bincount(feature[chosen], minlength=self.n_features)[rows]
        weights = self.weights[chosen] * factor[feature[chosen]]
        return (
            np.concatenate([[0], first + np.concatenate([[0], np.cumsum(counts)])]).astype(np.uint64),
            np.concatenate([outcomes[:first], outcomes[first:][chosen]]),
            np.concatenate([values[:first], rounded(weights) if eight_bit else weights]),
        )


def rounded(weights: F32) -> F32:
    """Weights rounded to at most 255 values, zero among them.

    >>> rounded(np.array([0, 1, -1, 0.25, 0.251], np.float32)).tolist()
    [0.0, 1.0, -1.0, 0.25049999356269836, 0.25049999356269836]
    """
    largest = np.abs(weights).max(initial=0)
    if largest == 0:
        return weights
    cell = np.rint(_CELLS * np.sign(weights) * np.sqrt(np.abs(weights) / largest)).astype(np.int16) + _CELLS
    flat = cell.ravel()
    counts = np.bincount(flat, minlength=2 * _CELLS + 1)
    means = np.bincount(flat, weights.ravel(), minlength=2 * _CELLS + 1) / np.maximum(counts, 1)
    means[_CELLS] = 0
    found: F32 = means.astype(np.float32)[cell]
    return found


def _check_asked(size: int | str | None, keep: float | None, dev: Data) -> None:
    if size is not None and keep is not None:
        raise UsageError("a model is made as small as `size` says or as `keep` allows, not both. Leave one out.")
    if (keep is None) != (dev is None):
        raise UsageError(
            "`keep` is the share of the answers on some data that stay the same: give both `keep` and the data, `dev`, "
            "or neither."
        )
    if keep is not None and not 0 < keep <= 1:
        raise UsageError(f"expected a share of the answers to keep, above 0 and at most 1, found {keep}.")


def _check_learner(model: Model) -> None:
    preset = learner(model.learner)
    preset.check_linear()
    if preset.generative and any(np.abs(w).max(initial=0) >= CERTAIN for w in model.weights):
        raise UsageError(
            f"the model has weights that make outputs impossible ({model.learner!r} without smoothing), from which nothing can "
            "be taken off. Train with alpha above 0."
        )


def _size(model: Model) -> int:
    return size_of_file(*parts_of_model(model))


_ROOM = 512
"""The number of bytes that are left free for what the header says of the compacting itself."""
_FULL = 0.99
"""The share of the wanted size from which on the search for a larger share of weights ends."""


def _of_size(whole: Prunable, most: int, eight_bit: bool) -> Model:
    """The model with as large a share of the weights as fits into a file of that size. The share is found by
    interpolation, as the size is nearly a linear function of it, and by halving, in turn."""
    best = whole.pruned(1, eight_bit)
    low, high = 0.0, 1.0
    largest = _size(best)
    if largest <= most:
        return best
    best = whole.pruned(0, eight_bit)
    smallest = _size(best)
    if smallest > most:
        raise UsageError(
            f"the model cannot have {most + _ROOM:,} bytes: without any weight of a feature it has {smallest + _ROOM:,}."
        )
    for trial in range(_TRIALS):
        if smallest >= _FULL * most:
            break
        line = (_FULL / 2 + 0.5) * most - smallest  # aims at the middle of the sizes that end the search
        middle = low + (high - low) * (line / (largest - smallest) if trial % 2 == 0 else 0.5)
        found = whole.pruned(middle, eight_bit)
        n_bytes = _size(found)
        if n_bytes <= most:
            low, smallest, best = middle, n_bytes, found
        else:
            high, largest = middle, n_bytes
    return best


def _least(whole: Prunable, keep: float, batches: Sequence[Data], eight_bit: bool) -> tuple[Model, float]:
    """The model of the smallest share of weights that gives at least `keep` of the answers of the whole one, and the share of
    the answers that it gives."""
    wanted = [whole._model.answers(batch) for batch in batches]

    def same(model: Model) -> float:
        pairs = [agreement(model.answers(batch), table) for batch, table in zip(batches, wanted, strict=True)]
        return sum(equal for equal, _ in pairs) / max(sum(total for _, total in pairs), 1)

    low, high = 0.0, 1.0
    best = whole.pruned(1, eight_bit)
    reached = same(best)
    if reached < keep:
        raise UsageError(
            f"with all its weights the compact model gives {100 * reached:.2f}% of the answers that the model gives, not "
            f"{100 * keep:g}%. Lower `keep`{', or leave out the rounding to 8 bits' if eight_bit else ''}."
        )
    for _ in range(_TRIALS):
        middle = (low + high) / 2
        small = whole.pruned(middle, eight_bit)
        found = same(small)
        if found >= keep:
            high, best, reached = middle, small, found
        else:
            low = middle
    return best, reached


def _decisions(table: pa.Table) -> Iterator[Sequence[Json]]:
    """The decisions of each row of answers: those of its tokens, if it has lists for them, and else one."""
    columns = [column.to_pylist() for column in table.columns if not pa.types.is_floating(column.type)]
    for row in zip(*columns, strict=True):
        lists = [value for value in row if isinstance(value, list)]
        if lists and len(lists) == len(row) and len({len(value) for value in lists}) == 1:
            yield list(zip(*lists, strict=True))
        else:
            yield [row]


def _made(model: Model, features: Features, weights: tuple[Array, ...], parts: Mapping[str, Model]) -> Model:
    """The model with other features, weights and models inside it, without the state of its learning."""
    own = {name: part for name, part in parts.items() if name in model.parts}
    small = replace(model, features=features, weights=weights, parts=own, state=None)
    if len(own) == len(parts):
        return small
    header, arrays = parts_of_model(small)
    for name, part in parts.items():
        header["parts"][name], inner = parts_of_model(part)
        prefix = f"parts.{name}."
        arrays = {key: array for key, array in arrays.items() if not key.startswith(prefix)}
        arrays |= {f"{prefix}{key}": array for key, array in inner.items()}
    return model_from_parts(type(model), header, arrays)
