"""Lines of alike objects: whatever is read is what Python's own parser reads, and what looks otherwise is left to others."""

import json
import random

import pytest

from linnet.core.json_rows import AlikeObjects

KEYS = ["id", "text"]
PIECES = [
    "a",
    "fine film",
    "é",
    "日本",
    "😀",
    '"',
    "\\",
    "/",
    "\n",
    "\t",
    "\r",
    "\b",
    "\f",
    "\x7f",
    "\u2028",
    "x" * 37,
    " ",
]


def read(data, n_rows, keys=KEYS, is_text=(False, True)):
    found = AlikeObjects([json.dumps(key).encode() for key in keys], is_text, [1, 0]).columns(data, n_rows)
    return None if found is None else [column.to_pylist() for column in found]


@pytest.mark.parametrize("ending", ["\n", "\r\n", ""])
@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": "), ("  ,", " :  ")])
def test_what_is_read_is_what_python_reads(separators, ending):
    choose = random.Random(1)
    for n in range(1, 40):
        rows = [(choose.randrange(-(10**17), 10**17), "".join(choose.choices(PIECES, k=n))) for _ in range(3)]
        lines = [
            json.dumps(dict(zip(KEYS, row, strict=True)), ensure_ascii=False, separators=separators) for row in rows
        ]
        data = "\n".join(lines) + ending
        numbers, texts = zip(*rows, strict=True)
        assert read(data.encode(), 3) == [list(texts), list(numbers)]


def test_escapes_of_code_points_are_read():
    data = rb'{"id": 0, "text": "\u0041\u00e9\u65E5\/"}'
    assert read(data, 1) == [["Aé日/"], [0]]


@pytest.mark.parametrize(
    "line",
    [
        r'{"id": 1, "text": "\ud83d\ude00"}',
        r'{"id": 1, "text": "\x"}',
        r'{"id": 1, "text": "\u12"}',
        '{"id": 1, "text": "a\tb"}',
        '{"id": 1, "text": "a',
        '{"id": 1, "text": "a"',
        '{"id": 1, "text": "a"} x',
        '{"id": 1, "text": "a", "more": 2}',
        '{"id": 1}',
        '{"text": "a", "id": 1}',
        '{"id": 1, "text": null}',
        '{"id": 1, "text": 2}',
        '{"id": "1", "text": "a"}',
        '{"id": 1.0, "text": "a"}',
        '{"id": 1e3, "text": "a"}',
        '{"id": 01, "text": "a"}',
        '{"id": -0, "text": "a"}',
        '{"id": -, "text": "a"}',
        '{"id": 1234567890123456789, "text": "a"}',
        "[]",
        "",
    ],
)
def test_what_looks_otherwise_is_left_to_others(line):
    good = '{"id": 1, "text": "a"}'
    assert read(f"{good}\n{good}\n".encode(), 2) == [["a", "a"], [1, 1]]
    assert read(f"{good}\n{line}\n".encode(), 2) is None
    assert read(f"{line}\n{good}".encode(), 2) is None


@pytest.mark.parametrize("n_rows", [0, 1, 3])
def test_the_number_of_lines_has_to_be_right(n_rows):
    assert read(b'{"id": 1, "text": "a"}\n' * 2, n_rows) is None
