"""Every loss: its value written out, and its gradient by finite differences.

One step of SGD with rate eta moves the weights by -eta X^T r, so that (w - w') / eta is the gradient that was used.
"""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from linnet.losses import LOSSES, phi
from linnet.losses.each import Each
from linnet.losses.exponential import Exponential
from linnet.losses.hinge import Hinge
from linnet.losses.likelihood import Likelihood
from linnet.losses.log import Log
from linnet.losses.perceptron import Perceptron
from linnet.losses.pointwise import Pointwise
from linnet.steps.sgd import SGD


def log_loss(theta, y):
    return np.log(np.sum(np.exp(theta))) - theta[y]


def hinge_loss(theta, y):
    return np.max(theta + (np.arange(len(theta)) != y)) - theta[y]


def perceptron_loss(theta, y):
    return np.max(theta) - theta[y]


def softmax_margin(theta, y):
    return np.log(np.sum(np.exp(theta + 2.0 * (np.arange(len(theta)) != y)))) - theta[y]


def exponential(theta, y):
    """sum_k exp(theta_k - theta_y) - 1, and the tangent where the log loss is above 10."""
    log = log_loss(theta, y)
    return np.exp(min(log, 10)) * (1 + max(log - 10, 0)) - 1


def one_against_all(theta, y):
    """exp(-Y theta), Y = 1 for y and -1 for all others; the mean over labels."""
    return np.mean(np.exp(np.where(np.arange(len(theta)) == y, -theta, theta)))


def margins(theta, y):
    return np.where(np.arange(len(theta)) == y, theta, -theta)


def one_vs_rest(theta, y, power=1):
    return (np.maximum(0, 1 - margins(theta, y)) ** power).sum()


def one_vs_rest_squared(theta, y):
    return one_vs_rest(theta, y, 2)


def each_log(theta, y):
    return np.logaddexp(0, -margins(theta, y)).sum()


def each_perceptron(theta, y):
    return np.maximum(0, -margins(theta, y)).sum()


VALUES = {
    "log": (Log, log_loss),
    "log with a margin": (lambda: Log(cost=2), softmax_margin),
    "each-exponential": (lambda: Each(phi.Exponential()), one_against_all),
    "each-log": (lambda: Each(phi.Log()), each_log),
    "each-perceptron": (lambda: Each(phi.Perceptron()), each_perceptron),
    "hinge": (Hinge, hinge_loss),
    "perceptron": (Perceptron, perceptron_loss),
    "each-hinge": (lambda: Each(phi.Hinge()), one_vs_rest),
    "each-squared-hinge": (lambda: Each(phi.Hinge(squared=True)), one_vs_rest_squared),
    "exponential": (Exponential, exponential),
    "pointwise-log": (Pointwise, log_loss),  # of one place, it is the whole
    "pointwise-exponential": (lambda: Pointwise(exponential=True), exponential),
}


def test_every_loss_is_tested_here():
    assert set(LOSSES) == {*VALUES, "likelihood"} - {"log with a margin"}


@st.composite
def points(draw):
    """Weights, one sparse example and its label."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_labels, n_features = draw(st.integers(2, 9)), draw(st.integers(1, 6))
    x = rng.normal(size=n_features) * (rng.random(n_features) < 0.7)
    return rng.normal(0, 0.7, (n_features + 1, n_labels)), x, int(rng.integers(n_labels))


def theta_of(W, x):
    return W[0] + x @ W[1:]


@pytest.mark.parametrize("name", VALUES)
@given(point=points())
def test_the_value_is_the_formula(learner_of, teach, name, point):
    W, x, y = point
    loss, formula = VALUES[name]
    online = learner_of(W, loss(), SGD(eta=0))
    teach(online, [x], [y])
    assert online.total == pytest.approx(formula(theta_of(W, x), y), rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("name", VALUES)
@given(point=points())
def test_the_gradient_is_that_of_finite_differences(learner_of, teach, name, point):
    W, x, y = point
    loss, formula = VALUES[name]
    h, eta = 1e-4, 0.5
    if name in ("hinge", "perceptron"):  # away from the kinks
        augmented = np.sort(theta_of(W, x) + (name == "hinge") * (np.arange(W.shape[1]) != y))
        assume(augmented[-1] - augmented[-2] > 20 * h * (1 + np.abs(x).sum()))
    if name in ("each-hinge", "each-perceptron"):
        kink = name == "each-hinge"
        assume((np.abs(np.abs(theta_of(W, x)) - kink) > 20 * h * (1 + np.abs(x).sum())).all())
    start = learner_of(W, loss(), SGD(eta)).last()[0][:, : W.shape[1]]
    gradient = (start - teach(learner_of(W, loss(), SGD(eta)), [x], [y])) / eta
    expected = np.empty_like(W)
    for at in np.ndindex(W.shape):
        step = np.zeros_like(W)
        step[at] = h
        more, less = formula(theta_of(W + step, x), y), formula(theta_of(W - step, x), y)
        expected[at] = (more - less) / (2 * h)
    np.testing.assert_allclose(gradient, expected, rtol=1e-4, atol=1e-4 * max(1, np.abs(expected).max()))


def test_what_is_negligible_is_left_alone(learner_of, teach):
    # The probability of the wrong label is 0.0025: a step at 0.002, none at 0.003.
    W = np.array([[6.0, 0.0]])
    assert teach(learner_of(W, Log(negligible=0.002), SGD(eta=1)), np.zeros((1, 0)), [0])[0, 0] > 6
    assert teach(learner_of(W, Log(negligible=0.003), SGD(eta=1)), np.zeros((1, 0)), [0])[0, 0] == 6


def test_the_likelihood_counts(learner_of, teach):
    # Steps of 1 add f(x, y) for each example; there is nothing to minimise.
    online = learner_of(np.zeros((3, 2)), Likelihood(), SGD(eta=1))
    w = teach(online, [[2, 0], [1, 1], [0, 3]], [0, 0, 1])
    assert w.tolist() == [[2, 1], [3, 0], [1, 3]]
    assert online.total == 0


def test_the_margin_is_as_wide_as_the_cost(learner_of, teach):
    online = learner_of([[0.0, 0.0]], Hinge(cost=2.5), SGD(eta=0))
    teach(online, np.zeros((1, 0)), [1])
    assert online.total == 2.5


def test_the_perceptron_starts_from_a_tie(learner_of, teach):
    # At w = 0 its loss is 0, and still the wrong label won: it is y_hat != y that makes an update.
    online = learner_of(np.zeros((2, 2)), Perceptron(), SGD(eta=1))
    assert teach(online, [[1]], [1]).tolist() == [[-1, 1], [-1, 1]]
    assert online.total == 0
