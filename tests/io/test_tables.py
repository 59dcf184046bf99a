"""Parquet and Arrow: columns with types."""

import gzip
from pathlib import Path

import pandas
import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import feather

from linnet.io import read, read_batches
from linnet.io.texts import typed_columns as tables

TABLE = pa.table({"id": [1, 2, 3], "text": ["a", None, "é"], "label": ["x", "y", "x"], "tokens": [["a"], [], None]})


def write_parquet(table, path):
    pq.write_table(table, path)


def write_file(table, path):
    with pa.OSFile(path, "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table, max_chunksize=2)


def write_stream(table, path):
    with pa.OSFile(path, "wb") as file, pa.ipc.new_stream(file, table.schema) as writer:
        writer.write_table(table)


WRITERS = {"a.parquet": write_parquet, "a.feather": write_file, "a.arrow": write_stream}


@pytest.fixture(params=WRITERS)
def save(request, tmp_path, monkeypatch):
    """Write a table in each of the formats."""
    monkeypatch.chdir(tmp_path)

    def write(table):
        WRITERS[request.param](table, request.param)
        return request.param

    return write


def test_texts_labels_and_plain_columns(save):
    dataset = read(save(TABLE))
    assert dataset.text.to_pylist() == ["a", "", "é"]
    assert dataset.labels.to_pylist() == ["x", "y", "x"]
    assert dataset.columns.to_pydict() == {"id": [1, 2, 3]}
    assert dataset.text.type == dataset.labels.type == pa.large_string()


LABELS = {
    "whole numbers": (pa.array([1, 0, 2]), ["1", "0", "2"]),
    "floats": (pa.array([1.0, 0.5, 2.0]), ["1", "0.5", "2"]),
    "booleans": (pa.array([True, False, True]), ["true", "false", "true"]),
    "categories": (pa.array(["x", "y", "x"]).dictionary_encode(), ["x", "y", "x"]),
    "categories of numbers": (pa.array([3, 4, 3]).dictionary_encode(), ["3", "4", "3"]),
    "large strings": (pa.array(["01", "na", "nil"], pa.large_string()), ["01", "na", "nil"]),
}


@pytest.mark.parametrize(("labels", "expected"), LABELS.values(), ids=LABELS)
def test_labels_become_strings(save, labels, expected):
    assert read(save(TABLE.set_column(2, "label", labels))).labels.to_pylist() == expected


def test_categories_of_texts(save):
    name = save(TABLE.set_column(1, "text", TABLE["text"].combine_chunks().dictionary_encode()))
    assert read(name).text.to_pylist() == ["a", "", "é"]


def test_texts_that_are_all_null(save):
    assert read(save(TABLE.set_column(1, "text", pa.nulls(3)))).text.to_pylist() == ["", "", ""]


def test_no_labels(save):
    dataset = read(save(TABLE.drop_columns(["label"])), labelled=False)
    assert (dataset.labels, dataset.label_col) == (None, None)


def test_labels_that_are_not_demanded_may_be_missing(save):
    name = save(TABLE.set_column(2, "label", pa.array([1.0, None, float("nan")])))
    assert read(name, labelled=False).labels.to_pylist() == ["1", "", ""]


def test_batches(save):
    table = pa.table({"text": [f"text {i}" for i in range(100)], "label": ["x", "y"] * 50})
    parts = list(read_batches(save(table), batch_bytes=100))
    assert [text for part in parts for text in part.text.to_pylist()] == table["text"].to_pylist()
    assert [label for part in parts for label in part.labels.to_pylist()] == table["label"].to_pylist()


def test_numbers_for_texts(save, refusal):
    name = save(TABLE.set_column(1, "text", pa.array([1, 2, 3])))
    sentence = f"{name}: expected strings in column 'text', found int64. Choose another column with --text-col."
    assert refusal(name) == sentence


def test_lists_for_labels(save, refusal):
    name = save(TABLE.set_column(2, "label", pa.array([["x"], ["y"], ["x"]])))
    kind = read_type(name)
    sentence = (
        f"{name}: expected labels in column 'label', found {kind}. Several labels for one text need --task labelset."
    )
    assert refusal(name) == sentence


def read_type(name):
    return pq.read_schema(name).field("label").type if name.endswith("parquet") else pa.list_(pa.string())


def test_dates_for_labels(save, refusal):
    name = save(TABLE.set_column(2, "label", pa.array([1, 2, 3], pa.date32())))
    sentence = f"{name}: expected labels in column 'label', found date32[day]. Choose another column with --label-col."
    assert refusal(name) == sentence


def test_missing_label_names_its_row(save):
    name = save(TABLE.set_column(2, "label", pa.array(["x", "y", None])))
    notes: list[str] = []
    assert read(name, note=notes.append).labels.to_pylist() == ["x", "y"]
    assert notes == [f"{name}: left out 1 of 3 rows without a label (empty), the first is row 3"]


def test_not_utf8_names_its_row(save, refusal):
    bad = pa.Array.from_buffers(pa.string(), 3, pa.array([b"a", b"b", b"\xe9"], pa.binary()).buffers())
    name = save(TABLE.set_column(1, "text", bad))
    sentence = f"{name}: row 3 of column 'text' holds byte 0xe9, which is not UTF-8. Export the file again."
    assert refusal(name) == sentence


def test_offsets_that_lead_nowhere(tmp_path, monkeypatch, refusal):
    monkeypatch.chdir(tmp_path)
    write_file(pa.table({"text": ["a", "b"], "label": ["x", "y"], "id": ["ab" * 50, "cd" * 50]}), "a.arrow")
    content = Path("a.arrow").read_bytes()
    offsets = b"".join(offset.to_bytes(4, "little") for offset in (0, 100, 200))
    assert content.count(offsets) == 1
    Path("a.arrow").write_bytes(content.replace(offsets, offsets[:8] + b"\xff" * 4))
    sentence = refusal("a.arrow")
    assert sentence.startswith("a.arrow: column 'id' is damaged (")
    assert sentence.endswith("). Export the file again.")


def test_no_rows(save, refusal):
    name = save(TABLE.slice(0, 0))
    assert refusal(name) == f"{name}: the table has columns, but no rows. Add at least one row."


def test_missing_column(save, refusal):
    name = save(TABLE.rename_columns(["id", "txt", "label", "tokens"]))
    sentence = (
        f"{name}: found no text column among 'id', 'txt', 'label', 'tokens'. Did you mean 'txt'? "
        "Name the text column: --text-col on the command line, text= in Python."
    )
    assert refusal(name) == sentence


def test_a_column_twice(save, refusal):
    name = save(pa.table([["a"], ["b"], ["x"]], names=["text", "text", "label"]))
    assert refusal(name) == f"{name}: found the column 'text' twice. Rename one of the two."


@pytest.mark.parametrize("keep", [4, 40, -10])
def test_cut_short(save, refusal, keep):
    name = save(TABLE)
    with open(name, "r+b") as file:
        file.truncate(len(file.read()[:keep]))
    kind = "Parquet" if name.endswith("parquet") else "Arrow"
    sentence = refusal(name)
    assert sentence.startswith(f"{name}: is not in the {kind} format, or is damaged (")
    assert sentence.endswith("). Export it again.")


def test_text_in_disguise(put, refusal):
    name = put("a.parquet", "text,label\na,x\nb,y\n")
    assert refusal(name).startswith(
        "a.parquet: is not in the Parquet format, or is damaged (Parquet magic bytes not found"
    )


def test_compressed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_parquet(TABLE, "a.parquet")
    with gzip.open("b.parquet.gz", "wb") as file:
        file.write(Path("a.parquet").read_bytes())
    assert read("b.parquet.gz").text.to_pylist() == ["a", "", "é"]


def test_what_pandas_writes(tmp_path):
    columns = {"text": ["a", "b"], "label": ["x", "y"]}
    pandas.DataFrame(columns).astype({"label": "category"}).to_parquet(tmp_path / "a.parquet")
    dataset = read(tmp_path / "a.parquet")
    assert dataset.text.to_pylist() == ["a", "b"]
    assert dataset.labels.to_pylist() == ["x", "y"]


@pytest.mark.skipif(not hasattr(pa, "string_view"), reason="Polars writes string views, which this pyarrow cannot read")
def test_what_polars_writes(tmp_path):
    frame = polars.DataFrame({"text": ["a", "b"], "label": ["x", "y"]})
    frame.with_columns(polars.col("label").cast(polars.Categorical)).write_ipc(tmp_path / "a.arrow")
    dataset = read(tmp_path / "a.arrow")
    assert dataset.text.to_pylist() == ["a", "b"]
    assert dataset.labels.to_pylist() == ["x", "y"]


def test_string_views_beside_a_row_without_a_label(tmp_path):
    """Arrow cannot take rows of string views, so that a row could not be left out."""
    columns = {
        "text": [*"abc"],
        "label": ["x", None, "y"],
        "town": pa.array(["Rome", "Bonn", "Kiel"], pa.string_view()),
    }
    feather.write_feather(pa.table(columns), tmp_path / "a.arrow")
    dataset = read(tmp_path / "a.arrow")
    assert dataset.columns.to_pydict() == {"town": ["Rome", "Kiel"]}


def test_a_type_that_pyarrow_does_not_know(save, refusal, monkeypatch):
    def refuse(values):
        raise NotImplementedError("Wrapping scalar of type string_view")

    monkeypatch.setattr(tables, "label_strings", refuse)
    name = save(TABLE.set_column(2, "label", pa.array([1, 2, 3])))
    kind = "Parquet" if name.endswith("parquet") else "Arrow"
    sentence = (
        f"{name}: pyarrow {pa.__version__} cannot read all of this {kind} file "
        "(Wrapping scalar of type string_view). Update pyarrow."
    )
    assert refusal(name) == sentence
