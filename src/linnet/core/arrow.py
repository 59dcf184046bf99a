"""Arrow arrays of what is in Python, and back. `pa.array`, `pa.scalar` and `to_numpy` would import pandas wherever that is
installed, which takes a fifth of a second and 40 MB."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa


def texts(values: Iterable[str]) -> pa.LargeStringArray:
    encoded = [value.encode() for value in values]
    offsets = np.zeros(len(encoded) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, encoded), np.int64, len(encoded)), out=offsets[1:])
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(b"".join(encoded))]
    return pa.Array.from_buffers(pa.large_string(), len(encoded), buffers)


def text(value: str) -> pa.LargeStringScalar:
    return texts([value])[0]


def numbers(values: npt.NDArray[Any]) -> pa.Array:
    """Of integers, in place."""
    flat = np.ascontiguousarray(values)
    return pa.Array.from_buffers(pa.from_numpy_dtype(flat.dtype), len(flat), [None, pa.py_buffer(flat)])


def number(value: int) -> pa.Int64Scalar:
    return numbers(np.array([value]))[0]


def flags(values: pa.BooleanArray) -> npt.NDArray[np.bool_]:
    found: npt.NDArray[np.bool_] = np.from_dlpack(values.cast(pa.uint8())).view(np.bool_)
    return found
