"""Explanations sum to the score: feature by feature, and word by word."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import linnet
from linnet.core.weights import stride_of
from linnet.errors import DataError
from linnet.features import TextFeatures
from linnet.tasks.labels.model import LabelsModel
from linnet.tasks.texts import why

TEXTS = [
    "A good film, and a good laugh!",
    "I don't like it: a bad, bad film.",
    "no good",
    "fine İstanbul ΟΔΟΣ 中文",
    "never dull; it isn't bad",
    "odd odd odd",
]
GOLD = ["+", "-", "-", "+", "+", "?"]
SPECS = [
    "words:1-2",
    "words:1-3 punct bm25",
    "words not",
    "words:1-2 position",
    "words punct not position case",
    "chars:1-4 tfidf",
    "chars-across:2-3",
    "words chars*0.5 chars-across:2-3*0.2 bm25",
    "words start*2 skip:1-3*0.5 shapes*0.3 bm25",
    "words:1-2 hash=6",
    "words chars:2-3 hash=5 l2",
    "sentiment",
    "sentiment*0.3 words tfidf",
]


@pytest.fixture(scope="session")
def models():
    return {spec: linnet.train((TEXTS, GOLD), features=spec, learner="logistic", epochs=5) for spec in SPECS}


words = st.sampled_from([*" ".join(TEXTS).split(), "unseen", "İ", "ΣΑΣ", "don’t", "e\u0301", "🙂", "I", "!"])
texts = st.lists(words, max_size=12).map(" ".join) | st.text("good İΣ.'’ \u0301\n", max_size=20)


@pytest.mark.parametrize("spec", SPECS)
@given(text=texts)
def test_contributions_and_words_sum_to_the_difference_of_the_scores(models, spec, text):
    model = models[spec]
    why = model.explain(text)
    scores = dict(zip(model.labels, model.scores([text])[0].astype(float), strict=True))
    assert why.score == pytest.approx(scores[why.label] - scores[why.against], abs=1e-4)
    assert why.bias + math.fsum(c.contribution for c in why.contributions) == pytest.approx(why.score, abs=1e-9)
    assert why.bias + math.fsum(w.contribution for w in why.words) + why.elsewhere == pytest.approx(why.score, abs=1e-9)


@pytest.mark.parametrize("spec", SPECS)
@given(text=texts)
def test_an_explanation_is_of_the_best_label_against_the_second(models, spec, text):
    model = models[spec]
    why = model.explain(text)
    scores = model.scores([text])[0]
    ranked = [model.labels[k] for k in np.argsort(-scores, kind="stable")]
    if len(set(np.round(scores, 4))) == len(scores):  # not by chance
        assert [why.label, why.against] == ranked[:2]
        assert why.label == model.predict([text])[0]
    assert why.score >= -1e-6


@pytest.mark.parametrize("spec", SPECS)
@given(text=texts)
def test_every_contribution_is_value_times_weight(models, spec, text):
    for c in models[spec].explain(text).contributions:
        assert c.contribution == pytest.approx(c.value * c.weight)
        assert all(0 <= start < end <= len(text) for start, end in c.spans)


@given(text=texts)
def test_the_words_of_an_explanation_are_those_of_the_text(models, text):
    for word in models["words:1-2"].explain(text).words:
        assert text[word.start : word.end] == word.text
        assert word.text.strip() == word.text != ""


def by_hand(spec, texts, weights, labels=("x", "y")):
    """A model of given weights by the names of its features; `` is the bias."""
    features = TextFeatures(spec)
    features.fit_transform(texts)
    W = np.zeros((1 + features.n_features, stride_of(len(labels))), np.float32)
    for row, name in enumerate(["", *features.names()]):
        W[row, : len(labels)] = weights.get(name, 0)
    return LabelsModel(features, labels, (W,), "logistic")


def test_words_by_hand():
    # For x against y: bias 1 - 0.5; a: 2 - 0, twice; b: 0 - 3; `a a`: 1 over two words; `a b`: 4 over two words.
    model = by_hand(
        "words:1-2",
        ["a a b"],
        {"": (1, 0.5), "a": (2, 0), "b": (0, 3), "a a": (1, 0), "a b": (4, 0)},
    )
    why = model.explain("a a b c")
    assert (why.label, why.against, why.bias, why.score) == ("x", "y", 0.5, 6.5)
    assert [(w.text, w.contribution) for w in why.words] == [("a", 2.5), ("a", 4.5), ("b", -1), ("c", 0)]
    assert why.elsewhere == 0
    assert {(c.feature, c.value, c.weight, c.contribution, c.spans) for c in why.contributions} == {
        ("a", 2, 2, 4, ((0, 1), (2, 3))),
        ("b", 1, -3, -3, ((4, 5),)),
        ("a a", 1, 1, 1, ((0, 3),)),
        ("a b", 1, 4, 4, ((2, 5),)),
    }
    assert [abs(c.contribution) for c in why.contributions] == [4, 4, 3, 1]


def test_two_labels_that_are_asked_for():
    model = by_hand("words", ["a"], {"a": (1, 2, 4)}, ("x", "y", "z"))
    assert (model.explain("a").label, model.explain("a").against, model.explain("a").score) == ("z", "y", 2)
    assert model.explain("a", "x").against == "z"
    assert model.explain("a", "x").score == -3
    assert model.explain("a", "x", "y").score == -1
    assert model.explain("a", against="x").score == 3


def test_what_belongs_to_no_word_is_elsewhere():
    # The text as a whole has two positive words, each worth 3.
    model = by_hand("words sentiment", ["good fine film"], {"sentiment=positive": (3, 0), "film": (1, 0)})
    why = model.explain("good fine film")
    assert (why.elsewhere, [w.contribution for w in why.words], why.score) == (6, [0, 0, 1], 7)


def test_pieces_of_a_word_are_the_word():
    model = by_hand("chars:3", ["ab"], {" ab": (1, 0), "ab ": (2, 0)})
    why = model.explain("ab ab")
    assert [w.contribution for w in why.words] == [3, 3]


def test_pieces_across_words_are_elsewhere():
    why = by_hand("chars-across:3", ["a b"], {"a b": (1, 0)}).explain("a b")
    assert (why.elsewhere, [w.contribution for w in why.words]) == (1, [0, 0])


def test_a_negated_word_is_shown_as_it_stands():
    model = by_hand("words not", ["not good"], {"NOT_good": (0, 1)})
    why = model.explain("Not GOOD!")
    assert [(w.text, w.contribution) for w in why.words] == [("Not", 0), ("GOOD", 1), ("!", 0)]
    assert why.contributions[0].feature == "NOT_good"


def test_a_hashed_feature_is_named_by_the_text():
    model = linnet.train((["good day", "bad day"], "xy"), features="words:1-2 hash=16", learner="logistic")
    assert {c.feature for c in model.explain("Good day").contributions} == {"good", "day", "good day"}


def test_a_hashed_feature_keeps_its_case_where_case_matters():
    model = linnet.train((["Good day", "bad day"], "xy"), features="words case hash=16", learner="logistic")
    assert {c.feature for c in model.explain("Good day").contributions} == {"Good", "day"}


def test_a_text_without_known_words_has_the_bias_alone():
    model = by_hand("words", ["a"], {"": (0, 2), "a": (1, 0)})
    for text in ("", "...", "unknown"):
        why = model.explain(text)
        assert (why.label, why.score, why.bias, why.contributions) == ("y", 2, 2, ())


def test_a_word_that_makes_a_label_impossible():
    # Naive Bayes by maximum likelihood: ln 0, which is -1e6, for y, and ln 1 for x.
    model = linnet.train((["a", "b"], "xy"), features="words", learner="naive-bayes", options={"alpha": 0})
    why = model.explain("a")
    assert (why.label, why.score, [w.contribution for w in why.words]) == ("x", 1e6, [1e6])


def test_words_are_where_the_features_see_them():
    texts = ["服务很好", "服务不好", "好吃 ดีมาก", "不好吃 ไม่ดี"]
    model = linnet.train((texts, ["pos", "neg"] * 2), features="words:1-2 punct", learner="logistic")
    text = "不好<br/>ไม่ดี&amp;好"
    why = model.explain(text)
    assert [word.text for word in why.words] == ["不", "好", "ไ", "ม่", "ดี", "&amp;", "好"]
    assert {text[a:b] for c in why.contributions if c.feature == "不好" for a, b in c.spans} == {"不好"}
    assert why.words[0].contribution > 0
    assert sum(word.contribution for word in why.words) + why.elsewhere + why.bias == pytest.approx(why.score)


def test_what_nobody_looks_at_is_not_made(models):
    """The sums are made at once, so that an explanation costs little more than a prediction; the objects later."""
    why = models["words:1-2"].explain("a good film")
    assert why.score != 0
    assert not {"contributions", "words", "_places", "_shares"} & set(vars(why))
    assert {item.feature for item in why.contributions} == {"a", "good", "film", "a good", "good film"}
    assert "contributions" in vars(why)
    assert why.contributions is why.contributions


def test_a_text_that_is_too_long_to_explain_is_refused(monkeypatch, models):
    monkeypatch.setattr(why, "EXPLAINED_CHARACTERS", replace(why.EXPLAINED_CHARACTERS, most=20))
    model = next(iter(models.values()))
    assert model.explain("a" * 20).text == "a" * 20
    with pytest.raises(DataError, match="the text has 21 characters, and at most 20 are explained"):
        model.explain("a" * 21)


def test_the_places_of_features_are_where_they_stand():
    model = linnet.train(
        ["good film good", "bad film"] * 4, ["pos", "neg"] * 4, features="words:1-2", learner="logistic"
    )
    found = {one.feature: one.spans for one in model.explain("a good film, good film").contributions}
    assert found == {
        "good": ((2, 6), (13, 17)), "film": ((7, 11), (18, 22)), "good film": ((2, 11), (13, 22)), "film good": ((7, 17),)
    }  # fmt: skip
