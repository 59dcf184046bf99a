"""JSON lines: what is fine, what is refused and in which words, and that both readers agree."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from linnet.errors import DataError
from linnet.io import read, read_batches
from linnet.io.texts import jsonl
from linnet.io.texts.careful_fallback import DoubtError
from linnet.io.texts.labels import is_missing


def rows_of(dataset):
    labels = [None] * len(dataset) if dataset.labels is None else dataset.labels.to_pylist()
    return list(zip(dataset.text.to_pylist(), labels, strict=True))


def doubtful(self, *arguments):
    raise DoubtError


@pytest.fixture
def careful_only(monkeypatch):
    return lambda: monkeypatch.setattr(jsonl._Lines, "_fast", doubtful)


GOOD = {
    "plain": ('{"text": "a", "label": "x"}\n{"label": "y", "text": "b"}\n', [("a", "x"), ("b", "y")]),
    "byte order mark": ('\ufeff{"text": "a", "label": "x"}\n{"text": "b", "label": "y"}\n', [("a", "x"), ("b", "y")]),
    "CRLF": ('{"text": "a", "label": "x"}\r\n{"text": "b", "label": "y"}\r\n', [("a", "x"), ("b", "y")]),
    "blank lines": ('\n{"text": "a", "label": "x"}\n \n{"text": "b", "label": "y"}\n\n', [("a", "x"), ("b", "y")]),
    "no newline at the end": ('{"text": "a", "label": "x"}\n{"text": "b", "label": "y"}', [("a", "x"), ("b", "y")]),
    "escapes": (
        '{"text": "\\u00e9 \\n \\ud83d\\ude00 \\" \\u0000", "label": "x"}\n{"text": "b", "label": "\\u00fc"}\n',
        [('é \n 😀 " \0', "x"), ("b", "ü")],
    ),
    "null is an empty text": ('{"text": null, "label": "x"}\n{"text": "b", "label": "y"}\n', [("", "x"), ("b", "y")]),
    "whole numbers": ('{"text": "a", "label": 1}\n{"text": "b", "label": 0}\n', [("a", "1"), ("b", "0")]),
    "floats": ('{"text": "a", "label": 1.0}\n{"text": "b", "label": 0.5}\n', [("a", "1"), ("b", "0.5")]),
    "booleans": ('{"text": "a", "label": true}\n{"text": "b", "label": false}\n', [("a", "true"), ("b", "false")]),
    "mixed labels": ('{"text": "a", "label": 1}\n{"text": "b", "label": "01"}\n', [("a", "1"), ("b", "01")]),
    "large numbers": (
        '{"text": "a", "label": 12345678901234567890}\n{"text": "b", "label": 1}\n',
        [("a", "12345678901234567890"), ("b", "1")],
    ),
    "dates stay strings": (
        '{"text": "2012-01-01", "label": "2012-01-02"}\n{"text": "2012-01-03", "label": "2012-01-04"}\n',
        [("2012-01-01", "2012-01-02"), ("2012-01-03", "2012-01-04")],
    ),
    "a key twice": (
        '{"text": "a", "text": "b", "label": "x"}\n{"text": "c", "label": "y"}\n',
        [("b", "x"), ("c", "y")],
    ),
}


@pytest.mark.parametrize(("content", "expected"), GOOD.values(), ids=GOOD)
def test_good_files_are_read_the_same_by_both_readers(put, careful_only, content, expected):
    name = put("reviews.jsonl", content)
    assert rows_of(read(name)) == expected
    careful_only()
    assert rows_of(read(name)) == expected


BAD = {
    "malformed JSON": (
        b'{"text": "a", "label": "x"}\n\n{"text": "b" "label": "y"}\n',
        "reviews.jsonl:3: malformed JSON: Expecting ',' delimiter at column 14. Write one whole object on each line.",
    ),
    "an object on several lines": (
        b'{\n"text": "a", "label": "x"}\n',
        "reviews.jsonl:1: malformed JSON: Expecting property name enclosed in double quotes at column 2. "
        "Write one whole object on each line.",
    ),
    "two objects on one line": (
        b'{"text": "a", "label": "x"}{"text": "b", "label": "y"}\n',
        "reviews.jsonl:1: malformed JSON: Extra data at column 28. Write one whole object on each line.",
    ),
    "cut short": (
        b'{"text": "a", "label": "x"}\n{"text": "b", "la',
        "reviews.jsonl:2: malformed JSON: Unterminated string starting at at column 15. "
        "Write one whole object on each line.",
    ),
    "a JSON array": (
        b'[{"text": "a", "label": "x"},\n {"text": "b", "label": "y"}]\n',
        "reviews.jsonl:1: expected a JSON object, found a list. Write one object a line, for example with: jq -c '.[]'",
    ),
    "an indented JSON array": (
        b'[\n  {"text": "a", "label": "x"}\n]\n',
        "reviews.jsonl:1: expected a JSON object, found a list. Write one object a line, for example with: jq -c '.[]'",
    ),
    "no object": (
        b'{"text": "a", "label": "x"}\n["b", "y"]\n',
        'reviews.jsonl:2: expected a JSON object, found a list. Write lines such as {"text": "...", "label": "..."}.',
    ),
    "null": (
        b'{"text": "a", "label": "x"}\nnull\n',
        'reviews.jsonl:2: expected a JSON object, found null. Write lines such as {"text": "...", "label": "..."}.',
    ),
    "null at the end, without a line end": (
        b'{"text": "a", "label": "x"}\nnull',
        'reviews.jsonl:2: expected a JSON object, found null. Write lines such as {"text": "...", "label": "..."}.',
    ),
    "null behind an object": (
        b'{"text": "a", "label": "x"} null {"text": "b", "label": "y"}\n',
        "reviews.jsonl:1: malformed JSON: Extra data at column 29. Write one whole object on each line.",
    ),
    "two objects on one line, and a blank line": (
        b'{"text": "a", "label": "x"}{"text": "b", "label": "y"}\n\n',
        "reviews.jsonl:1: malformed JSON: Extra data at column 28. Write one whole object on each line.",
    ),
    "infinity as Python does not write it": (
        b'{"text": "a", "label": "x"}\n{"text": "b", "label": "y", "n": Inf}\n',
        "reviews.jsonl:2: malformed JSON: Expecting value at column 34. Write one whole object on each line.",
    ),
    "a line without text": (
        b'{"text": "a", "label": "x"}\n{"id": 1, "label": "y"}\n',
        "reviews.jsonl:2: expected the key 'text', found 'id', 'label'. Give every line the same keys.",
    ),
    "a line without label": (
        b'{"text": "a", "label": "x"}\n{"text": "b"}\n',
        "reviews.jsonl:2: expected the key 'label', found 'text'. Give every line the same keys.",
    ),
    "an empty object": (
        b'{"text": "a", "label": "x"}\n{}\n',
        "reviews.jsonl:2: expected the key 'text', found no key. Give every line the same keys.",
    ),
    "a number for a text": (
        b'{"text": "a", "label": "x"}\n{"text": 3, "label": "y"}\n',
        "reviews.jsonl:2: expected a string under 'text', found a number: 3. Put the text in quotes.",
    ),
    "a list for a text": (
        b'{"text": ["a", "fine", "film"], "label": "x"}\n',
        """reviews.jsonl:1: expected a string under 'text', found a list: ["a", "fine", "film"]. """
        "Put the text in quotes.",
    ),
    "a long object for a text": (
        b'{"text": {"title": "a very long title", "body": "b"}, "label": "x"}\n',
        """reviews.jsonl:1: expected a string under 'text', found an object: """
        """{"title": "a very long title", "body": ".... Put the text in quotes.""",
    ),
    "several labels": (
        b'{"text": "a", "label": ["x", "y"]}\n',
        "reviews.jsonl:1: expected one label under 'label', found a list. "
        "Several labels for one text need --task labelset.",
    ),
    "an object for a label": (
        b'{"text": "a", "label": {"x": 1}}\n',
        "reviews.jsonl:1: expected one label under 'label', found an object.",
    ),
    "missing labels": (
        b'{"text": "a", "label": "x"}\n{"text": "b", "label": null}\n{"text": "b", "label": ""}\n',
        "reviews.jsonl: 2 of 3 rows have no label (empty), the first on line 2. Name another column with --label-col, or give "
        "the rows labels.",
    ),
    "Latin-1": (
        b'{"text": "a", "label": "x"}\n{"text": "caf\xff", "label": "y"}\n',
        'reviews.jsonl:2: byte 0xff is not UTF-8 (near \'t": "caf\\xff", "lab\'). '
        "Name the encoding that the file has, for example: --encoding cp1252",
    ),
    "a NUL byte": (
        b'{"text": "a", "label": "x"}\n{"text": "b\0", "label": "y"}\n',
        "reviews.jsonl:2: found a NUL byte, which no text file holds. "
        "Is the file binary? If it is text, name its --encoding.",
    ),
    "half a pair": (
        b'{"text": "a", "label": "x"}\n{"text": "b\\ud83d", "label": "y"}\n',
        "reviews.jsonl:2: 'text' holds \\ud83d, half of a pair that makes one character. "
        "Write both halves, or remove it.",
    ),
    "half a pair in a label": (
        b'{"text": "a", "label": "x\\ude00"}\n',
        "reviews.jsonl:1: 'label' holds \\ude00, half of a pair that makes one character. "
        "Write both halves, or remove it.",
    ),
    "nothing": (b"", "reviews.jsonl: the file is empty. Expected rows with a text and a label."),
    "blank lines only": (
        b"\n \n\r\n",
        "reviews.jsonl: the file holds only blank lines. Expected one JSON object a line.",
    ),
    "no label column": (
        b'{"text": "a", "labels": ["x"]}\n',
        "reviews.jsonl:1: found no label column among 'text', 'labels'. Did you mean 'labels'? "
        "Name the label column: --label-col on the command line, label= in Python.",
    ),
    "one label": (
        b'{"text": "a", "label": 1}\n{"text": "b", "label": 1.0}\n',
        "reviews.jsonl: every row has the label '1'; learning needs at least two. Add rows with another label.",
    ),
}


@pytest.mark.parametrize(("content", "sentence"), BAD.values(), ids=BAD)
def test_bad_files_are_refused_in_one_sentence(put, refusal, careful_only, content, sentence):
    name = put("reviews.jsonl", content)
    assert refusal(name) == sentence
    careful_only()
    assert refusal(name) == sentence


def test_nesting_without_end(put, refusal):
    content = b'{"text": "a", "label": ' + b"[" * 100_000 + b"]" * 100_000 + b"}\n"
    assert (
        refusal(put("reviews.jsonl", content)) == "reviews.jsonl:1: the JSON is nested too deeply. Flatten the object."
    )


def test_labels_that_are_not_demanded_may_be_missing(put, careful_only):
    lines = ['{"text": "a", "label": "x"}', '{"text": "b", "label": null}', '{"text": "c"}']
    name = put("reviews.jsonl", "\n".join(lines))
    assert rows_of(read(name, labelled=False)) == [("a", "x"), ("b", ""), ("c", "")]
    careful_only()
    assert rows_of(read(name, labelled=False)) == [("a", "x"), ("b", ""), ("c", "")]


def test_the_first_object_says_whether_there_are_labels(put):
    name = put("reviews.jsonl", '{"text": "a"}\n{"text": "b", "label": "x"}\n')
    dataset = read(name, labelled=False)
    assert (dataset.labels, dataset.label_col) == (None, None)
    assert dataset.text.to_pylist() == ["a", "b"]


OTHERS = {
    "plain values": (
        '"id": 1, "fold": "0", "score": 0.5, "new": true',
        {"id": [1], "fold": ["0"], "score": [0.5], "new": [True]},
    ),
    "nested values are dropped": ('"id": 1, "places": ["usa"], "meta": {"a": [1, {"b": 2}]}', {"id": [1]}),
    "a date is a string": ('"date": "2012-01-01"', {"date": ["2012-01-01"]}),
    "null is dropped": ('"id": null, "fold": 3', {"fold": [3]}),
    "too large for 64 bits": ('"id": 12345678901234567890, "fold": 3', {"fold": [3]}),
}


@pytest.mark.parametrize(("fields", "expected"), OTHERS.values(), ids=OTHERS)
def test_other_columns(put, careful_only, fields, expected):
    name = put("reviews.jsonl", f'{{"text": "a", {fields}}}\n')
    assert read(name, labelled=False).columns.to_pydict() == expected
    careful_only()
    assert read(name, labelled=False).columns.to_pydict() == expected


def test_other_columns_that_change_their_kind(put):
    lines = [
        {"text": "a", "id": 1, "score": 1, "mixed": 1, "half": "a"},
        {"text": "b", "score": 0.5, "mixed": "one", "half": "\ud83d"},
    ]
    name = put("reviews.jsonl", "\n".join(map(json.dumps, lines)))
    columns = read(name, labelled=False).columns.to_pydict()
    assert columns == {"id": [1, None], "score": [1.0, 0.5], "half": ["a", "\\ud83d"]}


def test_kinds_that_change_are_learned_once(put, monkeypatch):
    """After the careful reader has met 0.5 in a column of whole numbers, the fast one goes on with doubles."""
    careful = []
    original = jsonl._Lines._careful
    monkeypatch.setattr(jsonl._Lines, "_careful", lambda *args: careful.append(1) or original(*args))
    name = put("reviews.jsonl", "".join(f'{{"text": "a", "score": {score}}}\n' for score in ["1", "2", "0.5", "3.5"]))
    parts = list(read_batches(name, labelled=False, batch_bytes=1))
    assert [part.columns["score"].to_pylist() for part in parts] == [[1], [2], [0.5], [3.5]]
    assert len(careful) == 1


def test_lines_longer_than_any_block(put):
    long = "é" * 5_000_000
    lines = [{"text": "a", "label": "x"}, {"text": long, "label": "y"}, {"text": "b", "label": "x"}]
    name = put("books.jsonl", "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
    assert rows_of(read(name)) == [("a", "x"), (long, "y"), ("b", "x")]


def test_an_error_behind_many_good_blocks_names_its_line(put, refusal):
    name = put("reviews.jsonl", '{"text": "a", "label": "x"}\n' * 200_000 + '{"text": 1, "label": "x"}\n')
    sentence = "reviews.jsonl:200001: expected a string under 'text', found a number: 1. Put the text in quotes."
    assert refusal(name) == sentence


values = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=4))
objects = st.fixed_dictionaries(
    {"text": st.one_of(st.none(), st.text(max_size=8)), "label": st.one_of(st.integers(), st.text(min_size=1))},
    optional={"id": values, "nested": st.lists(values, max_size=2)},
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=100)
@given(st.lists(objects, min_size=1, max_size=6), st.booleans())
def test_what_json_writes_is_read_back_by_both_readers(put, lines, ascii_only):
    content = "".join(json.dumps(line, ensure_ascii=ascii_only) + "\n" for line in lines)
    name = put("random.jsonl", content)
    expected = [(line["text"] or "", str(line["label"])) for line in lines]
    missing = sum(is_missing(line["label"]) for line in lines)
    if missing > len(lines) / 2:
        return  # such a file is refused
    expected = [row for row, line in zip(expected, lines, strict=True) if not is_missing(line["label"])]
    for size in (1, 60, 1 << 20):
        parts = list(read_batches(name, batch_bytes=size))
        assert [row for part in parts for row in rows_of(part)] == expected
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonl._Lines, "_fast", doubtful)
        assert [row for part in read_batches(name) for row in rows_of(part)] == expected


good = b'{"text": "a", "label": "b", "id": 3}'
pieces = st.sampled_from(
    [
        good,
        good,
        good,
        b'{"text": "a", "label": 1}',
        b'{"text": null, "label": "b"}',
        b'{"text": "a"}',
        b'{"label": "a"}',
        b'{"text": "\\ud83d", "label": "b"}',
        b'{"text": "a", "label": "b", "id": "\\ud83d"}',
        b'{"text": "\t", "label": "x"}',
        b'{"text": "a", "label": "b", "id": NaN}',
        b'{"text": "\xff", "label": "b"}',
        b"[1]",
        b"3",
        b"{",
        b"}",
        b"\0",
    ]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=150)
@given(st.lists(pieces, min_size=1, max_size=5), st.booleans(), st.sampled_from([1, 60, 1 << 20]))
def test_the_fast_reader_never_takes_what_the_careful_one_refuses(put, lines, labelled, size):
    name = put("random.jsonl", b"\n".join(lines))
    fast = outcome(name, labelled, size)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonl._Lines, "_fast", doubtful)
        assert fast == outcome(name, labelled, size)


def outcome(name, labelled, size):
    try:
        return [row for part in read_batches(name, labelled=labelled, batch_bytes=size) for row in rows_of(part)]
    except DataError as error:
        return str(error)


def test_lists_of_labels_are_read_fast(tmp_path, monkeypatch):
    (tmp_path / "a.jsonl").write_text('{"text": "a", "labels": ["x", "y"]}\n{"text": "b", "labels": []}\n')
    monkeypatch.setattr(jsonl._Lines, "_careful", doubtful)
    assert read(tmp_path / "a.jsonl", several=True).label_sets() == [["x", "y"], []]


def test_columns_of_lists_and_objects_are_left_out_and_named(tmp_path):
    path, notes = tmp_path / "a.jsonl", []
    path.write_text('{"text": "a", "tags": ["x"], "meta": {"k": 1}, "id": 7}\n{"text": "b", "tags": [], "id": 8}\n')
    found = read(path, labelled=False, note=notes.append)
    assert found.columns.column_names == ["id"]
    assert notes == [f"{path}: left out the columns 'tags', 'meta', which hold lists or objects"]
