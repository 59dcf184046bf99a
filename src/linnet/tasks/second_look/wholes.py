"""What is said of an output as a whole, in which no dynamic programme could look for the best one.

An output is taken apart into parts that may be as large as one likes, such as a head with all that depends on it, and each part
has features by name. Of the k best outputs of a sentence most parts are the same, so the features are made of those only in
which an output differs from the first one:

    f(y) - f(y_1) = sum over the parts of y alone - sum over the parts of y_1 alone

Only differences within a list decide, so that nothing is lost by it, and the first output has no features.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cache
from sys import intern
from typing import Any, Protocol


class Whole(Protocol):
    """A sentence whose outputs can be looked at as wholes."""

    def parts(self, y: Sequence[int]) -> Iterator[Hashable]:
        """The parts of an output, each of them once."""

    def features(self, part: Any) -> Iterator[str]:
        """The names of what is said of a part."""


def differences(x: Whole, outputs: Sequence[Sequence[int]]) -> list[dict[str, float]]:
    """The features of each output less those of the first one."""

    @cache
    def named(part: Hashable) -> tuple[str, ...]:
        return tuple(map(intern, x.features(part)))

    def total(parts: Iterable[Hashable]) -> Counter[str]:
        return Counter(name for part in parts for name in named(part))

    # Dicts and not sets: features are numbered as they come, and the order of a set differs from run to run.
    first, *others = (dict.fromkeys(x.parts(y)) for y in outputs)
    found: list[dict[str, float]] = [{}]
    for own in others:
        more = total(part for part in own if part not in first)
        more.subtract(total(part for part in first if part not in own))
        found.append({name: n for name, n in more.items() if n})
    return found
