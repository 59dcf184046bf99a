"""The n-best lists of Moses: `id ||| text ||| features ||| score`, a candidate on each line. Lines of the same id that
follow each other are a list.

Features are `LM0= -12.5 TM0= -1.0 -2.5`: the numbers LM0, TM0_1 and TM0_2. Further fields are passed over.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from linnet.errors import UsageError
from linnet.io.bytes.encoding import check
from linnet.io.bytes.faults import Where
from linnet.io.bytes.line_blocks import blocks
from linnet.io.bytes.source import Source
from linnet.io.lists.lists import Candidate, CandidateList
from linnet.io.sentences.spans import shown

BAR = b"|||"
_FORM = "'id ||| text ||| features ||| score'"
_BLOCK = 1 << 20


class Nbest:
    name = "nbest"
    description = "n-best lists of Moses: id ||| text ||| features ||| score, a candidate a line"
    extensions = (".nbest",)
    empty = f"the file holds no candidates. Expected lines such as {_FORM}."

    def sniff(self, head: bytes) -> bool:
        return head.partition(b"\n")[0].count(BAR) >= 2

    def read(self, source: Source, cost: str | None) -> Iterator[CandidateList]:
        if cost is not None:
            raise UsageError(f"n-best lists have no column {cost!r} of costs. Leave out --label-col.")
        name = ""
        found: list[Candidate] = []
        with source.open() as stream:
            for block in blocks(stream, _BLOCK):
                for number, raw in block.numbered():
                    own, candidate = _line(raw, Where(source.name, number))
                    if found and own != name:
                        yield CandidateList(found, id=name)
                        found = []
                    name = own
                    found.append(candidate)
        if found:
            yield CandidateList(found, id=name)


def _line(raw: bytes, where: Where) -> tuple[str, Candidate]:
    check(raw, where.name, where.line)
    fields = [part.strip() for part in raw.decode().split("|||")]
    if len(fields) < 2:
        raise where.fault(f"expected {_FORM}, found {shown(raw.decode())}. Is it a file of n-best lists?")
    numbers = _features(fields[2], where) if len(fields) > 2 else {}
    if len(fields) > 3 and fields[3]:
        numbers["score"] = _number(fields[3].split()[0], where)
    return fields[0], Candidate(fields[1], numbers)


def _features(text: str, where: Where) -> dict[str, float]:
    found: dict[str, list[float]] = {}
    name = "f"  # the name of numbers that come before any name
    for item in text.split():
        if item[-1] in "=:":
            name = item[:-1]
        else:
            found.setdefault(name, []).append(_number(item, where))
    return {
        name if len(values) == 1 else f"{name}_{i}": x
        for name, values in found.items()
        for i, x in enumerate(values, 1)
    }


def _number(text: str, where: Where) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise where.fault(f"expected a number, found {text!r}. Write features as 'LM0= -12.5 TM0= -1 -2'.")
    return number
