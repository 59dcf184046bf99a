"""Columns of text of any type, converted to one Arrow type; what is Arrow already is not copied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa

from linnet.core.absent import is_absent
from linnet.core.arrow import texts
from linnet.errors import DataError, shown

TextLike: TypeAlias = Any
"""One column of text: a list[str], a NumPy array, an Arrow array, a pandas or Polars Series."""


def as_text(column: TextLike) -> pa.ChunkedArray | pa.Array:
    """An Arrow array (or several) of large strings, without nulls: a missing text is an empty one."""
    if isinstance(column, pa.Array | pa.ChunkedArray):
        return _without_nulls(column)
    if isinstance(column, list | tuple):
        return _from_sequence(column)
    if isinstance(column, str | bytes):
        raise DataError("expected many texts, found a single string. Pass a list: [text].")
    if isinstance(column, pa.Table | pa.RecordBatch) or getattr(column, "ndim", 1) != 1 or hasattr(column, "columns"):
        names = ", ".join(repr(name) for name in _column_names(column)) or "none"
        raise DataError(f"expected one column of text, found a table. Pass one of its columns ({names}).")
    return _without_nulls(_to_arrow(column))


def _column_names(table: TextLike) -> list[str]:
    names = getattr(table, "column_names", getattr(table, "columns", []))
    return [str(name) for name in names]


def _from_sequence(column: Sequence[str | None]) -> pa.Array:
    try:
        return texts("" if text is None else text for text in column)
    except (AttributeError, UnicodeEncodeError) as error:
        if any(is_absent(text) and text is not None for text in column):
            return _from_sequence([None if is_absent(text) else text for text in column])
        raise DataError(_why_not_text(column)) from error


def _why_not_text(column: Sequence[Any]) -> str:
    for i, text in enumerate(column):
        if text is None:
            continue
        if not isinstance(text, str):
            hint = " Join its words with blanks." if isinstance(text, list | tuple) else ""
            return f"expected text at position {i}, found {type(text).__name__}: {shown(text)}.{hint}"
        try:
            text.encode()
        except UnicodeEncodeError:
            return f"the text at position {i} holds half a surrogate pair, which is not a character: {shown(text)}."
    return "expected a list of strings."


def _to_arrow(column: TextLike) -> pa.ChunkedArray | pa.Array:
    if hasattr(column, "__arrow_c_stream__"):
        return pa.chunked_array(column)
    if hasattr(column, "__arrow_c_array__"):
        return pa.array(column)
    if not hasattr(column, "__iter__"):
        raise DataError(f"expected many texts, found {type(column).__name__}: {shown(column)}. Pass a list: [text].")
    return _from_sequence(list(column))


def _without_nulls(array: pa.ChunkedArray | pa.Array) -> pa.ChunkedArray | pa.Array:
    if array.type != pa.large_string():
        if not (pa.types.is_string(array.type) or pa.types.is_string_view(array.type) or _is_dictionary(array.type)):
            raise DataError(f"expected a column of text, found one of {array.type}.")
        chunks = array.chunks if isinstance(array, pa.ChunkedArray) else [array]
        array = pa.chunked_array([_widened(chunk) for chunk in chunks], pa.large_string())
    return array.fill_null("") if array.null_count else array


def _widened(chunk: pa.Array) -> pa.Array:
    """Strings with offsets of 64 bits. Of plain strings only the offsets are copied. That also avoids the import of
    pyarrow.compute, which `cast` needs and which takes 0.1 s."""
    if chunk.type != pa.string() or chunk.null_count or not len(chunk):
        return chunk.cast(pa.large_string())
    _, offsets, data = chunk.buffers()
    wide = np.frombuffer(offsets, np.int32, len(chunk) + 1, 4 * chunk.offset).astype(np.int64)
    return pa.Array.from_buffers(pa.large_string(), len(chunk), [None, pa.py_buffer(wide), data])


def _is_dictionary(kind: pa.DataType) -> bool:
    return bool(pa.types.is_dictionary(kind)) and bool(
        pa.types.is_string(kind.value_type) or pa.types.is_large_string(kind.value_type)
    )
