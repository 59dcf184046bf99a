"""Which lines Arrow may parse: one whole object each, and nothing that Arrow and Python read differently."""

import json
import random

import pytest

from linnet.core.json_lines import n_objects


@pytest.mark.parametrize(
    ("data", "n"),
    [
        ("", 0),
        (" \n\r\n\t", 0),
        ("{}", 1),
        ('{"a": null}\n\n \t{"b": "}null{"} \r\n', 2),
        (r'{"a": "\\"}', 1),
        (r'{"a": "\""}', 1),
        ('{"a": [-1e5, Infinity, -Infinity, NaN, {"b": [[]]}]}\n', 1),
        ('{"a": ' + "9" * 3990 + "}", 1),
        ('{"a": ' + "[" * 899 + "]" * 899 + "}", 1),
        ('{"a": "' + "9" * 5000 + "[" * 1000 + '"}', 1),
    ],
)
def test_lines_that_arrow_may_parse(data, n):
    assert n_objects(data.encode()) == n


@pytest.mark.parametrize(
    "data",
    [
        "null",
        "{}\nnull",
        "{}\nnull\n{}",
        "{} null",
        "{}null{}",
        "{} {}",
        "{\n}",
        '{"a": 1,\n"b": 2}',
        '{"a": "\n}\n{"}',
        "{",
        "}",
        "{}}",
        '{"a',
        r'{"a\"',
        r'{"a\\\"}',
        "[{}]",
        "\v{}",
        "\ufeff{}",
        "{}\0",
        '{"a": Inf}',
        '{"a": -Inf}',
        '{"a": -NaN}',
        '{"a": ' + "9" * 4302 + "}",
        '{"a": ' + "[" * 990 + "]" * 990 + "}",
        '{"a":' * 990 + "1" + "}" * 990,
    ],
)
def test_lines_that_arrow_may_not_parse(data):
    assert n_objects(data.encode()) == -1
    assert n_objects(b"{}\n" + data.encode()) == -1
    assert n_objects(data.encode() + b"\n{}") == -1


def test_what_is_cut_anywhere_is_never_read_beyond_its_end():
    choose, whole = random.Random(0), b'{"a\\\\": ["}\\"{", -1, {"n": null}], "b": Infinity}\n'
    for cut in range(len(whole)):
        is_whole = cut in (0, len(whole) - 1)
        assert (n_objects(whole[:cut]) >= 0) == is_whole
    for _ in range(2000):
        lines = [json.dumps({choose.choice('ab"\\}'): choose.choice('x"\\{}[]') * 3}) for _ in range(5)]
        assert n_objects("\n".join(lines).encode()) == 5
