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
    candidates,
    default_features,
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
    tried = candidates(column([chinese]))
    assert tried[: len(candidates(column(REVIEWS)))] == candidates(column(REVIEWS))
    assert (UNSPACED_FEATURES, 1, 0.5) in tried


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
    long, short = candidates(column(REVIEWS)), candidates(column(QUESTIONS))
    assert long[0] == (DEFAULT_FEATURES, 1, 0.5)
    assert short[: len(long)] == long
    assert {features for features, _, _ in short[len(long) :]} == {SHORT_FEATURES}
    assert all(str(FeatureSpec.parse(features)) == features for features, _, _ in short)
