"""Check that the heads of a dependency parse form a tree in each sentence.

Many sentences are checked together, in two arrays. `heads` has one entry for each token, sentence after sentence: the number
of its head, counted from 1 within the sentence; 0 if its head is the root; -1 if the file has no number of up to 18 digits
there. `starts` has the index in `heads` at which each sentence begins, and at its end the number of all tokens.

>>> two_sentences = np.array([2, 0, 3, 0, 2])  # one of two tokens, one of three
>>> first_fault(two_sentences, np.array([0, 2, 5])) is None
True
>>> first_fault(np.array([2, 0, 2, 1, 0]), np.array([0, 2, 5]))
Fault(token=2, message='the heads 1 -> 2 -> 1 are a cycle, so the sentence is no tree. Correct one of them.')
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]


class Fault(NamedTuple):
    token: int
    """The index in `heads` of the first token that is wrong. If the fault is a cycle, the token is in it or leads into it."""
    message: str


class _WrongTokens(NamedTuple):
    """The indices in `heads` of all tokens with a fault of each kind, in increasing order."""

    impossible: Ints
    """The head is not a number, is not in the sentence, or is the token itself."""
    rootless: Ints
    """No path leads to the root: the token is in a cycle, or below one."""
    second_roots: Ints
    """The head is the root, as is that of an earlier token of the sentence."""


def first_fault(heads: Ints, starts: Ints, one_root: bool = False) -> Fault | None:
    """Describe what keeps the first sentence that is no tree from being one; None if all are trees. With `one_root`, only one
    token of a sentence may have the root as its head. If a sentence has several faults, an impossible head is named before a
    cycle, and a cycle before a second root."""
    sentence = _sentence_of_each_token(starts)
    wrong = _wrong_tokens(heads, starts, one_root)
    describe = (_impossible_head, _cycle, _second_root)  # in the order of _WrongTokens
    found = [(int(tokens[0]), message) for tokens, message in zip(wrong, describe, strict=True) if len(tokens)]
    if not found:
        return None
    token, message = min(found, key=lambda fault: int(sentence[fault[0]]))
    begin, end = starts[sentence[token]], starts[sentence[token] + 1]
    return Fault(token, message(heads[begin:end], token - int(begin)))


def wrong_sentences(heads: Ints, starts: Ints, one_root: bool) -> Ints:
    """The numbers, from 0 and in increasing order, of all sentences that are no trees."""
    tokens = np.concatenate(_wrong_tokens(heads, starts, one_root))
    return np.unique(_sentence_of_each_token(starts)[tokens])


def _sentence_of_each_token(starts: Ints) -> Ints:
    return np.repeat(np.arange(len(starts) - 1), np.diff(starts))


def _wrong_tokens(heads: Ints, starts: Ints, one_root: bool) -> _WrongTokens:
    """Find the tokens with faults. A sentence without any root needs no check of its own: following its heads never ends, so
    they have a cycle."""
    sentence = _sentence_of_each_token(starts)
    size = np.diff(starts)[sentence]
    number = np.arange(len(heads)) - starts[sentence] + 1
    impossible = np.flatnonzero((heads < 0) | (heads > size) | (heads == number))
    # Impossible heads are clipped so that they are valid indices; their sentences are wrong anyway.
    rootless = _rootless(np.clip(heads, 0, size), starts)
    roots = np.flatnonzero(heads == 0)
    second_roots = roots[1:][sentence[roots[1:]] == sentence[roots[:-1]]]
    return _WrongTokens(impossible, rootless, second_roots if one_root else second_roots[:0])


def _rootless(heads: Ints, starts: Ints) -> Ints:
    """The tokens from which no path leads to the root, by pointer doubling: after k rounds `ancestor` is 2^k steps up from each
    token, and a path to the root has at most as many steps as the sentence has tokens."""
    root = len(heads)  # one more node, which is its own parent
    first = starts[_sentence_of_each_token(starts)]
    ancestor = np.append(np.where(heads == 0, root, first + heads - 1), root)
    for _ in range(int(np.diff(starts).max(initial=1)).bit_length()):
        ancestor = ancestor[ancestor]
    return np.flatnonzero(ancestor[:-1] != root)


def _impossible_head(heads: Ints, token: int) -> str:
    """The message for the head of a token of one sentence; here and below, tokens are numbered from 0 within it."""
    found = str(heads[token])
    if heads[token] == token + 1:
        found = "itself"
    elif heads[token] < 0:
        found = "no such number"
    return f"expected a head from 0 to {len(heads)} other than the word itself, found {found}. Correct it."


def _cycle(heads: Ints, token: int) -> str:
    """The message for the cycle that the path up from a token ends in."""
    path = [token]
    while (parent := int(heads[path[-1]]) - 1) not in path:
        path.append(parent)
    cycle = [*path[path.index(parent) :], parent]
    names = " -> ".join(str(token + 1) for token in cycle)
    return f"the heads {names} are a cycle, so the sentence is no tree. Correct one of them."


def _second_root(heads: Ints, token: int) -> str:
    return "a second root (head 0) in the sentence. Correct it, or allow it: --set roots=any."
