"""Labels as they came in: the engine has strings, and a model gives back the integers, numbers or booleans that it was given.

>>> kind_of([3, 1]), value_of("3", "int"), value_of("true", "bool"), column_of([3, 1]).type
('int', 3, True, DataType(int64))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import pyarrow as pa

from linnet.core import arrow
from linnet.core.types import Integers, Json, Label
from linnet.errors import DataError
from linnet.io.texts.labels import label_name

LABEL_TYPE = "label_type"
"""The key of the type of labels among the details of a model: int, float or bool. Labels are strings where there is none."""
_READ: Mapping[str, Callable[[str], Label]] = {
    "int": int,
    "float": float,
    "bool": {"true": True, "false": False}.__getitem__,
}
_NUMBERS = {"int", "float"}


def kind_of(labels: Iterable[Json]) -> str | None:
    """The type that labels have in common: int, float or bool, or None for strings. DataError where they have several, or one
    that labels cannot have. Integers among other numbers are numbers."""
    first = {type(plain(label)).__name__: label for label in labels}
    kinds = set(first)
    if kinds <= {"str"}:
        return None
    if kinds <= _NUMBERS:
        check_whole(labels)
        return "float" if "float" in kinds else "int"
    other = next((name for name in first if name not in {"str", *_READ}), None)
    if other is not None:
        several = hasattr(first[other], "__iter__") and not isinstance(first[other], bytes)
        advice = "Several labels of one text need task='labelset'." if several else "Give each label a name."
        raise DataError(
            f"expected labels that are strings, integers, numbers or booleans, found {other}: {first[other]!r:.60}. {advice}"
        )
    if len(kinds) > 1:
        found = " and ".join(f"{name} ({label!r:.40})" for name, label in list(first.items())[:2])
        raise DataError(
            f"expected labels of one type, found {found}. Make all of them strings, or all of them numbers."
        )
    return kinds.pop()


def check_whole(labels: Iterable[Json]) -> None:
    """Raise DataError where labels are integers that no column holds."""
    for label in labels:
        if isinstance(label, int) and not -(1 << 63) <= label < 1 << 63:
            raise DataError(f"expected labels of at most 64 bits, found {label!s:.40}. Make all labels strings.")


def typed(labels: Iterable[Json]) -> dict[str, Json]:
    """The details that let a model give back labels of the type of these: the type, if they are no strings.

    >>> typed([1, 2]), typed(["a", "b"])
    ({'label_type': 'int'}, {})
    """
    kind = kind_of(labels)
    return {} if kind is None else {LABEL_TYPE: kind}


def plain(label: Json) -> Json:
    """A label as Python has it: a number or a string of NumPy becomes one of Python."""
    if isinstance(label, np.generic):
        return label.item()
    return str(label) if isinstance(label, str) else label


def spelled(label: Json) -> str:
    """A label as the engine has it.

    >>> spelled(3), spelled(2.0), spelled(True), spelled("+")
    ('3', '2', 'true', '+')
    """
    return label_name(plain(label)) or ""


def value_of(name: str, kind: str | None) -> Label:
    """The label that a name of the engine stands for. ValueError or KeyError for a name that is none of this type."""
    return name if kind is None else _READ[kind](name)


def check_type(names: Iterable[str], kind: str | None) -> None:
    """Raise DataError for a new label that is not of the type of the labels that a model has."""
    for name in names:
        try:
            value_of(name, kind)
        except (ValueError, KeyError):
            raise DataError(
                f"the labels of the model are of type {kind}, and {name!r} is new and of another type. Train a new model "
                "to have both."
            ) from None


def column_of(labels: Sequence[Label]) -> pa.Array:
    """Labels as a column of their type: strings, integers, numbers or booleans."""
    if not labels or isinstance(labels[0], str):
        return arrow.texts(labels)
    values = np.array(labels)
    return arrow.bools(values) if values.dtype == np.bool_ else arrow.numbers(values)


def chosen(labels: Sequence[Label], which: Integers) -> pa.Array:
    """Labels by their numbers, as a column of their type.

    >>> chosen([1, 3], np.array([1, 0, 1])).to_pylist()
    [3, 1, 3]
    """
    if isinstance(labels[0], str):
        return arrow.chosen(labels, which)
    return column_of([labels[k] for k in which.tolist()])
