"""Sets of labels, labels of a tree and ratings as scikit-learn estimators."""

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks

import linnet
from linnet.errors import DataError, UsageError
from linnet.sklearn import HierarchyClassifier, LabelRanker, LabelsetClassifier, OrdinalClassifier

TEXTS = ["wheat and corn", "corn", "gold", "gold and wheat", "nothing", "corn corn", "gold gold", "wheat"] * 3
SETS = [["corn", "wheat"], ["corn"], ["gold"], ["gold", "wheat"], [], ["corn"], ["gold"], ["wheat"]] * 3
LABELS = ["corn", "gold", "wheat"]
TABLE = np.array([[label in one for label in LABELS] for one in SETS]).astype(int)


@parametrize_with_checks([HierarchyClassifier(epochs=100, tol=0), OrdinalClassifier(epochs=100, tol=0)])
def test_scikit_learn_accepts_them(estimator, check):
    check(estimator)


def test_lists_of_labels_come_back_as_lists():
    model = LabelsetClassifier(features="words:1", epochs=20).fit(TEXTS, SETS)
    assert model.classes_.tolist() == LABELS
    assert model.predict(["gold and corn", "nothing"]) == [["corn", "gold"], []]
    assert model.score(TEXTS, SETS) == 1.0


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix, sparse.csr_array])
def test_indicator_matrices_come_back_as_such(kind):
    X = sparse.csr_array(TABLE.astype(float))
    model = LabelsetClassifier(epochs=20).fit(X, kind(TABLE))
    found = model.predict(X)
    assert sparse.issparse(found) == sparse.issparse(kind(TABLE))
    assert (found.toarray() if sparse.issparse(found) else found).tolist() == TABLE.tolist()
    assert model.decision_function(X).shape == TABLE.shape
    assert np.array_equal(model.decision_function(X) > 0, TABLE == 1)


def test_probabilities_of_sets_are_those_of_single_labels():
    model = LabelsetClassifier("logistic", features="words:1").fit(TEXTS, SETS)
    p, theta = model.predict_proba(TEXTS), model.decision_function(TEXTS)
    assert p == pytest.approx(1 / (1 + np.exp(-theta)), abs=1e-6)


def test_a_set_learned_from_lists_and_from_a_table_is_the_same():
    X = sparse.csr_array(TABLE.astype(float))
    by_lists, by_table = LabelsetClassifier().fit(X, SETS), LabelsetClassifier().fit(X, TABLE)
    assert np.array_equal(by_lists.decision_function(X), by_table.decision_function(X))


def test_what_is_no_set_is_refused():
    with pytest.raises(DataError, match="a list of labels for each example"):
        LabelsetClassifier(features="words:1").fit(TEXTS, ["corn"] * len(TEXTS))
    with pytest.raises(DataError, match="an indicator matrix of 0 and 1"):
        LabelsetClassifier().fit(TABLE, 2 * TABLE)
    with pytest.raises(DataError, match="no example has a label"):
        LabelsetClassifier(features="words:1").fit(TEXTS, [[] for _ in TEXTS])
    with pytest.raises(UsageError, match="X is text"):
        LabelsetClassifier().fit(TEXTS, SETS)


def test_a_tree_of_names_of_paths_and_of_ones_own_is_the_same():
    y = ["NUM:date", "NUM:count", "LOC:city", "NUM:date", "LOC:state", "DESC:x", "LOC:city", "NUM:count"] * 3
    own = {label: label.split(":") for label in y}
    by_name = HierarchyClassifier(separator=":", features="words:1").fit(TEXTS, y)
    by_tree = HierarchyClassifier(tree=own, features="words:1").fit(TEXTS, y)
    flat = HierarchyClassifier(features="words:1").fit(TEXTS, y)
    assert np.array_equal(by_name.decision_function(TEXTS), by_tree.decision_function(TEXTS))
    assert not np.array_equal(by_name.decision_function(TEXTS), flat.decision_function(TEXTS))
    with pytest.raises(DataError, match=r"'DESC:x' is not in the tree\. Add its path to tree=\."):
        HierarchyClassifier(tree={"NUM:date": ["NUM", "date"]}, features="words:1").fit(TEXTS, y)


@pytest.mark.parametrize(
    ("parameters", "error", "sentence"),
    [
        ({"tree": {"a": ["x", "a"], "b": "xb"}}, UsageError, "path of label 'b' as a list of strings .*, found 'xb'"),
        (
            {"tree": {"a": ["x", 1], "b": ["b"]}},
            UsageError,
            r"path of label 'a' as a list of strings .*, found \['x', 1\]",
        ),
        (
            {"tree": {"a": ["x"], "b": ["x"]}},
            DataError,
            r"found 'a' with the path \['x'\] and 'b' with the path \['x'\]",
        ),
        ({"tree": {"a": ["a"], "b": ["b"]}, "separator": ":"}, UsageError, r"found both\. Leave one out\."),
        ({"separator": ""}, UsageError, "expected separator to be a mark such as"),
    ],
)
def test_what_is_no_tree_of_labels_is_refused(parameters, error, sentence):
    for learn in ("fit", "partial_fit"):
        with pytest.raises(error, match=sentence):
            getattr(HierarchyClassifier("perceptron", features="words:1", **parameters), learn)(["p", "q"], ["a", "b"])


def test_a_label_may_have_others_below_it():
    texts, y = ["one", "two", "three"] * 2, ["NUM", "NUM:date", "LOC"] * 2
    model = HierarchyClassifier(separator=":", features="words:1").fit(texts, y)
    assert model.classes_.tolist() == ["LOC", "NUM", "NUM:date"]
    assert model.predict(texts).tolist() == y


def test_what_is_predicted_is_what_a_model_of_the_same_data_predicts():
    """With probabilities, what costs least: of ratings the median, which is not always the most probable one."""
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(list("abcdefgh"), 3)) for _ in range(200)]
    ratings = [str(1 + (ord(text[0]) + ord(text[2]) + int(rng.integers(5))) % 5) for text in texts]
    paths = [f"{int(rating) // 3}:{rating}" for rating in ratings]
    for y, task, estimator in (
        (ratings, "ordinal", OrdinalClassifier("logistic", features="words:1")),
        (paths, "hierarchy", HierarchyClassifier("logistic", separator=":", features="words:1")),
    ):
        model = linnet.train((texts, y), task=task, learner="logistic", features="words:1")
        found = estimator.fit(texts, y)
        assert found.predict(texts).tolist() == model.predict(texts)
        assert found.predict(texts).tolist() != found.classes_[found.predict_proba(texts).argmax(axis=1)].tolist()


def test_whole_sets_are_to_be_right_where_it_is_asked_for():
    one, whole = (LabelsetClassifier("pa", costs=costs, features="words:1") for costs in ("hamming", "subset"))
    assert one.fit(TEXTS, SETS).predict(TEXTS) == whole.fit(TEXTS, SETS).predict(TEXTS)
    assert not np.array_equal(one.decision_function(TEXTS), whole.decision_function(TEXTS))
    with pytest.raises(UsageError, match="expected costs to be hamming or subset, found 'f1'"):
        LabelsetClassifier(costs="f1", features="words:1").fit(TEXTS, SETS)


def test_ratings_have_an_order_of_their_own():
    y = ["good", "fair", "bad", "bad", "fair", "good", "bad", "good"] * 3
    model = OrdinalClassifier("logistic", order=["bad", "fair", "good"], features="words:1").fit(TEXTS, y)
    assert model.classes_.tolist() == ["bad", "fair", "good"]
    p = model.predict_proba(TEXTS)
    assert p.sum(axis=1) == pytest.approx(1, abs=1e-6)
    assert np.argmax(p, axis=1).tolist() == np.argmax(model.decision_function(TEXTS), axis=1).tolist()
    with pytest.raises(DataError, match="'good' is not in order"):
        OrdinalClassifier(order=["bad", "fair"], features="words:1").fit(TEXTS, y)


@pytest.mark.parametrize("estimator", [LabelsetClassifier(), OrdinalClassifier(), HierarchyClassifier()])
def test_they_survive_a_pickle(estimator):
    X = TABLE.astype(float)
    y = TABLE if isinstance(estimator, LabelsetClassifier) else TABLE.sum(axis=1)
    model = estimator.fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.decision_function(X), model.decision_function(X))
    assert np.array_equal(again.predict(X), model.predict(X))


def test_cross_validation_takes_them():
    assert cross_val_score(LabelsetClassifier(), TABLE.astype(float), TABLE, cv=3).min() > 0.9


@pytest.mark.parametrize("y", [SETS, TABLE])
def test_a_ranker_puts_relevant_labels_first(y):
    model = LabelRanker("pa2", features="words:1").fit(TEXTS, y)
    found, names = model.predict(["gold and wheat", "corn"]), list(model.classes_)
    assert found.shape == (2, 3)
    assert {names.index(label) for label in found[0, :2]} == {1, 2}
    assert names.index(found[1, 0]) == 0
    scores = model.decision_function(["corn"])[0]
    assert [names.index(label) for label in found[1]] == np.argsort(-scores, kind="stable").tolist()
    has_label = [i for i, one in enumerate(SETS) if one]
    assert model.score([TEXTS[i] for i in has_label], [y[i] for i in has_label]) == 1.0
