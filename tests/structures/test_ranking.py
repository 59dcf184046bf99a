"""Rankings: the order, the questions against all pairs, and the updates of Crammer and Singer by hand."""

import itertools

import numpy as np
import pytest
from enumeration import PHIS, Case
from hypothesis import given, settings
from hypothesis import strategies as st

from linnet.core.predictor import Predictor
from linnet.losses import phi
from linnet.losses.each import Each
from linnet.structures.ranking import Ranking


def case(theta):
    return Case(Ranking(len(theta)), [np.array([theta], np.float32)], [], None, None)


def order(theta):
    one = case(theta)
    y, y_at = Predictor(one.gen, one.weights()).argmax(one.blocks())
    assert y_at.tolist() == [0, len(theta) + 1]
    assert y[0] == len(theta)
    return y[1:].tolist()


def pairs(gold, n):
    """e_k - e_l of all k in the set and l outside."""
    E = np.eye(n)
    inside = gold[1:]
    return [[(E[k] - E[other])[None]] for k, other in itertools.product(inside, set(range(n)) - set(inside))]


def counted(gold):
    """What the sum over pairs is divided by."""
    return lambda one, margins: (
        sum(s <= 0 for s in margins) if one.is_mistake else len(margins) if one.mean else gold[0]
    )


points = st.tuples(st.integers(1, 7), st.integers(0, 2**32 - 1))


def drawn(n, seed, size=1.5):
    rng = np.random.default_rng(seed)
    labels = np.flatnonzero(rng.random(n) < 0.4)
    return case(rng.normal(0, size, n)), (len(labels), *labels.tolist())


@given(points)
def test_it_is_the_order_of_the_scores(point):
    theta = np.random.default_rng(point[1]).integers(-2, 3, point[0]).astype(float)  # with ties
    assert order(theta) == sorted(range(len(theta)), key=lambda k: (-theta[k], k))


@given(points)
def test_the_questions_are_all_pairs(point):
    one, gold = drawn(*point)
    one.check_questions(gold, pairs(gold, point[0]), counted(gold))


@settings(max_examples=20)
@given(points)
def test_gradients_are_finite_differences(point):
    one, gold = drawn(*point, 0.3)
    for smooth in (phi.Log(), phi.Log(1.5), phi.Exponential(), phi.Hinge(2, squared=True)):
        one.check_gradients(Each(smooth), gold)


def test_mmp_by_hand():
    """Crammer and Singer 2003, the uniform update: 0 and 2 are relevant. Of the pairs (0, 1), (0, 3), (2, 1), (2, 3) all but
    the second are in the wrong order, as equal scores are: each moves its two labels by a third."""
    one = case([1.0, 2.0, 0.5, 0.5])
    loss, (r,) = one.learned(Each(phi.Perceptron()), (2, 0, 2))
    assert loss == pytest.approx((1 + 1.5 + 0) / 3)
    np.testing.assert_allclose(r, [[-1 / 3, 2 / 3, -2 / 3, 1 / 3]], atol=1e-6)


def test_adaboost_mr_by_hand():
    """The mean of exp(theta_l - theta_k) over pairs factorises: 1/2 e^-ln 2 (e^0 + e^ln 3)."""
    one = case(np.log([2.0, 1.0, 3.0]))
    loss, (r,) = one.learned(Each(phi.Exponential()), (1, 0))
    assert loss == pytest.approx(1)
    np.testing.assert_allclose(r, [[-1, 1 / 4, 3 / 4]], atol=1e-6)


@pytest.mark.parametrize("gold", [(0,), (3, 0, 1, 2)])
@pytest.mark.parametrize("one", [one for one, _, _ in PHIS], ids=lambda one: one.name)
def test_no_label_or_all_of_them_say_nothing(gold, one):
    loss, (r,) = case([0.0, 0.0, 0.0]).learned(Each(one), gold)
    assert loss == 0
    assert not r.any()


def test_how_right_it_is_is_average_precision():
    """0 and 2 are at the places 1 and 3 of 0 1 2: (1/1 + 2/3) / 2; 1 is the last of 2 0 1: 1/3. {} is not counted."""
    y, y_at = np.array([2, 0, 2, 1, 1, 0], np.int32), np.array([0, 3, 5, 6])
    y_hat, y_hat_at = np.array([3, 0, 1, 2, 3, 2, 0, 1, 3, 0, 1, 2], np.int32), np.array([0, 4, 8, 12])
    assert Ranking(3).accuracy(y, y_at, y_hat, y_hat_at) == pytest.approx((5 / 6 + 1 / 3) / 2)
    nothing = np.zeros(1, np.int32), np.array([0, 1])
    assert Ranking(3).accuracy(*nothing, y_hat[:4], y_hat_at[:2]) == 1


def test_no_label_is_refused():
    with pytest.raises(ValueError, match="at least one label"):
        Ranking(0)
