"""Fuzzing of uploads: files that are damaged, odd or made to hold much are sent to the server to be answered.

    python fuzz/uploads.py [--seconds 60] [--inputs N] [--kind parquet] [--workers 2]
    python fuzz/uploads.py --again parquet 1234        one input once more, in this process, with its traceback

Every answer must have a status below 500, and leave no folder behind. `answered` are files with answers, `refused` those that
linnet refuses with a sentence, and `sentence` those whose process died, or was too large or too slow.
"""

from __future__ import annotations

import asyncio
import bz2
import gzip
import io
import sys
import tempfile
import zipfile
from functools import cache
from multiprocessing.util import get_temp_dir
from pathlib import Path
from random import Random
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import driving  # noqa: E402
import readers  # noqa: E402
from mutation import mutated  # noqa: E402

MODELS = ("labels logistic", "labels columns")
"""The kinds of models of seeds.py that answer."""
KINDS = (
    "parquet", "arrow", "arrows", "xlsx", "csv", "jsonl", "txt", "csv.gz", "jsonl.zst", "csv.bz2", "parquet.gz", "arrow.zst",
)  # fmt: skip
DEATHS = ("ended the process", "needs more memory", "takes longer")
SHEET = "xl/worksheets/sheet1.xml"
XLSX = {
    "_rels/.rels": (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" '
        'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/>'
        "</Relationships>"
    ),
    "[Content_Types].xml": (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" '
        'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>'
    ),
    "xl/workbook.xml": (
        '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
        'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="a" sheetId="1" '
        'r:id="rId1"/></sheets></workbook>'
    ),
    "xl/_rels/workbook.xml.rels": (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" '
        'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/>'
        '<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" '
        'Target="sharedStrings.xml"/></Relationships>'
    ),
    "xl/sharedStrings.xml": "<sst><si><t>text</t></si><si><t>a good film</t></si><si><t>poor</t></si></sst>",
}
PLACES = (
    "A1",
    "B2",
    "C9",
    "XFD1048576",
    "A1048576",
    "XFE1",
    "A4294967295",
    "a1",
    "",
    "1",
    "A0",
    "ZZZZ1",
    "A99999999999999999999",
)
TIMES = (1, 2, 100, 10_000, 1_000_000, 10_000_000)


def _workbook(random: Random) -> bytes:
    """A workbook whose cells are somewhere, and many."""

    def cell() -> str:
        place = random.choice(PLACES) if random.random() < 0.05 else f"{random.choice('AB')}{random.randrange(2, 9)}"
        kind = random.choice(
            ["s", "s", "s", "str", "str", "n", "n", "b"] if random.random() < 0.9 else ["d", "e", "inlineStr", ""]
        )
        value = random.choice(
            ["0", "1", "2", "1"] if random.random() < 0.9 else ["-1", "999999999999", "1e400", "x", "2024-02-30"]
        )
        many = random.choice(TIMES[:4]) if random.random() < 0.1 else 1
        return f'<c r="{place}" t="{kind}"><v>{value}</v></c>' * many

    rows = "".join(
        f'<row r="{random.choice([n] * 20 + [0, 2**32 - 1, 2**20])}">{cell()}{cell()}</row>' for n in range(2, 6)
    )
    rows *= min(random.choice(TIMES), 20_000_000 // len(rows)) if random.random() < 0.1 else 1
    top = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="str"><v>label</v></c></row>'
    members = XLSX | {SHEET: f"<worksheet><sheetData>{top}{rows}</sheetData></worksheet>"}
    if random.random() < 0.2:
        members["xl/sharedStrings.xml"] = f"<sst><si><t>{'x' * random.choice(TIMES)}</t></si></sst>"
    if random.random() < 0.2:
        name = random.choice([*members])
        members[name] = mutated(members[name].encode(), random).decode("utf-8", "replace")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", random.choice([zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED])) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()


def _large(random: Random) -> Any:
    """A column of few bytes that holds much."""
    import numpy as np
    import pyarrow as pa

    n = random.choice([10, 1000, 200_000])
    text = "x" * random.choice([1, 1000, 1_000_000])
    zeros = pa.array(np.zeros(n, np.int32))
    kind = random.randrange(6)
    if kind < 2:
        return pa.DictionaryArray.from_arrays(zeros, pa.array([text], random.choice([pa.string(), pa.large_string()])))
    if kind == 2:
        return pa.nulls(n * 100)
    if kind == 3:
        one, n = pa.array([text], pa.string_view()), min(n, 10**9 // len(text))
        same = pa.py_buffer(np.tile(np.frombuffer(one.buffers()[1], np.int32)[:4], n))
        return pa.Array.from_buffers(pa.string_view(), n, [None, same, *one.buffers()[2:]])
    if kind == 4:
        return pa.array([text] * min(n, 2 * 10**7 // len(text)))
    return pa.ListArray.from_arrays([0, n], pa.DictionaryArray.from_arrays(zeros, pa.array([text])))


def _table(kind: str, random: Random) -> bytes:
    """A file of Parquet or Arrow with odd columns."""
    import pyarrow as pa
    from pyarrow import parquet

    is_large = random.random() < 0.4
    columns = [(_large if is_large else readers._column)(random)]
    columns += [column for column in (readers._column(random) for _ in range(3)) if len(column) == len(columns[0])]
    if random.random() < 0.7 and len(columns[0]) <= 200_000:
        texts = [text for text, _ in readers.ROWS] * (len(columns[0]) // len(readers.ROWS) + 1)
        columns.insert(0, pa.array(texts[: len(columns[0])]))
    names = ["text", *random.sample(["label", "age", "town", "n"], k=len(columns) - 1)]
    table, sink = pa.table(dict(zip(names, columns, strict=True))), io.BytesIO()
    if kind == "parquet":
        how: dict[str, Any] = {"compression": random.choice(["none", "snappy", "zstd", "gzip"])}
        how |= random.choice(
            [{}, {"data_page_version": "2.0"}, {"use_dictionary": False}, {"row_group_size": 3}][: 4 - 2 * is_large]
        )
        if random.random() < 0.2 and not is_large:
            how |= {"use_dictionary": False, "column_encoding": dict.fromkeys(names, "DELTA_BYTE_ARRAY")}
        parquet.write_table(table, sink, **how)
    else:
        options = pa.ipc.IpcWriteOptions(compression=random.choice([None, "zstd", "lz4"]))
        with (pa.ipc.new_stream if kind == "arrows" else pa.ipc.new_file)(
            sink, table.schema, options=options
        ) as writer:
            writer.write_table(table, random.choice([None, 3]) if len(table) < 2000 else None)
    return sink.getvalue()


def _text(kind: str, random: Random) -> bytes:
    """Lines, of which some are many or long."""
    lines = {
        "csv": [
            b"text,label,age,town\n",
            b"good film,pos,3,Rome\n",
            b'"bad\nfilm",neg,,\n',
            b"\n",
            b'"',
            b"a,b,c,d,e\n",
        ],
        "jsonl": [
            b'{"text": "good film", "age": 3}\n',
            b'{"text": null}\n',
            b"[",
            b'{"a":',
            b'{"text": "a", "town": [1]}\n',
        ],
        "txt": [b"good film\n", b"__label__pos bad\n", b"\0\0\0\n", b"a DT\nb NN\n\n"],
    }[kind]
    some = [
        random.choice(random.choice([lines, lines[:2]])) * random.choice([1, 1, 1, 5, random.choice(TIMES)])
        for _ in "abc"
    ]
    return b"".join([lines[0], *some])[: 4 << 20]


def _packed(kind: str, data: bytes, random: Random) -> bytes:
    """The data compressed, once or twice, and perhaps damaged."""
    import pyarrow as pa

    for _ in range(random.choice([1, 1, 1, 2])):
        if kind == "gz":
            data = gzip.compress(data, 1, mtime=0)
        elif kind == "bz2":
            data = bz2.compress(data, 1)
        else:
            data = pa.Codec("zstd").compress(data, asbytes=True)
    return mutated(data, random) if random.random() < 0.3 else data


@cache
def _loop() -> asyncio.AbstractEventLoop:
    return asyncio.new_event_loop()


def made(kind: str, random: Random) -> bytes:
    """The bytes of an input."""
    inner, _, packing = kind.partition(".")
    try:
        if inner == "xlsx":
            data = _workbook(random)
        elif inner in ("parquet", "arrow", "arrows"):
            data = _table(inner, random)
        else:
            data = _text(inner, random)
    except (ValueError, NotImplementedError, OSError):  # what Arrow cannot write
        data = readers.seeds().get(inner, b"")
    if random.random() < 0.3:
        data = mutated(data, random, [*readers.seeds().values()])
    return _packed(packing, data, random) if packing else data


def prepare(folder: Path, kinds: list[str]) -> None:
    """Train the models that answer."""
    from models import save_seeds

    save_seeds(folder, list(MODELS))


def outcome(folder: Path, kind: str, number: int, file: Path) -> str:
    """What becomes of one upload."""
    import server

    from linnet.web.access import Access
    from linnet.web.limits import Limits
    from linnet.web.workbench import workbench

    get_temp_dir()  # of the process that forks others, which must not be where it is looked for what was left behind
    random = Random(f"{kind} {number}")
    model = (folder / f"{random.choice(MODELS)}.linnet").absolute()
    with tempfile.TemporaryDirectory(dir=file.parent) as own:
        (Path(own) / "model.linnet").symlink_to(model)
        before, tempfile.tempdir = tempfile.tempdir, own
        try:
            app = workbench([f"{own}/model.linnet"], Access.on("127.0.0.1"), Limits(upload=64 << 20, rate=1e9))
            request = ("POST", "/api/v1/models/model/upload", f"ending=.{kind}".encode(), [(b"host", b"localhost")])
            status, headers, body = _loop().run_until_complete(
                server.answered(app, (*request, made(kind, random)), random)
            )
            good = server.checked(status, headers, body, "POST")
        finally:
            tempfile.tempdir = before
        left = [path.name for path in Path(own).iterdir() if path.name != "model.linnet"]
    if left:
        raise AssertionError(f"left behind: {left}")
    return "answered" if good else "sentence" if any(why in body.decode() for why in DEATHS) else "refused"


TARGET = driving.Target(__file__, list(KINDS), prepare, outcome)


def main() -> int:
    return driving.main(TARGET, __doc__ or "")


if __name__ == "__main__":
    sys.exit(main())
