"""Trees as bits, as spans and as binary trees."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet.structures.bits import NONE, Span, binary, bits_of, numbered, restored, spans_of

BITS = ["(S(NP*", "*", "*)", "(VP(V*)", "(NP(N*)))", "*)"]


@st.composite
def trees(draw):
    """Bits of a random tree: parts of parts, some with a label or several."""
    n = draw(st.integers(1, 7))
    spans = {}

    def grow(first, last):
        labels = draw(st.lists(st.sampled_from(["S", "NP", "VP"]), max_size=2))
        if labels:
            spans[first, last] = "+".join(labels)
        cuts = sorted(draw(st.sets(st.integers(first + 1, last)))) if last > first else []
        for a, b in zip([first, *cuts], [*cuts, last + 1], strict=True):
            if cuts:
                grow(a, b - 1)

    grow(0, n - 1)
    return bits_of(spans, n)


def test_spans():
    assert spans_of(BITS) == [
        Span("S", 0, 5),
        Span("NP", 0, 2),
        Span("VP", 3, 4),
        Span("V", 3, 3),
        Span("NP", 4, 4),
        Span("N", 4, 4),
    ]


def test_from_the_left_and_from_the_right():
    both = {
        (0, 5): "S",
        (0, 2): "NP",
        (3, 4): "VP",
        (3, 3): "V",
        (4, 4): "NP+N",
        (0, 0): NONE,
        (1, 1): NONE,
        (2, 2): NONE,
        (5, 5): NONE,
    }
    assert binary(BITS, left=True) == both | {(0, 1): NONE, (0, 4): NONE}
    assert binary(BITS, left=False) == both | {(1, 2): NONE, (3, 5): NONE}


def test_a_forest_has_a_root_without_a_label():
    assert binary(["*", "(NP*)"], left=True) == {(0, 1): NONE, (0, 0): NONE, (1, 1): "NP"}


@given(trees(), st.booleans())
def test_what_was_made_binary_is_restored(bits, left):
    tree = binary(bits, left=left)
    n = len(bits)
    assert len(tree) == 2 * n - 1
    for a, b in tree:
        assert a == b or sum((a, k) in tree and (k + 1, b) in tree for k in range(a, b)) == 1
    labels = sorted(set(tree.values()))
    y = numbered(tree, n, {label: k for k, label in enumerate(labels)})
    assert np.count_nonzero(y) == 2 * n - 1
    assert restored(y, n, labels) == bits


def test_numbers_are_those_of_the_structure():
    # spans of 2 words: (0, 0), (0, 1), (1, 1)
    y = numbered(binary(["(S(NP*)", "*)"], left=True), 2, {NONE: 0, "S": 1})
    assert y.tolist() == [-1, 2, 1]


@pytest.mark.parametrize(
    ("bits", "message"),
    [
        (["(S*", "NP*)"], r"expected brackets around a word such as \(S\(NP\* or \*\)\), found 'NP\*\)'"),
        (["(S*)", "*)"], "a bracket is closed after word 2 that was not open"),
        (["(S(NP*", "*"], "2 brackets are never closed"),
    ],
)
def test_what_is_no_tree(bits, message):
    with pytest.raises(ValueError, match=message):
        spans_of(bits)
