"""Recognise files that are no plain text by their first bytes, and tell the user what to do about each."""

from __future__ import annotations

import re

from linnet.errors import DataError
from linnet.io.bytes.source import Source

_ZIP = b"PK\x03\x04"
_SAVE_TEXT = "Save its text as a .txt or .csv file."
_UNPACK = "Unpack it, and pass the files in it."
_EXPORT = "Export the table as CSV or Parquet."
_NO_TEXT = "It holds no text to read."
_MAGIC: dict[bytes, tuple[str, str]] = {
    b"%PDF-": ("a PDF document", _SAVE_TEXT),
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": ("an old Office document (.xls, .doc)", "Save it as .xlsx or .csv."),
    b"{\\rtf": ("a document in Rich Text Format", _SAVE_TEXT),
    b"%!PS": ("a PostScript document", _SAVE_TEXT),
    b"\x89PNG\r\n\x1a\n": ("a PNG image", _NO_TEXT),
    b"\xff\xd8\xff": ("a JPEG image", _NO_TEXT),
    b"GIF87a": ("a GIF image", _NO_TEXT),
    b"GIF89a": ("a GIF image", _NO_TEXT),
    b"ID3\x03\x00": ("an MP3 recording", _NO_TEXT),
    b"ID3\x04\x00": ("an MP3 recording", _NO_TEXT),
    b"7z\xbc\xaf\x27\x1c": ("a 7-Zip archive", _UNPACK),
    b"Rar!\x1a\x07": ("a RAR archive", _UNPACK),
    b"\xfd7zXZ\x00": ("xz data", "Unpack it with unxz, or compress it with gzip or zstd instead."),
    b"PK\x05\x06": ("an empty ZIP archive", _UNPACK),
    b"SQLite format 3\x00": ("an SQLite database", _EXPORT),
    b"\x89HDF\r\n\x1a\n": ("an HDF5 file", _EXPORT),
    b"\x93NUMPY": ("a NumPy array", _EXPORT),
    b"$FL2": ("an SPSS file", _EXPORT),
    b"<stata_dta>": ("a Stata file", _EXPORT),
    b"RDX2\n": ("an R data file", _EXPORT),
    b"RDX3\n": ("an R data file", _EXPORT),
    b"Obj\x01": ("an Avro file", _EXPORT),
    b"\x7fELF": ("a program", _NO_TEXT),
    b"MZ\x90\x00": ("a program", _NO_TEXT),
}
_MARKUP = {b"<!doctype html": "an HTML page", b"<html": "an HTML page", b"<?xml": "an XML document"}
_MARKUP_BYTES = 1000
_MARKS_AND_BLANKS = b"\xef\xbb\xbf\xff\xfe \t\r\n"  # marks of UTF-8 and UTF-16
_IN_ZIP = (
    (b"xl/", "an Excel file (.xlsx)", "Name it .xlsx, or pass --format excel."),
    (b"word/", "a Word document (.docx)", _SAVE_TEXT),
    (b"ppt/", "a PowerPoint file (.pptx)", _SAVE_TEXT),
    (
        b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet",
        "an OpenDocument table (.ods)",
        "Save it as .xlsx or .csv.",
    ),
    (b"mimetypeapplication/vnd.oasis.opendocument", "an OpenDocument document", _SAVE_TEXT),
    (b"mimetypeapplication/epub", "an EPUB book", _SAVE_TEXT),
)
# An entry of a ZIP archive: a signature, 22 bytes, the size of the name, the size of further fields; then the name.
_ENTRY = rb"(?s)PK\x03\x04.{22}(?P<name>..).."
# A pickle of protocol 2 to 5: the opcode of the protocol, perhaps that of a frame with its size, and one that begins a
# value.
_PICKLE = re.compile(rb"\x80[\x02-\x05](?:\x95.{8})?[\[\]}()\x8cclq]", re.DOTALL)
_TAR = slice(257, 262)
"""Where the header of a tar archive has its signature."""
_MODEL = slice(8, 24)
"""Where the JSON of a safetensors file begins, after 8 bytes for its size."""


def known_as(start: bytes) -> tuple[str, str] | None:
    """What a file that begins with `start` is, and what to do about it; None where it is not known to be other than
    text.

    >>> known_as(b"%PDF-1.7")
    ('a PDF document', 'Save its text as a .txt or .csv file.')
    """
    if start.startswith(_ZIP):
        return _of_zip(start)
    if start[_TAR] == b"ustar":
        return "a tar archive", _UNPACK
    if start[_MODEL] == b'{"__metadata__":':
        return "a model of linnet, or another safetensors file", "Name the model first, and the data after it."
    if _PICKLE.match(start) is not None:
        return "a Python pickle", _EXPORT
    return next((known for magic, known in _MAGIC.items() if start.startswith(magic)), None)


def is_excel(start: bytes) -> bool:
    """Whether a file that begins with `start` is an Excel file."""
    return start.startswith(_ZIP) and any(name.startswith(b"xl/") for name in _names_in_zip(start))


def refuse_binary(source: Source) -> None:
    """Raise DataError where a file is of a known kind that is no text."""
    known = known_as(source.start())
    if known is not None:
        what, advice = known
        raise DataError(f"is {what}, expected text or a table. {advice}", source.name)


def refuse_markup(source: Source) -> None:
    """Raise DataError where a file is a page or a document of markup, whose lines are no texts."""
    start = source.start()[:_MARKUP_BYTES].replace(b"\0", b"").lstrip(_MARKS_AND_BLANKS).lower()
    for mark, what in _MARKUP.items():
        if start.startswith(mark):
            raise DataError(f"is {what}, expected plain text or a table. {_SAVE_TEXT}", source.name)


def _of_zip(start: bytes) -> tuple[str, str]:
    names = _names_in_zip(start)
    for mark, what, advice in _IN_ZIP:
        if any(name.startswith(mark) for name in names):
            return what, advice
    return "a ZIP archive", _UNPACK


def _names_in_zip(start: bytes) -> list[bytes]:
    """The names of those files in an archive that its first bytes show. A file `mimetype`, with which OpenDocument and
    EPUB begin, is given with the start of its content, which is not compressed."""
    names = []
    for entry in re.finditer(_ENTRY, start):
        size = int.from_bytes(entry["name"], "little")
        name = start[entry.end() : entry.end() + size]
        names.append(start[entry.end() : entry.end() + 80] if name == b"mimetype" else name)
    return names
