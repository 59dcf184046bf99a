"""Learning without the constant feature f_0 = 1: a column of ones takes its place, and without one nothing does."""

import numpy as np
import pytest

import linnet
from linnet.core.blocks import Block
from linnet.errors import UsageError
from linnet.learners import LEARNERS, Examples, Learning
from linnet.structures.chain import Chain
from linnet.structures.labels import Labels

N, D, L = 80, 6, 3
WITH_BIAS = [name for name in LEARNERS if "bias" in LEARNERS[name].options]
OTHERS = [
    ("logistic", {"step": "adagrad"}),
    ("logistic", {"by": "lbfgs"}),
    ("logistic", {"by": "dual", "lam": 0.01}),
    ("mira", {"k": 3}),
    ("boosting", {"by": "coordinate"}),
    ("svm", {"loss": "multiclass-hinge"}),
]


@pytest.fixture(scope="module")
def points():
    """Points that are not separable, so that every learner has steps to take, and their labels."""
    rng = np.random.default_rng(3)
    X = ((rng.random((N, D)) < 0.6) * rng.normal(size=(N, D))).astype(np.float32)
    return X, np.argmax(X @ rng.normal(size=(D, L)) + rng.gumbel(size=(N, L)), axis=1).astype(np.int32)


def learned(block, y, name, **options):
    examples = Examples((block,), y, np.arange(len(y) + 1))
    learning = Learning(LEARNERS[name], options, Labels(L), (block.largest + 1,), examples.length2())
    return learning.run(examples, epochs=5, tol=0, measure=True)


def test_every_learner_but_those_that_count_and_the_network_has_the_option():
    assert set(LEARNERS) - set(WITH_BIAS) == {"naive-bayes", "parzen", "neighbours", "feedforward"}


@pytest.mark.parametrize(("name", "options"), [*((name, {}) for name in WITH_BIAS), *OTHERS])
def test_row_0_stays_0(points, block_of, name, options):
    X, y = points
    X = X.copy()
    X[7] = 0  # it has no feature at all
    first = learned(block_of(X), y, name, bias="no", **options)
    for w in first.weights:
        if w.ndim == 2:
            assert not w[0].any()
            assert w[1:].any()
    assert all(np.isfinite(epoch.loss) for epoch in first.history)


@pytest.mark.parametrize(
    ("name", "options"),
    [*((name, {}) for name in WITH_BIAS if LEARNERS[name].linear and name != "nb-svm"), *OTHERS],
)
def test_a_column_of_ones_is_the_bias_bit_for_bit(points, block_of, name, options):
    X, y = points
    usual = learned(block_of(X), y, name, **options)
    ones = learned(block_of(np.column_stack([np.ones(N), X])), y, name, bias="no", **options)
    np.testing.assert_array_equal(ones.weights[0][1:], usual.weights[0])
    assert [epoch.loss for epoch in ones.history] == [epoch.loss for epoch in usual.history]
    assert ones.theory.radius == usual.theory.radius


@pytest.mark.parametrize("name", ["kernel-perceptron", "kernel-svm", "voted-perceptron"])
def test_the_linear_kernel_and_the_votes_have_no_bias_either(points, block_of, name):
    X, y = points
    options = {"kernel": "linear"} if "kernel" in LEARNERS[name].options else {}
    of_ones = Labels(L), (D + 1,)
    usual, ones = block_of(X), block_of(np.column_stack([np.ones(N), X]))
    with_bias = Learning(LEARNERS[name], options, Labels(L), (D,))
    without = Learning(LEARNERS[name], {**options, "bias": "no"}, *of_ones)
    scores = []
    for learning, block in ((with_bias, usual), (without, ones)):
        fit = learning.run(Examples((block,), y, np.arange(N + 1)), epochs=5, tol=0)
        scores.append(linnet.core.predictor.Predictor(learning.gen, learning.scorer(fit.weights)).scores((block,))[0])
    np.testing.assert_allclose(*scores, rtol=1e-3, atol=1e-4)


def test_pairs_of_tags_keep_their_weights(points, block_of):
    X, y = points
    at = np.arange(0, N + 1, 4)
    rows = block_of(X).arrays()[:3]
    nothing = Block(np.zeros(len(at), np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32))
    examples = Examples((Block(*rows, at), nothing), y, at)
    learning = Learning(LEARNERS["crf"], {"bias": "no"}, Chain(L), (D, 0), examples.length2())
    tokens, pairs = learning.run(examples, epochs=3).weights
    assert not tokens[0].any()
    assert pairs[0].any()


def test_the_radius_is_that_of_the_features_alone(block_of):
    # R^2 = 2 ||x||^2 = 2 (9 + 16).
    fit = learned(block_of([[3, 4], [0, 1], [1, 0]]), np.array([0, 1, 2], np.int32), "perceptron", bias="no")
    assert fit.theory.radius == pytest.approx(np.sqrt(50))


def test_steps_are_as_long_as_features_without_a_bias_allow(block_of):
    # The median of ||x||^2 is 4, and 5 with the bias: eta = auto is its inverse.
    examples = Examples.labelled(block_of([[2.0], [2.0]]).arrays()[:3], np.array([0, 1], np.int32))
    eta = [
        Learning(LEARNERS["logistic"], {"bias": word}, Labels(2), (1,), examples.length2()).options["eta"]
        for word in ("yes", "no")
    ]
    assert eta == [1 / 5, 1 / 4]


def test_python_may_say_false(points, block_of):
    X, y = points
    assert not learned(block_of(X), y, "perceptron", bias=False).weights[0][0].any()
    with pytest.raises(UsageError, match=r"expected bias to be yes or no, found 'maybe'"):
        learned(block_of(X), y, "perceptron", bias="maybe")


def test_stumps_need_their_bias(points, block_of):
    X, y = points
    with pytest.raises(UsageError, match="a stump votes where its feature is absent, too, by the bias"):
        learned(block_of((X > 0).astype(float)), y, "boosting", by="stumps", bias="no")


def test_naive_bayes_has_a_prior_instead():
    with pytest.raises(UsageError, match="learner 'naive-bayes' has no option 'bias'"):
        linnet.train(["a", "b"], ["x", "y"], learner="naive-bayes", options={"bias": "no"})
