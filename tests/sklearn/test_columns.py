"""Naive Bayes over dense matrices whose columns are numbers or categories."""

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.naive_bayes import CategoricalNB, GaussianNB

import linnet
from linnet.errors import DataError, UsageError
from linnet.sklearn import LinearClassifier, OrdinalClassifier, TextVectorizer


def bayes(event, **options):
    return LinearClassifier("naive-bayes", options={"event": event, **options})


def joint(model, X):
    """ln P(x, y) less that of the first class."""
    theta = model.predict_joint_log_proba(X)
    return theta if theta.shape[1] > 2 else theta[:, 1] - theta[:, 0]


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
@pytest.mark.parametrize("smoothing", [1e-9, 1e-3])
def test_gaussian_is_gaussian_nb(load, smoothing):
    X, y = load(return_X_y=True)
    ours = bayes("gaussian", var_smoothing=smoothing).fit(X[::2], y[::2])
    peer = GaussianNB(var_smoothing=smoothing).fit(X[::2], y[::2])
    assert ours.predict(X).tolist() == peer.predict(X).tolist()
    np.testing.assert_allclose(ours.decision_function(X), joint(peer, X), rtol=1e-4, atol=0.01)
    np.testing.assert_allclose(ours.predict_proba(X), peer.predict_proba(X), atol=1e-4)


def test_gaussian_where_a_number_never_varies_within_a_label():
    # Of digits, many pixels are always 0 in some of the labels: their variance is a billionth of the greatest.
    X, y = load_digits(return_X_y=True)
    assert bayes("gaussian").fit(X, y).predict(X).tolist() == GaussianNB().fit(X, y).predict(X).tolist()


def test_gaussian_by_hand():
    # Label 0 has 1 and 3: mu = 2, v = 1. Label 1 has 5 and 9: mu = 7, v = 4. v of all is 8.75, so 1e-9 of it is nothing.
    ours = bayes("gaussian").fit([[1.0], [3.0], [5.0], [9.0]], [0, 0, 1, 1])
    # ln N(4; 7, 4) - ln N(4; 2, 1) = (-9/8 - ln 2) - (-2)
    assert ours.decision_function([[4.0]])[0] == pytest.approx(7 / 8 - np.log(2), abs=1e-5)
    assert ours.coef_.tolist()[0][1:] == pytest.approx([7 / 4 - 2, -1 / 8 + 1 / 2], abs=1e-5)


def test_gaussian_far_from_zero_and_in_small_units():
    X, y = load_iris(return_X_y=True)
    for moved in (X + 1e6, X * 1e-6, X * 1e6):
        peer = GaussianNB().fit(moved, y)
        np.testing.assert_allclose(
            bayes("gaussian").fit(moved, y).predict_proba(moved), peer.predict_proba(moved), atol=1e-3
        )


def test_gaussian_weighs_examples_as_gaussian_nb():
    X, y = load_iris(return_X_y=True)
    weight = np.random.default_rng(0).random(len(y))
    ours = bayes("gaussian").fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(
        ours.predict_proba(X), GaussianNB(var_smoothing=1e-9).fit(X, y, weight).predict_proba(X), atol=1e-4
    )


def test_gaussian_in_parts_is_that_of_all():
    X, y = load_iris(return_X_y=True)
    parts = bayes("gaussian")
    for rows in np.array_split(np.random.default_rng(0).permutation(len(y)), 4):
        parts = pickle.loads(pickle.dumps(parts.partial_fit(X[rows], y[rows])))
    np.testing.assert_allclose(parts.predict_proba(X), GaussianNB().fit(X, y).predict_proba(X), atol=1e-4)


def test_a_class_that_is_still_to_come_is_impossible():
    X, y = load_iris(return_X_y=True)
    ours = bayes("gaussian").partial_fit(X[y < 2], y[y < 2], classes=[0, 1, 2])
    assert ours.predict_proba(X)[:, 2].tolist() == [0] * len(y)
    assert not np.isnan(ours.decision_function(X)).any()


@pytest.fixture
def codes():
    """Codes of four columns, the second with gaps in it."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, (60, 4))
    X[:, 1] *= 2
    return X, rng.integers(0, 3, 60)


@pytest.mark.parametrize("alpha", [0.3, 1.0])
def test_categorical_is_categorical_nb(codes, alpha):
    X, y = codes
    ours, peer = bayes("categorical", alpha=alpha).fit(X, y), CategoricalNB(alpha=alpha).fit(X, y)
    np.testing.assert_allclose(ours.decision_function(X), joint(peer, X), atol=1e-5)
    np.testing.assert_allclose(ours.coef_, np.hstack(peer.feature_log_prob_), atol=1e-5)


def test_categorical_in_parts_with_codes_that_come_later(codes):
    X, y = codes
    ours, peer = bayes("categorical"), CategoricalNB()
    for rows in np.array_split(np.argsort(X[:, 0]), 3):
        ours = pickle.loads(pickle.dumps(ours.partial_fit(X[rows], y[rows], classes=[0, 1, 2])))
        peer.partial_fit(X[rows], y[rows], classes=[0, 1, 2])
        np.testing.assert_allclose(ours.decision_function(X[rows]), joint(peer, X[rows]), atol=1e-5)


def test_a_code_that_was_never_seen_says_nothing(codes):
    X, y = codes
    ours = bayes("categorical").fit(X, y)
    theta = ours.decision_function([[9, 0, 0, 0]]) - ours.decision_function([[0, 0, 0, 0]])
    np.testing.assert_allclose(theta[0], -ours.coef_[:, 0], atol=1e-6)


def test_what_is_no_column(codes):
    X, y = codes
    with pytest.raises(
        DataError, match=r"^expected whole numbers from 0 on as categories, found 4.5. Use OrdinalEncoder"
    ):
        bayes("categorical").fit(X + 0.5, y)
    with pytest.raises(DataError, match=r"^expected whole numbers from 0 on as categories, found -1."):
        bayes("categorical").fit(X - 1, y)
    with pytest.raises(DataError, match="^X contains values too large to be squared in float32"):
        bayes("gaussian").fit(X * 1e30, y)
    with pytest.raises(TypeError, match="[Dd]ense"):
        bayes("gaussian").fit(sparse.csr_array(X), y)
    with pytest.raises(UsageError, match=r"^event=gaussian is for numbers \(number:NAME\) alone\."):
        LinearClassifier("naive-bayes", features="words:1", options={"event": "gaussian"}).fit(["a", "b"], [0, 1])


def people():
    age = np.array([20.0, 30, 35, 60, 70, np.nan])
    return pd.DataFrame({"text": ["a"] * 6, "age": age, "sex": list("fmfmfm")}), np.array([0, 0, 0, 1, 1, 1])


@pytest.mark.parametrize("learner", ["naive-bayes", "svm", "averaged-mira"])
def test_a_data_frame_with_a_text_and_other_columns(learner):
    X, y = people()
    model = LinearClassifier(learner, features="words:1 number:age column:sex").fit(X, y)
    assert model.predict(X)[:5].tolist() == y[:5].tolist()
    again = pickle.loads(pickle.dumps(model))
    assert again.decision_function(X).tolist() == model.decision_function(X).tolist()
    if learner == "naive-bayes":
        peer = linnet.train((X, y), learner=learner, features="words:1 number:age column:sex")
        np.testing.assert_allclose(model.predict_proba(X), peer.predict_proba(X), atol=1e-6)


def test_columns_of_a_data_frame_as_a_matrix():
    X, _ = people()
    vectorizer = TextVectorizer("column:sex number:age").fit(X)
    assert vectorizer.get_feature_names_out().tolist() == ["sex=f", "sex=m", "age=", "age", "age^2"]
    assert vectorizer.transform(X[5:]).toarray().tolist() == [[0, 1, 1, 0, 0]]


def test_ratings_by_a_column():
    X, _ = people()
    X, y = X[:5], [1, 2, 2, 4, 5]
    model = OrdinalClassifier(features="number:age").fit(X, y)
    assert np.all(np.diff(model.decision_function(X)[:, -1]) > 0)
