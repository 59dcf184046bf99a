"""Ambiguity classes against counting by hand."""

from collections import Counter, defaultdict

import numpy as np
import pyarrow as pa
import pytest

from linnet.errors import UsageError
from linnet.features.ambiguity import Ambiguity
from linnet.features.tokens import TokenFeatures

TAGS = ("DT", "NN", "VB")


def column(words):
    return pa.array(words, pa.large_string())


def by_hand(words, y, word):
    had = Counter(TAGS[k] for w, k in zip(words, y, strict=True) if w == word)
    n = sum(had.values())
    if n == 0:
        return "U"
    bucket = "1" if n == 1 else "2-4" if n < 5 else "5+"
    return "/".join(tag for tag in TAGS if had[tag] >= 0.05 * n and had[tag]) + f" {bucket}"


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    words = [f"w{int(k)}" for k in rng.zipf(1.3, 3000) % 200]
    y = np.where(rng.random(3000) < 0.8, [int(w[1:]) % 3 for w in words], rng.integers(0, 3, 3000)).astype(np.int32)
    return words, y


def test_values_are_the_tags_of_at_least_a_twentieth(data):
    words, y = data
    ambiguity = Ambiguity.learn(column(words), y, TAGS)
    distinct = [*dict.fromkeys(words), "unseen"]
    assert ambiguity.look_up(column(distinct)).to_pylist() == [by_hand(words, y, word) for word in distinct]


def test_a_rare_tag_of_a_frequent_word_does_not_count():
    words = ["run"] * 100
    y = np.array([2] * 96 + [1] * 4, np.int32)
    assert Ambiguity.learn(column(words), y, TAGS).look_up(column(["run"])).to_pylist() == ["VB 5+"]


def test_in_training_a_tenth_is_judged_by_the_other_nine(data):
    words, y = data
    found = Ambiguity.learn(column(words), y, TAGS).jackknifed(column(words), y).to_pylist()
    expected = []
    for part in np.array_split(np.arange(len(words)), 10):
        others = np.setdiff1d(np.arange(len(words)), part)
        rest, gold = [words[i] for i in others], y[others]
        known = defaultdict(lambda: "U", {w: by_hand(rest, gold, w) for w in set(rest)})
        expected += [known[words[i]] for i in part]
    assert found == expected


def test_as_a_feature_it_is_kept_in_the_file(data):
    words, y = data
    columns, starts = {"w": column(words)}, np.array([0, len(words)])
    features = TokenFeatures("amb amb[-1]|w", ("w",))
    features.fit_transform(columns, starts, y, TAGS)
    again = TokenFeatures.from_arrays(features.header(), features.arrays())
    new = {"w": column(["w1", "unseen", "w2"])}
    for one, other in zip(
        features.transform(new, np.array([0, 3])), again.transform(new, np.array([0, 3])), strict=True
    ):
        assert one.tolist() == other.tolist()
    assert "amb=U" in again.names()


def test_without_tags_there_is_none():
    with pytest.raises(UsageError, match="^the feature 'amb' is learned from tags, and there are none"):
        TokenFeatures("amb", ("w",)).fit_transform({"w": column(["a"])}, np.array([0, 1]))
