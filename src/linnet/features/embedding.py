"""`embedding:COLUMN` takes a column of vectors, which any encoder may have made: a list of numbers for each row, of
equal lengths.

    embedding:minilm*0.7        each vector is scaled to the length 0.7, its weight
    embedding:minilm,raw*0.7    its numbers are taken as they are, times 0.7

The single numbers mean nothing to people, so explanations show only what the vector adds as a whole.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from linnet.core.products import times
from linnet.core.schema import Whole, check_arrays
from linnet.core.types import F64, Array, Arrays, Json
from linnet.core.values import values_of
from linnet.features.fields import Floats, Ints
from linnet.features.vector_parts import Spread, VectorPart

if TYPE_CHECKING:
    from linnet.features.table import Column, Table

_MOST = 65536
"""The largest number of numbers of a vector."""
_LARGEST = 1e6
"""The largest number that may stand in a vector."""
_RAW = ",raw"


class Embedding(VectorPart):
    """The features of a column of vectors."""

    def __init__(self, name: str, weight: float) -> None:
        self.column, self._is_raw = name.removesuffix(_RAW), name.endswith(_RAW)
        self.name, self.weight = f"embedding:{name}", weight
        self.called = f"embedding:{self.column}"
        self._use(0)

    def _use(self, n: int) -> None:
        self.names = [f"{self.called}#{i}" for i in range(n)]

    @property
    def rest(self) -> str:
        return self.called

    def learn(self, table: Table) -> None:
        """Learn how long the vectors are."""
        found = _vectors(table.slice(0, 1), self.column)
        first = found[0] if found else np.zeros(0)
        if not 1 <= len(first) <= _MOST:
            message = f"expected vectors of 1 to {_MOST} numbers in column {self.column!r}, found {len(first)}."
            raise table.fault(self.column, str(first.tolist()), message)
        self._use(len(first))

    def features(self, table: Table) -> tuple[Ints, Floats]:
        n = len(self.names)
        z = np.empty((len(table), n))
        for row, vector in enumerate(_vectors(table, self.column)):
            if len(vector) != n:
                raise _fault(table, self.column, row, vector.tolist(), f"{n} numbers", f"{len(vector)}")
            z[row] = vector
        if not self._is_raw:
            length = np.sqrt(np.einsum("ij,ij->i", z, z))
            z /= np.where(length > 0, length, 1)[:, None]
        z *= self.weight
        return np.broadcast_to(np.arange(n), z.shape), z

    def explained(self, table: Table, x: Floats, v: Floats) -> Spread:
        nothing = np.zeros(0)
        return Spread(np.zeros(0, np.int64), nothing, nothing, float(times(x, v)))

    def learned(self) -> int:
        return len(self.names)

    def arrays(self) -> dict[str, Array]:
        return {}

    def restore(self, learned: Json, arrays: Arrays) -> None:
        check_arrays(arrays, {})
        Whole(1, _MOST).check(learned, f"the length of the vectors of {self.name}")
        self._use(learned)


def _vectors(table: Table, name: str) -> list[F64]:
    """The vectors of a column: lists of numbers as Arrow has them, or as JSON writes them in a column of text. Raise DataError
    with the row of the first that is missing, is no list of numbers, or has a number that is not finite."""
    column = table.column(name)
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    found: list[F64] = []
    for chunk in chunks:
        found += (
            _of_lists(table, name, len(found), chunk)
            if _has_numbers(chunk.type)
            else _of_values(table, name, len(found), chunk)
        )
    return found


def _has_numbers(kind: pa.DataType) -> bool:
    is_list = pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)
    return bool(is_list and (pa.types.is_floating(kind.value_type) or pa.types.is_integer(kind.value_type)))


def _of_lists(table: Table, name: str, first: int, lists: pa.Array) -> list[F64]:
    """The vectors of lists of numbers, the first of which is in the row `first` of the table."""
    values = lists.flatten()
    if lists.null_count or values.null_count:
        return _of_values(table, name, first, lists)
    numbers: F64 = values.to_numpy(zero_copy_only=False).astype(np.float64)
    if pa.types.is_fixed_size_list(lists.type):
        at = np.arange(len(lists) + 1) * lists.type.list_size
    else:
        at = lists.offsets.to_numpy().astype(np.int64)
        at = at - at[0]
    if not np.all(np.abs(numbers) <= _LARGEST):
        return _of_values(table, name, first, lists)
    return [numbers[begin:end] for begin, end in zip(at[:-1].tolist(), at[1:].tolist(), strict=True)]


def _of_values(table: Table, name: str, first: int, column: Column) -> list[F64]:
    """The vectors of values that are looked at one by one."""
    found = []
    for row, value in enumerate(values_of(column, name), first):
        numbers = _parsed(value) if isinstance(value, str) else value
        if not isinstance(numbers, list) or not all(_is_number(x) for x in numbers):
            raise _fault(table, name, row, value, "a list of numbers", _said(value))
        vector = np.array(numbers, np.float64)
        if not np.all(np.abs(vector) <= _LARGEST):
            wrong = vector[~(np.abs(vector) <= _LARGEST)][0]
            raise _fault(table, name, row, value, f"numbers between -{_LARGEST:,.0f} and {_LARGEST:,.0f}", f"{wrong:g}")
        found.append(vector)
    return found


def _parsed(text: str) -> Json:
    """What JSON makes of a text; the text itself where it is none."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _is_number(x: Json) -> bool:
    return isinstance(x, int | float) and not isinstance(x, bool)


def _said(value: Json) -> str:
    if value is None or value == "":
        return "none"
    return "one with something else in it" if isinstance(value, list) else f"{value!r:.60}"


def _fault(table: Table, name: str, row: int, value: Json, expected: str, found: str) -> Exception:
    text = table.text[row].as_py() if table.has_text else ""
    of = f", {text!r:.60}" if text else ""
    message = (
        f"expected {expected} in column {name!r} of row {row + 1}{of}, found {found}. Give every row a vector of the same "
        "encoder."
    )
    return table.fault(name, str(value), message)
