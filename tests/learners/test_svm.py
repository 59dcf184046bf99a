"""Support vector machines: at the optimum, and what the duality gap promises on the way."""

import itertools

import numpy as np
import pytest

from linnet.core.blocks import Block
from linnet.errors import UsageError
from linnet.features import SparseRows
from linnet.learners import LEARNERS, Examples, Learning
from linnet.structures.chain import Chain
from linnet.structures.labels import Labels
from linnet.structures.ordinal import Ordinal

N, D, L = 120, 8, 3


@pytest.fixture(scope="module")
def labelled(noisy_labels):
    return noisy_labels(N, D, L, 0.5)


def squared_hinge(theta, y):
    return hinge(theta, y, 2)


def hinge(theta, y, power=1):
    s = 2 * np.eye(theta.shape[1])[y] - 1
    return (np.maximum(0, 1 - s * theta) ** power).sum(axis=1)


def multiclass_hinge(theta, y):
    return (theta + 1 - np.eye(theta.shape[1])[y]).max(axis=1) - theta[np.arange(len(y)), y]


VALUES = {"squared-hinge": squared_hinge, "hinge": hinge, "multiclass-hinge": multiclass_hinge}
PEERS = {
    "squared-hinge": {"loss": "squared_hinge"},
    "hinge": {"loss": "hinge"},
    "multiclass-hinge": {"multi_class": "crammer_singer"},
}


def conjugate(loss, m, y, C):
    """Of C times the loss, at -m: what the dual takes off."""
    if loss == "multiclass-hinge":
        return -m[np.arange(len(y)), y]
    alpha = m * (2 * np.eye(m.shape[1])[y] - 1)
    return (-alpha + (alpha**2 / (4 * C[:, None]) if loss == "squared-hinge" else 0)).sum(axis=1)


def primal(w, X, y, C, weight=1.0, loss="multiclass-hinge"):
    """1/2 ||w||^2 + C sum_i weight_i loss_i, with a column of w for each label."""
    return float((w**2).sum()) / 2 + C * float((weight * VALUES[loss](X @ w, y)).sum())


def fitted(examples, gen, n_features, epochs=3000, tol=1e-4, **options):
    learning = Learning(LEARNERS["svm"], options, gen, n_features)
    return learning, learning.run(examples, epochs=epochs, tol=tol)


def peer_of(loss, C):
    svm = pytest.importorskip("sklearn.svm")
    return svm.LinearSVC(C=C, fit_intercept=False, tol=1e-6, max_iter=1_000_000, random_state=0, **PEERS[loss])


@pytest.mark.parametrize("C", [0.01, 0.1, 1.0])
@pytest.mark.parametrize("loss", VALUES)
def test_over_labels_it_is_the_machine_of_scikit_learn(labelled, loss, C):
    X, y, examples = labelled
    _, fit = fitted(examples, Labels(L), (D,), C=C, loss=loss)
    assert fit.stopped.startswith(f"the optimum is reached (gap {fit.history[-1].gap:.2g}")
    best = primal(peer_of(loss, C).fit(X, y).coef_.T, X, y, C, loss=loss)
    found = primal(fit.weights[0][:, :L].astype(float), X, y, C, loss=loss)
    assert best * (1 - 1e-5) <= found <= best * (1 + 1e-4)


@pytest.mark.parametrize("loss", ["squared-hinge", "hinge"])
def test_two_labels_are_one_machine_and_its_mirror(labelled, loss):
    X, y, examples = labelled
    y = (y > 0).astype(np.int32)
    _, fit = fitted(Examples(examples.blocks, y, examples.y_at), Labels(2), (D,), C=0.5, loss=loss)
    (w,) = fit.weights
    assert np.array_equal(w[:, 0], -w[:, 1])
    peer = peer_of(loss, 0.5).fit(X, y).coef_[0]
    best = primal(np.stack([-peer, peer], axis=1), X, y, 0.5, loss=loss)
    assert primal(w.astype(float), X, y, 0.5, loss=loss) == pytest.approx(best, rel=1e-4)


@pytest.mark.parametrize("epochs", [2, 8])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("loss", VALUES)
def test_the_gap_is_the_primal_less_the_dual(labelled, loss, weighted, epochs):
    # Before the optimum, and where examples were passed over: w = sum_i X_i^T m_i, the dual is -1/2 ||w||^2 - sum_i
    # conjugate_i(-m_i).
    X, y, examples = labelled
    weight = (
        np.random.default_rng(1).choice([0.0, 0.5, 3.0], N).astype(np.float32) if weighted else np.ones(N, np.float32)
    )
    examples = Examples(examples.blocks, examples.y, examples.y_at, weight)
    learning, fit = fitted(examples, Labels(L), (D,), epochs=epochs, tol=0, C=0.2, loss=loss)
    assert (learning.online.state()[0]["idle"].max() > 2) == (epochs > 2)
    w = fit.weights[0][:, :L].astype(float)
    m = learning.online.state()[0]["m0"][:, :L].astype(float)
    np.testing.assert_allclose(w, X.T @ m, atol=1e-4)
    used = weight > 0
    dual = -conjugate(loss, m[used], y[used], 0.2 * weight[used]).sum() - float((w**2).sum()) / 2
    at = primal(w, X, y, 0.2, weight, loss)
    gap = learning.online.left(examples.blocks, examples.y, examples.y_at, weight, np.inf)
    assert gap == pytest.approx((at - dual) / at, rel=1e-3)
    assert 1e-5 < gap < 0.9


@pytest.mark.parametrize("loss", VALUES)
def test_what_an_example_adds_is_in_its_bounds(labelled, loss):
    _, y, examples = labelled
    learning, fit = fitted(examples, Labels(L), (D,), epochs=5, loss=loss, C=0.3)
    m = learning.online.state()[0]["m0"][:, :L]
    right = np.eye(L)[y]
    if loss == "multiclass-hinge":
        np.testing.assert_allclose(m.sum(axis=1), 0, atol=1e-6)
        assert (m <= 0.3 * right + 1e-6).all()
    else:
        alpha = m * (2 * right - 1)
        assert alpha.min() == 0
        assert (alpha.max() > np.float32(0.3)) == (loss == "squared-hinge")
    support = int((m != 0).any(axis=1).sum())
    assert 0 < support < N
    assert fit.history[-1].support == support
    assert fit.stopped == f"all 5 epochs are done (gap {fit.history[-1].gap:.2g}, {support} support vectors)"


def test_the_first_pass_over_tags_is_that_of_mira():
    rng = np.random.default_rng(0)
    words = Block(np.arange(61), rng.integers(0, 4, 60).astype(np.uint32), np.ones(60, np.float32), np.arange(0, 61, 3))
    pairs = Block(np.zeros(21, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32))
    examples = Examples((words, pairs), rng.integers(0, 2, 60).astype(np.int32), np.arange(0, 61, 3))
    svm, mira = (Learning(LEARNERS[name], {"C": 0.3}, Chain(2), (4, 0)) for name in ("svm", "mira"))
    for found, expected in zip(*(learning.run(examples, epochs=1).weights for learning in (svm, mira)), strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-6)


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
    learning, fit = fitted(examples, Chain(2), (4, 0), C=C, tol=1e-3)
    assert fit.stopped.startswith(f"the optimum is reached (gap {fit.history[-1].gap:.2g}")

    m = np.hstack([learning.online.state()[0][f"m{g}"].reshape(n, -1) for g in range(2)])
    assert fit.history[-1].support == np.count_nonzero(m.any(axis=1))

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


@pytest.mark.parametrize("loss", VALUES)
def test_going_on_from_a_state_is_going_on(labelled, loss):
    _, _, examples = labelled
    whole, first = (Learning(LEARNERS["svm"], {"loss": loss}, Labels(L), (D,)) for _ in range(2))
    expected = whole.run(examples, epochs=12, tol=0)
    fit = first.run(examples, epochs=6, tol=0)
    second = Learning(LEARNERS["svm"], {"loss": loss}, Labels(L), (D,))
    second.online.restore(*first.online.state())
    found = second.run(examples, epochs=12, tol=0, fit=fit)
    assert np.array_equal(found.weights[0], expected.weights[0])
    assert [epoch.gap for epoch in found.history] == [epoch.gap for epoch in expected.history]


def test_other_examples_are_refused(labelled):
    _, _, examples = labelled
    learning, _ = fitted(examples, Labels(L), (D,), epochs=1)
    other = Examples.labelled(
        SparseRows(np.zeros(4, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32)), np.zeros(3, np.int32)
    )
    with pytest.raises(ValueError, match="^these are not the examples that were learned from so far"):
        learning.online.run(other.blocks, other.y, other.y_at, np.arange(3))
    with pytest.raises(UsageError, match="^learner 'svm' needs all examples at once"):
        learning.partial(examples)


def test_pegasos_comes_near_the_optimum_of_the_same_problem(labelled):
    X, y, examples = labelled
    lam = 0.05
    C = 1 / (lam * N)
    _, exact = fitted(examples, Labels(L), (D,), C=C, loss="multiclass-hinge")
    learning = Learning(LEARNERS["pegasos"], {"lam": lam}, Labels(L), (D,))
    w = learning.run(examples, epochs=400, tol=0).weights[0][:, :L].astype(float)
    best = primal(exact.weights[0][:, :L].astype(float), X, y, C)
    assert best <= primal(w, X, y, C) * (1 + 1e-4)
    assert primal(w, X, y, C) <= 1.02 * best


def test_pegasos_goes_on_where_no_example_costs_anything(block_of):
    """Its weights still shrink then. By symmetry the optimum is w(0) = c (f_0 - f_1) = -w(1) over f_0 = (1; 1, 0) and f_1 =
    (1; 0, 1), the bias first. The margins are 2 c, so that c = 1/2 is the least that costs nothing."""
    examples = Examples((block_of(np.eye(2)),), np.array([0, 1], np.int32), np.arange(3))
    learning = Learning(LEARNERS["pegasos"], {"lam": 0.01}, Labels(2), (2,))
    fit = learning.run(examples, epochs=2000, tol=0)
    assert len(fit.history) == 2000
    assert fit.weights[0][:, :2] == pytest.approx(np.array([[0, 0], [0.5, -0.5], [-0.5, 0.5]]), abs=0.02)


@pytest.mark.parametrize("loss", ["squared-hinge", "hinge"])
def test_questions_of_tags_are_machines_that_know_nothing_of_each_other(loss):
    """Of one token a machine for each tag; of pairs of tags, one that says whether the sentence has the pair."""
    rng = np.random.default_rng(0)
    n, T, k = 40, 3, 2
    X, y = rng.integers(0, 4, (n, T)), rng.integers(0, k, (n, T)).astype(np.int32)
    at = np.arange(0, n * T + 1, T)
    tokens = Block(np.arange(n * T + 1), X.ravel().astype(np.uint32), np.ones(n * T, np.float32), at)
    pairs = Block(np.zeros(n + 1, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32))
    examples = Examples((tokens, pairs), y.ravel(), at)
    emit, trans = fitted(examples, Chain(k), (4, 0), loss=loss, tol=1e-4, C=0.1)[1].weights
    alone = SparseRows(np.arange(n * T + 1), X.ravel().astype(np.uint32), np.ones(n * T, np.float32))
    _, each = fitted(Examples.labelled(alone, y.ravel()), Labels(k), (4,), loss=loss, tol=1e-6, C=0.1)
    np.testing.assert_allclose(emit, each.weights[0], atol=0.02)
    has = np.zeros((n, k * k))
    np.put_along_axis(has, y[:, :-1] * k + y[:, 1:], 1, axis=1)
    for c in range(k * k):
        b = np.linspace(-3, 3, 60001)
        margins = np.outer(2 * has[:, c] - 1, b)
        best = b[
            np.argmin(b**2 / 2 + 0.1 * (np.maximum(0, 1 - margins) ** (1 + (loss == "squared-hinge"))).sum(axis=0))
        ]
        assert trans[0, c] == pytest.approx(best, abs=0.02)


@pytest.mark.parametrize("name", ["svm", "nb-svm", "logistic"])
def test_scores_of_folds_are_those_of_the_others_alone(name, block_of):
    rng = np.random.default_rng(0)
    n, d = 40, 60
    X = (rng.random((n, d)) < 0.2) * rng.normal(1, 0.5, (n, d))
    y = np.argmax(X @ rng.normal(size=(d, L)), axis=1).astype(np.int32)
    blocks, ones = (block_of(X),), np.hstack([np.ones((n, 1)), X])
    options = {"logistic": {"by": "dual", "lam": 0.01}}.get(name, {})

    def learn(weight):
        learning = Learning(LEARNERS[name], options, Labels(L), (d,))
        examples = Examples(blocks, y, np.arange(n + 1), weight)
        theta = ones @ learning.run(examples, tol=1e-7).weights[0][:, :L]
        return learning, examples, theta

    learning, examples, theta = learn(None)
    fold = np.arange(n) % 4
    before = [array.tobytes() for array in learning.state()[0].values()]
    found = learning.held_out(examples, fold, tol=1e-6)
    assert before == [array.tobytes() for array in learning.state()[0].values()]
    for k in range(4):
        out = fold == k
        np.testing.assert_allclose(found[out], learn((~out).astype(np.float32))[2][out], atol=0.01)
        assert np.abs(found - theta)[out].mean() > 0.1


def test_scores_of_folds_are_those_of_the_others_where_steps_go_along_lines(block_of):
    """Ratings with the hinge of whole outputs, whose dual is gone up by lines (core/loops/frank_wolfe.pyx)."""
    rng = np.random.default_rng(0)
    n, d = 24, 12
    X = (rng.random((n, d)) < 0.4) * rng.normal(1, 0.5, (n, d))
    y = np.digitize(X @ rng.normal(size=d), [-0.5, 0, 0.5]).astype(np.int32)
    blocks, ones = (block_of(X),), np.hstack([np.ones((n, 1)), X])

    def learn(weight):
        learning = Learning(LEARNERS["svm"], {"loss": "multiclass-hinge", "C": 0.3}, Ordinal(4, own=True), (d,))
        examples = Examples(blocks, y, np.arange(n + 1), weight)
        return learning, examples, ones @ learning.run(examples, epochs=3000, tol=1e-4).weights[0][:, :3]

    learning, examples, _ = learn(None)
    fold = np.arange(n) % 3
    found = learning.held_out(examples, fold, tol=1e-3)
    for k in range(3):
        out = fold == k
        np.testing.assert_allclose(found[out], learn((~out).astype(np.float32))[2][out], atol=0.1)


@pytest.mark.parametrize("name", ["svm", "nb-svm"])
def test_examples_of_no_fold_are_never_held_out(name, block_of):
    rng = np.random.default_rng(0)
    X = (rng.random((40, 60)) < 0.2) * rng.normal(1, 0.5, (40, 60))
    y = np.argmax(X @ rng.normal(size=(60, L)), axis=1).astype(np.int32)
    learning = Learning(LEARNERS[name], {}, Labels(L), (60,))
    examples = Examples((block_of(X),), y, np.arange(41))
    learning.run(examples, tol=1e-7)
    fold = np.arange(40) % 4
    some = learning.held_out(examples, np.where(fold == 2, 2, -1), tol=1e-6)
    assert len(some) == np.sum(fold == 2)
    np.testing.assert_allclose(some, learning.held_out(examples, fold, tol=1e-6)[fold == 2], atol=1e-5)


def test_learners_that_forget_have_no_such_scores(labelled):
    learning = Learning(LEARNERS["mira"], {}, Labels(L), (D,))
    learning.run(labelled[2], epochs=1)
    assert learning.held_out(labelled[2], np.arange(N) % 4) is None
