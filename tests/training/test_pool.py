"""A pool of texts that are labelled one after the other."""

import numpy as np
import pytest

import linnet

GOOD = ["fine", "grand", "lovely", "superb", "moving", "witty", "tender", "bright"]
BAD = ["dull", "poor", "dreary", "awful", "clumsy", "stale", "tedious", "flat"]
NEITHER = ["film", "story", "the", "a", "scene", "plot", "cast", "and", "of", "it"]


def reviews(n, seed):
    rng = np.random.default_rng(seed)
    for i in range(n):
        yield (
            " ".join(rng.permutation([*rng.choice((GOOD, BAD)[i % 2], 3), *rng.choice(NEITHER, 5)])),
            ("good", "bad")[i % 2],
        )


TEXTS, LABELS = map(list, zip(*reviews(600, 1), strict=True))


@pytest.fixture
def pool():
    made = linnet.Pool(TEXTS)
    for i in range(8):
        made.learn(i, LABELS[i])
    return made


def test_texts_without_a_label_follow_those_that_have_one(pool):
    assert pool.labels == ("bad", "good")
    found = pool.predict()
    assert found[:8] == LABELS[:8]
    assert np.mean([a == b for a, b in zip(found, LABELS, strict=True)]) > 0.97
    assert pool.scores().shape == (600, 2)


def test_undo_is_exact(pool):
    before = pool.scores().copy()
    pool.learn(8, "neither")
    assert pool.scores().shape == (600, 3)
    pool.learn(0, "bad")
    assert pool.given[0] == "bad"
    pool.undo()
    pool.undo()
    assert pool.given[0] == LABELS[0]
    np.testing.assert_array_equal(pool.scores(), before)


def test_orders(pool):
    for how in ("margin", "density", "random"):
        order = pool.order(how)
        assert sorted(order.tolist()) == list(range(8, 600))
    best = np.sort(pool.scores(), axis=1)
    margin = best[:, 1] - best[:, 0]
    assert np.all(np.diff(margin[pool.order("margin")]) >= 0)
    np.testing.assert_array_equal(
        pool.order("random"),
        linnet.Pool(TEXTS).order("random")[np.isin(linnet.Pool(TEXTS).order("random"), pool.order("random"))],
    )


def test_density_is_the_mean_cosine_with_all():
    pool = linnet.Pool(["fine film", "fine film", "dull plot"] * 4, features="words:1 vectors:3")
    z = np.zeros((12, 3))
    rows = pool.features.transform(["fine film", "fine film", "dull plot"] * 4)
    first = pool.features.vectors()[0][0]
    for i in range(12):
        some = slice(rows.indptr[i], rows.indptr[i + 1])
        for j, x in zip(rows.indices[some], rows.values[some], strict=True):
            if j >= first:
                z[i, j - first] = x
    np.testing.assert_allclose(pool.density, (z @ z.T).mean(axis=1), atol=1e-6)


def test_before_there_are_labels_dense_texts_come_first():
    pool = linnet.Pool(TEXTS)
    first = pool.order("margin")
    assert pool.density[first[0]] == pool.density.max()
    pool.learn(0, "good")
    with pytest.raises(linnet.UsageError, match="at least two kinds"):
        pool.scores()


def test_the_model_is_that_of_train(pool):
    model = pool.model()
    trained = linnet.train(TEXTS[:8], LABELS[:8], unlabelled=TEXTS[8:], estimate=False)
    new, right = zip(*reviews(200, 2), strict=True)
    assert model.predict(list(new)) == trained.predict(list(new))
    assert model.report["unlabelled"] == {"examples": 592, "model": "sum of teacher and student"}
    assert np.mean([a == b for a, b in zip(model.predict(list(new)), right, strict=True)]) > 0.95


def test_a_model_of_a_pool_can_be_saved(pool, tmp_path):
    model = pool.model()
    model.save(tmp_path / "pool.linnet")
    np.testing.assert_array_equal(linnet.load(tmp_path / "pool.linnet").scores(TEXTS), model.scores(TEXTS))


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda pool: pool.learn(600, "good"), "from 0 to 599"),
        (lambda pool: pool.learn(0, ""), "empty string"),
        (lambda pool: pool.order("length"), "order by"),
        (lambda pool: linnet.Pool(TEXTS).undo(), "no label to take back"),
        (lambda pool: linnet.Pool([]), "found none"),
    ],
)
def test_what_cannot_be_is_refused(pool, act, said):
    with pytest.raises(linnet.UsageError, match=said):
        act(pool)
