"""Accuracy, precision, recall, F1 and log loss: by hand, and as scikit-learn has them."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

import linnet
from linnet.errors import DataError
from linnet.evaluate.label_score import LabelScore
from linnet.tasks.labels.measures import Wrong, evaluate_labels
from linnet.tasks.labels.terminal import labels_report

labels = st.sampled_from("abcd")


def test_by_hand():
    # a: 2 of 3 guesses are right and 2 of 4 are found: F1 = 2 2 / (3 + 4). b: 1 of 3, 1 of 2: 2 / 5. c is never there.
    report = evaluate_labels(list("aaaabb"), list("aabbba"), "abc")
    assert report.n == 6
    assert report.accuracy == report.micro_f1 == 0.5
    assert report.per_label == {
        "a": LabelScore(pytest.approx(2 / 3), 0.5, pytest.approx(4 / 7), 4),
        "b": LabelScore(pytest.approx(1 / 3), 0.5, pytest.approx(2 / 5), 2),
        "c": LabelScore(0, 0, 0, 0),
    }
    assert report.macro_f1 == pytest.approx((4 / 7 + 2 / 5) / 2)  # over the labels that were seen or guessed
    assert report.log_loss is None


@given(st.lists(st.tuples(labels, labels), min_size=1, max_size=30))
def test_scikit_learn_agrees(pairs):
    metrics = pytest.importorskip("sklearn.metrics")
    gold, predicted = zip(*pairs, strict=True)
    report = evaluate_labels(gold, predicted, "abcd")
    names = sorted({*gold, *predicted})
    f1 = metrics.f1_score(gold, predicted, average="macro", zero_division=0)
    precision, recall, per_label, support = metrics.precision_recall_fscore_support(
        gold, predicted, labels=names, zero_division=0
    )
    assert report.accuracy == pytest.approx(metrics.accuracy_score(gold, predicted))
    assert report.micro_f1 == pytest.approx(metrics.f1_score(gold, predicted, average="micro"))
    assert report.macro_f1 == pytest.approx(f1)
    for k, name in enumerate(names):
        assert report.per_label[name] == LabelScore(
            pytest.approx(precision[k]), pytest.approx(recall[k]), pytest.approx(per_label[k]), support[k]
        )


@given(st.integers(0, 10**6))
def test_the_log_loss_of_scikit_learn_agrees(seed):
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.ones(3), 12)
    gold = rng.choice(list("abc"), 12).tolist()
    report = evaluate_labels(gold, gold, "abc", p)
    assert report.log_loss == pytest.approx(metrics.log_loss(gold, p, labels=list("abc")))


def test_the_log_loss_by_hand():
    p = np.array([[0.5, 0.5], [0.25, 0.75]])
    assert evaluate_labels("ab", "ab", "ab", p).log_loss == pytest.approx(-(math.log(0.5) + math.log(0.75)) / 2)


def test_the_columns_of_probabilities_are_in_the_order_of_the_labels():
    p = np.array([[0.5, 0.5], [0.25, 0.75]])
    assert evaluate_labels("ab", "ab", "ba", p).log_loss == pytest.approx(-(math.log(0.5) + math.log(0.25)) / 2)


def test_a_probability_of_0_is_costly_but_finite():
    assert evaluate_labels("a", "b", "ab", np.array([[0.0, 1.0]])).log_loss == pytest.approx(-math.log(1e-15))


def test_a_gold_label_that_the_model_does_not_know():
    report = evaluate_labels(["a", "new"], ["a", "a"], "ab", np.array([[1.0, 0.0], [0.5, 0.5]]))
    assert report.accuracy == 0.5
    assert report.per_label["new"] == LabelScore(0, 0, 0, 1)
    assert report.macro_f1 == pytest.approx((2 / 3 + 0) / 2)
    assert report.log_loss == pytest.approx(0)  # of the one that it knows
    assert report.unknown == report.as_dict()["unknown"] == {"new": 1}


def test_no_two_lines_contradict_each_other_where_a_label_is_unknown():
    theta = np.log([[0.9, 0.1], [0.4, 0.6], [0.5, 0.5]])
    report = evaluate_labels(["a", "a", "new"], ["a", "b", "a"], "ab", np.exp(theta), theta)
    assert report.losses["log"] == pytest.approx(report.log_loss)
    assert report.log_loss == pytest.approx(-(math.log(0.9) + math.log(0.4)) / 2)
    console = Console(width=120, color_system=None)
    with console.capture() as shown:
        console.print(labels_report(report))
    text = shown.get()
    assert "1 example has a label that the model does not know: 'new' (1). Each counts as an error." in text
    assert "mean loss, known labels" in text


def test_a_label_that_costs_least_is_what_is_counted_and_not_the_most_probable():
    p = np.array([[0.6, 0.4], [0.6, 0.4]])
    report = evaluate_labels("bb", "bb", "ab", p, np.log(p))
    assert (report.accuracy, report.losses["0-1"]) == (1, 0)
    assert report.reliability.confidence == pytest.approx((0.4,))
    assert report.reliability.right == (1.0,)
    assert report.expected_losses["0-1"] == pytest.approx(0.6)


def test_a_model_on_a_label_that_it_does_not_know():
    model = linnet.train((["x", "y"], "ab"), features="words", learner="perceptron")
    report = model.evaluate(["x", "y", "x"], ["a", "b", "c"])
    assert report.accuracy == pytest.approx(2 / 3)
    assert report.per_label["c"].support == 1
    assert report.log_loss is None


def test_the_log_loss_of_a_model():
    model = linnet.train((["x", "y"], "ab"), features="words", learner="naive-bayes")
    # p(a | x) = 1/2 2/3 over 1/2 2/3 + 1/2 1/3
    assert model.evaluate(["x", "y"], ["a", "a"]).log_loss == pytest.approx(
        -(math.log(2 / 3) + math.log(1 / 3)) / 2, abs=1e-6
    )


def test_as_a_dictionary():
    with_loss = evaluate_labels("a", "a", "a", np.array([[1.0]])).as_dict()
    assert with_loss == {
        "n": 1, "accuracy": 1, "macro_f1": 1, "micro_f1": 1, "log_loss": 0, "brier": 0, "ece": 0,
        "per_label": {"a": {"precision": 1, "recall": 1, "f1": 1, "support": 1}}, "confusion": [[1]],
        "reliability": {"confidence": [1], "right": [1], "size": [1]},
    }  # fmt: skip
    assert not {"log_loss", "brier", "ece"} & set(evaluate_labels("a", "a", "a").as_dict())


@given(st.lists(st.tuples(labels, labels), min_size=1, max_size=30))
def test_the_confusion_of_scikit_learn_agrees(pairs):
    metrics = pytest.importorskip("sklearn.metrics")
    gold, predicted = zip(*pairs, strict=True)
    report = evaluate_labels(gold, predicted, "abcd")
    assert report.confusion.tolist() == metrics.confusion_matrix(gold, predicted, labels=list("abcd")).tolist()


def test_brier_and_ece_by_hand():
    # Brier: (0.2^2 + 0.2^2), then 0.6^2 + 0.6^2. ECE: 0.8 was right, 0.6 was not, in bins of their own.
    report = evaluate_labels("ab", "aa", "ab", np.array([[0.8, 0.2], [0.6, 0.4]]))
    assert report.brier == pytest.approx((2 * 0.2**2 + 2 * 0.6**2) / 2)
    assert report.ece == pytest.approx((0.2 + 0.6) / 2)


def test_losses_by_hand():
    """Log odds ln 3 and -ln 3: hinge 0 and 1 + ln 3, log -ln 3/4 and -ln 1/4, exp 1/3 and 3. Believed: with p = 1/4, 3/4 the
    better label is wrong in 1/4."""
    theta = np.array([[2.0, 0.0], [0.0, 1.0]])
    p = np.array([[0.75, 0.25], [0.25, 0.75]])
    report = evaluate_labels("aa", "ab", "ab", p, theta)
    assert report.losses == {
        "0-1": 0.5,
        "hinge": pytest.approx((1 + math.log(3)) / 2),
        "log": pytest.approx(-(math.log(0.75) + math.log(0.25)) / 2),
        "ranking": 0.5,
        "exp": pytest.approx((1 / 3 + 3) / 2),
    }
    assert report.expected_losses["0-1"] == 0.25
    assert report.expected_losses["hinge"] == pytest.approx(0.25 * (1 + math.log(3)))
    # Scores that are not the logarithms of probabilities have a margin, and no log loss. exp is (e^-2 + e^1) / 2.
    alone = evaluate_labels("aa", "ab", "ab", None, theta)
    of_scores = {"0-1": 0.5, "hinge": 1, "ranking": 0.5, "exp": pytest.approx((math.exp(-2) + math.e) / 2)}
    assert (alone.losses, alone.expected_losses, alone.log_loss) == (of_scores, None, None)


def test_the_most_wrong_come_first_and_those_of_unknown_labels_not_at_all():
    theta = np.array([[1.0, 0.0], [3.0, 1.0], [0.0, 5.0], [0.0, 9.0]])
    report = evaluate_labels(["a", "b", "a", "new"], list("aabb"), "ab", None, theta, ["v", "x", "y", "z"])
    assert report.most_wrong == (Wrong(3, "y", "a", "b", 5.0), Wrong(2, "x", "b", "a", 2.0))
    out = report.as_dict()
    assert out["most_wrong"][1] == {
        "row": 2,
        "text": "x",
        "gold": "b",
        "predicted": "a",
        "score": 2,
        "confidence": None,
    }
    assert out["losses"]["0-1"] == pytest.approx(2 / 3)
    assert report.accuracy == 0.25
    nothing_known = evaluate_labels(["new"], ["a"], "ab", None, theta[:1], ["v"])
    assert (nothing_known.losses, nothing_known.most_wrong) == (None, ())


def test_a_model_says_what_is_most_wrong():
    model = linnet.train((["x", "y"], "ab"), features="words", learner="naive-bayes")
    report = model.evaluate(["x", "y y", "x"], ["a", "a", "b"])
    assert [(wrong.row, wrong.text, wrong.predicted) for wrong in report.most_wrong] == [(2, "y y", "b"), (3, "x", "a")]
    assert report.most_wrong[1].score == pytest.approx(math.log(2), abs=1e-6)  # 2/3 to 1/3
    assert report.losses["0-1"] == pytest.approx(2 / 3)
    assert report.losses["log"] == pytest.approx(report.log_loss)


def test_as_many_predictions_as_labels():
    with pytest.raises(DataError) as caught:
        evaluate_labels("ab", "a")
    assert str(caught.value) == "expected as many predictions as gold labels, found 1 and 2."


def test_nothing_to_evaluate():
    with pytest.raises(DataError) as caught:
        evaluate_labels([], [])
    assert str(caught.value) == "there is nothing to evaluate: no examples."
