"""Naive Bayes beyond the examples of the lectures."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import linnet


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
