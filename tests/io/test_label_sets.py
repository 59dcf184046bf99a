"""Several labels for one text, in every format that can have them."""

import json

import pyarrow as pa
import pyarrow.parquet
import pytest

from linnet import io
from linnet.errors import DataError

TEXTS = ["a fine film", "it rains", "nothing"]
SETS = [["film", "praise"], ["weather"], []]


def write(tmp_path, name):
    path = tmp_path / name
    if name.endswith(".jsonl"):
        path.write_text("".join(json.dumps({"text": t, "labels": s}) + "\n" for t, s in zip(TEXTS, SETS, strict=True)))
    elif name.endswith(".csv"):
        path.write_text('text,labels\na fine film,"film, praise"\nit rains,weather\nnothing,\n')
    elif name.endswith(".tsv"):
        path.write_text("text\tlabels\na fine film\tfilm,praise,film\nit rains\tweather\nnothing\t\n")
    elif name.endswith(".ft"):
        path.write_text("__label__film __label__praise a fine film\n__label__weather it rains\nnothing\n")
    else:
        table = pa.table({"text": TEXTS, "labels": pa.array(SETS, pa.list_(pa.string()))})
        pa.parquet.write_table(table, path)
    return str(path)


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.tsv", "a.ft", "a.parquet"])
def test_every_format_has_label_sets(tmp_path, name):
    found = io.read(write(tmp_path, name), several=True)
    assert found.text.to_pylist() == TEXTS
    assert found.label_sets() == SETS


def test_the_mark_between_labels_is_ones_own(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('text,topics\nx,"a; b, c;a"\ny,d\n')
    assert io.read(str(path), several=True, separator=";").label_sets() == [["a", "b, c"], ["d"]]


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.parquet", "dictionary.parquet"])
def test_numbers_are_cut_like_strings(tmp_path, name):
    path = tmp_path / name
    labels = pa.array([1.5, None])
    if name == "a.csv":
        path.write_text("text,labels\nx,1.5\ny,\n")
    elif name == "a.jsonl":
        path.write_text('{"text": "x", "labels": 1.5}\n{"text": "y", "labels": null}\n')
    else:
        labels = labels.dictionary_encode() if name == "dictionary.parquet" else labels
        pa.parquet.write_table(pa.table({"text": ["x", "y"], "labels": labels}), path)
    assert io.read(str(path), several=True, separator=".").label_sets() == [["1", "5"], []]


def test_a_row_without_the_key_of_its_labels_is_refused_and_null_is_no_label(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "x", "labels": ["a"]}\n{"text": "y", "labels": null}\n')
    assert io.read(str(path), several=True).label_sets() == [["a"], []]
    path.write_text('{"text": "x", "labels": ["a"]}\n{"text": "y"}\n')
    with pytest.raises(DataError, match=":2: expected the key 'labels', found 'text'. Give every line the same keys."):
        io.read(str(path), several=True)


def test_lists_and_strings_and_numbers_may_be_mixed(tmp_path):
    path = tmp_path / "a.jsonl"
    rows = [["a", 1], "b, c", None, [], 2]
    path.write_text("".join(json.dumps({"text": "x", "labels": row}) + "\n" for row in rows))
    assert io.read(str(path), several=True).label_sets() == [["a", "1"], ["b", "c"], [], [], ["2"]]


def test_a_list_in_a_list_is_refused_by_line(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "x", "labels": ["a"]}\n{"text": "y", "labels": [["b"]]}\n')
    with pytest.raises(DataError, match=r"a\.jsonl:2: expected one label under 'labels', found a list"):
        io.read(str(path), several=True)


def test_several_labels_where_one_is_wanted_are_refused(tmp_path):
    with pytest.raises(DataError, match="need --task labelset"):
        io.read(write(tmp_path, "a.jsonl"), label_col="labels")
    with pytest.raises(DataError, match="need --task labelset"):
        io.read(write(tmp_path, "a.ft"))
