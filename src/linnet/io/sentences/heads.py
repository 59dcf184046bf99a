"""Heads of tokens as numbers, and what can be wrong with them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]


class Fault(NamedTuple):
    token: int
    """The number of the first token that is wrong, among all tokens."""
    message: str


def fault_of(heads: Ints, starts: Ints, one_root: bool = False) -> Fault | None:
    """The fault that keeps heads from being trees: one out of range, a circle, with `one_root` a second root. 0 is the
    root, -1 no number. The first sentence with a fault counts; None if there is none."""
    faults = _faults(heads, starts, one_root)
    return min(faults, default=None, key=lambda fault: int(np.searchsorted(starts, fault.token, "right")))


def wrong_sentences(heads: Ints, starts: Ints, one_root: bool) -> Ints:
    """The numbers of the sentences whose heads are no trees."""
    left = np.arange(len(starts) - 1)
    wrong = [np.empty(0, np.int64)]
    while len(left):
        cut = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.diff(starts)[left])])
        tokens = np.arange(cut[-1]) + np.repeat(starts[left] - cut[:-1], np.diff(cut))
        found = np.array([fault.token for fault in _faults(heads[tokens], cut, one_root)], np.int64)
        if not len(found):
            break
        at = np.unique(np.searchsorted(cut, found, "right") - 1)
        wrong.append(left[at])
        left = np.delete(left, at)
    return np.sort(np.concatenate(wrong))


def _faults(heads: Ints, starts: Ints, one_root: bool) -> list[Fault]:
    """The first fault of each kind."""
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
    if one_root:
        roots = np.flatnonzero(heads == 0)
        second = roots[1:][sentence[roots[1:]] == sentence[roots[:-1]]]
        message = "a second root (head 0) in the sentence. Correct it, or allow it: --set roots=any."
        faults += [Fault(int(t), message) for t in second[:1]]
    return faults


def _circle(heads: Ints, number: Ints, starts: Ints, sentence: Ints) -> list[Fault]:
    """A fault for the first token from which no way leads to the root, if there is one."""
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
