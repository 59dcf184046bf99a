"""Naive Bayes beyond the examples of the lectures."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import linnet
from linnet.sklearn import LinearClassifier


def trained(texts, labels, alpha=1.0, **options):
    return linnet.train((texts, labels), learner="naive-bayes", features="words:1", options={"alpha": alpha}, **options)


@given(
    st.lists(st.tuples(st.text("abc ", min_size=1, max_size=9), st.sampled_from("xyz")), min_size=2, max_size=12),
    st.sampled_from([0.1, 1.0, 3.0]),
)
def test_scores_are_the_smoothed_log_counts(rows, alpha):
    texts, labels = map(list, zip(*rows, strict=True))
    assume(len(set(labels)) > 1 and any(text.split() for text in texts))
    model = trained(texts, labels, alpha)
    words = model.features.names()
    count = np.array(
        [[sum(text.split().count(w) for text, label in rows if label == y) for y in model.labels] for w in words]
    )
    expected = np.log((count + alpha) / (count.sum(axis=0) + alpha * len(words)))
    assert model.weights[0][1:, : len(model.labels)] == pytest.approx(expected, abs=1e-5)
    prior = np.array([labels.count(y) / len(labels) for y in model.labels])
    assert model.weights[0][0, : len(model.labels)] == pytest.approx(np.log(prior), abs=1e-6)


def test_counting_twice_would_be_wrong_so_epochs_are_not_asked_for():
    model = trained(["a", "b"], ["x", "y"], epochs=7)
    assert len(model.report["epochs"]) == 1
    assert model.report["stopped"] == "one pass is all there is"
    assert np.array_equal(model.weights, trained(["a", "b"], ["x", "y"]).weights)


def test_scikit_learn_agrees():
    peer = pytest.importorskip("sklearn.naive_bayes").MultinomialNB(alpha=0.5)
    vectorizer = pytest.importorskip("sklearn.feature_extraction.text").CountVectorizer(token_pattern=r"\w+")
    texts = ["a b b", "b c", "c c a d", "d", "a a"]
    labels = ["x", "x", "y", "y", "z"]
    peer.fit(vectorizer.fit_transform(texts), labels)
    model = trained(texts, labels, 0.5)
    new = ["a b", "c d d", "b"]
    assert model.predict_proba(new) == pytest.approx(peer.predict_proba(vectorizer.transform(new)), abs=1e-6)


def test_a_label_whose_texts_have_no_words_does_not_win_by_maximum_likelihood():
    # alpha = 0 and no counts: 0 / 0 must not become a NaN, which argmax never leaves again.
    model = trained(["", "word"], ["a", "b"], alpha=0)
    assert not np.isnan(model.scores(["word"])).any()
    assert model.predict(["word"]) == ["b"]


def random_counts(seed=0, most=4):
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1, 2], [20, 9, 4])
    X = rng.poisson(rng.uniform(0, 1.5, (3, 12))[y]).clip(0, most).astype(np.float32)
    return X, y, rng.poisson(0.7, (10, 12)).clip(0, most).astype(np.float32)


@pytest.mark.parametrize("alpha", [0.3, 1.0])
def test_bernoulli_is_that_of_scikit_learn(alpha):
    X, y, new = random_counts(most=1)
    peer = pytest.importorskip("sklearn.naive_bayes").BernoulliNB(alpha=alpha).fit(X, y)
    model = LinearClassifier("naive-bayes", options={"event": "bernoulli", "alpha": alpha}).fit(X, y)
    assert model.decision_function(new) == pytest.approx(peer.predict_joint_log_proba(new), abs=1e-5)


@pytest.mark.parametrize("alpha", [0.3, 1.0])
def test_complement_is_that_of_scikit_learn_with_the_prior(alpha):
    # scikit-learn leaves ln P(y) out, which the paper has.
    X, y, new = random_counts()
    peer = pytest.importorskip("sklearn.naive_bayes").ComplementNB(alpha=alpha).fit(X, y)
    model = LinearClassifier("naive-bayes", options={"event": "complement", "alpha": alpha}).fit(X, y)
    assert model.coef_ == pytest.approx(peer.feature_log_prob_, abs=1e-5)
    assert model.intercept_ == pytest.approx(np.log(np.bincount(y) / len(y)), abs=1e-6)
    assert model.decision_function(new) == pytest.approx(
        peer.predict_joint_log_proba(new) + np.log(np.bincount(y) / len(y)), abs=1e-4
    )


def test_counting_in_parts_is_counting():
    X, y, _ = random_counts(most=1)
    for event in ("bernoulli", "complement"):
        whole = LinearClassifier("naive-bayes", options={"event": event}).fit(X, y)
        parts = LinearClassifier("naive-bayes", options={"event": event})
        for rows in np.array_split(np.arange(len(y)), 3):
            parts.partial_fit(X[rows], y[rows], classes=[0, 1, 2])
        assert parts.coef_ == pytest.approx(whole.coef_, abs=1e-6)


def test_bernoulli_refuses_what_is_not_there_or_not():
    X, y, _ = random_counts()
    for options, message in (
        ({}, "event=bernoulli needs features that are 0 or 1. Add `presence raw` to the features."),
        ({"alpha": 0}, "event=bernoulli needs alpha > 0, for what was not seen would be certain not to be there."),
    ):
        with pytest.raises(linnet.UsageError) as caught:
            LinearClassifier("naive-bayes", options={"event": "bernoulli", **options}).fit(X, y)
        assert str(caught.value) == message


TEXTS, GOLD = ["a a b", "a b b c", "c c d", "d d d c c"] * 5, ["x", "x", "x", "y"] * 5


def test_documents_have_the_labels_lengths_and_words_that_the_model_believes_in():
    model = trained(TEXTS, GOLD, alpha=0.5)
    drawn = model.sample(4000, seed=1)
    assert drawn == model.sample(4000, seed=1) != model.sample(4000, seed=2)
    labels, texts = zip(*drawn, strict=True)
    assert labels.count("x") / 4000 == pytest.approx(0.75, abs=0.03)
    # 15 words in four texts; a Poisson variable of that mean, at least 1
    assert np.mean([len(text.split()) for text in texts]) == pytest.approx(3.75 + np.exp(-3.75), abs=0.12)
    words = " ".join(text for label, text in drawn if label == "x").split()
    counts = {"a": 15, "b": 15, "c": 15, "d": 5}
    for word, count in counts.items():
        assert words.count(word) / len(words) == pytest.approx((count + 0.5) / 52, abs=0.02)


def test_documents_of_words_that_are_there_or_not():
    options = {"alpha": 0.5, "event": "bernoulli"}
    model = linnet.train((TEXTS, GOLD), learner="naive-bayes", features="words:1 presence", options=options)
    drawn = model.sample(4000)
    assert sum(label == "x" for label, _ in drawn) / 4000 == pytest.approx(0.75, abs=0.03)
    texts = [text.split() for label, text in drawn if label == "x"]
    for word, count in {"a": 10, "b": 10, "c": 10, "d": 5}.items():
        assert np.mean([word in text for text in texts]) == pytest.approx((count + 0.5) / 16, abs=0.03)


def test_what_cannot_write():
    with pytest.raises(linnet.UsageError, match="^learner 'logistic' does not say how probable"):
        linnet.train((TEXTS, GOLD), learner="logistic", features="words:1").sample()
    with pytest.raises(linnet.UsageError, match="^event=complement says"):
        linnet.train((TEXTS, GOLD), learner="naive-bayes", features="words:1", options={"event": "complement"}).sample()
    with pytest.raises(linnet.UsageError, match="^hash= keeps no words"):
        linnet.train((TEXTS, GOLD), learner="naive-bayes", features="words:1 hash=8").sample()
