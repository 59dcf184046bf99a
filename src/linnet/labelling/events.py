"""What people do while they label: each is one event, and one line of the journal."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from linnet.core.types import Json
from linnet.errors import UsageError
from linnet.io.texts.labels import is_missing

ANSWER, SKIP, NOTE, UNDO = "answer", "skip", "note", "undo"
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_CONTROL = re.compile(r"[\x00-\x1f\x7f\u2028\u2029\ud800-\udfff]")
"""What a name must not have in it: control characters, separators of lines, and surrogates, which UTF-8 cannot
encode."""
_LONGEST_NAME = 200
_LONGEST_NOTE = 10_000
_MOST_PARTS = 10_000
"""The largest number of parts that one answer may have."""
_LARGEST = 2**31 - 1
"""The largest number in an answer: the largest signed integer of 32 bits."""

Part: TypeAlias = str | int | tuple[str | int, ...]
"""A part of an answer: a label, a tag, the number of a candidate, a head with its relation, or a link."""
Answer: TypeAlias = tuple[Part, ...]
"""An answer as people give it and as the journal has it. What its parts mean is told by its kind (kinds.py)."""


@dataclass(frozen=True)
class Event:
    """One event. Raise UsageError where a value is not what it should be."""

    id: str
    """The name of the event, which the client chooses. A client that does not know whether an event was kept sends it
    again with the same id, and it is kept once."""
    kind: str
    by: str
    """The name of the annotator; "" for one who has given no name."""
    row: int = -1
    """The number of the text in the data, from 0; -1 for undo."""
    answer: Answer = ()
    note: str = ""
    of: str = ""
    """The event that is taken back, for undo."""
    held_out: bool = False
    """Whether the text belongs to the random part that is never learned from."""
    at: int = 0
    """When it happened, in seconds since 1970."""

    KINDS: ClassVar[tuple[str, ...]] = (ANSWER, SKIP, NOTE, UNDO)

    def __post_init__(self) -> None:
        _check(isinstance(self.id, str) and _ID.fullmatch(self.id) is not None, "an id of letters and digits", self.id)
        _check(self.kind in self.KINDS, f"an event that is one of {', '.join(self.KINDS)}", self.kind)
        check_name("the name of an annotator", self.by, may_be_empty=True)
        _check(_is_number(self.row) and (self.kind == UNDO or self.row >= 0), "the number of a row", self.row)
        _check(len(self.answer) <= _MOST_PARTS, f"at most {_MOST_PARTS:,} parts of an answer", len(self.answer))
        for part in self.answer:
            _check_part(part)
        _check(
            isinstance(self.note, str) and len(self.note) <= _LONGEST_NOTE,
            "a note of at most 10,000 characters",
            self.note,
        )
        _check(isinstance(self.of, str), "the id of an event to take back", self.of)
        _check(isinstance(self.held_out, bool) and _is_number(self.at), "true or false, and a time", self.held_out)

    def as_json(self) -> dict[str, Json]:
        """The event as its line in the journal has it: with those fields alone that its kind of event uses."""
        own: dict[str, dict[str, Json]] = {
            ANSWER: {"row": self.row, "answer": _as_lists(self.answer), "held_out": self.held_out},
            SKIP: {"row": self.row},
            NOTE: {"row": self.row, "note": self.note},
            UNDO: {"of": self.of},
        }
        return {"id": self.id, "event": self.kind, "by": self.by, **own[self.kind], "at": self.at}

    @classmethod
    def from_json(cls, line: Json) -> Event:
        """The event of a line. Raise UsageError where it is none."""
        _check(isinstance(line, dict), "an event as a JSON object", line)
        answer = line.get("answer") if line.get("event") == ANSWER else []
        return cls(
            line.get("id"),
            line.get("event"),
            line.get("by"),
            line.get("row", -1),
            as_answer(answer),
            line.get("note", ""),
            line.get("of", ""),
            line.get("held_out", False),
            line.get("at", 0),
        )


def as_answer(found: Json) -> Answer:
    """An answer as JSON or Python has it. Raise UsageError where it is no list of parts."""
    _check(isinstance(found, list | tuple), "an answer that is a list", found)
    return tuple(tuple(part) if isinstance(part, list) else part for part in found)


def _as_lists(answer: Answer) -> list[Json]:
    return [list(part) if isinstance(part, tuple) else part for part in answer]


def _check_part(part: object) -> None:
    """Raise UsageError where something is no part of an answer: a name, a number, or some of these."""
    for one in part if isinstance(part, tuple) else (part,):
        if isinstance(one, int):
            _check(_is_number(one) and 0 <= one <= _LARGEST, "a number from 0 in an answer", one)
        else:
            check_name("a label", one)


def check_name(what: str, name: object, *, may_be_empty: bool = False) -> None:
    """Raise UsageError where something is not the name of a label or of a person: a short line of text."""
    fits = isinstance(name, str) and len(name) <= _LONGEST_NAME and _CONTROL.search(name) is None
    empty = isinstance(name, str) and is_missing(name)
    if not fits or (empty and not (may_be_empty and name == "")) or (isinstance(name, str) and name != name.strip()):
        raise UsageError(
            f"expected {what} as one line of at most {_LONGEST_NAME} characters without blanks around it, found {name!r:.60}."
        )


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _check(holds: bool, expected: str, found: object) -> None:
    if not holds:
        raise UsageError(f"expected {expected}, found {found!r:.60}.")
