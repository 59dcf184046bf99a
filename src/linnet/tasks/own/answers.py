"""Outputs of user-defined structures as columns of a table."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from linnet.core import arrow
from linnet.core.types import Json, Output
from linnet.errors import UsageError
from linnet.structures.interface import Part, Table

_FIELDS = ("block", "place", "outcome")


def as_json(y: Output) -> str:
    """An output as JSON, whose arrays and numbers may be NumPy's.

    >>> as_json((0, np.int64(1)))
    '[0, 1]'
    """
    return json.dumps(y, ensure_ascii=False, default=_plain)


def _plain(value: Output) -> Json:
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, set | frozenset):
        return sorted(value)
    raise UsageError(
        f"expected an output of lists, strings and numbers, which JSON can hold, found {type(value).__name__}. Use predict."
    )


def parts_with_shares(parts: Sequence[Sequence[Part]], p: Sequence[Sequence[Table]]) -> pa.Array:
    """The parts of each output with their probabilities, taken from the tables of its example.

    >>> parts_with_shares([[(0, 1, 0)]], [[np.array([[0.5], [0.25]])]]).to_pylist()
    [[{'block': 0, 'place': 1, 'outcome': 0, 'probability': 0.25}]]
    """
    numbers = np.array([part for some in parts for part in some], np.int32).reshape(-1, 3)
    shares = [float(tables[g][i, k]) for some, tables in zip(parts, p, strict=True) for g, i, k in some]
    fields = {name: arrow.numbers(numbers[:, n]) for n, name in enumerate(_FIELDS)}
    fields["probability"] = arrow.numbers(np.array(shares, np.float64))
    return arrow.lists(arrow.structs(fields), arrow.starts_of(parts))
