"""L-BFGS with and without L1, on functions whose minimum is known."""

import numpy as np
import pytest

from linnet.learners.lbfgs import Lbfgs


def minimised(f, w, l1=0.0, n=300, tol=1e-5):
    """The optimiser after at most n evaluations of f, which gives a value and a gradient."""
    optimiser = Lbfgs(np.asarray(w, np.float32), l1)
    for _ in range(n):
        value, gradient = f(optimiser.trial.astype(np.float64))
        optimiser.tell(value, gradient.astype(np.float32))
        if optimiser.gap <= tol:
            break
    return optimiser


def quadratic(n=20, seed=0):
    """f = (w - c).A.(w - c) / 2 with curvatures from 0.1 to 10."""
    rng = np.random.default_rng(seed)
    Q, _ = np.linalg.qr(rng.normal(size=(n, n)))
    A, c = Q * np.logspace(-1, 1, n) @ Q.T, rng.normal(size=n)
    return lambda w: (float((w - c) @ A @ (w - c)) / 2, A @ (w - c)), c


def rosenbrock(w):
    x, y = w
    return (1 - x) ** 2 + 100 * (y - x * x) ** 2, np.array([-2 * (1 - x) - 400 * x * (y - x * x), 200 * (y - x * x)])


def test_a_quadratic():
    f, c = quadratic()
    np.testing.assert_allclose(minimised(f, np.zeros(20)).w, c, atol=1e-3)


def test_a_valley():
    found = minimised(rosenbrock, [-1.2, 1.0], n=500, tol=1e-6)
    np.testing.assert_allclose(found.w, [1, 1], atol=1e-2)


@pytest.mark.parametrize("l1", [0.1, 0.5, 2.0])
def test_l1_without_curvature_between_weights_is_soft_thresholding(l1):
    # f = sum_j a_j (w_j - c_j)^2 / 2: w_j = sign(c_j) max(|c_j| - l1 / a_j, 0).
    rng = np.random.default_rng(0)
    a, c = rng.uniform(0.5, 3, 40), rng.normal(size=40)
    found = minimised(lambda w: (float((a * (w - c) ** 2).sum()) / 2, a * (w - c)), np.zeros(40), l1)
    expected = np.sign(c) * np.maximum(np.abs(c) - l1 / a, 0)
    np.testing.assert_allclose(found.w, expected, atol=1e-4)
    assert np.array_equal(found.w == 0, expected == 0)


def test_l1_with_curvature_between_weights_satisfies_its_conditions():
    # |gradient_j| <= l1 where w_j = 0, gradient_j = -l1 sign(w_j) elsewhere.
    f, _ = quadratic(30, seed=1)
    found = minimised(f, np.zeros(30), l1=0.4)
    _, gradient = f(found.w.astype(np.float64))
    zero = found.w == 0
    assert 5 < zero.sum() < 25
    assert np.abs(gradient[zero]).max() <= 0.4
    np.testing.assert_allclose(gradient[~zero], -0.4 * np.sign(found.w[~zero]), atol=1e-3)


def test_l1_from_the_wrong_side_of_zero():
    found = minimised(lambda w: (float(((w - 1) ** 2).sum()) / 2, w - 1), [-3.0, 5.0], l1=0.25)
    np.testing.assert_allclose(found.w, [0.75, 0.75], atol=1e-4)


def test_the_value_of_the_best_point_never_rises():
    f, _ = quadratic()
    optimiser, values = Lbfgs(np.zeros(20, np.float32), 0.1), []
    for _ in range(60):
        optimiser.tell(*(part if k == 0 else part.astype(np.float32) for k, part in enumerate(f(optimiser.trial))))
        values.append(optimiser.value)
    assert all(b <= a + 1e-6 * abs(a) for a, b in zip(values, values[1:], strict=False))


def test_a_step_that_is_too_long_is_halved():
    # The first step has length 1. What does not go down is not taken; half of it is tried next.
    optimiser = Lbfgs(np.array([0.1], np.float32))
    assert optimiser.tell(1.0, np.array([-8.0], np.float32))
    first = optimiser.trial.copy()
    assert not optimiser.tell(2.0, np.array([5.0], np.float32))
    assert optimiser.trial - optimiser.w == pytest.approx((first - optimiser.w) / 2)
    assert optimiser.w == pytest.approx([0.1])


def test_where_nothing_gets_better_it_ends():
    optimiser = Lbfgs(np.zeros(1, np.float32))
    optimiser.tell(1.0, np.array([1.0], np.float32))
    for _ in range(25):
        optimiser.tell(1.5, np.array([1.0], np.float32))
    assert optimiser.gap == 0


@pytest.mark.parametrize("l1", [0.0, 0.2])
def test_going_on_from_a_state_is_going_on(l1):
    f, _ = quadratic()
    whole = minimised(f, np.zeros(20), l1, n=14, tol=0)
    half = minimised(f, np.zeros(20), l1, n=9, tol=0)
    other = Lbfgs(np.zeros(20, np.float32), l1)
    other.restore(*half.state())
    for _ in range(5):
        value, gradient = f(other.trial.astype(np.float64))
        other.tell(value, gradient.astype(np.float32))
    assert np.array_equal(other.trial, whole.trial)
    assert (other.value, other.gap, other.alpha) == (whole.value, whole.gap, whole.alpha)
