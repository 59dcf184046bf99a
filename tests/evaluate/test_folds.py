"""Folds: as the data says, evenly, and with groups kept together."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet.errors import DataError, UsageError
from linnet.evaluate.folds import folds, given_folds


def test_the_folds_of_the_data():
    assert given_folds([10, 2, 10, 9], "x").tolist() == [2, 0, 2, 1]
    assert given_folds(["train", "dev", "train"], "x").tolist() == [1, 0, 1]
    with pytest.raises(DataError, match="x: expected at least two different folds in the column 'fold', found 1."):
        given_folds([1, 1], "x")


@given(st.integers(2, 60), st.integers(2, 10), st.integers(1, 4), st.integers(0, 99))
def test_every_label_is_spread_evenly(n, k, n_labels, seed):
    if k > n:
        return
    y = np.random.default_rng(seed).integers(0, n_labels, n)
    found = folds(n, k, y=y, seed=seed)
    sizes = np.bincount(found, minlength=k)
    assert sizes.max() - sizes.min() <= 1
    for label in range(n_labels):
        of_label = np.bincount(found[y == label], minlength=k)
        assert of_label.max() - of_label.min() <= 1


def test_the_seed_says_which():
    assert np.array_equal(folds(50, 5, seed=1), folds(50, 5, seed=1))
    assert not np.array_equal(folds(50, 5, seed=1), folds(50, 5, seed=2))


def test_groups_stay_together_and_labels_are_spread():
    rng = np.random.default_rng(0)
    group = rng.integers(0, 60, 600)
    y = (group % 3 == 0).astype(np.int64)  # all of a group have one label
    found = folds(600, 5, y=y, groups=[f"author {g}" for g in group])
    for g in range(60):
        assert len(set(found[group == g])) == 1
    shares = [y[found == f].mean() for f in range(5)]
    assert max(shares) - min(shares) < 0.1
    sizes = np.bincount(found)
    assert sizes.max() - sizes.min() < 20


def test_too_few_and_too_many():
    with pytest.raises(UsageError, match="expected from 2 to 3 folds for 3 examples, found 4."):
        folds(3, 4)
    with pytest.raises(UsageError, match="expected from 2 to 2 folds for 2 groups, found 3."):
        folds(4, 3, groups=["a", "a", "b", "b"])
