"""The errors of linnet, in one small tree. Every message says what was expected, what was found and what to do."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable
from os import PathLike, fspath


def meant(name: str, known: Iterable[str], alike: float = 0.6) -> str:
    """A sentence, with a space before it, that names the known name most like `name`; empty where none is like it.

    alike: the least similarity, from 0 to 1, as difflib measures it.

    >>> meant("percepton", ["mira", "perceptron"])
    " Did you mean 'perceptron'?"
    """
    near = difflib.get_close_matches(name, list(known), 1, alike)
    return f" Did you mean {near[0]!r}?" if near else ""


def shown(value: object) -> str:
    """The beginning of a value as Python writes it, for a message. What cannot be written, such as a number of 5,000 digits, is
    named by its type.

    >>> shown("a"), shown(10**5000)
    ("'a'", 'int')
    """
    try:
        return f"{value!r:.60}"
    except Exception:  # Whatever a value that somebody else made raises here, the message is about something else.
        return type(value).__name__


def check_choice(expected: str, value: object, choices: Collection[str], whose: str = "") -> None:
    """Raise UsageError where a value is none of the choices. In its message, `expected` stands before the choices, and
    `whose` before the whole sentence.

    >>> check_choice("branch=", "lft", ("left", "right"))
    Traceback (most recent call last):
    linnet.errors.UsageError: expected branch=left or right, found 'lft'. Did you mean 'left'?
    """
    if value not in choices:
        hint = meant(str(value), choices)
        raise UsageError(f"{whose}expected {expected}{' or '.join(choices)}, found {value!r}.{hint}")


class LinnetError(Exception):
    """Anything linnet refuses to do."""


class UsageError(LinnetError, ValueError):
    """The call or the command line is at fault: an unknown name, an option that does not fit."""


class DataError(LinnetError, ValueError):
    """The data are at fault. `path` and `line` (from 1) say where, when that is known; "" is no path."""

    def __init__(self, message: str, path: str | PathLike[str] | None = None, line: int | None = None) -> None:
        self.path = fspath(path) if path else None
        self.line = line
        where = "".join(f"{part}:" for part in (self.path, line) if part is not None)
        super().__init__(f"{where} {message}" if where else message)


def impossible_name(path: str | PathLike[str]) -> DataError:
    """The error where a path has a character that no name of a file can have: a zero, or half of a pair of surrogates."""
    return DataError("no file can have this name.", ascii(fspath(path)))


class DataWarning(UserWarning):
    """Data that can be used in part: what was left out, or read as empty, and how much of it."""


class ModelError(LinnetError, ValueError):
    """The model file is at fault: damaged, from a newer version, or for another task."""


class DivergedError(LinnetError, ArithmeticError):
    """Learning ran away: weights or scores are no longer finite numbers, or the loss has grown far too large."""
