"""The opening of a stream: its first examples, which decide what learning begins with, such as labels and features."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias, TypeVar

from linnet.core.types import Data

OPENING = 256
"""The number of examples that a stream is opened with. Where they are not enough to begin with, it is doubled until
they are."""

Enough: TypeAlias = Callable[[Data, int], bool]
"""A function of data and a number n. It says whether learning can begin with the first n examples of the data, for
example because there are two labels among them."""
P = TypeVar("P")


def opened(
    parts: Iterable[P], join: Callable[[Sequence[P]], P], made: Callable[[P], Data], enough: Enough | None
) -> Iterator[Data]:
    """Yield what is `made` of the parts of a stream. The first parts are joined into one until their first OPENING
    examples, or twice as many and so on, are `enough`; if they never are, all parts are joined into one. If `enough` is
    None, each part is made by itself from the start. After Ctrl-C, the examples that have come are yielded before it is
    raised."""
    rest = iter(parts)
    if enough is None:
        yield from map(made, rest)
        return
    head: list[P] = []
    wanted = OPENING
    try:
        for part in rest:
            head.append(part)
            n = sum(map(len, head))  # type: ignore[arg-type]
            if n < wanted:
                continue
            head = [join(head)]
            first = made(head[0])
            while wanted <= n and not enough(first, wanted):
                wanted *= 2
            if wanted <= n:
                break
        else:
            if head:
                yield made(join(head))
            return
    except KeyboardInterrupt:
        if head:
            yield made(join(head))
        raise
    yield first
    yield from map(made, rest)
