"""Ratings against their enumeration; with thresholds in order, the prediction is PRank's."""

import numpy as np
import pytest
from enumeration import SMOOTH, Case
from hypothesis import given, settings
from hypothesis import strategies as st

from linnet.core.blocks import Block
from linnet.core.predictor import Predictor
from linnet.learners import LEARNERS, Examples, Learning
from linnet.losses import phi
from linnet.losses.each import Each
from linnet.losses.log import Log
from linnet.structures.ordinal import Ordinal


def case(n, seed, size=1.5, own=False):
    rng = np.random.default_rng(seed)

    def mu(y):
        shared = [] if own else [np.array([[y[0]]], float)]
        return [*shared, (np.arange(n - 1) < y[0]).astype(float)[None]]

    theta = [rng.normal(0, size, (1, k)).astype(np.float32) for k in ([] if own else [1]) + [n - 1]]
    return Case(Ordinal(n, own=own), theta, [(k,) for k in range(n)], mu, lambda y, other: abs(y[0] - other[0]))


@given(st.integers(2, 10), st.integers(0, 2**32 - 1), st.sampled_from([0.5, 1.5, 6.0]), st.booleans())
def test_it_is_the_enumeration(n, seed, size, own):
    case(n, seed, size, own).check((seed % n,))


@given(st.integers(2, 10), st.integers(0, 2**32 - 1), st.booleans(), st.integers(1, 12))
def test_the_k_best_are_those_of_the_enumeration(n, seed, own, k):
    case(n, seed, own=own).check_k_best(k)


@settings(max_examples=20)
@given(st.integers(2, 5), st.integers(0, 2**32 - 1), st.booleans())
def test_gradients_are_finite_differences(n, seed, own):
    one = case(n, seed, 0.3, own)
    for loss in SMOOTH:
        one.check_gradients(loss, one.outputs[seed % len(one.outputs)])


@given(st.integers(2, 10), st.integers(0, 2**32 - 1))
def test_it_is_the_first_threshold_that_is_not_passed(n, seed):
    rng = np.random.default_rng(seed)
    score, thresholds = rng.normal(0, 2), np.sort(rng.normal(0, 2, n - 1))
    one = case(n, seed)
    one.theta = [np.array([[score]], np.float32), -thresholds[None].astype(np.float32)]
    prank = next((r for r in range(n - 1) if score - thresholds[r] < 0), n - 1)
    assert Predictor(one.gen, one.weights()).argmax(one.blocks())[0].tolist() == [prank]


@given(st.integers(2, 8), st.integers(0, 2**32 - 1))
def test_each_threshold_is_a_question(n, seed):
    one = case(n, seed)
    for y in range(n):
        signs = 2 * (np.arange(n - 1) < y) - 1
        one.check_questions(
            (y,), [[np.full((1, 1), z), z * e[None]] for z, e in zip(signs, np.eye(n - 1), strict=True)]
        )


def test_thresholds_by_hand():
    """s = 0.5 and -b = 1, -2, -3: y = 2 is above 0, as it is, and above 1, which it misses by 1.5 and the margin of 1."""
    one = case(4, 0)
    one.theta = [np.full((1, 1), 0.5, np.float32), np.array([[1, -2, -3]], np.float32)]
    loss, (of_score, of_thresholds) = one.learned(Each(phi.Hinge()), (2,))
    assert loss == pytest.approx(2.5)
    assert (of_score.tolist(), of_thresholds.tolist()) == ([[-1]], [[0, -1, 0]])


def prank(X, y, n, epochs):
    """Crammer and Singer (2001), figure 1: of all thresholds that w.x is on the wrong side of, or on, each moves by 1, and w by
    as many x."""
    w, b = np.zeros(X.shape[1]), np.zeros(n - 1)
    for x, gold in zip(np.tile(X, (epochs, 1)), np.tile(y, epochs), strict=True):
        s = w @ x
        y_hat = next((r for r in range(n - 1) if s - b[r] < 0), n - 1)
        if y_hat != gold:
            side = np.where(np.arange(n - 1) < gold, 1, -1)
            tau = np.where((s - b) * side <= 0, side, 0)
            w, b = w + tau.sum() * x, b - tau
    return w, b


def test_the_perceptron_is_prank():
    """Where w.x is on no threshold: the first example, which meets all of them, has the lowest rating, and so moves them all
    here too. The bias of w.x is a feature of 1."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(60, 5)).astype(np.float32)
    y = np.searchsorted([-0.8, 0.1, 1.2], X @ [1, -1, 0.5, 0, 0.2] + rng.normal(0, 0.4, 60)).astype(np.int32)
    first = int(np.flatnonzero(y == 0)[0])
    X[[0, first]], y[[0, first]] = X[[first, 0]], y[[first, 0]]
    rows = Block(np.arange(0, 301, 5), np.tile(np.arange(5, dtype=np.uint32), 60), X.ravel())
    thresholds = Block(np.zeros(61, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32))
    learning = Learning(LEARNERS["perceptron"], {}, Ordinal(4), (5, 0))
    fit = learning.run(Examples((rows, thresholds), y, np.arange(61)), epochs=7, tol=0, shuffle=False)
    w, b = prank(np.hstack([np.ones((60, 1)), X]), y, 4, 7)
    assert np.all(np.diff(b) > 0)
    np.testing.assert_allclose(fit.weights[0][:, 0], w, atol=1e-4)
    np.testing.assert_allclose(-fit.weights[1][0, :3], b, atol=1e-6)


def test_a_threshold_that_the_score_is_on_is_passed():
    one = case(3, 0)
    one.theta = [np.array([[1]], np.float32), np.array([[-1, -2]], np.float32)]
    assert Predictor(one.gen, one.weights()).argmax(one.blocks())[0].tolist() == [1]


@given(st.integers(2, 8), st.integers(0, 2**32 - 1), st.booleans())
def test_gaps_are_the_costs_and_their_mean_is_the_margin(n, seed, own):
    gaps = np.random.default_rng(seed).uniform(0.1, 5, n - 1)
    at = np.concatenate([[0], np.cumsum(gaps)])
    np.testing.assert_allclose(Ordinal(n, gaps).costs, np.abs(at[:, None] - at), rtol=1e-5)
    one = case(n, seed, own=own)
    one.gen = Ordinal(n, gaps, own)
    one.cost = lambda y, other: abs(at[y[0]] - at[other[0]]) / gaps.mean()
    one.check((seed % n,))
    for loss in (Log(cost=1), Log()):
        one.check_gradients(loss, (seed % n,))


@pytest.mark.parametrize("gaps", [[1], [1, 0], [1, -1], [1, np.nan]])
def test_a_gap_is_above_0(gaps):
    with pytest.raises(ValueError, match="expected a gap above 0 between each two of 3 ratings"):
        Ordinal(3, gaps)


def test_one_rating_is_none():
    with pytest.raises(ValueError, match="at least two ratings, found 1"):
        Ordinal(1)
