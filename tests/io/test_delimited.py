"""CSV and TSV: what is fine, what is refused and in which words, and that both readers agree."""

import csv
import io as stdlib_io

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from linnet.errors import DataError
from linnet.io import read, read_batches
from linnet.io.texts import delimited
from linnet.io.texts.careful_fallback import DoubtError
from linnet.io.texts.labels import is_missing


def rows_of(dataset):
    labels = [None] * len(dataset) if dataset.labels is None else dataset.labels.to_pylist()
    return list(zip(dataset.text.to_pylist(), labels, strict=True))


@pytest.fixture
def careful_only(monkeypatch):
    """Leave all work to the careful reader."""

    def doubtful(self):
        raise DoubtError
        yield

    def switch():
        monkeypatch.setattr(delimited._File, "fast", doubtful)

    return switch


GOOD = {
    "plain": (b"text,label\na,x\nb,y\n", [("a", "x"), ("b", "y")]),
    "byte order mark": (b"\xef\xbb\xbftext,label\na,x\nb,y\n", [("a", "x"), ("b", "y")]),
    "CRLF": (b"text,label\r\na,x\r\nb,y\r\n", [("a", "x"), ("b", "y")]),
    "CR": (b"text,label\ra,x\rb,y\r", [("a", "x"), ("b", "y")]),
    "no newline at the end": (b"text,label\na,x\nb,y", [("a", "x"), ("b", "y")]),
    "blank lines": (b"\n\ntext,label\n\na,x\n\n\nb,y\n\n\n", [("a", "x"), ("b", "y")]),
    "newlines in quotes": (b'text,label\n"a\nb\r\nc",x\nb,y\n', [("a\nb\r\nc", "x"), ("b", "y")]),
    "doubled quotes": (b'text,label\n"say ""hi""",x\n"""",y\n', [('say "hi"', "x"), ('"', "y")]),
    "delimiters in quotes": (b'text,label\n"a,b",x\nc,"y,z"\n', [("a,b", "x"), ("c", "y,z")]),
    "quotes inside a field": (b'text,label\n5" disk,x\na "b" c,y\n', [('5" disk', "x"), ('a "b" c', "y")]),
    "text after a quote": (b'text,label\n"a"b,x\nc,y\n', [("ab", "x"), ("c", "y")]),
    "empty texts": (b'text,label\n,x\n"",y\n', [("", "x"), ("", "y")]),
    "labels as they are": (
        b"text,label\na,01\nb,na\nc,none\nd,true\ne,1.0\n",
        [("a", "01"), ("b", "na"), ("c", "none"), ("d", "true"), ("e", "1.0")],
    ),
    "labels that are missing": (
        b"text,label\na,x\nb,NA\nc,y\nd,\ne,x\nf,y\n",
        [("a", "x"), ("c", "y"), ("e", "x"), ("f", "y")],
    ),
    "Latin-1": (b"text,label\ncaf\xe9,x\nb,y\n", [("café", "x"), ("b", "y")]),
    "UTF-16": ("text,label\né,x\nb,y\n".encode("utf-16"), [("é", "x"), ("b", "y")]),
    "UTF-16 without a mark": ("text,label\n日本,x\nb,y\n".encode("utf-16-be"), [("日本", "x"), ("b", "y")]),
    "semicolons": (b"text;label\na, b;x\nb;y\n", [("a, b", "x"), ("b", "y")]),
    "tabs": (b"text\tlabel\na;b\tx\nb\ty\n", [("a;b", "x"), ("b", "y")]),
    "pipes": (b"text|label\na|x\nb|y\n", [("a", "x"), ("b", "y")]),
    "columns twice that are not used": (b"x,text,x,label,,\n1,a,2,x,,\n1,b,2,y,,\n", [("a", "x"), ("b", "y")]),
    "texts as they are": (b"text,label\nNA,x\n007,y\n 1 ,y\n", [("NA", "x"), ("007", "y"), (" 1 ", "y")]),
    "Unicode": ("text,label\ncafé,naïve\n日本\u2028,y\n".encode(), [("café", "naïve"), ("日本\u2028", "y")]),
}


@pytest.mark.parametrize(("content", "expected"), GOOD.values(), ids=GOOD)
def test_good_files_are_read_the_same_by_both_readers(put, careful_only, content, expected):
    name = put("reviews.csv", content)
    assert rows_of(read(name)) == expected
    careful_only()
    assert rows_of(read(name)) == expected


def test_tsv(put):
    name = put("reviews.tsv", 'label\ttext\nx\ta, b\ny\t"c\td"\n')
    assert rows_of(read(name)) == [("a, b", "x"), ("c\td", "y")]


def test_other_columns_are_kept_as_strings(put, careful_only):
    name = put("reviews.csv", "id,text,fold,label\n007,a,0,x\n,b,1,y\n")
    assert read(name).columns.to_pydict() == {"id": ["007", ""], "fold": ["0", "1"]}
    careful_only()
    assert read(name).columns.to_pydict() == {"id": ["007", ""], "fold": ["0", "1"]}


def test_an_index_column_without_a_name_is_kept(put):
    assert read(put("reviews.csv", ",text,label\n0,a,x\n1,b,y\n")).columns.to_pydict() == {"": ["0", "1"]}


BAD = {
    "too few columns": (
        b"id,text,label\n1,a,x\n2,b\n",
        "reviews.csv:3: expected 3 columns, found 2. Add what is missing, or remove the row.",
    ),
    "too many columns": (
        b'text,label\n"a\nb",x\nb, and c,y\n',
        "reviews.csv:4: expected 2 columns, found 3. Put a text that contains a comma in quotes.",
    ),
    "a ragged row of several lines": (
        b'text,label\na,x\n"b,y\nc,x\n"d, e",y\n',
        "reviews.csv:3: expected 2 columns, found 3 in the row that runs on to line 5. Is a quote left open?",
    ),
    "an unclosed quote": (
        b'text,label\na,x\n"b,y\nc,x\n',
        'reviews.csv:3: the quote that opens here is never closed. Close it, or write "" for a quote inside quotes.',
    ),
    "an unclosed quote in the last column": (
        b'text,label\na,x\n"b\nb","y\nc,x\n',
        'reviews.csv:4: the quote that opens here is never closed. Close it, or write "" for a quote inside quotes.',
    ),
    "Latin-1": (
        b'text,label\na,x\n"one\ncaf\xff au lait",y\n',
        "reviews.csv:4: byte 0xff is not UTF-8 (near '\"one caf\\xff au lai'). "
        "Name the encoding that the file has, for example: --encoding cp1252",
    ),
    "Latin-1 in the header": (
        b"text,label,\xfft\xff\na,x,1\n",
        "reviews.csv:1: byte 0xff is not UTF-8 (near 't,label,\\xfft\\xff'). "
        "Name the encoding that the file has, for example: --encoding cp1252",
    ),
    "a NUL byte": (
        b"text,label\na,x\nb\0,y\n",
        "reviews.csv:3: found a NUL byte, which no text file holds. "
        "Is the file binary? If it is text, name its --encoding.",
    ),
    "missing labels": (
        b"text,label\na,x\nb,\nc,NaN\nd,\n",
        "reviews.csv: 3 of 4 rows have no label (empty, 'NaN'), the first on line 3. Name another column with --label-col, or "
        "give the rows labels.",
    ),
    "a label that may be meant": (
        b"text,label\na,None\nb,None\nc,x\n",
        "reviews.csv: 2 of 3 rows have no label ('None'), the first on line 2. Name another column with --label-col, or give "
        "the rows labels. If 'None' is a label, write it 'none'.",
    ),
    "nothing": (b"", "reviews.csv: the file is empty. Expected rows with a text and a label."),
    "blank lines only": (
        b"\n\r\n\n",
        "reviews.csv: the file holds only blank lines. Expected a header line and rows.",
    ),
    "a header only": (b"text,label\n\n", "reviews.csv: the header has no rows below it. Add at least one row."),
    "a header without newline": (b"text,label", "reviews.csv: the header has no rows below it. Add at least one row."),
    "no header": (
        b"\na fine film,pos\na dull one,neg\n",
        "reviews.csv:2: found no text column among 'a fine film', 'pos'. "
        "Name the text column: --text-col on the command line, text= in Python. "
        "If the first line is a row, add a header line: text,label",
    ),
    "clearly no header": (
        b"a fine film,pos\na dull one,neg\nanother,pos\n",
        "reviews.csv:1: the first line looks like data ('pos' is in later rows, too). Add a header line: text,label",
    ),
    "no header, and a usual name among the labels": (
        b"question,how are you\nquestion,what is it\nquestion,who is it\nanswer,a film\n",
        "reviews.csv:1: the first line looks like data ('question' is in later rows, too). Add a header line: text,label",
    ),
    "other names": (
        b"words,verdict\na fine film it is,up\na dull one it is,down\na fine day it is,up\na dull day it is,down\n",
        "reviews.csv:1: found no text column among 'words', 'verdict'. Pass --text-col words --label-col verdict",
    ),
    "a column twice": (
        b"text,text,label\na,b,x\n",
        "reviews.csv:1: found the column 'text' twice. Rename one of the two.",
    ),
    "one label": (
        b"text,label\na,x\nb,x\n",
        "reviews.csv: every row has the label 'x'; learning needs at least two. Add rows with another label.",
    ),
}


@pytest.mark.parametrize(("content", "sentence"), BAD.values(), ids=BAD)
def test_bad_files_are_refused_in_one_sentence(put, refusal, careful_only, content, sentence):
    name = put("reviews.csv", content)
    assert refusal(name) == sentence
    careful_only()
    assert refusal(name) == sentence


def test_the_error_knows_its_file_and_line(put):
    with pytest.raises(DataError) as caught:
        read(put("reviews.csv", "text,label\na\n"))
    assert (caught.value.path, caught.value.line) == ("reviews.csv", 2)


def test_a_ragged_tsv_speaks_of_tabs(put, refusal):
    sentence = "reviews.tsv:2: expected 2 columns, found 1. Add what is missing, or remove the row."
    assert refusal(put("reviews.tsv", "text\tlabel\na\n")) == sentence


def test_commas_in_the_header_of_a_tsv(put):
    assert rows_of(read(put("reviews.tsv", "text,label\na,x\nb,y\n"))) == [("a", "x"), ("b", "y")]


def test_a_header_in_tabs_is_asked_for_in_tabs(put, refusal):
    sentence = (
        "reviews.tsv:1: the first line looks like data ('pos' is in later rows, too). Add a header line: text\tlabel"
    )
    assert refusal(put("reviews.tsv", "a fine film\tpos\na dull one\tneg\nanother\tpos\n")) == sentence


def test_missing_labels_are_empty_when_not_demanded(put, careful_only):
    name = put("reviews.csv", "text,label\na,x\nb,\n")
    assert rows_of(read(name, labelled=False)) == [("a", "x"), ("b", "")]
    careful_only()
    assert rows_of(read(name, labelled=False)) == [("a", "x"), ("b", "")]


def test_one_column(put, careful_only):
    name = put("reviews.csv", 'text\na\n\n""\n"b\nc"\n')
    assert rows_of(read(name, labelled=False)) == [("a", None), ("", None), ("b\nc", None)]
    careful_only()
    assert rows_of(read(name, labelled=False)) == [("a", None), ("", None), ("b\nc", None)]


def test_a_header_of_one_letter(put):
    assert rows_of(read(put("a.csv", "t\na\nb\n"), text_col="t", labelled=False)) == [("a", None), ("b", None)]


def test_rows_longer_than_any_block(put):
    long = "x, y\n" * 1_000_000
    name = put("books.csv", f'text,label\na,x\n"{long}",y\nb,x\n')
    assert rows_of(read(name)) == [("a", "x"), (long, "y"), ("b", "x")]


def test_an_error_behind_many_good_blocks_names_its_line(put, refusal):
    name = put("reviews.csv", "text,label\n" + f'"{"a" * 99}\nb",x\n' * 60_000 + "c\n")
    assert refusal(name) == "reviews.csv:120002: expected 2 columns, found 1. Add what is missing, or remove the row."


def test_bare_quotes_that_spoil_the_cut_between_blocks(put):
    """One bare quote makes every newline inside quotes look like the end of a row."""
    rows = [('5" disk', "x")] + [('a,\n"b"\n', "y"), ("c", "x")] * 20
    quoted = "".join(f'"{text}",{label}\n' if "\n" in text else f"{text},{label}\n" for text, label in rows)
    name = put("reviews.csv", "text,label\n" + quoted.replace('"b"', '""b""'))
    for size in (1, 7, 40, 200):
        parts = list(read_batches(name, batch_bytes=size))
        assert [row for part in parts for row in rows_of(part)] == rows


def test_a_byte_order_mark_inside_the_file_is_kept(put):
    name = put("reviews.csv", "text,label\na,x\n\ufeffb,y\n")
    for size in (1, 5, 1 << 20):
        parts = list(read_batches(name, batch_bytes=size))
        assert [row for part in parts for row in rows_of(part)] == [("a", "x"), ("\ufeffb", "y")]


def test_quotes_within_a_character_that_would_be_whole_without_them_are_refused(put, careful_only):
    name = put("reviews.csv", b'text,label\na,x\n"\xe6""\x97\xa5",y\n')
    for switch in (None, careful_only):
        if switch:
            switch()
        with pytest.raises(DataError, match="reviews.csv:3: byte 0xe6 is not UTF-8"):
            read(name, encoding="utf-8")


@pytest.mark.parametrize("ahead", range(4))
def test_crlf_in_quotes_is_kept_wherever_a_piece_ends(put, ahead):
    row = '"a line\r\nand another",x\r\n'
    content = f"text,label\r\n{'a' * ahead},x\r\n" + row * (3 * delimited._PIECE // len(row))
    name = put("reviews.csv", content)
    assert set(read(name, least_labels=1).text.to_pylist()) == {"a" * ahead, "a line\r\nand another"}


def test_a_piece_that_cannot_end_but_with_a_carriage_return_is_the_whole_block(put):
    text = "\r\n" * delimited._PIECE
    name = put("reviews.csv", f'text,label\na,x\n"{text}",y\n"b{text}",y\n')
    assert read(name).text.to_pylist() == ["a", text, f"b{text}"]


fields = st.text(st.sampled_from('ab é",\t\r\n\u2028\x0b\x1f\ufeff'), max_size=6)
labels = fields.filter(lambda label: not is_missing(label))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=100)
@given(rows=st.lists(st.tuples(fields, labels, fields), min_size=1), end=st.sampled_from(["\n", "\r\n"]))
def test_what_csv_writer_writes_is_read_back_by_both_readers(put, rows, end):
    buffer = stdlib_io.StringIO()
    writer = csv.writer(buffer, lineterminator=end, quoting=csv.QUOTE_ALL)
    writer.writerows([("text", "label", "id"), *rows])
    name = put("random.csv", buffer.getvalue())
    for size in (1, 20, 1 << 20):
        parts = list(read_batches(name, batch_bytes=size))
        assert [row for part in parts for row in rows_of(part)] == [(text, label) for text, label, _ in rows]
        assert [cell for part in parts for cell in part.columns["id"].to_pylist()] == [last for *_, last in rows]


pieces = st.sampled_from(
    [
        b"a",
        b'"',
        b'""',
        b",",
        b"\n",
        b"\r\n",
        b"\r",
        b"x,y\n",
        b'"q, ""z""\n",k\n',
        b"\xc3\xa9",
        b"\xff",
        b"\0",
        b"\x1f",
    ]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=150)
@given(st.lists(pieces, max_size=14), st.booleans(), st.sampled_from([1, 8, 1 << 20]))
def test_the_fast_reader_never_takes_what_the_careful_one_refuses(put, body, labelled, size):
    name = put("random.csv", b"text,label\n" + b"".join(body))
    fast = outcome(name, labelled, size)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delimited._File, "fast", lambda self: _doubt())
        assert fast == outcome(name, labelled, size)


def _doubt():
    raise DoubtError
    yield


def outcome(name, labelled, size):
    try:
        return [row for part in read_batches(name, labelled=labelled, batch_bytes=size) for row in rows_of(part)]
    except DataError as error:
        return str(error)
