"""Which features texts have where none are named, and what `auto` tries."""

import pyarrow as pa
import pytest

import linnet
from linnet.features import FeatureSpec
from linnet.tasks import named
from linnet.tasks.texts.presets import (
    DEFAULT_FEATURES,
    SHORT_FEATURES,
    UNSPACED_FEATURES,
    default_features,
    plans,
)

QUESTIONS = ["Who wrote Emma ?", "Where is Bath ?"]
REVIEWS = ["A fine film. " * 40, "Dull."]


def column(texts):
    return pa.array(texts, pa.large_string())


@pytest.mark.parametrize(("texts", "features"), [(QUESTIONS, SHORT_FEATURES), (REVIEWS, DEFAULT_FEATURES)])
def test_the_mean_length_decides(texts, features):
    assert default_features(column(texts)) == features
    assert default_features(pa.chunked_array([column(texts[:1]), column(texts[1:])])) == features


def test_the_length_of_a_part_is_that_of_its_texts():
    both = column(REVIEWS[:1] + QUESTIONS)
    assert default_features(both[1:]) == SHORT_FEATURES
    assert default_features(both[:1]) == DEFAULT_FEATURES


def test_characters_are_counted_not_bytes():
    assert default_features(column(["房间很大，服务也很好。" * 17])) == SHORT_FEATURES  # 187 characters in 561 bytes


def test_long_texts_without_blanks_between_words_have_longer_ngrams():
    chinese, english = "房间很大，服务也很好。" * 20, REVIEWS[0]
    assert default_features(column([chinese])) == UNSPACED_FEATURES
    assert default_features(column([chinese, english])) == UNSPACED_FEATURES
    assert default_features(column([chinese, *[english] * 20])) == DEFAULT_FEATURES
    assert default_features(column(["호텔이 깨끗하고 아주 좋아요. " * 20])) == DEFAULT_FEATURES  # Korean has blanks
    unspaced, usual = (plans(None, default_features(text), text) for text in (column([chinese]), column(REVIEWS)))
    assert (unspaced[0].features, unspaced[0].options) == (UNSPACED_FEATURES, {"C": 1, "power": 0.5})
    assert unspaced[-len(usual) :] == usual


@pytest.mark.parametrize("task", ["labels", "hierarchy", "ordinal", "ranking"])
def test_every_task_over_texts_asks_for_it(task):
    labels = {"ordinal": ["1", "2"], "hierarchy": ["a/b", "c/d"]}.get(task, ["a", "b"])
    task = named(task)
    gold = task.read((QUESTIONS, [[y] for y in labels] if task.name == "ranking" else labels), {})
    assert task.plan(None, gold).features == SHORT_FEATURES
    assert task.plan("words", gold).features == "words"


def test_a_model_says_which_it_has():
    texts = [f"{word} is it ?" for word in ("Who", "Where")] * 3
    assert str(linnet.train((texts, ["hum", "loc"] * 3)).features.spec) == SHORT_FEATURES


def test_auto_tries_the_default_first_and_more_for_short_texts():
    long, short = (plans(None, default_features(column(texts)), column(texts)) for texts in (REVIEWS, QUESTIONS))
    assert (long[0].features, long[0].options) == (DEFAULT_FEATURES, {"C": 1, "power": 0.5})
    assert short[-len(long) :] == long
    assert {plan.features for plan in short[: -len(long)]} == {SHORT_FEATURES}
    assert all(str(FeatureSpec.parse(plan.features)) == plan.features for plan in short)


def test_auto_tries_usual_features_that_are_in_no_list_too():
    found = plans(None, "chars-across:1-3 bm25", column(REVIEWS))
    assert [(plan.features, plan.options) for plan in found[:4]] == [
        *(("chars-across:1-3 bm25", {"C": C, "power": 0.5}) for C in (1, 0.3, 3)),
        (DEFAULT_FEATURES, {"C": 1, "power": 0.5}),
    ]
