"""Forged model files: a good one with some of its values changed, and every checksum recomputed."""

from __future__ import annotations

import json
import zlib
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
from json_changes import any_value, change_tree

from linnet.model.file import read_model

Arrays = dict[str, np.ndarray]
_NAMES = {"float32": "F32", "float64": "F64", "uint8": "U8", "uint32": "U32", "uint64": "U64"}
_DEEP = 3000
FLOATS = [np.nan, np.inf, -np.inf, 3e38, -3e38, 1e30, -1e30, 1e-45, 0, -0.0, 1, -1]
INTEGERS = [
    0,
    1,
    2,
    3,
    127,
    255,
    2**16,
    2**31 - 1,
    2**31,
    2**32 - 1,
    2**32,
    2**40,
    2**60,
    2**62,
    2**63 - 1,
    2**63,
    2**64 - 1,
]


class Summed(NamedTuple):
    """The bytes of an array, and their checksum."""

    raw: bytes
    crc32: int

    @classmethod
    def of(cls, array: np.ndarray) -> Summed:
        raw = array.tobytes()
        return cls(raw, zlib.crc32(raw))


@cache
def _parsed(path: Path) -> tuple[str, Arrays, dict[int, Summed]]:
    """The header of a good model, as JSON, its arrays, and the bytes of each array by its id."""
    header, arrays = read_model(path)
    for name in ("arrays", "packed"):
        header.pop(name, None)
    arrays = {name: np.array(array) for name, array in arrays.items()}
    for array in arrays.values():
        array.flags.writeable = False
    return json.dumps(header), arrays, {id(array): Summed.of(array) for array in arrays.values()}


def forged(path: Path, rng: Random) -> bytes:
    """The bytes of a model file like the one at `path`, with one to three changes."""
    text, arrays, summed = _parsed(path)
    header, arrays = json.loads(text), dict(arrays)
    tricks: list[str] = []
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        kind = rng.random()
        if kind < 0.5:
            change_tree(header, rng)
        elif kind < 0.92:
            _change_array(arrays, rng)
        else:
            tricks.append(rng.choice(TRICKS))
    return written(header, arrays, summed, tricks, rng)


def _change_array(arrays: Arrays, rng: Random) -> None:
    name = rng.choice(list(arrays)) if arrays else None
    if name is None:
        return
    array = arrays[name] = arrays[name].copy()
    change = rng.choice(CHANGES)
    if not array.size and change in ("value", "fill", "own", "many", "exchange", "reverse", "sort"):
        change = "append"
    special = FLOATS if array.dtype.kind == "f" else [n for n in INTEGERS if n <= np.iinfo(array.dtype).max]
    flat = array.reshape(-1)
    if change == "value":
        for _ in range(rng.choice([1, 1, 3])):
            flat[rng.randrange(flat.size)] = rng.choice(special)
    elif change == "near":
        if flat.size:
            k = rng.randrange(flat.size)
            with np.errstate(all="ignore"):
                flat[k] = flat[k] + flat.dtype.type(1) if rng.random() < 0.5 else flat[k] - flat.dtype.type(1)
    elif change == "exchange":
        i, j = rng.randrange(flat.size), rng.randrange(flat.size)
        flat[i], flat[j] = flat[j], flat[i] if rng.random() < 0.5 else flat[j]
    elif change == "fill":
        flat[:] = rng.choice(special)
    elif change == "own":  # all as one of them
        begin, end = sorted((rng.randrange(flat.size), rng.randrange(flat.size)))
        flat[begin : end + 1] = rng.choice(flat)
    elif change == "many":  # one of them many times more
        arrays[name] = np.append(flat, np.full(rng.choice([100, 100_000]), rng.choice(flat), array.dtype))
    elif change == "reverse":
        arrays[name] = flat[::-1].reshape(array.shape).copy()
    elif change == "sort":
        arrays[name] = np.sort(flat).reshape(array.shape)
    elif change == "repeat":
        arrays[name] = np.concatenate([array, array]) if array.ndim else array
    elif change == "cut":
        arrays[name] = array[: rng.choice([0, 1, -1])].copy() if array.ndim else array
    elif change == "narrow":
        arrays[name] = np.ascontiguousarray(array[..., : rng.choice([0, 1, -1])]) if array.ndim else array
    elif change == "append":
        arrays[name] = np.append(flat, np.array([rng.choice(special)], array.dtype))
    elif change == "flat":
        arrays[name] = flat.reshape(rng.choice([(-1,), (1, -1), (-1, 1)]) if flat.size else (0,)).copy()
    elif change == "turn":
        arrays[name] = np.ascontiguousarray(array.T)
    elif change == "type":
        with np.errstate(all="ignore"):
            arrays[name] = array.astype(rng.choice([*_NAMES]))
    elif change == "drop":
        del arrays[name]
    elif change == "rename":
        arrays[rng.choice(["more", name + "0", name.rpartition(".")[0] + ".9", ""])] = arrays.pop(name)
    elif change == "copy":
        arrays[name] = arrays[rng.choice(list(arrays))].copy()
    elif change == "scalar":
        arrays[name] = np.array(rng.choice(special), array.dtype)


CHANGES = (
    *["value"] * 6, *["near"] * 5, *["exchange"] * 5, "fill", "fill", "own", "own", "many", "many", "reverse", "sort",
    "repeat", "cut", "narrow", "append", "flat", "turn", "type", "drop", "rename", "copy", "scalar",
)  # fmt: skip
TRICKS = ("duplicate key", "overlap", "deep", "shape", "crc", "packed", "gap", "many", "length", "not json", "kind")


def written(header: dict[str, Any], arrays: Arrays, summed: dict[int, Summed], tricks: list[str], rng: Random) -> bytes:
    """A model file of a header and arrays. Whatever they are, the checksums are right, but for the tricks. `summed` has what
    is known already of arrays, by their ids."""
    shapes: dict[str, Any] = {name: list(array.shape) for name, array in arrays.items()}
    kinds = {name: _NAMES[array.dtype.name] for name, array in arrays.items()}
    sums = {name: summed.get(id(array)) or Summed.of(array) for name, array in arrays.items()}
    raw = {name: one.raw for name, one in sums.items()}
    some = rng.choice([*raw, None])
    if "shape" in tricks and some is not None:
        shapes[some] = rng.choice(
            [[2**32, 2**32], [-1, -1], [2**62], [0, 2**63], shapes[some] + [1], "x", [True], [1.0], [[1]]]
        )
    if "kind" in tricks and some is not None:
        kinds[some] = rng.choice(["F16", "I64", "BOOL", "X", 3, None])
    listed = {name: [kinds[name], shapes[name], one.crc32] for name, one in sums.items()}
    if "crc" in tricks and some is not None:
        listed[some] = rng.choice(
            [None, [], ["F32"], [kinds[some], shapes[some], "x"], [kinds[some], shapes[some], 2**70]]
        )
    own = {"schema": 3, **header, "arrays": listed, "packed": {}}
    own |= {name: header[name] for name in ("schema", "arrays", "packed") if name in header}
    if "packed" in tricks:
        own["packed"] = rng.choice([[], "x", {"x": 3}, {some: [2**40]}, {some: "x"}, {some: [-1]}, {"x": [[]]}, None])
    if "many" in tricks:
        own["arrays"] |= {f"more.{k}": ["F32", [0], 0] for k in range(rng.choice([*[300] * 40, 3000, 3000, 30_000]))}
    text = json.dumps(own)
    if "duplicate key" in tricks:
        key = rng.choice(list(own))
        text = text[:-1] + f", {json.dumps(key)}: {json.dumps(rng.choice([own[key], any_value(rng)]))}}}"
    if "deep" in tricks:
        text = text[:-1] + ', "report": ' + '{"a": [' * _DEEP + "]}" * _DEEP + "}"
    if "not json" in tricks:
        text = rng.choice(["", "[]", "3", "null", '"x"', "{", "NaN", text + "x", '{"schema": 3}', "[" * 10**5])
    table: dict[str, Any] = {
        "__metadata__": {"linnet": text, "crc32": str(zlib.crc32(text.encode("utf-8", "surrogatepass")))}
    }
    end, body = 0, []
    for name in sorted(raw, key=lambda name: -arrays[name].itemsize):
        start = 0 if "overlap" in tricks and rng.random() < 0.5 else end
        table[name] = {"dtype": kinds[name], "shape": shapes[name], "data_offsets": [start, start + len(raw[name])]}
        if start == end:
            body.append(raw[name])
            end += len(raw[name])
        if "gap" in tricks:
            body.append(bytes(8))
            end += 8
    head = json.dumps(table, separators=(",", ":")).encode()
    head += b" " * (-len(head) % 8)
    size = rng.choice([2**63, 2**64 - 1, len(head) + 8, 0, 10**9]) if "length" in tricks else len(head)
    return b"".join([size.to_bytes(8, "little"), head, *body])
