"""Boosting: AdaBoost.MH and coordinates written out in numpy, the bound, and what is refused."""

import itertools

import numpy as np
import pytest

from linnet.core.blocks import Block
from linnet.errors import UsageError
from linnet.features import SparseRows
from linnet.learners import LEARNERS, Examples, Learning
from linnet.learners.examples import accuracy
from linnet.learners.theory import in_words
from linnet.structures.chain import Chain
from linnet.structures.compression import Compression
from linnet.structures.labels import Labels


def rows_of(X):
    rows, columns = np.nonzero(X)
    indptr = np.searchsorted(rows, np.arange(len(X) + 1)).astype(np.int64)
    return SparseRows(indptr, columns.astype(np.uint32), X[rows, columns].astype(np.float32))


def data(n_labels=3, n=80, n_features=10, seed=0, values=None):
    """Presences with a label that follows from them, most of the time; or the same with other values."""
    rng = np.random.default_rng(seed)
    X = (rng.random((n, n_features)) < 0.3).astype(float)
    y = np.argmax(X @ rng.normal(size=(n_features, n_labels)) + rng.normal(0, 0.3, (n, n_labels)), axis=1)
    return X if values is None else X * values(rng, X.shape), y.astype(np.int32)


def boosted(X, y, n_labels, rounds, **options):
    learning = Learning(LEARNERS["boosting"], {"smooth": 1, **options}, Labels(n_labels), (X.shape[1],))
    return learning.run(Examples.labelled(rows_of(X), y), epochs=rounds, tol=0)


def adaboost_mh(X, y, n_labels, rounds):
    """Schapire and Singer 2000, BoosTexter: real AdaBoost.MH over terms; returns f(x, l) and Z of each round."""
    n = len(X)
    Y = np.where(np.arange(n_labels) == y[:, None], 1, -1)
    D, f, Zs = np.full(Y.shape, 1 / Y.size), np.zeros(Y.shape), []
    for _ in range(rounds):
        best = None
        for j in range(X.shape[1]):
            h, Z = np.zeros(Y.shape), 0
            for there in (X[:, j] != 0, X[:, j] == 0):
                W = [(D * (b == Y) * there[:, None]).sum(axis=0) for b in (1, -1)]
                h += there[:, None] * np.log((W[0] + 1 / (n * n_labels)) / (W[1] + 1 / (n * n_labels))) / 2
            Z = (D * np.exp(-Y * h)).sum()
            if best is None or best[0] - 1e-9 > Z:
                best = (Z, h)
        Z, h = best
        f, D = f + h, D * np.exp(-Y * h) / Z
        Zs.append(Z)
    return f, Zs


@pytest.mark.parametrize("n_labels", [2, 3, 5])
def test_stumps_are_adaboost_mh(n_labels):
    X, y = data(n_labels)
    fit = boosted(X, y, n_labels, 12, by="stumps")
    f, Zs = adaboost_mh(X, y, n_labels, 12)
    theta = fit.weights[0][0] + X @ fit.weights[0][1:]
    np.testing.assert_allclose(theta[:, :n_labels], f, rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose([epoch.loss for epoch in fit.history], [1, *np.cumprod(Zs)[:-1]], rtol=1e-4)


def test_stumps_by_hand():
    # Four examples, one feature, which two of the three +1 and the -1 do not have ... D = 1/8 each. With it (two examples, both
    # label 1): up 2/8, down 0 for label 1; without it one of each: 1/8 and 1/8, no vote. e = 1/8: 1/2 ln((2/8 + 1/8) / (1/8)).
    X, y = np.array([[1.0], [1.0], [0.0], [0.0]]), np.array([1, 1, 1, 0], np.int32)
    w = boosted(X, y, 2, 1, by="stumps").weights[0]
    assert w == pytest.approx(np.array([[0, 0], [-1, 1]]) * np.log(3) / 2, abs=1e-6)


def test_a_stump_on_a_constant_value_is_one_on_its_presence():
    X, y = data(3)
    scale = np.linspace(0.5, 4, X.shape[1])
    plain, scaled = (boosted(Z, y, 3, 10, by="stumps").weights[0] for Z in (X, X * scale))
    np.testing.assert_allclose(scaled[1:] * scale[:, None], plain[1:], rtol=1e-4, atol=1e-6)


def differences(X, y, n_labels):
    """f(x_i, y) - f(x_i, y_i) of each y != y_i: a row for each, (features + bias) x labels columns."""
    f = np.insert(X, 0, 1, axis=1)
    eye = np.eye(n_labels)
    return np.array(
        [
            np.outer(x, eye[z] - eye[gold]).ravel()
            for x, gold in zip(f, y, strict=True)
            for z in range(n_labels)
            if z != gold
        ]
    )


def exp_loss(w, M):
    return np.exp(M @ w).sum()


@pytest.mark.parametrize("values", [None, lambda rng, shape: rng.normal(size=shape)])
@pytest.mark.parametrize("by", ["coordinate", "parallel"])
def test_coordinates_are_those_of_the_exponential_loss(by, values):
    X, y = data(3, values=values)
    rounds, n = 6, len(X)
    M = differences(X, y, 3)
    R = np.repeat(np.abs(np.insert(X, 0, 1, axis=1)).max(axis=0), 3)
    widest = 2 * (1 + np.abs(X).sum(axis=1)).max()
    w = np.zeros(M.shape[1])
    losses = []
    for _ in range(rounds):
        q = np.exp(M @ w)
        losses.append(q.sum() / n)
        up, down = (np.maximum(sign * M, 0).T @ q for sign in (-1, 1))
        d = np.log((up + q.sum() / (3 * n) * R) / (down + q.sum() / (3 * n) * R)) / 2
        if by == "parallel":
            w = w + d / widest
        else:
            lowered = (up * (1 - np.exp(-d)) + down * (1 - np.exp(d))) / R
            j = int(np.argmax(lowered))
            assert exp_loss(w, M) - lowered[j] >= exp_loss(w + np.eye(len(w))[j] * d[j] / R[j], M) - 1e-9
            w[j] += d[j] / R[j]
        if by == "parallel" and len(losses) == 1:
            first = w.copy()
    fit = boosted(X, y, 3, rounds if by == "coordinate" else 1, by=by)
    expected = w if by == "coordinate" else first
    np.testing.assert_allclose(fit.weights[0][:, :3].ravel(), expected, rtol=1e-3, atol=1e-5)
    np.testing.assert_allclose([epoch.loss for epoch in fit.history], losses[: len(fit.history)], rtol=1e-4)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("by", ["stumps", "coordinate", "parallel"])
def test_the_loss_falls_and_bounds_the_training_error(by, seed):
    X, y = data(3, seed=seed)
    examples = Examples.labelled(rows_of(X), y)
    learning = Learning(LEARNERS["boosting"], {"by": by, "smooth": 1}, Labels(3), (X.shape[1],))
    errors, fit = [], None
    for rounds in range(1, 25):
        fit = learning.run(examples, epochs=rounds, tol=0, fit=fit)
        theta = fit.weights[0][0, :3] + X @ fit.weights[0][1:, :3]
        wrong = (theta > 0) != (np.arange(3) == y[:, None]) if by == "stumps" else np.argmax(theta, axis=1) != y
        errors.append(wrong.mean())
    losses = [epoch.loss for epoch in fit.history]
    assert all(b <= a for a, b in itertools.pairwise(losses))
    assert all(error <= loss for error, loss in zip(errors, losses[1:], strict=False))
    assert losses[-1] < losses[0] / 1.3


def test_parallel_steps_end_when_they_no_longer_lower_the_bound_on_the_error():
    """One example with one feature: its loss is 1, up is 1 for the right label and down for the other, of bias and feature.
    M = 4, e = 1/2, s = sqrt(3), so that each of four weights lowers it by (1 - 1 / s) / 4. Ten such rounds count."""
    fit = boosted(np.ones((1, 1)), np.zeros(1, np.int32), 2, 1, by="parallel")
    assert fit.history[0].gap == pytest.approx(10 * (1 - 3**-0.5))
    X, y = data(3)
    learning = Learning(LEARNERS["boosting"], {}, Labels(3), (X.shape[1],))
    gaps = [epoch.gap for epoch in learning.run(Examples.labelled(rows_of(X), y)).history]
    assert gaps[-1] <= 1e-3 < min(gaps[:-1])


def sentences(n=40, seed=0):
    rng = np.random.default_rng(seed)
    at = np.concatenate([[0], np.cumsum(rng.integers(1, 6, n))])
    words = rng.integers(0, 4, at[-1])
    y = np.where(rng.random(at[-1]) < 0.2, rng.integers(0, 2, at[-1]), words % 2).astype(np.int32)
    tokens = Block(np.arange(at[-1] + 1), words.astype(np.uint32), np.ones(at[-1], np.float32), at)
    return tokens, y, at


def chain():
    tokens, y, at = sentences()
    trans = Block(np.zeros(len(at), np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32))
    return Chain(2), Examples((tokens, trans), y, at)


def compression():
    tokens, y, at = sentences()
    gen = Compression(2)
    places = np.concatenate([[0], np.cumsum([len(gen.pairs(T)[0]) for T in np.diff(at)])])
    pairs = Block(np.zeros(places[-1] + 1, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32), places)
    return gen, Examples((tokens, pairs), y, at)


@pytest.mark.parametrize("structure", [chain, compression])
@pytest.mark.parametrize("by", ["coordinate", "parallel"])
def test_over_sentences_no_round_is_worse_than_its_bound(structure, by):
    gen, examples = structure()
    learning = Learning(LEARNERS["boosting"], {"by": by, "smooth": 1}, gen, (4, 0))
    fit, bound = None, np.inf
    for rounds in range(1, 15):
        fit = learning.run(examples, epochs=rounds, tol=0, fit=fit)
        numbers = learning.online.state()[1]
        assert numbers["total"] <= bound * (1 + 1e-6) or numbers["updates"] == 0
        bound = numbers["bound"] if numbers["longer"] == 1 else np.inf
        y_hat_wrong = 1 - accuracy(gen, fit.weights, examples)
        assert y_hat_wrong <= fit.history[-1].loss
    assert fit.history[-1].loss < fit.history[0].loss / 2


def test_stumps_of_questions_over_sentences_by_hand():
    """One sentence, tags 0 1, words 0 1: four questions about tags and four about pairs, each 1/8 of a loss of 1. The
    first stump asks for word 0: with it tag 0 and not 1, without it tag 1 and not 0, each with the same vote."""
    words = Block(np.arange(3), np.arange(2, dtype=np.uint32), np.ones(2, np.float32), np.array([0, 2]))
    pairs = Block(np.zeros(2, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32))
    examples = Examples((words, pairs), np.array([0, 1], np.int32), np.array([0, 2]))
    learning = Learning(LEARNERS["boosting"], {"by": "stumps", "smooth": 1}, Chain(2), (2, 0))
    first = learning.run(examples, epochs=1, tol=0)
    assert [epoch.loss for epoch in first.history] == [1]
    vote = np.log((1 / 8 + 1 / 2) / (1 / 2)) / 2
    np.testing.assert_allclose(first.weights[0], [[-vote, vote], [2 * vote, -2 * vote], [0, 0]], rtol=1e-5)
    assert not first.weights[1].any()


def test_stumps_over_values_that_differ_are_refused():
    X, y = data(2)
    X[np.flatnonzero(X[:, 0])[0], 0] = 2
    with pytest.raises(UsageError) as caught:
        boosted(X, y, 2, 3, by="stumps")
    assert str(caught.value) == (
        "boosting by=stumps asks whether a feature is there, so that its value must be the same wherever it is; found 2 "
        "and 1. Use the features with 'presence' and no norm, or by=parallel."
    )


def test_what_is_learned_without_a_mistake_has_an_end():
    # Two examples that one feature tells apart: the loss falls to nothing, and nothing overflows.
    X, y = np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([0, 1], np.int32)
    for by in ("stumps", "coordinate", "parallel"):
        fit = boosted(X, y, 2, 200, by=by)
        assert np.isfinite(fit.weights[0]).all()
        assert fit.history[-1].loss < 1e-3


@pytest.mark.parametrize(
    ("name", "options"),
    [("boosting", {}), ("boosting", {"by": "coordinate"}), ("logistic", {"loss": "exp", "eta": 0.01})],
)
def test_the_exponential_loss_is_shown_beside_the_ranking_loss_that_it_bounds(noisy_labels, name, options):
    X, y, examples = noisy_labels(120, 8, 4, 0.5)
    learning = Learning(LEARNERS[name], options, Labels(4), (8,), examples.length2())
    fit = learning.run(examples, epochs=30, measure=True)
    theta = X @ fit.weights[0][:, :4].astype(float)
    right = theta[np.arange(120), y][:, None]
    ahead, exp = (theta >= right).sum(axis=1) - 1, np.exp(theta - right).sum(axis=1) - 1
    assert fit.theory.ranking_loss == pytest.approx(ahead.mean())
    assert fit.theory.exp_loss == pytest.approx(exp.mean(), rel=1e-4)
    assert np.mean(theta.argmax(axis=1) != y) <= fit.theory.ranking_loss <= fit.theory.exp_loss
    said = f"exponential loss {fit.theory.exp_loss:.3g}, which bounds the ranking loss {fit.theory.ranking_loss:.3g}"
    assert said in in_words(fit.report()["theory"])


def test_stumps_and_other_losses_have_no_ranking_loss(noisy_labels):
    """The loss of stumps is of signs, each label by itself: it bounds the share of wrong signs, not the labels ahead."""
    _, _, examples = noisy_labels(60, 8, 3, 0.5)
    indptr, indices = examples.blocks[0].arrays()[:2]
    shown = Examples((Block(indptr, indices, np.ones(len(indices), np.float32)),), examples.y, examples.y_at)
    for name, options in (("boosting", {"by": "stumps"}), ("logistic", {})):
        fit = Learning(LEARNERS[name], options, Labels(3), (8,)).run(shown, epochs=5, measure=True)
        assert (fit.theory.ranking_loss, fit.theory.exp_loss) == (None, None)
