"""Columns out, all at once and batch by batch."""

import os

import numpy as np
import polars
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from linnet.errors import LinnetError, UsageError
from linnet.io import Writer, read, write_columns
from linnet.io.texts import encoders

COLUMNS = {"text": ["a, b", 'say "hi"', "c\nd\r", ""], "label": ["x", "y", "x", "é"], "score": [0.5, 1.0, -2.0, 1e-9]}


def test_csv(tmp_path):
    write_columns(tmp_path / "a.csv", COLUMNS)
    expected = 'text,label,score\n"a, b",x,0.5\n"say ""hi""",y,1.0\n"c\nd\r",x,-2.0\n,é,1e-09\n'
    assert (tmp_path / "a.csv").read_bytes().decode() == expected


def test_tsv(tmp_path):
    write_columns(tmp_path / "a.tsv", {"label": ["a\tb", "c,d"], "top": [True, None]})
    assert (tmp_path / "a.tsv").read_bytes() == b'label\ttop\n"a\tb"\ttrue\nc,d\t\n'


def test_jsonl(tmp_path):
    write_columns(tmp_path / "a.jsonl", {"label": ["é", None], "score": [float("nan"), 0.5], "top": [["x", "y"], []]})
    expected = '{"label": "é", "score": null, "top": ["x", "y"]}\n{"label": null, "score": 0.5, "top": []}\n'
    assert (tmp_path / "a.jsonl").read_bytes().decode() == expected


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.jsonl", "a.ndjson", "a.parquet", "a.arrow", "a.feather"])
def test_what_is_written_is_read_back(tmp_path, name):
    write_columns(tmp_path / name, COLUMNS)
    dataset = read(tmp_path / name)
    assert dataset.text.to_pylist() == COLUMNS["text"]
    assert dataset.labels.to_pylist() == COLUMNS["label"]
    assert [float(score) for score in dataset.columns["score"].to_pylist()] == COLUMNS["score"]


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.parquet", "a.arrow"])
def test_batches_make_the_same_rows(tmp_path, name):
    with Writer.open(tmp_path / name) as writer:
        for index in range(4):
            writer.write({column: values[index : index + 1] for column, values in COLUMNS.items()})
        assert not (tmp_path / name).exists()
    dataset = read(tmp_path / name)
    assert dataset.text.to_pylist() == COLUMNS["text"]
    assert dataset.labels.to_pylist() == COLUMNS["label"]


def test_columns_of_every_kind(tmp_path):
    columns = {
        "list": [1, 2],
        "tuple": (1, 2),
        "numpy": np.array([1, 2]),
        "arrow": pa.array([1, 2]),
        "chunked": pa.chunked_array([[1], [2]]),
        "polars": polars.Series([1, 2]),
    }
    write_columns(tmp_path / "a.csv", columns)
    assert (tmp_path / "a.csv").read_text() == "list,tuple,numpy,arrow,chunked,polars\n" + "1,1,1,1,1,1\n2,2,2,2,2,2\n"


@pytest.mark.parametrize("path", [None, "-"])
def test_stdout_is_csv(capfdbinary, path):
    write_columns(path, {"label": ["x"], "score": [1]})
    assert capfdbinary.readouterr().out == b"label,score\nx,1\n"


def test_another_format_on_stdout(capfdbinary):
    write_columns("-", {"label": ["x"]}, format="jsonl")
    assert capfdbinary.readouterr().out == b'{"label": "x"}\n'


def test_a_format_that_is_named_goes_before_the_extension(tmp_path):
    write_columns(tmp_path / "a.txt", {"a": ["x"], "b": ["y"]}, format="tsv")
    assert (tmp_path / "a.txt").read_text() == "a\tb\nx\ty\n"


def write_and_interrupt(path):
    with Writer.open(path) as writer:
        writer.write(COLUMNS)
        raise KeyboardInterrupt


@pytest.mark.parametrize("name", ["a.csv", "a.parquet", "a.arrow"])
def test_an_exception_leaves_nothing(tmp_path, name):
    with pytest.raises(KeyboardInterrupt):
        write_and_interrupt(tmp_path / name)
    assert os.listdir(tmp_path) == []


def test_a_failure_to_finish_leaves_nothing(tmp_path, monkeypatch):
    def fail(self):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(encoders.Delimited, "finish", fail)
    writer = Writer.open(tmp_path / "a.csv")
    writer.write(COLUMNS)
    with pytest.raises(LinnetError, match="No space left"):
        writer.close()
    assert os.listdir(tmp_path) == []


def test_close_without_a_with_block_and_twice(tmp_path):
    writer = Writer.open(tmp_path / "a.csv")
    writer.write({"a": [1]})
    writer.close()
    writer.close()
    assert (tmp_path / "a.csv").read_text() == "a\n1\n"


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.parquet", "a.arrow"])
def test_no_batches_make_an_empty_file(tmp_path, name):
    Writer.open(tmp_path / name).close()
    assert (tmp_path / name).exists()


def test_lists_in_csv_have_a_separator(tmp_path):
    with Writer.open(tmp_path / "a.csv", separator=";") as writer:
        writer.write({"labels": [["x", "y"], [], ["a,b"]]})
    assert (tmp_path / "a.csv").read_text() == 'labels\nx;y\n""\n"a,b"\n'


BAD = {
    "lengths": ("a.csv", {"a": [1], "b": [1, 2]}, r"expected columns of one length, found {'a': 1, 'b': 2}."),
    "objects": (
        "a.csv",
        {"a": [{"x": 1}]},
        "column 'a' holds objects, which csv and tsv cannot. Write jsonl or parquet.",
    ),
    "lists": (
        "a.csv",
        {"a": [["x", "y,z"]]},
        "'y,z' in a list of column 'a' has ',' in it, which stands between the parts of lists in csv and tsv. "
        "Write jsonl or parquet.",
    ),
    "extension": (
        "a.xml",
        {},
        "cannot write extension '.xml' of 'a.xml'. Choose one of: csv, tsv, jsonl, parquet, arrow.",
    ),
    "binary to stdout": ("-", {}, "cannot write parquet to stdout, for it is no text. Name a file with -o."),
}


@pytest.mark.parametrize(("path", "columns", "sentence"), BAD.values(), ids=BAD)
def test_refusals(tmp_path, monkeypatch, path, columns, sentence):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError) as caught:
        write_columns(path, columns, format="parquet" if path == "-" else None)
    assert str(caught.value) == sentence
    assert os.listdir(tmp_path) == []


def test_batches_have_the_same_columns(tmp_path):
    writer = Writer.open(tmp_path / "a.csv")
    writer.write({"a": [1]})
    with pytest.raises(UsageError) as caught:
        writer.write({"b": [1]})
    assert str(caught.value) == "expected the columns ['a'] of the first batch, found ['b']."


cells = st.text(st.sampled_from('ab é",\t\r\n\u2028\ufeff'), max_size=5)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=50)
@given(st.lists(cells, min_size=1), st.sampled_from(["csv", "tsv", "jsonl"]))
def test_any_text_survives(tmp_path, texts, format):
    path = tmp_path / f"a.{format}"
    write_columns(path, {"text": texts})
    assert read(path, labelled=False).text.to_pylist() == texts
