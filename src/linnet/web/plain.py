"""Values as JSON has them, and as JSON writes them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from linnet.core.types import Json

_WRITER = json.JSONEncoder(ensure_ascii=False)
_AS_THEY_ARE = (str, int, type(None))


def as_json(value: Any) -> Json:
    """A value as JSON has it: numbers that are not finite become null, tuples and sets become lists, NumPy's numbers Python's.

    >>> as_json({"score": float("nan"), "links": [(0, 1)], "n": np.int64(3)})
    {'score': None, 'links': [[0, 1]], 'n': 3}
    """
    if isinstance(value, _AS_THEY_ARE):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): as_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(item) for item in value]
    if isinstance(value, set | frozenset):
        return sorted((as_json(item) for item in value), key=str)
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: as_json(vars(value)[one.name]) for one in fields(value)}
    if isinstance(value, np.ndarray | np.generic):
        return as_json(value.tolist())
    return str(value)


def written(value: Json) -> Iterator[str]:
    """A value of JSON as text, in pieces between which other threads go on: written at once, a large one would hold them."""
    return _WRITER.iterencode(value)
