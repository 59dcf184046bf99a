"""The character between columns."""

import pytest

from linnet.errors import UsageError
from linnet.io import read
from linnet.io.texts.delimiters import delimiter_of, find_delimiter


@pytest.mark.parametrize(
    ("head", "delimiter"),
    [
        (b"text,label\na;b,x\n", ","),
        (b"text;label\na,b;x\n", ";"),
        (b"text\tlabel\na,b\tx\n", "\t"),
        (b"text|label\na,b|x\n", "|"),
        (b"text\na;b\n", ","),
        (b'"text, raw";label\na;x\n', ";"),
        (b"id;text, raw;label\n1;a;x\n2;b;y\n", ";"),
        (b"review|title,label\na,x\nb,y\n", ","),
        (b"a|b,c|d\n", ","),
        (b"", ","),
        (b'"text;label\n', ","),
    ],
)
def test_the_header_and_the_rows_show_it(head, delimiter):
    assert find_delimiter(head, ",") == delimiter


@pytest.mark.parametrize("given", ["", "ab", "a", '"', "\n", "é", "0"])
def test_what_cannot_stand_between_columns(given):
    with pytest.raises(UsageError, match="^expected one character between columns"):
        delimiter_of(given)


def test_a_delimiter_makes_a_table_of_any_name(put):
    name = put("rows.dat", "words~sort\na, b~x\nc~y\n")
    dataset = read(name, delimiter="~", text_col="words", label_col="sort")
    assert dataset.text.to_pylist() == ["a, b", "c"]
    with pytest.raises(UsageError, match=r"^'a\.jsonl' has format 'jsonl', which has no delimiter\."):
        read(put("a.jsonl", '{"text": "a", "label": "x"}'), delimiter="~")
