"""Text from wherever it comes."""

import numpy as np
import pyarrow as pa
import pytest

from linnet.errors import DataError
from linnet.features import as_text

TEXTS = ["a", None, "é"]


def kinds():
    yield "list", TEXTS
    yield "tuple", tuple(TEXTS)
    yield "numpy objects", np.array(TEXTS, object)
    yield "arrow strings", pa.array(TEXTS)
    yield "arrow large strings", pa.array(TEXTS, pa.large_string())
    yield "arrow views", pa.array(TEXTS, pa.string_view())
    yield "arrow dictionary", pa.array(TEXTS).dictionary_encode()
    yield "arrow chunks", pa.chunked_array([pa.array(["a"]), pa.array([None, "é"])])


@pytest.mark.parametrize("column", [pytest.param(column, id=name) for name, column in kinds()])
def test_every_column_of_text_becomes_large_strings(column):
    text = as_text(column)
    assert text.type == pa.large_string()
    assert text.to_pylist() == ["a", "", "é"]


def test_a_slice_of_short_offsets_keeps_its_place():
    column = pa.array(["one", "two", "drei", "vier"]).slice(1, 2)
    assert as_text(column).to_pylist() == ["two", "drei"]
    assert as_text(pa.chunked_array([column, column.slice(1)])).to_pylist() == ["two", "drei", "drei"]


def test_numpy_strings():
    assert as_text(np.array(["a", "bc"])).to_pylist() == ["a", "bc"]


def test_pandas_and_polars():
    assert as_text(pytest.importorskip("pandas").Series(["a", "bc"])).to_pylist() == ["a", "bc"]
    assert as_text(pytest.importorskip("polars").Series(["a", None])).to_pylist() == ["a", ""]


def test_arrow_is_not_copied():
    array = pa.array(["a", "bc"], pa.large_string())
    assert as_text(array).buffers()[2].address == array.buffers()[2].address


SENTENCES = {
    "a string": ("text", "expected many texts, found a single string. Pass a list: [text]."),
    "numbers": ([1, 2], "expected text at position 0, found int: 1."),
    "a number late": (["a", None, 2.5], "expected text at position 2, found float: 2.5."),
    "half a pair": (
        ["a", "\ud800"],
        "the text at position 1 holds half a surrogate pair, which is not a character: '\\ud800'.",
    ),
    "a column of numbers": (pa.array([1, 2]), "expected a column of text, found one of int64."),
    "a matrix": (
        np.array([["a"], ["b"]]),
        "expected one column of text, found a table. Pass one of its columns (none).",
    ),
    "a table": (
        pa.table({"x": ["a"], "y": ["b"]}),
        "expected one column of text, found a table. Pass one of its columns ('x', 'y').",
    ),
}


@pytest.mark.parametrize("name", SENTENCES)
def test_what_is_not_a_column_of_text_is_refused_in_a_sentence(name):
    column, sentence = SENTENCES[name]
    with pytest.raises(DataError) as caught:
        as_text(column)
    assert str(caught.value) == sentence
