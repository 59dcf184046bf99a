"""Excel files: their first sheet as a table."""

from __future__ import annotations

import io
import sys

import pytest
from workbooks import workbook

from linnet.errors import UsageError
from linnet.io import read, read_batches

pytest.importorskip("python_calamine", reason="the extra `excel` is not installed")

REVIEWS = [
    ["id", "Text", "Label", None],
    [1, "un café, très bon", 5, None],
    [2, "日本語\nzwei Zeilen", 1.5, None],
    [],
    [3, "& <b>", True, None],
    [4, None, "NaN", None],
    [5, "last", 5, None],
]


def test_the_first_sheet_is_a_table(put):
    notes: list[str] = []
    dataset = read(put("a.xlsx", workbook({"Reviews": REVIEWS, "Notes": [["x"]]})), note=notes.append)
    assert dataset.text.to_pylist() == ["un café, très bon", "日本語\nzwei Zeilen", "& <b>", "last"]
    assert dataset.label_list() == ["5", "1.5", "true", "5"]
    assert dataset.columns.to_pydict() == {"id": ["1", "2", "3", "5"]}
    assert (dataset.text_col, dataset.label_col) == ("Text", "Label")
    assert notes == [
        "a.xlsx: read the sheet 'Reviews', the first of 2",
        "a.xlsx: left out 1 of 5 rows without a label ('NaN'), the first is line 6",
    ]


def test_it_is_known_by_its_bytes(put, monkeypatch):
    content = workbook({"Reviews": REVIEWS})
    assert len(read(put("reviews", content))) == 4
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert sum(map(len, read_batches("-", labelled=False))) == 5


def test_under_another_name_it_is_refused(put, refusal):
    assert refusal(put("a.csv", workbook({"Reviews": REVIEWS}))) == (
        "a.csv: is an Excel file (.xlsx), expected text or a table. Name it .xlsx, or pass --format excel."
    )
    assert len(read("a.csv", format="excel")) == 4


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"text,label\na,x\n", "a.xlsx: is not an Excel file (.xlsx), or is damaged ("),
        (workbook({"Reviews": REVIEWS})[:300], "a.xlsx: is not an Excel file (.xlsx), or is damaged ("),
        (workbook({"Reviews": []}), "a.xlsx: the first sheet is empty. Expected a header row, and rows below it."),
        (workbook({"Reviews": REVIEWS[:1]}), "a.xlsx: the header has no rows below it. Add at least one row."),
        (
            workbook({"R": [["words", "verdict"], *[["a film to see", "up"], ["a film to miss", "down"]] * 2]}),
            "a.xlsx:1: found no text column among 'words', 'verdict'. Pass --text-col words --label-col verdict",
        ),
    ],
    ids=["no workbook", "a damaged one", "no rows", "a header alone", "other names"],
)
def test_bad_files_are_refused_in_one_sentence(put, refusal, content, sentence):
    assert refusal(put("a.xlsx", content)).startswith(sentence)


def test_without_the_package(put, monkeypatch):
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    with pytest.raises(
        UsageError, match=r"^a\.xlsx: Excel files need another package\. Run: pip install linnet\[excel\]$"
    ):
        read(put("a.xlsx", workbook({"Reviews": REVIEWS})))


def test_it_has_no_encoding(put):
    with pytest.raises(
        UsageError, match=r"^'a\.xlsx' has format 'excel', which has no encoding\. Leave out --encoding\.$"
    ):
        read(put("a.xlsx", workbook({"Reviews": REVIEWS})), encoding="cp1252")
