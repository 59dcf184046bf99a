"""Arrow arrays of what is in Python, and back. `pa.array`, `pa.scalar` and `to_numpy` would import pandas wherever that is
installed, which takes a fifth of a second and 40 MB."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Sized

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet.core.types import Array, Integers, Json

_NUMPY = {pa.int64(): np.int64, pa.float64(): np.float64}


def large_strings(values: Sequence[bytes]) -> pa.Array:
    """A large_string array of values that are known to be UTF-8.

    >>> large_strings([b"a", b"", "é".encode()]).to_pylist()
    ['a', '', 'é']
    """
    return _large_strings(values, None)


def plain_array(values: Sequence[Json], kind: pa.DataType) -> pa.Array:
    """An Arrow array of strings, booleans, int64 or double values, or of lists of doubles, with None for null. Half a surrogate
    pair is written as JSON spells it.

    >>> plain_array(["a", None, "\\ud83d"], pa.large_string()).to_pylist()
    ['a', None, '\\\\ud83d']
    """
    validity = _bits([value is not None for value in values])
    if kind == pa.large_string():
        return _large_strings([(value or "").encode("utf-8", "backslashreplace") for value in values], validity)
    if kind == pa.bool_():
        return pa.Array.from_buffers(kind, len(values), [validity, _bits([bool(value) for value in values])])
    if pa.types.is_list(kind):
        return pa.array(values, kind)
    data = np.array([0 if value is None else value for value in values], _NUMPY[kind])
    return pa.Array.from_buffers(kind, len(values), [validity, pa.py_buffer(data)])


def _large_strings(values: Sequence[bytes], validity: pa.Buffer | None) -> pa.Array:
    offsets = np.zeros(len(values) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, values), np.int64, len(values)), out=offsets[1:])
    buffers = [validity, pa.py_buffer(offsets), pa.py_buffer(b"".join(values))]
    return pa.Array.from_buffers(pa.large_string(), len(values), buffers)


def string_bytes(chunk: pa.Array) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8]]:
    """Where each string of a large_string array begins and the last one ends, and the bytes of all strings, which are
    not copied. The array must not have nulls.

    >>> at, raw = string_bytes(large_strings([b"a", b"bc"]).slice(1))
    >>> at.tolist(), raw.tobytes()
    ([1, 3], b'abc')
    """
    if not len(chunk):
        return np.zeros(1, np.int64), np.zeros(0, np.uint8)
    _, offsets, data = chunk.buffers()
    at = np.frombuffer(offsets, np.int64, count=len(chunk) + 1, offset=8 * chunk.offset)
    return at, np.zeros(0, np.uint8) if data is None else np.frombuffer(data, np.uint8)


def _bits(flags: Sequence[bool]) -> pa.Buffer:
    return pa.py_buffer(np.packbits(flags, bitorder="little"))


def texts(values: Iterable[str]) -> pa.LargeStringArray:
    """A large_string array of strings."""
    return large_strings([value.encode() for value in values])


def text(value: str) -> pa.LargeStringScalar:
    return texts([value])[0]


def numbers(values: Array) -> pa.Array:
    """A column of the numbers of an array, which are not copied if they are contiguous."""
    flat = np.ascontiguousarray(values)
    return pa.Array.from_buffers(pa.from_numpy_dtype(flat.dtype), len(flat), [None, pa.py_buffer(flat)])


def number(value: int) -> pa.Int64Scalar:
    return numbers(np.array([value]))[0]


def flags(values: pa.BooleanArray) -> npt.NDArray[np.bool_]:
    found: npt.NDArray[np.bool_] = np.from_dlpack(values.cast(pa.uint8())).view(np.bool_)
    return found


def chosen(names: Sequence[str], which: Integers) -> pa.Array:
    """The column of names[k] for each k in `which`.

    >>> chosen(["neg", "pos"], np.array([1, 0, 1])).to_pylist()
    ['pos', 'neg', 'pos']
    """
    spelled = [name.encode() for name in names]
    lengths = np.array([*map(len, spelled)], np.int64)
    letters = np.zeros((len(names), int(lengths.max(initial=0))), np.uint8)
    for row, name in zip(letters, spelled, strict=True):
        row[: len(name)] = np.frombuffer(name, np.uint8)
    offsets = np.zeros(len(which) + 1, np.int64)
    np.cumsum(lengths[which], out=offsets[1:])
    data = letters[which][np.arange(letters.shape[1]) < lengths[which][:, None]]
    return pa.Array.from_buffers(pa.large_string(), len(which), [None, pa.py_buffer(offsets), pa.py_buffer(data)])


def bools(values: npt.NDArray[np.bool_]) -> pa.Array:
    """A column of flags.

    >>> bools(np.array([True, False])).to_pylist()
    [True, False]
    """
    return pa.Array.from_buffers(pa.bool_(), len(values), [None, pa.py_buffer(np.packbits(values, bitorder="little"))])


def lists(values: pa.Array, starts: Integers) -> pa.Array:
    """A column of lists: list i is values[starts[i]:starts[i + 1]]. The values, at most 2^31 - 1 of them, are not
    copied.

    >>> lists(numbers(np.array([5, 6, 7])), np.array([0, 2, 2, 3])).to_pylist()
    [[5, 6], [], [7]]
    """
    offsets = pa.py_buffer(np.ascontiguousarray(starts, np.int32))
    return pa.Array.from_buffers(pa.list_(values.type), len(starts) - 1, [None, offsets], children=[values])


def starts_of(parts: Iterable[Sized]) -> npt.NDArray[np.int64]:
    """Where each part begins when they stand one after the other, and where the last one ends.

    >>> starts_of(["ab", "", "c"]).tolist()
    [0, 2, 2, 3]
    """
    return np.cumsum([0, *map(len, parts)], dtype=np.int64)


def text_lists(parts: Sequence[Sequence[str]]) -> pa.Array:
    """A column of lists of strings.

    >>> text_lists([["a", "b"], []]).to_pylist()
    [['a', 'b'], []]
    """
    return lists(texts(value for part in parts for value in part), starts_of(parts))


def structs(fields: Mapping[str, pa.Array]) -> pa.Array:
    """A column of structs, whose fields are columns of one length.

    >>> structs({"label": texts(["a"]), "score": numbers(np.array([0.5]))}).to_pylist()
    [{'label': 'a', 'score': 0.5}]
    """
    return pa.StructArray.from_arrays(list(fields.values()), names=list(fields))


def table(columns: Mapping[str, pa.Array]) -> pa.Table:
    return pa.Table.from_arrays(list(columns.values()), names=list(columns))


def flat(column: pa.ChunkedArray) -> list[Json]:
    """The values of all lists of a column, one after the other.

    >>> flat(table({"a": text_lists([["a", "b"], [], ["c"]])})["a"])
    ['a', 'b', 'c']
    """
    found: list[Json] = []
    for chunk in column.chunks:
        begin, end = chunk.offsets[0].as_py(), chunk.offsets[-1].as_py()
        found += chunk.values.slice(begin, end - begin).to_pylist()
    return found
