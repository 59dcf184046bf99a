"""Candidates: the best one and the losses against enumeration, the questions against all pairs, and boosting by hand."""

import itertools

import numpy as np
import pytest
from enumeration import SMOOTH, Case
from hypothesis import given, settings
from hypothesis import strategies as st

from linnet.core.blocks import Block
from linnet.core.predictor import Predictor
from linnet.losses import phi
from linnet.losses.each import Each
from linnet.losses.exponential import Exponential
from linnet.losses.hinge import Hinge
from linnet.losses.perceptron import Perceptron
from linnet.structures.candidates import CandidatePairs, Candidates, gold


def mu(y):
    return lambda n: [np.eye(n)[y[0]][:, None]]


def case(theta, costs=None, gen=None):
    """The gold output is longer than those that are found: it has the costs."""
    n = len(theta)
    cost = None if costs is None else (lambda gold, y: float(np.float32(costs[y[0]]) - np.float32(min(costs))))
    table = np.array(theta, np.float32)[:, None]
    return Case(gen or Candidates(), [table], [(c,) for c in range(n)], lambda y: mu(y)(n), cost)


def of(costs):
    return tuple(gold(costs, [0, len(costs)])[0].tolist())


points = st.tuples(st.integers(1, 7), st.integers(0, 2**32 - 1))


def drawn(n, seed, size=1.5):
    """Some costs are equal."""
    rng = np.random.default_rng(seed)
    costs = rng.integers(0, 4, n) / 2
    return rng.normal(0, size, n), costs


@given(points)
def test_it_is_what_enumeration_finds(point):
    theta, costs = drawn(*point)
    costs = costs + np.arange(len(costs)) / 20  # no two are the same: of equals the loss may stop at either
    case(theta, costs).check(of(costs))


@settings(max_examples=20)
@given(points)
def test_gradients_are_finite_differences(point):
    theta, costs = drawn(*point, 0.3)
    one = case(theta, costs)
    for loss in SMOOTH:
        one.check_gradients(loss, of(costs))
    for smooth in (phi.Log(), phi.Log(1.5), phi.Exponential(), phi.Hinge(2, squared=True)):
        one.check_gradients(Each(smooth), of(costs))


@given(points)
def test_the_questions_are_all_pairs_that_differ_in_cost(point):
    theta, costs = drawn(*point)
    E = np.eye(len(theta))
    pairs = [(a, b) for a, b in itertools.permutations(range(len(theta)), 2) if costs[a] < costs[b]]
    better = len({a for a, _ in pairs})

    def counted(one, margins):
        return sum(s <= 0 for s in margins) if one.is_mistake else len(margins) if one.mean else better

    for gen in (Candidates(), CandidatePairs()):
        case(theta, costs, gen).check_questions(of(costs), [[(E[a] - E[b])[:, None]] for a, b in pairs], counted)


@given(points)
def test_the_k_best_are_the_order_of_the_scores(point):
    theta = np.random.default_rng(point[1]).integers(-2, 3, point[0]).astype(float)  # with ties
    one = case(theta)
    ((rows, scores),) = Predictor(one.gen, one.weights()).kbest(one.blocks(), 5)
    wanted = sorted(range(len(theta)), key=lambda c: (-theta[c], c))[:5]
    assert rows.tolist() == [[c] for c in wanted]
    assert scores.tolist() == [theta[c] for c in wanted]


def test_what_is_forced():
    one = case([1.0, 3.0, 2.0])
    predictor = Predictor(one.gen, one.weights())
    found = [predictor.argmax(one.blocks(), np.array([f], np.int32))[0].tolist() for f in (-1, 0, -2 - 1)]
    assert found == [[1], [0], [2]]


def test_a_gold_output_is_the_cheapest_and_the_bits_of_all_costs():
    y, y_at = gold([0.5, 0.25, 0.25, 7], [0, 3, 4])
    assert y_at.tolist() == [0, 4, 6]
    assert y[[0, 4]].tolist() == [1, 0]
    assert y[1:4].view(np.float32).tolist() == [0.5, 0.25, 0.25]


def test_accuracy_is_the_share_of_what_can_be_gained():
    """Of 3 between the best and the worst of the first list 2 are gained; the second list has nothing to gain; of 1 in the
    third 1 is."""
    y, y_at = gold([0, 1, 3, 5, 2, 1], [0, 3, 4, 6])
    y_hat = np.array([1, 0, 1], np.int32)
    assert Candidates().accuracy(y, y_at, y_hat, np.arange(4)) == pytest.approx(3 / 4)
    assert Candidates().accuracy(*gold([4], [0, 1]), np.zeros(1, np.int32), np.arange(2)) == 1


@pytest.mark.parametrize("loss", [Hinge(), Perceptron()])
def test_what_costs_as_little_is_right(loss):
    """The second candidate scores best and costs what the first does, so that nothing is learned; the third costs more."""
    assert not np.any(case([0.0, 9.0, 1.0]).learned(loss, of([1, 1, 2]))[1][0])
    assert case([0.0, 1.0, 9.0]).learned(loss, of([1, 1, 2]))[1][0][:, 0].tolist() == [-1, 0, 1]


def test_the_hinge_is_as_wide_as_the_cost():
    """1 + 2 > 0.5 + 2.25 > 1.5: the dearest is most violated, by 3 - 1.5."""
    loss, (r,) = case([1.5, 0.5, 1.0]).learned(Hinge(), of([1, 3.25, 3]))
    assert loss == pytest.approx(1.5)
    assert r[:, 0].tolist() == [-1, 0, 1]


def test_collins_and_koo_by_hand():
    """exp(0.5 - 1) + exp(2 - 1), the margins of the best over each of the others."""
    loss, (r,) = case([0.5, 1.0, 2.0]).learned(Exponential(), of([3, 1, 2]))
    assert loss == pytest.approx(np.exp(-0.5) + np.exp(1), rel=1e-5)
    np.testing.assert_allclose(r[:, 0], [np.exp(-0.5), -np.exp(-0.5) - np.exp(1), np.exp(1)], rtol=1e-5)


def test_lists_of_different_lengths():
    at = np.array([0, 2, 3, 6])
    block = Block(np.arange(7), np.arange(6, dtype=np.uint32), np.ones(6, np.float32), at)
    W = np.array([[0], [1], [2], [0], [5], [5], [4]], np.float32)
    predictor = Predictor(Candidates(), [W])
    y_hat, y_at = predictor.argmax((block,))
    assert (y_hat.tolist(), y_at.tolist()) == ([1, 0, 0], [0, 1, 2, 3])
    p = predictor.marginals((block,))[0][:, 0]
    np.testing.assert_allclose(np.add.reduceat(p, at[:-1]), 1, rtol=1e-6)
