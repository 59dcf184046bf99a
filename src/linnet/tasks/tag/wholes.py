"""Features of whole sequences of tags: of spans, and of those beside them (Collins 2002, "Ranking algorithms for named-entity
extraction"). A token whose tag marks no span, or that is outside of spans, counts as a span of one token.

    span     its type with its length, its words, its given tags, and the word that follows
    two      two spans that follow each other, with the words at their ends
    three    three spans that follow each other
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import pairwise
from typing import Any

_LONGEST = 8
"""The length, in tokens, from which on all spans count as equally long."""


class TagWhole:
    """A sentence for the reranker: its words, another column if there is one, and for each label its type and whether it goes
    on with a span."""

    def __init__(self, words: Sequence[str], others: Sequence[str] | None, labels: Sequence[tuple[str, bool]]) -> None:
        # Place -1 stands for the end of the sentence, as well as for its beginning.
        self.word = [*map(str.lower, words), "</s>"]
        self.other = [*(words if others is None else others), "</s>"]
        self.labels = labels

    def parts(self, y: Sequence[int]) -> Iterator[Hashable]:
        n = len(y)
        spans: list[tuple[str, int, int]] = [("<s>", 0, 0)]
        for t, k in enumerate(y):
            kind, goes_on = self.labels[k]
            start = spans.pop()[1] if goes_on and t else t
            spans.append((kind, start, t + 1))
        spans.append(("</s>", n, n))
        yield from (("span", *span) for span in spans[1:-1])
        yield from (("two", a, *span) for (a, *_), span in pairwise(spans))
        yield from (("three", a, *span, c) for (a, *_), span, (c, *_) in zip(spans, spans[1:], spans[2:], strict=False))

    def features(self, part: Any) -> Iterator[str]:
        kind, *of = part
        yield from _SAID[kind](self, *of)

    def _span(self, b: str, start: int, stop: int) -> Iterator[str]:
        word, other = self.word, self.other
        inside, these = " ".join(other[start:stop]), " ".join(word[start:stop])
        yield f"{b} {min(stop - start, _LONGEST)} long"
        yield f"{b} = {inside}"
        yield f"{b} = {inside} {other[stop]}"
        yield f"{b} = {these}"
        yield f"{b} {word[stop - 1]}"
        yield f"{b} {other[stop - 1]} {word[stop]}"

    def _two(self, a: str, b: str, start: int, stop: int) -> Iterator[str]:
        word, last = self.word, self.word[start - 1]
        yield f"{a} {b}"
        yield f"{a} {b} {word[start]}"
        yield f"{a} {last} {b}"
        yield f"{a} {last} {b} {word[stop - 1]}"

    def _three(self, a: str, b: str, start: int, stop: int, c: str) -> Iterator[str]:
        word = self.word
        yield f"{a} {b} {c}"
        yield f"{a} {word[stop - 1]} {c}"
        yield f"{a} {word[start - 1]} {b} {c} {word[stop]}"
        yield f"{a} {b} {' '.join(self.other[start:stop])} {c}"


_SAID: dict[str, Callable[..., Iterator[str]]] = {
    "span": TagWhole._span,
    "two": TagWhole._two,
    "three": TagWhole._three,
}
"""The features of each kind of part."""
