"""Several sources, batches, and what the whole must be."""

import json
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from linnet.errors import UsageError
from linnet.io import Dataset, read, read_batches, write_columns
from linnet.io.texts.dataset import rebatch


def test_several_files_of_several_formats(put):
    put("a.csv", "text,label,id\na,x,1\n")
    put("b.jsonl", '{"document": "b", "class": 1, "id": "2"}\n')
    dataset = read(["a.csv", Path("b.jsonl")])
    assert dataset.text.to_pylist() == ["a", "b"]
    assert dataset.labels.to_pylist() == ["x", "1"]
    assert dataset.columns.to_pydict() == {"id": ["1", "2"]}
    assert dataset.source == "a.csv, b.jsonl"
    assert len(dataset) == 2


def test_other_columns_stay_when_every_file_has_them_with_one_type(put):
    put("a.jsonl", '{"text": "a", "label": "x", "id": 1, "fold": 0, "score": 1, "only": 1}\n')
    put("b.jsonl", '{"text": "b", "label": "y", "id": "2", "fold": 1, "score": 0.5}\n')
    columns = read(["a.jsonl", "b.jsonl"]).columns
    assert columns.to_pydict() == {"fold": [0, 1], "score": [1.0, 0.5]}


def test_labels_stay_when_every_file_has_them(put):
    put("a.csv", "text,label\na,x\n")
    put("b.csv", "text\nb\n")
    dataset = read(["a.csv", "b.csv"], labelled=False)
    assert (dataset.labels, dataset.label_col, dataset.columns) == (None, None, None)


def test_the_second_file_is_at_fault(put, refusal):
    put("a.csv", "text,label\na,x\nb,y\n")
    put("b.csv", "text,label\n")
    assert refusal(["a.csv", "b.csv"]) == "b.csv: the header has no rows below it. Add at least one row."


def test_two_labels_may_come_from_two_files(put):
    put("a.csv", "text,label\na,x\n")
    put("b.csv", "text,label\nb,y\n")
    assert read(["a.csv", "b.csv"]).labels.to_pylist() == ["x", "y"]


def test_one_label_is_enough_when_labels_are_not_demanded_or_in_batches(put):
    name = put("a.csv", "text,label\na,x\n")
    assert read(name, labelled=False).labels.to_pylist() == ["x"]
    assert [part.labels.to_pylist() for part in read_batches(name)] == [["x"]]


@pytest.mark.parametrize(("name", "format"), [("a.ft", "fasttext"), ("a.txt", "lines"), ("folder", "folder")])
def test_column_names_where_there_are_no_columns(put, name, format):
    put("a.ft", "__label__x a\n")
    put("a.txt", "a\n")
    put("folder/x/1", "a")
    with pytest.raises(UsageError) as caught:
        read(name, text_col="text", labelled=False)
    assert str(caught.value) == f"'{name}' has format '{format}', which has no columns. Leave out the column names."


def test_no_source():
    with pytest.raises(UsageError, match=r"^expected at least one file to read, found none\. Name a file"):
        read([])


def test_batches_of_no_size(put):
    with pytest.raises(UsageError, match=r"^expected batch_bytes of at least 1, found 0\.$"):
        read_batches(put("a.csv", "text,label\na,x\n"), batch_bytes=0)


def test_wrong_arguments_are_refused_before_the_first_batch(put):
    with pytest.raises(UsageError, match=r"^unknown format 'xml'"):
        read_batches(put("a.csv", "text,label\na,x\n"), format="xml")


ROWS = [{"text": f"text {i} é\n{'x' * (i % 50)}", "label": f"l{i % 3}", "id": i} for i in range(500)]


@pytest.mark.parametrize("extension", ["csv", "tsv", "jsonl", "parquet", "arrow"])
@pytest.mark.parametrize("size", [1, 1000, 5000, 1 << 25])
def test_batches_are_what_read_gives(tmp_path, extension, size):
    path = tmp_path / f"rows.{extension}"
    write_columns(path, {name: [row[name] for row in ROWS] for name in ROWS[0]})
    whole = read(path)
    assert whole.text.to_pylist() == [row["text"] for row in ROWS]
    assert whole.labels.to_pylist() == [row["label"] for row in ROWS]
    assert [str(value) for value in whole.columns["id"].to_pylist()] == [str(row["id"]) for row in ROWS]
    parts = list(read_batches(path, batch_bytes=size))
    assert pa.chunked_array([c for part in parts for c in part.text.chunks]).equals(whole.text)
    assert pa.chunked_array([c for part in parts for c in part.labels.chunks]).equals(whole.labels)
    assert pa.concat_tables([part.columns for part in parts]).equals(whole.columns)


def test_batches_are_bounded(put):
    name = put("a.jsonl", "".join(json.dumps({"text": "x" * 1000, "label": "y"}) + "\n" for _ in range(1000)))
    sizes = [part.nbytes for part in read_batches(name, batch_bytes=50_000)]
    assert sum(sizes) > 1_000_000
    assert max(sizes) <= 50_000


def test_that_a_full_batch_does_not_wait_for_the_next_part(put):
    taken: list[int] = []

    def parts() -> Iterator[Dataset]:
        for k in range(3):
            taken.append(k)
            yield read(put("reviews.csv", "text,label\nfine,+\nbad,-\n"))

    size = next(parts()).nbytes
    taken.clear()
    assert [(len(batch), len(taken)) for batch in rebatch(parts(), size)] == [(2, 1), (2, 2), (2, 3)]
    assert [len(batch) for batch in rebatch(parts(), 2 * size)] == [4, 2]


def test_columns_have_no_nulls_and_validate(put):
    dataset = read(put("a.jsonl", '{"text": null, "label": 1}\n{"text": "b", "label": 2}\n'))
    assert isinstance(dataset, Dataset)
    for column in (dataset.text, dataset.labels):
        column.validate(full=True)
        assert (column.type, column.null_count) == (pa.large_string(), 0)
