"""The careful reader of rows, by hand and against the csv module."""

import csv
import io
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet.errors import DataError
from linnet.io.texts import careful_rows as module
from linnet.io.texts.careful_rows import rows
from linnet.limits import ROW


def scanned(content: bytes, delimiter: bytes = b","):
    return list(rows(io.BytesIO(content), delimiter, "f.csv"))


def test_each_row_knows_its_lines_and_where_it_ends():
    found = scanned(b'a,b\r\n"x\ny",z\n\n\rlast')
    assert [(row.line, row.last_line, row.fields, row.end) for row in found] == [
        (1, 1, [b"a", b"b"], 5),
        (2, 3, [b"x\ny", b"z"], 13),
        (6, 6, [b"last"], 19),
    ]


@pytest.mark.parametrize("chunk", [1, 2, 3, 7])
def test_the_size_of_the_chunks_does_not_matter(monkeypatch, chunk):
    content = b'a,"b ""c""\r\nd"\r\n"","e"f\r\rg,h'
    whole = scanned(content)
    monkeypatch.setattr(module, "_CHUNK", chunk)
    assert scanned(content) == whole


def test_a_row_that_never_ends(monkeypatch):
    monkeypatch.setattr(module, "ROW", replace(ROW, most=3 << 20, shown="3 MB"))
    with pytest.raises(DataError, match=r"^f\.csv:2: the row is longer than 3 MB\. Is a quote left open\?$"):
        scanned(b'a,b\n"' + b"x" * (9 << 20))


@given(st.lists(st.lists(st.text(st.sampled_from('ab",\r\n')), min_size=2, max_size=3), min_size=1))
def test_agrees_with_the_csv_module(table):
    buffer = io.StringIO()
    csv.writer(buffer, quoting=csv.QUOTE_ALL).writerows(table)
    assert [[field.decode() for field in row.fields] for row in scanned(buffer.getvalue().encode())] == table
