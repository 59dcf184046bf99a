"""The features of candidates by hand, and as a model file keeps them."""

import math

import numpy as np
import pytest

from linnet.errors import DataError, UsageError
from linnet.io.lists.lists import Candidate, CandidateList, Lists
from linnet.tasks.rerank.features import CandidateFeatures


def lists(*given):
    return Lists([CandidateList([Candidate(text) for text in texts], x) for x, texts in given], "here")


def columns(spec, data, scaled=False):
    """The numbers of each candidate by name; as they are, but for the mean of their list."""
    features = CandidateFeatures(spec)
    rows = features.fit_transform(data)
    table = np.zeros((len(rows), features.n_features))
    for i in range(len(rows)):
        at = slice(rows.indptr[i], rows.indptr[i + 1])
        table[i, rows.indices[at]] = rows.values[at]
    units = np.ones(features.n_features) if scaled else features._unit
    return {features.name(j): table[:, j] * units[j] for j in range(features.n_features)}


def less_mean(values):
    return pytest.approx(np.array(values) - np.mean(values), abs=1e-6)


def test_lengths_and_their_ratio_to_the_source():
    found = columns("length ratio", lists(("a b c", ["a b", "a b c d e"])))
    assert found["words"] == less_mean([math.log(3), math.log(6)])
    assert found["characters"] == less_mean([math.log(4), math.log(10)])
    assert found["ratio"] == less_mean([math.log(3 / 4), math.log(6 / 4)])
    assert found["|ratio|"] == less_mean([math.log(4 / 3), math.log(6 / 4)])


def test_words_that_recur():
    """Of 4 words 2 are there before, 1 stands just before."""
    found = columns("repeat", lists(("", ["the the dog the", "a dog"])))
    assert found["repeated"] == less_mean([0.5, 0])
    assert found["doubled"] == less_mean([0.25, 0])


def test_words_that_no_other_list_has_are_unknown():
    data = lists(("", ["a dog", "a cat"]), ("", ["the dog", "a b"]))
    features = CandidateFeatures("unknown")
    features.fit_transform(data)
    assert columns("unknown", data)["unknown"] == pytest.approx([-0.25, 0.25, 0, 0])
    new = features.transform(lists(("", ["a cat", "a fish"])))
    assert new.values * features._unit[0] == pytest.approx([-0.25, 0.25])


def test_punctuation_that_differs_from_that_of_the_source():
    found = columns("marks", lists(("Is it, so?", ["is it, so?", "is it so.", "is it"])))
    assert found["other marks"] == less_mean([0, 3, 2])
    assert found["other end"] == less_mean([0, 1, 1])


def test_ngrams_that_are_shared_with_the_source():
    """ "a b d" has 2 of 3 words in "a b c d", which has 2... 3 of its 4 in it, and one of two bigrams, one of three."""
    found = columns("overlap", lists(("a b c d", ["a b d", "x"])))
    assert found["in source: 1 words"] == less_mean([1, 0])
    assert found["of source: 1 words"] == less_mean([3 / 4, 0])
    assert found["in source: 2 words"] == less_mean([1 / 2, 0])
    assert found["of source: 2 words"] == less_mean([1 / 3, 0])
    assert found["in source: 2 letters"] == less_mean([1 / 2, 0])


def test_ngrams_that_are_shared_with_the_others():
    """Of "a b" a is in both others and b in one; of "a b c" b in one and c in none; of "a" a in both."""
    found = columns("consensus", lists(("", ["a b", "a b c", "a"])))
    assert found["consensus: 1 words"] == less_mean([3 / 4, 3 / 6, 1])
    assert found["consensus: 2 words"] == less_mean([1 / 2, 1 / 4, 0])


def scored(*of_lists):
    return Lists([CandidateList([Candidate("", numbers) for numbers in one]) for one in of_lists], "here")


def test_numbers_are_in_units_of_two_deviations_within_lists_and_0_where_they_are_missing():
    """Deviations 1, -1, 3, -3: their mean square is 5. That of another mean of the list does not count."""
    data = scored([{"a": 2}, {"a": 0}], [{"a": 106}, {"a": 100}], [{"a": 7}, {"b": 3}])
    found = columns("numbers", data, scaled=True)
    root = 2 * math.sqrt(20 / 6)
    assert found["a"] == pytest.approx([1 / root, -1 / root, 3 / root, -3 / root, 0, 0])
    assert found["b"].tolist() == [0] * 6
    assert list(columns("number:a", data)) == ["a"]
    with pytest.raises(DataError, match=r"here: expected candidates with the number 'c', found a, b\."):
        columns("number:c", data)


def test_features_that_are_given():
    of = ({"x": 1, "y": 2}, {"x": 3})
    data = Lists([CandidateList([Candidate("", {}, one)]) for one in of], "here")
    features = CandidateFeatures("given:2")
    rows = features.fit_transform(data)
    assert [features.name(j) for j in range(features.n_features)] == ["x"]
    assert (rows.indptr.tolist(), rows.values.tolist()) == ([0, 1, 2], [1, 3])
    assert CandidateFeatures("given").fit_transform(data).values.tolist() == [1, 2, 3]


def test_all_kinds_side_by_side_as_a_file_keeps_them():
    data = Lists(
        [
            CandidateList([Candidate("a dog", {"s": 1.0}, {"x": 2.0}), Candidate("a a", {"s": 2.0})], "ein Hund"),
            CandidateList([Candidate("a cat", {"s": 5.0}, {"z": 1.0}), Candidate("the cat")], "eine Katze"),
        ],
        "here",
    )
    features = CandidateFeatures("words:1 numbers given length unknown")
    rows = features.fit_transform(data)
    names = [features.name(j) for j in range(features.n_features)]
    assert names == ["a", "dog", "cat", "the", "s", "words", "characters", "unknown", "x", "z"]
    assert rows.indices[: rows.indptr[1]].tolist() == [0, 1, 4, 5, 6, 7, 8]
    again = CandidateFeatures.from_arrays(features.header(), features.arrays())
    for mine, other in zip(features.transform(data), again.transform(data), strict=True):
        assert mine.tolist() == other.tolist()
    assert again.name(9) == "z"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("", "expected features, found none. Name some, such as 'words:1-2 length numbers'."),
        ("given:0", "expected given or given:N with N at least 1, found 'given:0'."),
        (
            "words:1 lenght",
            "unknown feature in 'words:1 lenght'. Did you mean 'length'? `linnet list features` shows them all.",
        ),
    ],
)
def test_what_is_no_feature(spec, message):
    with pytest.raises(UsageError) as caught:
        CandidateFeatures(spec)
    assert str(caught.value) == message
