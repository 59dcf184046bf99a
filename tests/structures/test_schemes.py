"""Schemes of tags: spans by hand, there and back, and what may follow what against enumeration."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet.errors import DataError, UsageError
from linnet.structures.schemes import SCHEMES, convert, legal, scheme_of, spans, tags_of

any_tags = st.lists(st.sampled_from(["O", *(f"{letter}-{kind}" for letter in "BIESLU" for kind in "XY")]), max_size=12)
sentences = st.lists(any_tags, max_size=5)


@st.composite
def sets_of_spans(draw):
    """Spans that do not overlap, and the number of tokens."""
    borders = draw(
        st.lists(st.tuples(st.integers(0, 2), st.integers(1, 3), st.sampled_from(["X", "Y", "A-B"])), max_size=6)
    )
    found, at = [], 0
    for gap, length, kind in borders:
        found.append((at + gap, at + gap + length, kind))
        at += gap + length
    return found, at + draw(st.integers(0, 2))


def flat(sentences):
    return sum(sentences, []), np.cumsum([0, *map(len, sentences)])


def cut(tags, starts):
    return [tags[a:b] for a, b in itertools.pairwise(starts.tolist())]


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ("O O", []),
        ("B-X I-X O", [(0, 2, "X")]),
        ("B-X B-X", [(0, 1, "X"), (1, 2, "X")]),
        ("I-X I-X B-X", [(0, 2, "X"), (2, 3, "X")]),
        ("O I-X I-Y", [(1, 2, "X"), (2, 3, "Y")]),
        ("B-X I-Y I-Y", [(0, 1, "X"), (1, 3, "Y")]),
        ("B-X I-X E-X S-X", [(0, 3, "X"), (3, 4, "X")]),
        ("B-X L-X U-Y O", [(0, 2, "X"), (2, 3, "Y")]),
        ("E-X E-X I-X", [(0, 1, "X"), (1, 2, "X"), (2, 3, "X")]),
        ("S-X I-X O E-X", [(0, 1, "X"), (1, 2, "X"), (3, 4, "X")]),
        ("E-X B-X", [(0, 1, "X"), (1, 2, "X")]),
        ("B-A-B I-A-B I-A", [(0, 2, "A-B"), (2, 3, "A")]),
        ("B I O B", [(0, 2, ""), (3, 4, "")]),
        ("DT NN", []),
        ("", []),
    ],
)
def test_spans_by_hand(tags, expected):
    assert spans(tags.split()) == expected
    assert spans(np.array(tags.split(), str)) == expected


@pytest.mark.parametrize(
    ("tags", "scheme"),
    [
        ("B-X I-X O", "bio"),
        ("B-X", "bio"),
        ("O I-X B-X", "bio"),  # a set of tags: its order says nothing
        ("O I-X B-X O", "iob1"),  # a text
        ("I-X I-X O I-Y", "iob1"),
        ("I-X I-Y B-Y O", "iob1"),
        ("B-X O I-X O", "bio"),  # malformed in both
        ("B-X I-X E-X S-X O", "bioes"),
        ("B-X I-X L-X U-X O", "bioes"),
        ("S-X O", "bioes"),
        ("B I O", "bio"),
        ("S O", None),
        ("O O", None),
        ("DT NN O", None),
        ("B-X NN", None),
        ("", None),
    ],
)
def test_the_scheme_of_tags(tags, scheme):
    assert scheme_of(tags.split()) == scheme


@given(sets_of_spans(), st.sampled_from(SCHEMES))
def test_spans_to_tags_and_back(sentence, scheme):
    found, n_tokens = sentence
    tags = tags_of(found, n_tokens, scheme)
    assert len(tags) == n_tokens
    assert spans(tags) == found


@given(sentences, st.sampled_from(SCHEMES))
def test_conversions_keep_spans(sentences, to):
    tags, starts = flat(sentences)
    converted, _ = convert(tags, starts, to)
    assert [spans(sentence) for sentence in cut(converted, starts)] == [spans(sentence) for sentence in sentences]


@given(sentences, st.sampled_from(SCHEMES))
def test_what_is_converted_is_well_formed(sentences, to):
    tags, starts = flat(sentences)
    converted, _ = convert(tags, starts, to)
    names = ["O", *(f"{letter}-{kind}" for letter in "BIES" for kind in "XY")]
    follows, first, last = legal(names, to)
    for sentence in cut([names.index(tag) for tag in converted], starts):
        assert all(follows[a, b] for a, b in itertools.pairwise(sentence))
        assert not sentence or (first[sentence[0]] and last[sentence[-1]])


@given(sets_of_spans(), st.sampled_from(SCHEMES), st.sampled_from(SCHEMES))
def test_a_well_formed_sequence_is_not_repaired(sentence, scheme, to):
    tags = tags_of(*sentence, scheme)
    converted, repaired = convert(tags, [0, len(tags)], to)
    assert converted == tags_of(*sentence, to)
    assert repaired == 0 or scheme_of(tags) != scheme  # a few tags may look like another scheme


def test_repairs_by_hand():
    # I-X behind O, and I-Y behind X, ought to be B; the I-X of the second sentence too.
    tags = ["B-X", "O", "I-X", "I-Y", "I-X", "B-X"]
    assert convert(tags, [0, 4, 6]) == (["B-X", "O", "B-X", "B-Y", "B-X", "B-X"], 3)
    # X is not ended by E, and Y is S if it stands alone.
    assert convert(["B-X", "I-X", "E-Y"], [0, 3], "bioes") == (["B-X", "E-X", "S-Y"], 2)
    # In iob1 a B may not be first.
    assert convert(["B-X", "B-X", "I-X"], [0, 1, 3], "iob1")[0] == ["I-X", "I-X", "I-X"]


def test_other_letters_are_not_repairs():
    assert convert(["B-X", "I-X", "L-X", "U-Y"], [0, 4], "bioes") == (["B-X", "I-X", "E-X", "S-Y"], 0)


def test_a_span_ends_with_its_sentence():
    assert convert(["I-X", "I-X", "I-X"], [0, 2, 3]) == (["B-X", "I-X", "B-X"], 0)
    assert convert(["I-X", "I-X"], [0, 1, 1, 2], "bioes") == (["S-X", "S-X"], 0)


def test_sentences_without_spans_stay_as_they_are():
    assert convert(["O", "O"], [0, 1, 2], "bioes") == (["O", "O"], 0)
    assert convert([], [0]) == ([], 0)


def test_tags_without_types():
    assert convert(["B", "I", "O", "B"], [0, 4], "bioes") == (["B", "E", "O", "S"], 0)


def test_plain_tags_cannot_be_converted():
    with pytest.raises(DataError) as caught:
        convert(["B-X", "NN"], [0, 2])
    assert str(caught.value) == "expected tags of spans, such as B-X, I-X and O, found 'NN'."


@pytest.mark.parametrize("starts", [[], [0], [0, 3], [1, 2], [0, 2, 1, 2], [[0, 2]]])
def test_starts_go_from_0_to_the_number_of_tokens(starts):
    with pytest.raises(DataError) as caught:
        convert(["O", "O"], starts)
    assert str(caught.value).startswith(
        "expected the starts of sentences and the number of tokens, from 0 up to 2, found ["
    )


def test_an_unknown_scheme():
    for call in (lambda: convert(["O"], [0, 1], "iobes"), lambda: legal(["O"], "iobes")):
        with pytest.raises(UsageError) as caught:
            call()
        assert str(caught.value) == "there is no scheme of tags 'iobes'. Use one of: bio, bioes, iob1."


def well_formed(tags, scheme):
    """A sequence is well formed if writing its spans gives it back."""
    return tags_of(spans(tags), len(tags), scheme) == list(tags)


@pytest.mark.parametrize(("scheme", "letters"), [("bio", "BI"), ("iob1", "BI"), ("bioes", "BIES")])
def test_what_is_legal_is_what_is_well_formed(scheme, letters):
    names = ["O", *(f"{letter}-{kind}" for letter in letters for kind in "XY")]
    follows, first, last = legal(names, scheme)
    for n in range(4 if scheme == "bioes" else 5):
        for y in itertools.product(range(len(names)), repeat=n):
            is_legal = all(follows[a, b] for a, b in itertools.pairwise(y)) and (not y or (first[y[0]] and last[y[-1]]))
            assert is_legal == well_formed([names[k] for k in y], scheme)


def test_the_scheme_of_what_is_legal_is_that_of_the_tags():
    follows, first, last = legal(["O", "S-X", "B-X", "E-X"])
    assert follows.tolist() == [
        [True, True, True, False],
        [True, True, True, False],
        [False, False, False, True],
        [True, True, True, False],
    ]
    assert first.tolist() == [True, True, True, False]
    assert last.tolist() == [True, True, False, True]
    assert legal(["DT", "NN"]) is None
    assert legal(["O"]) is None
