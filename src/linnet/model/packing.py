"""Packing of weights, without loss: those that are mostly zero, and those that have at most 256 different values.

    NAME.bits, NAME.values                 a bit for each number says whether it is zero, and the other numbers follow
    NAME.first, NAME.table, NAME.codes     the first numbers as they are; each other number by its place in the table, a byte

The values of the first kind may be packed again as the second kind. The first numbers of weights are those of the bias, which
`compact` does not round.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from linnet.core.distinct import distinct
from linnet.core.packed import pack, unpack
from linnet.core.room import is_mapped
from linnet.core.types import F32, Array

Arrays = dict[str, Array]
Shapes = Mapping[str, list[int]]

_MOST_VALUES = 256
_SAMPLE = 1 << 16
"""The size of the sample of numbers that tells whether there may be few values."""
_MOST_OF_NUMBERS = 15 / 32
"""The largest share of numbers of four bytes that may not be zero: bits and values then take half of the memory."""
_MOST_OF_BYTES = 7 / 8
"""The largest share of numbers of one byte that may not be zero: bits and values then take as much as the bytes."""
_FIRST = 8
"""The first eighth of the numbers is not looked at when the table is made. Those of them that have other values, such
as the weights of the bias, are kept as they are."""


class NotAllThereError(Exception):
    """Raised with the name of an array of which a part is missing."""


def packed(arrays: Mapping[str, Array]) -> tuple[Arrays, Shapes]:
    """Split each array that becomes smaller by it; return all arrays, and the shapes of the split ones, in the order in which
    they can be put together again. Arrays that are mapped from files stay as they are, as their parts would be in memory."""
    found: Arrays = {}
    shapes: dict[str, list[int]] = {}
    for name, array in arrays.items():
        array = np.ascontiguousarray(array)
        small = _parts(array.reshape(-1)) if array.dtype == np.float32 and not is_mapped(array) else {}
        if "values.codes" in small:
            shapes[f"{name}.values"] = [len(small["values.first"]) + len(small["values.codes"])]
        if small:
            shapes[name] = list(array.shape)
        found |= {f"{name}.{part}": piece for part, piece in small.items()} if small else {name: array}
    return found, shapes


def unpacked(arrays: Arrays, shapes: Shapes) -> Arrays:
    """The arrays as they were before `packed`. Arrays that were split are read-only."""
    found = dict(arrays)
    for name, shape in shapes.items():
        if name in found:
            raise NotAllThereError(name)
        try:
            if f"{name}.bits" in found:
                bits, values = found.pop(f"{name}.bits"), found.pop(f"{name}.values")
                if bits.dtype != np.uint8 or values.dtype != np.float32:
                    raise ValueError("bits and values are of other types")
                whole = unpack(bits, values.view(np.uint32), math.prod(shape)).view(np.float32)
            else:
                first, table, codes = (found.pop(f"{name}.{part}") for part in ("first", "table", "codes"))
                if first.dtype != np.float32 or table.dtype != np.float32 or codes.dtype != np.uint8:
                    raise ValueError("first, table and codes are of other types")
                whole = np.concatenate([first, table[codes]])
            whole = whole.reshape(shape)
        except (KeyError, ValueError, IndexError, OverflowError):
            raise NotAllThereError(name) from None
        whole.flags.writeable = False
        found[name] = whole
    return found


def _parts(numbers: F32) -> Arrays:
    """The parts that numbers are split into; {} where they would not become smaller."""
    few = _has_few_values(numbers)
    small = pack(numbers.view(np.uint32), _MOST_OF_BYTES if few else _MOST_OF_NUMBERS)
    if small is None:
        return _codes(numbers) if few else {}
    bits, values = small[0], small[1].view(np.float32)
    codes = _codes(values) if few else {}
    if codes:
        return {"bits": bits, **{f"values.{part}": piece for part, piece in codes.items()}}
    return {"bits": bits, "values": values} if len(values) <= _MOST_OF_NUMBERS * len(numbers) else {}


def _has_few_values(numbers: F32) -> bool:
    """Whether numbers may have few values, by a sample of them. Nearly always it shows that they have many."""
    sample = numbers[:: max(1, len(numbers) // _SAMPLE)]
    return len(distinct(sample)) <= 2 * _MOST_VALUES


def _codes(numbers: F32) -> Arrays:
    """Numbers as a table of at most 256 values and a byte for each number; {} where there are more values. Bits are compared,
    so that every bit comes back."""
    bits = numbers.view(np.uint32)
    if len(bits) < 2 * _MOST_VALUES:
        return {}
    table = distinct(bits[len(bits) // _FIRST :])
    if len(table) > _MOST_VALUES:
        return {}
    places = np.minimum(np.searchsorted(table, bits), len(table) - 1)
    others = np.flatnonzero(table[places] != bits)
    n = int(others[-1]) + 1 if len(others) else 0
    return {"first": numbers[:n], "table": table.view(np.float32), "codes": places[n:].astype(np.uint8)}
