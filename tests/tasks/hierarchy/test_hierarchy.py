"""Labels of a tree, from data to predictions: what is learned, where it stops when it is not sure, and what is refused."""

import numpy as np
import pytest

import linnet
from linnet.errors import DataError, UsageError

WORDS = {"NUM:date": "when year", "NUM:count": "many number", "LOC:city": "where town", "LOC:country": "where land"}
DATA = [
    (f"{text} {common} x{i}", label) for i in range(12) for label, text in WORDS.items() for common in ("what", "the")
]
TEXTS, LABELS = (list(column) for column in zip(*DATA, strict=True))


@pytest.fixture(scope="module")
def model():
    return linnet.train(
        (TEXTS, LABELS), task="hierarchy", learner="logistic", features="words:1", options={"by": "lbfgs"}
    )


def test_what_is_learned_is_predicted(model):
    assert model.labels == ("LOC:city", "LOC:country", "NUM:count", "NUM:date")
    assert model.predict(["when", "how many", "which town"]) == ["NUM:date", "NUM:count", "LOC:city"]
    report = model.evaluate(["when", "many", "town"], ["NUM:date", "NUM:date", "NUM:date"])
    assert (report.accuracy, report.tree_loss, report.per_level) == (1 / 3, (0 + 2 + 4) / 3, [2 / 3, 1 / 3])


def test_probabilities_agree_between_levels(model):
    texts = ["when", "where", "town number"]
    p, nodes = model.predict_proba(texts), model.predict_nodes(texts)
    names = ["/".join(path) for path in model.tree.nodes]
    for label, column in zip(model.labels, p.T, strict=True):
        np.testing.assert_allclose(nodes[:, names.index(label.replace(":", "/"))], column, atol=1e-6)
    np.testing.assert_allclose(nodes[:, names.index("LOC")], p[:, :2].sum(axis=1), atol=1e-6)
    np.testing.assert_allclose(nodes[:, names.index("LOC")] + nodes[:, names.index("NUM")], 1, atol=1e-6)


def test_it_stops_where_it_is_not_sure(model):
    assert model.predict(["where"], at_least=0.8) == ["LOC"]
    assert model.predict(["town where"], at_least=0.8) == ["LOC:city"]
    assert model.predict([""], at_least=0.99) == [""]
    assert model.paths(["where", ""], at_least=0.8) == [("LOC",), ()]
    assert model.evaluate(["where"], ["LOC:city"], at_least=0.8).tree_loss == 1


def test_the_answer_is_that_of_the_least_expected_distance():
    """p = 0.4 for a/x; 0.3 for b/x and b/y each. Two edges within a node, four between: a/x costs 0.6 * 4 = 2.4, b/x
    0.4 * 4 + 0.3 * 2 = 2.2."""
    texts = ["q"] * 10
    model = linnet.train(
        (texts, ["a/x"] * 4 + ["b/x"] * 3 + ["b/y"] * 3), task="hierarchy", learner="logistic", features="words:1",
        options={"by": "lbfgs", "lam": 1e-6},
    )  # fmt: skip
    np.testing.assert_allclose(model.predict_proba(["q"])[0], [0.4, 0.3, 0.3], atol=0.01)
    assert model.predict(["q"])[0] in ("b/x", "b/y")
    assert model.explain("q").label == model.predict(["q"])[0]


def test_a_label_that_was_never_seen_is_as_wrong_as_its_path(model):
    # NUM:money shares NUM with what is predicted; X:y nothing.
    report = model.evaluate(["when", "when"], ["NUM:money", "X:y"])
    assert (report.accuracy, report.tree_loss) == (0, (2 + 4) / 2)


def test_it_is_kept_in_the_file(model, tmp_path):
    model.save(tmp_path / "m")
    again = linnet.load(tmp_path / "m")
    assert again.tree == model.tree
    assert np.array_equal(again.predict_proba(TEXTS[:9]), model.predict_proba(TEXTS[:9]))


def test_a_tree_of_a_file(tmp_path):
    file = tmp_path / "tree.csv"
    file.write_text("date,NUM\ncount,NUM\ncity,LOC\ncountry,LOC\nNUM,any\nLOC,any\n")
    labels = [label.split(":")[1] for label in LABELS]
    model = linnet.train((TEXTS, labels), task="hierarchy", options={"tree": str(file)}, features="words:1")
    assert model.tree.paths["date"] == ("any", "NUM", "date")
    assert model.predict(["when", "town"]) == ["date", "city"]
    assert model.evaluate(["when"], ["count"]).tree_loss == 2


@pytest.mark.parametrize(
    ("labels", "options", "error", "sentence"),
    [
        (["a", "b:c"], {}, UsageError, "expected labels with paths such as a:b, found 'a'. Name the mark between"),
        (["a:b", "a:b"], {}, DataError, "every row has the label 'a:b'; learning needs at least two."),
        (["a:b", "a:c"], {"separator": ""}, UsageError, "expected a separator such as / or :, found an empty string."),
        (["a", "a:"], {"separator": ":"}, DataError, "found 'a' with the path ['a'] and 'a:' with the path ['a', '']"),
        (["b", "x"], {"tree": "tree"}, DataError, "tree: the label 'x' of the data is not in the tree. Add a line"),
        (["b", "c"], {"tree": "cycle"}, DataError, "cycle:2: b -> a -> b is a cycle, not a tree."),
        (["b", "c"], {"tree": "two"}, DataError, "two:2: 'b' has the parent 'x' here, but 'a' on line 1."),
        (["b", "c"], {"tree": "none"}, DataError, "none: the file is empty. Expected a label and the one above it"),
        (["b", "c"], {"tree": "latin"}, DataError, "latin:1: byte 0xe9 is not UTF-8"),
        (["b", "c"], {"tree": "tre"}, DataError, "tre: no such file. Did you mean 'tree'?"),
        (
            ["b", "c"],
            {"tree": "tree", "separator": ":"},
            UsageError,
            "expected the tree in a file (tree=) or in the labels",
        ),
    ],
)
def test_what_is_no_tree_of_labels_is_refused(tmp_path, monkeypatch, labels, options, error, sentence):
    monkeypatch.chdir(tmp_path)
    for name, content in {
        "tree": b"b,a\nc,a\n", "cycle": b"b,a\na,b\nc,a\n", "two": b"b,a\nb,x\n", "none": b"", "latin": b"\xe9,b\n"
    }.items():  # fmt: skip
        (tmp_path / name).write_bytes(content)
    with pytest.raises(error) as caught:
        linnet.train((["p q", "r s"], labels), task="hierarchy", options=options)
    assert sentence in str(caught.value)


def test_probabilities_need_a_learner_that_has_them():
    model = linnet.train((TEXTS, LABELS), task="hierarchy", learner="averaged-mira", features="words:1", estimate=False)
    with pytest.raises(UsageError, match="the scores of learner 'averaged-mira' are not probabilities"):
        model.predict(["when"], at_least=0.5)


@pytest.mark.parametrize("p", [-0.1, 1.5])
def test_a_probability_is_between_0_and_1(model, p):
    with pytest.raises(UsageError, match="expected at_least to be a probability between 0 and 1"):
        model.predict(["when"], at_least=p)


def test_by_default_each_node_has_a_machine():
    model = linnet.train((TEXTS, LABELS), task="hierarchy", features="words:1")
    assert (model.learner, model.predict(TEXTS)) == ("nb-svm", LABELS)
