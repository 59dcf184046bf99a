"""What errors cost: files of costs, what is learned with them, decisions by them, and what is refused."""

import numpy as np
import pytest

import linnet
from linnet.errors import DataError, UsageError
from linnet.tasks.texts.costs import cheapest, costs_of, matrix, mean_cost, read_costs

ASYMMETRIC = {("ham", "spam"): 10.0}
TEXTS = ["buy now", "buy this", "see you", "you there", "now you"] * 8
LABELS = ["spam", "spam", "ham", "ham", "spam"] * 8


def test_a_matrix_has_1_where_nothing_is_said():
    assert matrix({("a", "b"): 3, ("c", "c"): 0}, "abc").tolist() == [[0, 3, 1], [1, 0, 1], [1, 1, 0]]


def test_costs_of_a_file(tmp_path):
    file = tmp_path / "costs.csv"
    file.write_text("ham,spam,10\nspam,ham,0.5\nham,spam,10\n")
    assert read_costs(file) == {("ham", "spam"): 10, ("spam", "ham"): 0.5}
    assert matrix(str(file), ("ham", "spam")).tolist() == [[0, 10], [0.5, 0]]


def test_the_mean_counts_an_unseen_label_as_the_worst_error():
    C = matrix(ASYMMETRIC, ("ham", "spam"))
    assert costs_of(np.array([0, 1, -1, 0]), np.array([1, 0, 1, 0]), C).tolist() == [10, 1, 10, 0]
    assert mean_cost(["ham", "spam", "new", "ham"], ["spam", "ham", "spam", "ham"], C, ("ham", "spam")) == 21 / 4


def test_what_costs_least_is_found_by_going_through_all():
    rng = np.random.default_rng(0)
    p, C = rng.dirichlet(np.ones(5), 50), rng.uniform(0, 3, (5, 5)).astype(np.float32)
    expected = [min(range(5), key=lambda k: sum(row[y] * C[y, k] for y in range(5))) for row in p]
    assert cheapest(p, C).tolist() == expected


def test_probabilities_decide_by_costs():
    """A text that is spam in 3 of 4 cases: to say spam costs 1/4 * 10, to say ham 3/4."""
    data = (["x"] * 40, ["spam", "spam", "spam", "ham"] * 10)
    model = linnet.train(data, learner="logistic", features="words:1", options={"by": "lbfgs", "lam": 1e-6})
    assert model.predict(["x"]) == ["spam"]
    assert model.predict(["x"], costs=ASYMMETRIC) == ["ham"]
    assert model.evaluate(["x", "x"], ["spam", "ham"], costs=ASYMMETRIC).mean_cost == 1 / 2
    assert model.evaluate(["x", "x"], ["spam", "ham"]).mean_cost is None
    with_costs = linnet.train(
        data, learner="logistic", features="words:1", options={"by": "lbfgs", "lam": 1e-6, "costs": ASYMMETRIC}
    )
    assert with_costs.predict(["x"]) == ["ham"]
    assert with_costs.explain("x").label == "ham"


def test_what_learns_with_a_margin_makes_it_as_wide_as_the_cost():
    """With no feature that tells and ham in 3 of 5 texts, the sum of the hinges is least where ham is above spam by what it
    costs to take it for that."""
    data = (["x"] * 50, ["ham", "spam", "ham", "spam", "ham"] * 10)
    for costs, width in (({}, 1), ({"costs": ASYMMETRIC}, 10)):
        options = {"loss": "multiclass-hinge", "C": 100} | costs
        model = linnet.train(data, learner="svm", features="words:1", options=options, epochs=500, tol=1e-6)
        ham, spam = model.scores(["x"])[0]
        assert ham - spam == pytest.approx(width, rel=0.01)


def test_mira_learns_the_costs():
    """Spam is in 3 of 5 texts that look the same, but to take ham for it costs 10."""
    data = (["x"] * 50, ["spam", "ham", "spam", "ham", "spam"] * 10)
    usual, warned = (
        linnet.train(data, learner="averaged-mira", features="words:1", options=costs, epochs=50)
        for costs in ({}, {"costs": ASYMMETRIC})
    )
    assert usual.predict(["x"]) == ["spam"]
    assert warned.predict(["x"]) == ["ham"]
    assert warned.evaluate(["x"] * 5, ["spam", "ham", "spam", "ham", "spam"]).mean_cost == 3 / 5


def test_the_default_decides_by_calibrated_probabilities(tmp_path):
    model = linnet.train((TEXTS, LABELS), options={"costs": ASYMMETRIC}, features="words:1")
    assert model.probabilistic
    p = model.predict_proba(["buy you", "now", "you"])
    assert model.predict(["buy you", "now", "you"]) == ["spam" if 10 * row[0] < row[1] else "ham" for row in p]
    model.save(tmp_path / "m")
    assert linnet.load(tmp_path / "m").predict(TEXTS[:5]) == model.predict(TEXTS[:5])


@pytest.mark.parametrize(
    ("content", "error", "sentence"),
    [
        (b"ham,spam,10\nham,spma,1\n", UsageError, "there is a cost for the label 'spma', which is not in the data. Did you mean 'spam'?"),  # noqa: E501
        (b"ham,spam,-1\n", DataError, "f:1: expected a cost of 0 or more, found '-1'."),
        (b"ham,spam,dear\n", DataError, "f:1: expected a cost of 0 or more, found 'dear'."),
        (b"ham,spam,nan\n", DataError, "f:1: expected a cost of 0 or more, found 'nan'."),
        (b"ham,spam\n", DataError, "f:1: expected a label, the one that it is taken for and the cost of it, with tabs"),
        (b"ham,spam,1\nham,spam,2\n", DataError, "f:2: 'ham' taken for 'spam' costs 2 here, but 1 on an earlier line. Leave one out."),  # noqa: E501
        (b"ham,ham,1\n", UsageError, "there is a cost for 'ham' taken for itself, but a right prediction costs nothing. Leave it out."),  # noqa: E501
        (b"", DataError, "f: the file is empty. Expected a label, the one that it is taken for and the cost of it"),
        (b"h\xe4m,spam,1\n", DataError, "f:1: byte 0xe4 is not UTF-8"),
    ],
)  # fmt: skip
def test_what_is_no_cost_is_refused(tmp_path, monkeypatch, content, error, sentence):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f").write_bytes(content)
    with pytest.raises(error) as caught:
        linnet.train((TEXTS, LABELS), options={"costs": "f"})
    assert sentence in str(caught.value)


def test_a_cost_in_python_is_checked_too():
    with pytest.raises(UsageError, match="expected a cost of 0 or more for 'a' taken for 'b', found -1"):
        matrix({("a", "b"): -1}, "ab")


def test_costs_at_prediction_need_probabilities():
    model = linnet.train((TEXTS, LABELS), learner="averaged-mira", features="words:1", estimate=False)
    with pytest.raises(UsageError, match="the scores of learner 'averaged-mira' are not probabilities"):
        model.predict(["buy"], costs=ASYMMETRIC)
