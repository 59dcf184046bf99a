"""Small files that ask for much memory or time: what they declare is counted first, and what no honest file has is refused."""

from __future__ import annotations

import io
import resource
import struct
import subprocess
import sys
import zipfile
import zlib
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet
from workbooks import workbook

import linnet.io
from linnet.errors import DataError
from linnet.io.bytes.unpacking import Content, most_content
from linnet.limits import CONTENT

GIGABYTE = 1 << 30
HOLDS = "data hold more than"
READ = """
import resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
import linnet.io
try:
    print(len(linnet.io.read(sys.argv[1], least_labels=1, may_lack=True)), "rows")
except linnet.LinnetError as error:
    print(error)
"""


def outcome(path):
    """What reading a file says in a process of its own, which must not die nor take a gigabyte and a half of memory."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    found = subprocess.run([sys.executable, "-c", READ, str(path)], capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < max(before, 1.5 * GIGABYTE / 1024)
    return found.stdout.strip().removeprefix(f"{path}: ")


def test_how_much_a_file_may_hold():
    assert most_content(1000) == CONTENT.most
    assert most_content(GIGABYTE) == 250 * GIGABYTE
    content = Content(1000, "Excel", "a.xlsx")
    content.add(CONTENT.most)
    with pytest.raises(DataError) as caught:
        content.add(1)
    assert str(caught.value) == (
        "a.xlsx: 1,000 bytes of Excel data hold more than 67,108,864 bytes, which no honest file does. If it is as it should "
        "be, write it as plain text."
    )


SHEET = "xl/worksheets/sheet1.xml"
GOOD = [["text", "label"], ["a fine film", "pos"], ["a poor film", "neg"]]


def sheet(rows, shared=None, **members):
    """A workbook with this XML between the tags of its rows."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(workbook({"a": GOOD}))) as before:
        found = {name: before.read(name) for name in before.namelist()}
    head = found[SHEET].partition(b"<sheetData>")[0]
    found[SHEET] = head + b"<sheetData>" + rows + b"</sheetData></worksheet>"
    if shared is not None:
        found["xl/sharedStrings.xml"] = b"<sst>" + shared + b"</sst>"
        found["xl/_rels/workbook.xml.rels"] = found["xl/_rels/workbook.xml.rels"].replace(
            b"</Relationships>",
            b'<Relationship Id="rId9" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" '
            b'Target="sharedStrings.xml"/></Relationships>',
        )
    found |= members
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in found.items():
            archive.writestr(name, content)
    return packed.getvalue()


def named(name, other, packed):
    """A workbook in which a member has another name."""
    renamed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(packed)) as before, zipfile.ZipFile(renamed, "w", zipfile.ZIP_DEFLATED) as archive:
        for each in before.namelist():
            archive.writestr(other if each == name else each, before.read(each))
    return renamed.getvalue()


def cell(place, text="x"):
    return f'<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>'.encode()


TOP = b'<row r="1">' + cell("A1", "text") + cell("B1", "label") + b"</row>"
AT_THE_END = sheet(TOP + b'<row r="1048576">' + cell("XFD1048576") + b"</row>")
BOMBS = {
    "a cell at the end of the sheet": AT_THE_END,
    "a cell that does not say where it is": sheet(
        TOP + b'<row r="1048576"><c t="str"><v>a</v></c>' + cell("XFD1048576").replace(b"r=", b"r =") + b"</row>"
    ),
    "many cells in a row, and many rows": sheet(TOP + b"<row>" + b"<c><v>1</v></c>" * 16_000 + b"</row>" + b"<row/>" * 900_000
        + b"<row><c><v>1</v></c></row>"),
    "a text that many cells share": sheet(
        TOP + b'<row r="2">' + b'<c t="s"><v>0</v></c>' * 8_000 + b"</row>", b"<si><t>" + b"x" * 1_000_000 + b"</t></si>"
    ),
    "many cells": sheet(TOP + b"<row><c><v>1</v></c><c><v>1</v></c></row>" * 400_000),
    "many shared strings": sheet(TOP, b"<si/>" * 2_000_000),
    "a large member": sheet(TOP + b" " * (70 << 20)),
    "a sheet named with backslashes": named(SHEET, r"xl\worksheets\sheet1.xml", AT_THE_END),
    "a sheet named in another case": named(SHEET, "XL/Worksheets/Sheet1.XML", AT_THE_END),
    "strings named with backslashes": named(
        "xl/sharedStrings.xml", r"xl\sharedStrings.xml", sheet(TOP, b"<si/>" * 2_000_000)
    ),
}  # fmt: skip


@pytest.mark.parametrize("content", BOMBS.values(), ids=BOMBS)
def test_small_workbooks_that_hold_much(tmp_path, content):
    assert len(content) < 600_000
    (tmp_path / "a.xlsx").write_bytes(content)
    assert HOLDS in outcome(tmp_path / "a.xlsx")


def declaring(size):
    """A workbook whose sheet declares to have so many bytes."""
    packed = bytearray(sheet(TOP + b" " * 5000))
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        found = archive.getinfo(SHEET)
    while (at := packed.find(found.file_size.to_bytes(4, "little"))) >= 0:
        packed[at : at + 4] = size.to_bytes(4, "little")
    return bytes(packed)


def other_kind(name):
    archive = io.BytesIO(sheet(TOP))
    with zipfile.ZipFile(archive, "a") as packed:
        packed.writestr(name, b"x")
    return archive.getvalue()


def hidden():
    """A workbook whose second link to a sheet is the one that Excel's reader takes."""
    packed = sheet(TOP)
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        book, links = archive.read("xl/workbook.xml"), archive.read("xl/_rels/workbook.xml.rels")
    with zipfile.ZipFile(io.BytesIO(AT_THE_END)) as archive:
        end = archive.read(SHEET)
    return sheet(TOP, **{
        "xl/workbook.xml": book.replace(b"r:id=", b'xmlns:a="a" a:id="rId1" r:id=').replace(b'r:id="rId1"', b'r:id="rId2"'),
        "xl/_rels/workbook.xml.rels": links.replace(
            b"</Relationships>", b'<Relationship Id="rId2" Target="worksheets/sheet2.xml"/></Relationships>'
        ),
        "xl/worksheets/sheet2.xml": end,
    })  # fmt: skip


def with_unicode_path():
    """A workbook whose sheet has its name in a further field only, which some readers of archives look at."""
    renamed = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(AT_THE_END)) as before,
        zipfile.ZipFile(renamed, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        for name in before.namelist():
            member = zipfile.ZipInfo("other" if name == SHEET else name)
            if name == SHEET:
                field = b"\x01" + zlib.crc32(b"other").to_bytes(4, "little") + name.encode()
                member.extra = struct.pack("<HH", 0x7075, len(field)) + field
            archive.writestr(member, before.read(name), zipfile.ZIP_DEFLATED)
    return renamed.getvalue()


NO_SHEET = "is not an Excel file (.xlsx), or is damaged (no sheet is found)"
DAMAGED = {
    "a row beyond all": (sheet(TOP + cell("A4294967295")), "found a cell in row 4294967295; Excel has 1,048,576."),
    "a row that Excel has not": (sheet(TOP + cell("A1048577")), "found a cell in row 1048577; Excel has 1,048,576."),
    "a column that Excel has not": (sheet(TOP + cell("XFE1")), "found a cell in column XFE; Excel has 16,384."),
    "less declared than there is": (declaring(10), "is not an Excel file (.xlsx), or is damaged (10 bytes declared"),
    "a document type": (sheet(TOP, **{"xl/workbook.xml": b"<!DOCTYPE a><a/>"}), "is not an Excel file"),
    "an .ods inside": (other_kind("content.xml"), "is not an Excel file"),
    "an .xlsb inside": (other_kind("xl/workbook.bin"), "is not an Excel file"),
    "a member twice": (other_kind("XL/workbook.xml"), "is not an Excel file"),
    "an .xls": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "is not an Excel file"),
    "a member twice, in another way to write it": (other_kind(r"xl\.\workbook.xml"), "is not an Excel file"),
    "no sheet": (sheet(TOP, **{"xl/workbook.xml": b"<workbook/>"}), NO_SHEET),
    "a sheet that is not there": (named(SHEET, "xl/worksheets/other.xml", AT_THE_END), NO_SHEET),
    "another sheet for another reader": (hidden(), "is not an Excel file"),
    "a name for another reader": (with_unicode_path(), NO_SHEET),
}  # fmt: skip


@pytest.mark.parametrize(("content", "sentence"), DAMAGED.values(), ids=DAMAGED)
def test_workbooks_that_no_program_writes(tmp_path, content, sentence):
    (tmp_path / "a.xlsx").write_bytes(content)
    with pytest.raises(DataError) as caught:
        linnet.io.read(tmp_path / "a.xlsx")
    assert str(caught.value).removeprefix(f"{tmp_path}/a.xlsx: ").startswith(sentence)


def test_honest_workbooks(tmp_path):
    """Texts that many cells share, cells that are far apart, and cells that do not say where they are."""
    strings = b"<si><t>text</t></si><si><t>label</t></si><si><t>" + b"long " * 2000 + b"</t></si><si><t>pos</t></si>"
    rows = b'<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>' + b"".join(
        b'<row r="%d"><c t="s"><v>%d</v></c><c t="s"><v>3</v></c></row>' % (n, 2 + n % 2) for n in range(2, 3000)
    )
    (tmp_path / "a.xlsx").write_bytes(sheet(rows + b'<row r="200000">' + cell("A200000") + b"</row>", strings))
    found = linnet.io.read(tmp_path / "a.xlsx", least_labels=1, may_lack=True)
    assert len(found) == 2998
    assert {len(text) for text in found.text.to_pylist()} == {3, 9_999}


N = 300_000
LONG = "x" * 1_000_000
ONE_FOR_ALL = pa.DictionaryArray.from_arrays(pa.array(np.zeros(N, np.int32)), pa.array([LONG]))
LABELS = pa.DictionaryArray.from_arrays(pa.array(np.zeros(N, np.int32)), pa.array(["pos"]))


def views(n):
    """So many views of one string."""
    one = pa.array([LONG], pa.string_view())
    same = pa.py_buffer(np.tile(np.frombuffer(one.buffers()[1], np.int32)[:4], n))
    return pa.Array.from_buffers(pa.string_view(), n, [None, same, *one.buffers()[2:]])


def beside(label):
    return pa.table({"text": ["a"], "label": label})


def categories(values, n=50_000):
    """So many rows that name one value."""
    return pa.DictionaryArray.from_arrays(pa.array(np.zeros(n, np.int32)), values)


def others(column):
    """A table with a third column."""
    return pa.table({"text": ["a"] * len(column), "label": ["a"] * len(column), "other": column})


def parquet_of(path, table, **how):
    parquet.write_table(table, path, **how)


def groups_of(path, table):
    """So many groups of rows that nobody has the memory for all of them."""
    with parquet.ParquetWriter(path, table.schema, compression="zstd") as writer:
        for _ in range(80):
            writer.write_table(table)


def arrow_of(path, table, make=pa.ipc.new_file, compression="zstd"):
    how = pa.ipc.IpcWriteOptions(compression=compression)
    with pa.OSFile(str(path), "wb") as file, make(file, table.schema, options=how) as writer:
        writer.write_table(table)


TABLES = {
    "a category of a megabyte.parquet": (parquet_of, pa.table({"text": ONE_FOR_ALL, "label": LABELS}), {}),
    "a category of a megabyte.arrow": (arrow_of, pa.table({"text": ONE_FOR_ALL, "label": LABELS}), {}),
    "a category in a stream.arrow": (arrow_of, pa.table({"text": ONE_FOR_ALL, "label": LABELS}), {"make": pa.ipc.new_stream}),
    "a category in a list.parquet": (parquet_of, beside(pa.ListArray.from_arrays([0, N], ONE_FOR_ALL)), {}),
    "nulls.parquet": (parquet_of, pa.table({"text": pa.nulls(10**7, pa.string()), "label": pa.nulls(10**7)}), {}),
    "nulls.arrow": (arrow_of, pa.table({"text": pa.nulls(10**9), "label": pa.nulls(10**9)}), {}),
    "nulls in a list.arrow": (arrow_of, beside(pa.ListArray.from_arrays([0, 10**9], pa.nulls(10**9))), {}),
    "nulls in a list of fixed size.arrow": (
        arrow_of, beside(pa.FixedSizeListArray.from_arrays(pa.nulls(10**9), 10**9)), {}
    ),
    "large pages.parquet": (
        parquet_of, pa.table({"text": [LONG] * 80, "label": ["a"] * 80}), {"compression": "zstd", "use_dictionary": False}
    ),
    "prefixes.parquet": (
        parquet_of, pa.table({"text": [LONG] * 200, "label": ["a"] * 200}),
        {"use_dictionary": False, "column_encoding": {"text": "DELTA_BYTE_ARRAY", "label": "PLAIN"}},
    ),
    "large buffers.arrow": (arrow_of, pa.table({"text": [LONG] * 80, "label": ["a"] * 80}), {}),
    "bytes of fixed length.parquet": (
        groups_of, pa.table({"text": pa.array([bytes(10**6)] * 50, pa.binary(10**6)), "label": ["a"] * 50}), {}
    ),
    "categories of large bytes.arrow": (
        arrow_of, pa.table({"text": categories(pa.array([bytes(10**6)], pa.large_binary())), "label": ["a"] * 50_000}), {}
    ),
    "categories of bytes of fixed length.arrow": (
        arrow_of, pa.table({"text": categories(pa.array([bytes(10**6)], pa.binary(10**6))), "label": ["a"] * 50_000}), {}
    ),
    "views of one string.arrow": (arrow_of, pa.table({"text": views(50_000), "label": ["a"] * 50_000}), {}),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLES)
def test_small_tables_that_hold_much(tmp_path, name):
    write, table, how = TABLES[name]
    write(tmp_path / name, table, **how)
    assert (tmp_path / name).stat().st_size < 200_000
    assert HOLDS in outcome(tmp_path / name)


BYTES = {
    "of fixed length": pa.array([bytes(1000)] * 9, pa.binary(1000)),
    "as categories": categories(pa.array([bytes(1000)]), 9),
    "as large categories": categories(pa.array([bytes(1000)], pa.large_binary()), 9),
    "as categories of fixed length": categories(pa.array([bytes(1000)], pa.binary(1000)), 9),
    "lists as categories": categories(pa.array([["a"]]), 9),
}


@pytest.mark.parametrize("column", BYTES.values(), ids=BYTES)
def test_bytes_beside_texts_are_not_read(tmp_path, column):
    arrow_of(tmp_path / "a.arrow", others(column))
    assert linnet.io.read(tmp_path / "a.arrow", least_labels=1).columns is None


def test_missing_bytes_of_fixed_length(tmp_path):
    """A group of 80 has 50 MB, and a row has nothing in the file. Not all may be read at once."""
    groups_of(tmp_path / "a.parquet", pa.table({"text": pa.nulls(50, pa.binary(10**6)), "label": ["a"] * 50}))
    assert "expected strings in column 'text'" in outcome(tmp_path / "a.parquet")


def test_categories_whose_size_is_not_known(tmp_path):
    arrow_of(tmp_path / "a.arrow", beside(categories(pa.array([["a"]]), 1)))
    assert "damaged (categories of kind list<item: string>)" in outcome(tmp_path / "a.arrow")


@pytest.mark.parametrize("write", [parquet_of, arrow_of])
def test_honest_tables_that_hold_much(tmp_path, write):
    """Two categories in a million rows, texts that are repeated, one long text among short ones, and a column of nulls."""
    numbers = np.random.default_rng(0).integers(2, size=10**6)
    texts = pa.array([f"a film with number {number}" for number in range(1000)] + ["long " * 20_000])
    which = np.where(np.arange(10**6) % 50_000, np.arange(10**6) % 997, 1000)
    table = pa.table({
        "text": texts.take(pa.array(which)),
        "label": pa.DictionaryArray.from_arrays(pa.array(numbers, pa.int32()), pa.array(["neg", "pos"])),
        "nothing": pa.nulls(10**6),
    })  # fmt: skip
    write(tmp_path / f"a.{write.__name__.removesuffix('_of')}", table)
    found = linnet.io.read(tmp_path / f"a.{write.__name__.removesuffix('_of')}")
    assert found.text.combine_chunks().equals(table["text"].combine_chunks().cast(pa.large_string()))
    assert found.labels.combine_chunks().equals(table["label"].cast(pa.large_string()).combine_chunks())


def test_categories_of_long_texts_are_read_piece_by_piece(tmp_path):
    """A gigabyte of texts in a file of 20 MB, which is never in memory at once."""
    texts = pa.array([np.random.default_rng(n).bytes(100_000).hex() for n in range(100)])
    indices = pa.array(np.arange(5000) % 100, pa.int32())
    arrow_of(tmp_path / "a.arrow", pa.table({"text": pa.DictionaryArray.from_arrays(indices, texts)}))
    rows = most = 0
    for batch in linnet.io.read_batches(tmp_path / "a.arrow", labelled=False):
        rows, most = rows + len(batch), max(most, batch.nbytes)
    assert rows == 5000
    assert 1 << 24 < most < 200 << 20


KNOWN = Path(__file__).parents[2] / "fuzz" / "known" / "files"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("a-batch-behind-the-end.arrow", "a batch goes on behind the end"),  # for which Arrow asked for gigabytes
        ("a-chunk-of-another-name.parquet", "a chunk with the name of another column"),  # which was not counted
        ("histogram-of-another-size.parquet", "Definition level histogram size mismatch"),  # at which pyarrow may abort
    ],
)
def test_what_leads_nowhere(name, why):
    assert why in outcome(KNOWN / name)
