"""Thresholds of labels against brute force over all cuts, and in pieces."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet.errors import DataError
from linnet.evaluate.thresholds import thresholds


def sets(relevant):
    """y and y_at of an indicator matrix."""
    rows = [np.flatnonzero(row) for row in relevant]
    y = np.concatenate([[len(row), *row] for row in rows]).astype(np.int32)
    return y, np.concatenate([[0], np.cumsum([1 + len(row) for row in rows])])


def f1(right, guessed, gold):
    return 2 * right / (guessed + gold) if guessed + gold else 0.0


def counts(scores, relevant, t):
    guessed = scores > t
    return (guessed & relevant).sum(axis=0), guessed.sum(axis=0), relevant.sum(axis=0)


def micro(scores, relevant, t):
    return f1(*(part.sum() for part in counts(scores, relevant, t)))


def macro(scores, relevant, t):
    each = [f1(*parts) for parts in zip(*counts(scores, relevant, t), strict=True) if parts[1] + parts[2]]
    return np.mean(each)


MEASURES = {"micro": micro, "macro": macro}


def brute_force(scores, relevant, measure):
    """Every cut of every label, then every g of the grid."""
    n_k = relevant.sum(axis=0)
    own = np.zeros(len(n_k))
    for k in np.flatnonzero(n_k):
        values = np.unique(scores[:, k])[::-1]
        cuts = [*((values[:-1] + values[1:]) / 2), values[-1] - 1e-6 * max(1, abs(values[-1]))]
        own[k] = max(cuts, key=lambda t: (micro(scores[:, [k]], relevant[:, [k]], t), t))
    lam = np.where(n_k > 0, n_k / (n_k + 10), 0)
    grid = [0, *np.quantile(scores[relevant], np.linspace(0, 1, 201))]
    return max((lam * own + (1 - lam) * g for g in grid), key=lambda t: MEASURES[measure](scores, relevant, t))


def problem(seed, n=40, n_labels=4, ties=False):
    rng = np.random.default_rng(seed)
    relevant = rng.random((n, n_labels)) < rng.uniform(0.02, 0.4, n_labels)
    relevant[0, 0] = True
    relevant[:, -1] = False
    scores = rng.normal(-1, 1, (n, n_labels)) + 1.2 * relevant
    scores = np.round(scores * 2) / 2 if ties else scores
    return scores.astype(np.float32).astype(float), relevant


@pytest.mark.parametrize("measure", MEASURES)
@given(seed=st.integers(0, 2**32 - 1), ties=st.booleans())
def test_they_are_those_of_brute_force(measure, seed, ties):
    scores, relevant = problem(seed, ties=ties)
    found = thresholds(scores, *sets(relevant), measure)
    wanted = brute_force(scores, relevant, measure)
    value = MEASURES[measure]
    assert value(scores, relevant, found) == pytest.approx(value(scores, relevant, wanted), abs=1e-9)
    np.testing.assert_allclose(found, wanted, atol=1e-6)


@given(st.integers(0, 2**32 - 1), st.integers(1, 40))
def test_pieces_are_as_good_as_the_whole(seed, size):
    scores, relevant = problem(seed)
    pieces = (scores[i : i + size] for i in range(0, len(scores), size))
    np.testing.assert_array_equal(thresholds(pieces, *sets(relevant)), thresholds(scores, *sets(relevant)))


@pytest.mark.parametrize("size", [50, 3000])
def test_small_scores_need_not_be_kept(size):
    """Of 3,000 examples only 110 and 120 scores of these labels are kept, and what is best is among them."""
    rng = np.random.default_rng(0)
    relevant = np.zeros((3000, 2), bool)
    relevant[7, 0] = relevant[[800, 2999], 1] = True
    scores = (rng.normal(-1, 0.5, relevant.shape) + 2 * relevant).astype(np.float32).astype(float)
    pieces = (scores[i : i + size] for i in range(0, len(scores), size))
    np.testing.assert_allclose(thresholds(pieces, *sets(relevant)), brute_force(scores, relevant, "micro"), atol=1e-6)


def test_by_hand():
    """Label 0 has one example, at 1.0 before 0.5: b = 0.75. The only gold score is g = 1.0, which label 1 has for itself."""
    t = thresholds(np.array([[1.0, 0.9], [0.5, 0.2]]), np.array([1, 0, 0], np.int32), np.array([0, 2, 3]))
    np.testing.assert_allclose(t, [0.75 / 11 + 10 / 11, 1.0])


def test_without_gold_labels_they_are_zero():
    assert thresholds(np.ones((2, 3)), np.zeros(2, np.int32), np.arange(3)).tolist() == [0, 0, 0]


def test_a_missing_piece_is_missed():
    with pytest.raises(DataError, match="expected the scores of 3 examples, found 2"):
        thresholds(np.zeros((2, 1)), np.zeros(3, np.int32), np.arange(4))


def test_there_are_two_measures():
    with pytest.raises(ValueError, match="expected micro or macro, found 'f1'"):
        thresholds(np.ones((1, 1)), np.array([1, 0], np.int32), np.array([0, 2]), "f1")
