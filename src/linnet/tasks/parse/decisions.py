"""Arcs as decisions: each token can be given another head or another relation. The rest of the tree is then predicted
anew to suit that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from linnet.core.blocks import Block
from linnet.core.predictor import Predictor
from linnet.core.types import I32, Data, Output
from linnet.errors import UsageError
from linnet.model.decisions import Decision, OfWords, Wanted, free
from linnet.report.reasons import Reason
from linnet.tasks.parse.why import ROOT, Flags, ScoredTree


class ArcDecisions(OfWords):
    """The heads of all tokens of one sentence, and then, if arcs have relations, the relations of all tokens."""

    def __init__(
        self,
        x: Data,
        words: Sequence[str],
        blocks_of: Callable[[Flags], tuple[Block, ...]],
        out: Flags,
        scored: Callable[[tuple[Block, ...]], ScoredTree],
        predictor: Predictor[Any],
        labels: Sequence[str],
    ) -> None:
        """blocks_of: gives the blocks of the sentence without the arcs whose flag is set. out: the flags of the arcs that are
        pruned. scored: makes a sentence whose trees are compared."""
        self.x, self.words, self.labels = x, words, tuple(labels)
        self.blocks_of, self.out, self.predictor = blocks_of, out, predictor
        self.whole = blocks_of(np.zeros_like(out))
        self.scored = scored(self.whole)
        self.y = self.best({})

    def decisions(self) -> list[Decision]:
        R = len(self.labels)
        found = [
            Decision(
                f"head of {word}", (ROOT, *self.words[:m], *self.words[m + 1 :]), choice_of(m, int(self.y[m]) // R)
            )
            for m, word in enumerate(self.words)
        ]
        if R > 1:
            found += [
                Decision(f"relation of {word}", self.labels, int(k) % R)
                for word, k in zip(self.words, self.y, strict=True)
            ]
        return found

    def allowed(self, y: I32) -> list[Sequence[int]]:
        """The right choices for the head of each token, and then for its relation. For a relation that the model does
        not know, y has -1 - the head. The relation of a token with a wrong head counts as no further error, so it has
        no right choice."""
        R = len(self.labels)
        heads = [k // R if k >= 0 else -1 - k for k in y.tolist()]
        found: list[Sequence[int]] = [[choice_of(m, head)] for m, head in enumerate(heads)]
        if R > 1:
            same = [head == int(mine) // R for head, mine in zip(heads, self.y, strict=True)]
            found += [[k % R] if k >= 0 and is_same else [] for k, is_same in zip(y.tolist(), same, strict=True)]
        return found

    def place(self, number: int) -> tuple[Sequence[str], range]:
        m = number % len(self.words)
        return self.words, range(m, m + 1)

    def best(self, wanted: Wanted) -> I32:
        """The best tree with these heads and relations. A head that is asked for is not pruned. The relation of a token is
        asked for together with the head that it has."""
        n, R = len(self.words), len(self.labels)
        if wanted:
            self.check(wanted)
        heads = {m: choice if choice <= m else choice + 1 for m, choice in wanted.items() if m < n}
        out = self.out.copy().reshape(n, n + 1)
        for m, h in heads.items():
            out[m] = 1
            out[m, h] = 0
        forced = free(n)
        for number, r in wanted.items():
            if number >= n:
                m = number - n
                forced[m] = heads.get(m, int(self.y[m]) // R) * R + r
        y: I32 = self.predictor.argmax(self.blocks_of(out.ravel()), forced)[0]
        if any(y[m] // R != h for m, h in heads.items()) or any(k >= 0 and y[m] != k for m, k in enumerate(forced)):
            raise UsageError("no tree has all of these arcs at once. Ask for fewer of them.")
        return y

    def output(self, wanted: Wanted) -> Output:
        R = len(self.labels)
        return [(int(k) // R, self.labels[int(k) % R]) for k in self.best(wanted)]

    def reasons(self, this: Wanted, that: Wanted) -> list[Reason]:
        y, other = self.best(this).tolist(), self.best(that).tolist()
        parts = self.scored.differences(self.scored.uses(y), self.scored.uses(other))
        return [(self.words[part.token], part.what, part.contribution) for part in parts]


def choice_of(m: int, head: int) -> int:
    """The number of a head among the choices of token m (from 0), which cannot be its own head."""
    return head if head <= m else head - 1
