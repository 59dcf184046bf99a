"""The loop over examples: what is lazy in it equals what is not, computed in numpy with float64 and in full."""

import numpy as np
import pytest

from linnet.losses.hinge import Hinge
from linnet.losses.log import Log
from linnet.losses.perceptron import Perceptron
from linnet.steps.adagrad import AdaGrad
from linnet.steps.constant import Constant
from linnet.steps.passive_aggressive import PassiveAggressive
from linnet.steps.sgd import SGD


def dense_log(theta, y):
    p = np.exp(theta - theta.max())
    p /= p.sum()
    return -np.log(p[y]), p - np.eye(len(theta))[y]


def dense_rival(cost):
    def evaluate(theta, y):
        augmented = theta + cost * (np.arange(len(theta)) != y)
        y_hat = int(np.argmax(augmented))
        return augmented[y_hat] - augmented[y], np.eye(len(theta))[y_hat] - np.eye(len(theta))[y]

    return evaluate


class DenseSGD:
    """Choi, "Overfitting": w <- (1 - eta lam) w - eta g, over all weights."""

    def __init__(self, eta, lam, power=0, t0=1):
        self.eta, self.lam, self.power, self.t0 = eta, lam, power, t0

    def __call__(self, W, g, value, t):
        eta = self.eta / (1 + t / self.t0) ** self.power
        return (1 - eta * self.lam) * W - eta * g


class DenseAdaGrad:
    """Duchi, Hazan and Singer 2011 with a diagonal: each weight divides by the root of its own sum of squares."""

    def __init__(self, eta, lam):
        self.eta, self.lam, self.G = eta, lam, 0

    def __call__(self, W, g, value, t):
        self.G = self.G + g**2
        return (1 - self.eta * self.lam) * W - self.eta * g / (np.sqrt(self.G) + 1e-8)


class DensePA:
    def __init__(self, C):
        self.C = C

    def __call__(self, W, g, value, t):
        norm2 = np.sum(g**2)
        return W - min(self.C, value / norm2) * g if norm2 else W


def dense_weights(X, y, n_labels, loss, step):
    """w_1, w_2, ...: the weights after each example, every one of them changed at every step."""
    W = np.zeros((X.shape[1] + 1, n_labels))
    for t, (x, label) in enumerate(zip(X, y, strict=True), 1):
        f = np.concatenate([[1], x])
        value, r = loss(f @ W, label)
        W = step(W, np.outer(f, r), value, t)
        yield W


def examples(n_labels, n=60, n_features=12, seed=0):
    """Sparse rows; whole numbers in a perceptron keep every tie a tie in float32."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 4, (n, n_features)) * (rng.random((n, n_features)) < 0.3)
    return X.astype(np.float64), rng.integers(0, n_labels, n)


# eta lam = 0.4 shrinks the scale a below 0.01 within 10 steps, so that it is rescaled six times in 60.
CASES = {
    "perceptron": (dense_rival(1e-9), lambda: DenseSGD(1, 0), Perceptron, lambda: Constant()),
    "mira": (dense_rival(1), lambda: DensePA(0.3), Hinge, lambda: PassiveAggressive(0.3)),
    "sgd": (dense_log, lambda: DenseSGD(0.1, 0), Log, lambda: SGD(0.1)),
    "sgd, shrinking": (dense_log, lambda: DenseSGD(0.1, 0.5), Log, lambda: SGD(0.1, 0.5)),
    "sgd, decaying": (dense_log, lambda: DenseSGD(0.5, 0.1, 0.5, 10), Log, lambda: SGD(0.5, 0.1, 0.5, 10)),
    "sgd, rescaled": (dense_log, lambda: DenseSGD(0.2, 2.0), Log, lambda: SGD(0.2, 2.0)),
    "sgd, all is forgotten": (dense_log, lambda: DenseSGD(0.5, 2.0), Log, lambda: SGD(0.5, 2.0)),
    "hinge by sgd, shrinking": (dense_rival(1), lambda: DenseSGD(0.1, 0.31), Hinge, lambda: SGD(0.1, 0.31)),
    "adagrad": (dense_log, lambda: DenseAdaGrad(0.3, 0), Log, lambda: AdaGrad(0.3)),
    "adagrad, shrinking": (dense_log, lambda: DenseAdaGrad(0.3, 0.1), Log, lambda: AdaGrad(0.3, 0.1)),
    "adagrad, rescaled": (dense_log, lambda: DenseAdaGrad(0.2, 2.0), Log, lambda: AdaGrad(0.2, 2.0)),
}
# Rows of 2, 4, 8 and 16 numbers: each has a loop of its own, and one for updates of few outcomes; 75 are more than 64.
LABELS = (2, 3, 5, 11, 75)


@pytest.mark.parametrize("n_labels", LABELS)
@pytest.mark.parametrize("case", CASES)
def test_sparse_steps_equal_dense_ones(learner_of, teach, case, n_labels):
    dense_loss, dense_step, loss, step = CASES[case]
    X, y = examples(n_labels)
    *_, expected = dense_weights(X, y, n_labels, dense_loss, dense_step())
    w = teach(learner_of(np.zeros((X.shape[1] + 1, n_labels)), loss(), step()), X, y)
    np.testing.assert_allclose(w, expected, rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("n_labels", LABELS)
@pytest.mark.parametrize("case", CASES)
def test_the_lazy_average_is_the_average_of_all_steps(learner_of, teach, case, n_labels):
    # Carpuat, algorithm 4: m adds up theta at every step, also at those without a mistake.
    dense_loss, dense_step, loss, step = CASES[case]
    X, y = examples(n_labels, seed=1)
    expected = np.mean(list(dense_weights(X, y, n_labels, dense_loss, dense_step())), axis=0)
    online = learner_of(np.zeros((X.shape[1] + 1, n_labels)), loss(), step(), averaged=True)
    teach(online, X, y)
    np.testing.assert_allclose(online.average()[0][:, :n_labels], expected, rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("case", ["sgd, rescaled", "adagrad, rescaled"])
def test_the_lazy_average_keeps_its_digits_when_the_scale_becomes_small(learner_of, teach, case):
    # v = w / a is float32: with a near 1e-6, S v and U would be a million times their difference, and lose 4 of 7 digits.
    dense_loss, dense_step, loss, step = CASES[case]
    X, y = examples(3, seed=1)
    expected = np.mean(list(dense_weights(X, y, 3, dense_loss, dense_step())), axis=0)
    online = learner_of(np.zeros((X.shape[1] + 1, 3)), loss(), step(), averaged=True)
    teach(online, X, y)
    error = np.abs(online.average()[0][:, :3] - expected).max() / np.abs(expected).max()
    assert error < 1e-4


def test_the_average_over_many_steps_keeps_its_digits(learner_of, teach):
    # Multiples of 1/64: v is exact, so that both make the same mistakes; U, with S up to 20,000, is rounded at most steps.
    rng = np.random.default_rng(0)
    X, y = rng.integers(-128, 129, (20_000, 3)) / 64, rng.integers(0, 2, 20_000)
    online = learner_of(np.zeros((4, 2)), Perceptron(), Constant(), averaged=True)
    teach(online, X, y)
    w, total = np.zeros(4), np.zeros(4)  # of label 1; of label 0 it is the opposite
    for x, gold in zip(np.insert(X, 0, 1, axis=1), y.tolist(), strict=True):
        if (w @ x > 0) != gold:
            w += x if gold else -x
        total += w
    assert np.array_equal(online.last()[0][:, 1], w)
    np.testing.assert_allclose(online.average()[0][:, 1], total / 20_000, atol=1e-5 * np.abs(total / 20_000).max())


def test_the_average_of_the_perceptron_by_hand(learner_of, teach):
    # One feature, labels 0 and 1. t = 1: x = 2 is a 1, tied, wrong: w = (-1, 1; -2, 2). t = 2 and 3: right, no change.
    # t = 4: x = -1 is a 1, scores (1, -1), wrong: w = (-2, 2; -1, 1). Average: (3 (1; 2) + (2; 1)) / 4 = (1.25; 1.75).
    online = learner_of(np.zeros((2, 2)), Perceptron(), Constant(), averaged=True)
    last = teach(online, [[2], [1], [3], [-1]], [1, 1, 1, 1])
    assert last[:, 1].tolist() == [2, 1]
    assert online.average()[0].tolist() == [[-1.25, 1.25], [-1.75, 1.75]]


def test_updates_that_change_nothing_are_not_counted(learner_of, teach):
    online = learner_of(np.zeros((2, 2)), Perceptron(), Constant())
    teach(online, [[1], [1], [1]], [1, 1, 1])
    assert (online.t, online.updates) == (3, 1)


def test_a_weight_of_2_is_a_step_twice_as_long(learner_of, teach):
    X, y = [[1.0, 2.0]], [1]
    once, twice = (teach(learner_of(np.zeros((3, 2)), Log(), SGD(0.5)), X, y, weight=[weight]) for weight in (1, 2))
    assert twice == pytest.approx(2 * once)
    assert once[:, 1] == pytest.approx([0.25, 0.25, 0.5])  # eta (1 - p) f with p = 1/2


def test_a_weight_counts_in_the_loss(learner_of, teach):
    online = learner_of(np.zeros((2, 2)), Log(), SGD(0))
    teach(online, [[1], [1]], [0, 1], weight=[3, 1])
    assert online.total == pytest.approx(4 * np.log(2))


def test_growing_keeps_what_was_learned(learner_of, teach):
    X, y = examples(3)
    whole = teach(learner_of(np.zeros((13, 3)), Log(), AdaGrad(0.3, 0.01), averaged=True), X, y)
    online = learner_of(np.zeros((5, 3)), Log(), AdaGrad(0.3, 0.01), averaged=True)
    narrow = X.copy()
    narrow[:20, 4:] = 0
    reference = learner_of(np.zeros((13, 3)), Log(), AdaGrad(0.3, 0.01), averaged=True)
    teach(reference, narrow, y)
    teach(online, narrow[:20, :4], y[:20])
    online.grow((12,))
    teach(online, narrow[20:], y[20:])
    assert np.array_equal(online.last()[0], reference.last()[0])
    assert np.array_equal(online.average()[0], reference.average()[0])
    assert not np.array_equal(online.last()[0][:, :3], whole)


@pytest.mark.parametrize("case", CASES)
def test_state_and_restore_go_on_exactly(learner_of, teach, case):
    _, _, loss, step = CASES[case]
    X, y = examples(5)
    whole, first, second = (learner_of(np.zeros((13, 5)), loss(), step(), averaged=True) for _ in range(3))
    teach(whole, X, y)
    teach(first, X[:33], y[:33])
    second.restore(*first.state())
    teach(second, X[33:], y[33:])
    assert np.array_equal(whole.last()[0], second.last()[0])
    assert np.array_equal(whole.average()[0], second.average()[0])
    assert (whole.t, whole.total, whole.updates) == (second.t, second.total, second.updates)


def test_moved_is_the_distance_from_a_sample(learner_of, teach):
    online = learner_of(np.zeros((2, 2)), Perceptron(), Constant())
    start = online.sample()
    teach(online, [[2]], [1])  # w = (-1, 1; -2, 2): ||w||^2 = 10
    assert online.moved(start) == pytest.approx((np.sqrt(10), np.sqrt(10)))
    middle = online.sample()
    teach(online, [[-1]], [1])  # w = (-2, 2; -1, 1): every number moved by 1
    assert online.moved(middle) == pytest.approx((2, np.sqrt(10)))
    assert online.moved(middle) == pytest.approx((2, np.sqrt(10)))
    assert online.moved(online.sample()) == pytest.approx((0, np.sqrt(10)))


def test_of_many_weights_a_sample_says_how_far_they_moved(learner_of, teach):
    W = np.random.default_rng(0).normal(size=(200_000, 8)).astype(np.float32)
    online = learner_of(W, Perceptron(), Constant())
    start = online.sample()
    y_hat = int(np.argmax(W.sum(axis=0)))
    teach(online, np.ones((1, len(W) - 1)), [(y_hat + 1) % 8])  # two outcomes of every feature move by 1
    change, size = online.moved(start)
    assert change / size == pytest.approx(np.sqrt(2 * len(W)) / np.linalg.norm(online.last()[0]), rel=0.02)
    assert change < np.sqrt(2 * len(W)) / 4


@pytest.mark.parametrize("averaged", [False, True])
@pytest.mark.parametrize("case", CASES)
def test_settled_weights_are_those_that_there_were(learner_of, teach, case, averaged):
    _, _, loss, step = CASES[case]
    X, y = examples(5)
    online = learner_of(np.zeros((13, 5)), loss(), step(), averaged=True)
    teach(online, X, y)
    expected = online.average() if averaged else online.last()
    v = online.state()[0]["v0"]
    found = online.settle(averaged)
    assert np.array_equal(found[0], expected[0])
    assert found[0] is v
    assert list(online.state()[0]) == ["v0"]


def test_a_learner_that_does_not_average_says_so(learner_of):
    with pytest.raises(ValueError, match="^this learner does not average$"):
        learner_of(np.zeros((2, 2)), Perceptron(), Constant()).average()


def test_before_the_first_example_the_average_is_what_there_is(learner_of):
    online = learner_of([[1, 2], [3, 4]], Perceptron(), Constant(), averaged=True)
    assert online.average()[0].tolist() == [[1, 2], [3, 4]]


def test_a_feature_without_a_weight_is_refused(learner_of, teach):
    with pytest.raises(ValueError, match="^a feature has no weight$"):
        teach(learner_of(np.zeros((2, 2)), Log(), SGD()), [[0, 1]], [0])


def test_an_example_that_is_not_there_is_refused(learner_of, teach):
    with pytest.raises(IndexError, match="^3$"):
        teach(learner_of(np.zeros((2, 2)), Log(), SGD()), [[1], [1]], [0, 1], order=[0, 3])


def test_a_weight_for_each_example_or_for_none(learner_of, teach):
    with pytest.raises(ValueError, match="^expected one output and one weight for each example$"):
        teach(learner_of(np.zeros((2, 2)), Log(), SGD()), [[1], [1]], [0, 1], weight=[1])
