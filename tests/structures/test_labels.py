"""Labels against enumeration: GEN(x) is small enough to go through it."""

import math

import numpy as np
import pytest
from enumeration import SMOOTH, Case
from hypothesis import assume, given
from hypothesis import strategies as st

from linnet.core.predictor import Predictor
from linnet.losses.log import Log
from linnet.steps.sgd import SGD
from linnet.structures.labels import Labels

scores = st.floats(-30, 30, width=32) | st.just(-math.inf) | st.sampled_from([0.0, -1.0])
tables = st.lists(scores, min_size=1, max_size=11)


@pytest.fixture(scope="session")
def predictor_of(padded):
    """Scores as they are: the bias, and no features."""
    return lambda theta: Predictor(Labels(len(theta)), [padded([theta])])


def empty(block_of):
    return (block_of(np.zeros((1, 0))),)


def enumerated_logz(theta):
    most = max(theta)
    return most + math.log(math.fsum(math.exp(score - most) for score in theta))


@given(tables)
def test_argmax_is_the_first_of_the_best(block_of, predictor_of, theta):
    y_hat, _ = predictor_of(theta).argmax(empty(block_of))
    assert y_hat.tolist() == [theta.index(max(theta))]


@given(tables, st.integers(1, 13))
def test_the_k_best_are_the_first_of_all_sorted(block_of, predictor_of, theta, k):
    ((rows, found),) = predictor_of(theta).kbest(empty(block_of), k)
    order = [y for y in sorted(range(len(theta)), key=lambda y: (-theta[y], y)) if theta[y] > -math.inf][:k]
    assert rows.ravel().tolist() == order
    assert found.tolist() == [theta[y] for y in order]


@given(tables)
def test_marginals_are_those_of_the_enumeration(block_of, predictor_of, theta):
    assume(max(theta) > -math.inf)
    p = predictor_of(theta).marginals(empty(block_of))[0][0]
    logz = enumerated_logz(theta)
    assert p == pytest.approx([math.exp(score - logz) for score in theta], abs=1e-6)
    assert math.fsum(p) == pytest.approx(1, abs=1e-6)


@given(tables, st.data())
def test_logz_is_that_of_the_enumeration(learner_of, teach, theta, data):
    y = data.draw(st.integers(0, len(theta) - 1))
    assume(theta[y] > -math.inf)
    online = learner_of([theta], Log(), SGD(eta=0))
    teach(online, np.zeros((1, 0)), [y])
    assert online.total + theta[y] == pytest.approx(enumerated_logz(theta), abs=1e-5)


@given(st.integers(2, 6), st.integers(0, 2**32 - 1))
def test_with_costs_it_is_the_enumeration(n, seed):
    """Hinge and softmax-margin with a matrix of costs, and all smooth losses by finite differences."""
    rng = np.random.default_rng(seed)
    C = np.where(np.eye(n) > 0, 0, rng.choice([0, 0.5, 1, 4], (n, n)))
    theta = rng.normal(0, 1, (1, n)).astype(np.float32)
    one = Case(
        Labels(n, C), [theta], [(k,) for k in range(n)], lambda y: [np.eye(n)[y[0]][None]], lambda y, k: C[y[0], k[0]]
    )
    gold = (seed % n,)
    one.check(gold)
    value, _ = one.learned(Log(cost=1), gold)
    augmented = theta[0] + C[gold[0]]
    assert value == pytest.approx(np.log(np.exp(augmented).sum()) - theta[0, gold[0]], abs=1e-4)
    for loss in SMOOTH:
        one.check_gradients(loss, gold)


@pytest.mark.parametrize("C", [np.ones((2, 2)), [[0, -1], [1, 0]], np.zeros((3, 3)), [[0, np.nan], [1, 0]]])
def test_what_is_no_cost_is_refused(C):
    with pytest.raises(ValueError, match="expected a cost of 0 or more for each pair of labels"):
        Labels(2, C)


def test_where_every_label_is_impossible_every_probability_is_0(block_of, predictor_of):
    assert predictor_of([-math.inf] * 3).marginals(empty(block_of))[0].tolist() == [[0, 0, 0]]


def test_probabilities_of_scores_far_apart(block_of, predictor_of):
    assert predictor_of([5000, -5000, 5000]).marginals(empty(block_of))[0].tolist() == [[0.5, 0, 0.5]]


def test_what_fills_up_a_row_is_no_label(block_of, predictor_of):
    # Three labels are kept in rows of four; the fourth number is 0 and would win.
    assert predictor_of([-2, -1, -3]).argmax(empty(block_of))[0].tolist() == [1]
    assert predictor_of([-2, -1, -3]).scores(empty(block_of))[0].tolist() == [[-2, -1, -3]]
