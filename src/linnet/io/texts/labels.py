"""Labels are strings, whatever a file holds: 1, 1.0 and true become '1', '1' and 'true'.

Several labels of one text are one string, too, with the character SEVERAL between them, which labels do not have.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
import pyarrow as pa

from linnet.core.arrow import large_strings
from linnet.errors import DataError

SEVERAL = "\x1f"
USUAL_SEPARATOR = ","
_MISSING = frozenset(("nan", "-nan", "null", "n/a", "#n/a", "#na", "<na>"))
_MISSING_IF_SPELLED_SO = frozenset(("None", "NA"))
_MISSING_TYPES = ("NAType", "NaTType")  # pandas.NA and pandas.NaT, which equal nothing, not even themselves


def is_missing(label: object) -> bool:
    """Whether a value stands for a label that is not there, and so is no label.

    None and NaN do, and a string that is empty, blank, or what programs write for a missing value: nan, null, n/a, #N/A and
    <NA> in upper or lower case, None (as Python writes it) and NA (as R writes it) only in this spelling. So `none`,
    `NONE` and `na` are labels, since these may well be meant, and a label None can be written as none.

    >>> [is_missing(label) for label in (None, float("nan"), " ", "NaN", "null", "N/A", "None", "NA")]
    [True, True, True, True, True, True, True, True]
    >>> [is_missing(label) for label in ("none", "NONE", "na", "no", 0, False, "0")]
    [False, False, False, False, False, False, False]
    """
    if isinstance(label, str):
        spelled = label.strip()
        return not spelled or spelled in _MISSING_IF_SPELLED_SO or spelled.lower() in _MISSING
    if isinstance(label, float | np.floating):
        return math.isnan(label)
    return label is None or type(label).__name__ in _MISSING_TYPES


def label_name(value: object) -> str | None:
    """The label of one value; None when there is none (null, NaN, the empty string).

    >>> [label_name(value) for value in ("01", 1, 1.0, 0.5, True, None, "", float("nan"))]
    ['01', '1', '1', '0.5', 'true', None, None, None]
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return None if math.isnan(value) else str(int(value)) if value.is_integer() else repr(value)
    if getattr(value, "ndim", 0):
        raise DataError(f"expected a label, found {type(value).__name__}: {value!r:.60}.")
    return None if value is None or value == "" else str(value)


def label_set(value: object, separator: str | None = None) -> str:
    """Labels given as a list, or as a string with separators, as one string with SEVERAL between them, each once.

    >>> label_set(["b", 1, None, "b"]), label_set("b, 1"), label_set("b|c", "|")
    ('b\\x1f1', 'b\\x1f1', 'b\\x1fc')
    """
    if not isinstance(value, list | tuple):
        mark = USUAL_SEPARATOR if separator is None else separator
        value = [part.strip() for part in (label_name(value) or "").split(mark)]
    return SEVERAL.join(dict.fromkeys(label_name(one) or "" for one in value if not is_missing(one)))


def label_sets(values: Iterable[object], separator: str | None = None) -> pa.Array:
    """The label sets of many values, each as one string."""
    return large_strings([label_set(value, separator).encode() for value in values])


def label_strings(values: Iterable[object]) -> pa.Array:
    """The labels of many values, "" where there is none."""
    return large_strings([(label_name(value) or "").encode() for value in values])
