"""Packing of weights that are mostly zero: a bit for each says whether it is zero, and the other weights follow."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from linnet.core.packed import pack, unpack
from linnet.core.types import Array

Arrays = dict[str, Array]
Shapes = Mapping[str, list[int]]


class NotAllThereError(Exception):
    """Raised with the name of an array of which a part is missing."""


def packed(arrays: Mapping[str, Array]) -> tuple[Arrays, Shapes]:
    """Split each array that becomes smaller by it into bits and values; return all arrays, and the shapes of the split ones."""
    found: Arrays = {}
    shapes = {}
    for name, array in arrays.items():
        array = np.ascontiguousarray(array)
        small = pack(array.reshape(-1).view(np.uint32)) if array.dtype == np.float32 else None
        if small is None:
            found[name] = array
        else:
            found |= {f"{name}.bits": small[0], f"{name}.values": small[1].view(np.float32)}
            shapes[name] = list(array.shape)
    return found, shapes


def unpacked(arrays: Arrays, shapes: Shapes) -> Arrays:
    """The arrays as they were before `packed`. Arrays that were split are read-only."""
    found = dict(arrays)
    for name, shape in shapes.items():
        if name in found:
            raise NotAllThereError(name)
        try:
            bits, values = found.pop(f"{name}.bits"), found.pop(f"{name}.values")
            if bits.dtype != np.uint8 or values.dtype != np.float32:
                raise ValueError("bits and values are of other types")
            whole = unpack(bits, values.view(np.uint32), math.prod(shape))
        except (KeyError, ValueError, OverflowError):
            raise NotAllThereError(name) from None
        whole.flags.writeable = False
        found[name] = whole.view(np.float32).reshape(shape)
    return found
