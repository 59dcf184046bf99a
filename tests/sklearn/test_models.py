"""Every estimator gives its model, saves it, explains by it, goes on learning, and can be copied."""

import copy
import json
import pickle
import threading

import bitext
import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

import linnet
from linnet.cli.main import app
from linnet.errors import DataError, UsageError
from linnet.model.base import parts_of_model
from linnet.sklearn import (
    ConstituentParser,
    DependencyParser,
    HierarchyClassifier,
    LabelRanker,
    LabelsetClassifier,
    LinearClassifier,
    OrdinalClassifier,
    Reranker,
    SequenceTagger,
    WordAligner,
)
from linnet.sklearn.taught import _MOST_LESSONS

TEXTS = ["wheat and corn", "corn", "gold", "gold and wheat", "corn corn", "gold gold", "wheat", "wheat wheat gold"] * 2
LABELS = ["w", "c", "g", "w", "c", "g", "w", "g"] * 2
NUMBERS = [3, 1, 2, 3, 1, 2, 3, 2] * 2
SETS = [["corn", "wheat"], ["corn"], ["gold"], ["gold", "wheat"], ["corn"], ["gold"], ["wheat"], ["gold", "wheat"]] * 2
PATHS = ["NUM:date", "NUM:count", "LOC:city", "NUM:date", "NUM:count", "LOC:city", "NUM:date", "LOC:city"] * 2
WORDS = [["the", "dog", "barks"], ["a", "cat", "sleeps", "here"], ["the", "cat", "barks"], ["dogs", "sleep"]] * 2
TAGS = [["D", "N", "V"], ["D", "N", "V", "A"], ["D", "N", "V"], ["N", "V"]] * 2
TOKENS = [[("We", "PRON"), ("like", "VERB"), ("tea", "NOUN")], [("Dogs", "NOUN"), ("bark", "VERB")]] * 4
ARCS = [[(2, "nsubj"), (0, "root"), (2, "obj")], [(2, "nsubj"), (0, "root")]] * 4
SPANS = [[d, n, v] for d in ("the", "a") for n in ("dog", "cat") for v in ("barks", "sleeps")]
TREES = [f"(S (NP (DT {d}) (NN {n})) (VP (VBZ {v})))" for d, n, v in SPANS]
PAIRS, LINKS = map(list, zip(*(((s, t), links) for s, t, links in bitext.pairs(20, 0)), strict=True))
LISTS, COSTS = [["a dog", "dog a"], ["the cat", "cat the", "cat cat"]] * 4, [[0, 1], [0, 1, 2]] * 4

CASES = {
    "labels": (LinearClassifier(features="words:1"), TEXTS, LABELS),
    "labels that are numbers": (LinearClassifier("logistic", features="words:1"), TEXTS, NUMBERS),
    "labels by counts": (LinearClassifier("naive-bayes", features="words:1-2"), TEXTS, LABELS),
    "labels, voted": (LinearClassifier("voted-perceptron", features="words:1"), TEXTS, LABELS),
    "labelset": (LabelsetClassifier(features="words:1"), TEXTS, SETS),
    "labelset by counts": (LabelsetClassifier("naive-bayes", features="words:1"), TEXTS, SETS),
    "ranking": (LabelRanker("pa2", features="words:1"), TEXTS, SETS),
    "hierarchy": (HierarchyClassifier(separator=":", features="words:1"), TEXTS, PATHS),
    "hierarchy, flat": (HierarchyClassifier("averaged-perceptron", features="words:1"), TEXTS, LABELS),
    "ordinal": (OrdinalClassifier("logistic", features="words:1"), TEXTS, NUMBERS),
    "ordinal with an order": (OrdinalClassifier(order=["g", "c", "w"], features="words:1"), TEXTS, LABELS),
    "tag": (SequenceTagger(features="w[-1..1] suffix:1-2"), WORDS, TAGS),
    "tag, perceptron": (SequenceTagger("ap", features="w y[-1]|lower"), WORDS, TAGS),
    "tag by counts": (SequenceTagger(learner="naive-bayes", features="w"), WORDS, TAGS),
    "parse": (DependencyParser(columns=("w", "upos"), tags="given", prune=0), TOKENS, ARCS),
    "parse, with taggers": (DependencyParser(columns=("w", "upos")), TOKENS, ARCS),
    "brackets": (ConstituentParser(), SPANS, TREES),
    "align": (WordAligner(features="model1 dist"), PAIRS, LINKS),
    "rerank": (Reranker(features="words:1-2"), LISTS, COSTS),
}


def fitted(name):
    estimator, X, y = CASES[name]
    return copy.deepcopy(estimator).fit(X, y), X, y


def in_parts(name):
    """An estimator that has learned all examples but the last two, in three parts."""
    estimator, X, y = CASES[name]
    estimator = copy.deepcopy(estimator)
    n = len(X) - 2
    for a, b in ((0, n - 3), (n - 3, n - 2), (n - 2, n)):
        estimator.partial_fit(X[a:b], y[a:b])
    return estimator, X, y


def plain(output):
    """An output of an estimator as its model gives it."""
    if isinstance(output, np.ndarray):
        output = output.tolist()
    if isinstance(output, list):
        return [plain(one) for one in output]
    return output


def words_of(X):
    return [[token if isinstance(token, str) else token[0] for token in sentence] for sentence in X]


def said_by(model, X):
    if model.task == "rerank":
        return [order[0] for order in model.order(X)]
    if model.task == "parse":
        X = words_of(X) if model.features.columns == ("w",) else X
        return [[(arc.head, arc.relation) for arc in tree] for tree in model.predict(X)]
    return model.predict(X)


def same(one, other):
    (header, arrays), (header_2, arrays_2) = parts_of_model(one), parts_of_model(other)
    assert repr(header) == repr(header_2)  # in which nan is nan
    assert list(arrays) == list(arrays_2)
    for name, array in arrays.items():
        np.testing.assert_array_equal(array, arrays_2[name], err_msg=name)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("learned", [fitted, in_parts])
def test_the_model_says_what_the_estimator_says(name, learned, tmp_path):
    estimator, X, _ = learned(name)
    expected = plain(estimator.predict(X))
    assert said_by(estimator.model_, X) == expected
    assert estimator.model_.task == name.partition(",")[0].partition(" ")[0]
    estimator.save(tmp_path / "a.linnet")
    assert said_by(linnet.load(tmp_path / "a.linnet"), X) == expected


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("learned", [fitted, in_parts])
def test_most_of_what_was_learned_is_right(name, learned):
    estimator, X, y = learned(name)
    assert estimator.score(X, y) > 0.6


@pytest.mark.parametrize("name", [name for name in CASES if name != "labels, voted"])
def test_it_explains_as_its_model_does(name):
    estimator, X, _ = fitted(name)
    model = estimator.model_
    if name == "align":
        expected = model.explain(*X[0])
    elif name == "rerank":
        expected = model.explain([X[0]])
    elif name == "parse, with taggers":
        expected = model.explain(words_of(X)[0])
    else:
        expected = model.explain(X[0])
    assert estimator.explain(X[0]) == expected


def test_two_classes_are_explained_by_what_the_user_calls_them():
    estimator, _, _ = fitted("labels that are numbers")
    found = estimator.explain("gold corn", 1, 2)
    assert (found.label, found.against) == ("1", "2")
    assert OrdinalClassifier(features="words:1").fit(TEXTS, np.array(NUMBERS, float)).model_.labels == ("1", "2", "3")


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("learned", [fitted, in_parts])
@pytest.mark.parametrize("copied", [lambda one: pickle.loads(pickle.dumps(one)), copy.deepcopy])
def test_a_copy_goes_on_as_the_original_and_shares_nothing(name, learned, copied):
    estimator, X, y = learned(name)
    again, before = copied(estimator), parts_of_model(copy.deepcopy(estimator.model_))
    same(again.model_, estimator.model_)
    assert plain(again.predict(X)) == plain(estimator.predict(X))
    estimator.partial_fit(X[-2:], y[-2:])
    header, arrays = parts_of_model(again.model_)
    assert repr(header) == repr(before[0])
    assert all(np.array_equal(arrays[name], before[1][name]) for name in before[1])
    again.partial_fit(X[-2:], y[-2:])
    (header, arrays), (header_2, arrays_2) = parts_of_model(again.model_), parts_of_model(estimator.model_)
    assert header["labels"] == header_2["labels"]
    assert all(np.array_equal(arrays[name], arrays_2[name]) for name in arrays)


@pytest.mark.parametrize("name", CASES)
def test_a_model_that_was_given_away_stays_as_it_is(name):
    estimator, X, y = in_parts(name)
    model = estimator.model_
    before, said = copy.deepcopy(parts_of_model(model)), said_by(model, X)
    estimator.partial_fit(X[-2:], y[-2:])
    assert estimator.model_ is not model
    header, arrays = parts_of_model(model)
    assert repr(header) == repr(before[0])
    assert all(np.array_equal(arrays[key], before[1][key]) for key in arrays)
    assert said_by(model, X) == said


@pytest.mark.parametrize("name", CASES)
def test_who_is_not_fitted_has_no_model(name):
    estimator = copy.deepcopy(CASES[name][0])
    assert not hasattr(estimator, "model_")
    for use in (lambda: estimator.save("a.linnet"), lambda: estimator.predict(CASES[name][1])):
        with pytest.raises(NotFittedError):
            use()


@pytest.mark.parametrize(
    "estimator",
    [LinearClassifier(), LabelsetClassifier(), LabelRanker(), HierarchyClassifier(), OrdinalClassifier()],
    ids=lambda one: type(one).__name__,
)
def test_over_a_matrix_there_is_no_model_of_texts(estimator):
    y = np.eye(4, dtype=int) if isinstance(estimator, LabelsetClassifier) else [0, 1, 2, 1]
    estimator.fit(np.eye(4), y)
    assert not hasattr(estimator, "model_")
    with pytest.raises(AttributeError, match="over a matrix there is no model of texts: a file could not say"):
        estimator.save("a.linnet")
    if not isinstance(estimator, LinearClassifier):
        with pytest.raises(AttributeError) as caught:
            estimator.partial_fit(np.eye(4), y)
        assert str(caught.value.__cause__) == (
            f"over a matrix {type(estimator).__name__} needs all examples at once. Use fit, or texts and features=."
        )


def test_attributes_have_no_model():
    tagger = SequenceTagger().fit([[{"w": "a"}, {"w": "b"}]] * 2, [["A", "B"]] * 2)
    assert not hasattr(tagger, "model_")
    assert not hasattr(tagger, "partial_fit")
    with pytest.raises(AttributeError, match="a file could not say how attributes are made of words. Pass words and"):
        tagger.save("a.linnet")
    assert copy.deepcopy(tagger).predict([[{"w": "b"}]]) == [["B"]]


@pytest.mark.parametrize(
    ("estimator", "sentence"),
    [
        (LabelsetClassifier("svm", features="words:1"), "learner 'svm' needs all examples at once. Use fit."),
        (
            OrdinalClassifier("logistic", features="words:1", options={"by": "lbfgs"}),
            "learner 'logistic' with by=lbfgs needs all examples at once. Use fit.",
        ),
        (
            HierarchyClassifier("logistic", features="words:1", options={"runs": 3}),
            "runs=3 needs all examples at once. Use fit.",
        ),
        (
            SequenceTagger("lbfgs", features="w"),
            "c1, c2 and algorithm 'lbfgs' need all sentences at once. Use fit, or learner='crf' and options={'lam': ...}.",
        ),
        (
            SequenceTagger(features="w", rerank=3),
            "a second model, by rerank=, needs all sentences at once. Use fit, or leave it out.",
        ),
        (
            DependencyParser(rerank=3),
            "a second model, by rerank=, needs all examples at once. Use fit, or leave it out.",
        ),
        (ConstituentParser("boosting"), "learner 'boosting' needs all examples at once. Use fit."),
        (WordAligner("svm"), "learner 'svm' needs all examples at once. Use fit."),
    ],
)
def test_who_needs_all_examples_has_no_partial_fit(estimator, sentence):
    assert not hasattr(estimator, "partial_fit")
    with pytest.raises(AttributeError) as caught:
        estimator.partial_fit([], [])
    assert str(caught.value.__cause__) == sentence


# Tags


def test_tags_are_learned_as_they_are_and_any_may_follow_any_other():
    """I-X after nothing is no legal span, but it is what the tagger was told."""
    X, y = [["a", "b"], ["b", "a"], ["a"]] * 4, [["B-X", "I-X"], ["I-X", "B-X"], ["B-X"]] * 4
    tagger = SequenceTagger(features="w").fit(X, y)
    assert tagger.predict([["b"], ["b", "a"]]) == [["I-X"], ["I-X", "B-X"]]
    assert tagger.model_.details == {"scheme": None, "repaired": 0, "legal": False}
    assert tagger.model_.predict([["b"], ["b", "a"]]) == [["I-X"], ["I-X", "B-X"]]
    taught = SequenceTagger("ap", features="w").partial_fit(X, y)
    assert taught.model_.details == {"scheme": None, "repaired": 0, "legal": False}
    assert taught.predict([["b"]]) == taught.model_.predict([["b"]]) == [["I-X"]]
    legal = linnet.train((X, y), task="tag", features="w", learner="crf")
    assert legal.predict([["b"]]) == [["B-X"]]
    assert "legal" not in legal.details


def test_going_on_from_such_a_file_keeps_tags_as_they_are(tmp_path):
    SequenceTagger(features="w").fit([["a", "b"], ["b", "a"]] * 4, [["O", "I-X"], ["I-X", "O"]] * 4).save(
        tmp_path / "a.linnet"
    )
    model = linnet.load(tmp_path / "a.linnet").update([["c"]] * 3, [["I-Y"]] * 3)
    assert model.labels == ("I-X", "O", "I-Y")
    assert model.predict([["c"], ["b"]]) == [["I-Y"], ["I-X"]]


def test_a_perceptron_of_tags_by_hand():
    # All scores are 0 at first. A tie is a mistake, and of all that tie the rival is what differs most: B, A. The gold is
    # A, B. At w=a A gains 1 and B loses it, at w=b the other way round, and nothing is left in the biases; A before B gains 1,
    # B before A loses it.
    tagger = SequenceTagger(learner="perceptron", features="w").partial_fit([["a", "b"]], [["A", "B"]])
    assert tagger.state_features_ == {("w=a", "A"): 1, ("w=a", "B"): -1, ("w=b", "A"): -1, ("w=b", "B"): 1}
    assert tagger.intercept_ == {"A": 0, "B": 0}
    assert tagger.transition_features_ == {("A", "A"): 0, ("A", "B"): 1, ("B", "A"): -1, ("B", "B"): 0}
    # a C: A says itself (1); C gains 1 at w=a and in its bias, A loses them. C is a new tag, behind the others.
    tagger.partial_fit([["a"]], [["C"]])
    assert tagger.classes_ == ["A", "B", "C"]
    assert tagger.state_features_ == {("w=a", "B"): -1, ("w=a", "C"): 1, ("w=b", "A"): -1, ("w=b", "B"): 1}
    assert tagger.intercept_ == {"A": -1, "B": 0, "C": 1}
    assert tagger.predict([["a"], ["b"]]) == [["C"], ["B"]]


def test_tags_may_be_numbers():
    tagger = SequenceTagger(features="w").fit([["a", "b"]] * 4, [[10, 9]] * 4)
    assert tagger.predict([["b", "a"]]) in ([[9, 10]], [[10, 9]])
    assert tagger.score([["a", "b"]], [[10, 9]]) == 1
    assert tagger.model_.labels == ("9", "10")
    taught = SequenceTagger("ap", features="w").partial_fit([["a", "b"]] * 4, [[10, 9]] * 4)
    assert (taught.predict([["a", "b"]]), taught.model_.labels) == ([[10, 9]], ("10", "9"))


def test_columns_that_no_feature_looks_at_may_be_there():
    X = [[("the", "x"), ("dog", "y")], [("a", "x"), ("cat", "y")]] * 2
    tagger = SequenceTagger(features="w").fit(X, [["D", "N"]] * 4)
    assert tagger.predict(X) == [["D", "N"]] * 4
    assert tagger.explain(X[0])[0].tag == "D"
    tagger.partial_fit(X, [["D", "N"]] * 4)
    with pytest.raises(DataError, match="expected 2 strings for each token, found 'dog'"):
        tagger.partial_fit([["dog"]], [["N"]])
    assert tagger.predict(X) == [["D", "N"]] * 4


# Labels


def test_labels_that_come_up_later_come_behind():
    model = LabelsetClassifier("perceptron", features="words:1").partial_fit(TEXTS[1:3], SETS[1:3])
    assert model.classes_.tolist() == ["corn", "gold"]
    model.partial_fit(["apple", "nothing"], [["apple"], []])
    assert model.classes_.tolist() == ["corn", "gold", "apple"]
    assert model.decision_function(["apple"]).shape == (1, 3)
    assert "apple" in model.predict(["apple"])[0]


def test_a_tree_grows_with_its_labels():
    model = HierarchyClassifier("perceptron", separator=":", features="words:1").partial_fit(TEXTS, PATHS)
    model.partial_fit(["who", "who"], ["HUM:name", "HUM:name"])
    assert model.classes_.tolist() == ["HUM:name", "LOC:city", "NUM:count", "NUM:date"]
    assert model.predict(["who"]).tolist() == ["HUM:name"]
    assert model.model_.tree.labels == ("HUM:name", "LOC:city", "NUM:count", "NUM:date")


def test_a_tree_that_is_given_is_known_from_the_first_call_on():
    tree = {label: label.split(":") for label in (*PATHS, "HUM:name")}
    model = HierarchyClassifier("perceptron", tree=tree, features="words:1").partial_fit(TEXTS[:4], PATHS[:4])
    assert model.classes_.tolist() == ["HUM:name", "LOC:city", "NUM:count", "NUM:date"]
    assert model.partial_fit(["who"], ["HUM:name"]).predict(["who"]).tolist() == ["HUM:name"]
    with pytest.raises(DataError, match="the label 'X' is not in the tree"):
        model.partial_fit(["x"], ["X"])
    assert model.predict(["who"]).tolist() == ["HUM:name"]


def test_ratings_are_named_before_they_come_up():
    model = OrdinalClassifier("perceptron", features="words:1").partial_fit(["a", "b"], [1, 1], classes=[1, 2, 3])
    assert model.classes_.tolist() == [1, 2, 3]
    model.partial_fit(["c"] * 3, [3] * 3)
    assert model.predict(["a", "c"]).tolist() == [1, 3]
    with pytest.raises(DataError, match="the rating '4' is new to the model, which has: 1, 2, 3"):
        model.partial_fit(["d"], [4])
    with pytest.raises(DataError, match="every example is of one class, 1; learning needs at least two"):
        OrdinalClassifier(features="words:1").partial_fit(["a"], [1])


@pytest.mark.parametrize("kind", [LabelsetClassifier, LabelRanker])
def test_indicator_matrices_in_parts(kind):
    names = ["corn", "gold", "wheat"]
    table = np.array([[name in one for name in names] for one in SETS]).astype(int)
    model = kind("perceptron", features="words:1")
    for a in range(0, len(TEXTS), 4):
        model.partial_fit(TEXTS[a : a + 4], table[a : a + 4])
    assert model.classes_.tolist() == [0, 1, 2]
    assert model.predict(["corn"]).tolist()[0][0] == (1 if kind is LabelsetClassifier else 0)
    assert model.model_.labels == ("0", "1", "2")
    with pytest.raises(DataError, match="an indicator matrix of 3 columns as before, found 2"):
        model.partial_fit(TEXTS[:1], table[:1, :2])
    with pytest.raises(DataError, match="whichever it was before"):
        model.partial_fit(TEXTS[:1], [["corn"]])


def test_parts_of_any_size_are_one_pass_in_order():
    one, several = (LabelsetClassifier("averaged-perceptron", features="words:1") for _ in range(2))
    classes = ["corn", "gold", "wheat"]
    for text, labels in zip(TEXTS, SETS, strict=True):
        one.partial_fit([text], [labels], classes=classes)
    several.partial_fit(TEXTS, SETS, classes=classes)
    np.testing.assert_array_equal(one.model_.weights[0], several.model_.weights[0])


def test_a_long_stream_keeps_no_lessons_and_changes_no_bit():
    examples = list(zip(TEXTS, SETS, strict=True)) * 5
    stream = LabelsetClassifier("averaged-perceptron", features="words:1")
    for text, labels in examples:
        stream.partial_fit([text], [labels], classes=["corn", "gold", "wheat"])
        assert stream._taught._source.n_lessons < _MOST_LESSONS
    whole = LabelsetClassifier("averaged-perceptron", features="words:1")
    whole.partial_fit(*map(list, zip(*examples, strict=True)), classes=["corn", "gold", "wheat"])
    np.testing.assert_array_equal(stream.model_.weights[0], whole.model_.weights[0])


def test_naive_bayes_goes_on_counting_after_a_fit():
    """It needs more than its weights, so it keeps its counts."""
    half = (
        LabelsetClassifier("naive-bayes", features="words:1").fit(TEXTS[:8], SETS[:8]).partial_fit(TEXTS[8:], SETS[8:])
    )
    whole = LabelsetClassifier("naive-bayes", features="words:1").fit(TEXTS, SETS)
    assert half.model_.learner == "naive-bayes"
    np.testing.assert_allclose(half.predict_proba(TEXTS), whole.predict_proba(TEXTS), rtol=1e-5)


def test_columns_beside_the_texts_are_learned_in_parts():
    rows = [{"text": text, "kind": label} for text, label in zip(TEXTS, LABELS, strict=True)]
    model = OrdinalClassifier("perceptron", features="words:1 column:kind").partial_fit(rows[:8], NUMBERS[:8])
    model.partial_fit(rows[8:], NUMBERS[8:])
    assert model.score(rows, NUMBERS) > 0.6
    assert model.model_.predict(rows) == plain(model.predict(rows))


def test_labels_of_another_kind_are_refused():
    model = OrdinalClassifier("perceptron", features="words:1").partial_fit(TEXTS, NUMBERS)
    with pytest.raises(ValueError, match="Mix of label input types"):
        model.partial_fit(["a"], ["x"])


# Trees and links


def test_columns_of_a_parser_may_be_in_any_order():
    X = [[(w, p.lower(), p) for w, p in sentence] for sentence in TOKENS]
    one = DependencyParser(columns=("w", "xpos", "upos"), tags="given", prune=0).partial_fit(X, ARCS)
    assert one.partial_fit(X, ARCS).predict(X) == ARCS
    assert one.relations_ == ["nsubj", "obj", "root"]
    other = DependencyParser(columns=("w", "upos", "lemma"), tags="given", prune=0)
    with pytest.raises(UsageError, match="partial_fit takes the columns w, upos, xpos, found 'lemma'. Use fit."):
        other.partial_fit(X, ARCS)


def test_labels_of_trees_grow():
    parser = ConstituentParser("perceptron").partial_fit(SPANS[:4], TREES[:4])
    assert parser.labels_ == ["NP", "S", "VP"]
    parser.partial_fit([["why", "bark"]], ["(SQ (WP why) (VB bark))"])
    assert parser.labels_ == ["NP", "S", "VP", "SQ"]


# Commands


@pytest.mark.parametrize("name", ["labels that are numbers", "labelset", "tag", "parse, with taggers"])
def test_the_command_says_the_same(name, tmp_path):
    estimator, X, _ = in_parts(name)
    estimator.save(tmp_path / "a.linnet")
    data, out = tmp_path / "new.csv", tmp_path / "out.jsonl"
    column = "tags" if estimator.model_.task == "tag" else "prediction"
    if name.startswith(("tag", "parse")):
        data = tmp_path / "new.jsonl"
        X = words_of(X)
        lines = ['{"tokens": [' + ", ".join(f'"{word}"' for word in sentence) + "]}\n" for sentence in X]
        data.write_text("".join(lines))
    else:
        data.write_text("text\n" + "".join(f"{text}\n" for text in X))
    app(["predict", str(tmp_path / "a.linnet"), str(data), "-o", str(out)], standalone_mode=False)
    found = [json.loads(line) for line in out.read_text().splitlines()]
    if name.startswith("parse"):
        trees = [list(zip(row["heads"], row["relations"], strict=True)) for row in found]
        assert trees == estimator.predict(X)
    else:
        assert [row[column] for row in found] == plain(estimator.predict(X))


# Copies of models


class Breaks(linnet.Structure):
    """Where to break a word: never twice side by side."""

    outcomes = (2,)

    def __init__(self, vowels="aeiou"):
        self.vowels = vowels

    def features(self, word):
        return [[{"before": word[i], "vowel": word[i] in self.vowels} for i in range(len(word) - 1)]]

    def mu(self, y):
        return [(0, i, k) for i, k in enumerate(y)]

    def outputs(self, places):
        return [y for y in np.ndindex(*[2] * places[0]) if (1, 1) not in zip(y, y[1:], strict=False)]


def own_model():
    return linnet.learn(Breaks("aeio"), ["banana", "tomato"], [(0, 1, 0, 1, 0), (0, 1, 0, 1, 0)], learner="crf")


def compressor():
    data = [["a", "very", "fine", "film"]] * 4, [[1, 0, 1, 1]] * 4
    return linnet.train(data, task="compress")


MODELS = {
    "own": (own_model, ["potato", "tomato"]),
    "compress": (compressor, [["a", "very", "fine", "film"]]),
    "reranked": (lambda: SequenceTagger(features="w", rerank=3).fit(WORDS, TAGS).model_, WORDS),
    "with state": (lambda: linnet.train((TEXTS, LABELS), learner="averaged-mira", keep_state=True), TEXTS),
    "network": (lambda: linnet.train((TEXTS, LABELS), learner="feedforward", features="words:1"), TEXTS),
    "of second order": (lambda: linnet.train((WORDS, TAGS), task="tag", features="w y[-2]|y[-1]"), WORDS),
    **{name: (lambda name=name: fitted(name)[0].model_, CASES[name][1]) for name in CASES},
}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("copied", [lambda one: pickle.loads(pickle.dumps(one)), copy.deepcopy])
def test_models_are_copied_with_all_that_they_are(name, copied):
    make, X = MODELS[name]
    model = make()
    again = copied(model)
    assert said_by(again, X) == said_by(model, X)
    same(again, model)
    assert repr(again) == repr(model)
    for one, other in zip(again.weights, model.weights, strict=True):
        assert not np.shares_memory(one, other)
    assert again.features is not model.features
    assert (again.state is None) == (model.state is None)


def test_a_copy_of_a_structure_of_ones_own_has_its_settings():
    model = own_model()
    again = copy.deepcopy(model)
    assert again.own is not model.own
    assert again.own.vowels == "aeio"
    assert again.evaluate(["banana"], [(0, 1, 0, 1, 0)]).accuracy == 1


def test_copies_predict_side_by_side_while_one_learns():
    model = linnet.train((TEXTS, LABELS), features="words:1", learner="averaged-mira")
    again, expected, wrong = copy.deepcopy(model), model.predict(TEXTS), []

    def predict(one):
        for _ in range(50):
            if one.predict(TEXTS) != expected:
                wrong.append(one)

    threads = [threading.Thread(target=predict, args=(one,)) for one in (model, again, model, again)]
    for thread in threads:
        thread.start()
    session = again.session()
    for text in TEXTS:
        session.learn(f"{text} unheard", "new")
    for thread in threads:
        thread.join()
    assert not wrong
    assert session.predict("wheat unheard") == "new"


@pytest.mark.parametrize("copied", [lambda one: pickle.loads(pickle.dumps(one)), copy.deepcopy, copy.copy])
def test_a_copy_of_a_session_goes_on_by_itself(copied):
    session = linnet.train((TEXTS, LABELS), features="words:1", learner="averaged-mira").session()
    session.learn("corn", "g")
    again = copied(session)
    before = again.model().weights[0].copy()
    session.learn(TEXTS, LABELS)
    np.testing.assert_array_equal(again.model().weights[0], before)
    again.learn(TEXTS, LABELS)
    np.testing.assert_array_equal(again.model().weights[0], session.model().weights[0])
    with pytest.raises(UsageError, match="there is no lesson to take back"):
        copied(session).undo()
