"""Label sets against the enumeration of all subsets."""

import itertools

import numpy as np
import pytest
from enumeration import SMOOTH, Case
from hypothesis import given, settings
from hypothesis import strategies as st

from linnet.losses.each import Each
from linnet.losses.hinge import Hinge
from linnet.losses.log import Log
from linnet.losses.perceptron import Perceptron
from linnet.structures.labelset import Labelset, WholeSet

GENS = (Labelset, WholeSet)


def case(n, seed, size=1.5, gen=Labelset):
    subsets = [labels for k in range(n + 1) for labels in itertools.combinations(range(n), k)]

    def mu(y):
        return [np.isin(np.arange(n), y[1:]).astype(float)[None]]

    def cost(y, other):
        wrong = len(set(y[1:]) ^ set(other[1:]))
        return wrong if gen is Labelset else min(wrong, 1)

    theta = np.random.default_rng(seed).normal(0, size, (1, n)).astype(np.float32)
    return Case(
        gen(n), [theta], [(len(labels), *labels) for labels in subsets], mu, cost, lambda row: tuple(row[: row[0] + 1])
    )


@given(st.integers(1, 6), st.integers(0, 2**32 - 1), st.sampled_from([0.5, 1.5, 6.0]), st.sampled_from(GENS))
def test_it_is_the_enumeration(n, seed, size, gen):
    one = case(n, seed, size, gen)
    one.check(one.outputs[seed % len(one.outputs)])


@given(st.integers(1, 7), st.integers(0, 2**32 - 1), st.integers(1, 70), st.booleans())
def test_the_k_best_are_those_of_the_enumeration(n, seed, k, ties):
    one = case(n, seed)
    if ties:
        one.theta = [np.round(one.theta[0])]
    one.check_k_best(k)


@given(st.integers(2, 6), st.integers(0, 2**32 - 1), st.integers(1, 40))
def test_a_label_that_is_out_is_in_none_of_the_k_best(n, seed, k):
    one = case(n, seed)
    one.theta[0][0, seed % n] = -np.inf
    one.outputs = [y for y in one.outputs if seed % n not in y[1:]]
    one.check_k_best(k)


@given(st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_whole_sets_of_a_margin_are_the_enumeration(n, seed):
    """Gold is the best set: the cost is at the label that is nearest to being wrong."""
    one = case(n, seed, 0.7, WholeSet)
    one.check(max(one.outputs, key=one.score))


def test_the_hinge_of_whole_sets_by_hand():
    """{0} scores 2 and is best; {0, 1} scores 1.5: 1 + 1.5 - 2 = 0.5. Of {1, 2} the labels 0 and 2 are wrong: 1 + 2 + 3."""
    one = case(3, 0, gen=WholeSet)
    one.theta = [np.array([[2.0, -0.5, -3.0]], np.float32)]
    value, r = one.learned(Hinge(), (1, 0))
    assert (value, r[0].tolist()) == (pytest.approx(0.5), [[0, 1, 0]])
    value, r = one.learned(Hinge(), (2, 1, 2))
    assert (value, r[0].tolist()) == (pytest.approx(6.5), [[1, -1, -1]])


@settings(max_examples=20)
@given(st.integers(1, 4), st.integers(0, 2**32 - 1), st.sampled_from(GENS))
def test_gradients_are_finite_differences(n, seed, gen):
    one = case(n, seed, 0.3, gen)
    for loss in SMOOTH:
        if isinstance(loss, Log) and (gen is Labelset or loss is SMOOTH[0]):
            one.check_gradients(loss, one.outputs[seed % len(one.outputs)])


@given(st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_each_label_is_a_question(n, seed):
    one = case(n, seed)
    for gold in one.outputs[:: max(len(one.outputs) // 4, 1)]:
        one.check_questions(gold, [[np.eye(n)[[k]] * (1 if k in gold[1:] else -1)] for k in range(n)])


@given(st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_losses_of_sets_are_those_of_their_questions(n, seed):
    one = case(n, seed)
    for loss in (Hinge(), Log(), Log(cost=1), Perceptron()):
        for gold in one.outputs[:: max(len(one.outputs) // 4, 1)]:
            value, r = one.learned(loss, gold)
            other, s = one.learned(Each(loss.phi), gold)
            assert value == pytest.approx(other, rel=1e-5, abs=1e-5)
            np.testing.assert_allclose(r[0], s[0], atol=1e-5)


def test_sets_are_as_right_as_their_f1():
    """{0, 1} and {} for {0} and {2}: one of two found is right, one of two is found."""
    y, y_at = np.array([1, 0, 1, 2], np.int32), np.array([0, 2, 4])
    y_hat, y_hat_at = np.array([2, 0, 1, 0], np.int32), np.array([0, 3, 4])
    assert Labelset(3).accuracy(y, y_at, y_hat, y_hat_at) == pytest.approx(0.5)
    nothing = np.zeros(1, np.int32), np.array([0, 1])
    assert Labelset(3).accuracy(*nothing, *nothing) == 1


def test_whole_sets_are_right_or_wrong():
    y, y_at = np.array([1, 0, 0, 2, 0, 2], np.int32), np.array([0, 2, 3, 6])
    y_hat, y_hat_at = np.array([2, 0, 1, 0, 2, 0, 2], np.int32), np.array([0, 3, 4, 7])
    assert WholeSet(3).accuracy(y, y_at, y_hat, y_hat_at) == pytest.approx(2 / 3)


def test_no_label_is_refused():
    with pytest.raises(ValueError, match="at least one label"):
        Labelset(0)
