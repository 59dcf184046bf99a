"""Sets and rankings of labels: each label against a machine of its own, and the updates of rankings written out in NumPy."""

import numpy as np
import pytest

from linnet.core.loops.used_outcomes import used
from linnet.core.predictor import Predictor
from linnet.core.sparse import strength
from linnet.learners import LEARNERS, Examples, Learning
from linnet.learners.examples import accuracy
from linnet.structures.hierarchy import Hierarchy
from linnet.structures.labels import Labels
from linnet.structures.labelset import Labelset, WholeSet
from linnet.structures.ordinal import Ordinal
from linnet.structures.ranking import Ranking

N, D, L = 60, 40, 5


@pytest.fixture(scope="module")
def data(block_of):
    """Rows, which labels each has (the last one nobody), and both as examples; some have none."""
    rng = np.random.default_rng(0)
    X = ((rng.random((N, D)) < 0.3) * rng.normal(1, 0.5, (N, D))).astype(np.float32)
    Y = X @ rng.normal(size=(D, L)) + rng.normal(size=(N, L)) > [0.5, 1, 2, 3, 1e9]
    assert (~Y.any(axis=1)).any()
    return X, Y, Examples((block_of(X),), *sets(Y))


def sets(Y):
    rows = [np.flatnonzero(row) for row in Y]
    y = np.concatenate([[len(row), *row] for row in rows]).astype(np.int32)
    return y, np.concatenate([[0], np.cumsum([1 + len(row) for row in rows])])


def learned(gen, examples, name, tol=1e-6, epochs=None, **options):
    learning = Learning(LEARNERS[name], options, gen, (D,), examples.length2())
    return learning.run(examples, tol=tol, epochs=epochs)


@pytest.mark.parametrize("loss", ["squared-hinge", "hinge"])
def test_each_label_of_a_set_is_a_machine_of_its_own(data, loss):
    """Of two labels, yes and no, the machine of yes is the same."""
    X, Y, examples = data
    W = learned(Labelset(L), examples, "svm", loss=loss).weights[0]
    for k in range(L):
        alone = Examples.labelled(examples.blocks[0].arrays()[:3], Y[:, k].astype(np.int32))
        w = learned(Labels(2), alone, "svm", loss=loss).weights[0][:, 1]
        np.testing.assert_allclose(W[:, k], w, atol=5e-3)
    assert (X @ W[1:, L - 1] + W[0, L - 1] < 0).all()


@pytest.mark.parametrize("loss", ["auto", "hinge"])
@pytest.mark.parametrize("gen", [Hierarchy([-1, 0, 0, -1, 3, 3, -1]), Ordinal(5, own=True)], ids=lambda gen: gen.name)
def test_each_node_of_a_tree_and_each_threshold_is_a_machine_of_its_own(data, gen, loss):
    X = data[0]
    y = (X[:, :5].argmax(axis=1)).astype(np.int32)
    examples = Examples(data[2].blocks, y, np.arange(N + 1))
    mu = gen.paths.T[y] if gen.name == "hierarchy" else (y[:, None] > np.arange(4)).astype(int)
    assert np.array_equal(np.stack(used(gen, examples.blocks, y, examples.y_at)[0]), np.nonzero(mu))
    W = learned(gen, examples, "svm", loss=loss).weights[0]
    for k in range(mu.shape[1]):
        alone = Examples.labelled(examples.blocks[0].arrays()[:3], mu[:, k].astype(np.int32))
        w = learned(Labels(2), alone, "svm", loss=loss).weights[0][:, 1]
        np.testing.assert_allclose(W[:, k], w, atol=5e-3)


def test_the_machine_of_whole_sets_is_at_its_optimum(data):
    """1/2 ||w||^2 + C sum_i max(0, 1 + the score of the best other set - that of the gold one), all sets written out."""
    X, Y, examples = data
    X1, sets_of = np.hstack([np.ones((N, 1)), X]), (np.arange(2**L)[:, None] >> np.arange(L)) & 1

    def primal(W):
        theta = X1 @ W
        wrong = (sets_of[None] != Y[:, None]).any(axis=2)
        augmented = theta @ sets_of.T + wrong
        return (W**2).sum() / 2 + 0.5 * (augmented.max(axis=1) - (theta * Y).sum(axis=1)).sum()

    fit = learned(WholeSet(L), examples, "svm", C=0.5, epochs=2000, tol=1e-4)
    W = fit.weights[0][:, :L].astype(float)
    gap = fit.history[-1].gap
    assert gap < 5e-3
    rng = np.random.default_rng(0)
    for size in (1e-3, 1e-2, 1e-1):
        for _ in range(20):
            assert (1 - gap) * primal(W) <= primal(W + rng.normal(0, size, W.shape))
    assert primal(W) < 0.9 * primal(learned(Labelset(L), examples, "svm", C=0.5, loss="hinge").weights[0][:, :L])


def test_the_hinge_of_whole_sets_is_that_of_single_labels(data):
    found = [learned(Labelset(L), data[2], "svm", loss=loss).weights[0] for loss in ("hinge", "multiclass-hinge")]
    assert np.array_equal(*found)


def test_logistic_regression_has_one_optimum(data):
    """In the dual, and by L-BFGS."""
    dual, lbfgs = (
        learned(Labelset(L), data[2], "logistic", by=by, lam=0.01, tol=1e-5).weights[0] for by in ("dual", "lbfgs")
    )
    np.testing.assert_allclose(dual, lbfgs, atol=5e-3)


def test_the_exponential_loss_has_one_optimum(data):
    """In the dual, by planes below it, and by L-BFGS."""
    dual, lbfgs = (
        learned(Labelset(L), data[2], "logistic", loss="exp", by=by, lam=0.05, tol=1e-5, epochs=2000).weights[0]
        for by in ("dual", "lbfgs")
    )
    np.testing.assert_allclose(dual, lbfgs, atol=0.02)


def test_factors_of_sets(data):
    """f_j = sum_k P(k | j) |r_jk|, with each label of a row counted and rows without weight not."""
    X, Y, examples = data
    weight = (np.arange(N) % 3 > 0).astype(np.float32)
    has, Y = (X > 0)[weight > 0], Y[weight > 0]
    above, below = np.zeros(D), np.zeros(D)
    for k in range(L):
        df, rest = has[Y[:, k]].sum(axis=0), has[~Y[:, k]].sum(axis=0)
        r = np.log((1 + df) / (1 + df).sum()) - np.log((1 + rest) / (1 + rest).sum())
        above += (df + Y[:, k].mean()) * np.abs(r)
        below += df + Y[:, k].mean()
    rows, labels = np.nonzero(data[1])
    found = strength(examples.blocks[0], rows, labels, L, D, weight)
    np.testing.assert_allclose(found, above / below, rtol=1e-12)


def test_nb_svm_of_sets_is_a_machine_over_scaled_features(data, block_of):
    X, _, examples = data
    rows, labels = np.nonzero(data[1])
    f = strength(examples.blocks[0], rows, labels, L, D) ** 0.5
    f *= np.sqrt((X**2).sum() / ((X * f) ** 2).sum())
    v = learned(Labelset(L), Examples((block_of(X * f),), examples.y, examples.y_at), "svm").weights[0]
    w = learned(Labelset(L), examples, "nb-svm").weights[0]
    np.testing.assert_allclose(w[1:], f[:, None] * v[1:], atol=2e-3)


def test_boosting_of_sets_is_adaboost_mh(data, block_of):
    """One round of stumps, written out: the best feature, and 1/2 ln(up / down) with and without it."""
    X, Y, _ = data
    X = (X != 0).astype(np.float32)
    examples = Examples((block_of(X),), *sets(Y))
    W = learned(Labelset(L), examples, "boosting", by="stumps", smooth=1, epochs=1, tol=0).weights[0][:, :L]
    best = None
    for j in range(D):
        votes, Z = [], 0
        for there in (X[:, j] == 0, X[:, j] != 0):
            up, down = (Y & there[:, None]).mean(axis=0) / L, (~Y & there[:, None]).mean(axis=0) / L
            e = 1 / (N * L)
            vote = np.log((up + e) / (down + e)) / 2
            votes.append(vote)
            Z += (up * np.exp(-vote) + down * np.exp(vote)).sum()
        if best is None or best[0] - 1e-9 > Z:
            best = Z, j, votes
    _, j, (absent, present) = best
    np.testing.assert_allclose(W[0], absent, rtol=1e-4)
    np.testing.assert_allclose(W[1 + j], present - absent, rtol=1e-4)
    assert not np.delete(W[1:], j, axis=0).any()


def test_the_perceptron_of_rankings_is_mmp(data):
    """Crammer and Singer 2003: each pair in the wrong order moves its labels by 1 / (number of such pairs)."""
    X, Y, examples = data
    W = np.zeros((D + 1, L))
    for x, relevant in zip(np.hstack([np.ones((N, 1)), X]), Y, strict=True):
        theta = x @ W
        wrong = [(k, o) for k in np.flatnonzero(relevant) for o in np.flatnonzero(~relevant) if theta[k] <= theta[o]]
        for k, other in wrong:
            W[:, k] += x / len(wrong)
            W[:, other] -= x / len(wrong)
    learning = Learning(LEARNERS["perceptron"], {}, Ranking(L), (D,))
    found = learning.run(examples, epochs=1, shuffle=False)
    np.testing.assert_allclose(found.weights[0][:, :L], W, atol=1e-4)
    assert found.history[0].mistakes == found.history[0].updates > 10


def test_mira_closes_the_margins_of_a_ranking(data):
    """One pair: theta_k - theta_l = 1 after a step, as far as C allows."""
    examples = Examples(data[2].blocks, np.tile(np.array([1, 0], np.int32), N), 2 * np.arange(N + 1))
    learning = Learning(LEARNERS["pa"], {}, Ranking(2), (D,))
    learning.online.run(examples.blocks, examples.y, examples.y_at, np.array([7]))
    w = learning.weights()[0]
    assert np.diff(np.append(1, data[0][7]) @ w) == pytest.approx(-1, rel=1e-5)


@pytest.mark.parametrize("gen", [Labelset(1), Ranking(1)], ids=["labelset", "ranking"])
@pytest.mark.parametrize("name", ["averaged-perceptron", "mira", "logistic"])
def test_one_label_only(block_of, gen, name):
    """A set is learned; of a ranking of one there is nothing to learn, and it is right."""
    Y = np.arange(8)[:, None] % 2 == 0
    examples = Examples((block_of(np.hstack([Y, ~Y]).astype(float)),), *sets(Y))
    learning = Learning(LEARNERS[name], {}, gen, (2,))
    fit = learning.run(examples, epochs=10)
    assert accuracy(gen, learning.scorer(fit.weights), examples) == 1
    assert np.any(fit.weights[0]) == (gen.name == "labelset")


def of_pairs(theta, Y, power=1):
    """1/|y| sum over k in y and l not in y of max(0, 1 - theta_k + theta_l), or of its square; 0 where y is empty."""
    total = 0.0
    for scores, y in zip(theta, Y, strict=True):
        if y.any():
            total += (np.maximum(0, 1 - scores[y][:, None] + scores[~y]) ** power).sum() / y.sum()
    return total


@pytest.mark.parametrize("loss", ["auto", "squared-hinge"])
@pytest.mark.parametrize("name", ["svm", "kernel-svm"])
def test_the_machine_over_pairs_is_at_its_optimum(data, name, loss):
    """No step from there, neither a long one nor a short one, and not towards what Pegasos finds, makes it better."""
    X, Y, examples = data
    C, linear = 0.1, {"kernel": "linear"} if name == "kernel-svm" else {}
    learning = Learning(LEARNERS[name], {"loss": loss, "C": C, **linear}, Ranking(L), (D,), examples.length2())
    fit = learning.run(examples, tol=1e-3, epochs=2000)
    assert fit.history[-1].gap <= 1e-3
    ones = np.hstack([np.ones((N, 1)), X])
    W = fit.weights[0]
    if name == "kernel-svm":
        W = np.linalg.lstsq(ones, Predictor(Ranking(L), learning.scorer(fit.weights)).scores(examples.blocks)[0])[0]

    def primal(W):
        return (W**2).sum() / 2 + C * of_pairs(ones @ W, Y, 1 + (loss == "squared-hinge"))

    best = primal(W[:, :L].astype(float))
    rng = np.random.default_rng(0)
    other = learned(Ranking(L), examples, "pegasos", epochs=200, lam=1 / (C * N)).weights[0][:, :L]
    for step in (other - W[:, :L], *rng.normal(size=(20, D + 1, L))):
        for length in (1, 0.1, 0.01, 1e-3):
            assert best <= primal(W[:, :L] + length * step) * (1 + 1e-3)
    if loss == "auto":
        assert primal(other) <= 1.05 * best


def test_half_of_the_votes_decide(data):
    """The voted perceptron gives a label that more than half of its vectors give."""
    X, _, examples = data
    learning = Learning(LEARNERS["voted-perceptron"], {"votes": 5}, Labelset(L), (D,))
    weights = learning.run(examples, epochs=3, tol=0).weights
    c, vectors = weights[0], weights[1:]
    votes = sum(c_k * (np.hstack([np.ones((N, 1)), X]) @ w[:, :L] > 0) for c_k, w in zip(c, vectors, strict=True))
    y, y_at = Predictor(Labelset(L), learning.scorer(weights)).argmax(examples.blocks)
    wanted = sets(votes > c.sum() / 2)
    assert y.tolist() == wanted[0].tolist()
    assert y_at.tolist() == wanted[1].tolist()
