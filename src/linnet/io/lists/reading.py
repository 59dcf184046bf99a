"""Read lists of candidates from any source, whole or in batches, and write them in a new order. To add a format, write
a module with its reader, and a line here."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Protocol, Unpack

from linnet.core.types import Json
from linnet.io.bytes.source import Source
from linnet.io.formats import FileOptions, Formats, Path, Sniffing, paths_of, read_files
from linnet.io.lists.json_lists import JsonLists
from linnet.io.lists.lists import CandidateList, Lists
from linnet.io.lists.nbest import Nbest

BATCH = 1000
"""The number of lists of a batch."""


class ListReader(Sniffing, Protocol):
    def read(self, source: Source, cost: str | None) -> Iterator[CandidateList]:
        """Yield the lists in order. cost: the key under which the cost of a candidate is; None: the usual ones."""


LIST_FORMATS: Formats[ListReader] = Formats("format of candidates", JsonLists(), Nbest())


def list_formats() -> dict[str, str]:
    """The name of every format of lists that can be read, with a line of description."""
    return LIST_FORMATS.described()


def read_lists(source: Path | Sequence[Path], *, cost: str | None = None, **how: Unpack[FileOptions]) -> Lists:
    """Read the lists of one path, several, or "-" for stdin."""
    return Lists(list(_all(source, cost, how)), ", ".join(paths_of(source)))


def read_list_batches(
    source: Path | Sequence[Path], *, cost: str | None = None, **how: Unpack[FileOptions]
) -> Iterator[Lists]:
    """Read lists as `read_lists` does, but some at a time."""
    found, name = _all(source, cost, how), ", ".join(paths_of(source))
    first = 0
    while some := list(islice(found, BATCH)):
        yield Lists(some, name, first)
        first += len(some)


def _all(source: Path | Sequence[Path], cost: str | None, how: FileOptions) -> Iterator[CandidateList]:
    return read_files(source, LIST_FORMATS, lambda reader, one: reader.read(one, cost), **how)


def as_json(one: CandidateList, order: Sequence[int], scores: Sequence[float], name: str = "score") -> str:
    """A list as a line of JSON. Its candidates are in the given order, and scores[k], under `name`, is that of
    candidate order[k]."""
    values: dict[str, Json] = {"id": one.id, "source": one.x, "reference": one.reference}
    rows = [
        dict[str, Json](one.candidates[c].numbers)
        | ({} if one.candidates[c].cost is None else {"cost": one.candidates[c].cost})
        | {"text": one.candidates[c].text, name: score}
        for c, score in zip(order, scores, strict=True)
    ]
    return json.dumps({key: value for key, value in values.items() if value} | {"candidates": rows}, ensure_ascii=False)


def as_nbest(one: CandidateList, number: int, order: Sequence[int], scores: Sequence[float]) -> str:
    """A list as lines of Moses, with its candidates in this order; `number` stands for the id of a list that has none."""
    name = one.id or str(number)
    lines = []
    for c, score in zip(order, scores, strict=True):
        features = " ".join(f"{key}= {x:g}" for key, x in one.candidates[c].numbers.items())
        lines.append(f"{name} ||| {' '.join(one.candidates[c].text.split())} ||| {features} ||| {score:.6g}")
    return "\n".join(lines)
