"""Files that are no text are named by their first bytes."""

import io
import pickle
import sqlite3
import tarfile
import zipfile

import numpy as np
import pytest

from linnet.errors import DataError
from linnet.io import read, read_sentences
from linnet.io.pairs.formats import read_pairs


def _zipped(name: str, content: bytes = b"x") -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr(name, content)
    return archive.getvalue()


def _tarred(mode: str) -> bytes:
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode=mode) as packed:
        packed.addfile(tarfile.TarInfo("a.txt"), io.BytesIO())
    return archive.getvalue()


def _database() -> bytes:
    base = sqlite3.connect(":memory:")
    base.execute("create table reviews (text)")
    return base.serialize()


def _array() -> bytes:
    file = io.BytesIO()
    np.save(file, np.arange(3))
    return file.getvalue()


KNOWN = {
    "zip": (_zipped("a.txt"), "a ZIP archive"),
    "docx": (_zipped("word/document.xml"), "a Word document (.docx)"),
    "pptx": (_zipped("ppt/presentation.xml"), "a PowerPoint file (.pptx)"),
    "ods": (_zipped("mimetype", b"application/vnd.oasis.opendocument.spreadsheet"), "an OpenDocument table (.ods)"),
    "odt": (_zipped("mimetype", b"application/vnd.oasis.opendocument.text"), "an OpenDocument document"),
    "tar": (_tarred("w"), "a tar archive"),
    "tar.gz": (_tarred("w:gz"), "a tar archive"),
    "tar.bz2": (_tarred("w:bz2"), "a tar archive"),
    "sqlite": (_database(), "an SQLite database"),
    "npy": (_array(), "a NumPy array"),
    **{f"pickle{n}": (pickle.dumps([("a", "x")], n), "a Python pickle") for n in range(2, 6)},
    "pickled dict": (pickle.dumps({"a": 1}), "a Python pickle"),
    "pdf": (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "a PDF document"),
    "png": (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "a PNG image"),
    "jpg": (b"\xff\xd8\xff\xe0\x00\x10JFIF", "a JPEG image"),
    "7z": (b"7z\xbc\xaf\x27\x1c\x00\x04", "a 7-Zip archive"),
    "xls": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(8), "an old Office document (.xls, .doc)"),
    "rtf": (b"{\\rtf1\\ansi a}", "a document in Rich Text Format"),
}


@pytest.mark.parametrize("name", ["a.csv", "a.txt", "a", "a.jsonl"])
@pytest.mark.parametrize(("content", "what"), KNOWN.values(), ids=KNOWN)
def test_the_kind_is_named(put, content, what, name):
    path = put(name, content)
    for reading in (read, lambda path: read(path, labelled=False), read_sentences, read_pairs):
        with pytest.raises(DataError) as caught:
            reading(path)
        assert str(caught.value).startswith(f"{name}: is {what}, expected text or a table. ")


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"\xef\xbb\xbf <!DOCTYPE html>\n<html>", "an HTML page"),
        (b"<HTML><body>", "an HTML page"),
        (b"<?xml version='1.0'?>", "an XML document"),
    ],
)
def test_markup_is_named_unless_lines_are_asked_for(put, content, what):
    name = put("page.txt", content + b"\na fine film\n")
    sentence = f"page.txt: is {what}, expected plain text or a table. Save its text as a .txt or .csv file."
    for reading in (lambda: read(name, labelled=False), lambda: read_sentences(name)):
        with pytest.raises(DataError) as caught:
            reading()
        assert str(caught.value) == sentence
    assert read(name, labelled=False, format="lines").text.to_pylist()[-1] == "a fine film"


def test_a_text_may_begin_like_a_magic_word(put):
    lines = "PKs are fun\nORCs are not\n"
    name = put("a.txt", lines)
    assert read(name, labelled=False).text.to_pylist() == ["PKs are fun", "ORCs are not"]
    for first in ("ORC armies fight", "RIFF on a theme", "ID3 is a tree", "RDX is a bomb", "MZ", "Obj"):
        assert read(put("b.txt", f"{first}\nb\n"), labelled=False).text.to_pylist() == [first, "b"]
