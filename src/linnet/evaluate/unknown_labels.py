"""Gold labels that a model does not know, and so cannot predict: they are counted and reported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

_MOST = 5


def unknown_labels(gold: Iterable[str], known: Sequence[str]) -> dict[str, int]:
    """The labels that the model does not know and how many examples have them, the most frequent first; none where nothing is
    known of the labels of the model.

    >>> unknown_labels(["a", "c", "c"], ["a", "b"])
    {'c': 2}
    """
    names = frozenset(known)
    return dict(Counter(label for label in gold if label not in names).most_common()) if names else {}


def said(unknown: Mapping[str, int]) -> str:
    """A sentence on labels that the model does not know; "" where there are none.

    >>> said({"c": 2})
    "2 examples have a label that the model does not know: 'c' (2). Each counts as an error."
    """
    if not unknown:
        return ""
    n = sum(unknown.values())
    names = ", ".join(f"{label!r} ({count:,})" for label, count in list(unknown.items())[:_MOST])
    more = f" and {len(unknown) - _MOST:,} more" if len(unknown) > _MOST else ""
    examples = "1 example has" if n == 1 else f"{n:,} examples have"
    return f"{examples} a label that the model does not know: {names}{more}. Each counts as an error."
