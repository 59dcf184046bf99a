"""Folds for cross-validation: the fold that holds each example out. They are those that the data name, or drawn at random, with
labels spread evenly and groups kept together."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from linnet.core.distinct import ranks
from linnet.core.types import Integers
from linnet.errors import DataError, UsageError

if TYPE_CHECKING:
    from linnet.fitting.contract import Gold

Ints = npt.NDArray[np.int64]

FOLD = "fold"
"""The column of the data that gives the folds."""
GROUPS = ("group", "author", "user", "thread")
"""Columns whose examples belong together: what is known of an author must not help with his other texts."""


def groups_of(gold: Gold) -> Ints | None:
    """The number of the group of each example, where the data have a column of groups or of folds; else None."""
    columns = (gold.column(name) for name in (*GROUPS, FOLD))
    column = next((values for values in columns if values is not None), None)
    if column is None:
        return None
    number = {name: g for g, name in enumerate(dict.fromkeys(column))}
    return np.array([number[name] for name in column], np.int64)


def given_folds(column: Sequence[Hashable], source: str) -> Ints:
    """Folds as the data names them, numbered from 0 in the order of their names.

    >>> given_folds(["b", "a", "b"], "reviews.csv").tolist()
    [1, 0, 1]
    """
    names = sorted(set(column), key=lambda name: (isinstance(name, str), name))
    if len(names) < 2:
        raise DataError(f"expected at least two different folds in the column '{FOLD}', found {len(names)}.", source)
    number = {name: k for k, name in enumerate(names)}
    return np.array([number[name] for name in column], np.int64)


def folds(
    n: int, k: int, *, y: Integers | None = None, groups: Sequence[Hashable] | None = None, seed: int = 0
) -> Ints:
    """The fold of each of n examples, from 0 to k - 1. Each label `y` is spread over the folds as evenly as it can be."""
    units = n if groups is None else len(set(groups))
    if not 2 <= k <= units:
        what = "examples" if groups is None else "groups"
        raise UsageError(f"expected from 2 to {units} folds for {units} {what}, found {k}.")
    rng = np.random.default_rng([seed, 0xF01D])
    labels = np.zeros(n, np.int64) if y is None else ranks(np.asarray(y))
    if groups is None:
        order = rng.permutation(n)
        order = order[np.argsort(labels[order], kind="stable")]
        found = np.empty(n, np.int64)
        found[order] = np.arange(n) % k
        return found
    number = {name: g for g, name in enumerate(dict.fromkeys(groups))}
    group = np.array([number[name] for name in groups])
    fold_of: Ints = _deal(group, labels, k, rng)[group]
    return fold_of


def strips(n: int, k: int) -> Ints:
    """The fold of each of n sentences. Each fold has ten strips of neighbouring sentences. Neighbours are alike, and
    new text has none among the sentences that were learned from, so they are held out together.

    >>> strips(8, 2).tolist(), strips(40, 2)[:6].tolist()
    ([0, 1, 0, 1, 0, 1, 0, 1], [0, 0, 1, 1, 0, 0])
    """
    return np.arange(n) * min(10 * k, n) // max(n, 1) % k


def _deal(group: Ints, labels: Ints, k: int, rng: np.random.Generator) -> Ints:
    """The fold of each group. Groups are dealt out from the largest on, each to the fold that keeps the shares of each
    label most even. `group` and `labels` have the number of the group and of the label of each example."""
    counts = np.zeros((group.max() + 1, labels.max() + 1))
    np.add.at(counts, (group, labels), 1)
    shares = counts / counts.sum(axis=0)
    shuffled = rng.permutation(len(counts))
    largest_first = shuffled[np.argsort(-counts[shuffled].sum(axis=1), kind="stable")]
    filled = np.zeros((k, shares.shape[1]))
    found = np.empty(len(counts), np.int64)
    for g in largest_first:
        found[g] = np.argmin(((filled + shares[g]) ** 2).sum(axis=1) - (filled**2).sum(axis=1))
        filled[found[g]] += shares[g]
    return found
