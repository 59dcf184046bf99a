"""Features of whole outputs, which look at parts that are too large for a dynamic programme to search over.

An output consists of parts, such as a head with all words that depend on it, and each part has features by name. The k best
outputs of a sentence have most parts in common, so features are made only of the parts in which an output differs from the
first one:

    f(y) - f(y_1) = sum over the parts of y alone - sum over the parts of y_1 alone

Only differences within a list decide, so nothing is lost, and the first output has no features.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cache
from sys import intern
from typing import Any, Protocol


class Whole(Protocol):
    """A sentence that gives features of its whole outputs. `differences` calls `parts` for each output, and `features` once for
    each part in which outputs differ."""

    def parts(self, y: Sequence[int]) -> Iterator[Hashable]:
        """The parts of an output, each of them once. A part is any hashable value."""

    def features(self, part: Any) -> Iterator[str]:
        """The names of the features of a part."""


def differences(x: Whole, outputs: Sequence[Sequence[int]]) -> list[dict[str, float]]:
    """The features of each output less those of the first one."""

    @cache
    def named(part: Hashable) -> tuple[str, ...]:
        return tuple(map(intern, x.features(part)))

    def total(parts: Iterable[Hashable]) -> Counter[str]:
        return Counter(name for part in parts for name in named(part))

    # These are dicts and not sets, as features are numbered as they come, and the order of a set differs from run to run.
    first, *others = (dict.fromkeys(x.parts(y)) for y in outputs)
    found: list[dict[str, float]] = [{}]
    for own in others:
        more = total(part for part in own if part not in first)
        more.subtract(total(part for part in first if part not in own))
        found.append({name: n for name, n in more.items() if n})
    return found
