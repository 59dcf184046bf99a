"""Rows without a label are left out, counted and told of, with the place of the first."""

from __future__ import annotations

import pyarrow as pa
import pytest

import linnet
from linnet.core.arrow import texts
from linnet.io import read, read_batches
from linnet.io.texts.labels import is_missing
from linnet.io.texts.missing_labels import missing_in

SPELLED = [
    "",
    " ",
    "\u00a0",
    "\t",
    "NaN",
    "nan",
    "-nan",
    "null",
    "NULL",
    "n/a",
    "N/A",
    "#N/A",
    "#NA",
    "<NA>",
    "None",
    "NA",
    " NaN ",
]
LABELS = [
    "no",
    "No",
    "none",
    "NONE",
    "na",
    "not",
    "nano",
    "nullable",
    "Nonesuch",
    "-1",
    "#1",
    "<b>",
    "x",
    "日",
    "0",
    "  x",
]


def test_all_at_once_is_the_same_as_one_by_one():
    labels = [*SPELLED, *LABELS] * 2
    column = pa.chunked_array([texts(labels[:5]), texts([]), texts(labels[3:]).slice(2)])
    assert missing_in(column) == {i: label for i, label in enumerate(labels) if is_missing(label)}
    assert [label for label in labels if is_missing(label)] == SPELLED * 2


@pytest.mark.parametrize("size", [1, 60, 1 << 20])
def test_batches_count_over_the_whole_file(put, size):
    rows = "".join(f"text {i},{'NaN' if i % 5 == 3 else 'xy'[i % 2]}\n" for i in range(50))
    notes: list[str] = []
    name = put("a.csv", '"text","label"\n"zero\nlines",x\n' + rows)
    batches = list(read_batches(name, batch_bytes=size, note=notes.append))
    found = [text for batch in batches for text in batch.text.to_pylist()]
    assert found == ["zero\nlines", *(f"text {i}" for i in range(50) if i % 5 != 3)]
    assert notes == ["a.csv: left out 10 of 51 rows without a label ('NaN'), the first is line 7"]


def test_other_columns_stay_beside_their_rows(put):
    dataset = read(put("a.csv", "id,text,label\n1,a,x\n2,b,null\n3,c,y\n"))
    assert dataset.columns.to_pydict() == {"id": ["1", "3"]}
    assert dataset.text.to_pylist() == ["a", "c"]


def test_labels_that_are_not_demanded_stay_as_they_are(put):
    dataset = read(put("a.csv", "text,label\na,x\nb,null\nc,\n"), labelled=False)
    assert dataset.label_list() == ["x", "null", ""]


def test_an_empty_set_is_a_set(put):
    dataset = read(put("a.csv", 'text,labels\na,"x,NaN,y"\nb,null\nc,\n'), several=True)
    assert dataset.label_sets() == [["x", "y"], [], []]


@pytest.mark.parametrize(
    ("name", "content", "place"),
    [
        ("a.jsonl", '{"text": "a", "label": 1}\n\n{"text": "b", "label": null}\n{"text": "c", "label": 2}\n', "line 3"),
        ("a.jsonl", '{"text": "a", "label": 1.5}\n{"text": "b", "label": NaN}\n{"text": "c", "label": 2}\n', "line 2"),
        ("a.ft", "__label__1 a\n__label__ b\n__label__2 c\n", "row 2"),
    ],
)
def test_the_place_in_other_formats(put, name, content, place):
    notes: list[str] = []
    assert read(put(name, content), note=notes.append).text.to_pylist() == ["a", "c"]
    assert notes == [f"{name}: left out 1 of 3 rows without a label (empty), the first is {place}"]


def test_ratings_are_left_out_likewise(put):
    rows = "".join(f"text {i % 3},{i % 3 + 1}.0\n" for i in range(12))
    model = linnet.train(put("a.csv", f"text,stars\n{rows}odd,n/a\n"), task="ordinal", features="words:1")
    assert model.labels == ("1", "2", "3")
    assert model.report["notes"] == ["a.csv: left out 1 of 13 rows without a label ('n/a'), the first is line 14"]
