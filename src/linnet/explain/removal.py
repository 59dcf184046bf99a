"""The smallest set of words whose removal changes an answer, checked by removing them.

Each word is tried alone, then all pairs (in long texts, pairs of the 40 words that speak most strongly for the answer).
If that does not change the answer, the words that speak most strongly for it are removed one after the other until it
changes. Then words that are not needed are put back, one after the other, until all are needed. So a set of one word is
surely the smallest, and one of two words is, too, unless the text is long. Of a larger set, no single word can be put back,
but there may be a smaller set.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

from linnet.core.types import Output

_PAIRED = 40
"""The number of words, those that speak most strongly, of which all pairs are tried."""

Span = tuple[int, int]
Predict = Callable[[list[str]], Sequence[Output]]


@dataclass(frozen=True)
class Removal:
    """Words whose removal changes the answer to a text: their places, the text without them, and the answer to that."""

    spans: tuple[Span, ...]
    text: str
    answer: Output


def without(text: str, spans: Sequence[Span]) -> str:
    """A text without the characters of some spans.

    >>> without("a fine film", [(2, 6)])
    'a  film'
    """
    at, kept = 0, []
    for start, end in sorted(spans):
        kept.append(text[at:start])
        at = end
    return "".join([*kept, text[at:]])


def smallest_removal(
    text: str, words: Sequence[tuple[Span, float]], answer: Output, predict: Predict
) -> Removal | None:
    """The smallest set of words that was found whose removal changes the answer; None where none was found.

    words: the places of words, each with what it adds to the score of the answer. predict: answers some texts.
    """
    order = [span for span, _ in sorted(words, key=lambda word: -word[1])]

    def first(sets: list[list[Span]]) -> tuple[list[Span], Removal] | None:
        """The first set whose removal changes the answer, in its order, and that removal."""
        texts = [without(text, spans) for spans in sets]
        found = zip(sets, texts, predict(texts), strict=True) if texts else ()
        return next(((s, Removal(tuple(sorted(s)), t, y)) for s, t, y in found if y != answer), None)

    found = first([[span] for span in order]) or first([list(pair) for pair in combinations(order[:_PAIRED], 2)])
    if found is None:
        fewer = first([order[:n] for n in range(3, len(order) + 1)])
        while fewer is not None:
            found, (spans, _) = fewer, fewer
            fewer = first([spans[:k] + spans[k + 1 :] for k in reversed(range(len(spans)))])  # the weakest word first
    return None if found is None else found[1]
