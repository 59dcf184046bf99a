"""Find the character between the columns of a table: the user names it, or the first rows of a file show it."""

from __future__ import annotations

from io import BytesIO
from itertools import islice

from linnet.errors import DataError, UsageError
from linnet.io.texts.careful_rows import rows

NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe", " ": "space"}
_FOUND = (",", ";", "\t", "|")
_SPELLED = {"\\t": "\t", **{name: character for character, name in NAMES.items()}}
_SAMPLE = 50
"""The number of rows from which the delimiter is told."""


def name_of(delimiter: str) -> str:
    """What a delimiter is called in messages.

    >>> name_of(";"), name_of("~")
    ('semicolon', "'~'")
    """
    return NAMES.get(delimiter, repr(delimiter))


def delimiter_of(given: str) -> str:
    r"""The character that the user names, as itself or in a word. UsageError for what cannot stand between columns.

    >>> delimiter_of("|"), delimiter_of("tab"), delimiter_of("\\t")
    ('|', '\t', '\t')
    """
    character = _SPELLED.get(given.lower(), given)
    if len(character) != 1 or not character.isascii() or character.isalnum() or character in '"\r\n\x1f\0':
        raise UsageError(
            f"expected one character between columns, such as ; or tab, found {given!r}. Put it in quotes: --delimiter ';'"
        )
    return character


def sample(head: bytes, delimiter: str) -> list[list[bytes]]:
    """The fields of the first rows of a file, the header among them. A row that the end of `head` may have cut is left out,
    unless it is the only one."""
    found: list[list[bytes]] = []
    whole = head.rfind(b"\n") + 1 or head.rfind(b"\r") + 1 or len(head)
    try:
        found.extend(row.fields for row in islice(rows(BytesIO(head[:whole]), delimiter.encode(), ""), _SAMPLE))
    except DataError:
        return found  # A quote is left open, for which the reader will raise an error.
    return found


def find_delimiter(head: bytes, usual: str) -> str:
    r"""The delimiter of a table: of those that are in its first line, the one that cuts the largest share of the first
    rows into as many columns as the header. Among equals it is the usual one, or else the one that makes the most
    columns. It is the usual one where no delimiter is in the first line.

    >>> find_delimiter(b"text;label\na, b;pos\n", ","), find_delimiter(b"text\na; b\n", ",")
    (';', ',')
    """
    first = head.lstrip(b"\r\n").partition(b"\n")[0]
    cuts = [mark for mark in _FOUND if mark.encode() in first]
    if cuts in ([], [usual]):
        return usual
    tables = {mark: sample(head, mark) for mark in cuts}
    tables = {mark: table for mark, table in tables.items() if table and len(table[0]) > 1}
    return max(tables, key=lambda mark: (_evenness(tables[mark]), mark == usual, len(tables[mark][0])), default=usual)


def is_even(table: list[list[bytes]]) -> bool:
    """Whether there are at least two rows below the header, and all have as many columns as the header, more than
    one."""
    return len(table) > 2 and len(table[0]) > 1 and _evenness(table) == 1


def _evenness(table: list[list[bytes]]) -> float:
    """The share of rows that have as many columns as the first."""
    return sum(len(row) == len(table[0]) for row in table) / len(table)
