"""Write lines of JSON with other tags. Only the value of one key is written anew; all else stays as it was."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from linnet.io.bytes.faults import Where
from linnet.io.sentences.spans import Place, Span, parse_spans, spans_of

_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\n\r]*")
_WHOLE = ("0", "1")
"""The tags that are written under `keep` as whole numbers."""


@dataclass(frozen=True)
class JsonLine:
    """A line of a file, with its line end."""

    raw: bytes
    key: str | None = None
    """The key of the tags or spans; None for a blank line."""
    n_tokens: int = 0
    places: list[Place] | None = None
    """Where each token is in the text, if the line has a text with spans; None if it has tokens with tags."""

    def fill(self, tags: Sequence[str]) -> bytes:
        if self.key is None:
            return self.raw
        text = self.raw.decode()
        members, end = _members(text)
        begin, stop = members.get(self.key, (end, end))
        old = json.loads(text[begin:stop]) if stop > begin else None
        new = self._value(tags, old)
        if new == old:
            return self.raw
        name = f", {json.dumps(self.key, ensure_ascii=False)}: " if old is None and begin == stop else ""
        return f"{text[:begin]}{name}{json.dumps(new, ensure_ascii=False)}{text[stop:]}".encode()

    def _value(self, tags: Sequence[str], old: object) -> object:
        if self.places is not None:
            return _spans(spans_of(tags, self.places), old)
        return [int(tag) if self.key == "keep" and tag in _WHOLE else tag for tag in tags]


@dataclass(frozen=True, eq=False)
class JsonPart:
    lines: list[JsonLine]
    is_json: ClassVar[bool] = True

    @property
    def n_tokens(self) -> int:
        return sum(line.n_tokens for line in self.lines)

    @property
    def nbytes(self) -> int:
        return sum(len(line.raw) for line in self.lines)

    def fill(self, tags: Sequence[str]) -> bytes:
        pieces = []
        at = 0
        for line in self.lines:
            pieces.append(line.fill(tags[at : at + line.n_tokens]))
            at += line.n_tokens
        return b"".join(pieces)

    def gap(self) -> bytes:
        return b"" if self.lines[-1].raw.endswith(b"\n") else b"\n"


def _spans(spans: list[Span], old: object) -> object:
    """The spans in the form in which the line had its old ones, lists or objects; the old ones themselves if they say
    the same."""
    if isinstance(old, list):
        if parse_spans(old, Where("", 0)) == spans:
            return old
        if old and isinstance(old[0], dict):
            return [span._asdict() for span in spans]
    return [list(span) for span in spans]


def _members(text: str) -> tuple[dict[str, tuple[int, int]], int]:
    """The place of the value of each key in a JSON object that is known to be good, and where the last value ends.

    >>> _members('{"id": 7, "tags" : [] }')
    ({'id': (7, 8), 'tags': (19, 21)}, 21)
    """
    found: dict[str, tuple[int, int]] = {}
    end = 0
    at = _skip(text, text.index("{") + 1)
    while text[at] != "}":
        key, at = _DECODER.raw_decode(text, at)
        begin = _skip(text, _skip(text, at) + 1)
        _, end = _DECODER.raw_decode(text, begin)
        found[key] = (begin, end)
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return found, end


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return at if match is None else match.end()
