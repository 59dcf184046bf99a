"""Trees of constituents: the brackets around each word (bits), their spans, and the binary tree that stands for them.

    The     (S(NP*        S   0 2         (0, 2) S
    dog     *)            NP  0 1         (0, 1) NP    (0, 0) (none)    (1, 1) (none)
    barks   (VP*))        VP  2 2         (2, 2) VP

A bracket with one bracket inside is one with a joined label (`S+VP`). One with more than two parts is split into two of them
again and again, from the left or from the right; the spans that come of it, and words that have only a tag, are labelled NONE,
and are left out when the tree is restored.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

NONE = "(none)"
"""The label of spans that the tree does not show. It has round brackets, which no label of a file has."""
JOIN = "+"
"""The mark between the labels of brackets over the same words."""
Place: TypeAlias = tuple[int, int]
"""The first and the last word of a span, from 0."""
Labelled: TypeAlias = dict[Place, str]
"""The label of each span of a tree."""
Ints: TypeAlias = npt.NDArray[np.int32]

_BIT = re.compile(r"((?:\([^()*]+)*)\*(\)*)")


def is_label(label: str) -> bool:
    """Whether a constituent can have this label, which is written between brackets."""
    return bool(label) and not any(mark in label for mark in "()*")


class Span(NamedTuple):
    """A constituent over the words from `first` to `last`, from 0 and both included."""

    label: str
    first: int
    last: int


def spans_of(bits: Sequence[str]) -> list[Span]:
    """The constituents, outer ones before those inside. ValueError where the bits of a sentence are not a tree.

    >>> spans_of(["(S(NP*", "*)", "(VP*))"])
    [Span(label='S', first=0, last=2), Span(label='NP', first=0, last=1), Span(label='VP', first=2, last=2)]
    """
    spans: list[Span] = []
    open_ones: list[int] = []
    for t, bit in enumerate(bits):
        match = _BIT.fullmatch(bit)
        if match is None:
            raise ValueError(f"expected brackets around a word such as (S(NP* or *)), found {bit!r}")
        for label in match[1].split("(")[1:]:
            open_ones.append(len(spans))
            spans.append(Span(label, t, t))
        for _ in match[2]:
            if not open_ones:
                raise ValueError(f"a bracket is closed after word {t + 1} that was not open")
            at = open_ones.pop()
            spans[at] = spans[at]._replace(last=t)
    if open_ones:
        many = f"{len(open_ones)} brackets are" if len(open_ones) > 1 else "one bracket is"
        raise ValueError(f"{many} never closed")
    return spans


def bits_of(spans: Mapping[Place, str], n: int) -> list[str]:
    """The brackets around each of n words, given the spans with their labels, which may be joined.

    >>> bits_of({(0, 2): "S", (0, 1): "NP", (2, 2): "VP+V"}, 3)
    ['(S(NP*', '*)', '(VP(V*)))']
    """
    opens, closes = [""] * n, [""] * n
    for (first, last), label in sorted(spans.items(), key=lambda span: -span[0][1]):
        opens[first] += "(" + label.replace(JOIN, "(")
        closes[last] += ")" * (1 + label.count(JOIN))
    return [f"{opened}*{closed}" for opened, closed in zip(opens, closes, strict=True)]


def binary(bits: Sequence[str], *, left: bool) -> Labelled:
    """The label of each span of the binary tree. `left` makes ((a b) c) of (a b c), otherwise it is (a (b c)).

    >>> binary(["(S(NP*)", "(VP(V*)", "*", "*))"], left=False)
    {(0, 3): 'S', (0, 0): 'NP', (1, 3): 'VP', (1, 1): 'V', (2, 2): '(none)', (3, 3): '(none)', (2, 3): '(none)'}
    """
    n = len(bits)
    found: Labelled = {}
    for label, first, last in spans_of(bits):
        found[first, last] = found[first, last] + JOIN + label if (first, last) in found else label
    for place in ((0, n - 1), *((t, t) for t in range(n))):
        found.setdefault(place, NONE)
    child_starts: dict[Place, list[int]] = {place: [] for place in sorted(found, key=lambda span: (span[0], -span[1]))}
    enclosing: list[Place] = []
    for place in child_starts:
        while enclosing and enclosing[-1][1] < place[0]:
            enclosing.pop()
        if enclosing:
            child_starts[enclosing[-1]].append(place[0])
        enclosing.append(place)
    for (first, last), starts in child_starts.items():
        for k in range(2, len(starts)):
            found[(first, starts[k] - 1) if left else (starts[k - 1], last)] = NONE
    return found


def numbered(tree: Mapping[Place, str], n: int, number: Mapping[str, int]) -> Ints:
    """The output y of `Brackets` (structures/brackets.pyx): for each span of n words 1 + the number of its label, 0 where the
    span is not in the tree, -1 where its label has no number. The span from `first` to `last` stands at
    y[last (last + 1) / 2 + first]."""
    y = np.zeros(n * (n + 1) // 2, np.int32)
    for (first, last), label in tree.items():
        y[last * (last + 1) // 2 + first] = 1 + number.get(label, -2)
    return y


def restored(y: Ints, n: int, labels: Sequence[str]) -> list[str]:
    """The bits of the tree that an output y of n words stands for (`numbered` says how), without the spans labelled NONE."""
    used = np.flatnonzero(y)
    lasts, firsts = (part[used].tolist() for part in np.tril_indices(n))
    tree = {(a, b): labels[k - 1] for a, b, k in zip(firsts, lasts, y[used].tolist(), strict=True)}
    return bits_of({place: label for place, label in tree.items() if label != NONE}, n)


def probable(spans: Sequence[Span], mu: npt.NDArray[np.float32], labels: Sequence[str]) -> list[float]:
    """The probability of each constituent: the sum over the joined labels that contain it. mu has the probability of each
    joined label (column) for each span (row), in the order of `numbered`.

    >>> mu = np.array([[0.1, 0.2, 0.7]])
    >>> np.round(probable([Span("S", 0, 0), Span("VP", 0, 0)], mu, [NONE, "VP", "S+VP"]), 1).tolist()
    [0.7, 0.9]
    """
    parts = [label.split(JOIN) for label in labels]
    seen: Counter[Span] = Counter()
    found = []
    for span in spans:
        seen[span] += 1  # a label joined with itself stands for two brackets, and the second needs it twice
        has = [part.count(span.label) >= seen[span] for part in parts]
        found.append(min(float(mu[span.last * (span.last + 1) // 2 + span.first, has].sum()), 1.0))
    return found
