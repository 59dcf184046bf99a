"""Labels are strings, whatever a file holds: 1, 1.0 and true become '1', '1' and 'true'.

Several labels of one text are one string, too, with the mark SEVERAL between them, which no file has in its labels.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import pyarrow as pa

from linnet.core.arrow import large_strings

SEVERAL = "\x1f"
USUAL_SEPARATOR = ","


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


def label_set(value: object, separator: str | None = None) -> str:
    """Several labels as one string, each once, given a list, or a string with separators between them.

    >>> label_set(["b", 1, None, "b"]), label_set("b, 1"), label_set("b|c", "|")
    ('b\\x1f1', 'b\\x1f1', 'b\\x1fc')
    """
    if not isinstance(value, list | tuple):
        mark = USUAL_SEPARATOR if separator is None else separator
        value = [part.strip() for part in (label_name(value) or "").split(mark)]
    return SEVERAL.join(dict.fromkeys(name for one in value if (name := label_name(one)) is not None))


def label_sets(values: Iterable[object], separator: str | None = None) -> pa.Array:
    """The label sets of many values, each as one string."""
    return large_strings([label_set(value, separator).encode() for value in values])


def label_strings(values: Iterable[object]) -> pa.Array:
    """The labels of many values, "" where there is none."""
    return large_strings([(label_name(value) or "").encode() for value in values])
