"""What theory says, on data whose margin and radius are known by hand, and by enumeration of GEN(x)."""

import itertools
import math

import numpy as np
import pytest

from linnet.core.blocks import Block
from linnet.core.loops.margins import Margins
from linnet.learners import LEARNERS, Examples, Learning
from linnet.learners.theory import error_bound, in_words, theory
from linnet.structures.chain import Chain
from linnet.structures.labels import Labels
from linnet.structures.ranking import Ranking

Z = (np.zeros(0, np.uint32), np.zeros(0, np.float32))


def labelled(block_of, X, y):
    return Examples((block_of(X),), np.asarray(y, np.int32), np.arange(len(y) + 1))


def run(examples, name="perceptron", n_labels=2, **settings):
    n = examples.blocks[0].largest + 1
    learning = Learning(LEARNERS[name], settings.pop("options", {}), Labels(n_labels), (n,), examples.length2())
    return learning.run(examples, measure=True, **settings)


@pytest.fixture(scope="module")
def separable(block_of):
    """Labels by the sign of u.x with a gap around it."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 5))
    u = rng.normal(size=5)
    keep = np.abs(X @ u) > 0.3
    return labelled(block_of, X[keep], (X[keep] @ u > 0).astype(int))


def test_margin_and_radius_by_hand(block_of, padded):
    # w = (0, 0; 3, -3; -4, 4), ||w|| = sqrt(50). x = (1, 0) is a 0: 3 - -3 = 6. x = (1, 2) is a 1: 5 - -5 = 10.
    # R^2 = 2 (1 + 1 + 4) = 12, the bias counted.
    examples = labelled(block_of, [[1, 0], [1, 2]], [0, 1])
    margins = Margins(Labels(2), [padded([[0, 0], [3, -3], [-4, 4]])])
    margins.run(examples.blocks, examples.y, examples.y_at, 0, 2)
    assert margins.margin == 6
    assert margins.radius2 == 12


def test_the_perceptron_by_hand(block_of):
    # x = 2 is a 1, x = -2 a 0, no shuffling. First: tied at 0, wrong: w_1 = (1; 2) = -w_0. Second: w_1.x = 1 - 4 < 0, right.
    # The next pass has no mistake. Margins 2 (1 + 4) = 10 and 2 (4 - 1) = 6, ||w|| = sqrt(10), R^2 = 2 (1 + 4) = 10.
    fit = run(labelled(block_of, [[2], [-2]], [1, 0]), shuffle=False)
    assert [epoch.mistakes for epoch in fit.history] == [1, 0]
    found = fit.theory
    assert found.mistakes == 1
    assert found.norm == pytest.approx(math.sqrt(10))
    assert found.radius == pytest.approx(math.sqrt(10))
    assert found.margin == pytest.approx(6 / math.sqrt(10))
    assert found.mistake_bound == pytest.approx(10 / 3.6)
    assert found.error_bound is None  # in the order of the file
    assert in_words(fit.report()["theory"]) == (
        "separable: margin gamma 1.9, radius R 3.16, (R/gamma)^2 = 2.8 (one vector with a sign: gamma 1.3, R 2.24); 1 mistakes"
    )


def test_data_that_are_not_separable_have_no_margin(block_of):
    # The same row with both labels.
    fit = run(labelled(block_of, [[1], [1], [2]], [0, 1, 1]), epochs=4)
    assert fit.theory.margin == 0
    assert fit.theory.mistake_bound is None
    assert fit.theory.radius == pytest.approx(math.sqrt(10))
    assert in_words(fit.report()["theory"]).startswith("not separated by these weights, radius R 3.16; ")


@pytest.mark.parametrize("name", ["perceptron", "averaged-perceptron", "pa", "mira", "averaged-mira"])
def test_the_mistakes_stay_below_their_bound(separable, name):
    # Novikoff's bound holds with the margin of any weights that have one: with that of the SVM it is about the least.
    svm = run(separable, "svm", options={"C": 1e4}, epochs=200).theory
    fit = run(separable, name, epochs=100, tol=0)
    assert 0 < fit.theory.mistakes <= svm.mistake_bound < 2000
    assert fit.theory.mistakes == sum(epoch.mistakes for epoch in fit.history)


def test_mistakes_are_those_of_predictions_before_the_update(separable):
    # Each example alone, in the order of the file: what is predicted before it is learned from.
    block, y = separable.blocks[0], separable.y
    n = 60
    for name in ("mira", "logistic", "perceptron"):
        learning = Learning(LEARNERS[name], {}, Labels(2), (block.largest + 1,), separable.length2())
        indptr, indices, values, _ = map(np.asarray, block.arrays())
        wrong = 0
        for i in range(n):
            a, b = indptr[i], indptr[i + 1]
            W = learning.weights()[0]
            wrong += int(np.argmax(W[0] + values[a:b] @ W[1 + indices[a:b].astype(int)])) != y[i]
            one = Block(np.array([0, b - a], np.int64), indices[a:b], values[a:b])
            learning.partial(Examples((one,), y[i : i + 1], np.array([0, 1], np.int64)))
        part = Examples((Block(indptr[: n + 1], indices[: indptr[n]], values[: indptr[n]]),), y[:n], np.arange(n + 1))
        fit = Learning(LEARNERS[name], {}, Labels(2), (block.largest + 1,), separable.length2()).run(
            part, epochs=1, shuffle=False
        )
        assert fit.history[0].mistakes == wrong > 0


def test_counting_makes_no_mistakes(separable, block_of):
    assert run(labelled(block_of, [[1, 0], [0, 1]], [0, 1]), "naive-bayes").history[0].mistakes is None


def test_the_error_bound_by_hand():
    # 100 / 1000 + sqrt(2 / 1000 ln 20) = 0.1 + sqrt(0.0059915) = 0.17740
    assert error_bound(100, 1000, 0.05) == pytest.approx(0.1774, abs=1e-4)
    assert error_bound(9, 10) == 1


def test_the_error_bound_holds_for_the_weights_of_the_first_pass(block_of):
    # Labels by u.x, one in ten turned round: the error of each w_t on 4,000 new examples, its mean over the pass.
    rng = np.random.default_rng(1)
    u = rng.normal(size=4)

    def sample(n):
        X = rng.normal(size=(n, 4))
        return X, (X @ u > 0) ^ (rng.random(n) < 0.1)

    (X, y), (X_new, y_new) = sample(500), sample(4000)
    learning = Learning(LEARNERS["perceptron"], {}, Labels(2), (4,))
    errors = []
    for x, label in zip(X, y, strict=True):
        W = learning.weights()[0]
        errors.append(np.mean(np.argmax(W[0] + X_new @ W[1:], axis=1) != y_new))
        learning.partial(labelled(block_of, [x], [label]))
    examples = labelled(block_of, X, y)
    first = run(examples, epochs=1, shuffle=False).history[0].mistakes
    assert first / 500 < np.mean(errors) + 0.1
    assert np.mean(errors) <= error_bound(first, 500)
    shuffled = run(examples, epochs=3)
    assert shuffled.theory.error_bound == error_bound(shuffled.history[0].mistakes, 500)


@pytest.mark.parametrize("options", [{"dropout": 0.3}, {"runs": 2}])
def test_what_was_not_measured_is_not_claimed(separable, options):
    fit = run(separable, options=options, epochs=3)
    assert (fit.theory.error_bound is None) == ("dropout" in options)
    assert fit.theory.mistakes == sum(epoch.mistakes for epoch in fit.history if epoch.run == 1)


def all_outputs(gen, T):
    """GEN(x), and f(x, y) for each: the structures here allow every sequence."""
    return itertools.product(range(gen.outcomes[0]), repeat=T)


def chain_features(X, y, L):
    """Block 0: a row of features x tags; block 1: the bias x pairs of tags."""
    emit, pairs = np.zeros((X.shape[1] + 1, L)), np.zeros(L * L)
    for t, tag in enumerate(y):
        emit[:, tag] += np.concatenate([[1], X[t]])
        if t:
            pairs[y[t - 1] * L + tag] += 1
    return np.concatenate([emit.ravel(), pairs])


def test_chains_against_enumeration():
    rng = np.random.default_rng(0)
    L, T, n = 3, 4, 5
    gen = Chain(L)
    X = rng.integers(-1, 2, (n * T, 2)).astype(np.float32)
    rows, columns = np.nonzero(X)
    indptr = np.searchsorted(rows, np.arange(n * T + 1)).astype(np.int64)
    at = np.arange(0, n * T + 1, T)
    emit = Block(indptr, columns.astype(np.uint32), X[rows, columns], at)
    examples_blocks = (emit, Block(np.zeros(n + 1, np.int64), *Z))
    W, pairs = rng.normal(size=(3, L)).astype(np.float32), rng.normal(size=(1, L * L)).astype(np.float32)
    w = np.concatenate([W.ravel(), pairs.ravel()])
    gold, margins, differences = [], [], []
    for i in range(n):
        x = X[i * T : (i + 1) * T]
        scored = sorted(((w @ chain_features(x, y, L), y) for y in all_outputs(gen, T)), reverse=True)
        gold += scored[0][1]
        margins.append(scored[0][0] - scored[1][0])
        features = [chain_features(x, y, L) for _, y in scored]
        differences.append(max(np.sum((a - b) ** 2) for a, b in itertools.combinations(features, 2)))
    measured = Margins(gen, [np.pad(W, ((0, 0), (0, 1))), np.pad(pairs, ((0, 0), (0, 7)))])
    measured.run(examples_blocks, np.array(gold, np.int32), at, 0, n)
    assert measured.margin == pytest.approx(min(margins), abs=1e-4)
    assert measured.radius2 >= max(differences)
    gold[-1] = (gold[-1] + 1) % L
    measured.run(examples_blocks, np.array(gold, np.int32), at, 0, n)
    assert measured.margin == 0


def test_a_structure_without_k_best_has_no_margin():
    # A ranking, one of two labels before the other: only the mistakes are known.
    gen = Ranking(2)
    block = Block(np.array([0, 1]), np.zeros(1, np.uint32), np.ones(1, np.float32))
    examples = Examples((block,), np.array([1, 0], np.int32), np.array([0, 2]))
    with pytest.raises(ValueError, match="^structure 'ranking' has no k best outputs$"):
        Margins(gen, [np.zeros((2, 2), np.float32)]).run(examples.blocks, examples.y, examples.y_at, 0, 1)
    found = Learning(LEARNERS["perceptron"], {}, gen, (1,)).run(examples, measure=True).theory
    assert (found.radius, found.margin, found.mistake_bound, found.mistakes) == (None, None, None, 1)
    assert in_words(vars(found)) == "1 mistakes"


def test_mistakes_over_chains_are_counted_where_they_cost_nothing():
    # A perceptron decodes anyway; MIRA decodes with the cost, so only its first pass is asked.
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 60).astype(np.int32)
    at = np.arange(0, 61, 3)
    emit = Block(np.arange(61), y.astype(np.uint32), np.ones(60, np.float32), at)
    examples = Examples((emit, Block(np.zeros(21, np.int64), *Z)), y, at)
    for name, counted in (("perceptron", True), ("mira", False), ("logistic", False)):
        fit = Learning(LEARNERS[name], {}, Chain(3), (3, 0)).run(examples, epochs=2, tol=0)
        assert fit.history[0].mistakes > 0
        if len(fit.history) > 1:
            assert (fit.history[1].mistakes is not None) == counted


def test_weights_that_are_not_finite_have_no_theory(block_of):
    examples = labelled(block_of, [[1, 0], [0, 1]], [0, 1])
    weights = [np.full((3, 4), np.inf, np.float32)]
    assert theory(Labels(2), weights, examples, [], online=False) is None


def test_maximum_likelihood_separates_what_no_two_labels_share(block_of):
    # w is (0, -1e6) for one word and (-1e6, 0) for the other: half of the squared length, so gamma is 1 / sqrt(2).
    fit = run(labelled(block_of, [[1, 0], [0, 1]], [0, 1]), "naive-bayes", options={"alpha": 0})
    assert fit.theory is not None
    assert fit.theory.margin == pytest.approx(0.5**0.5, rel=1e-4)
