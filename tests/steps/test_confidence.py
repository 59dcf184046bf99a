"""AROW and SCW against a dense diagonal in numpy, over labels and over sentences; by hand; and where they are PA."""

import itertools

import numpy as np
import pytest

from linnet.core.blocks import Block
from linnet.core.loops.online import Online
from linnet.losses.hinge import Hinge
from linnet.steps.confidence import Arow, Scw, Scw2
from linnet.steps.passive_aggressive import PassiveAggressive, PassiveAggressive2
from linnet.structures.chain import Chain


def arow(lam):
    return lambda m, v: (-m / (v + lam), 1 / lam)


def scw(C, phi):
    """Wang, Zhao and Hoi 2012, proposition 1, with beta of the full matrix turned into the change of its inverse."""

    def tau_and_kappa(m, v):
        psi, zeta = 1 + phi**2 / 2, 1 + phi**2
        alpha = min(C, max(0, (-m * psi + np.sqrt(m**2 * phi**4 / 4 + v * phi**2 * zeta)) / (v * zeta)))
        u = (-alpha * v * phi + np.sqrt(alpha**2 * v**2 * phi**2 + 4 * v)) ** 2 / 4
        return alpha, alpha * phi / np.sqrt(u)

    return tau_and_kappa


def scw2(C, phi):
    """The same, proposition 2."""

    def tau_and_kappa(m, v):
        n = v + 1 / (2 * C)
        gamma = phi * np.sqrt(phi**2 * m**2 * v**2 + 4 * n * v * (n + v * phi**2))
        alpha = max(0, (-(2 * m * n + phi**2 * m * v) + gamma) / (2 * (n**2 + n * v * phi**2)))
        u = (-alpha * v * phi + np.sqrt(alpha**2 * v**2 * phi**2 + 4 * v)) ** 2 / 4
        return alpha, alpha * phi / np.sqrt(u)

    return tau_and_kappa


CASES = {
    "arow": (arow(0.7), lambda: Arow(0.7)),
    "scw": (scw(0.3, 1.28), lambda: Scw(0.3, 1.28)),
    "scw-2": (scw2(0.3, 1.28), lambda: Scw2(0.3, 1.28)),
}


def dense_weights(X, y, n_labels, rule):
    """w after each example, every weight in full."""
    W = np.zeros((X.shape[1] + 1, n_labels))
    sigma = np.ones_like(W)
    for x, label in zip(np.insert(X, 0, 1, axis=1), y, strict=True):
        augmented = x @ W + (np.arange(n_labels) != label)
        y_hat = int(np.argmax(augmented))
        if y_hat != label:
            g = np.outer(x, np.eye(n_labels)[y_hat] - np.eye(n_labels)[label])
            tau, kappa = rule(augmented[label] - augmented[y_hat], np.sum(g**2 * sigma))
            W = W - tau * sigma * g
            sigma = 1 / (1 / sigma + kappa * g**2)
        yield W


def examples(n_labels, n=60, n_features=12, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, n_features)) * (rng.random((n, n_features)) < 0.3), rng.integers(0, n_labels, n)


@pytest.mark.parametrize("n_labels", [2, 3, 5, 11, 75])
@pytest.mark.parametrize("case", CASES)
def test_sparse_steps_equal_dense_ones(learner_of, teach, case, n_labels):
    rule, step = CASES[case]
    X, y = examples(n_labels)
    dense = list(dense_weights(X, y, n_labels, rule))
    online = learner_of(np.zeros((X.shape[1] + 1, n_labels)), Hinge(), step(), averaged=True)
    np.testing.assert_allclose(teach(online, X, y), dense[-1], rtol=1e-3, atol=1e-5)
    np.testing.assert_allclose(online.average()[0][:, :n_labels], np.mean(dense, axis=0), rtol=1e-3, atol=1e-5)


def sentences(L=3, n=40, n_features=5, seed=0):
    """Words may recur in a sentence, so that a row of X^T r is the sum of several places."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(1, 5, n)
    at = np.concatenate([[0], np.cumsum(lengths)])
    words, y = rng.integers(0, n_features, at[-1]), rng.integers(0, L, at[-1]).astype(np.int32)
    emit = Block(np.arange(at[-1] + 1), words.astype(np.uint32), np.full(at[-1], 1.5, np.float32), at)
    trans = Block(np.zeros(n + 1, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32))
    return words, y, at, (emit, trans)


@pytest.mark.parametrize("case", CASES)
def test_over_sentences_a_feature_that_recurs_is_one_coordinate(case):
    L, n_features = 3, 5
    rule, step = CASES[case]
    words, y, at, blocks = sentences(L, n_features=n_features)

    def f(x, z):
        emit, trans = np.zeros((n_features + 1, L)), np.zeros(L * L)
        for word, tag in zip(x, z, strict=True):
            emit[0, tag] += 1
            emit[word + 1, tag] += 1.5
        for a, b in itertools.pairwise(z):
            trans[a * L + b] += 1
        return np.concatenate([emit.ravel(), trans])

    w, sigma = np.zeros((n_features + 1) * L + L * L), np.ones((n_features + 1) * L + L * L)
    for i in range(len(at) - 1):
        x, gold = words[at[i] : at[i + 1]], tuple(y[at[i] : at[i + 1]].tolist())
        outputs = list(itertools.product(range(L), repeat=len(x)))
        scores = [w @ f(x, z) + sum(a != b for a, b in zip(z, gold, strict=True)) for z in outputs]
        y_hat = outputs[int(np.argmax(scores))]
        if y_hat != gold:
            g = f(x, y_hat) - f(x, gold)
            tau, kappa = rule(w @ f(x, gold) - max(scores), np.sum(g**2 * sigma))
            w, sigma = w - tau * sigma * g, 1 / (1 / sigma + kappa * g**2)
    online = Online(Chain(L), Hinge(), step(), (n_features, 0))
    online.run(blocks, y, at, np.arange(len(at) - 1))
    emit, trans = online.last()
    np.testing.assert_allclose(emit[:, :L].ravel(), w[: emit.shape[0] * L], rtol=1e-3, atol=1e-5)
    np.testing.assert_allclose(trans[0, : L * L], w[emit.shape[0] * L :], rtol=1e-3, atol=1e-5)


def test_arow_by_hand(learner_of, teach):
    # f = (1, 1), loss 1, v = 4, lam = 1: tau = 1/5, and 1/Sigma = 1 + 1. The same again: loss 1 - 4/5, v = 2, tau = 1/15,
    # times Sigma = 1/2: 1/30.
    online = learner_of(np.zeros((2, 2)), Hinge(), Arow(1))
    assert teach(online, [[1]], [1]) == pytest.approx(np.array([[-0.2, 0.2], [-0.2, 0.2]]))
    assert teach(online, [[1]], [1]) == pytest.approx(np.array([[-1, 1], [-1, 1]]) * (1 / 5 + 1 / 30))


def test_a_weight_of_2_is_a_lam_half_as_large(learner_of, teach):
    heavy = teach(learner_of(np.zeros((2, 2)), Hinge(), Arow(1)), [[1], [1]], [1, 1], weight=[2, 2])
    assert heavy == pytest.approx(teach(learner_of(np.zeros((2, 2)), Hinge(), Arow(0.5)), [[1], [1]], [1, 1]))


@pytest.mark.parametrize("C", [0.1, 10.0])
def test_a_margin_that_need_not_be_sure_is_that_of_pa(learner_of, teach, C):
    X, y = examples(3)
    for step, same in ((Scw(C, 0), PassiveAggressive(C)), (Scw2(C, 0), PassiveAggressive2(C))):
        w, expected = (teach(learner_of(np.zeros((13, 3)), Hinge(), s), X, y) for s in (step, same))
        np.testing.assert_allclose(w, expected, rtol=1e-4, atol=1e-6)


def test_the_margin_is_then_as_sure_as_was_asked(learner_of, teach):
    # f = (1, 1): one step of the hard version (C infinite) leaves margin - cost = phi sqrt(v), v by the new variances.
    phi = 1.5
    online = learner_of(np.zeros((2, 2)), Hinge(), Scw(np.inf, phi))
    w = teach(online, [[1]], [1])
    margin = 2 * (w[0, 1] + w[1, 1])
    v = 4 / (1 + online.state()[0]["G0"][0, 0])
    full = 1 / (1 / 4 + (1 / v - 1 / 4) * 4)  # of the full matrix, whose four coordinates are one direction
    assert margin - 1 == pytest.approx(phi * np.sqrt(full), rel=1e-4)
