"""Pairs of sentences with their links: JSON lines, and lines of `source ||| target` with links in the manner of Pharaoh.

{"source": ["a", "dog"], "target": ["un", "chien"], "sure": [[0, 0], [1, 1]], "possible": [[0, 1]]}

a dog ||| un chien ||| 0-0 1-1 0?1

A sure link is i-j, and one that is only possible i?j, with tokens numbered from 0. Links are the third field of a line,
or they are on the line of the same number in another file, whose name has .align in the place of the extension.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, Unpack

from linnet.io.bytes.faults import Where, encoded
from linnet.io.bytes.line_blocks import checked_blocks
from linnet.io.bytes.source import Source
from linnet.io.formats import FileOptions, Formats, Path, Sniffing, read_files
from linnet.io.pairs.pairs import Link, Links, Pairs, join, pairs_of
from linnet.io.sentences.json_sentences import _object
from linnet.io.sentences.spans import shown
from linnet.io.texts.columns import listed

BETWEEN = "|||"
BESIDE = ".align"
_LINK = re.compile(r"([0-9]{1,9})([-?])([0-9]{1,9})")
_EXAMPLE = '{"source": ["a", "dog"], "target": ["un", "chien"], "sure": [[0, 0], [1, 1]]}'

Words = tuple[list[str], list[str]]


class PairReader(Sniffing, Protocol):
    def read(self, source: Source, labelled: bool) -> Iterator[Pairs]:
        """Yield the pairs in order, in parts of bounded size. `labelled` demands links for each."""


@dataclass(frozen=True)
class _Part:
    """What makes pairs of what was read in a block. The pairs have links only if all of them have."""

    name: str
    labelled: bool

    def made(self, words: list[Words], links: list[Links | None]) -> Pairs:
        known = [one for one in links if one is not None]
        return pairs_of(words, known if len(known) == len(words) else None, self.name)

    def needed(self, found: bool, where: Where, advice: str) -> None:
        if self.labelled and not found:
            raise where.fault(f"the links are missing. {advice}")


class JsonPairs:
    name = "jsonl"
    description = "JSON lines: one object a line, with source and target tokens, and sure and possible links"
    extensions = (".jsonl", ".ndjson", ".json")
    empty = "the file holds no pairs. Expected one JSON object a line, with source and target."

    def sniff(self, head: bytes) -> bool:
        return head.lstrip()[:1] == b"{"

    def read(self, source: Source, labelled: bool) -> Iterator[Pairs]:
        part = _Part(source.name, labelled)
        for block in checked_blocks(source):
            words: list[Words] = []
            links: list[Links | None] = []
            for number, raw in block.numbered():
                where = Where(source.name, number)
                values = _object(raw, where)
                words.append((_tokens(values, "source", where), _tokens(values, "target", where)))
                part.needed("sure" in values, where, f"Write lines such as {_EXAMPLE}.")
                links.append(_json_links(values, words[-1], where) if "sure" in values else None)
            if words:
                yield part.made(words, links)


class Bitext:
    name = "bitext"
    description = (
        "source ||| target, and links such as 0-0 1?2 as a third field or in a file beside it that ends in .align"
    )
    extensions = (".bitext",)
    empty = "the file holds no pairs. Expected lines of source ||| target."

    def sniff(self, head: bytes) -> bool:
        return BETWEEN.encode() in head.partition(b"\n")[0]

    def read(self, source: Source, labelled: bool) -> Iterator[Pairs]:
        part = _Part(source.name, labelled)
        beside = _beside(source)
        for block in checked_blocks(source):
            words: list[Words] = []
            links: list[Links | None] = []
            for number, raw in block.numbered():
                where = Where(source.name, number)
                fields = [field.split() for field in raw.decode().split(BETWEEN)]
                if len(fields) not in (2, 3) or not fields[0] or not fields[1]:
                    raise where.fault(
                        f"expected source {BETWEEN} target, or these and links after another {BETWEEN}, found "
                        f"{raw.decode().strip()!r:.60}. Write the tokens of both sentences, with spaces between them."
                    )
                words.append((fields[0], fields[1]))
                if beside is not None:
                    if number not in beside:
                        raise where.fault(f"{_name_beside(source)} has no such line. Give every pair a line of links.")
                    where, fields = Where(_name_beside(source), number), [*fields[:2], beside[number]]
                part.needed(
                    len(fields) == 3, where, f"Write them after another {BETWEEN}, or into {_name_beside(source)}."
                )
                links.append(pharaoh(fields[2], words[-1], where) if len(fields) == 3 else None)
            if words:
                yield part.made(words, links)


PAIR_FORMATS: Formats[PairReader] = Formats("format of pairs", JsonPairs(), Bitext())


def pair_formats() -> dict[str, str]:
    """The name of every format of pairs that can be read, with a line of description."""
    return PAIR_FORMATS.described()


def read_pairs(source: Path | Sequence[Path], *, labelled: bool = True, **how: Unpack[FileOptions]) -> Pairs:
    """Read the pairs of one path, several, or "-" for stdin. `labelled` demands links for each pair."""
    return join(read_pair_batches(source, labelled=labelled, **how))


def read_pair_batches(
    source: Path | Sequence[Path], *, labelled: bool = True, **how: Unpack[FileOptions]
) -> Iterator[Pairs]:
    """Read pairs as `read_pairs` does, but some at a time."""
    return read_files(source, PAIR_FORMATS, lambda reader, opened: reader.read(opened, labelled), **how)


def pharaoh(items: Sequence[str], words: Words, where: Where) -> Links:
    """The links of one pair, as Pharaoh writes them: 0-0 is sure, 1?2 possible."""
    found: dict[str, set[Link]] = {"-": set(), "?": set()}
    for item in items:
        match = _LINK.fullmatch(item)
        if match is None:
            raise where.fault(f"expected links such as 0-0, or 1?2 for one that is only possible, found {item!r:.40}.")
        found[match[2]].add(_inside((int(match[1]), int(match[3])), words, where))
    return Links(frozenset(found["-"]), frozenset(found["-"] | found["?"]))


def as_pharaoh(links: Sequence[Link]) -> str:
    """Links in the notation of Pharaoh.

    >>> as_pharaoh([(0, 0), (1, 2)])
    '0-0 1-2'
    """
    return " ".join(f"{i}-{j}" for i, j in links)


def as_json(words: Words, links: Sequence[Link]) -> str:
    return json.dumps(
        {"source": words[0], "target": words[1], "sure": [list(link) for link in links]}, ensure_ascii=False
    )


def _name_beside(source: Source) -> str:
    return os.path.splitext(source.path)[0] + BESIDE


def _beside(source: Source) -> dict[int, list[str]] | None:
    """The fields of each line of the file of links that belongs to the source, keyed by line number; None if there is
    no such file."""
    path = _name_beside(source)
    if source.path == "-" or path == source.path or not os.path.exists(path):
        return None
    with Source(path) as other:
        return {
            number: line.decode().split()
            for block in checked_blocks(other)
            for number, line in enumerate(block.lines(), block.line)
        }


def _tokens(values: Mapping[str, object], key: str, where: Where) -> list[str]:
    if key not in values:
        found = listed(list(values)) or "no key"
        raise where.fault(f"expected the key '{key}', found {found}. Write lines such as {_EXAMPLE}.")
    tokens = values[key]
    if not isinstance(tokens, list) or not all(isinstance(token, str) and token for token in tokens):
        raise where.fault(
            f"expected a list of tokens under '{key}', found {shown(tokens)}. Give each token its own string."
        )
    encoded(tokens, key, where)
    return tokens


def _json_links(values: Mapping[str, object], words: Words, where: Where) -> Links:
    sure, possible = (_json_list(values.get(key, []), key, words, where) for key in ("sure", "possible"))
    return Links(sure, sure | possible)


def _json_list(value: object, key: str, words: Words, where: Where) -> frozenset[Link]:
    if not isinstance(value, list):
        raise where.fault(f"expected a list of links such as [[0, 0], [1, 2]] under '{key}', found {shown(value)}.")
    found = set()
    for link in value:
        if not isinstance(link, list) or len(link) != 2 or not all(type(k) is int for k in link):
            raise where.fault(
                f"expected links such as [1, 2] under '{key}', found {shown(link)}. Write two numbers, from 0."
            )
        found.add(_inside((link[0], link[1]), words, where))
    return frozenset(found)


def _inside(link: Link, words: Words, where: Where) -> Link:
    for k, what, side in zip(link, ("source", "target"), words, strict=True):
        if not 0 <= k < len(side):
            raise where.fault(
                f"the link {link[0]}-{link[1]} leads to token {k} of the {what}, which has {len(side)}, from 0. Correct it."
            )
    return link
