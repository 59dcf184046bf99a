"""Arrow arrays of what is in Python, and back. `pa.array`, `pa.scalar` and `to_numpy` would import pandas wherever that is
installed, which takes a fifth of a second and 40 MB."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

_NUMPY = {pa.int64(): np.int64, pa.float64(): np.float64}


def large_strings(values: Sequence[bytes]) -> pa.Array:
    """A large_string array of values that are known to be UTF-8.

    >>> large_strings([b"a", b"", "é".encode()]).to_pylist()
    ['a', '', 'é']
    """
    return _large_strings(values, None)


def plain_array(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """An Arrow array of strings, booleans, int64 or double values, with None for null. Half a surrogate pair is written as
    JSON spells it.

    >>> plain_array(["a", None, "\\ud83d"], pa.large_string()).to_pylist()
    ['a', None, '\\\\ud83d']
    """
    validity = _bits([value is not None for value in values])
    if kind == pa.large_string():
        return _large_strings([(value or "").encode("utf-8", "backslashreplace") for value in values], validity)
    if kind == pa.bool_():
        return pa.Array.from_buffers(kind, len(values), [validity, _bits([bool(value) for value in values])])
    data = np.array([0 if value is None else value for value in values], _NUMPY[kind])
    return pa.Array.from_buffers(kind, len(values), [validity, pa.py_buffer(data)])


def has_empty(column: pa.ChunkedArray) -> bool:
    """Whether a large_string column without nulls holds the empty string."""
    return any(len(chunk) and not np.diff(_offsets(chunk)).all() for chunk in column.chunks)


def _large_strings(values: Sequence[bytes], validity: pa.Buffer | None) -> pa.Array:
    offsets = np.zeros(len(values) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, values), np.int64, len(values)), out=offsets[1:])
    buffers = [validity, pa.py_buffer(offsets), pa.py_buffer(b"".join(values))]
    return pa.Array.from_buffers(pa.large_string(), len(values), buffers)


def _offsets(chunk: pa.Array) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.frombuffer(chunk.buffers()[1], np.int64, count=len(chunk) + 1, offset=8 * chunk.offset)


def _bits(flags: Sequence[bool]) -> pa.Buffer:
    return pa.py_buffer(np.packbits(flags, bitorder="little"))


def texts(values: Iterable[str]) -> pa.LargeStringArray:
    """A large_string array of strings."""
    return large_strings([value.encode() for value in values])


def text(value: str) -> pa.LargeStringScalar:
    return texts([value])[0]


def numbers(values: npt.NDArray[Any]) -> pa.Array:
    """An Arrow array over the memory of a NumPy array of integers, without a copy."""
    flat = np.ascontiguousarray(values)
    return pa.Array.from_buffers(pa.from_numpy_dtype(flat.dtype), len(flat), [None, pa.py_buffer(flat)])


def number(value: int) -> pa.Int64Scalar:
    return numbers(np.array([value]))[0]


def flags(values: pa.BooleanArray) -> npt.NDArray[np.bool_]:
    found: npt.NDArray[np.bool_] = np.from_dlpack(values.cast(pa.uint8())).view(np.bool_)
    return found
