"""Support vector machines: at the optimum, and what the duality gap promises on the way."""

import itertools

import numpy as np
import pytest
from linnet.core.form import Block
from linnet.structures.chain import Chain
from linnet.structures.labels import Labels

from linnet.errors import UsageError
from linnet.features import SparseRows
from linnet.learners import LEARNERS, Examples, Learning

N, D, L = 120, 8, 3


@pytest.fixture(scope="module")
def labelled():
    """A matrix with a column of ones for the bias, its labels, and the same as examples."""
    rng = np.random.default_rng(0)
    X = ((rng.random((N, D)) < 0.5) * rng.normal(1, 0.5, (N, D))).astype(np.float32)
    y = np.argmax(X @ rng.normal(size=(D, L)) + rng.gumbel(size=(N, L)), axis=1)
    rows, columns = np.nonzero(X)
    indptr = np.searchsorted(rows, np.arange(N + 1)).astype(np.int64)
    sparse = SparseRows(indptr, columns.astype(np.uint32), X[rows, columns])
    return np.hstack([np.ones((N, 1)), X]), y, Examples.labelled(sparse, y.astype(np.int32))


def primal(w, X, y, C, weight=1.0):
    """1/2 ||w||^2 + C sum_i weight_i max_k [w_k.x + (k != y) - w_y.x], with a column of w for each label."""
    theta = X @ w
    hinge = (theta + 1 - np.eye(w.shape[1])[y]).max(axis=1) - theta[np.arange(len(y)), y]
    return float((w**2).sum()) / 2 + C * float((weight * hinge).sum())


def fitted(examples, gen, n_features, epochs=3000, tol=1e-4, **options):
    learning = Learning(LEARNERS["svm"], options, gen, n_features)
    return learning, learning.run(examples, epochs=epochs, tol=tol)


@pytest.mark.parametrize("C", [0.01, 0.1, 1.0])
def test_over_labels_it_is_the_machine_of_crammer_and_singer(labelled, C):
    svm = pytest.importorskip("sklearn.svm")
    X, y, examples = labelled
    _, fit = fitted(examples, Labels(L), (D,), C=C)
    assert fit.stopped == f"the optimum is reached (gap {fit.history[-1].gap:.2g})"
    peer = svm.LinearSVC(
        C=C, multi_class="crammer_singer", fit_intercept=False, tol=1e-6, max_iter=1_000_000, random_state=0
    )
    best = primal(peer.fit(X, y).coef_.T, X, y, C)
    found = primal(fit.weights[0][:, :L].astype(float), X, y, C)
    assert best * (1 - 1e-5) <= found <= best * (1 + 2e-4)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_gap_is_the_primal_less_the_dual(labelled, weighted):
    # After a few passes only: w = C sum_i weight_i X_i^T m_i, the dual is C sum_i weight_i l_i - 1/2 ||w||^2.
    X, y, examples = labelled
    weight = (
        np.random.default_rng(1).choice([0.0, 0.5, 3.0], N).astype(np.float32) if weighted else np.ones(N, np.float32)
    )
    examples = Examples(examples.blocks, examples.y, examples.y_at, weight)
    learning, fit = fitted(examples, Labels(L), (D,), epochs=4, C=0.2)
    w = fit.weights[0][:, :L].astype(float)
    arrays, _ = learning.online.state()
    m, l_i = arrays["m0"][:, :L].astype(float), arrays["cost"][:, 0]
    np.testing.assert_allclose(w, 0.2 * X.T @ (weight[:, None] * m), atol=1e-4)
    dual = 0.2 * float(weight @ l_i) - float((w**2).sum()) / 2
    at = primal(w, X, y, 0.2, weight)
    gap = learning.online.left(examples.blocks, examples.y, examples.y_at, weight, np.inf)
    assert gap == pytest.approx((at - dual) / at, rel=1e-3)
    assert 0.001 < gap < 0.9


def test_m_is_a_distribution_less_the_right_label(labelled):
    _, y, examples = labelled
    learning, _ = fitted(examples, Labels(L), (D,), epochs=5)
    m = learning.online.state()[0]["m0"][:, :L]
    p = np.eye(L)[y] - m
    assert p.min() > -1e-5
    np.testing.assert_allclose(p.sum(axis=1), 1, atol=1e-5)


def test_the_first_pass_is_that_of_mira(labelled):
    _, _, examples = labelled
    svm, mira = (Learning(LEARNERS[name], {"C": 0.3}, Labels(L), (D,)) for name in ("svm", "mira"))
    weights = [learning.run(examples, epochs=1).weights[0] for learning in (svm, mira)]
    np.testing.assert_allclose(*weights, atol=1e-6)


def test_over_tags_it_is_the_structured_machine():
    """The optimum of a chain, compared with a plain subgradient method over all sequences."""
    rng = np.random.default_rng(0)
    n, T, C = 12, 3, 0.5
    word = rng.integers(0, 4, (n, T))
    y = np.where(rng.random((n, T)) < 0.8, word % 2, rng.integers(0, 2, (n, T)))
    words = Block(
        np.arange(n * T + 1), word.ravel().astype(np.uint32), np.ones(n * T, np.float32), np.arange(0, n * T + 1, T)
    )
    pairs = Block(np.zeros(n + 1, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32))
    examples = Examples((words, pairs), y.ravel().astype(np.int32), np.arange(0, n * T + 1, T))
    _, fit = fitted(examples, Chain(2), (4, 0), C=C, tol=1e-3)
    assert fit.stopped == f"the optimum is reached (gap {fit.history[-1].gap:.2g})"

    outputs = list(itertools.product(range(2), repeat=T))

    def f(i, z):
        features = np.zeros((5 * 2 + 4,))
        for t, tag in enumerate(z):
            features[tag] += 1
            features[2 * (1 + word[i, t]) + tag] += 1
        for a, c in itertools.pairwise(z):
            features[10 + 2 * a + c] += 1
        return features

    F = np.array([[f(i, z) for z in outputs] for i in range(n)])
    cost = np.array([[sum(a != b for a, b in zip(z, y[i], strict=True)) for z in outputs] for i in range(n)])
    gold = np.array([outputs.index(tuple(y[i])) for i in range(n)])

    def objective(w):
        score = F @ w
        return float(w @ w) / 2 + C * float(((score + cost).max(axis=1) - score[np.arange(n), gold]).sum())

    w = np.zeros(14)
    best = objective(w)
    for t in range(1, 20_000):
        worst = (F @ w + cost).argmax(axis=1)
        w = w - (w + C * (F[np.arange(n), worst] - F[np.arange(n), gold]).sum(axis=0)) / (t + 50)
        best = min(best, objective(w))
    emit, trans = fit.weights
    found = objective(np.concatenate([emit[:, :2].ravel(), trans[0, :4]]).astype(float))
    assert found == pytest.approx(best, rel=3e-3)


def test_going_on_from_a_state_is_going_on(labelled):
    _, _, examples = labelled
    whole, first = (Learning(LEARNERS["svm"], {}, Labels(L), (D,)) for _ in range(2))
    expected = whole.run(examples, epochs=6, tol=0)
    fit = first.run(examples, epochs=3, tol=0)
    second = Learning(LEARNERS["svm"], {}, Labels(L), (D,))
    second.online.restore(*first.online.state())
    found = second.run(examples, epochs=6, tol=0, fit=fit)
    assert np.array_equal(found.weights[0], expected.weights[0])
    assert [epoch.gap for epoch in found.history] == [epoch.gap for epoch in expected.history]


def test_other_examples_are_refused(labelled):
    _, _, examples = labelled
    learning, _ = fitted(examples, Labels(L), (D,), epochs=1)
    other = Examples.labelled(
        SparseRows(np.zeros(4, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32)), np.zeros(3, np.int32)
    )
    with pytest.raises(ValueError, match="^these are not the examples that were learned from so far$"):
        learning.online.run(other.blocks, other.y, other.y_at, np.arange(3))
    with pytest.raises(UsageError, match="^learner 'svm' needs all examples at once"):
        learning.partial(examples)


def test_pegasos_comes_near_the_optimum_of_the_same_problem(labelled):
    X, y, examples = labelled
    lam = 0.05
    C = 1 / (lam * N)
    _, exact = fitted(examples, Labels(L), (D,), C=C)
    learning = Learning(LEARNERS["pegasos"], {"lam": lam}, Labels(L), (D,))
    w = learning.run(examples, epochs=400, tol=0).weights[0][:, :L].astype(float)
    best = primal(exact.weights[0][:, :L].astype(float), X, y, C)
    assert best <= primal(w, X, y, C) * (1 + 1e-4)
    assert primal(w, X, y, C) <= 1.02 * best
