"""JSON lines: one sentence an object, as `tokens` and `tags` (or `keep`), or as a `text` and the `spans` in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from linnet.core.arrow import large_strings
from linnet.errors import DataError
from linnet.io.bytes.encoding import check
from linnet.io.bytes.faults import Where, encoded, good_first
from linnet.io.bytes.line_blocks import Block, blocks
from linnet.io.bytes.source import Source
from linnet.io.sentences.contract import SentenceRequest
from linnet.io.sentences.frames import Frame
from linnet.io.sentences.json_frame import JsonLine, JsonPart
from linnet.io.sentences.sentences import Sentences
from linnet.io.sentences.spans import Place, parse_spans, shown, tags_of
from linnet.io.texts.columns import listed
from linnet.io.texts.jsonl import _is_array, _loads
from linnet.limits import SENTENCE

_LINE = re.compile(rb"[^\n]*\n|[^\n]+")
_WORD = re.compile(r"\w+|[^\w\s]")
_EXAMPLE = '{"tokens": ["a", "dog"], "tags": ["DT", "NN"]}'


class JsonSentences:
    name = "jsonl"
    description = "JSON lines: one object a line, with tokens and tags (or keep: 0 and 1), or with text and spans"
    extensions = (".jsonl", ".ndjson", ".json")
    empty = "the file holds no tokens. Expected one JSON object a line, with tokens or a text."

    def sniff(self, head: bytes) -> bool:
        head = head.lstrip()
        return (head[:1] == b"{" and head[1:].lstrip()[:1] in (b'"', b"}")) or _is_array(head)

    def read(self, source: Source, request: SentenceRequest) -> Iterator[Sentences]:
        lines = _Lines(source.name, request)
        with source.open() as stream:
            for block in blocks(stream, request.batch_bytes):
                yield from good_first(lines.read, block, by_line=True)


def words(text: str) -> list[Place]:
    """The places of the tokens of a text: runs of letters and digits, and every other character that is no white space.

    >>> words("Mr. O'Hara")
    [(0, 2), (2, 3), (4, 5), (5, 6), (6, 10)]
    """
    return [match.span() for match in _WORD.finditer(text)]


class _Lines:
    """A reader of the blocks of one file. Where tags are not demanded, the first object of the file decides whether it
    has any."""

    def __init__(self, name: str, request: SentenceRequest) -> None:
        self._name = name
        self._request = request
        self._tagged: bool | None = True if request.labelled else None

    def read(self, block: Block) -> Sentences:
        lines: list[JsonLine] = []
        tokens: list[bytes] = []
        tags: list[bytes] = []
        for number, raw in enumerate(_LINE.findall(block.data), block.line):
            if not raw.strip():
                lines.append(JsonLine(raw))
                continue
            if len(raw) > SENTENCE.most:
                message = f"the sentence is longer than {SENTENCE.shown}. Give each sentence a line."
                raise DataError(message, self._name, number)
            sentence = _Object(Where(self._name, number), _object(raw, Where(self._name, number)), self._request)
            line, of_line = sentence.line(raw)
            if self._tagged is None:
                self._tagged = sentence.has_tags
            lines.append(line)
            tokens += of_line
            tags += sentence.tags(line, of_line) if self._tagged else []
        lengths = [line.n_tokens for line in lines if line.n_tokens]
        return Sentences(
            columns={"w": large_strings(tokens)},
            starts=np.cumsum([0, *lengths], dtype=np.int64),
            tags=large_strings(tags) if self._tagged else None,
            source=self._name,
            frame=Frame((JsonPart(lines),)),
        )


@dataclass(frozen=True)
class _Object:
    """The object on one line, and the errors for what can be wrong with its values."""

    where: Where
    values: Mapping[str, object]
    request: SentenceRequest

    @property
    def key(self) -> str:
        if self.request.label_col is not None or "tokens" not in self.values:
            return self.request.label_col or "spans"
        return "keep" if "keep" in self.values and "tags" not in self.values else "tags"

    @property
    def has_tags(self) -> bool:
        return self.values.get(self.key) is not None

    def line(self, raw: bytes) -> tuple[JsonLine, list[bytes]]:
        """The line for the frame, and its tokens."""
        if "tokens" in self.values:
            tokens = self._strings("tokens")
            return JsonLine(raw, self.key, len(tokens)), tokens
        text = self._text()
        places = list((self.request.tokenise or words)(text))
        tokens = self._encoded([text[start:end] for start, end in places], "text")
        return JsonLine(raw, self.key, len(tokens), places), tokens

    def tags(self, line: JsonLine, tokens: Sequence[bytes]) -> list[bytes]:
        """The tag of each token, "" where there is none and none is demanded."""
        if not self.has_tags and not self.request.labelled:
            return [b""] * len(tokens)
        if self.key not in self.values:
            found = listed(list(self.values))
            raise self.where.fault(f"expected the key '{self.key}', found {found}. Name the tags with --label-col.")
        if line.places is not None:
            text = self._text()
            spans = parse_spans(self.values[self.key], self.where)
            return self._encoded(tags_of(spans, line.places, text, self.where), self.key)
        tags = self._kept() if self.key == "keep" else self._strings(self.key, empty=not self.request.labelled)
        if len(tags) != len(tokens):
            message = f"expected {len(tokens)} values under '{self.key}', one for each token, found {len(tags)}."
            raise self.where.fault(f"{message} Give every token a tag.")
        return tags

    def _text(self) -> str:
        text = self.values.get("text")
        if "text" not in self.values:
            found = listed(list(self.values)) or "no key"
            raise self.where.fault(
                f"expected the key 'tokens' or 'text', found {found}. Write lines such as {_EXAMPLE}."
            )
        if not isinstance(text, str):
            raise self.where.fault(f"expected a string under 'text', found {shown(text)}. Put the text in quotes.")
        return text

    def _strings(self, key: str, *, empty: bool = False) -> list[bytes]:
        values = []
        for i, value in enumerate(self._list(key, 'strings such as ["a", "b"]'), 1):
            if not isinstance(value, str) or not (value or empty):
                message = f"expected strings under '{key}', found {shown(value)} at place {i}. Give each token its own."
                raise self.where.fault(message)
            values.append(value)
        return self._encoded(values, key)

    def _kept(self) -> list[bytes]:
        values = self._list("keep", "0 and 1 such as [0, 1]")
        for i, value in enumerate(values, 1):
            if type(value) is not int or value not in (0, 1):
                message = f"expected 0 or 1 under 'keep', found {shown(value)} at place {i}. Write 1 for what stays."
                raise self.where.fault(message)
        return [str(value).encode() for value in values]

    def _list(self, key: str, expected: str) -> list[object]:
        values = self.values[key]
        if not isinstance(values, list):
            raise self.where.fault(f"expected a list of {expected} under '{key}', found {shown(values)}.")
        return values

    def _encoded(self, values: Sequence[str], key: str) -> list[bytes]:
        return encoded(values, key, self.where)


def _object(raw: bytes, where: Where) -> dict[str, object]:
    check(raw, where.name, where.line)
    if _is_array(raw):
        raise where.fault(
            "expected a JSON object, found a list. Write one object a line, for example with: jq -c '.[]'"
        )
    value = _loads(raw.decode(), where.name, where.line)
    if not isinstance(value, dict):
        raise where.fault(f"expected a JSON object, found {shown(value)}. Write lines such as {_EXAMPLE}.")
    return value
