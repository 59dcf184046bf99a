"""Makes messy files: the same rows in many encodings, delimiters, headers, scripts, line ends and ways to quote, and files that
are damaged in ways that nobody can mend."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import cycle, product

Row = tuple[str, str]

SCRIPTS: dict[str, list[Row]] = {
    "english": [
        ("a fine film, really", "pos"),
        ("it's dull; so dull", "neg"),
        ('he said "no" | and left', "neg"),
        ("well", "pos"),
    ],
    "french": [
        ("un café très animé, à l'été", "bien"),
        ("le garçon n'a pas où aller", "mal"),
        ("Noël et sœur", "bien"),
        ("déjà vu", "mal"),
    ],
    "german": [
        ("schöne Grüße, Straße", "gut"),
        ("übel; Äpfel für Öl", "schlecht"),
        ("fünf Größen", "gut"),
        ("nein", "schlecht"),
    ],
    "spanish": [("¿Qué tal, señor?", "sí"), ("mañana será otro día", "no"), ("¡Adiós!", "sí"), ("el niño", "no")],
    "russian": [
        ("хороший фильм, да", "да"),
        ("плохой; очень плохой", "нет"),
        ("конец", "да"),
        ("никогда больше", "нет"),
    ],
    "polish": [("źdźbło, łódź", "tak"), ("żółć i gęś", "nie"), ("mąka", "tak"), ("świt", "nie")],
    "czech": [("příliš žluťoučký kůň", "ano"), ("měl ďábelské ódy", "ne"), ("děti", "ano"), ("řeka", "ne")],
    "greek": [("καλή ταινία, ναι", "ναι"), ("κακή; πολύ κακή", "όχι"), ("τέλος", "ναι"), ("ποτέ", "όχι")],
    "chinese": [("这家酒店很好，服务一流", "好"), ("房间太小,不推荐", "差"), ("一般", "好"), ("再也不来", "差")],
    "japanese": [("とても良い映画でした", "良"), ("つまらない,本当に", "悪"), ("カタカナ", "良"), ("普通", "悪")],
    "arabic": [("فيلم جميل جدا", "نعم"), ("سيئ, ممل", "لا"), ("النهاية", "نعم"), ("أبدا", "لا")],
    "thai": [("หนังดีมาก", "ดี"), ("แย่, ไม่ชอบ", "แย่"), ("จบ", "ดี"), ("ไม่", "แย่")],
    "emoji": [("great 👍🏽, yes", "😀"), ("bad 👎; no", "😡"), ("ok 👌", "😀"), ("no", "😡")],
}
OF_SCRIPT = {
    "french": ["cp1252", "latin-1"],
    "german": ["cp1252", "latin-1"],
    "spanish": ["cp1252"],
    "russian": ["cp1251", "koi8-r", "iso8859-5"],
    "polish": ["cp1250", "iso8859-2"],
    "czech": ["cp1250"],
    "greek": ["cp1253"],
    "chinese": ["gb18030", "big5"],
    "japanese": ["shift_jis", "euc_jp"],
    "arabic": ["cp1256"],
    "thai": ["tis-620"],
}
UNICODE = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"]
CLEAR = {"cp1252", "latin-1", *UNICODE}
DELIMITERS = {",": "csv", ";": "csv", "\t": "tsv", "|": "csv"}
ENDS = ["\n", "\r\n", "\r"]


@dataclass(frozen=True)
class Messy:
    """A messy file, and what a reader should make of it: the rows, or a refusal with this in it."""

    id: str
    name: str
    content: bytes
    rows: list[Row] | None
    refusal: str = ""
    options: dict[str, object] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    """What the notes say, in this order."""


def table(rows: list[list[str]], delimiter: str, end: str, quoting: int = csv.QUOTE_MINIMAL) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, delimiter=delimiter, lineterminator=end, quoting=quoting).writerows(rows)
    return buffer.getvalue()


def _encoded(text: str, encoding: str) -> bytes | None:
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        return None


def encodings() -> Iterator[Messy]:
    """Every script in every encoding it is written in, as a table with some delimiter, end of line and quoting: encodings that
    are clear are read, all others are refused without --encoding and read with it."""
    ways = cycle(product(DELIMITERS, ENDS, (csv.QUOTE_MINIMAL, csv.QUOTE_ALL)))
    for script, rows in SCRIPTS.items():
        for encoding in [*UNICODE, *OF_SCRIPT.get(script, ["ascii"] if script == "english" else [])]:
            delimiter, end, quoting = next(ways)
            content = _encoded(table([["text", "label"], *map(list, rows * 3)], delimiter, end, quoting), encoding)
            if content is None:
                continue
            id = f"{script}-{encoding}-{DELIMITERS[delimiter]}{ord(delimiter)}-{end!r}-{quoting}"
            name = f"data.{DELIMITERS[delimiter]}"
            notes = () if delimiter in ",\t" else ("separated by",)
            if encoding in CLEAR or encoding == "ascii":
                said = () if encoding in ("utf-8", "utf-8-sig", "ascii") else ("the encoding is",)
                yield Messy(id, name, content, rows * 3, notes=said + notes)
            else:
                yield Messy(id, name, content, None, "--encoding")
            yield Messy(f"{id}-said", name, content, rows * 3, options={"encoding": encoding}, notes=notes)


def tables() -> Iterator[Messy]:
    """Headers, blank lines, columns that are not used, texts with line breaks, rows that are too long or too short."""
    rows = [("a fine film", "pos"), ("a dull one", "neg"), ("so so", "pos"), ('two\nlines, "quoted"', "neg")]
    for delimiter, end in product(DELIMITERS, ENDS):
        name = f"data.{DELIMITERS[delimiter]}"
        notes = () if delimiter in ",\t" else ("separated by",)

        def made(what: str, header: list[str], body: list[list[str]], **more: object) -> Messy:
            content = table([header, *body], delimiter, end).encode()  # noqa: B023
            return Messy(f"{what}-{ord(delimiter)}-{end!r}", name, content, **{"rows": rows, "notes": notes, **more})  # noqa: B023

        yield made("nameless index", ["", "text", "label"], [[str(i), *row] for i, row in enumerate(rows)])
        yield made("twice the same name", ["x", "x", "Text", "LABEL", ""], [["1", "2", *row, ""] for row in rows])
        yield made("used twice", ["text", "text", "label"], [["1", *row] for row in rows], rows=None, refusal="Rename")
        yield made("too long", ["text", "label"], [*map(list, rows), ["a", "b", "c"]], rows=None, refusal="found 3")
        yield made("too short", ["text", "label"], [*map(list, rows), ["a"]], rows=None, refusal="found 1")
        yield made(
            "no header", ["great stuff", "pos"], list(map(list, rows)), rows=None, refusal="Add a header line: text"
        )
        blank = (
            table([["text", "label"]], delimiter, end)
            + end
            + end.join(table([list(row)], delimiter, end) + end for row in rows)
        )
        yield Messy(f"blank lines-{ord(delimiter)}-{end!r}", name, blank.encode(), rows, notes=notes)
        yield Messy(
            f"no last end-{ord(delimiter)}-{end!r}",
            name,
            table([["text", "label"], *map(list, rows[:3])], delimiter, end).rstrip("\r\n").encode(),
            rows[:3],
            notes=notes,
        )


def missing_labels() -> Iterator[Messy]:
    """Every spelling of a missing label in some formats: left out if rare, refused if most are missing."""
    rows = [("a", "x"), ("b", "y"), ("c", "x"), ("d", "y")]
    said = ("left out 1 of 5 rows without a label",)
    for spelled in ("", "  ", "NaN", "nan", "null", "NULL", "None", "n/a", "N/A", "NA", "#N/A", "<NA>"):
        for name, delimiter in (("data.csv", ","), ("data.tsv", "\t")):
            few = [["text", "label"], *map(list, rows[:2]), ["e", spelled], *map(list, rows[2:])]
            yield Messy(f"missing {spelled!r} {name}", name, table(few, delimiter, "\n").encode(), rows, notes=said)
            many = [["text", "label"], *map(list, rows[:2]), *([["e", spelled]] * 3)]
            yield Messy(
                f"most missing {spelled!r} {name}", name, table(many, delimiter, "\n").encode(), None, "--label-col"
            )
        lines = [{"text": text, "label": label} for text, label in [*rows[:2], ("e", spelled), *rows[2:]]]
        content = "".join(json.dumps(line) + "\n" for line in lines).encode()
        yield Messy(f"missing {spelled!r} jsonl", "data.jsonl", content, rows, notes=said)
    null = "".join(json.dumps({"text": text, "label": label}) + "\n" for text, label in [*rows, ("e", None)])
    yield Messy("missing null jsonl", "data.jsonl", null.encode(), rows, notes=said)
    for kept in ("none", "NONE", "na", "0", "false"):
        found = [*rows, ("e", kept)]
        content = table([["text", "label"], *map(list, found)], ",", "\n").encode()
        yield Messy(f"kept {kept!r}", "data.csv", content, found)


def damaged() -> Iterator[Messy]:
    """Files that are mixed, cut or not what their name says: each is refused."""
    text = "text,label\ncafé,x\nb,y\n"
    good = text.encode()
    yield Messy("UTF-8 and cp1252", "data.csv", good + "été,x\n".encode("cp1252"), None, "--encoding")
    yield Messy("cp1252 and UTF-8", "data.csv", text.encode("cp1252") + "été,x\n".encode(), None, "--encoding")
    late = b"text,label\n" + b"plain,x\n" * 700_000
    yield Messy("cp1252 late", "data.csv", late + "été,y\n".encode("cp1252"), None, "--encoding")
    yield Messy("cut UTF-16", "data.csv", text.encode("utf-16")[:-1], None, "--encoding")
    yield Messy("the wrong encoding", "data.csv", good, None, "--encoding", {"encoding": "ascii"})
    yield Messy(
        "a mark that contradicts", "data.csv", b"\xef\xbb\xbf" + good, None, "mark of utf-8", {"encoding": "cp1252"}
    )
    yield Messy("Macintosh", "data.csv", "text,label\ncafé noir,x\nété,y\n".encode("mac-roman"), None, "--encoding")
    yield Messy("DOS", "data.csv", "text,label\ncafé noir,x\nété,y\n".encode("cp437"), None, "--encoding")
    yield Messy("a NUL byte", "data.csv", b"text,label\na,x\nb\0,y\n", None, "--encoding")
    yield Messy("a quote left open", "data.csv", b'text,label\na,x\n"b,y\nc,x\n', None, "Close it")
    yield Messy("nothing", "data.csv", b"", None, "the file is empty")
    yield Messy("a mark alone", "data.csv", b"\xef\xbb\xbf", None, "Expected")
    yield Messy("blanks", "data.csv", b"\r\n\r\n", None, "Expected a header")
    yield Messy("a header alone", "data.csv", b"text,label\n", None, "Add at least one row")
    yield Messy("the wrong delimiter", "data.csv", good, None, "--text-col", {"delimiter": ";"})
    yield Messy(
        "an odd delimiter", "data.csv", b"text~label\na~x\nb~y\n", [("a", "x"), ("b", "y")], options={"delimiter": "~"}
    )
    yield Messy(
        "spaces said", "data.csv", b"text label\na x\nb y\n", [("a", "x"), ("b", "y")], options={"delimiter": "space"}
    )
    for magic, name in {
        b"%PDF-1.7\n": "PDF",
        b"\x89PNG\r\n\x1a\n\0\0": "PNG",
        b"\xff\xd8\xff\xe0\0\x10JFIF": "JPEG",
        b"PK\x03\x04" + bytes(22) + b"\x05\0\0\0a.txt": "ZIP",
        b"PK\x03\x04" + bytes(22) + b"\x11\0\0\0word/document.xml": "Word",
        b"7z\xbc\xaf\x27\x1c\0": "7-Zip",
        b"SQLite format 3\0": "SQLite",
        b"\x80\x04\x95\x10\0\0\0\0\0\0\0]": "pickle",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": "old Office",
        b"a.txt" + bytes(252) + b"ustar\x0000": "tar",
        b"<!DOCTYPE html>\n<html><body>a</body></html>": "HTML",
        b"<?xml version='1.0'?><a/>": "XML",
    }.items():
        for file in ("data.csv", "data.txt"):
            yield Messy(f"{name} as {file}", file, magic + b"\n" * 20, None, name)
    tokens = b"the DT\ndog NN\n\na DT\ncat NN\n\n"
    yield Messy("tokens", "data.txt", tokens, None, "a token on each line")
    yield Messy("tokens by name", "data.conll", tokens, None, "a token on each line")


def messy_files() -> list[Messy]:
    return [*encodings(), *tables(), *missing_labels(), *damaged()]
