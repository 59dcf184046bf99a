"""What Python brings, in the few forms that tasks read."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import linnet
from linnet.errors import DataError, UsageError
from linnet.io.python_values import Rows, brought, rows_of, several, values_of

COLUMNS = {"text": ["a", None], "n": [1, 2], "tokens": [["x", "y"], []]}


@pytest.mark.parametrize(
    "data",
    [
        COLUMNS,
        pa.table(COLUMNS),
        pa.RecordBatch.from_pydict(COLUMNS),
        pa.table(COLUMNS).to_reader(1),
        pl.DataFrame(COLUMNS),
        pl.LazyFrame(COLUMNS),
        pd.DataFrame(COLUMNS),
        [dict(zip(COLUMNS, row, strict=True)) for row in zip(*COLUMNS.values(), strict=True)],
    ],
    ids=lambda data: type(data).__name__,
)
def test_rows_have_the_values_that_came(data):
    rows = rows_of(data)
    assert (len(rows), rows.names) == (2, ["text", "n", "tokens"])
    assert {name: rows.values(name) for name in rows.names} == COLUMNS
    assert rows.others("text").to_pydict() == {"n": [1, 2]}
    assert rows.dicts() == [{"text": "a", "n": 1, "tokens": ["x", "y"]}, {"n": 2, "tokens": []}]


@pytest.mark.parametrize(
    "data", [["a"], [], "a", np.array(["a"]), pd.Series(["a"]), pl.Series(["a"]), pa.array(["a"]), 1, None]
)
def test_what_has_no_named_columns_is_no_rows(data):
    assert rows_of(data) is None


class Dataset:
    """What linnet needs of a dataset of Hugging Face: lists of numbers of classes, whose names its features know."""

    features = {  # noqa: RUF012
        "tokens": SimpleNamespace(feature=SimpleNamespace(dtype="string")),
        "tags": SimpleNamespace(feature=SimpleNamespace(names=["O", "B-LOC"])),
        "label": SimpleNamespace(names=["neg", "pos"]),
        "removed": SimpleNamespace(feature=SimpleNamespace(names=["x"])),
    }

    def __init__(self, **columns):
        self.table = pa.table(columns)
        self.column_names = self.table.column_names

    def __len__(self):
        return len(self.table)

    def with_format(self, name):
        assert name == "arrow"
        return self.table


class Stream:
    """The same, read as it comes, which has no length."""

    def __init__(self, rows, features):
        self.rows, self.features = rows, features

    def __iter__(self):
        return iter(self.rows)

    def with_format(self, name):
        raise AssertionError(name)


CLASSES = {"tokens": [["in", "Rome"], ["a", "b"], []], "tags": [[0, 1], [-1, None], None], "label": [0, 1, -1]}
NAMED = CLASSES | {"tags": [["O", "B-LOC"], [None, None], None]}


def test_numbers_of_classes_are_tags_by_their_names_and_labels_stay_numbers():
    rows = rows_of(Dataset(**CLASSES))
    assert ({name: rows.values(name) for name in rows.names}, rows.source) == (NAMED, "Dataset")
    lines = [dict(zip(CLASSES, row, strict=True)) for row in zip(*CLASSES.values(), strict=True)]
    rows = rows_of(Stream(lines, Dataset.features))
    assert ({name: rows.values(name) for name in rows.names}, rows.source) == (NAMED, "Stream")
    assert rows_of(Stream(lines, None)).values("tags") == CLASSES["tags"]
    assert len(rows_of(Stream([], Dataset.features))) == 0


def test_tags_of_a_dataset_are_learned_by_their_names():
    data = Dataset(tokens=[["in", "Rome"], ["to", "Oslo"]] * 5, tags=[[0, 1]] * 10)
    model = linnet.train(data, task="tag", learner="mira")
    assert model.predict([["to", "Rome"]]) == [["O", "B-LOC"]]
    with pytest.raises(DataError, match=r"^expected tags that are strings, found NoneType: None in sentence 0\.$"):
        linnet.train(Dataset(tokens=[["in"]], tags=[[-1]]), task="tag")


def test_one_part_of_several_is_asked_for():
    parts = {"train": Dataset(**CLASSES), "test": Dataset(**CLASSES)}
    with pytest.raises(DataError, match=r"^expected one table, found several under \['train'\], \['test'\]\. Pass one"):
        linnet.train(parts)


def test_keys_that_some_dicts_have_are_columns():
    rows = rows_of([{"a": 1}, {"b": 2}])
    assert (rows.values("a"), rows.values("b"), rows.source) == ([1, None], [None, 2], "list of dicts")


def test_a_column_of_several_types_is_kept_as_it_is():
    rows = rows_of(pd.DataFrame({"a": [1, "x"], "b": [1.5, None]}))
    assert (rows.values("a"), rows.values("b")) == ([1, "x"], [1.5, None])
    assert rows.others().to_pydict() == {"b": [1.5, None]}


def test_the_name_of_a_column_is_wanted_or_usual():
    rows = Rows({"Tokens": [["a"]], "pos": [["D"]]}, "dict")
    assert rows.find("tokens", ("tokens",), None, "text") == "Tokens"
    assert rows.find("tags", ("tags",), "pos", "label") == "pos"
    with pytest.raises(DataError) as caught:
        rows.find("tags", ("tags",), "poss", "label")
    assert str(caught.value) == (
        "dict: expected a column 'poss', found 'Tokens', 'pos'. Did you mean 'pos'? Name the column of tags: --label-col on "
        "the command line, label= in Python."
    )


def test_paths_stay_paths():
    for paths in ("a.csv", Path("a.csv"), ["a.csv", Path("b.csv")], ("a.csv", "b.csv")):
        assert brought(paths) is paths


def test_iterators_are_read_once():
    assert brought(iter([("a", 1), ("b", 2)])) == (["a", "b"], [1, 2])
    assert brought((iter(["a"]), iter([1]))) == (["a"], [1])
    assert brought(iter([{"a": 1}])).names == ["a"]
    assert brought(iter([[("a", "A")], [("b", "B")]])) == ([["a"], ["b"]], [["A"], ["B"]])
    assert brought(iter([["a", "b"], ["c"]])) == [["a", "b"], ["c"]]  # lists of candidates
    with pytest.raises(DataError, match="expected examples with their outputs, found int in a list"):
        brought([3])
    assert several(iter("ab")) == ["a", "b"]


@pytest.mark.parametrize(
    "column",
    [
        [1, 2],
        (1, 2),
        iter([1, 2]),
        np.array([1, 2]),
        pd.Series([1, 2]),
        pl.Series([1, 2]),
        pa.array([1, 2]),
        pl.DataFrame({"a": [1, 2]}),
    ],
)
def test_the_values_of_a_column_are_those_of_python(column):
    values = values_of(column)
    assert values == [1, 2]
    assert [type(value) for value in values] == [int, int]


def test_outputs_are_no_path():
    with pytest.raises(
        UsageError, match=r"found the string 'b\.csv'\. Name a column with label=, and pass several files as a list\.$"
    ):
        brought("a.csv", "b.csv")
