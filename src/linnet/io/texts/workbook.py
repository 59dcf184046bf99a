"""What is in an Excel file is counted before it is read: the reader makes a table of all cells from the first to the last one,
and gives each its own copy of its text, so that a file of a kilobyte may ask for more memory than there is.

An .xlsx file is a ZIP archive of XML. Its members are unpacked here piece by piece; what they declare about their sizes is not
believed. Names in an archive may be read in more than one way, so the reader gets a new archive, with the counted members only.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator
from io import BytesIO
from xml.etree import ElementTree
from xml.parsers import expat
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from linnet.errors import DataError
from linnet.io.bytes.unpacking import Content

_ROWS, _COLUMNS = 1_048_576, 16_384
"""The most rows and columns that Excel has."""
_CELL, _EMPTY, _STRING = 100, 16, 50
"""About how many bytes of memory a cell takes, one that is empty, and a string that cells share."""
_PIECE = 1 << 20
_LOCAL = 30
"""The size of the header of a member, without its name and further fields."""
_ROOT, _BOOK, _LINKS, _SHARED, _STYLES = (
    "_rels/.rels", "xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/sharedstrings.xml", "xl/styles.xml",
)  # fmt: skip
_OTHER_KINDS = ("xl/workbook.bin", "mimetype", "content.xml")
"""Members of other kinds of workbooks, .xlsb and .ods."""
_PLACED = re.compile(rb'<c r="([A-Z]{1,3})([0-9]{1,7})"')
"""A cell as all usual programs write it."""


def checked_workbook(packed: bytes, content: Content, name: str) -> bytes:
    """The workbook with nothing but its first sheet. DataError where a file is no .xlsx workbook, or where that sheet has more
    in it than an honest one."""
    try:
        if not packed.startswith(b"PK\x03\x04"):
            raise _damaged(name, "no ZIP archive")
        with ZipFile(BytesIO(packed)) as archive:
            members = {_folded(member.filename): member for member in archive.infolist()}
            n_members = len(archive.infolist())
        if len(members) < n_members or any(kind in members for kind in _OTHER_KINDS) or _BOOK not in members:
            raise _damaged(name, "not the members of an .xlsx file")
        return Workbook(packed, members, content, name).checked()
    except DataError:
        raise
    except (
        BadZipFile,
        zlib.error,
        struct.error,
        ElementTree.ParseError,
        expat.ExpatError,
        ValueError,
        LookupError,
    ) as error:
        raise _damaged(name, str(error)) from None


class Workbook:
    """The members of an .xlsx file that its reader looks at."""

    def __init__(self, packed: bytes, members: dict[str, ZipInfo], content: Content, name: str) -> None:
        self._packed, self._members, self._content, self._name = packed, members, content, name

    def checked(self) -> bytes:
        """A workbook of what has been counted: what the reader would make of these members."""
        sheets = self._first_sheets()
        for path in (_ROOT, _STYLES):
            for _ in self._pieces(path):
                pass
        n_strings, longest = self._shared()
        self._content.add(_STRING * n_strings)
        for sheet in sheets:
            n_cells, n_placed, last_row, last_column = self._places(sheet)
            area = last_row * last_column
            most = n_cells * (_CELL + longest) + max(0, area - n_cells) * _EMPTY
            if n_placed < n_cells or not self._content.has_room(most):
                n_cells, area, of_text = self._counted(sheet)
                most = n_cells * _CELL + of_text + max(0, area - n_cells) * _EMPTY
            self._content.add(most)
        return self._copy([_ROOT, _BOOK, _LINKS, _STYLES, _SHARED, *sheets])

    def _copy(self, paths: list[str]) -> bytes:
        """An archive of some members, which have been counted before, each once."""
        packed = BytesIO()
        with ZipFile(packed, "w", ZIP_DEFLATED, compresslevel=1) as archive:
            for path in dict.fromkeys(paths):
                if path in self._members:
                    with archive.open(path, "w") as member:
                        for piece in self._pieces(path, is_counted=True):
                            member.write(piece)
        return packed.getvalue()

    def _first_sheets(self) -> list[str]:
        """The member with the first sheet; several where links to it have the same name, of which the reader takes one."""
        book, links = self._tree(_BOOK), self._tree(_LINKS)
        first = next((one for one in book.iter() if _local(one.tag) == "sheet"), None)
        number = "" if first is None else next((value for key, value in first.items() if _local(key) == "id"), "")
        targets = [_folded(link.get("Target", "")) for link in links.iter() if link.get("Id") == number]
        found = {target if target.startswith("xl/") else f"xl/{target}" for target in targets} & self._members.keys()
        if not found:
            raise ValueError("no sheet is found")
        return sorted(found)

    def _tree(self, path: str) -> ElementTree.Element:
        text = b"".join(self._pieces(path))
        if b"<!DOCTYPE" in text:
            raise ValueError("a document type")
        return ElementTree.fromstring(text or b"<nothing/>")

    def _pieces(self, path: str, is_counted: bool = False) -> Iterator[bytes]:
        """A member, unpacked piece by piece and counted unless it is already; nothing where there is none."""
        if path not in self._members:
            return
        member = self._members[path]
        at = member.header_offset
        n_name, n_more = struct.unpack_from("<HH", self._packed, at + _LOCAL - 4)
        begin = at + _LOCAL + n_name + n_more
        left = self._packed[begin : begin + member.compress_size]
        if member.compress_type not in (ZIP_STORED, ZIP_DEFLATED) or member.flag_bits & 1:
            raise ValueError("a member that is encrypted, or compressed in a way that Excel does not know")
        stream = zlib.decompressobj(-zlib.MAX_WBITS) if member.compress_type == ZIP_DEFLATED else None
        seen = 0
        while left:
            if stream is None:
                piece, left = left[:_PIECE], left[_PIECE:]
            else:
                piece = stream.decompress(left, _PIECE)
                left = stream.unconsumed_tail
            self._content.add(0 if is_counted else len(piece))
            seen += len(piece)
            yield piece
        if seen != member.file_size:
            raise ValueError(f"{member.file_size:,} bytes declared in {member.filename!r:.60}, {seen:,} found")

    def _whole(self, path: str) -> Iterator[bytes]:
        """A member in pieces that do not end within a tag."""
        rest = b""
        for piece in self._pieces(path):
            piece = rest + piece
            at = piece.rfind(b"<")
            end = len(piece) if b">" in piece[at:] or at < 0 else at
            rest = piece[end:]
            if len(rest) > _PIECE:
                raise ValueError("a tag of more than a megabyte")
            yield piece[:end]
        yield rest

    def _shared(self) -> tuple[int, int]:
        """How many strings the cells share, and the most bytes that one of them may have."""
        n, longest, open_ = 0, 0, 0
        for piece in self._whole(_SHARED):
            n += piece.count(b"<si") + piece.count(b":si")
            first, *others = map(len, piece.split(b"si>"))
            longest = max(longest, open_ + first, *others)
            open_ = others[-1] if others else open_ + first
        return n, longest

    def _places(self, path: str) -> tuple[int, int, int, int]:
        """Count the cells of a sheet: how many there are at the most, how many of them say in the usual way where they are, and
        the last row and column of these."""
        n_cells, n_placed, last_row, last_column = 0, 0, 1, 1
        for piece in self._whole(path):
            n_cells += piece.count(b"<c") - piece.count(b"<co") + piece.count(b":c")
            found = _PLACED.findall(piece)
            if found:
                letters, digits = zip(*found, strict=True)
                n_placed += len(found)
                last_row = max(last_row, *map(self._row, set(digits)))
                last_column = max(last_column, *map(self._column, set(letters)))
        return n_cells, n_placed, last_row, last_column

    def _counted(self, path: str) -> tuple[int, int, int]:
        """How many cells a sheet has, how large the area is in which they are, and how many bytes the texts that they share
        have when each has its own."""
        lengths = self._lengths()
        row = column = last_row = last_column = n_cells = of_text = 0
        is_shared, digits = False, ""

        def begin(tag: str, attributes: dict[str, str]) -> None:
            nonlocal row, column, last_row, last_column, n_cells, is_shared, digits
            kind, place = tag.rpartition(":")[2], attributes.get("r", "")
            if kind == "row":
                row, column = (self._row(place.encode()) if place else row + 1), 0
            elif kind == "c":
                letters = place.rstrip("0123456789")
                n_cells += 1
                column = self._column(letters.encode()) if letters else column + 1
                row = self._row(place.removeprefix(letters).encode()) if letters else row
                last_row, last_column = max(last_row, row), max(last_column, column)
                is_shared = attributes.get("t") == "s"
            digits = ""

        def read(text: str) -> None:
            nonlocal digits
            digits += text if is_shared else ""

        def end(tag: str) -> None:
            nonlocal of_text
            if is_shared and tag.rpartition(":")[2] == "v":
                number = int(digits) if digits.strip().isdigit() else len(lengths)
                of_text += lengths[number] if number < len(lengths) else 0

        parser = _parser(begin, end, read)
        for piece in self._pieces(path):
            parser.Parse(piece, False)
        return n_cells, max(1, last_row) * max(1, last_column), of_text

    def _lengths(self) -> list[int]:
        """The number of bytes of each string that cells share."""
        found: list[int] = []

        def begin(tag: str, attributes: dict[str, str]) -> None:
            if tag.rpartition(":")[2] == "si":
                found.append(0)

        def read(text: str) -> None:
            if found:
                found[-1] += len(text.encode())

        parser = _parser(begin, lambda tag: None, read)
        for piece in self._pieces(_SHARED):
            parser.Parse(piece, False)
        return found

    def _row(self, digits: bytes) -> int:
        if len(digits) > 7 or int(digits or b"1") > _ROWS:
            raise DataError(
                f"found a cell in row {digits.decode():.20}; Excel has {_ROWS:,}. Save it again.", self._name
            )
        return int(digits or b"1")

    def _column(self, letters: bytes) -> int:
        number = 0
        for letter in letters.upper()[:4]:
            number = 26 * number + letter - 64
        if number > _COLUMNS:
            raise DataError(
                f"found a cell in column {letters.decode():.20}; Excel has {_COLUMNS:,}. Save it again.", self._name
            )
        return max(1, number)


def _parser(begin, end, read) -> expat.XMLParserType:  # type: ignore[no-untyped-def]
    def refuse(*declared: object) -> None:
        raise ValueError("a document type")

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = begin, end, read
    parser.StartDoctypeDeclHandler = refuse
    return parser


def _folded(path: str) -> str:
    r"""A name in an archive in the one way to write it.

    >>> _folded(r"/xl\.\Worksheets\sheet1.xml")
    'xl/worksheets/sheet1.xml'
    """
    return "/".join(part for part in path.lower().replace("\\", "/").split("/") if part not in ("", "."))


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def _damaged(name: str, why: str) -> DataError:
    return DataError(f"is not an Excel file (.xlsx), or is damaged ({why}). Save it again.", name)
