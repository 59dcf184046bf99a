"""The perceptron and the SVM in their dual: with the linear kernel they are those that write w down; with others, peers'."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics.pairwise import polynomial_kernel, rbf_kernel
from sklearn.svm import SVC, LinearSVC

import linnet
from linnet.core.blocks import Block
from linnet.core.loops.kernel import Compared
from linnet.core.predictor import Predictor
from linnet.errors import UsageError
from linnet.learners import LEARNERS, Examples, Learning
from linnet.structures.labels import Labels


@pytest.fixture(scope="module")
def rings():
    """120 points of two classes, one around the other: no line tells them apart."""
    rng = np.random.default_rng(0)
    angle, y = rng.random(120) * 2 * np.pi, (np.arange(120) % 2).astype(np.int32)
    radius = 1 + y + 0.3 * rng.normal(size=120)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1).astype(np.float32), y


def learned(name, X, y, block_of, *, n_labels=2, weight=None, **options):
    how = {key: options.pop(key) for key in ("epochs", "tol", "shuffle") if key in options}
    learning = Learning(LEARNERS[name], options, Labels(n_labels), (X.shape[1],))
    fit = learning.run(Examples((block_of(X),), y, np.arange(len(y) + 1), weight), **how)
    return fit, Predictor(Labels(n_labels), learning.scorer(fit.weights))


def gram(X, Z, kernel, gamma, degree=2):
    """1 + k(x, z): the bias is a feature of 1."""
    if kernel == "rbf":
        return 1 + rbf_kernel(X, Z, gamma=gamma)
    return 1 + polynomial_kernel(X, Z, degree=degree, gamma=gamma, coef0=1)


# The linear kernel


@pytest.mark.parametrize("cache", [0, 0.01, 200])
def test_with_the_linear_kernel_it_is_the_averaged_perceptron(block_of, cache):
    """On whole numbers, which floats add in any order. The first of 4 passes is not in its average: 4 A_4 = A_1 + 3 A."""
    rng = np.random.default_rng(1)
    X = rng.integers(0, 3, (90, 5)).astype(np.float32)
    y = rng.integers(0, 4, 90).astype(np.int32)
    _, of_first = learned("averaged-perceptron", X, y, block_of, n_labels=4, epochs=1, tol=0)
    primal, of_all = learned("averaged-perceptron", X, y, block_of, n_labels=4, epochs=4, tol=0)
    dual, of_alpha = learned("kernel-perceptron", X, y, block_of, n_labels=4, epochs=4, kernel="linear", cache=cache)
    assert [epoch.loss for epoch in dual.history] == [epoch.loss for epoch in primal.history]
    assert [epoch.updates for epoch in dual.history] == [epoch.updates for epoch in primal.history]
    Z = (block_of(rng.integers(0, 3, (30, 5))),)
    expected = (4 * of_all.scores(Z)[0] - of_first.scores(Z)[0]) / 3
    np.testing.assert_allclose(of_alpha.scores(Z)[0], expected, rtol=1e-4, atol=1e-3)
    _, of_alpha = learned("kernel-perceptron", X, y, block_of, n_labels=4, epochs=1, kernel="linear", cache=cache)
    np.testing.assert_allclose(of_alpha.scores(Z)[0], of_first.scores(Z)[0], rtol=1e-4, atol=1e-3)


def test_going_on_after_the_first_pass_is_going_on(rings, block_of):
    """Where the average begins."""
    X, y = rings
    examples = Examples((block_of(X),), y, np.arange(len(y) + 1))
    first, second = (Learning(LEARNERS["kernel-perceptron"], {}, Labels(2), (2,)) for _ in range(2))
    fit = first.run(examples, epochs=1)
    second.restore(*first.state())
    fit = second.run(examples, epochs=3, fit=fit)
    whole = first.run(examples, epochs=3)
    assert [w.tobytes() for w in fit.weights] == [w.tobytes() for w in whole.weights]


@pytest.mark.parametrize("loss", ["squared-hinge", "hinge", "multiclass-hinge"])
@pytest.mark.parametrize("n_labels", [2, 4])
def test_with_the_linear_kernel_it_is_the_svm(block_of, n_labels, loss):
    tol = 1e-5
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(60, 4)).astype(np.float32), rng.integers(0, n_labels, 60).astype(np.int32)
    weight = rng.integers(0, 3, 60).astype(np.float32)
    how = {"n_labels": n_labels, "C": 0.3, "tol": tol, "weight": weight, "epochs": 2000, "loss": loss}
    _, of_w = learned("svm", X, y, block_of, **how)
    fit, of_alpha = learned("kernel-svm", X, y, block_of, kernel="linear", **how)
    assert fit.stopped.startswith("the optimum is reached")
    np.testing.assert_allclose(of_alpha.scores((block_of(X),))[0], of_w.scores((block_of(X),))[0], atol=3 * tol**0.5)


# Peers


@pytest.mark.parametrize(("kernel", "gamma"), [("rbf", 0.7), ("polynomial", 0.5)])
def test_it_is_the_svm_of_a_peer(rings, block_of, kernel, gamma):
    """LIBLINEAR over the root of the matrix of kernel values, which has no bias of its own as that is in the kernel. Two labels
    are two outcomes, w_1 = -w_2 = u / 2, so that 1/2 ||w||^2 is 1/4 ||u||^2 and C is half of LIBLINEAR's."""
    X, y = rings
    K = gram(X, X, kernel, gamma)
    values, vectors = np.linalg.eigh(K)
    root = vectors * np.sqrt(np.maximum(values, 0))
    peer = LinearSVC(C=2.0, loss="hinge", fit_intercept=False, tol=1e-8, max_iter=1_000_000).fit(root, y)
    fit, ours = learned(
        "kernel-svm", X, y, block_of, kernel=kernel, gamma=gamma, C=1.0, tol=1e-5, epochs=3000, loss="multiclass-hinge"
    )
    assert fit.stopped.startswith("the optimum is reached")
    theta = ours.scores((block_of(X),))[0]
    np.testing.assert_allclose(theta[:, 1] - theta[:, 0], peer.decision_function(root), atol=0.02)
    u = peer.coef_[0]
    objective = u @ u / 4 + np.maximum(0, 1 - (2 * y - 1) * (root @ u)).sum()
    alpha, rows = fit.weights[1][1:], X[np.isin(X[:, 0], fit.weights[4][::2])]
    assert len(alpha) == len(rows)
    hinge = np.maximum(0, 1 - (2 * y - 1) * (theta[:, 1] - theta[:, 0])).sum()
    norm2 = sum(alpha[:, k] @ gram(rows, rows, kernel, gamma) @ alpha[:, k] for k in range(2))
    assert norm2 / 2 + hinge == pytest.approx(objective, rel=1e-4)


def test_what_it_says_is_what_scikit_learn_says(rings, block_of):
    """Up to the bias, which SVC does not regularise."""
    X, y = rings
    _, ours = learned("kernel-svm", X, y, block_of, kernel="rbf", gamma=1.0, C=1.0, loss="multiclass-hinge")
    peer = SVC(C=2.0, gamma=1.0).fit(X, y)
    rng = np.random.default_rng(5)
    Z = (4 * rng.random((300, 2)) - 2).astype(np.float32)
    assert np.mean(ours.argmax((block_of(Z),))[0] == peer.predict(Z)) > 0.97


# By hand


@pytest.mark.parametrize(
    ("kernel", "of"), [("linear", lambda a, b: a @ b), ("polynomial", lambda a, b: (1 + 0.5 * a @ b) ** 3)]
)
def test_one_mistake(block_of, kernel, of):
    """At w = 0 the first label wins; the second is right, so alpha of that example is -1, 1, and of the bias too."""
    X = np.array([[2.0, 1.0]])
    fit, predictor = learned(
        "kernel-perceptron", X, np.array([1], np.int32), block_of, kernel=kernel, gamma=0.5, degree=3, epochs=1
    )
    n_rows, alpha, indptr, indices, values = fit.weights
    assert (n_rows.tolist(), alpha.tolist()) == ([3], [[-1, 1], [-1, 1]])
    assert (indptr.tolist(), indices.tolist(), values.tolist()) == ([0, 2], [0, 1], [2, 1])
    k = 1 + of(X[0], np.array([1.0, 3.0]))
    np.testing.assert_allclose(predictor.scores((block_of([[1, 3]]),))[0], [[-k, k]])


def test_rings_are_told_apart_by_a_kernel_only(rings, block_of):
    X, y = rings
    right = {
        kernel: np.mean(
            learned("kernel-svm", X, y, block_of, kernel=kernel, gamma=1.0)[1].argmax((block_of(X),))[0] == y
        )
        for kernel in ("linear", "polynomial", "rbf")
    }
    assert right["linear"] < 0.7
    assert right["polynomial"] > 0.9
    assert right["rbf"] > 0.9


# The budget


@pytest.mark.parametrize("name", ["kernel-perceptron", "kernel-svm"])
def test_no_more_is_kept_than_the_budget(rings, block_of, name):
    X, y = rings
    fit, predictor = learned(name, X, y, block_of, budget=25, epochs=10, gamma=1.0)
    assert len(fit.weights[1]) == 26
    np.testing.assert_allclose(fit.weights[1][0], fit.weights[1][1:].sum(axis=0), atol=1e-4)
    assert np.mean(predictor.argmax((block_of(X),))[0] == y) > 0.8


def test_what_has_least_effect_is_forgotten(block_of):
    """Three mistakes, a budget of two. Each example adds -1, 1 or 1, -1, so its effect is 2 (1 + x^2): the second leaves."""
    X = np.array([[3.0], [-1.0], [-4.0]])
    y = np.array([1, 0, 1], np.int32)
    fit, _ = learned("kernel-perceptron", X, y, block_of, kernel="linear", budget=2, epochs=1, shuffle=False)
    # x = 3: w = 0, label 0, wrong. x = -1: score of 1 is 1 - 3 < 0, label 0, right.
    # x = -4: label 0, wrong. Nothing to forget yet.
    assert fit.history[0].updates == 2
    assert fit.weights[4].tolist() == [3, -4]
    X, y = np.array([[3.0], [0.5], [-4.0]]), np.array([1, 0, 1], np.int32)
    fit, _ = learned("kernel-perceptron", X, y, block_of, kernel="linear", budget=2, epochs=1, shuffle=False)
    # x = 0.5: score of 1 is 1 + 1.5, label 1, wrong: effect 2 (1 + 0.25). x = -4: bias 0, -12 + 2 < 0, label 0, wrong.
    assert fit.history[0].updates == 3
    assert fit.weights[4].tolist() == [3, -4]
    assert fit.weights[1].tolist() == [
        [-2, 2],
        [-1, 1],
        [-1, 1],
    ]  # of the last step: under a budget nothing is averaged


def test_it_needs_all_examples_at_once(rings, block_of):
    X, y = rings
    learning = Learning(LEARNERS["kernel-svm"], {}, Labels(2), (2,))
    with pytest.raises(UsageError, match="^learner 'kernel-svm' needs all examples at once"):
        learning.partial(Examples((block_of(X),), y, np.arange(len(y) + 1)))


def test_arrays_that_do_not_fit_are_refused(rings, block_of):
    fit, _ = learned("kernel-perceptron", *rings, block_of)
    for k, wrong in ((2, fit.weights[2][:-1]), (3, fit.weights[3] + 5), (1, fit.weights[1][1:])):
        weights = [*fit.weights[:k], np.ascontiguousarray(wrong), *fit.weights[k + 1 :]]
        with pytest.raises(ValueError, match="support rows"):
            Predictor(
                Labels(2), LEARNERS["kernel-perceptron"].scorer(weights, {"kernel": "rbf", "gamma": 1, "degree": 2})
            )


# Subsequences


def sequences(texts, places=None):
    """The characters of each text, a = 0, in their order; their values are the places, 1, 2, ... where nothing else is said."""
    places = [np.arange(1, len(text) + 1) for text in texts] if places is None else places
    indptr = np.concatenate([[0], np.cumsum([len(text) for text in texts])]).astype(np.int64)
    ids = [ord(character) - ord("a") for text in texts for character in text]
    return indptr, np.array(ids, np.uint32), np.concatenate([*places, []]).astype(np.float32)


def subsequence_kernel(x, z, *, unit=False, **how):
    """k(x, z) as the score of x, z being the one support row."""
    alpha = np.array([[0, 0], [1, 0]], np.float32)
    indptr, indices, values = z
    weights = [np.array([27], np.uint64), alpha, indptr.astype(np.uint64), indices, values]
    scorer = Compared("kernel", weights, kind="linear", unit=unit, **how)
    return float(Predictor(Labels(2), scorer).scores((Block(*x),))[0][0, 0])


def by_enumeration(s, t, s_at, t_at, length, decay):
    """Over all pairs of tuples of places with the same characters."""
    total = 0.0
    for n in range(1, length + 1):
        for i in itertools.combinations(range(len(s)), n):
            for j in itertools.combinations(range(len(t)), n):
                if [s[a] for a in i] == [t[b] for b in j]:
                    total += decay ** (s_at[i[-1]] - s_at[i[0]] + 1 - n + t_at[j[-1]] - t_at[j[0]] + 1 - n)
    return total


strings = st.text("abc", max_size=7)
gaps = st.lists(st.integers(1, 3), min_size=7, max_size=7).map(np.cumsum)


@given(strings, strings, gaps, gaps, st.integers(1, 4), st.sampled_from([0.3, 0.5, 1.0]))
def test_subsequences_are_those_that_can_be_enumerated(s, t, s_at, t_at, length, decay):
    """Unknown words leave gaps between places."""
    s_at, t_at = s_at[: len(s)], t_at[: len(t)]
    x, z = sequences([s], [s_at]), sequences([t], [t_at])
    expected = by_enumeration(s, t, s_at, t_at, length, decay)
    assert subsequence_kernel(x, z, length=length, decay=decay) == pytest.approx(expected, rel=1e-6)
    own = by_enumeration(s, s, s_at, s_at, length, decay) * by_enumeration(t, t, t_at, t_at, length, decay)
    found = subsequence_kernel(x, z, unit=True, length=length, decay=decay)
    assert found == pytest.approx(expected / own**0.5 if own else 0, rel=1e-6)


def test_cat_and_car():
    """Lodhi et al. (2002), section 3: they share c, a and ca; cat has of itself c, a, t, ca, at, and c-t with a gap."""
    cat, car = sequences(["cat"]), sequences(["car"])
    assert subsequence_kernel(cat, car, length=2, decay=0.5) == 3
    assert subsequence_kernel(cat, cat, length=2, decay=0.5) == 5 + 0.5**2
    assert subsequence_kernel(cat, car, length=2, decay=0.5, unit=True) == pytest.approx(3 / 5.25)


def test_of_a_long_text_the_first_1024_are_compared():
    a, b = sequences(["a" * 1024 + "b" * 40]), sequences(["b"])
    assert subsequence_kernel(a, b, length=1, decay=1) == 0
    assert subsequence_kernel(b, a, length=1, decay=1) == 0
    assert subsequence_kernel(a, sequences(["a"]), length=1, decay=1) == 1024


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("kernel-perceptron", {"kernel": "subsequence", "budget": 12}),
        ("kernel-svm", {"kernel": "subsequence"}),
        ("parzen", {"metric": "subsequence"}),
        ("neighbours", {"metric": "subsequence", "k": 1}),
    ],
)
def test_the_order_of_words_is_seen_by_subsequences_alone(name, options, tmp_path):
    """The same words in both labels, in another order."""
    texts = [f"{a} then {b}" for a, b in itertools.permutations(["red", "green", "blue", "white"], 2)]
    labels = ["up" if text[0] < text.split()[-1][0] else "down" for text in texts]
    assert set(labels) == {"up", "down"}
    model = linnet.train((texts, labels), learner=name, features="words:1 sequence", options=options)
    model.save(tmp_path / "model.linnet")
    new = [f"so {text} now" for text in texts]
    assert linnet.load(tmp_path / "model.linnet").predict(new) == labels


def test_subsequences_need_sequences():
    with pytest.raises(UsageError) as caught:
        linnet.train(
            (["a b a", "b a"], "xy"), learner="kernel-svm", options={"kernel": "subsequence"}, features="words:1"
        )
    assert str(caught.value) == (
        "subsequences are compared in the order of the text, which these features do not keep. Use the features "
        "'words:1 sequence' or 'chars-across:1 sequence'."
    )


@pytest.mark.parametrize("name", ["logistic", "kernel-svm", "neighbours"])
def test_sequences_are_for_subsequences(name):
    with pytest.raises(UsageError) as caught:
        linnet.train((["a b a", "b a"], "xy"), learner=name, features="words:1 sequence")
    assert str(caught.value) == (
        f"features with 'sequence' have positions in the text as their values, which learner {name!r} cannot use with these "
        "options. Use kernel-svm with kernel=subsequence, or leave out 'sequence'."
    )
