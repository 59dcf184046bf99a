"""Checks of the state of learning in a model file or a checkpoint: it must have the names and types of the learner's
own state.

Shapes are checked by the loops that take over the arrays, since some arrays have a row for each example.
"""

from __future__ import annotations

from collections.abc import Mapping, Set

import numpy as np

from linnet.core.schema import Either, Flag, ListOf, Numbers, Real, Schema, Whole, with_numbers
from linnet.core.types import Array, Arrays, Json, State

_SCHEMAS: Mapping[type, Schema] = {
    bool: Flag(),
    int: Whole(0, 2**63 - 1),
    float: Real(any=True),
    list: ListOf(Real(0)),
    type(None): Either(Real(any=True)),  # what is None at the start may be a number later
}
_FLOATS = (np.float32, np.float64)


def checked_numbers(own: State, arrays: Arrays, numbers: Mapping[str, Json], more: Set[str]) -> dict[str, Json]:
    """The numbers of a state, of arrays and numbers; JSON has kept inf as a string. Raise ValueError where it cannot be a state
    of the learner that now has the state `own`.

    more: names of further numbers, which are whole."""
    schemas = {name: _SCHEMAS[type(value)] for name, value in own[1].items()} | dict.fromkeys(more, Whole(0, 2**63 - 1))
    for name, value in numbers.items():
        if name not in schemas:
            raise ValueError(f"{name} is no number of this learner")
        schemas[name].check(value, name)
    found = {name: with_numbers(value, schemas[name]) for name, value in numbers.items()}
    for name, value in found.items():
        if value != value:
            raise ValueError(f"{name} is not a number")
    if numbers and not own[1].keys() <= numbers.keys():
        raise ValueError("a number of this learner is missing")
    for name, array in arrays.items():
        known = own[0].get(name)
        if known is not None and (array.dtype, array.ndim) != (known.dtype, known.ndim):
            raise ValueError(f"array {name!r} is of another type")
        _check_finite(name, array)
    return found


def _check_finite(name: str, array: Array) -> None:
    if array.dtype in _FLOATS:
        Numbers(array.dtype.type, array.shape).check(array, name)


def same_shapes(found: Arrays, own: Arrays) -> None:
    """Raise ValueError unless arrays have the types and shapes of those that a learner has."""
    for name, array in own.items():
        if name not in found or (found[name].dtype, found[name].shape) != (array.dtype, array.shape):
            raise ValueError(f"array {name!r} does not fit these weights")
