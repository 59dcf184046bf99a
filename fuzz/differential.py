"""Readers against each other: the same file must give the same rows to all of them, or be refused by all.

    python fuzz/differential.py [--seconds 60] [--inputs N] [--kind csv] [--workers 2]
    python fuzz/differential.py --again csv 1234        one input once more, in this process, with its traceback

A file is made of known rows, and every other one is changed. It is read carefully, fast in pieces and batches of a few
bytes, so that a border falls on every byte sooner or later, and as a pipe whose bytes come in by and by. The line that a
refusal names must be the same, too. Python's own readers of tables and JSON are asked as well.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from unittest.mock import patch

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import driving  # noqa: E402
from mutation import mutated  # noqa: E402

WORDS = [
    "a", "fine film", "é", "日本", "😀", '"', '""', ",", "\t", "\n", "\r\n", "\r", "\ufeff", "\x1f", "\u2028", " ", "null",
    "{", "}n", "#",
]  # fmt: skip
LETTERS = ["a", "é", "日", "😀", "x" * 30, "#", "-", '"', "1", "_", "\u2028", "\xa0"]
TOKENS = [
    b"", b"\n", b"\r", b"\r\n", b"\n\n", b"\n \n", b"\t", b" ", b",", b'"', b'""', b'"\r\n"', b"\\", b"\0", b"\xff",
    b"\xc3", b"\xef\xbb\xbf", b"null", b"null\n", b"\nnull", b"{}", b"{", b"}", b"[", b"]", b"NaN", b"Inf", b"-NaN",
    b"Infinity", b"1e5", b"-0", b"9" * 30, b"9" * 4400, b"[" * 1200, b'"text":', b'"label":1,', b'"n":1.5,', b"\\ud800",
    b"\\u0000", b"\x1f", b"\x1f,\n", b"# a\n", b"# a = b\n", b"-DOCSTART-\n", b"1-2\t", b"1.1\t", b"\xc2\xb2", b"\x0b",
    b"\x1c", b"\xe2\x80\xa8",
]  # fmt: skip
"""Bytes that mean something to a reader of rows or sentences."""
SIZES = [1, 2, 3, 5, 7, 11, 16, 24, 40, 64, 100, 1000]


class Rows(NamedTuple):
    """What a reader has made of a file: rows, or the line and the message with which it refuses it."""

    values: Any
    columns: Any = None
    """The other columns. In JSON, which of them are kept may depend on where batches end."""
    line: int | None = None
    message: str = ""


def good(kind: str, random: Random) -> tuple[bytes, Any]:
    """A good file of a kind, and its rows."""
    n, end = random.randrange(1, 12), random.choice(["\n", "\n", "\r\n"])
    if kind in ("conll", "conllu"):
        return _sentences(kind, n, end, random)
    rows = [("".join(random.choices(WORDS, k=random.randrange(4))), random.choice("xyz"), f"{i}") for i in range(n)]
    blank = lambda: random.choice(["", "", "", "", end, " " + end if kind.endswith("jsonl") else end])  # noqa: E731
    if kind.endswith("jsonl"):
        whole = "".join(blank() + _object(kind, row, random) + end for row in rows)
    else:
        mark = _mark(kind)
        table = [("text", "label", "n"), *rows]
        whole = "".join(blank() + mark.join(_field(field, mark, random) for field in row) + end for row in table)
    data = whole.encode()
    return (data if random.random() < 0.7 else data[: -len(end)]), rows


def _is_table(kind: str) -> bool:
    return kind.endswith(("csv", "tsv"))


def _mark(kind: str) -> str:
    return "\t" if kind == "tsv" else ","


def _field(field: str, mark: str, random: Random) -> str:
    """A field of a table, in quotes where it must be, and sometimes where it need not. A quote within a field is none."""
    needs = any(character in field for character in (mark, "\n", "\r")) or field[:1] == '"'
    return '"' + field.replace('"', '""') + '"' if needs or random.random() < 0.3 else field


def _object(kind: str, row: Sequence[str], random: Random) -> str:
    text, label, n = row
    labels: Any = random.choice([[label], [label, "z"], [], None, label]) if kind.startswith("sets") else label
    key = "labels" if kind.startswith("sets") else "label"
    pairs: list[tuple[str, Any]] = [("text", text), (key, labels)]
    if random.random() < 0.5:
        more = [("n", int(n)), ("n", float(n)), ("n", None), ("b", True), ("v", [1.5, None]), ("o", {"text": None})]
        pairs += [random.choice(more)]
    if random.random() < 0.2:
        random.shuffle(pairs)
    return json.dumps(dict(pairs), ensure_ascii=random.random() < 0.5)


def _sentences(kind: str, n: int, end: str, random: Random) -> tuple[bytes, Any]:
    found, text = [], ""
    gap = random.choice(["\t", " "]) if kind == "conll" else "\t"
    for _ in range(n):
        size = random.randrange(1, 4)
        words = [
            "w" + "".join(random.choices(LETTERS[: 11 if gap == "\t" else 10], k=random.randrange(3)))
            for _ in range(size)
        ]
        tags = random.choices(["A", "B", "C-é"], k=size)
        if random.random() < 0.2:
            text += f"# text = a{end}"
        for i, (word, tag) in enumerate(zip(words, tags, strict=True), 1):
            fields = [word, tag] if kind == "conll" else [str(i), word, "_", tag, "_", "_", str(i - 1), "r", "_", "_"]
            text += gap.join(fields) + end
        text += end if random.random() < 0.8 else f" {end}{end}"
        found.append((words, tags))
    return text.encode(), found


class Way(NamedTuple):
    """A way to read a file: how many bytes at a time, by which readers, and whether they come in by and by."""

    batch: int
    piece: int
    careful: bool = False
    live: bool = False


class _Pipe(io.BytesIO):
    """Standard input of which so many bytes come in at a time as chance will have it."""

    random: Random

    def read1(self, size: int | None = -1, /) -> bytes:
        most = self.random.choice(SIZES)
        return super().read1(most if size is None or size < 0 else min(size, most))


@contextlib.contextmanager
def _as(way: Way, data: bytes, random: Random) -> Iterator[None]:
    """Let the readers work in this way."""
    from linnet.io.bytes import line_blocks, live, recoding
    from linnet.io.bytes.encoding import BOM
    from linnet.io.sentences import sentence_blocks
    from linnet.io.texts import careful_rows, delimited, jsonl, quoted_rows

    def doubtful(*_: object) -> Any:
        raise delimited.DoubtError

    pipe = _Pipe(data)
    pipe.random = random
    sizes = {
        (delimited, "_PIECE"): way.piece,
        (quoted_rows, "_BLOCK"): way.batch,
        (careful_rows, "_CHUNK"): way.piece,
        (recoding, "_CHUNK"): way.piece,
    }
    sizes |= {
        (line_blocks, "_BLOCK"): way.batch,
        (sentence_blocks, "_BLOCK"): way.batch,
        (live, "_FIRST"): way.batch + len(BOM),
    }
    with contextlib.ExitStack() as stack:
        for (module, name), size in sizes.items():
            stack.enter_context(patch.object(module, name, size))
        stack.enter_context(patch.object(live.Live, "_has_more", lambda self: random.random() < 0.5))
        stack.enter_context(patch.object(sys, "stdin", io.TextIOWrapper(pipe)))
        if way.careful:
            stack.enter_context(patch.object(delimited._File, "_dataset", doubtful))
            stack.enter_context(patch.object(jsonl._Lines, "_fast", doubtful))
        yield


def read(kind: str, path: Path, way: Way, labelled: bool, random: Random) -> Rows:
    """What becomes of a file that is read in a way."""
    from linnet import io as readers
    from linnet.errors import DataError

    source, format = "-" if way.live else str(path), kind.rpartition(".")[2]
    encoding = "utf-16" if kind.startswith("utf16") else "utf-8"
    with _as(way, path.read_bytes(), random):
        try:
            how = {
                "batch_bytes": way.batch,
                "labelled": labelled,
                "live": way.live,
                "format": format,
                "encoding": encoding,
            }
            if kind in ("conll", "conllu"):
                return Rows(
                    [one for part in readers.read_sentence_batches(source, **how) for one in _of_sentences(part)]
                )
            mark = _mark(kind) if _is_table(kind) else None
            parts = list(readers.read_batches(source, **how, several=kind.startswith("sets"), delimiter=mark))
            return Rows([row for part in parts for row in _of_texts(part)], _of_columns(parts))
        except DataError as error:
            return Rows(None, None, error.line, str(error).removeprefix(str(path)).removeprefix("stdin"))


def _of_texts(part: Any) -> list[tuple[Any, ...]]:
    labels = [None] * len(part) if part.labels is None else part.labels.to_pylist()
    return list(zip(part.text.to_pylist(), labels, strict=True))


def _of_columns(parts: list[Any]) -> dict[str, list[Any]]:
    """The other columns, with values that equal themselves."""
    from linnet.io.texts.dataset import join

    columns = join(parts).columns
    found = {} if columns is None else columns.to_pydict()
    return {name: [str(value) if value != value else value for value in values] for name, values in found.items()}


def _of_sentences(part: Any) -> Iterator[Any]:
    words, tags = part.columns["w"].to_pylist(), part.tags and part.tags.to_pylist()
    for begin, end in zip(part.starts[:-1].tolist(), part.starts[1:].tolist(), strict=True):
        yield words[begin:end], tags and tags[begin:end]


def python_rows(kind: str, data: bytes) -> list[Any] | None:
    """The texts of a file as Python's own readers have them; None where these read something else than the format."""
    text = data.decode().removeprefix("\ufeff")
    if _is_table(kind):
        csv.field_size_limit(1 << 30)
        found = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=_mark(kind)) if row]
        return [row[found[0].index("text")] for row in found[1:]] if "text" in found[0] else None
    if kind.endswith("jsonl") and "\r" not in text.replace("\r\n", ""):
        objects = [json.loads(line) for line in text.split("\n") if line.strip()]
        return [one["text"] or "" for one in objects] if "text" in objects[0] else None
    return None


def outcome(folder: Path, kind: str, number: int, file: Path) -> str:
    """What becomes of one input: `refused` by all readers, or `answered`, with the same rows by all of them."""
    random = Random(f"{kind} {number}")
    path = file.parent / f"input.{kind}"
    data, rows = good(kind, random)
    is_changed = random.random() < 0.5
    if is_changed:
        data = mutated(data, random, tokens=TOKENS)
    if not _is_table(kind):
        # Whether CR alone ends lines depends on the first bytes, and so on how many come at first.
        data = re.sub(rb"\r(?!\n)", b"", data)
    if kind.startswith("utf16"):
        data = data.decode("utf-8", "replace").encode()
    path.write_bytes(data.decode().encode("utf-16") if kind.startswith("utf16") else data)
    labelled = random.random() < 0.3
    batch = random.choice(SIZES)
    whole, some = Way(1 << 20, 1 << 20, careful=True), Way(batch, random.choice(SIZES), careful=True)
    wanted, cut = (read(kind, path, way, labelled, random) for way in (whole, some))
    _same(some, wanted, cut)
    for way in (Way(1 << 20, 1 << 20), Way(1 << 20, random.choice(SIZES)), Way(batch, random.choice(SIZES))):
        found = read(kind, path, way, labelled, random)
        _same(way, wanted, found)
        if found.columns != (cut if way.batch == batch else wanted).columns:
            raise AssertionError(
                f"{way}: the columns {found.columns}, which should be {wanted.columns} or {cut.columns}"
            )
    way = Way(random.choice(SIZES), random.choice(SIZES), live=True)
    _same(way, wanted, read(kind, path, way, labelled, random))
    if wanted.values is None:
        if not is_changed and not labelled:
            raise AssertionError(f"a good file is refused: {wanted}")
        return "refused"
    texts = [row[0] for row in wanted.values]
    if not is_changed and not labelled and texts != [row[0] for row in rows]:
        raise AssertionError(f"found {texts}, which should be {rows}")
    known = None if labelled else python_rows(kind, data)
    if known is not None and texts != known:
        raise AssertionError(f"found {texts}, Python {known}")
    return "answered"


def _same(way: Way, wanted: Rows, found: Rows) -> None:
    """Raise AssertionError where two readers do not agree. A pipe cannot be read again to say where something was, and shows
    fewer rows when it is asked whether its first line is a header."""
    if way.live and "the first line looks like data" in wanted.message + found.message:
        return
    if wanted.values != found.values or (not way.live and wanted.line != found.line):
        raise AssertionError(f"{way}: found {found}, which should be {wanted}")


KINDS = ["csv", "tsv", "utf16.csv", "jsonl", "sets.jsonl", "conll", "conllu"]
TARGET = driving.Target(__file__, KINDS, lambda folder, kinds: None, outcome)


def main() -> int:
    return driving.main(TARGET, __doc__ or "")


if __name__ == "__main__":
    sys.exit(main())
