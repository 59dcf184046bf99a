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
    ["a"] * 5000,
    "a" * 100_000,
]


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
    if what < 6:
        at[key] = any_value(rng)
    elif what == 6:
        del at[key]
    elif what == 7 and isinstance(at, dict):
        at[rng.choice(["more", "", "0", key + key])] = at.pop(key)
    elif what == 8:
        other = rng.choice(list(at) if isinstance(at, dict) else range(len(at)))
        at[key], at[other] = at[other], at[key]
    elif isinstance(at, list):
        at.insert(rng.randrange(len(at) + 1), rng.choice([at[key], any_value(rng)]))
    elif isinstance(at[key], int | float) and not isinstance(at[key], bool):
        at[key] += rng.choice([1, -1, 10**6])
    elif isinstance(at[key], list) and at[key]:
        at[key] = rng.choice([at[key][:-1], at[key] * 2, at[key][::-1], at[key] * 200])
    else:
        at[key] = any_value(rng)


def any_value(rng: Random) -> Any:
    """A value of any type, ordinary or extreme."""
    return copy.deepcopy(rng.choice(rng.choice([WHOLE, REAL, OTHER])))
