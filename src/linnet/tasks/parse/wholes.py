"""Features of whole dependency trees (in the manner of Charniak and Johnson 2005 and of Hall 2007).

`differences` (second_look/wholes.py) calls `TreeWhole.parts` for each of the k best trees of a sentence, and `features` for the
parts in which a tree differs from the first one. The kinds of parts:

frame     a head, its own head, and all its children in order: their relations in a row, two and three of them that follow
          each other, their number, relations that occur twice, the words that mark the head (case, mark, cc)
span      a token and all words from the first to the last below it: their number, the tags around them, whether they
          reach the end
chain     a token, its head, the head of that, and the next: their relations and tags
whole     the depth of the tree
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import pairwise
from typing import Any

_ARGUMENTS = {"nsubj", "csubj", "obj", "iobj", "xcomp", "ccomp", "obl", "expl", "cop"}
_MARKS = {"case", "mark", "cc", "cop", "advmod"}
_MOST = 6
"""The number of children on one side of a head from which on all numbers count as the same."""


class TreeWhole:
    """A sentence for the reranker: its words w, and a fine tag t and a coarse tag u of each. Position 0 is the root, words are
    at 1 to n, and n + 1 is the end of the sentence."""

    def __init__(self, words: Sequence[str], fine: Sequence[str], coarse: Sequence[str], relations: Sequence[str]):
        self.w, self.t, self.u = (
            ["<root>", *map(str.lower, words), "</s>"],
            ["ROOT", *fine, "END"],
            ["ROOT", *coarse, "END"],
        )
        self.relations = relations
        self.n = len(words)

    def parts(self, y: Sequence[int]) -> Iterator[Hashable]:
        """The parts of a tree: tuples of a kind and the arguments of its method below. y has for each token its head times the
        number of relations, plus its relation."""
        R, n = len(self.relations), self.n
        heads = [0, *(k // R for k in y)]
        relation = ["-", *(self.relations[k % R] for k in y)]
        below: list[list[int]] = [[] for _ in heads]
        first, last = list(range(n + 1)), list(range(n + 1))
        deepest = 0
        for m in range(1, n + 1):
            below[heads[m]].append(m)
            depth, a = 0, m
            while a:
                a = heads[a]
                depth += 1
                if m < first[a]:
                    first[a] = m
                last[a] = max(last[a], m)
            deepest = max(deepest, depth)
        yield "whole", deepest
        for h in range(n + 1):
            kids = below[h]
            g = heads[h]
            yield "frame", h, g, relation[h], tuple([(m, relation[m]) for m in kids])
            if h:
                yield "span", h, g, relation[h], first[h], last[h]
                yield "chain", h, relation[h], g, relation[g], heads[g], relation[heads[g]]

    def features(self, part: Any) -> Iterator[str]:
        """The names of the features of a part."""
        kind, *arguments = part
        yield from _FEATURES_OF[kind](self, *arguments)

    def _whole(self, depth: int) -> Iterator[str]:
        yield f"depth {depth} of {_about(self.n)}"

    def _frame(self, h: int, g: int, r: str, kids: Sequence[tuple[int, str]]) -> Iterator[str]:
        """h has the head g by the relation r, and the children `kids` with their relations."""
        w, t, u = self.w, self.t, self.u
        left, right = [r for m, r in kids if m < h], [r for m, r in kids if m > h]
        row = [(0, "<"), *((m, r) for m, r in kids if m < h), (h, "*"), *((m, r) for m, r in kids if m > h), (0, ">")]
        plain = " ".join(r for _, r in row if r != "punct")
        yield f"{u[h]} {r} : {' '.join(r for _, r in row)}"
        yield f"{u[h]} : {plain}"
        yield f"{t[h]} {r} : {plain}"
        yield f"{w[h]} : {plain}"
        yield f"{u[h]} left {' '.join(left)}"
        yield f"{u[h]} right {' '.join(right)}"
        yield f"{u[h]} {r} has {min(len(left), _MOST)} {min(len(right), _MOST)}"
        arguments = " ".join([r for _, r in kids if r in _ARGUMENTS])
        yield f"{t[h]} {r} arguments {arguments}"
        yield f"{w[h]} arguments {arguments}"
        for name, n in Counter(r for _, r in kids).items():
            if n > 1:
                yield f"{u[h]} {min(n, 4)} times {name}"
        for (a, ra), (b, rb) in pairwise(row):
            yield f"{u[h]} {ra} {rb}"
            yield f"{t[h]} {t[a]} {ra} {t[b]} {rb}"
            yield f"{w[h]} {ra} {rb}"
            yield f"{ra} {w[a]} {rb} {w[b]}"
        for (a, ra), (b, rb), (c, rc) in zip(row, row[1:], row[2:], strict=False):
            yield f"{u[h]} {ra} {rb} {rc}"
            yield f"{u[h]} {r} {t[a]} {ra} {t[b]} {rb} {t[c]} {rc}"
        for m, rm in kids:
            yield f"{u[g]} {r} {u[h]} {rm} {u[m]}"
            yield f"{t[g]} {r} {t[h]} {rm} {t[m]}"
            yield f"{r} {w[h]} {rm} {t[m]}"
            yield f"{r} {t[h]} {rm} {w[m]}"
            if rm in _MARKS:
                yield f"{w[g]} {w[m]} {w[h]}"
                yield f"{w[g]} {r} {w[m]}"
                yield f"{u[g]} {r} {w[m]} {u[h]}"
                yield f"{r} {w[m]} {w[h]}"
        if r == "conj":
            yield f"conj {t[g]} {t[h]} {w[g][-2:] == w[h][-2:]}"
            yield f"conj {t[g] == t[h]} {_about(h - g)}"

    def _span(self, h: int, g: int, r: str, first: int, last: int) -> Iterator[str]:
        """h has the head g by the relation r; the words below h and h itself go from `first` to `last`."""
        w, t, u = self.w, self.t, self.u
        size, end = _about(last - first + 1), self.n - last if self.n - last < 2 else 2
        yield f"{r} {u[h]} size {size} {end}"
        yield f"{u[g]} {r} {u[h]} size {size}"
        yield f"{r} {u[h]} from {t[first - 1]} to {t[last + 1]}"
        yield f"{u[g]} {r} {t[first]} to {t[last]}"
        yield f"{r} from {w[first - 1]} {w[first]}"
        yield f"{r} to {w[last]} {w[last + 1]}"
        yield f"{r} {u[h]} in {w[first - 1]} {w[last + 1]}"
        yield f"{u[g]} {r} {_about(abs(h - g))} {g < h}"

    def _chain(self, m: int, r: str, h: int, rh: str, g: int, rg: str) -> Iterator[str]:
        """m has the head h by the relation r, h has the head g by rh, and g has its head by rg."""
        t, u = self.t, self.u
        yield f"chain {r} {rh} {rg}"
        yield f"chain {u[m]} {r} {u[h]} {rh} {u[g]} {rg}"
        yield f"chain {t[m]} {r} {t[h]} {rh} {t[g]}"


_FEATURES_OF: dict[str, Callable[..., Iterator[str]]] = {
    "whole": TreeWhole._whole,
    "frame": TreeWhole._frame,
    "span": TreeWhole._span,
    "chain": TreeWhole._chain,
}
"""The method that yields the features of each kind of part."""


def _about(n: int) -> int:
    """A number in steps: 1 to 5 as they are, then 6 to 10, and so on."""
    return n if n <= 5 else 5 + 5 * ((n - 1) // 5) if n <= 20 else 30
