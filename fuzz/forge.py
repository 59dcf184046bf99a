"""Forged model files: a good one with some of its values changed, and every checksum recomputed."""

from __future__ import annotations

import copy
import json
import zlib
from pathlib import Path
from random import Random
from typing import Any

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


def forged(path: Path, rng: Random) -> bytes:
    """The bytes of a model file like the one at `path`, with one to three changes."""
    header, arrays = read_model(path)
    header = copy.deepcopy(header)
    for name in ("arrays", "packed"):
        header.pop(name, None)
    arrays = {name: np.array(array) for name, array in arrays.items()}
    tricks: list[str] = []
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        kind = rng.random()
        if kind < 0.5:
            change_tree(header, rng)
        elif kind < 0.92:
            _change_array(arrays, rng)
        else:
            tricks.append(rng.choice(TRICKS))
    return written(header, arrays, tricks, rng)


def _change_array(arrays: Arrays, rng: Random) -> None:
    name = rng.choice(list(arrays)) if arrays else None
    if name is None:
        return
    array = arrays[name]
    change = rng.choice(CHANGES)
    if change == "value" or (change in ("fill", "swap", "reverse", "sort") and not array.size):
        change = "value" if array.size else "append"
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
    elif change == "fill":
        flat[:] = rng.choice(special)
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
    *["value"] * 8, *["near"] * 3, "fill", "fill", "reverse", "sort", "repeat", "cut", "narrow", "append", "flat", "turn",
    "type", "drop", "rename", "copy", "scalar",
)  # fmt: skip
TRICKS = ("duplicate key", "overlap", "deep", "shape", "crc", "packed", "gap", "many", "length", "not json", "kind")


def written(header: dict[str, Any], arrays: Arrays, tricks: list[str], rng: Random) -> bytes:
    """A model file of a header and arrays. Whatever they are, the checksums are right, but for the tricks."""
    shapes: dict[str, Any] = {name: list(array.shape) for name, array in arrays.items()}
    kinds = {name: _NAMES[array.dtype.name] for name, array in arrays.items()}
    raw = {name: np.ascontiguousarray(array).tobytes() for name, array in arrays.items()}
    some = rng.choice([*raw, None])
    if "shape" in tricks and some is not None:
        shapes[some] = rng.choice(
            [[2**32, 2**32], [-1, -1], [2**62], [0, 2**63], shapes[some] + [1], "x", [True], [1.0], [[1]]]
        )
    if "kind" in tricks and some is not None:
        kinds[some] = rng.choice(["F16", "I64", "BOOL", "X", 3, None])
    listed = {name: [kinds[name], shapes[name], zlib.crc32(raw[name])] for name in raw}
    if "crc" in tricks and some is not None:
        listed[some] = rng.choice(
            [None, [], ["F32"], [kinds[some], shapes[some], "x"], [kinds[some], shapes[some], 2**70]]
        )
    own = {"schema": 3, **header, "arrays": listed, "packed": {}}
    own |= {name: header[name] for name in ("schema", "arrays", "packed") if name in header}
    if "packed" in tricks:
        own["packed"] = rng.choice([[], "x", {"x": 3}, {some: [2**40]}, {some: "x"}, {some: [-1]}, {"x": [[]]}, None])
    if "many" in tricks:
        own["arrays"] |= {f"more.{k}": ["F32", [0], 0] for k in range(20_000)}
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
    end, body = 0, b""
    for name in sorted(raw, key=lambda name: -arrays[name].itemsize):
        start = 0 if "overlap" in tricks and rng.random() < 0.5 else end
        table[name] = {"dtype": kinds[name], "shape": shapes[name], "data_offsets": [start, start + len(raw[name])]}
        if start == end:
            body += raw[name]
            end += len(raw[name])
        if "gap" in tricks:
            body, end = body + bytes(8), end + 8
    head = json.dumps(table, separators=(",", ":")).encode()
    head += b" " * (-len(head) % 8)
    size = rng.choice([2**63, 2**64 - 1, len(head) + 8, 0, 10**9]) if "length" in tricks else len(head)
    return size.to_bytes(8, "little") + head + body
