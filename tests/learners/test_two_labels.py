"""Two labels as textbooks have them: one weight vector u, and the sign of u.x. Here each label has its own, u = w_1 - w_0.

    perceptron                       u/2 is the textbook's w: each step adds x to w_1 and takes it off w_0
    mira, pa, svm multiclass-hinge   u is the textbook's w with twice the C
    pegasos                          u is the textbook's w with half the lam
    logistic                         u is the textbook's w with twice the eta and half the lam
    svm hinge, squared-hinge         w_1 is the textbook's w with the same C, and w_0 = -w_1: u is twice as long

Each algorithm is written out here for one vector, as the lectures have it: Choi, "Perceptron" and "Let's compute the gradient";
Eisenstein, eq. 10 and 14; Shalev-Shwartz et al. (2011, fig. 1).
"""

import numpy as np
import pytest

from linnet.learners import LEARNERS, Examples, Learning
from linnet.structures.labels import Labels

N, D, EPOCHS = 60, 4, 3


@pytest.fixture(scope="module")
def points():
    """Points without ties; the first is of label 1, as at w = 0 a tie is no mistake for a textbook where it is of label 0."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(N, D)).astype(np.float32)
    z = np.where(X @ rng.normal(size=D) + rng.normal(size=N) > 0, 1, -1)
    order = np.argsort(-z, kind="stable")[:1].tolist()
    order += [i for i in range(N) if i not in order]
    return X[order].astype(float), z[order]


@pytest.fixture
def learn(points, block_of):
    """Learns without bias and shuffling, and gives the weights of label 0 and label 1, and what theory says."""

    def run(name, *, epochs=EPOCHS, tol=0.0, **options):
        X, z = points
        examples = Examples((block_of(X),), (z > 0).astype(np.int32), np.arange(N + 1))
        learning = Learning(LEARNERS[name], {"bias": "no", **options}, Labels(2), (D,), examples.length2())
        fit = learning.run(examples, epochs=epochs, shuffle=False, tol=tol, measure=True)
        w = fit.weights[0][1:].astype(float)
        return w[:, 0], w[:, 1], fit.theory

    return run


def passes(points):
    X, z = points
    return [(x, sign) for _ in range(EPOCHS) for x, sign in zip(X, z, strict=True)]


def test_the_perceptron(points, learn):
    w, sums = np.zeros(D), np.zeros(D)
    for x, sign in passes(points):
        if sign * (w @ x) <= 0:
            w = w + sign * x
        sums += w
    w_0, w_1, _ = learn("perceptron")
    np.testing.assert_allclose(w_1, w, rtol=1e-6)
    np.testing.assert_array_equal(w_0, -w_1)
    np.testing.assert_allclose(learn("averaged-perceptron")[1], sums / (EPOCHS * N), rtol=1e-5)


@pytest.mark.parametrize(("name", "C"), [("mira", 0.05), ("mira", 5.0), ("pa", np.inf)])
def test_mira_has_twice_the_c(points, learn, name, C):
    u = np.zeros(D)
    for x, sign in passes(points):
        u = u + min(2 * C, max(0.0, 1 - sign * (u @ x)) / (x @ x)) * sign * x
    w_0, w_1, _ = learn(name, **({} if name == "pa" else {"C": C}))
    np.testing.assert_allclose(w_1 - w_0, u, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(w_1, u / 2, rtol=1e-5, atol=1e-6)


def test_pegasos_has_half_the_lambda(points, learn):
    u, lam = np.zeros(D), 0.1
    for t, (x, sign) in enumerate(passes(points), 1):
        inside = sign * (u @ x) < 1
        u = (1 - 1 / t) * u + inside * sign * x / (lam / 2 * t)
    w_0, w_1, _ = learn("pegasos", lam=lam)
    np.testing.assert_allclose(w_1 - w_0, u, rtol=1e-4)


def test_sgd_has_twice_the_eta_and_half_the_lambda(points, learn):
    u, eta, lam = np.zeros(D), 0.02, 0.01
    for x, sign in passes(points):
        p = 1 / (1 + np.exp(-u @ x))
        u = (1 - 2 * eta * lam / 2) * u + 2 * eta * ((sign > 0) - p) * x
    w_0, w_1, _ = learn("logistic", eta=eta, lam=lam)
    np.testing.assert_allclose(w_1 - w_0, u, rtol=1e-4)


def test_the_optimum_of_logistic_regression_has_half_the_lambda(points, learn):
    linear_model = pytest.importorskip("sklearn.linear_model")
    X, z = points
    lam = 0.05
    peer = linear_model.LogisticRegression(C=1 / (lam / 2 * N), fit_intercept=False, tol=1e-10, max_iter=10_000)
    w_0, w_1, _ = learn("logistic", by="lbfgs", lam=lam, epochs=200, tol=1e-7)
    np.testing.assert_allclose(w_1 - w_0, peer.fit(X, z).coef_[0], rtol=1e-3)


@pytest.mark.parametrize(
    ("loss", "times_C", "times_u"), [("multiclass-hinge", 2, 1), ("hinge", 1, 2), ("squared-hinge", 1, 2)]
)
def test_the_support_vector_machine(points, learn, loss, times_C, times_u):
    svm = pytest.importorskip("sklearn.svm")
    X, z = points
    C = 0.1
    peer_loss = "squared_hinge" if loss == "squared-hinge" else "hinge"
    peer = svm.LinearSVC(C=times_C * C, loss=peer_loss, fit_intercept=False, tol=1e-9, max_iter=1_000_000)
    w_0, w_1, _ = learn("svm", loss=loss, C=C, epochs=3000, tol=1e-9)
    np.testing.assert_allclose(w_1 - w_0, times_u * peer.fit(X, z).coef_[0], rtol=2e-3)


def test_margin_and_radius_are_the_square_root_of_two_times_as_large(points):
    X, z = points
    far = np.abs(X[:, 0]) > 0.5
    X, z = X[far], np.where(X[far, 0] > 0, 1, -1)
    examples = Examples.labelled(_rows(X), (z > 0).astype(np.int32))
    learning = Learning(LEARNERS["perceptron"], {"bias": "no"}, Labels(2), (D,), examples.length2())
    fit = learning.run(examples, epochs=500, measure=True)
    u = fit.weights[0][1:, 1].astype(float)
    margin, radius = (z * (X @ u)).min() / np.linalg.norm(u), np.linalg.norm(X, axis=1).max()
    assert margin > 0
    found = fit.theory
    assert found.signed_margin == pytest.approx(margin, rel=1e-4)
    assert found.signed_radius == pytest.approx(radius, rel=1e-6)
    assert found.margin == pytest.approx(np.sqrt(2) * margin, rel=1e-4)
    assert found.radius == pytest.approx(np.sqrt(2) * radius, rel=1e-6)
    assert found.mistake_bound == pytest.approx((radius / margin) ** 2, rel=1e-3)


def _rows(X):
    rows, columns = np.nonzero(X)
    indptr = np.searchsorted(rows, np.arange(len(X) + 1)).astype(np.int64)
    return indptr, columns.astype(np.uint32), X[rows, columns].astype(np.float32)
