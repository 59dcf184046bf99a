"""Heads of tokens: numbers, and what is wrong with them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]


class Fault(NamedTuple):
    token: int
    """The first that is wrong, among all tokens."""
    message: str


def fault_of(heads: Ints, starts: Ints) -> Fault | None:
    """What keeps heads from being trees: one out of range, a sentence without a root, a circle. 0 is the root, -1 no number."""
    size = np.diff(starts)
    sentence = np.repeat(np.arange(len(size)), size)
    number = np.arange(len(heads)) - starts[:-1][sentence] + 1
    faults = []
    wrong = np.flatnonzero((heads < 0) | (heads > size[sentence]) | (heads == number))
    if len(wrong):
        t = int(wrong[0])
        what = "itself" if heads[t] == number[t] else "no number" if heads[t] < 0 else str(heads[t])
        n = size[sentence[t]]
        faults.append(Fault(t, f"expected a head from 0 to {n} other than the word itself, found {what}. Correct it."))
    inside = np.clip(heads, 0, size[sentence])
    faults += _circle(inside, number, starts, sentence)
    return min(faults, default=None, key=lambda fault: sentence[fault.token])


def _circle(heads: Ints, number: Ints, starts: Ints, sentence: Ints) -> list[Fault]:
    """The first token from which no way leads to the root."""
    root = len(heads)
    up = np.append(np.where(heads == 0, root, starts[:-1][sentence] + heads - 1), root)
    far = up
    for _ in range(int(max(np.diff(starts).max(initial=1), 1)).bit_length()):
        far = far[far]
    lost = np.flatnonzero(far[:-1] != root)
    if not len(lost):
        return []
    t = int(lost[0])
    way = [t]
    while up[way[-1]] not in way:
        way.append(int(up[way[-1]]))
    circle = way[way.index(int(up[way[-1]])) :]
    names = " -> ".join(str(number[k]) for k in [*circle, circle[0]])
    return [Fault(t, f"the heads {names} are a circle, so the sentence is no tree. Correct one of them.")]
