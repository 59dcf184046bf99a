"""Thrift's compact protocol, in which Parquet describes itself: read without the classes that it was written by."""

from __future__ import annotations

from typing import Any, TypeAlias

_BOOLEANS, _BYTE, _WHOLE, _DOUBLE, _BINARY, _LISTS, _STRUCTURE = (1, 2), 3, (4, 5, 6), 7, 8, (9, 10), 12
_DEEPEST = 16
Fields: TypeAlias = dict[int, Any]
"""The fields of a structure by their numbers."""


def fields(data: bytes, at: int = 0, depth: int = 0) -> tuple[Fields, int]:
    """The structure that begins at a place, and the place where it ends. IndexError where it goes on behind the data, or is
    none.

    >>> fields(bytes([0x15, 0x04, 0x28, 1, 97, 0]))
    ({1: 2, 3: b'a'}, 6)
    """
    if depth > _DEEPEST:
        raise IndexError("structures in structures")
    found: Fields = {}
    number = 0
    while data[at]:
        kind, step = data[at] & 15, data[at] >> 4
        at += 1
        if step:
            number += step
        else:
            number, at = _signed(data, at)
        if kind in _BOOLEANS:
            found[number] = kind == 1
        else:
            found[number], at = _value(kind, data, at, depth)
    return found, at + 1


def _value(kind: int, data: bytes, at: int, depth: int) -> tuple[Any, int]:
    if kind in _WHOLE:
        return _signed(data, at)
    if kind == _BINARY:
        size, at = _unsigned(data, at)
        if at + size > len(data):
            raise IndexError("a string that goes on behind the end")
        return data[at : at + size], at + size
    if kind == _STRUCTURE:
        return fields(data, at, depth + 1)
    if kind in _LISTS:
        n, of = data[at] >> 4, data[at] & 15
        at += 1
        if n == 15:
            n, at = _unsigned(data, at)
        if n > len(data) - at:
            raise IndexError("a list that goes on behind the end")
        values = []
        for _ in range(n):
            value, at = (data[at] == 1, at + 1) if of in _BOOLEANS else _value(of, data, at, depth)
            values.append(value)
        return values, at
    if kind in (_BYTE, _DOUBLE):
        return None, at + (1 if kind == _BYTE else 8)
    raise IndexError("a value of no known kind")


def _unsigned(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while data[at] & 128:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if shift > 63:
            raise IndexError("a number of more than 64 bits")
    return value | data[at] << shift, at + 1


def _signed(data: bytes, at: int) -> tuple[int, int]:
    value, at = _unsigned(data, at)
    return (value >> 1) ^ -(value & 1), at
