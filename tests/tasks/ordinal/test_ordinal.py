"""Ratings, from data to predictions: their order, how far apart they are, and what is refused."""

import numpy as np
import pytest

import linnet
from linnet.errors import DataError, UsageError
from linnet.tasks.ordinal.task import in_order

DATA = [(f"{word} film x{i}", rating) for i in range(10) for word, rating in (("bad", "1"), ("fair", "4"), ("good", "7"), ("best", "10"))]  # fmt: skip  # noqa: E501
TEXTS, RATINGS = (list(column) for column in zip(*DATA, strict=True))


@pytest.fixture(scope="module")
def model():
    return linnet.train(
        (TEXTS, RATINGS), task="ordinal", learner="logistic", features="words:1", options={"by": "lbfgs"}
    )


def test_ratings_are_in_the_order_of_numbers(model):
    assert model.labels == ("1", "4", "7", "10")
    assert model.predict(["bad", "fair", "good", "best"]) == ["1", "4", "7", "10"]
    report = model.evaluate(["bad", "fair", "best"], ["1", "7", "1"])
    assert (report.accuracy, report.mean_absolute_error) == (1 / 3, (0 + 3 + 9) / 3)


def test_7_0_is_7():
    model = linnet.train((TEXTS, [f"{rating}.0" for rating in RATINGS]), task="ordinal", features="words:1")
    assert model.labels == ("1", "4", "7", "10")
    assert model.evaluate(["best"], ["1e1"]).ratings == ["1", "4", "7", "10"]
    assert linnet.train((["a", "b"], ["0.50", "2.25"]), task="ordinal", features="words:1").labels == ("0.5", "2.25")


def test_the_answer_is_the_median():
    """p = 0.4, 0.15, 0.45: the most probable rating costs 2 * 0.4 + 0.15 = 0.95, the middle one 0.85."""
    model = linnet.train(
        (["q"] * 20, ["1"] * 8 + ["2"] * 3 + ["3"] * 9), task="ordinal", learner="logistic", features="words:1",
        options={"by": "lbfgs", "lam": 1e-6},
    )  # fmt: skip
    np.testing.assert_allclose(model.predict_proba(["q"])[0], [0.4, 0.15, 0.45], atol=0.01)
    assert model.predict(["q"]) == ["2"]


def test_one_score_and_thresholds():
    model = linnet.train(
        (TEXTS, RATINGS), task="ordinal", learner="perceptron", features="words:1", options={"score": "shared"}
    )
    assert [w.shape[1] for w in model.weights] == [1, 4]  # rows of 1, 2, 4, 8, ... floats
    assert model.predict(["bad", "fair", "good", "best"]) == ["1", "4", "7", "10"]
    scores = model.scores(["good"])[0]
    s, b = model.V[1 + [model.features.name(j) for j in range(15)].index("good")], model.weights[1][0, :3]
    assert scores[2] - scores[1] == pytest.approx((s[2] - s[1]) + model.V[0, 2] - model.V[0, 1], abs=1e-5)
    assert model.V[0, 1] - model.V[0, 0] == pytest.approx(model.weights[0][0, 0] + b[0])
    assert model.explain("good").label == "7"


def test_the_gap_between_two_numbers_is_the_cost(model):
    assert model._gen.gaps.tolist() == [3, 3, 3]
    usual = {"task": "ordinal", "features": "words:1"}
    words = linnet.train((["a", "b", "c"], ["low", "mid", "high"]), options={"order": "low,mid,high"}, **usual)
    assert words._gen.gaps.tolist() == [1, 1]
    down = linnet.train((["a", "b", "c"], ["1", "2", "5"]), options={"order": "5,2,1"}, **usual)
    assert (down.labels, down._gen.gaps.tolist()) == (("5", "2", "1"), [3, 1])
    assert down.evaluate(["a"], ["4"]).ratings == ["5", "4", "2", "1"]


@pytest.mark.parametrize(
    ("ratings", "options", "error", "sentence"),
    [
        (["good", "bad"], {}, UsageError, "expected ratings that are numbers, found 'bad'. Give their order from the"),
        (["1", "inf"], {}, UsageError, "expected ratings that are numbers, found 'inf'."),
        (["bad", "fair"], {"order": "bad,fiar"}, DataError, "the rating 'fair' of the data is not in order=bad,fiar. Did you mean 'fiar'?"),  # noqa: E501
        (["bad", "fair"], {"order": "bad,fair,bad"}, UsageError, "expected each rating once in order=bad,fair,bad, separated by commas, found 'bad' twice."),  # noqa: E501
        (["bad", "fair"], {"order": "bad,,fair"}, UsageError, "found one without a name."),
        (["3", "3"], {}, DataError, "every row has the label '3'; learning needs at least two."),
        (["3", "3.0"], {}, DataError, "every row has the label '3'; learning needs at least two."),
    ],
)  # fmt: skip
def test_what_has_no_order_is_refused(ratings, options, error, sentence):
    with pytest.raises(error) as caught:
        linnet.train((["p q", "r s"], ratings), task="ordinal", options=options)
    assert sentence in str(caught.value)


def test_a_rating_of_the_order_may_have_no_examples():
    assert in_order(["a", "c"], " a , b,c", "data") == ["a", "b", "c"]


def test_a_rating_that_was_never_seen_has_a_place_if_it_is_a_number(model):
    assert model.evaluate(["best"], ["9"]).mean_absolute_error == 1
    with pytest.raises(
        DataError, match="the rating 'great' of the data is not known to the model, which has: 1, 4, 7, 10"
    ):
        model.evaluate(["best"], ["great"])


def test_a_score_is_own_or_shared():
    with pytest.raises(UsageError, match="expected score to be own or shared, found 'one'"):
        linnet.train((TEXTS, RATINGS), task="ordinal", options={"score": "one"})
