"""Windows and neighbours against scikit-learn, by hand, and over tags by enumeration."""

import itertools

import numpy as np
import pytest
from sklearn.neighbors import KernelDensity, KNeighborsClassifier

import linnet
from linnet.core.blocks import Block
from linnet.core.predictor import Predictor
from linnet.learners import LEARNERS, Examples, Learning
from linnet.sklearn import LinearClassifier
from linnet.structures.chain import Chain
from linnet.structures.labels import Labels


@pytest.fixture(scope="module")
def points():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 4)).astype(np.float32)
    y = (X[:, :3] + rng.normal(size=(90, 3))).argmax(axis=1).astype(np.int32)
    return X[:60], y[:60], X[60:]


def predictor(name, X, y, block_of, weight=None, **options):
    learning = Learning(LEARNERS[name], options, Labels(int(y.max()) + 1), (X.shape[1],))
    fit = learning.run(Examples((block_of(X),), y, np.arange(len(y) + 1), weight))
    return Predictor(learning.gen, learning.scorer(fit.weights))


@pytest.mark.parametrize("metric", ["euclid", "cosine"])
@pytest.mark.parametrize("k", [1, 5, 20])
def test_neighbours_are_those_of_scikit_learn(points, block_of, metric, k):
    X, y, Z = points
    ours = predictor("neighbours", X, y, block_of, metric=metric, k=k, alpha=0)
    peer = KNeighborsClassifier(k, metric={"euclid": "euclidean"}.get(metric, metric)).fit(X, y)
    np.testing.assert_allclose(ours.marginals((block_of(Z),))[0], peer.predict_proba(Z), atol=1e-6)
    # the first of equals wins, as there
    assert ours.argmax((block_of(Z),))[0].tolist() == peer.predict(Z).tolist()


@pytest.mark.parametrize("h", [0.3, 1.0])
def test_windows_are_the_densities_of_scikit_learn(points, block_of, h):
    X, y, Z = points
    ours = predictor("parzen", X, y, block_of, metric="euclid", h=h)
    joint = np.stack(
        [KernelDensity(bandwidth=h).fit(X[y == k]).score_samples(Z) + np.log(np.mean(y == k)) for k in range(3)], axis=1
    )
    p = np.exp(joint - joint.max(axis=1, keepdims=True))
    np.testing.assert_allclose(ours.marginals((block_of(Z),))[0], p / p.sum(axis=1, keepdims=True), atol=2e-5)


def test_far_from_everything_the_nearest_still_counts(block_of):
    """exp(-4950) is no number, but ln is: at 99 from one and 100 from the other the difference is 199/2."""
    ours = predictor("parzen", np.array([[1.0], [2.0]]), np.array([0, 1], np.int32), block_of, metric="euclid", h=1)
    theta = ours.scores((block_of([[101]]),))[0][0]
    assert theta.tolist() == [-5000, -4900.5]


def test_those_as_near_as_the_last_vote_too(block_of):
    """0 is at 1 from both neighbours, so k = 1 has two of them, and of one there are two: 2 to 1, 2.5 to 1.5 with alpha."""
    X, y = np.array([[1.0], [1.0], [-1.0], [5.0]]), np.array([0, 0, 1, 1], np.int32)
    ours = predictor("neighbours", X, y, block_of, metric="euclid", k=1)
    np.testing.assert_allclose(np.exp(ours.scores((block_of([[0]]),))[0]), [[2.5 / 4, 1.5 / 4]], rtol=1e-6)


def test_weights_are_so_many_examples(points, block_of):
    X, y, Z = points
    weight = (np.arange(60) % 3).astype(np.float32)
    often = np.repeat(np.arange(60), np.arange(60) % 3)
    for name in ("parzen", "neighbours"):
        weighted = predictor(name, X, y, block_of, weight).scores((block_of(Z),))[0]
        np.testing.assert_allclose(
            weighted, predictor(name, X[often], y[often], block_of).scores((block_of(Z),))[0], rtol=1e-5
        )


@pytest.mark.parametrize("name", ["parzen", "neighbours"])
def test_over_tags_it_is_a_hidden_markov_model(name):
    """ln P(y_1) p(x_1 | y_1) + ln P(y_2 | y_1) p(x_2 | y_2) + ..., up to what is the same for all sequences."""
    rng = np.random.default_rng(3)
    n, T = 12, 4
    x = rng.integers(0, 3, (n, T))
    y = ((x + rng.integers(0, 2, (n, T))) % 2).astype(np.int32)

    def blocks(x):
        at = np.arange(0, x.size + 1, x.shape[1])
        emit = Block(np.arange(x.size + 1), x.ravel().astype(np.uint32), np.ones(x.size, np.float32), at)
        return emit, Block(np.zeros(len(x) + 1, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32))

    learning = Learning(LEARNERS[name], {"h": 1.0} if name == "parzen" else {"k": 7}, Chain(2), (3, 0))
    fit = learning.run(Examples(blocks(x), y.ravel(), np.arange(0, n * T + 1, T)))
    n_y = np.bincount(y.ravel())
    pairs = np.zeros((2, 2)) + 1
    for a, b in zip(y[:, :-1].ravel(), y[:, 1:].ravel(), strict=True):
        pairs[a, b] += 1
    prior, given = n_y / n_y.sum(), pairs / pairs.sum(axis=1, keepdims=True)
    counts = np.array([[np.sum((x == word) & (y == tag)) for tag in range(2)] for word in range(3)])
    if name == "parzen":
        # rows of one feature are at 0 or at 2 of each other
        window = np.where(np.eye(3) == 1, 1, np.exp(-1.0))
        emit = window @ counts / n_y
    else:
        emit = (counts + prior) / (counts + prior).sum(axis=1, keepdims=True) / prior
    new = np.array([[0, 2, 1]])
    expected = {
        tags: np.log(prior[tags[0]])
        + sum(np.log(emit[new[0, t], tags[t]]) for t in range(3))
        + sum(np.log(given[a, b]) for a, b in itertools.pairwise(tags))
        for tags in itertools.product(range(2), repeat=3)
    }
    ((rows, scores),) = Predictor(Chain(2), learning.scorer(fit.weights)).kbest(blocks(new), 8)
    found = {tuple(row): score for row, score in zip(rows.tolist(), scores, strict=True)}
    shift = found[0, 0, 0] - expected[0, 0, 0]
    for tags, score in expected.items():
        assert found[tags] == pytest.approx(score + shift, abs=1e-4)


@pytest.mark.parametrize("name", ["parzen", "neighbours"])
def test_pairs_of_tags_are_compared_by_their_features(name):
    """Windows: ln p(u | a, y) + ln P(y | a) - ln P(y), u being a feature of the pair; neighbours: ln P(y | a, u) - ln P(y)."""
    rng = np.random.default_rng(4)
    n, T = 15, 4
    u = rng.integers(0, 3, (n, T - 1))
    y = rng.integers(0, 2, (n, T)).astype(np.int32)
    y[:, 1:] = np.where(u == 0, y[:, :-1], y[:, 1:])

    def block(x):
        return Block(np.arange(x.size + 1), x.ravel().astype(np.uint32), np.ones(x.size, np.float32), at(*x.shape))

    def blocks(u):
        return block(np.zeros((len(u), u.shape[1] + 1))), block(u)

    def at(n, T):
        return np.arange(0, n * T + 1, T)

    gen = Chain(2, observed=True)
    learning = Learning(LEARNERS[name], {"h": 1.0} if name == "parzen" else {"k": 1}, gen, (1, 3))
    fit = learning.run(Examples(blocks(u), y.ravel(), at(n, T)))
    counts = np.zeros((3, 2, 2))  # u, a, y
    np.add.at(counts, (u, y[:, :-1], y[:, 1:]), 1)
    pairs = counts.sum(axis=0)
    p_y = np.bincount(y.ravel()) / y.size
    given = (pairs + 1) / (pairs + 1).sum(axis=1, keepdims=True)
    if name == "parzen":
        window = np.where(np.eye(3) == 1, 1, np.exp(-1.0))  # rows of one feature are at 0 or at 2 of each other
        mass = np.einsum("uv,vay->uay", window, counts)
        density = (mass + mass.sum(axis=(1, 2), keepdims=True) / pairs.sum()) / (pairs + 1)
        expected = np.log(density * given / p_y)
    else:  # those of the same u are the nearest
        expected = np.log((counts + given) / (counts.sum(axis=2, keepdims=True) + 1) / p_y)
    found = Predictor(gen, learning.scorer(fit.weights)).scores(blocks(np.arange(3)[None]))[1]
    np.testing.assert_allclose(found[:, :4], expected.reshape(3, 4), atol=1e-5)


@pytest.mark.parametrize("name", ["parzen", "neighbours"])
def test_pairs_that_were_never_seen_are_impossible_without_alpha(name):
    emit = Block(np.arange(4), np.zeros(3, np.uint32), np.ones(3, np.float32), np.array([0, 3]))
    pairs = Block(np.arange(3), np.zeros(2, np.uint32), np.ones(2, np.float32), np.array([0, 2]))
    gen = Chain(2, observed=True)
    learning = Learning(LEARNERS[name], {"alpha": 0}, gen, (1, 1))
    fit = learning.run(Examples((emit, pairs), np.array([0, 1, 0], np.int32), np.array([0, 3])))
    found = np.exp(Predictor(gen, learning.scorer(fit.weights)).scores((emit, pairs))[1][0, :4])
    # P(1 | 0) = P(0 | 1) = 1, P(0) = 2/3
    np.testing.assert_allclose(found, [0, 3, 1.5, 0], rtol=1e-5)


# Crammer, "1-D Regression": X ~ sum_i N(x_i, s), here one such sum for each label.
HEIGHTS = {"x": [1.0, 1.2, 3.0, 30.0, 33.0, 36.0], "label": ["low", "low", "low", "high", "high", "high"]}


def density(x, points, h):
    """The mean of normal densities around the points, but for a factor that all labels share."""
    return np.exp(-((x - np.array(points)) ** 2) / (2 * h * h)).sum()


def test_a_matrix_is_compared_by_the_euclidean_distance():
    X, y = np.array(HEIGHTS["x"])[:, None], np.array(HEIGHTS["label"])
    classifier = LinearClassifier("parzen", options={"h": 2.0}).fit(X, y)
    assert classifier._learned.learning.options["metric"] == "euclid"
    high, low = density(9.0, [30, 33, 36], 2.0), density(9.0, [1, 1.2, 3], 2.0)
    assert classifier.predict_proba([[9.0]])[0] == pytest.approx([high / (high + low), low / (high + low)], rel=1e-5)
    # All points lie in one direction: by the cosine nothing tells the labels apart.
    cosine = LinearClassifier("parzen", options={"h": 2.0, "metric": "cosine"}).fit(X, y)
    assert cosine.predict_proba([[9.0]])[0] == pytest.approx([0.5, 0.5])
    near = LinearClassifier("neighbours", options={"k": 1, "alpha": 0}).fit(X, y)
    assert near.predict([[4.0], [29.0]]).tolist() == ["low", "high"]


def test_numbers_of_a_table_are_compared_by_the_euclidean_distance():
    """The square of a number, which other learners have beside it, is not compared."""
    data = {"text": [""] * 6, **HEIGHTS}
    model = linnet.train(data, learner="parzen", features="number:x", options={"h": 0.3}, estimate=False)
    assert model.options["metric"] == "euclid"
    unit = 2 * np.std(HEIGHTS["x"])
    low, high = (density(9.0 / unit, np.array(some) / unit, 0.3) for some in ([1, 1.2, 3], [30, 33, 36]))
    found = model.predict_proba([{"text": "", "x": 9.0}])[0]
    assert model.labels == ("high", "low")
    assert found == pytest.approx([high / (high + low), low / (high + low)], rel=1e-4)


@pytest.mark.parametrize("features", ["words:1", "words:1 number:x"])
def test_texts_are_compared_by_the_cosine(features):
    data = {"text": ["a b", "a c", "a", "d e", "d f", "d"], **HEIGHTS}
    model = linnet.train(data, learner="parzen", features=features, estimate=False)
    assert model.options["metric"] == "cosine"
