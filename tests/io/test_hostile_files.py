"""Files made to hurt: what is too large, too deep or half a character is a sentence, and takes no more than its size allows."""

import json
import random
import zipfile
from dataclasses import replace

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

import linnet
from linnet.errors import DataError, LinnetError
from linnet.io.bytes import line_blocks
from linnet.io.bytes.source import Source
from linnet.io.texts import reading
from linnet.io.texts.careful_rows import rows
from linnet.io.texts.columns import distinct
from linnet.limits import LINE, TEXT

TEXTS = ["good film", "bad film here", "a fine good day", "poor bad day"] * 3
LABELS = ["pos", "neg"] * 6
HALF = "\ud800"


def refusal(path, **how):
    with pytest.raises(DataError) as caught:
        linnet.train(path, **how)
    return str(caught.value).removeprefix(f"{path}:").removeprefix("1:").strip()


def compressed(path, parts):
    with pa.OSFile(str(path), "wb") as file, pa.CompressedOutputStream(file, "zstd") as stream:
        for part in parts:
            stream.write(part)
    return path


def json_lines(path, *objects):
    path.write_text("".join(f"{json.dumps(one)}\n" for one in objects))
    return path


@pytest.mark.parametrize("write", [pyarrow.parquet.write_table, pyarrow.feather.write_feather])
def test_tables_with_any_byte_changed_are_read_or_refused(tmp_path, write):
    path = tmp_path / ("a.parquet" if write is pyarrow.parquet.write_table else "a.arrow")
    write(pa.table({"text": TEXTS, "label": LABELS}), str(path))
    good, outcomes = path.read_bytes(), set()
    for at in random.Random(0).sample(range(len(good)), 150):
        path.write_bytes(good[:at] + bytes([good[at] ^ 0xFF]) + good[at + 1 :])
        try:
            linnet.train(path, task=None, epochs=1)
            outcomes.add("read")
        except LinnetError:
            outcomes.add("refused")
    assert outcomes == {"read", "refused"}


@pytest.mark.parametrize(
    ("objects", "key"),
    [
        ({"text": "a", "label": "b", HALF: 1}, "'\\ud800'"),
        ({"text": f"a {HALF}", "label": "b"}, "'text'"),
        ({"tokens": ["a", HALF], "tags": ["A", "B"]}, "'tokens'"),
        ({"source": ["das", HALF], "target": ["the", "house"], "sure": [[0, 0]]}, "'source'"),
        ({"source": "a", "candidates": [{"text": HALF, "cost": 1}, {"text": "b", "cost": 0}]}, "'text'"),
        ({"source": "a", "candidates": [HALF, "b"], "id": "1"}, "'candidates'"),
    ],
)
def test_half_a_character_in_json(tmp_path, objects, key):
    path = json_lines(tmp_path / "a.jsonl", objects, objects)
    assert refusal(path) == (
        f"{key} holds \\ud800, half of a pair that makes one character. Write both halves, or remove it."
    )


def test_a_number_of_thousands_of_digits_in_json(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "a", "label": ' + "9" * 5000 + "}\n")
    assert refusal(path) == "a number has thousands of digits. Write it as a string, or round it."


def test_a_cost_beyond_all_numbers(tmp_path):
    candidates = [{"text": "a", "cost": 10**400}, {"text": "b", "cost": 0}]
    path = json_lines(tmp_path / "a.jsonl", {"source": "a", "candidates": candidates})
    assert refusal(path).startswith("expected a number under 'cost', found 1000")


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_a_table_of_nothing_but_line_ends(tmp_path, end):
    path = tmp_path / "a.csv"
    path.write_bytes(end * 3_000_000)  # row by row it would take half a minute
    assert refusal(path) == "the file holds only blank lines. Expected a header line and rows."


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("size", [1, 2, 3, 5, 1 << 20])
def test_rows_know_their_lines_behind_blank_ones(end, size):
    class Chunks:
        def __init__(self, data):
            self.data = data

        def read(self, _=-1):
            chunk, self.data = self.data[:size], self.data[size:]
            return chunk

    data = end * 3 + b"a,b" + end * 4 + b"c,d" + end + b'"e' + end + b'f",g' + end * 2
    found = [(row.line, row.fields) for row in rows(Chunks(data), b",", "a.csv")]
    assert found == [(4, [b"a", b"b"]), (8, [b"c", b"d"]), (9, [b"e" + end + b"f", b"g"])]


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.parquet", "a.arrow"])
def test_more_columns_than_can_be_read(tmp_path, name):
    columns = {"text": "a", "label": "b"} | {f"k{i}": "1" for i in range(10_000)}
    path = tmp_path / name
    if name == "a.jsonl":
        json_lines(path, columns)
    elif name == "a.csv":
        path.write_text(f"{','.join(columns)}\n{','.join(columns.values())}\n")
    else:
        write = pyarrow.parquet.write_table if name == "a.parquet" else pyarrow.feather.write_feather
        write(pa.table({key: [value] for key, value in columns.items()}), str(path))
    assert refusal(path) == "found 10,002 columns, at most 10,000 can be read. Leave out those that are not needed."


def test_columns_as_many_as_can_be_read(tmp_path):
    columns = {f"k{i}": "1" for i in range(9_998)}
    lines = [json.dumps({"text": text, "label": label, **columns}) for text, label in zip(TEXTS, LABELS, strict=True)]
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(lines))  # more than one block, whose columns are joined by name
    assert linnet.io.read(path).columns.num_columns == 9_998


def test_a_thousand_columns_of_one_name_get_names_in_time():
    assert distinct(["c"] * 10_000)[-1] == "c_10000"
    assert distinct(["x", "x_2", "x", ""]) == ["x", "x_2", "x_3", ""]


@pytest.mark.parametrize(
    ("name", "content"),
    [("parquet", "\0"), ("arrow", "\0"), ("xlsx", "\0"), ("mrg", "( "), ("jsonl", "a"), ("csv", "\n"), ("conll", "\n")],
)
def test_a_small_file_that_unpacks_to_much(tmp_path, name, content):
    path = compressed(tmp_path / f"a.{name}.zst", [content.encode() * (1 << 20)] * 70)
    assert path.stat().st_size < 20_000
    assert refusal(path).endswith("which no text does. If it is as it should be, unpack it first.")


def test_how_much_may_be_unpacked(tmp_path):
    path = compressed(tmp_path / "a.txt.zst", [b"a line like all others\n" * 50_000] * 70)
    with Source(str(path)) as source, source.open() as stream, pytest.raises(DataError) as caught:
        stream.read()
    assert str(caught.value).endswith("which no text does. If it is as it should be, unpack it first.")
    noise = random.Random(0).randbytes(200_000).hex().encode()
    path = compressed(tmp_path / "b.txt.zst", [noise] * 200)  # 80 MB of 400 KB, at a ratio below the bound
    with Source(str(path)) as source, source.open() as stream:
        assert len(stream.read()) == 200 * len(noise)


def test_a_workbook_that_unpacks_to_much(tmp_path):
    path = tmp_path / "a.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b"<a>" * (1 << 22))
    assert refusal(path).startswith("is not an Excel file (.xlsx), or is damaged")


def test_links_of_a_thousand_digits(tmp_path):
    path = tmp_path / "a.bitext"
    path.write_text(f"a b ||| c d ||| 0-{'9' * 5000}\n")
    assert refusal(path).startswith("expected links such as 0-0, or 1?2 for one that is only possible, found '0-999")


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "more.jsonl", "a.parquet", "a.txt"])
def test_a_text_that_is_too_long(tmp_path, monkeypatch, name):
    monkeypatch.setattr(reading, "TEXT", replace(TEXT, most=5 << 20, shown="5 MB"))
    path, long = tmp_path / name, "w " * (3 << 20)
    texts = [*TEXTS[:3], long, "the end"]
    labels = LABELS[: len(texts)]
    if name.endswith(".jsonl"):
        more = {"n": True} if name == "more.jsonl" else {}  # which another reader reads
        json_lines(path, *({"text": text, "label": label, **more} for text, label in zip(texts, labels, strict=True)))
    elif name == "a.csv":
        path.write_text(
            "text,label\n" + "".join(f'"{text}",{label}\n' for text, label in zip(texts, labels, strict=True))
        )
    elif name == "a.txt":
        path.write_text("".join(f"__label__{label} {text}\n" for text, label in zip(texts, labels, strict=True)))
    else:
        pyarrow.parquet.write_table(pa.table({"text": texts, "label": labels}), str(path))
    where = {"a.csv": "line 5", "a.parquet": "row 4", "a.txt": "row 4"}.get(name, "line 4")
    expected = f"{path}: the text on {where} has 6 MB, at most 5 MB can be read. Split it."
    for labelled in (True, False):
        with pytest.raises(DataError) as caught:
            linnet.io.read(path, labelled=labelled)
        assert str(caught.value) == expected


def test_a_text_of_python_that_is_too_long():
    with pytest.raises(DataError) as caught:
        linnet.train(([*TEXTS, "w " * (35 << 20)], [*LABELS, "pos"]), features="words:1")
    assert str(caught.value) == "found a text of 70 MB, at most 64 MB can be read. Split it."


@pytest.mark.parametrize("name", ["a.jsonl", "a.txt", "a.bitext"])
def test_a_line_that_never_ends(tmp_path, monkeypatch, name):
    monkeypatch.setattr(line_blocks, "LINE", replace(LINE, most=3 << 20, shown="3 MB"))
    first = {"a.jsonl": '{"text": "a", "label": "b"}', "a.txt": "__label__a b", "a.bitext": "a ||| b ||| 0-0"}[name]
    path = tmp_path / name
    path.write_text(f"{first}\n{first}" + " " * (4 << 20))
    with pytest.raises(DataError) as caught:
        linnet.train(path)
    assert str(caught.value) == f"{path}:2: the line that begins here is longer than 3 MB. Put a line end after each."
