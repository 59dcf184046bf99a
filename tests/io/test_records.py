"""Small files of fields: what they hold, and every way in which they can be wrong."""

import pytest

from linnet.errors import DataError
from linnet.io.bytes.records import records

WHAT = "a label and the one above it"


def test_fields_stand_between_tabs_or_commas(put):
    name = put("tree", "\ufeffa, b\r\n\n c, d\te \n")
    assert list(records(name, 2, WHAT)) == [(1, ["a", "b"]), (3, ["c, d", "e"])]


def test_it_may_be_compressed(put):
    import gzip

    assert list(records(put("tree.gz", gzip.compress(b"a,b\n")), 2, WHAT)) == [(1, ["a", "b"])]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"a,b\na b\n", "f:2: expected a label and the one above it, with tabs or commas between them, found 'a b'."),
        (b"a,b,c\n", "f:1: expected a label and the one above it, with tabs or commas between them, found 'a,b,c'."),
        (b"a,\n", "f:1: expected a label and the one above it, with tabs or commas between them, found 'a,'."),
        (b"", "f: the file is empty. Expected a label and the one above it on each line."),
        (b" \n\n", "f: the file is empty. Expected a label and the one above it on each line."),
        (b"a,b\n\xe9,b\n", "f:2: byte 0xe9 is not UTF-8"),
        ("a,b\n".encode("utf-16"), "f: the file begins with the byte order mark of utf-16, expected utf-8."),
    ],
)
def test_what_is_wrong_is_said_by_line(put, content, sentence):
    with pytest.raises(DataError) as caught:
        list(records(put("f", content), 2, WHAT))
    assert str(caught.value).startswith(sentence)


def test_a_file_that_is_not_there_or_is_a_folder(put, tmp_path):
    put("tree.tsv", "a,b\n")
    with pytest.raises(DataError, match=r"tree.tvs: no such file. Did you mean 'tree.tsv'\?"):
        list(records("tree.tvs", 2, WHAT))
    with pytest.raises(DataError, match="is a folder. Expected a file with a label and the one above it on each line"):
        list(records(tmp_path, 2, WHAT))
