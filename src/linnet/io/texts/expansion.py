"""Columns that hold a value once and name it in many rows: categories (dictionaries) and string views. Made into strings, each
row has its own copy, so that a file of 100 KB may ask for a terabyte. So they are made piece by piece, and counted first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa

from linnet.core.types import I64
from linnet.io.bytes.unpacking import AT_ONCE, Content

_VIEW = 16
"""The bytes of a view, of which the first four are the length of its string."""
_OF_ANY_LENGTH = (pa.types.is_string, pa.types.is_large_string, pa.types.is_binary, pa.types.is_large_binary)


def pieces(batch: pa.RecordBatch, names: Sequence[str], content: Content) -> Iterator[pa.RecordBatch]:
    """A batch in pieces of bounded content, which is counted. Its columns must be valid."""
    columns = [batch.column(name) for name in names]
    sizes = sum((sizes_of(column) for column in columns), np.zeros(batch.num_rows, np.int64))
    content.add(int(sizes.sum()) + sum(_held(column) for column in columns))
    ends = np.cumsum(sizes)
    begin = 0
    while begin < batch.num_rows:
        before = ends[begin - 1] if begin else 0
        end = max(begin + 1, int(np.searchsorted(ends, before + AT_ONCE, side="right")))
        yield batch.slice(begin, end - begin)
        begin = end


def count_views(column: pa.Array, content: Content) -> None:
    """Count what the views of a column name, before Arrow looks at each of them to see whether it is valid."""
    if pa.types.is_dictionary(column.type):
        column = column.dictionary
    elif _is_list(column):
        column = column.flatten()
    if _has_views(column.type) and column.buffers()[1].size >= _VIEW * (column.offset + len(column)):
        content.add(int(np.maximum(_lengths(column), 0).sum()))


def sizes_of(column: pa.Array) -> I64:
    """The bytes that each row names, beside those that it holds.

    >>> sizes_of(pa.array(["abc", None, "abc"]).dictionary_encode()).tolist()
    [3, 0, 3]
    >>> sizes_of(pa.array(["abc", None, "d"])).tolist()
    [0, 0, 0]
    """
    kind = column.type
    if pa.types.is_dictionary(kind):
        of_values = np.append(_lengths(column.dictionary), 0)
        found: I64 = of_values[
            column.indices.cast(pa.int64()).fill_null(len(of_values) - 1).to_numpy(zero_copy_only=False)
        ]
        return found
    if _has_views(kind):
        return _lengths(column)
    if _is_list(column):
        of_values = sizes_of(column.flatten())
        if of_values.any():
            ends = np.cumsum(column.value_lengths().fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64))
            total = np.append(0, np.cumsum(of_values))[ends]
            return np.asarray(np.diff(total, prepend=0))
    return np.zeros(len(column), np.int64)


def _lengths(values: pa.Array) -> I64:
    """The bytes of each value of a dictionary, or of a column of views. ArrowInvalid for kinds whose values have no size that
    is known before they are made."""
    kind = values.type
    if _has_views(kind):
        views = np.frombuffer(values.buffers()[1], np.int32)[:: _VIEW // 4][values.offset : values.offset + len(values)]
        return np.where(values.is_null().to_numpy(zero_copy_only=False), 0, views).astype(np.int64)
    if any(of_kind(kind) for of_kind in _OF_ANY_LENGTH):
        from pyarrow.compute import binary_length

        found: I64 = binary_length(values).fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
        return found
    if pa.types.is_null(kind):
        return np.zeros(len(values), np.int64)
    if pa.types.is_nested(kind) or pa.types.is_dictionary(kind):
        raise pa.ArrowInvalid(f"categories of kind {kind}")
    try:
        return np.full(len(values), kind.bit_width // 8, np.int64)
    except ValueError:
        raise pa.ArrowInvalid(f"categories of kind {kind}") from None


def _has_views(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string_view(kind) or pa.types.is_binary_view(kind))


def _is_list(column: pa.Array) -> bool:
    return isinstance(column, pa.ListArray | pa.LargeListArray | pa.FixedSizeListArray)


def _held(column: pa.Array) -> int:
    """The bytes that a column has itself."""
    return int(column.indices.nbytes if pa.types.is_dictionary(column.type) else column.nbytes)
