"""Pack the keys of anchored features (core/extract/anchored.pyx) anew, when columns have more values than their bits
can count.

    key = template | code of each part

The template takes the lowest _TEMPLATE_BITS. Each part follows: a direction or length takes _LENGTH_BITS, and a column
as many bits as its largest code needs.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from linnet.core.extract.anchored import DIRECTION, LENGTH

Keys = npt.NDArray[np.uint64]
Template = tuple[tuple[int, int, int], ...]
"""The parts of a template: whose it is, the column, the offset."""

# These are TEMPLATE_BITS, LENGTH_BITS and OWN of the core, and must stay the same.
_TEMPLATE_BITS = 7
_LENGTH_BITS = 5
_OUTSIDE = 4
"""The number of codes of a column that are no values: before the sentence, after it, the root, and nobody."""
_WORD = 64
"""The number of bits of a key."""


def bits_for(n_codes: int) -> int:
    """How many bits the codes of a column of so many values take.

    >>> [bits_for(n) for n in (0, 4, 5, 12, 13)]
    [2, 3, 4, 4, 5]
    """
    return max(n_codes + _OUTSIDE - 1, 1).bit_length()


def room_for(n_codes: int) -> int:
    """How many values fit into the bits that a column of so many values takes.

    >>> [room_for(n) for n in (0, 4, 5, 12, 13)]
    [0, 4, 12, 12, 28]
    """
    return int((1 << bits_for(n_codes)) - _OUTSIDE)


def repacked(keys: Keys, templates: Sequence[Template], before: Sequence[int], after: Sequence[int]) -> Keys:
    """The keys of the same features, packed anew. before, after: the number of values of each column that the old keys
    have room for, and that the new ones are to have."""
    if all(bits_for(n) == bits_for(m) for n, m in zip(before, after, strict=True)):
        return keys
    found = np.empty_like(keys)
    of_template = keys & np.uint64((1 << _TEMPLATE_BITS) - 1)
    for t, parts in enumerate(templates):
        mine = of_template == t
        found[mine] = _repacked(keys[mine], parts, before, after)
    return found


def _repacked(keys: Keys, parts: Template, before: Sequence[int], after: Sequence[int]) -> Keys:
    old = new = _TEMPLATE_BITS
    found = keys & np.uint64((1 << _TEMPLATE_BITS) - 1)
    for who, column, _ in parts:
        width, wider = (
            _LENGTH_BITS if who in (DIRECTION, LENGTH) else bits_for(n_codes[column]) for n_codes in (before, after)
        )
        if new + wider > _WORD:
            raise OverflowError(f"a template joins more values than fit into {_WORD} bits: {new + wider}")
        code = (keys >> np.uint64(old)) & np.uint64((1 << width) - 1)
        found |= code << np.uint64(new)
        old, new = old + width, new + wider
    return found
