"""Ratings against their enumeration; with thresholds in order, the prediction is PRank's."""

import numpy as np
import pytest
from enumeration import SMOOTH, Case
from hypothesis import given, settings
from hypothesis import strategies as st
from linnet.core.predictor import Predictor
from linnet.losses.each import Each
from linnet.structures.ordinal import Ordinal

from linnet.losses import phi


def case(n, seed, size=1.5):
    rng = np.random.default_rng(seed)

    def mu(y):
        return [np.array([[y[0]]], float), (np.arange(n - 1) < y[0]).astype(float)[None]]

    theta = [rng.normal(0, size, (1, k)).astype(np.float32) for k in (1, n - 1)]
    return Case(Ordinal(n), theta, [(k,) for k in range(n)], mu, lambda y, other: abs(y[0] - other[0]))


@given(st.integers(2, 10), st.integers(0, 2**32 - 1), st.sampled_from([0.5, 1.5, 6.0]))
def test_it_is_the_enumeration(n, seed, size):
    case(n, seed, size).check((seed % n,))


@settings(max_examples=20)
@given(st.integers(2, 5), st.integers(0, 2**32 - 1))
def test_gradients_are_finite_differences(n, seed):
    one = case(n, seed, 0.3)
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


def test_one_rating_is_none():
    with pytest.raises(ValueError, match="at least two ratings, found 1"):
        Ordinal(1)
