"""Texts that are blank or equal to an earlier one, found in the bytes of Arrow columns as they are by comparing strings."""

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from linnet.tasks.equal_texts import blank_texts, encoded, equal_to_earlier

WORDS = st.lists(st.sampled_from(["a", "film", "ein Film,", " ", "\u3000", "\n", "映画", "é", "x" * 9, ""]), max_size=5)
TEXTS = st.lists(st.one_of(WORDS.map("".join), st.text(max_size=12)), max_size=30)


def earlier_by_strings(texts):
    first = {}
    return {i: first[text] for i, text in enumerate(texts) if first.setdefault(text, i) != i}


@given(TEXTS)
def test_the_same_as_by_comparing_strings(texts):
    assert equal_to_earlier(encoded(texts)) == earlier_by_strings(texts)
    assert blank_texts(encoded(texts)) == [i for i, text in enumerate(texts) if not text.strip()]


def test_parts_that_are_slices_of_larger_columns():
    kind = pa.large_string()
    texts = ["a film of some length", " ", "another film, longer", "a film of some length", "", "a film of some length"]
    column = pa.chunked_array([pa.array(["no", *texts[:4]], kind), pa.array([*texts[4:], "no"], kind)])
    parts = [column.slice(1, 3), column.slice(4, 2).chunk(0), column.slice(5, 0), column.slice(5, 2)]
    assert [text for part in parts for text in part.to_pylist()][:4] == texts[:4]
    found = [text for part in parts for text in part.to_pylist()]
    assert equal_to_earlier(lambda: parts) == earlier_by_strings(found)
    assert blank_texts(lambda: parts) == [i for i, text in enumerate(found) if not text.strip()]


def test_texts_that_agree_only_where_keys_look():
    alike = [f"the beginning {k:010} of the middle part {k:010} at the end" for k in range(50)]
    middle = len(alike[0]) // 2 - 4
    assert len({text[middle : middle + 8] for text in alike}) == 1
    assert equal_to_earlier(encoded([*alike, alike[7]])) == {50: 7}


def test_characters_that_utf8_cannot_write():
    assert equal_to_earlier(encoded(["\ud800 as it was", "\ud801 as it was", "\ud800 as it was"])) == {2: 0}
