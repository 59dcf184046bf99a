"""The macro F1 as a mean of pseudo-values: its value, and its standard error against the bootstrap."""

import numpy as np
import pytest

from linnet.evaluate.label_counts import f1_of, macro_f1


def plain(y, y_hat):
    """The macro F1 by its definition, over labels that are gold or predicted."""
    scores = []
    for k in np.union1d(y[y >= 0], y_hat):
        right, both = np.sum((y == k) & (y_hat == k)), np.sum(y == k) + np.sum(y_hat == k)
        scores.append(2 * right / both)
    return np.mean(scores)


def test_the_mean_is_the_macro_f1_and_the_error_is_that_of_the_bootstrap():
    rng = np.random.default_rng(0)
    n, k = 600, 4
    y = rng.choice(k, n, p=[0.5, 0.3, 0.15, 0.05])
    y_hat = np.where(rng.random(n) < 0.7, y, rng.integers(k, size=n))
    each = np.arange(n)
    values = macro_f1((each, y), (each, y_hat), n, k)
    assert values.mean() == pytest.approx(plain(y, y_hat))
    drawn = [plain(y[some], y_hat[some]) for some in rng.integers(n, size=(2000, n))]
    assert values.std() / np.sqrt(n) == pytest.approx(np.std(drawn), rel=0.1)


def test_unknown_gold_labels_are_errors():
    y, y_hat = np.array([0, -1, 1]), np.array([0, 0, 1])
    each = np.arange(3)
    assert macro_f1((each, y), (each, y_hat), 3, 3).mean() == pytest.approx((2 / 3 + 1) / 2)


def test_sets_count_each_of_their_labels():
    gold, found = (np.array([0, 0, 1]), np.array([0, 1, 1])), (np.array([0, 1, 1]), np.array([0, 0, 1]))
    # Label 0: right once, gold once, found twice; label 1: right once, gold twice, found once.
    assert macro_f1(gold, found, 2, 2).mean() == pytest.approx(2 / 3)


def test_f1_of_one_label_is_a_ratio_of_sums():
    right, total = f1_of(1, np.array([1, 1, 0, 2]), np.array([1, 0, 1, 2]))
    assert (right.tolist(), total.tolist()) == ([2, 0, 0, 0], [2, 1, 1, 0])
