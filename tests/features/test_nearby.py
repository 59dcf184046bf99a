"""How a name stands elsewhere."""

import numpy as np
import pyarrow as pa
import pytest

from linnet.errors import UsageError
from linnet.features.nearby import Nearby
from linnet.features.tokens import TokenFeatures

TEXT = ["Rosa sees Ann .", "Then Ann ran .", "A rosa is red .", "Bob left ."]
WORDS = pa.array([word for line in TEXT for word in line.split()], pa.large_string())
STARTS = np.cumsum([0, *(len(line.split()) for line in TEXT)])


def at(word, which=0):
    return [i for i, w in enumerate(WORDS.to_pylist()) if w == word][which]


def test_what_is_near():
    near = Nearby(WORDS, STARTS).near().to_pylist()
    assert near[at("Rosa")] == "lower"
    assert near[at("Ann")] == near[at("Ann", 1)] == "cap"
    assert near[at("Bob")] == near[at("rosa")] == near[at("sees")] == ""


def test_start_is_neither_and_both_is_both():
    words = pa.array("May left . May ran . then May may go .".split(), pa.large_string())
    near = Nearby(words, np.array([0, 3, 6, 11])).near().to_pylist()
    assert [near[0], near[3], near[7]] == ["both", "both", "lower"]
    assert Nearby(words.slice(0, 6), np.array([0, 3, 6])).near().to_pylist()[0] == "start"


def test_words_beside_are_features_each():
    features = TokenFeatures("w near-left near-right", ("w",))
    rows = features.fit_transform({"w": WORDS}, STARTS)

    def names(i):
        return {features.name(int(j)) for j in rows.indices[rows.indptr[i] : rows.indptr[i + 1]]}

    assert names(at("Ann")) == {"w=Ann", "near-left=then", "near-right=ran"}
    assert names(at("Ann", 1)) == {"w=Ann", "near-left=sees", "near-right=."}
    assert names(at("Rosa")) == {"w=Rosa", "near-left=a", "near-right=is"}
    assert names(at("rosa")) == {"w=rosa"}


def test_beyond_the_sentence_is_a_value_and_a_value_counts_once():
    words = pa.array("Ann . Ann . x Ann".split(), pa.large_string())
    features = TokenFeatures("w near-left near-right", ("w",))
    rows = features.fit_transform({"w": words}, np.array([0, 2, 4, 6]))
    last = [features.name(int(j)) for j in rows.indices[rows.indptr[5] :]]
    assert last == ["w=Ann", "near-left=<s>", "near-right=."]


def test_a_file_keeps_them():
    features = TokenFeatures("w|near near-right near-left amb lower-amb", ("w",))
    y = np.arange(len(WORDS), dtype=np.int32) % 2
    features.fit_transform({"w": WORDS}, STARTS, y, ("a", "b"))
    again = TokenFeatures.from_arrays(features.header(), features.arrays())
    assert again.names() == features.names()
    for a, b in zip(again.transform({"w": WORDS}, STARTS), features.transform({"w": WORDS}, STARTS), strict=True):
        np.testing.assert_array_equal(a, b)


def test_no_tokens():
    assert Nearby(WORDS.slice(0, 0), np.zeros(1, np.int64)).near().to_pylist() == []


@pytest.mark.parametrize("item", ["near-left[1]", "w|near-left", "y[-1]|near-right"])
def test_lists_stand_alone(item):
    with pytest.raises(UsageError) as caught:
        TokenFeatures(f"w {item}", ("w",))
    expected = f"{item!r}: near-left and near-right stand alone. Leave out what is joined with them, and [..]."
    assert str(caught.value) == expected


def test_lower_amb_knows_the_word_in_whatever_case():
    features = TokenFeatures("amb lower-amb", ("w",))
    words = pa.array(["the", "dog"] * 20, pa.large_string())
    features.fit_transform({"w": words}, np.array([0, 40]), np.array([0, 1] * 20, np.int32), ("D", "N"))
    rows = features.transform({"w": pa.array(["THE"], pa.large_string())}, np.array([0, 1]))
    assert [features.name(int(j)) for j in rows.indices] == ["lower-amb=D 5+"]
