"""The smallest set of words whose removal changes an answer, checked by removing them.

Each word is tried alone, then all pairs (in long texts, pairs of the 40 words that speak most strongly for the answer).
If that does not change the answer, the words that speak most strongly for it are removed one after the other until it
changes, and then each word that was not needed is put back. So a set of one word is surely the smallest, and one of two
words is, too, unless the text is long. Of a larger set, no single word can be put back, but there may be a smaller set.
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

    def first(sets: list[Sequence[Span]]) -> Removal | None:
        texts = [without(text, spans) for spans in sets]
        found = zip(sets, texts, predict(texts), strict=True) if texts else ()
        return next((Removal(tuple(sorted(s)), t, y) for s, t, y in found if y != answer), None)

    few = first([[span] for span in order]) or first(list(combinations(order[:_PAIRED], 2)))
    if few is not None:
        return few
    many = first([order[:n] for n in range(3, len(order) + 1)])
    return None if many is None else _needed(text, many, answer, predict)


def _needed(text: str, found: Removal, answer: Output, predict: Predict) -> Removal:
    """The removal without the words that need not be removed."""
    for span in found.spans:
        fewer = tuple(other for other in found.spans if other != span)
        cut = without(text, fewer)
        (now,) = predict([cut])
        if now != answer:
            found = Removal(fewer, cut, now)
    return found
