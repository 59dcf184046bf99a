"""Labels are strings, whatever a file holds: 1, 1.0 and true become '1', '1' and 'true'."""

from __future__ import annotations

import math
from collections.abc import Iterable

import pyarrow as pa

from linnet.io.arrays import large_strings


def label_name(value: object) -> str | None:
    """The label of one value; None when there is none (null, NaN, the empty string).

    >>> [label_name(value) for value in ("01", 1, 1.0, 0.5, True, None, "", float("nan"))]
    ['01', '1', '1', '0.5', 'true', None, None, None]
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return None if math.isnan(value) else str(int(value)) if value.is_integer() else repr(value)
    return None if value is None or value == "" else str(value)


def label_strings(values: Iterable[object]) -> pa.Array:
    """The labels of many values, "" where there is none."""
    return large_strings([(label_name(value) or "").encode() for value in values])
