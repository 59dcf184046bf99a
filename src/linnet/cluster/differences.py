"""Arrays that are sent as differences: where they differ from those that the other side has already, and the values
there now.

The values themselves are sent, not what to add to them, so that the other side has the same bits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from linnet.core.types import I64, Array, Arrays

_SPARSE = 3
"""A difference is sent where at most one value in so many has changed. An index takes 8 bytes, as much as two values,
so that a changed value takes as much as three."""


@dataclass(frozen=True)
class Difference:
    """What makes new arrays of old ones."""

    names: tuple[str, ...]
    """The names of all arrays, in the order in which the other side is to have them."""
    whole: Arrays
    """Arrays that are sent as they are, by name."""
    entries: dict[str, tuple[I64, Array]]
    """For each other array, by name, the indices of the values that have changed, counted row by row, and the new
    values."""

    def applied(self, old: Arrays) -> Arrays:
        """The new arrays. The old ones are not changed."""
        new = {name: np.array(old[name]) for name in self.entries}
        for name, (at, values) in self.entries.items():
            new[name].ravel()[at] = values
        return {name: new[name] if name in new else self.whole[name] for name in self.names}


def difference(old: Arrays, new: Arrays) -> Difference:
    """What makes the new arrays of the old ones. Each array is sent as its changes, or as a whole where that takes
    less."""
    whole, entries = {}, {}
    for name, array in new.items():
        before = old.get(name)
        at = None if before is None or before.shape != array.shape else np.flatnonzero(_differs(before, array))
        if at is None or _SPARSE * len(at) > array.size:
            whole[name] = array
        else:
            entries[name] = (at, array.ravel()[at])
    return Difference(tuple(new), whole, entries)


def _differs(old: Array, new: Array) -> npt.NDArray[np.bool_]:
    """Where the bits differ. So 0 differs from -0, and nan does not differ from the same nan."""
    bits = f"u{new.dtype.itemsize}"
    differs: npt.NDArray[np.bool_] = old.ravel().view(bits) != new.ravel().view(bits)
    return differs
