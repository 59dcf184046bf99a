"""The joint probability of examples and their labels by naive Bayes."""

import numpy as np
import pyarrow as pa
import pytest

import linnet
from linnet.sklearn import LinearClassifier

TEXTS, GOLD = ["a a b", "a b b c", "c c d", "d d d c c"], ["x", "x", "y", "y"]


def trained(features="words:1", texts=TEXTS, **options):
    return linnet.train((texts, GOLD), learner="naive-bayes", features=features, options=options)


@pytest.mark.parametrize("event", ["multinomial", "categorical", "bernoulli"])
@pytest.mark.parametrize("alpha", [0.5, 2])
def test_the_likelihood_of_the_data_is_that_of_its_texts(event, alpha):
    model = trained("words:1-2 presence", event=event, alpha=alpha)
    each = model.joint(TEXTS)[np.arange(4), [model.labels.index(label) for label in GOLD]]
    assert model.report["likelihood"] == pytest.approx(each.sum(), abs=1e-5)


def test_maximum_likelihood_is_the_maximum():
    best = trained(alpha=0).report["likelihood"]
    assert all(trained(alpha=alpha).report["likelihood"] < best for alpha in (0.1, 1, 5))


def test_all_texts_of_some_words_have_probability_1_together():
    # The multinomial story with two words and texts of length 3: aaa, aab, abb, bbb in any order.
    model = linnet.train((["a a b", "b b"], ["x", "y"]), learner="naive-bayes", features="words:1")
    joint = np.exp(model.joint(["a a a", "a a b", "a b b", "b b b"]))
    assert joint.sum(axis=0) == pytest.approx([1 / 2, 1 / 2])
    # The categorical story: all eight orders.
    ordered = linnet.train(
        (["a a b", "b b"], ["x", "y"]), learner="naive-bayes", features="words:1", options={"event": "categorical"}
    )
    orders = [f"{a} {b} {c}" for a in "ab" for b in "ab" for c in "ab"]
    assert np.exp(ordered.joint(orders)).sum(axis=0) == pytest.approx([1 / 2, 1 / 2])


def test_columns_and_numbers_have_no_coefficient():
    data = pa.table({"text": TEXTS, "country": ["DE", "FR", "DE", "DE"], "age": [1.0, 2.0, 7.0, 9.0]})
    spec = "words:1 column:country number:age"
    models = {
        event: linnet.train((data, GOLD), learner="naive-bayes", features=spec, options={"event": event})
        for event in ("multinomial", "categorical")
    }
    words = {event: trained(event=event) for event in models}
    difference = models["multinomial"].joint(data) - models["categorical"].joint(data)
    assert difference == pytest.approx(words["multinomial"].joint(TEXTS) - words["categorical"].joint(TEXTS))


def test_hidden_markov_models_have_a_likelihood():
    # Of four tags two are D: P(D) = 1/2 starts both sentences, P(N | D) = 1; `the` and `a` are one of two words of D.
    words = {"tokens": [["the", "dog"], ["a", "dog"]], "tags": [["D", "N"], ["D", "N"]]}
    model = linnet.train(words, learner="hmm", features="w", options={"alpha": 0})
    assert model.report["likelihood"] == pytest.approx(2 * np.log(1 / 2 * 1 / 2))


def test_what_has_no_joint_probability():
    assert "likelihood" not in trained("words:1 tfidf").report
    assert "likelihood" not in trained(event="complement").report
    with pytest.raises(
        linnet.UsageError, match="^the multinomial story is one of counts, and features of 'words:1 tfidf'"
    ):
        trained("words:1 tfidf").joint(TEXTS)
    with pytest.raises(
        linnet.UsageError, match="^learner 'naive-bayes' with event=complement has no joint probability"
    ):
        trained(event="complement").joint(TEXTS)
    with pytest.raises(linnet.UsageError, match="^learner 'logistic' has no joint probability of texts and labels"):
        linnet.train((TEXTS, GOLD), learner="logistic", features="words:1").joint(TEXTS)


@pytest.mark.parametrize("learner", ["naive-bayes", "parzen", "neighbours"])
def test_one_label_is_enough_for_a_model_of_how_examples_come_about(learner):
    model = linnet.train((["a b", "a"], ["x", "x"]), learner=learner, features="words:1")
    assert model.predict(["a", "c"]) == ["x", "x"]
    assert model.predict_proba(["a"]).tolist() == [[1.0]]
    classifier = LinearClassifier(learner).fit([[1.0], [2.0]], ["x", "x"])
    assert (classifier.predict([[1.0]]).tolist(), classifier.predict_proba([[1.0]]).tolist()) == (["x"], [[1.0]])


@pytest.mark.parametrize("learner", ["naive-bayes", "parzen", "neighbours"])
def test_many_texts_with_one_label_are_judged_as_well(learner):
    texts = [f"a b{i}" for i in range(30)]
    model = linnet.train((texts, ["x"] * 30), learner=learner, features="words:1")
    report = model.evaluate(texts, ["x"] * 30)
    assert (report.accuracy, report.log_loss, report.losses["hinge"], report.losses["0-1"]) == (1, 0, 0, 0)
    assert model.evaluate(["a"], ["y"]).accuracy == 0


def test_a_session_of_naive_bayes_may_begin_with_one_label():
    session = linnet.Session.begin("labels", ["football"], ["SPORTS"], learner="naive-bayes", features="words:1")
    session.learn("election", "POLITICS")
    assert session.predict("election") == "POLITICS"


def test_one_label_is_explained_by_itself():
    why = linnet.train((["a b", "a"], ["x", "x"]), learner="naive-bayes", features="words:1").explain("a")
    assert (why.label, why.against) == ("x", "")
    assert why.score == pytest.approx(np.log(3 / 5))


def test_texts_that_no_label_can_have():
    model = trained(alpha=0)
    assert model.predict_proba(["a d"]).sum() == pytest.approx(1)
    zero = trained(alpha=0, impossible="zero")
    assert zero.predict_proba(["a d", "a b"]).tolist() == [[0.0, 0.0], [1.0, 0.0]]
    assert zero.predict(["a d"]) == model.predict(["a d"])
