"""Models of weights that a person gives."""

import copy

import numpy as np
import pytest

import linnet

WEIGHTS = {"neg": {"dull": 2.0, "not fine": 1.5}, "pos": {"bias": 0.5, "fine": 1.0}, "so-so": {"bias": 0.25}}


@pytest.fixture
def model():
    return linnet.make(WEIGHTS, features="words:1-2")


def test_three_labels(model):
    texts = ["a fine film", "dull", "not fine", ""]
    expected = [[0, 1.5, 0.25], [2, 0.5, 0.25], [1.5, 1.5, 0.25], [0, 0.5, 0.25]]
    assert model.scores(texts) == pytest.approx(np.array(expected))
    assert model.predict(texts) == ["pos", "neg", "neg", "pos"]
    exp = np.exp(expected)
    assert model.predict_proba(texts) == pytest.approx(exp / exp.sum(axis=1, keepdims=True), abs=1e-6)


def test_it_is_a_model_like_any_other(model, tmp_path):
    why = model.explain("a fine film")
    assert (why.label, why.against, why.score, why.bias) == ("pos", "so-so", 1.25, 0.25)
    assert {item.feature: item.contribution for item in why.contributions} == {"fine": 1.0}
    assert model.evaluate(["fine", "dull"], ["pos", "pos"]).accuracy == 0.5
    assert model.strongest()["neg"][0].feature == "dull"
    model.save(tmp_path / "given.linnet")
    again = linnet.load(tmp_path / "given.linnet")
    assert (again.learner, again.labels) == ("given", ("neg", "pos", "so-so"))
    for same in (again, copy.deepcopy(model)):
        assert np.array_equal(same.weights[0], model.weights[0])
        assert same.predict(["a fine film"]) == ["pos"]


def test_learning_goes_on_from_given_weights(model):
    session = model.session(learner="logistic")
    assert session.said == "goes on from the weights alone, by 'logistic'"
    session.learn("a slow film", "neg")
    learned = session.model()
    assert learned.predict(["slow"]) == ["neg"]
    assert model.session().said == "goes on from the weights alone, by 'mira'"


def test_labels_come_back_as_they_came():
    model = linnet.make({1: {"fine": 2}}, labels=[0, 1])
    assert (model.predict(["fine", "dull"]), model.label_values) == ([1, 0], (0, 1))


def test_one_label_alone_must_be_named():
    assert linnet.make({"a": {"x": 1}}, labels=["a"]).predict(["x"]) == ["a"]
    with pytest.raises(linnet.DataError) as caught:
        linnet.make({"a": {"x": 1}})
    assert str(caught.value) == (
        "weights: 'a' is the only label. Name all labels in their order: --labels a,OTHER on the command line, labels= in "
        'Python, "labels" in JSON. A label without weights scores 0.'
    )


def test_columns_are_features_too():
    weights = {"yes": {"country=DE": 1.0, "age": 0.1, "age=": -1.0}}
    model = linnet.make(weights, features="column:country number:age", labels=["no", "yes"])
    rows = [{"country": "DE", "age": 30}, {"country": "FR", "age": None}, {"country": "", "age": -7}]
    assert model.scores(rows)[:, 1] == pytest.approx([4.0, -1.0, -0.7])


@pytest.mark.parametrize(
    ("weights", "more", "error", "message"),
    [
        ({}, {}, linnet.DataError, "weights: there is no label."),
        (
            {"a": {"x": 1}},
            {"labels": ["b", "c"]},
            linnet.DataError,
            "weights: there are weights for label 'a', but the labels are: b, c.",
        ),
        (
            {"a": {}},
            {"labels": ["b", "b"]},
            linnet.DataError,
            "weights: expected each label once, found 'b' among ['b', 'b'].",
        ),
        ({"a": 1}, {}, linnet.UsageError, "expected a dict of features with their weights for label 'a', found 1."),
        (
            {"a": {"x": "1"}},
            {},
            linnet.UsageError,
            "expected a number as the weight of 'x' for label 'a', found '1'.",
        ),
        (
            {"a": {"x": float("nan")}},
            {},
            linnet.UsageError,
            "expected a number as the weight of 'x' for label 'a', found nan.",
        ),
        (
            {"a": {"x": 1}, "b": {}},
            {"features": "words:1 bm25"},
            linnet.UsageError,
            "bm25 needs the document frequencies of data, and typed weights come without data. Use counts, presence or log.",
        ),
    ],
)
def test_what_cannot_be_made(weights, more, error, message):
    with pytest.raises(error) as caught:
        linnet.make(weights, **more)
    assert str(caught.value) == message


def test_an_unknown_feature_of_a_file_is_named_with_its_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "w.csv").write_text("feature,neg,pos\nfine,0,1\nvery fine,0,2\n")
    with pytest.raises(linnet.DataError, match=r"^w\.csv:3: no text has the feature 'very fine' of 'words:1'\."):
        linnet.make("w.csv")
    assert linnet.make("w.csv", features="words:1-2").predict(["fine"]) == ["pos"]


def test_nothing_learns_by_the_name_of_given_weights():
    with pytest.raises(
        linnet.UsageError, match="^learner 'given' stands for weights that a person gives, and learns nothing"
    ):
        linnet.train((["a", "b"], ["x", "y"]), learner="given")
