"""The classifier over matrices: values of peers, of hand computations, and of `linnet.train`."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import SGDClassifier
from sklearn.naive_bayes import MultinomialNB

from linnet.errors import DataError, UsageError
from linnet.learners import LEARNERS, Learning
from linnet.sklearn import LinearClassifier

PROBABILISTIC = [name for name, preset in LEARNERS.items() if preset.probabilistic]
INCREMENTAL = [name for name in LEARNERS if not LEARNERS[name].needs_all]
LINEAR = [name for name, preset in LEARNERS.items() if preset.linear]
OTHERS = [name for name in LEARNERS if name not in PROBABILISTIC]


@pytest.fixture(scope="module")
def counts():
    """80 documents over 30 words, three classes with words of their own."""
    rng = np.random.default_rng(7)
    y = rng.integers(3, size=80)
    rates = np.where(np.arange(30) % 3 == y[:, None], 0.8, 0.2)
    return sparse.csr_array(rng.poisson(rates).astype(float)), np.array(["a", "b", "c"])[y]


@pytest.fixture(scope="module")
def blobs():
    """60 points of two overlapping classes, the first of the second class."""
    rng = np.random.default_rng(3)
    y = rng.integers(2, size=60)
    y[0] = 1
    return rng.normal(size=(60, 4)) + 0.7 * y[:, None], y


def weights(classifier):
    """The weights; of what is not linear, all that it holds in a row."""
    if LEARNERS[classifier.learner].linear:
        return classifier._learned.W
    return np.concatenate([part.ravel() for part in classifier._learned.weights])


# Parity


@pytest.mark.parametrize("alpha", [1.0, 0.1])
def test_naive_bayes_is_multinomial_nb(counts, alpha):
    X, y = counts
    ours = LinearClassifier("naive-bayes", options={"alpha": alpha}).fit(X, y)
    peer = MultinomialNB(alpha=alpha).fit(X, y)
    np.testing.assert_allclose(ours.coef_, peer.feature_log_prob_, atol=1e-5)
    np.testing.assert_allclose(ours.intercept_, peer.class_log_prior_, atol=1e-5)
    np.testing.assert_allclose(ours.predict_log_proba(X), peer.predict_log_proba(X), rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(ours.predict_proba(X), peer.predict_proba(X), atol=1e-5)
    assert ours.predict(X).tolist() == peer.predict(X).tolist()


def test_naive_bayes_weighs_examples_as_multinomial_nb(counts):
    X, y = counts
    weight = np.random.default_rng(0).random(80)
    ours = LinearClassifier("naive-bayes").fit(X, y, sample_weight=weight)
    peer = MultinomialNB().fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(ours.predict_log_proba(X), peer.predict_log_proba(X), rtol=1e-5, atol=1e-5)


def test_naive_bayes_counts_an_example_of_weight_3_three_times(counts):
    X, y = counts
    weight = np.random.default_rng(0).integers(4, size=80)
    weighted = LinearClassifier("naive-bayes").fit(X, y, sample_weight=weight)
    repeated = LinearClassifier("naive-bayes").fit(X[np.repeat(np.arange(80), weight)], np.repeat(y, weight))
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), rtol=1e-5)


def peer_of(loss, epochs, **options):
    """Its order is ours with shuffling off. With two classes w_1 - w_0 moves twice as far as one vector would, so its
    rates are twice ours. The bias is a column of ones, as ours counts in ||x||^2.
    """
    return SGDClassifier(loss, penalty=None, fit_intercept=False, shuffle=False, max_iter=epochs, tol=None, **options)


@pytest.mark.parametrize("epochs", [1, 7])
@pytest.mark.parametrize(
    ("ours", "peer"),
    [
        (("mira", {"C": 0.05}), ("hinge", {"learning_rate": "pa1", "eta0": 0.1})),
        (("mira", {"C": 5}), ("hinge", {"learning_rate": "pa1", "eta0": 10})),
        (("perceptron", {}), ("perceptron", {"learning_rate": "constant", "eta0": 2})),
        (("averaged-perceptron", {}), ("perceptron", {"learning_rate": "constant", "eta0": 2, "average": True})),
        (("logistic", {"eta": 0.05, "lam": 0}), ("log_loss", {"learning_rate": "constant", "eta0": 0.1})),
    ],
)
def test_online_learners_are_those_of_sgd_classifier(blobs, ours, peer, epochs):
    X, y = blobs
    classifier = LinearClassifier(ours[0], epochs=epochs, options=ours[1], shuffle=False, tol=0).fit(X, y)
    other = peer_of(peer[0], epochs, **peer[1]).fit(np.column_stack([np.ones(60), X]), y)
    np.testing.assert_allclose(classifier.intercept_, other.coef_[0, :1], rtol=1e-4)
    np.testing.assert_allclose(classifier.coef_, other.coef_[:, 1:], rtol=1e-4)
    np.testing.assert_allclose(
        classifier.decision_function(X),
        other.decision_function(np.column_stack([np.ones(60), X])),
        rtol=1e-3,
        atol=1e-5,
    )


def test_hand_computed_perceptron():
    # f(x) = (1, x). (0, 1): both have 0, so class 0 is guessed; class 1 gains (1, 0, 1), and class 0 loses it.
    # (1, 0): class 0 has -1, class 1 has 1, a mistake; class 0 gains (1, 1, 0), and class 1 loses it.
    # (0, 1): class 0 has -1, class 1 has 1. (1, 0): the other way round. The second epoch changes nothing.
    classifier = LinearClassifier("perceptron", shuffle=False).fit([[0, 1], [1, 0]], [1, 0])
    assert weights(classifier).tolist() == [[0, 0], [1, -1], [-1, 1]]
    assert classifier.coef_.tolist() == [[-2, 2]]
    assert classifier.intercept_.tolist() == [0]
    assert classifier.decision_function([[3, 1]]).tolist() == [-4]
    assert classifier.n_iter_ == 2


# Shapes and values of what was fitted


@pytest.mark.parametrize("name", [name for name in LEARNERS if name not in LINEAR])
def test_what_is_not_linear_has_no_coef(blobs, name):
    classifier = LinearClassifier(name).fit(*blobs)
    with pytest.raises(AttributeError, match=f"^learner '{name}' has no weight for each feature.$"):
        classifier.coef_  # noqa: B018


@pytest.mark.parametrize("name", LINEAR)
@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_scores_are_those_of_coef_and_intercept(name, n_classes):
    rng = np.random.default_rng(n_classes)
    X, y = rng.random((40, 6)), np.arange(40) % n_classes
    classifier = LinearClassifier(name).fit(X, y)
    theta = X @ classifier.coef_.T + classifier.intercept_
    assert classifier.coef_.shape == ((1, 6) if n_classes == 2 else (n_classes, 6))
    np.testing.assert_allclose(classifier.decision_function(X), np.squeeze(theta), rtol=1e-3, atol=1e-5)
    best = theta.argmax(axis=1) if n_classes > 2 else (theta[:, 0] > 0).astype(int)
    assert classifier.predict(X).tolist() == classifier.classes_[best].tolist()


@pytest.mark.parametrize("name", [name for name in PROBABILISTIC if name in INCREMENTAL])
@pytest.mark.parametrize("n_classes", [1, 2, 3])
def test_probabilities_are_the_softmax_of_the_scores(name, n_classes):
    rng = np.random.default_rng(0)
    X, y = rng.random((30, 6)), np.arange(30) % n_classes
    classifier = LinearClassifier(name).partial_fit(X, y)
    theta = classifier._score_classes(X).astype(float)
    p = classifier.predict_proba(X)
    assert p.shape == (30, n_classes)
    np.testing.assert_allclose(p.sum(axis=1), 1, rtol=1e-12)
    np.testing.assert_allclose(p, np.exp(theta) / np.exp(theta).sum(axis=1, keepdims=True), rtol=1e-6)
    np.testing.assert_allclose(classifier.predict_log_proba(X), np.log(p), rtol=1e-9, atol=1e-12)


def test_what_is_impossible_for_every_class_is_equally_likely():
    # Without smoothing, word 1 was never seen with class 0, word 0 never with class 1.
    classifier = LinearClassifier("naive-bayes", options={"alpha": 0}).fit([[1, 0], [0, 1]], [0, 1])
    assert classifier.predict_proba([[1, 0], [1, 1]]).tolist() == [[1, 0], [0.5, 0.5]]
    assert classifier.decision_function([[1, 0], [1, 1]]).tolist() == [-1e6, 0]


@pytest.mark.parametrize("name", OTHERS)
def test_other_learners_have_no_probabilities(name):
    classifier = LinearClassifier(name).fit([[0], [1]], [0, 1])
    assert not hasattr(classifier, "predict_proba")
    with pytest.raises(AttributeError, match="predict_log_proba") as caught:
        classifier.predict_log_proba([[0]])
    assert str(caught.value.__cause__) == (
        f"the scores of learner {name!r} are not probabilities. Use {' or '.join(map(repr, PROBABILISTIC))}."
    )


@pytest.mark.parametrize("method", ["predict", "decision_function", "predict_proba", "predict_log_proba"])
def test_not_fitted(method):
    classifier = LinearClassifier("logistic")
    with pytest.raises(NotFittedError, match="LinearClassifier"):
        getattr(classifier, method)([[1]])
    with pytest.raises(NotFittedError, match="LinearClassifier"):
        classifier.coef_  # noqa: B018
    assert not hasattr(classifier, "intercept_")


def test_weights_cannot_be_written_to(counts):
    classifier = LinearClassifier().fit(*counts)
    with pytest.raises(ValueError, match="read-only"):
        classifier.coef_[0, 0] = 1


def test_feature_names_are_those_of_the_frame():
    frame = pd.DataFrame({"a": [0.0, 1.0], "b": [1.0, 0.0]})
    classifier = LinearClassifier().fit(frame, [0, 1])
    assert classifier.feature_names_in_.tolist() == ["a", "b"]
    assert classifier.n_features_in_ == 2
    with pytest.raises(ValueError, match="feature names"):
        classifier.predict(frame[["b", "a"]])


# Matrices


@pytest.mark.parametrize("name", LEARNERS)
def test_every_kind_of_matrix_learns_the_same(counts, name):
    X, y = counts
    expected = weights(LinearClassifier(name).fit(X, y))
    long = X.copy()
    long.indices, long.indptr = long.indices.astype(np.int64), long.indptr.astype(np.int64)
    zeros = X.copy()
    zeros.data[::7] = 0
    kinds = [X.toarray(), X.toarray().tolist(), X.astype(np.float32), X.astype(int), X.tocsc(), X.tocoo(), long]
    for other in [*kinds, sparse.csr_matrix(X), pd.DataFrame(X.toarray())]:
        np.testing.assert_array_equal(weights(LinearClassifier(name).fit(other, y)), expected)
    np.testing.assert_array_equal(
        weights(LinearClassifier(name).fit(zeros, y)), weights(LinearClassifier(name).fit(zeros.toarray(), y))
    )


@pytest.mark.parametrize("name", LEARNERS)
def test_duplicate_entries_are_summed(counts, name):
    X, y = counts
    halves = sparse.csr_array((np.repeat(X.data / 2, 2), np.repeat(X.indices, 2), 2 * X.indptr), shape=X.shape)
    expected = LinearClassifier(name).fit(X, y)
    classifier = LinearClassifier(name).fit(halves, y)
    np.testing.assert_array_equal(weights(classifier), weights(expected))
    assert halves.nnz == 2 * X.nnz
    np.testing.assert_allclose(
        classifier.decision_function(halves), expected.decision_function(X), rtol=1e-5, atol=1e-4
    )


def test_negative_values_are_not_counts():
    with pytest.raises(ValueError, match=r"Negative values in data passed to LinearClassifier\('naive-bayes'\)"):
        LinearClassifier("naive-bayes").fit([[1, -1], [0, 1]], [0, 1])


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e300])
@pytest.mark.parametrize("kind", [np.array, sparse.csr_array])
def test_what_is_not_a_finite_number_is_refused(value, kind):
    classifier = LinearClassifier().fit([[0, 1], [1, 0]], [0, 1])
    X = kind(np.array([[1, value], [0, 1]]))
    for use in (lambda: classifier.predict(X), lambda: classifier.fit(X, [0, 1])):
        with pytest.raises(ValueError, match=r"NaN|infinity|too large"):
            use()


# Weights of examples and classes


@pytest.mark.parametrize("name", LEARNERS)
def test_an_example_of_weight_0_is_not_there(counts, name):
    X, y = counts
    keep = np.arange(80) % 4 != 0
    weighted = LinearClassifier(name).fit(X, y, sample_weight=keep)
    np.testing.assert_array_equal(weights(weighted), weights(LinearClassifier(name).fit(X[keep], y[keep])))


@pytest.mark.parametrize(
    ("name", "partial"), [*((name, False) for name in LEARNERS), *((name, True) for name in INCREMENTAL)]
)
def test_a_class_weight_is_a_weight_of_its_examples(counts, name, partial):
    X, y = counts

    def learned(**how):
        weight = how.pop("sample_weight", None)
        classifier = LinearClassifier(name, options=options, **how)
        return weights((classifier.partial_fit if partial else classifier.fit)(X, y, sample_weight=weight))

    # small steps: MIRA's weights scale C, which must then matter
    options = {key: 0.01 for key in ("eta", "C") if key in LEARNERS[name].options}
    both = learned(class_weight={"a": 2.0, "c": 0.5}, sample_weight=np.full(80, 1.5))
    alone = learned(sample_weight=np.select([y == "a", y == "c"], [3, 0.75], 1.5))
    np.testing.assert_array_equal(both, alone)
    assert not np.array_equal(both, learned())


def test_balanced_classes_have_the_same_weight_in_all():
    # n / (K n_k): 8 / (2 * 6) and 8 / (2 * 2)
    X, y = np.eye(8), np.array([0] * 6 + [1] * 2)
    balanced = LinearClassifier("naive-bayes", class_weight="balanced").fit(X, y)
    by_hand = LinearClassifier("naive-bayes").fit(X, y, sample_weight=np.where(y == 0, 8 / 12, 2))
    np.testing.assert_array_equal(weights(balanced), weights(by_hand))
    assert balanced.intercept_.tolist() == [0]


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"sample_weight": [0, 0]}, "zero"),
        ({"sample_weight": [1, -1]}, "Negative values in data passed to `sample_weight`"),
        ({"sample_weight": [1]}, "sample_weight.shape == \\(1,\\), expected \\(2,\\)"),
    ],
)
@pytest.mark.parametrize("method", ["fit", "partial_fit"])
def test_weights_that_cannot_be(method, how, message):
    with pytest.raises(ValueError, match=message):
        getattr(LinearClassifier(), method)([[0], [1]], [0, 1], **how)


# The order of things


@pytest.mark.parametrize("name", LEARNERS)
def test_the_same_seed_gives_the_same_bits(counts, name):
    X, y = counts

    def learned(random_state, epochs=2):
        return weights(LinearClassifier(name, epochs=epochs, random_state=random_state).fit(X, y))

    np.testing.assert_array_equal(learned(5), learned(np.int64(5)))
    np.testing.assert_array_equal(learned(np.random.RandomState(5)), learned(np.random.RandomState(5)))
    assert np.isfinite(learned(None)).all()
    if not LEARNERS[name].one_pass and name != "boosting":  # which has no order
        assert not np.array_equal(learned(5), learned(6))
        assert not np.array_equal(learned(np.random.RandomState(5)), learned(np.random.RandomState(6)))


@pytest.mark.parametrize("name", INCREMENTAL)
def test_batches_of_any_size_are_one_pass_in_order(counts, name):
    X, y = counts
    options = {"eta": 0.1} if "eta" in LEARNERS[name].options else {}
    expected = LinearClassifier(name, epochs=1, shuffle=False, options=options).fit(X, y)
    for size in (1, 7, 80):
        classifier = LinearClassifier(name, options=options)
        for start in range(0, 80, size):
            part = slice(start, start + size)
            classifier.partial_fit(X[part], y[part], classes=["a", "b", "c"])
        np.testing.assert_array_equal(weights(classifier), weights(expected))
        assert classifier.predict(X).tolist() == expected.predict(X).tolist()


@pytest.mark.parametrize("name", INCREMENTAL)
@pytest.mark.parametrize("copied", [lambda c: pickle.loads(pickle.dumps(c)), copy.deepcopy])
def test_a_copy_goes_on_as_the_original(counts, name, copied):
    X, y = counts
    original = LinearClassifier(name, epochs=2).fit(X[:50], y[:50])
    again = copied(original)
    np.testing.assert_array_equal(weights(again), weights(original))
    for classifier in (original, again):
        classifier.partial_fit(X[50:], np.where(y[50:] == "b", "d", y[50:]))
    assert again.classes_.tolist() == ["a", "b", "c", "d"]
    np.testing.assert_array_equal(weights(again), weights(original))


def test_what_needs_all_examples_has_no_partial_fit(counts):
    X, y = counts
    classifier = LinearClassifier("svm")
    assert not hasattr(classifier, "partial_fit")
    again = pickle.loads(pickle.dumps(classifier.fit(X, y)))
    np.testing.assert_array_equal(weights(again), weights(classifier))


@pytest.mark.parametrize("options", [{"by": "lbfgs", "lam": 0.01}, {"runs": 2, "dropout": 0.3}])
def test_a_copy_of_what_was_learned_from_all_examples(counts, options):
    X, y = counts
    classifier = LinearClassifier("logistic", options=options).fit(X, y)
    again = pickle.loads(pickle.dumps(classifier))
    np.testing.assert_array_equal(weights(again), weights(classifier))
    with pytest.raises(UsageError, match="needs all examples at once"):
        classifier.partial_fit(X, y)


def test_partial_fit_goes_on_from_fit(counts):
    X, y = counts
    classifier = LinearClassifier("perceptron", epochs=1, shuffle=False).fit(X[:50], y[:50]).partial_fit(X[50:], y[50:])
    expected = LinearClassifier("perceptron", epochs=1, shuffle=False).fit(X, y)
    np.testing.assert_array_equal(weights(classifier), weights(expected))
    np.testing.assert_array_equal(weights(classifier.fit(X, y)), weights(expected))


def test_classes_may_be_named_before_they_come_up():
    classifier = LinearClassifier().partial_fit([[1, 0], [0, 1]], [5, 3], classes=[3, 4, 5])
    assert classifier.classes_.tolist() == [3, 4, 5]
    assert classifier.partial_fit([[1, 1]], [1], classes=[9]).classes_.tolist() == [1, 3, 4, 5, 9]
    assert classifier.predict([[1, 0], [1, 1]]).tolist() == [5, 1]


def test_a_stream_may_start_with_one_class():
    classifier = LinearClassifier("perceptron").partial_fit([[1.0, 0.0]], ["a"])
    assert classifier.predict([[0, 1]]).tolist() == ["a"]
    assert classifier.decision_function([[0, 1]]).tolist() == [[0]]
    assert classifier.coef_.tolist() == [[0, 0]]
    classifier.partial_fit([[0.0, 1.0]], ["b"])
    # The tie goes to a, so b gains (1, 0, 1) and a loses it.
    assert classifier.coef_.tolist() == [[0, 2]]
    assert classifier.predict([[1, 0], [0, 1]]).tolist() == ["b", "b"]


def test_interrupting_is_passed_on_and_what_was_learned_is_kept(counts, monkeypatch):
    X, y = counts
    passes = []
    original = Learning._pieces

    def interrupted(self, *args):
        passes.append(1)
        if len(passes) == 3:
            raise KeyboardInterrupt
        return original(self, *args)

    monkeypatch.setattr(Learning, "_pieces", interrupted)
    classifier = LinearClassifier(tol=0)
    with pytest.raises(KeyboardInterrupt, match="interrupted after 2 of 10 epochs"):
        classifier.fit(X, y)
    monkeypatch.undo()
    expected = LinearClassifier(epochs=2, tol=0).fit(X, y)
    np.testing.assert_array_equal(weights(classifier), weights(expected))


def test_threads_may_share_a_classifier(counts):
    X = sparse.vstack([counts[0]] * 200).tocsr()
    classifier = LinearClassifier("logistic").fit(*counts)
    expected = classifier.decision_function(X)
    with ThreadPoolExecutor(4) as threads:
        for theta in threads.map(lambda _: classifier.decision_function(X), range(12)):
            np.testing.assert_array_equal(theta, expected)


# Held-out examples


def test_a_pair_may_be_held_out(counts):
    X, y = counts
    classifier = LinearClassifier("perceptron", dev=(X[60:], y[60:]), patience=2, epochs=50, tol=0).fit(X[:60], y[:60])
    scores = [
        np.mean(LinearClassifier("perceptron", epochs=n + 1, tol=0).fit(X[:60], y[:60]).predict(X[60:]) == y[60:])
        for n in range(classifier.n_iter_)
    ]
    best = int(np.argmax(scores))
    assert classifier.n_iter_ == best + 3
    expected = LinearClassifier("perceptron", epochs=best + 1, tol=0).fit(X[:60], y[:60])
    np.testing.assert_array_equal(weights(classifier), weights(expected))
    np.testing.assert_array_equal(weights(pickle.loads(pickle.dumps(classifier))), weights(classifier))


def test_a_label_that_is_only_held_out_is_never_right(counts):
    X, y = counts
    strange = np.full(20, "zebra")
    classifier = LinearClassifier(dev=(X[60:], strange), patience=3).fit(X[:60], y[:60])
    assert classifier.classes_.tolist() == ["a", "b", "c"]
    # the first epoch is the best of those that get nothing right
    assert classifier.n_iter_ == 4


# What is refused


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"learner": "preceptron"}, "unknown learner 'preceptron'. Did you mean 'perceptron'?"),
        ({"options": {"c": 1}}, "has no option 'c'"),
        ({"learner": ["mira"]}, "expected learner to be a name, found ['mira']"),
        ({"options": [1]}, "expected options to be a dict, found [1]"),
        ({"features": 3}, "expected features to be text such as 'words:1-2', found 3"),
        ({"class_weight": {"spam": 5}}, "class_weight has 'spam', but the classes are 0, 1"),
        ({"class_weight": {0: -1}}, "expected class weights from 0 on, found {0: -1}"),
        ({"class_weight": {0: np.nan}}, "expected class weights from 0 on"),
        ({"epochs": 0}, "expected epochs to be a whole number from 1 on, found 0"),
        ({"epochs": 2.5}, "expected epochs to be a whole number"),
        ({"patience": 0}, "expected patience to be a whole number"),
        ({"tol": -1}, "expected tol to be a number from 0 on, found -1"),
        ({"class_weight": "equal"}, "expected class_weight to be None, 'balanced' or a dict, found 'equal'"),
        ({"dev": 1.5}, "expected a share between 0 and 1 to hold out, found 1.5"),
        ({"dev": 0.9}, "2 examples are too few to hold out 0.9 of them"),
        ({"dev": "dev.csv"}, "expected dev to be a share or a pair"),
        ({"random_state": -1}, "Seed must be between 0 and"),
        ({"random_state": "x"}, "'x' cannot be used to seed"),
    ],
)
def test_parameters_are_checked_when_fitting(how, message):
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        LinearClassifier(**how).fit(["a", "b"] if "features" in how else [[0], [1]], [0, 1])
    assert message in str(caught.value)


def test_weights_of_classes_that_are_not_there_do_no_harm():
    """A fold may lack a class; a stream may still have to wait for it."""
    weight = {0: 1, 1: 2, 2: 3}
    expected = weights(LinearClassifier(class_weight={1: 2}).fit([[0], [1]], [0, 1]))
    np.testing.assert_array_equal(weights(LinearClassifier(class_weight=weight).fit([[0], [1]], [0, 1])), expected)
    stream = (
        LinearClassifier("naive-bayes", class_weight={2: 3}).partial_fit([[0], [1]], [0, 1]).partial_fit([[1]], [2])
    )
    # n_y = 1, 1, 3
    np.testing.assert_allclose(np.exp(stream.intercept_), [0.2, 0.2, 0.6], rtol=1e-6)


def test_after_a_failed_fit_it_is_not_fitted():
    """Least of all with the weights of one fit and the words of another."""
    classifier = LinearClassifier("logistic", features="words:1").fit(["a", "b"], [0, 1])
    with pytest.raises(UsageError, match="expected a number for eta"):
        classifier.set_params(options={"eta": "much"}).fit(["c", "d"], [0, 1])
    with pytest.raises(NotFittedError):
        classifier.predict(["a"])


def test_many_classes_are_no_reason_to_warn():
    classifier = LinearClassifier("perceptron").partial_fit(np.eye(60), np.arange(60), classes=range(70))
    assert classifier.partial_fit(np.eye(60)[:1], [90]).classes_.tolist() == [*range(70), 90]


def test_one_class_is_not_enough_for_fit():
    with pytest.raises(DataError, match="every example is of one class, 'a'; learning needs at least two"):
        LinearClassifier().fit([[0], [1]], ["a", "a"])


def test_balance_needs_all_the_data():
    with pytest.raises(UsageError, match="class_weight='balanced' needs all the data at once"):
        LinearClassifier(class_weight="balanced").partial_fit([[0], [1]], [0, 1])


def test_a_missing_label_is_not_a_class():
    with pytest.raises(DataError, match="expected labels of one kind, found NoneType and str"):
        LinearClassifier().fit([[0], [1], [2]], ["a", None, "b"])


def test_numbers_and_strings_are_not_classes_together():
    classifier = LinearClassifier().partial_fit([[0], [1]], [0, 1])
    with pytest.raises(ValueError, match="Mix of label input types"):
        classifier.partial_fit([[0]], ["a"])
    assert classifier.classes_.tolist() == [0, 1]


def test_the_number_of_features_of_a_matrix_is_fixed():
    classifier = LinearClassifier().partial_fit([[0, 1], [1, 0]], [0, 1])
    with pytest.raises(ValueError, match="X has 3 features, but LinearClassifier is expecting 2"):
        classifier.partial_fit([[0, 1, 2]], [2])
    assert classifier.classes_.tolist() == [0, 1]


def test_clone_and_parameters():
    classifier = LinearClassifier("mira", options={"C": 2}, epochs=3)
    again = clone(classifier.fit([[0], [1]], [0, 1]))
    assert again.get_params() == classifier.get_params()
    assert not hasattr(again, "classes_")
    assert again.set_params(options={"C": 1}).options == {"C": 1}


@pytest.mark.parametrize("name", ["SVM", "structured_svm", "LinearSVC"])
def test_a_learner_goes_by_any_of_its_names(name):
    X, y = [[0.0], [1.0]] * 5, [0, 1] * 5
    ours, theirs = LinearClassifier(name).fit(X, y), LinearClassifier("svm").fit(X, y)
    assert ours.coef_.tolist() == theirs.coef_.tolist()


def test_what_counts_takes_no_negative_values_under_any_name():
    with pytest.raises(ValueError, match="Negative values"):
        LinearClassifier("MultinomialNB").fit([[-1.0], [1.0]], [0, 1])
