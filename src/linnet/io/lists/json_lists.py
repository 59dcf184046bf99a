"""JSON lines: one list of candidates an object, {"source": ..., "candidates": [{"text": ..., "score": ..., "cost": ...}]}.

A candidate is a string or an object. Its cost is under `cost` or `rank` (1 is the best), or under the key that the user
names. Under "features" there may be an object with features by name. Every other number is one of the scores. `cost`
and `rank` never are, whichever key has the cost: they would tell the answer that is to be learned, and data without
answers lack them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from linnet.io.bytes.faults import Where, encoded
from linnet.io.bytes.line_blocks import blocks
from linnet.io.bytes.source import Source
from linnet.io.lists.lists import Candidate, CandidateList
from linnet.io.sentences.json_sentences import _object
from linnet.io.sentences.spans import shown
from linnet.io.texts.columns import listed

_COSTS = ("cost", "rank")
_EXAMPLE = '{"candidates": [{"text": "a dog", "cost": 0}, {"text": "the dog", "cost": 1}]}'
_BLOCK = 1 << 20


class JsonLists:
    name = "jsonl"
    description = (
        "JSON lines: one object a line, with source and candidates: texts, or objects with text, cost and scores"
    )
    extensions = (".jsonl", ".ndjson", ".json")
    empty = f"the file holds no candidates. Expected lines such as {_EXAMPLE}."

    def sniff(self, head: bytes) -> bool:
        return head.lstrip()[:1] == b"{"

    def read(self, source: Source, cost: str | None) -> Iterator[CandidateList]:
        with source.open() as stream:
            for block in blocks(stream, _BLOCK):
                for number, raw in block.numbered():
                    where = Where(source.name, number)
                    yield as_list(_object(raw, where), where, cost)


def as_list(values: Mapping[str, object], where: Where, cost: str | None) -> CandidateList:
    """The list that an object of JSON describes. cost: the key of the costs; None: the usual one."""
    if "candidates" not in values:
        found = listed(list(values)) or "no key"
        raise where.fault(f"expected the key 'candidates', found {found}. Write lines such as {_EXAMPLE}.")
    candidates = values["candidates"]
    if not isinstance(candidates, list) or not candidates:
        raise where.fault(f"expected a list of candidates, found {shown(candidates)}. Write lines such as {_EXAMPLE}.")
    x, reference, name = (_text(values.get(key, ""), key, where) for key in ("source", "reference", "id"))
    return CandidateList([_candidate(one, where, cost) for one in candidates], x, name, reference)


def _text(value: object, key: str, where: Where) -> str:
    if isinstance(value, int) and key == "id":
        return str(value)
    if not isinstance(value, str):
        raise where.fault(f"expected a string under '{key}', found {shown(value)}. Put the text in quotes.")
    encoded([value], key, where)
    return value


def _candidate(value: object, where: Where, cost: str | None) -> Candidate:
    if isinstance(value, str):
        return Candidate(_text(value, "candidates", where))
    if not isinstance(value, Mapping) or not ("text" in value or "features" in value):
        raise where.fault(
            f"expected a candidate to be a string or an object with a text, found {shown(value)}. Write lines such as "
            f"{_EXAMPLE}."
        )
    key = cost if cost is not None else next((key for key in _COSTS if key in value), None)
    features = value.get("features", {})
    if not isinstance(features, Mapping):
        raise where.fault(f"expected an object of numbers under 'features', found {shown(features)}.")
    return Candidate(
        _text(value.get("text", ""), "text", where),
        {name: _number(x, name, where) for name, x in value.items() if name not in (key, *_COSTS) and _is_number(x)},
        {name: _number(x, name, where) for name, x in features.items()},
        _number(value[key], key, where) if key is not None and value.get(key) is not None else None,
    )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _number(value: object, key: str, where: Where) -> float:
    try:
        number = float(value) if isinstance(value, int | float) else math.nan
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise where.fault(f"expected a number under '{key}', found {shown(value)}. Correct it, or leave it out.")
    return number
