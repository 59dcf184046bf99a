"""Changes of JSON: one value of a tree becomes another, goes, moves, or comes twice."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

WHOLE = [
    0,
    1,
    -1,
    2,
    7,
    255,
    2**16,
    2**31 - 1,
    2**31,
    -(2**31),
    2**32,
    2**53,
    2**62,
    2**63 - 1,
    2**63,
    2**64,
    10**30,
    10**400,
]
REAL = [0.5, -0.5, 1e-300, 1e30, 3e38, -3e38, 1e308, "nan", "inf", "-inf"]
OTHER = [
    None,
    True,
    False,
    "",
    "x",
    "é" * 40,
    "\ud800",
    "\0",
    [],
    {},
    [[]],
    [None],
    {"": None},
    {"x": {}},
    ["a"] * 300,
    "a" * 10_000,
]
LONG = [["a"] * 5000, "a" * 100_000]


def change_tree(tree: Any, rng: Random) -> None:
    """Change one value anywhere in a tree of JSON: what is near the root is as likely as what is deep."""
    at = tree
    while True:
        keys = list(at) if isinstance(at, dict) else list(range(len(at)))
        if not keys:
            break
        key = rng.choice(keys)
        if isinstance(at[key], dict | list) and at[key] and rng.random() < 0.75:
            at = at[key]
            continue
        _change_value(at, key, rng)
        return
    if isinstance(at, dict):
        at["more"] = any_value(rng)
    else:
        at.append(any_value(rng))


def _change_value(at: Any, key: Any, rng: Random) -> None:
    what = rng.randrange(10)
    if what < 3:
        at[key] = any_value(rng)
    elif what < 6:
        at[key] = alike(at[key], rng)
    elif what == 6:
        del at[key]
    elif what == 7 and isinstance(at, dict):
        at[rng.choice(["more", "", "0", key + key])] = at.pop(key)
    elif what == 8 or isinstance(at, dict):
        other = rng.choice(list(at) if isinstance(at, dict) else range(len(at)))
        at[key], at[other] = at[other], at[key]
    else:
        at.insert(rng.randrange(len(at) + 1), rng.choice([at[key], any_value(rng)]))


def alike(value: Any, rng: Random) -> Any:
    """Another value of the same type, which may be as good as the one that was there."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice([value + 1, value - 1, value + 10**6, -value, rng.choice(WHOLE)])
    if isinstance(value, float):
        return rng.choice([value / 2, value * 2, -value, 1.0, 0.0, 1e-6, 1e6])
    if isinstance(value, str):
        return rng.choice([value[:-1], value[1:], value * 2, value.upper(), value + " x", value[::-1]])
    if isinstance(value, list) and value:
        return rng.choice([value[:-1], value[1:], value * 2, value[::-1], value * rng.choice([3, 200])])
    return any_value(rng)


def any_value(rng: Random) -> Any:
    """A value of any type, ordinary or extreme; a long one now and then, as it takes long to try."""
    kind = rng.choice([WHOLE, REAL, OTHER]) if rng.random() < 0.995 else LONG
    return copy.deepcopy(rng.choice(kind))
