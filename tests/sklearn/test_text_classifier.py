"""The classifier over texts, alone and in scikit-learn's pipelines and searches."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline

import linnet
from linnet.errors import DataError
from linnet.learners import LEARNERS
from linnet.sklearn import LinearClassifier, TextVectorizer


def weights(classifier):
    """The weights; of what is not linear, all that it holds in a row."""
    if classifier._learned.learning.preset.linear:
        return classifier._learned.W
    return np.concatenate([part.ravel() for part in classifier._learned.weights])


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("dev", [None, 0.3])
def test_it_learns_what_linnet_train_learns(texts, topics, name, dev):
    how = {"learner": name, "features": "words:1-2 tfidf", "dev": dev, "epochs": 4}
    model = linnet.train((texts, topics), seed=3, **how, refit=False)
    classifier = LinearClassifier(**how, random_state=3).fit(texts, topics)
    for ours, theirs in zip(classifier._learned.weights, model.weights, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert classifier.predict(texts).tolist() == model.predict(texts)
    assert classifier.n_iter_ == len(model.report["epochs"])


@pytest.mark.parametrize("name", LEARNERS)
def test_it_learns_what_a_pipeline_learns(texts, topics, name):
    """A matrix is numbers to learners by heart, which compare texts by the cosine; so it is named for the pipeline."""
    by_heart = {"neighbours": {"k": 1, "metric": "cosine"}, "parzen": {"metric": "cosine"}}
    spec, options = "words:1-2 log tfidf", by_heart.get(name, {})
    pipeline = make_pipeline(TextVectorizer(spec), LinearClassifier(name, options=options)).fit(texts, topics)
    classifier = LinearClassifier(name, features=spec, options=options).fit(texts, topics)
    np.testing.assert_array_equal(weights(classifier), weights(pipeline[-1]))
    np.testing.assert_array_equal(classifier.decision_function(texts), pipeline.decision_function(texts))
    assert pipeline.score(texts, topics) == np.mean(classifier.predict(texts) == topics) > 0.8
    names = classifier.vectorizer_.get_feature_names_out().tolist()
    assert names == pipeline[0].get_feature_names_out().tolist()
    if not LEARNERS[name].linear:
        return
    # "team" is in two texts, both about sport
    at = names.index("team")
    assert classifier.coef_[:, at].argmax() == classifier.classes_.tolist().index("sport")


def test_naive_bayes_by_hand():
    # 2 texts of each class; good: + 2 of 3 words, - 0 of 2; V = 4 words; alpha = 1
    classifier = LinearClassifier("naive-bayes", features="words:1")
    classifier.fit(["good good", "fine", "bad", "poor"], ["+", "+", "-", "-"])
    # p(+ | good) = 3/7 / (3/7 + 1/6)
    p = (3 / 7) / (3 / 7 + 1 / 6)
    np.testing.assert_allclose(classifier.predict_proba(["a good film"]), [[p, 1 - p]], rtol=1e-6)
    assert classifier.predict(["a good film", "poor"]).tolist() == ["+", "-"]


def test_cross_validation_and_search(texts, topics):
    """The words of the topics below are in no other topic, so that naive Bayes cannot go wrong."""
    plain = [f"{topic} {i % 3}" for i, topic in enumerate(topics)]
    classifier = LinearClassifier("naive-bayes", features="words:1")
    assert cross_val_score(classifier, plain, topics, cv=3).tolist() == [1, 1, 1]
    p = cross_val_predict(classifier, plain, topics, cv=3, method="predict_proba")
    assert np.array(["food", "news", "sport"])[p.argmax(axis=1)].tolist() == topics
    grid = {"features": ["chars:1", "words:1"], "options": [{"alpha": 1}, {"alpha": 0.1}]}
    search = GridSearchCV(classifier, grid, cv=3, error_score="raise").fit(plain, topics)
    assert search.best_score_ == 1
    assert search.predict(["news 1"]).tolist() == ["news"]
    assert search.best_estimator_.vectorizer_.features == search.best_params_["features"]


def test_search_through_a_pipeline(texts, topics):
    pipeline = make_pipeline(TextVectorizer(), LinearClassifier(epochs=3))
    grid = {
        "textvectorizer__features": ["words:1", "words:1 tfidf"],
        "linearclassifier__learner": ["logistic", "averaged-mira"],
    }
    search = GridSearchCV(pipeline, grid, cv=2, error_score="raise", n_jobs=None).fit(texts, topics)
    assert len(search.cv_results_["mean_test_score"]) == 4
    best = max(search.cv_results_["mean_test_score"])
    assert search.best_score_ == best
    again = cross_val_score(search.best_estimator_, texts, topics, cv=2).mean()
    assert again == best


@pytest.mark.parametrize("column", [tuple, np.array, pd.Series, pl.Series, pa.array, lambda t: pa.chunked_array([t])])
def test_texts_and_topics_may_come_from_anywhere(texts, topics, column):
    expected = LinearClassifier(features="words:1").fit(texts, topics)
    classifier = LinearClassifier(features="words:1").fit(column(texts), column(topics))
    np.testing.assert_array_equal(weights(classifier), weights(expected))
    assert classifier.classes_.tolist() == ["food", "news", "sport"]
    assert classifier.predict(column(texts)).tolist() == expected.predict(texts).tolist()
    assert classifier.partial_fit(column(["x"]), column(["zoo"])).classes_.tolist()[-1] == "zoo"


def test_weights_of_examples_reach_the_texts(texts, topics):
    weight = np.arange(18) % 3
    weighted = LinearClassifier("naive-bayes", features="words:1").fit(texts, topics, sample_weight=weight)
    rows = np.repeat(np.arange(18), weight)
    repeated = LinearClassifier("naive-bayes", features="words:1")
    repeated.fit([texts[i] for i in rows], [topics[i] for i in rows])
    np.testing.assert_allclose(weighted.predict_proba(texts), repeated.predict_proba(texts), rtol=1e-5)


# More of everything


@pytest.mark.parametrize("name", [name for name in LEARNERS if not LEARNERS[name].needs_all])
def test_words_and_classes_may_come_up_later(texts, topics, name):
    """Without inverse document frequencies, batches are the same as all at once with every class known."""
    options = {"eta": 0.05} if "eta" in LEARNERS[name].options else {}
    order = np.argsort(topics, kind="stable").tolist()
    stream = LinearClassifier(name, features="words:1", options=options)
    whole = LinearClassifier(name, features="words:1", options=options)
    sizes = []
    for start in range(0, 18, 4):
        part = order[start : start + 4]
        X, y = [texts[i] for i in part], [topics[i] for i in part]
        stream.partial_fit(X, y, classes=["food", "news", "sport"])
        sizes.append(len(stream.vectorizer_.get_feature_names_out()))
    assert sizes == sorted(set(sizes))
    whole.partial_fit([texts[i] for i in order], [topics[i] for i in order])
    assert stream.vectorizer_.get_feature_names_out().tolist() == whole.vectorizer_.get_feature_names_out().tolist()
    np.testing.assert_array_equal(weights(stream), weights(whole))


def test_a_new_class_with_new_words_is_learned():
    classifier = LinearClassifier("averaged-mira", features="words:1-2")
    classifier.fit(["good film", "fine film", "bad film", "poor film"], ["+", "+", "-", "-"])
    before = classifier.coef_.shape
    for _ in range(3):
        classifier.partial_fit(["quite average"], ["0"])
    assert classifier.classes_.tolist() == ["+", "-", "0"]
    assert before == (1, 9)
    assert classifier.coef_.shape == (3, 12)
    # quite, average, quite average
    assert classifier.vectorizer_.get_feature_names_out()[9:].tolist() == ["quite", "average", "quite average"]
    assert classifier.predict(["good", "bad", "average"]).tolist() == ["+", "-", "0"]


def test_a_pickle_knows_its_words(texts, topics):
    original = LinearClassifier("logistic", features="words:1 tfidf min=2").fit(texts[:12], topics[:12])
    again = pickle.loads(pickle.dumps(original))
    np.testing.assert_array_equal(again.predict_proba(texts), original.predict_proba(texts))
    for classifier in (original, again):
        classifier.partial_fit(texts[12:], topics[12:])
    np.testing.assert_array_equal(weights(again), weights(original))
    assert again.vectorizer_.get_feature_names_out().tolist() == original.vectorizer_.get_feature_names_out().tolist()


def test_a_second_fit_may_read_something_else(texts, topics):
    classifier = LinearClassifier(features="words:1").fit(texts, topics)
    classifier.set_params(features=None).fit([[0, 1], [1, 0]], [0, 1])
    assert classifier.predict([[0, 1]]).tolist() == [0]
    assert not hasattr(classifier, "vectorizer_")
    classifier.set_params(features="words:1").fit(texts, topics)
    assert classifier.predict(texts[:1]).tolist() == ["food"]
    assert not hasattr(classifier, "n_features_in_")


# Defaults


@pytest.mark.parametrize("long", [False, True])
def test_the_defaults_are_those_of_training_to_the_bit(texts, topics, long):
    X = [" ".join([text] * 40) for text in texts] if long else texts
    model = linnet.train((X, topics))
    for given in (X, pd.Series(X), np.array(X)):
        own = LinearClassifier().fit(given, topics).model_
        assert (own.learner, own.options, str(own.features.spec)) == (
            model.learner,
            model.options,
            str(model.features.spec),
        )
        assert own.weights[0].tobytes() == model.weights[0].tobytes()
    assert ("chars" in str(model.features.spec)) is not long


def test_what_is_named_is_taken_and_the_rest_is_the_default(texts, topics):
    assert LinearClassifier(features="words:1").fit(texts, topics).model_.learner == "nb-svm"
    named = LinearClassifier("logistic").fit(texts, topics).model_
    assert named.learner == "logistic"
    assert str(named.features.spec) == str(linnet.train((texts, topics)).features.spec)
    assert LinearClassifier(options={"C": 0.25}).fit(texts, topics).model_.options["C"] == 0.25


def test_the_default_over_a_matrix_and_in_parts_learns_one_example_at_a_time(texts, topics):
    assert LinearClassifier().partial_fit(texts, topics).model_.learner == "averaged-mira"
    over_matrix = LinearClassifier().fit([[0, 1], [1, 0]], [0, 1])
    as_named = LinearClassifier("averaged-mira").fit([[0, 1], [1, 0]], [0, 1])
    assert np.array_equal(over_matrix.coef_, as_named.coef_)


def test_what_was_fitted_by_default_goes_on_from_its_weights(texts, topics):
    classifier = LinearClassifier().fit(texts, topics)
    session = classifier.model_.session()
    new, label = "a kiln for glass", "craft"
    session.learn(texts[0], topics[0])
    classifier.partial_fit(texts[:1], topics[:1])
    assert classifier.model_.learner == session.learner == "mira"
    np.testing.assert_allclose(classifier.decision_function(texts), session.model().scores(texts), rtol=1e-6)
    assert classifier.partial_fit([new], [label]).predict([new]).tolist() == [label]
    assert not hasattr(LinearClassifier("nb-svm"), "partial_fit")


# What is refused


@pytest.mark.parametrize("method", ["fit", "partial_fit"])
def test_a_table_is_refused(texts, topics, method):
    classifier = LinearClassifier(features="words:1")
    frame = pd.DataFrame({"text": texts, "topic": topics})
    with pytest.raises(DataError, match=r"found a table\. Pass one of its columns \('text', 'topic'\)"):
        getattr(classifier, method)(frame, topics)
    classifier.fit(texts, topics)
    with pytest.raises(DataError, match="found a table"):
        classifier.predict(frame)
    with pytest.raises(DataError, match="found a single string"):
        classifier.predict("one text")


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (["a", "b"], ["x"], "inconsistent numbers of samples"),
        ([], [], "minimum of 1 is required|no texts to learn from"),
        (["a", "b"], None, "requires y to be passed"),
        (["a", "b"], [1.5, 2.5], "Unknown label type"),
        (["a", "b"], [1.0, np.nan], "NaN"),
        (["a", 3], ["x", "y"], "expected text at position 1, found int"),
        (["", " "], ["x", "y"], "no feature of 'words:1' is left"),
    ],
)
def test_texts_and_labels_must_fit(X, y, message):
    with pytest.raises(ValueError, match=message):
        LinearClassifier(features="words:1").fit(X, y)


def test_nothing_to_predict_is_no_error(texts, topics):
    classifier = LinearClassifier("logistic", features="words:1").fit(texts, topics)
    assert classifier.predict([]).tolist() == []
    assert classifier.predict_proba([]).shape == (0, 3)


def test_text_is_what_scikit_learn_is_told():
    tags = LinearClassifier(features="words:1").__sklearn_tags__().input_tags
    assert (tags.string, tags.two_d_array, tags.sparse) == (True, False, False)
    tags = LinearClassifier("naive-bayes").__sklearn_tags__().input_tags
    assert (tags.string, tags.two_d_array, tags.sparse, tags.positive_only) == (False, True, True, True)
