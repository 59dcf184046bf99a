"""What a model file may hold: schemas of JSON values and of arrays, declared beside the code that writes them.

A file is made by anyone, and compiled loops check nothing: whatever number they use as a place is proven here, when the file is
loaded. A schema is a tree of these classes, and `check` raises ValueError with the place of the first value that is not as
declared.

Large arrays whose numbers are only added up need not be read as a whole before the first answer. Such a check is passed to
`later`, which does it at once, unless the caller is `collecting` checks to do them while the model answers already
(model/checking.py).

>>> schema = Record({"k": Whole(1, 100)}, {"names": ListOf(Text())})
>>> schema.check({"k": 5, "names": ["a"]})
>>> schema.check({"k": 0})
Traceback (most recent call last):
ValueError: k is not a whole number from 1 to 100
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import NamedTuple, Protocol

import numpy as np

from linnet.core.types import Array, Arrays, Json
from linnet.core.within import all_within

LARGEST = 2**31 - 1
"""The largest number of anything that is counted in a file: labels, features, outcomes of a block."""
DEEPEST = 40
"""The most lists and dicts that may be inside each other."""

_HOLDS = (dict, list)
"""The types of JSON values that have others inside."""

LARGE = 1 << 24
"""The number of bytes from which on an array is large: what it holds may be checked later."""
Check = Callable[[], None]
_COLLECTED: ContextVar[list[Check] | None] = ContextVar("collected", default=None)


@contextmanager
def collecting() -> Iterator[list[Check]]:
    """Collect the checks that may be done later, instead of doing them at once. They raise ValueError or ModelError."""
    checks: list[Check] = []
    before = _COLLECTED.set(checks)
    try:
        yield checks
    finally:
        _COLLECTED.reset(before)


def later(check: Check) -> None:
    """Do a check at once; or later, if checks are being collected."""
    checks = _COLLECTED.get()
    if checks is None:
        check()
    else:
        checks.append(check)


class Schema(Protocol):
    """What a JSON value may be."""

    def check(self, value: Json, where: str = "") -> None:
        """Raise ValueError unless the value is as declared. `where` is its place in the header."""


def _refuse(where: str, what: str) -> ValueError:
    return ValueError(f"{where.lstrip('.') or 'the header'} is not {what}")


class Text(NamedTuple):
    """A string of characters that UTF-8 can write; one of the `choices`, where there are any."""

    choices: tuple[str, ...] = ()

    def check(self, value: Json, where: str = "") -> None:
        if not isinstance(value, str) or not _is_unicode(value):
            raise _refuse(where, "a text")
        if self.choices and value not in self.choices:
            raise _refuse(where, " or ".join(map(repr, self.choices)))


def _is_unicode(text: str) -> bool:
    return text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)


class Whole(NamedTuple):
    """A whole number from `least` to `most`."""

    least: int = 0
    most: int = LARGEST

    def check(self, value: Json, where: str = "") -> None:
        if not isinstance(value, int) or isinstance(value, bool) or not self.least <= value <= self.most:
            raise _refuse(where, f"a whole number from {self.least} to {self.most}")


class Real(NamedTuple):
    """A number from `least` to `most`. With `any`, it may also be one that JSON does not have and that the file keeps as a
    string: nan, inf or -inf."""

    least: float = -1e300
    most: float = 1e300
    any: bool = False

    def check(self, value: Json, where: str = "") -> None:
        if self.any and value in ("nan", "inf", "-inf"):
            return
        number = isinstance(value, int | float) and not isinstance(value, bool)
        # A whole number of JSON may be larger than any float, and is compared as it is.
        unusual = self.any and isinstance(value, float) and not math.isfinite(value)
        if not number or not (self.least <= value <= self.most or unusual):
            raise _refuse(where, f"a number from {self.least:g} to {self.most:g}")


class Flag:
    """True or false."""

    def check(self, value: Json, where: str = "") -> None:
        if not isinstance(value, bool):
            raise _refuse(where, "true or false")


class Anything:
    """Any JSON value that is only shown: texts, numbers, and lists and dicts of them, `DEEPEST` at most inside each other."""

    def check(self, value: Json, where: str = "") -> None:
        level = [value]
        for _ in range(DEEPEST + 1):
            for one in level:
                if isinstance(one, str) and not _is_unicode(one):
                    raise _refuse(where, "of texts that UTF-8 can write")
            inside = [one for one in level if isinstance(one, _HOLDS)]
            if not inside:
                return
            level = [item for one in inside for item in _items(one)]
        raise _refuse(where, f"at most {DEEPEST} deep")


def _items(value: Json) -> Iterable[Json]:
    return [*value, *value.values()] if isinstance(value, dict) else value


class Either(NamedTuple):
    """A value that fits one of two schemas. With one schema, as in Either(Text()), the value may also be null."""

    first: Schema
    second: Schema | None = None

    def check(self, value: Json, where: str = "") -> None:
        if value is None and self.second is None:
            return
        if self.second is None or not _fits(value, self.second):
            self.first.check(value, where)


class ListOf(NamedTuple):
    """A list of `least` to `most` values; no two are equal where they are `distinct`."""

    item: Schema
    least: int = 0
    most: int = LARGEST
    distinct: bool = False

    def check(self, value: Json, where: str = "") -> None:
        if not isinstance(value, list | tuple) or not self.least <= len(value) <= self.most:
            size = "" if (self.least, self.most) == (0, LARGEST) else f" of {self.least} to {self.most} values"
            raise _refuse(where, f"a list{size}")
        for k, item in enumerate(value):
            self.item.check(item, f"{where}[{k}]")
        if self.distinct and len(set(value)) != len(value):
            raise _refuse(where, "a list of different values")


class Row(NamedTuple):
    """A list with a schema for each of its values."""

    items: tuple[Schema, ...]

    def check(self, value: Json, where: str = "") -> None:
        if not isinstance(value, list | tuple) or len(value) != len(self.items):
            raise _refuse(where, f"a list of {len(self.items)} values")
        for k, (schema, item) in enumerate(zip(self.items, value, strict=True)):
            schema.check(item, f"{where}[{k}]")


class DictOf(NamedTuple):
    """A dict from names to values of one schema."""

    item: Schema

    def check(self, value: Json, where: str = "") -> None:
        if not isinstance(value, dict):
            raise _refuse(where, "a dict")
        for name, item in value.items():
            Text().check(name, f"a name in {where or 'the header'}")
            self.item.check(item, f"{where}.{name:.40}")


class Record(NamedTuple):
    """A dict that has all names of `required`, and may have those of `optional`. It may have other names only if it is
    `open`; their values are only shown, and may be anything."""

    required: Mapping[str, Schema] = {}
    optional: Mapping[str, Schema] = {}
    open: bool = False

    def check(self, value: Json, where: str = "") -> None:
        if not isinstance(value, dict):
            raise _refuse(where, "a dict")
        for name in self.required:
            if name not in value:
                raise _refuse(f"{where}.{name}", "there")
        for name, item in value.items():
            schema = self.required.get(name) or self.optional.get(name)
            if schema is None:
                Text().check(name, f"a name in {where or 'the header'}")
                if not self.open:
                    raise _refuse(f"{where}.{name:.40}", "something that this header has")
                schema = Anything()
            schema.check(item, f"{where}.{name:.40}")


def with_numbers(value: Json, schema: Schema) -> Json:
    """A value that fits a schema, with its numbers as numbers: nan and inf are strings in JSON, which has no such numbers."""
    match schema:
        case Real():
            return float(value) if isinstance(value, str) else value
        case Either(first, second) if value is not None:
            return with_numbers(value, second if second is not None and _fits(value, second) else first)
        case ListOf(item):
            return [with_numbers(one, item) for one in value]
        case DictOf(item):
            return {name: with_numbers(one, item) for name, one in value.items()}
        case Record(required, optional):
            schemas = {**optional, **required}
            return {name: with_numbers(one, schemas.get(name, Anything())) for name, one in value.items()}
    return value


def _fits(value: Json, schema: Schema) -> bool:
    try:
        schema.check(value)
    except ValueError:
        return False
    return True


class Numbers(NamedTuple):
    """What an array may be: its type, its shape (None for a length that is not known before), and what its values are."""

    kind: type[np.generic]
    shape: tuple[int | None, ...] = (None,)
    least: float = -math.inf
    most: float = math.inf
    ascending: bool = False
    """Whether no value is smaller than the one before it."""
    added: bool = False
    """Whether the values are only added up and multiplied, so that no value, not even nan, can lead a compiled loop astray."""

    def check(self, array: Array, name: str) -> None:
        fits = len(array.shape) == len(self.shape) and all(
            n in (None, m) for n, m in zip(self.shape, array.shape, strict=True)
        )
        if array.dtype != self.kind or not fits or not array.flags.c_contiguous:
            wanted = " x ".join("n" if n is None else str(n) for n in self.shape)
            raise ValueError(f"array {name!r} is not of {wanted} numbers of type {np.dtype(self.kind).name}")
        if self.added and array.nbytes >= LARGE:
            later(partial(self._check_values, array, name))
        elif array.size:
            self._check_values(array, name)

    def _check_values(self, array: Array, name: str) -> None:
        if not self._are_within(array):
            bounds = "finite" if math.isinf(self.most) else f"from {self.least:g} to {self.most:g}"
            raise ValueError(f"the numbers of array {name!r} are not {bounds}")
        if self.ascending and np.any(array[1:] < array[:-1]):
            raise ValueError(f"the numbers of array {name!r} are not in ascending order")

    def _are_within(self, array: Array) -> bool:
        """Whether all values are from the least to the most, and finite."""
        if array.dtype.kind == "f":
            largest = float(np.finfo(array.dtype).max)
            return all_within(array.reshape(-1), max(self.least, -largest), min(self.most, largest))
        if self.least <= 0 and math.isinf(self.most):
            return True  # Whole numbers of a model file have no sign.
        return bool(self.least <= array.min() and array.max() <= self.most)


def check_arrays(arrays: Arrays, layout: Mapping[str, Numbers]) -> None:
    """Raise ValueError unless the arrays are those of the layout, no more and no less."""
    for name in arrays:
        if name not in layout:
            raise ValueError(f"array {name!r} belongs to nothing")
    for name, numbers in layout.items():
        if name not in arrays:
            raise ValueError(f"array {name!r} is missing")
        numbers.check(arrays[name], name)
