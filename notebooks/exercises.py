"""Checks for the exercises of the notebooks. They say whether an answer is right and, if it is not, what it gave instead."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any


def check(answer: Callable[..., Any], *cases: tuple[tuple[Any, ...], Any], hint: str) -> None:
    """Call the function of an exercise with the arguments of each case, and print whether it returns what is expected.

    >>> check(lambda a, b: a + b, ((1, 2), 3), hint="Add both.")
    Right.
    >>> def difference(a, b):
    ...     return a + b
    >>> check(difference, ((1, 2), -1), hint="The first less the second.")
    Not right: difference(1, 2) gives 3, but -1 is expected. The first less the second.
    >>> def unanswered(a): ...
    >>> check(unanswered, ((1,), 1), hint="Try.")
    Not yet: unanswered(1) returns nothing. Try.
    >>> check(int, (("one",), 1), hint="Write digits.")
    Not right: int('one') raises ValueError: invalid literal for int() with base 10: 'one'. Write digits.
    """
    for arguments, expected in cases:
        call = f"{answer.__name__}({', '.join(map(repr, arguments))})"
        try:
            found = answer(*arguments)
        except Exception as error:  # whatever the code of a student raises is shown, so that the notebook goes on
            print(f"Not right: {call} raises {type(error).__name__}: {error}. {hint}")
            return
        if found is None:
            print(f"Not yet: {call} returns nothing. {hint}")
            return
        if not same(found, expected):
            print(f"Not right: {call} gives {found!r}, but {expected!r} is expected. {hint}")
            return
    print("Right.")


def same(found: Any, expected: Any) -> bool:
    """Whether two values are the same, where numbers may differ by rounding.

    >>> same([0.1 + 0.2, "a"], [0.3, "a"]), same({"a": 1}, {"a": 2}), same([1], 1)
    (True, False, False)
    """
    if isinstance(expected, str | set):
        return bool(found == expected)
    if isinstance(expected, Mapping):
        return (
            isinstance(found, Mapping)
            and found.keys() == expected.keys()
            and all(same(found[key], expected[key]) for key in expected)
        )
    if isinstance(expected, Sequence):
        return (
            hasattr(found, "__len__")
            and len(found) == len(expected)
            and all(same(one, other) for one, other in zip(found, expected, strict=True))
        )
    try:
        return bool(abs(found - expected) <= 1e-9 * max(1, abs(expected)))
    except TypeError:
        return False
