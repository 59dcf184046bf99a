"""Excel files: the first sheet, of which the first row has the names of the columns. As in CSV, every column is strings."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from io import BytesIO
from typing import Any

from linnet.errors import DataError, UsageError
from linnet.io.bytes.binary_files import is_excel
from linnet.io.bytes.source import Source
from linnet.io.texts.columns import distinct, find
from linnet.io.texts.contract import Request
from linnet.io.texts.dataset import Dataset
from linnet.io.texts.labels import label_name
from linnet.io.texts.string_columns import StringColumns
from linnet.io.texts.workbook import checked_workbook

_ROWS = 20_000
"""The number of rows of a batch."""
_SAMPLE = 50


class Excel:
    name = "excel"
    description = "Excel (.xlsx): the first sheet, with a header row; needs pip install linnet[excel]"
    extensions = (".xlsx", ".xlsm")
    has_columns = True
    empty = "the header has no rows below it. Add at least one row."

    def sniff(self, head: bytes, request: Request) -> bool:
        return is_excel(head)

    def read(self, source: Source, request: Request) -> Iterator[Dataset]:
        rows = _rows(source, request)
        line, header = next(rows, (0, []))
        if not header:
            raise DataError("the first sheet is empty. Expected a header row, and rows below it.", source.name)
        found = list(rows)
        columns = find(header, request, source.name, line, lambda: [row for _, row in found[:_SAMPLE]])
        table = StringColumns(distinct(header), columns, request, source.name)
        for i in range(0, len(found), _ROWS):
            yield table.dataset_of_rows([[cell.encode() for cell in row] for _, row in found[i : i + _ROWS]])

    def lines(self, source: Source, request: Request) -> Iterator[tuple[int, dict[str, object]]]:
        """Yield the number of each row of the sheet, and its values by column."""
        rows = _rows(source, Request())
        names = distinct(next(rows)[1])
        for number, row in rows:
            yield number, dict(zip(names, row, strict=True))


def _rows(source: Source, request: Request) -> Iterator[tuple[int, list[str]]]:
    """The rows of the first sheet that are not blank, with their numbers, all as wide as the first."""
    try:
        from python_calamine import CalamineError, CalamineWorkbook
    except ImportError:
        raise UsageError(f"{source.name}: Excel files need another package. Run: pip install linnet[excel]") from None
    with source.open_seekable() as file:
        packed = file.read()
    packed = checked_workbook(packed, source.content("Excel"), source.name)
    try:
        book = CalamineWorkbook.from_filelike(BytesIO(packed))
        names = book.sheet_names
        sheet = book.get_sheet_by_index(0)
        top = (sheet.start or (0, 0))[0]
        rows: list[list[Any]] = sheet.to_python(skip_empty_area=True)
    except BaseException as error:
        # An error of Rust that calamine did not expect is one of Python that is no Exception.
        if not isinstance(error, CalamineError) and type(error).__name__ != "PanicException":
            raise
        raise DataError(f"is not an Excel file (.xlsx), or is damaged ({error}). Save it again.", source.name) from None
    if len(names) > 1:
        request.note(f"{source.name}: read the sheet {names[0]!r}, the first of {len(names)}")
    for number, row in enumerate(rows, top + 1):
        cells = [_text(cell) for cell in row]
        if any(cells):
            yield number, cells


def _text(cell: object) -> str:
    """A cell as a string: 7.0 is 7, as Excel shows it, and a date is written as ISO 8601 has it.

    >>> _text(7.0), _text(0.5), _text(True), _text(date(2024, 2, 29)), _text(None)
    ('7', '0.5', 'true', '2024-02-29', '')
    """
    if isinstance(cell, date | datetime | time):
        return cell.isoformat()
    if isinstance(cell, timedelta):
        return str(cell)
    return label_name(cell) or ""


READER = Excel()
