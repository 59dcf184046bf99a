"""The model file: safetensors arrays and a JSON header. It holds data only; nothing in it is ever executed.

    8 bytes   length of the table
    table     JSON: name, type, shape and place of each array; `__metadata__.linnet` is linnet's own header, as JSON
    arrays    little-endian, read in place by mmap; weights that are mostly zero, or of few values, are packed (packing.py)

The header lists the CRC-32 and the shape of every array, and `__metadata__.crc32` is that of the header, so that a
changed byte anywhere is found when the file is loaded; in arrays of 16 MB and more, a moment after that (checking.py).

Checksums find damage, not malice: whoever forges a file computes them anew. So nothing in it is believed. This module
checks that the arrays lie in the file, one after the other, without gaps and overlaps. What each array and each value
of the header may be is declared beside the code that writes it (core/schema.py), and checked before anything is made of
it. Arrays are read from the file as they are used or, if packed, take at most 32 times their size in it.
"""

from __future__ import annotations

import errno
import json
import math
import os
import zlib
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError, safe_open

from linnet.core.room import give_back
from linnet.core.schema import LARGE, DictOf, ListOf, Record, Row, Text, Whole, later
from linnet.core.types import Array, Json
from linnet.errors import ModelError, UsageError
from linnet.io.bytes.atomic import atomic
from linnet.io.bytes.source import nearest
from linnet.model.packing import Arrays, NotAllThereError, packed, unpacked

SCHEMA = 3
"""The version of the file format and of how text becomes features: it is raised when old weights would mean something else."""
_TYPES = {"F32": np.float32, "F64": np.float64, "U8": np.uint8, "U32": np.uint32, "U64": np.uint64}
_NAMES = {np.dtype(kind): name for name, kind in _TYPES.items()}
_MOST = 1 << 48
"""The most numbers that an array can have. A side of 0 counts as 1 here, so that a shape such as (0, 2^60) is refused,
too."""
_SHAPE = ListOf(Whole(0, _MOST), most=8)
_FILE = Record(
    {"schema": Whole(), "arrays": DictOf(Row((Text(tuple(_TYPES)), _SHAPE, Whole(0, 2**32 - 1))))},
    {"packed": DictOf(_SHAPE)},
    open=True,
)
"""What every header has, whatever model it is of: the type, the shape and the checksum of each array."""
_STRETCH = 1 << 22
"""The number of bytes of an array that are read or written at a time."""
_BEGINS = b'{"__metadata__":{"linnet":'
"""The first bytes of the table of every model file, which follow its length."""


def is_model_file(path: str | os.PathLike[str]) -> bool:
    """Whether a file begins as model files do. No text begins so, and no other file of safetensors."""
    with open(path, "rb") as file:
        return file.read(8 + len(_BEGINS))[8:] == _BEGINS


def check_replaced(path: str | os.PathLike[str]) -> None:
    """Raise UsageError where a model would replace a file with something else in it: data, most likely."""
    name = os.fspath(path)
    if os.path.isfile(name) and os.path.getsize(name) and not is_model_file(name):
        raise UsageError(
            f"cannot save the model as '{name}': there is a file of that name, which is not a model. Choose another name, or "
            "replace it with force=True."
        )


def write_model(path: str | os.PathLike[str], header: Mapping[str, Json], arrays: Arrays) -> None:
    """Write a model file. If writing fails, a file that was there stays as it was. Arrays that are not packed are written
    without a second copy in memory, and those that are mapped from files a stretch at a time."""
    head, pieces = _laid_out(header, arrays)
    with atomic(path) as file:
        file.write(head)
        for array in pieces:
            for some in _stretches(array):
                file.write(some)


def size_of_file(header: Mapping[str, Json], arrays: Arrays) -> int:
    """The number of bytes that `write_model` would write."""
    head, pieces = _laid_out(header, arrays)
    return len(head) + sum(array.nbytes for array in pieces)


def _laid_out(header: Mapping[str, Json], arrays: Arrays) -> tuple[bytes, list[Array]]:
    """The first bytes of a model file, and the arrays that follow them."""
    arrays, shapes = packed(arrays)
    kinds = {name: [_NAMES[array.dtype], list(array.shape)] for name, array in arrays.items()}
    checked = {name: [*kinds[name], _crc32(array)] for name, array in arrays.items()}
    whole = {"schema": SCHEMA, **header, "arrays": checked, "packed": shapes}
    own = json.dumps(_finite(whole), ensure_ascii=False, allow_nan=False)
    table: dict[str, Json] = {"__metadata__": {"linnet": own, "crc32": str(zlib.crc32(own.encode()))}}
    end = 0
    # The largest items come first, so that each array begins at a multiple of its item size.
    names = sorted(arrays, key=lambda name: -arrays[name].itemsize)
    for name in names:
        kind, shape = kinds[name]
        table[name] = {"dtype": kind, "shape": shape, "data_offsets": [end, end + arrays[name].nbytes]}
        end += arrays[name].nbytes
    head = json.dumps(table, ensure_ascii=False, separators=(",", ":")).encode()
    head += b" " * (-len(head) % 8)  # The arrays begin at a multiple of 8, the size of the largest items.
    return len(head).to_bytes(8, "little") + head, [arrays[name] for name in names]


def identity(path: str | os.PathLike[str]) -> str:
    """A hash of a model file, by which it is known again. It is that of the table, which has checksums of all arrays."""
    from hashlib import sha256

    with open(path, "rb") as file:
        size = int.from_bytes(file.read(8), "little")
        return sha256(file.read(size)).hexdigest()


def read_model(path: str | os.PathLike[str]) -> tuple[dict[str, Json], Arrays]:
    """Read the header and the arrays, which are read-only and, unless packed, stay in the file. Raise ModelError if any is
    damaged."""
    name = os.fspath(path)
    if not Path(name).is_file():
        near = "" if os.path.isdir(name) else nearest(name)
        raise ModelError(f"{name}: there is no such model file.{near or ' `linnet train DATA -o MODEL` writes one.'}")
    data = _mapped(name) if os.path.getsize(name) else np.zeros(0, np.uint8)
    try:
        metadata = _metadata(name)
        head, body = _split(data)
        header = _header(metadata)
        return header, unpacked(_arrays(header, head, body), header.get("packed", {}))
    except _DamagedError as damage:
        raise ModelError(f"{name}: {damage}") from None
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{name}: the model file is damaged ({error}). Copy or train it again.") from None
    except NotAllThereError as array:
        raise ModelError(
            f"{name}: the model file is damaged (a part of array {str(array)!r} is missing). Train it again."
        ) from None


def _mapped(name: str) -> npt.NDArray[np.uint8]:
    """The bytes of a file, which stay in it. Raise ModelError where there is no room for them, even so."""
    try:
        return np.memmap(name, np.uint8, "r")
    except OSError as error:
        if error.errno != errno.ENOMEM:
            raise
        raise ModelError(f"{name}: the model needs more memory than there is. Use a smaller one.") from None


def _finite(value: Json) -> Json:
    """A value that JSON can hold: inf, -inf and nan become strings, which float() reads back."""
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


class _DamagedError(ModelError):
    """Raised with the reason why a file is not a good model file."""


_NOT_A_MODEL = "this is not a linnet model file. `linnet train DATA -o MODEL` writes one."


def _metadata(name: str) -> dict[str, str]:
    """The metadata of the file, after safetensors has checked that its table makes sense."""
    try:
        with safe_open(name, "numpy") as file:
            metadata = file.metadata()
    except (SafetensorError, OSError) as error:
        if "header too" in str(error):  # "header too large" or "header too small": no file of safetensors at all
            raise _DamagedError(_NOT_A_MODEL) from None
        raise _DamagedError(f"the model file is damaged or cut short ({error}). Copy or train it again.") from None
    if not metadata or "linnet" not in metadata:
        raise _DamagedError(_NOT_A_MODEL)
    return dict(metadata)


def _split(data: npt.NDArray[np.uint8]) -> tuple[dict[str, Json], npt.NDArray[np.uint8]]:
    """The table of arrays, and the bytes of the arrays that follow it, which are not copied."""
    size = int.from_bytes(data[:8].tobytes(), "little")
    return _parsed(data[8 : 8 + size].tobytes().decode()), data[8 + size :]


def _parsed(text: str) -> dict[str, Json]:
    """A JSON object. Raise ValueError or RecursionError where it is none, or has a key twice."""
    value = json.loads(text, object_pairs_hook=_each_once, parse_constant=_no_number)
    if not isinstance(value, dict):
        raise ValueError("its header is no JSON object")
    return value


def _each_once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key of its header is there twice")
    return found


def _no_number(name: str) -> float:
    raise ValueError(f"{name} in its header is no JSON")


def _header(metadata: dict[str, str]) -> dict[str, Json]:
    if str(zlib.crc32(metadata["linnet"].encode("utf-8", "surrogatepass"))) != metadata.get("crc32"):
        raise _DamagedError("the model file is damaged (its header has changed). Copy or train it again.")
    header = _parsed(metadata["linnet"])
    Whole().check(header.get("schema"), "schema")
    if header["schema"] > SCHEMA:
        raise _DamagedError(
            f"the model was written by a newer linnet ({header.get('version')}). Upgrade linnet to read it."
        )
    if header["schema"] < SCHEMA:
        raise _DamagedError(
            f"the model was written by an older linnet ({header.get('version')}), which read text in another way. "
            "Train it again."
        )
    _FILE.check(header)
    return header


def _arrays(header: dict[str, Json], head: dict[str, Json], body: npt.NDArray[np.uint8]) -> Arrays:
    """The arrays as they lie in the file: each where the table says, with the type, the shape and the checksum that the
    header has for it. Raise an error where they overlap, or where there are other bytes between or after them."""
    arrays: Arrays = {}
    places = []
    for name, (kind, shape, crc) in header["arrays"].items():
        start, end = _place(head.get(name), kind, shape)
        if end > len(body):
            raise _DamagedError("the model file is cut short. Copy or train it again.")
        places.append((start, end))
        piece = body[start:end]
        if len(piece) >= LARGE:
            later(partial(_check_sum, name, piece, crc))
        else:
            _check_sum(name, piece, crc)
        arrays[name] = piece.view(_TYPES[kind]).reshape(shape)
    ends = [0, *(end for _, end in sorted(places))]
    if [start for start, _ in sorted(places)] != ends[:-1] or ends[-1] != len(body):
        raise _DamagedError(
            "the model file is damaged (there is more in it than there should be). Copy or train it again."
        )
    return arrays


def _check_sum(name: str, piece: npt.NDArray[np.uint8], crc: int) -> None:
    if zlib.crc32(_bytes(piece)) != crc:
        raise _DamagedError(f"the model file is damaged (array {name!r} has changed). Copy or train it again.")


def _place(entry: Json, kind: str, shape: list[int]) -> tuple[int, int]:
    """Where an array begins and ends among the bytes of all arrays, by its entry in the table."""
    offsets = entry.get("data_offsets") if isinstance(entry, dict) else None
    if not isinstance(offsets, list) or not offsets or not isinstance(offsets[0], int):
        raise _DamagedError("the model file is damaged (its table has changed). Copy or train it again.")
    if math.prod(max(n, 1) for n in shape) > _MOST:
        raise ValueError("an array of it is larger than any memory")
    size, start = math.prod(shape) * np.dtype(_TYPES[kind]).itemsize, offsets[0]
    fits = entry == {"dtype": kind, "shape": shape, "data_offsets": [start, start + size]}
    if not fits or start % np.dtype(_TYPES[kind]).itemsize:
        raise _DamagedError("the model file is damaged (its table has changed). Copy or train it again.")
    return start, start + size


def _crc32(array: Array) -> int:
    crc = 0
    for some in _stretches(array):
        crc = zlib.crc32(some, crc)
    return crc


def _stretches(array: Array) -> Iterator[memoryview]:
    """Yield the bytes of an array. Of one that is mapped from a file, a stretch of them is in memory at a time."""
    whole = _bytes(array)
    for begin in range(0, len(whole), _STRETCH):
        yield whole[begin : begin + _STRETCH]
        give_back(array)


def _bytes(array: Array) -> memoryview:
    return array.reshape(-1).view(np.uint8).data if array.size else memoryview(b"")
