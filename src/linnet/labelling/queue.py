"""Which text comes next.

Some texts are drawn at random and never learned from: they tell how good the model is. Of the others, the one comes next that
the model is least sure of, but every tenth text is drawn at random here, too, so that the model meets what it is wrongly sure
of. Which texts are drawn at random depends on the texts alone: it is the same after a restart, and in every browser.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from linnet.core.types import I64, Bools
from linnet.labelling.learner import Belief
from linnet.labelling.pool import Pool
from linnet.labelling.state import State

HELD_OUT = 0.2
"""The share of the texts that are never learned from, and of the turns that ask for one."""
_RANDOM = 10
"""One turn in so many asks for a random text among those that are learned from."""


@dataclass(frozen=True)
class Choice:
    """A text to ask for, and why it was chosen."""

    row: int
    why: str
    """How it was chosen: held-out, random, seed-words or uncertain."""


class Queue:
    """Chooses the text that is asked for next."""

    def __init__(self, pool: Pool, held_out: float, seed_words: Mapping[str, Sequence[str]] | None = None) -> None:
        cut = round(held_out * len(pool.order))
        self.held: I64 = pool.order[:cut]
        """The texts that are never learned from, in a random order."""
        self.rest: I64 = pool.order[cut:]
        """The other texts, in a random order."""
        self._is_held: Bools = np.zeros(len(pool), np.bool_)
        self._is_held[self.held] = True
        self._every = round(1 / held_out) if held_out else 0
        """One turn in so many asks for a held-out text; 0 if none does."""
        self._seeded = {label: _rows_with(pool, words) for label, words in (seed_words or {}).items()}

    def is_held(self, row: int) -> bool:
        """Whether a text is never learned from."""
        return bool(self._is_held[row])

    def next(self, by: str, state: State, belief: Belief | None, taken: Collection[int]) -> Choice | None:
        """The next text for an annotator; None where there is none left. taken: texts that others have before them."""
        turn = state.turns(by)
        if self._every and turn % self._every == self._every - 1:
            found = self._held_out(by, state, taken)
            if found is not None:
                return found
        return self._to_learn(by, state, belief, taken, turn) or self._held_out(by, state, taken)

    def _held_out(self, by: str, state: State, taken: Collection[int]) -> Choice | None:
        """The first text of the random part that an annotator has not seen. All annotators see these texts in one order, so
        that there are texts that several have answered."""
        for row in self.held.tolist():
            # A text that another annotator has before them is left to them, unless it has an answer already.
            if not state.is_seen(row, by) and (row not in taken or state.answer(row) is not None):
                return Choice(row, "held-out")
        return None

    def _to_learn(
        self, by: str, state: State, belief: Belief | None, taken: Collection[int], turn: int
    ) -> Choice | None:
        """The text that the model is least sure of, or a random one."""
        gone = np.zeros(len(self._is_held), np.bool_)
        gone[[*state.answered(), *state.skipped(by), *taken]] = True
        left = self.rest[~gone[self.rest]]
        if not len(left):
            return None
        if self._seeded and (belief is None or state.n_with_label(self._seeded) < len(self._seeded)):
            return self._with_seed_words(state, left)
        if belief is None or turn % _RANDOM == 0:
            return Choice(int(left[0]), "random")
        return Choice(int(left[belief.margin[left].argmin()]), "uncertain")

    def _with_seed_words(self, state: State, left: I64) -> Choice:
        """A random text with a word that speaks for the label that has the fewest answers."""
        for label in sorted(self._seeded, key=state.n_answers):
            found = left[self._seeded[label][left]]
            if len(found):
                return Choice(int(found[0]), "seed-words")
        return Choice(int(left[0]), "random")


def _rows_with(pool: Pool, words: Sequence[str]) -> Bools:
    """Which texts have one of these words, in any case."""
    wanted = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})(?!\w)", re.IGNORECASE)
    return np.array([wanted.search(text) is not None for text in map(pool.text, range(len(pool)))], np.bool_)
