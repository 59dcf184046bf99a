"""Columns of every type that Arrow has go to every format of answers, or are refused with a sentence."""

from __future__ import annotations

import json
from collections import Counter
from decimal import Decimal
from functools import partial
from uuid import UUID

import pyarrow as pa
import pytest
from pyarrow import feather, ipc, parquet

import linnet
from linnet.errors import LinnetError
from linnet.tasks.answer_files import open_answers
from linnet.tasks.commands import Asked

extended = pa.ExtensionArray.from_storage
COLUMNS = {
    "days": pa.array([19782, 10**9], pa.date32()),
    "days in milliseconds": pa.array([0, 10**17], pa.date64()),
    **{f"times in {unit}": pa.array([0, 2**60], pa.timestamp(unit)) for unit in ("s", "ms", "us", "ns")},
    "times of a zone": pa.array([0, 1], pa.timestamp("us", "Europe/Berlin")),
    "times of no zone": pa.array([0, 1], pa.timestamp("us", "Nowhere/X")),
    "times of a zone that is a path": pa.array([0, 1], pa.timestamp("us", "../../../etc/passwd")),
    "times of day": pa.array([0, 10**8], pa.time32("s")),
    "times of day in nanoseconds": pa.array([0, -1], pa.time64("ns")),
    **{f"durations in {unit}": pa.array([123, -(2**63) + 1], pa.duration(unit)) for unit in ("s", "us", "ns")},
    **{f"decimals of {kind.bit_width} bits": pa.array([Decimal("1.50"), None], kind) for kind in (
        pa.decimal32(5, 2), pa.decimal64(15, 2), pa.decimal128(5, 2), pa.decimal256(60, 2))},
    "decimals of thousands": pa.array([Decimal("15E3"), None], pa.decimal128(5, -3)),
    "half floats": pa.array([1.5, None], pa.float16()),
    "numbers that are none": pa.array([float("nan"), float("inf")]),
    "large numbers": pa.array([2**64 - 1, None], pa.uint64()),
    "intervals": pa.array([(1, 2, 3), None], pa.month_day_nano_interval()),
    "UUIDs": pa.array([bytes(range(16))] * 2, pa.uuid()),
    "JSON": extended(pa.json_(pa.string()), pa.array(["{}", None])),
    "booleans of a byte": extended(pa.bool8(), pa.array([1, 0], pa.int8())),
    "what nobody knows": extended(pa.opaque(pa.binary(), "a", "b"), pa.array([b"\xff", None])),
    "tensors": extended(pa.fixed_shape_tensor(pa.int32(), [2]), pa.array([[1, 0], [2, 3]], pa.list_(pa.int32(), 2))),
    "runs": pa.RunEndEncodedArray.from_arrays([1, 2], ["a", "b"]),
    "runs of days": pa.RunEndEncodedArray.from_arrays([1, 2], pa.array([0, 10**9], pa.date32())),
    "categories of days": pa.array([0, 10**9], pa.date32()).dictionary_encode(),
    "categories of views": pa.DictionaryArray.from_arrays(pa.array([0, 0]), pa.array(["a"], pa.string_view())),
    "categories of bytes": pa.array([b"\xff", None]).dictionary_encode(),
    "bytes": pa.array([b"\xff", b""]),
    "bytes of one length": pa.array([b"ab", b"\xff\xff"], pa.binary(2)),
    "views": pa.array(["a", None], pa.string_view()),
    "nothing": pa.nulls(2),
    "unions": pa.UnionArray.from_sparse(pa.array([0, 1], pa.int8()), [pa.array([1, 2]), pa.array(["a", "b"])]),
    "maps": pa.array([[("a", 1)], None], pa.map_(pa.string(), pa.int32())),
    "lists of days": pa.array([[0], [10**9]], pa.list_(pa.date32())),
    "views of lists": pa.array([[1], None], pa.list_view(pa.int32())),
    "records": pa.array([{"a": 1}, None]),
}  # fmt: skip
FORMATS = ("csv", "tsv", "jsonl", "parquet", "arrow")


@pytest.fixture(scope="module")
def models():
    """One for each way in which a column may be a feature, and one that only hands it on."""

    def trained(features, values):
        rows = [{"text": "good film", "n": x, "label": y} for x, y in zip(values, ("pos", "neg"), strict=True)] * 3
        return linnet.train(rows, label="label", features=features, learner="logistic", estimate=False)

    return [
        trained("words:1", "ab"), trained("column:n", "ab"), trained("number:n", (1, 2.5)),
        trained("embedding:n", ([1.0, 2.0], [2.0, 3.0])),
    ]  # fmt: skip


def written(folder, column, **others):
    """The files of Parquet and Arrow with a column, as far as these have its type."""
    table = pa.table({"text": ["good film", "bad film"], "label": ["pos", None], "n": column} | others)
    with ipc.new_file(folder / "a.arrow", table.schema) as writer:
        writer.write_table(table)
    yield folder / "a.arrow"
    try:
        parquet.write_table(table, folder / "a.parquet")
    except (pa.ArrowException, OSError):
        return
    yield folder / "a.parquet"


def answers(model, path, out):
    with open_answers(model, None, Asked(output=str(out))) as writer:
        for batch in model.batches(str(path)):
            writer.write(batch, model.answers(batch))
    return out


def outcome(way):
    """What comes out: `written`, or `refused`. All else is an error."""
    try:
        way()
    except LinnetError as error:
        return "refused" if "\n" not in str(error) else ""
    return "written"


def is_valid(column):
    """Whether Arrow itself takes all values for possible ones of their type."""
    try:
        column.validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


@pytest.mark.parametrize("column", COLUMNS.values(), ids=COLUMNS)
def test_any_column_beside_the_texts(tmp_path, models, column):
    seen = Counter()
    for path in written(tmp_path, column):
        ways = [partial(answers, models[0], path, tmp_path / f"out.{format}") for format in FORMATS]
        ways += [partial(answers, model, path, tmp_path / "out.csv") for model in models[1:]]
        ways.append(partial(linnet.io.read, path, least_labels=1))  # leaves out the row without a label
        for way in ways:
            seen[outcome(way)] += 1
    assert seen.total() >= 9
    assert seen["written"] or not is_valid(column)


@pytest.mark.parametrize("column", COLUMNS.values(), ids=COLUMNS)
@pytest.mark.parametrize("role", ["text", "label"])
def test_any_column_as_texts_or_labels(tmp_path, column, role):
    tried = 0
    for path in written(tmp_path, pa.array([1, 2]), **{role: column}):
        for several in (False, True):
            tried += outcome(partial(linnet.io.read, path, several=several, least_labels=1, may_lack=True)) != ""
    assert tried >= 2


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("days", ["2024-02-29", "<value out of range: 1000000000>"]),
        ("times of a zone", ["1970-01-01 01:00:00+01:00", "1970-01-01 01:00:00.000001+01:00"]),
        ("times in s", ["1970-01-01 00:00:00", "<value out of range: 1152921504606846976>"]),
        ("durations in s", ["123", str(-(2**63) + 1)]),
        ("decimals of 128 bits", ["1.50", None]),
        ("UUIDs", [str(UUID(bytes=bytes(range(16))))] * 2),
        ("numbers that are none", [None, None]),
        ("large numbers", [2**64 - 1, None]),
    ],
)
def test_what_is_written(tmp_path, models, name, expected):
    path = next(written(tmp_path, COLUMNS[name]))
    lines = answers(models[0], path, tmp_path / "out.jsonl").read_text().splitlines()
    assert [json.loads(line)["n"] for line in lines] == expected
    kept = feather.read_table(answers(models[0], path, tmp_path / "out.arrow"))
    assert kept.schema.field("n").type == COLUMNS[name].type


@pytest.mark.parametrize(
    ("name", "out", "sentence"),
    [
        (
            "times of no zone",
            "csv",
            "expected strings, numbers or times in column 'n', found timestamp[us, tz=Nowhere/X] (",
        ),
        ("intervals", "parquet", "cannot write a column as parquet: "),
        ("what nobody knows", "jsonl", "cannot write bytes as JSON: "),
    ],
)
def test_what_cannot_be_written(tmp_path, models, name, out, sentence):
    with pytest.raises(LinnetError) as caught:
        answers(models[0], next(written(tmp_path, COLUMNS[name])), tmp_path / f"out.{out}")
    assert str(caught.value).startswith(sentence)
    assert not (tmp_path / f"out.{out}").exists()
