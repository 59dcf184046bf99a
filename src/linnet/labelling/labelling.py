"""Labelling as a whole: the pool, the journal, the learner and the queue together. A page or a program asks it for texts and
gives it answers."""

from __future__ import annotations

import os
import secrets
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from linnet.core.types import Json
from linnet.errors import UsageError, meant
from linnet.fitting.contract import Counts
from linnet.labelling.events import ANSWER, NOTE, SKIP, UNDO, Answer, Event, as_answer, check_name
from linnet.labelling.journal import Header, Journal
from linnet.labelling.kind import Kind
from linnet.labelling.learner import Belief, Learner
from linnet.labelling.pool import Pool
from linnet.labelling.progress import Progress, Share, progress, share
from linnet.labelling.queue import HELD_OUT, Choice, Queue
from linnet.labelling.state import State

_MOST_CLIENTS = 1000
"""The number of browsers whose texts are remembered."""
_LONGEST = 600.0
"""The seconds after which a text that was shown and not answered may be shown to another."""


@dataclass(frozen=True)
class Shown:
    """A text that is asked for."""

    row: int
    text: str
    """The example as a line of text."""
    drawn: Json
    """The example as the page draws it: a text, tokens, two lists of tokens, or candidates."""
    why: str
    """How it was chosen: held-out, random, seed-words, uncertain, or again after an undo or in a review."""
    guess: Answer | None
    """What the model would answer; None where it does not know anything yet, and for held-out texts, whose answers must not be
    swayed."""
    answer: Answer | None
    """The answer that this annotator has given before; None where there is none."""
    notes: tuple[str, ...]


class Labelling:
    """Texts that are being labelled, with the answers of a journal."""

    def __init__(
        self,
        pool: Pool,
        kind: Kind,
        journal: str | os.PathLike[str],
        *,
        labels: Sequence[str] = (),
        held_out: float = HELD_OUT,
        features: str | None = None,
        seed_words: Mapping[str, Sequence[str]] | None = None,
        learner: Learner | None = None,
    ) -> None:
        """Open a journal, or begin one.

        labels: the labels to begin with, beside those that the data give. Answers may bring further labels, unless the
            task has a fixed set of them, as ratings are.
        held_out: the share of the texts that are never learned from. A journal that exists keeps the share that
            it was begun with.
        features: a specification of features. By default, labels of texts are learned from n-grams at first, and from vectors
            and topics of the pool, too, as soon as these are learned in the background.
        seed_words: for some labels, words that speak for them.
        learner: what learns from the answers; by default the one that `kind` has for this pool.
        """
        if not 0 <= held_out <= 0.5:
            raise UsageError(f"expected a share of held-out texts between 0 and 0.5, found {held_out:g}.")
        given = (label for answer in pool.given.values() for label in kind.labels_of(answer))
        found = list(dict.fromkeys([*labels, *given]))
        for label in found:
            check_name("a label", label)
        if not os.path.exists(journal):
            kind.ordered(found)  # No journal is begun with labels that it could never be opened with.
        self.pool, self.kind = pool, kind
        self.state = State(found, kind.labels_of)
        self.journal = Journal(journal, Header(pool.data, kind.name, tuple(found), held_out), self._hear)
        self.state.labels += [label for label in self.journal.header.labels if label not in self.state.labels]
        self._check_labels(seed_words or {})
        self.queue = Queue(pool, self.journal.header.held_out, seed_words)
        self.learner = learner or kind.learner(pool, self.queue.rest, features, seed_words or {})
        self.features = features
        """The features that were asked for; None for the usual ones."""
        self._belief: tuple[tuple[int, int, str | None], Belief | None] | None = None
        """The last belief, with the version of the state, the number of labels and the features that it was learned from."""
        self._shown: OrderedDict[str, tuple[int, float]] = OrderedDict()
        """The text that each browser shows, and when it was shown, the longest ago first."""

    def _check_labels(self, seed_words: Mapping[str, Sequence[str]]) -> None:
        self.kind.ordered(self.state.labels)
        if seed_words and not self.kind.takes_seed_words:
            raise UsageError(f"seed words are for labels of texts, not for task {self.kind.name!r}. Leave them out.")
        for label in seed_words:
            if label not in self.state.labels:
                hint = meant(label, self.state.labels)
                raise UsageError(
                    f"there are seed words for {label!r}, which is none of the labels.{hint} Add it to --labels."
                )

    def _hear(self, event: Event) -> None:
        if event.kind != UNDO and event.row >= len(self.pool):
            raise UsageError(f"there is no text with number {event.row}: there are {len(self.pool):,}.")
        if event.kind == ANSWER:
            labels = [*self.state.labels, *self.kind.labels_of(event.answer)]
            self.kind.check(self.pool.inputs, event.row, event.answer, labels)
        self.state.hear(event)

    @property
    def labels(self) -> tuple[str, ...]:
        """All labels; ratings from the lowest up."""
        return self.kind.ordered(self.state.labels)

    def belief(self) -> Belief | None:
        """What the learner believes after all answers so far; None where they are too few."""
        self.journal.catch_up()
        now = self.state.version, len(self.state.labels), self.learner.features
        if self._belief is None or self._belief[0] != now:
            self._belief = now, self.learner.learn(self.labels, self.learned())
        return self._belief[1]

    def learned(self) -> dict[int, Answer]:
        """The answers that are learned from: first those that the data have, then those that people gave, in the order
        in which they gave them."""
        answers = {event.row: event.answer for event in self.state.answers() if not self.queue.is_held(event.row)}
        return {**{row: answer for row, answer in self.pool.given.items() if row not in answers}, **answers}

    def held(self) -> dict[int, Answer]:
        """The answers that are never learned from."""
        return {event.row: event.answer for event in self.state.answers() if self.queue.is_held(event.row)}

    def next(self, by: str = "", client: str = "") -> Shown | None:
        """The next text for an annotator; None where all are labelled. client: the browser that asks, so that two do not get
        the same text."""
        belief = self.belief()
        choice = self.queue.next(by, self.state, belief, self._taken(client))
        return None if choice is None else self._show(choice, by, client)

    def show(self, row: int, by: str = "", client: str = "") -> Shown:
        """Show a text again. Raise UsageError where there is none with that number."""
        self._check_row(row)
        return self._show(Choice(row, "again"), by, client)

    def _show(self, choice: Choice, by: str, client: str) -> Shown:
        row, belief = choice.row, self.belief()
        self._shown.pop(client, None)
        self._shown[client] = row, time.monotonic()
        if len(self._shown) > _MOST_CLIENTS:
            self._shown.popitem(last=False)
        before = self.state.answer(row, by)
        return Shown(
            row,
            self.pool.text(row),
            self.pool.inputs.shown(row),
            choice.why,
            None if belief is None or self.queue.is_held(row) else belief.guesses([row])[0],
            self.pool.given.get(row) if before is None else before.answer,
            tuple(self.state.notes(row)),
        )

    def _taken(self, client: str) -> set[int]:
        """The texts that other browsers show now."""
        since = time.monotonic() - _LONGEST
        return {row for other, (row, shown) in self._shown.items() if other != client and shown > since}

    def again(self, row: int, answer: Sequence[Json], fixed: Sequence[int]) -> Answer:
        """The answer with its parts at the `fixed` places as they are, and all other parts predicted anew to suit
        these. The answer is returned unchanged where the model cannot do that, and for held-out examples, whose answers
        must not be swayed."""
        self._check_row(row)
        belief, given = self.belief(), as_answer(answer)
        if belief is None or self.queue.is_held(row):
            return given
        try:
            return belief.again(row, given, fixed)
        except UsageError:
            return given

    def answer(self, row: int, answer: Sequence[Json], by: str = "", id: str | None = None) -> bool:
        """Keep an answer. It is on disk when this returns. Return False where an event with this id is there already."""
        self._check_row(row)
        self.journal.catch_up()
        event = Event(_id(id), ANSWER, by, row, as_answer(answer), held_out=self.queue.is_held(row), at=_now())
        kept = self.kind.check(self.pool.inputs, row, event.answer, self.labels)
        return self._add(replace(event, answer=kept))

    def skip(self, row: int, by: str = "", id: str | None = None) -> bool:
        """Leave a text out: it does not come back to this annotator."""
        self._check_row(row)
        return self._add(Event(_id(id), SKIP, by, row, at=_now()))

    def note(self, row: int, note: str, by: str = "", id: str | None = None) -> bool:
        """Keep a note on a text."""
        self._check_row(row)
        return self._add(Event(_id(id), NOTE, by, row, note=note, at=_now()))

    def undo(self, by: str = "", id: str | None = None) -> int | None:
        """Take back the last event of an annotator; return the text that it was about. None where an event with this id is
        there already."""
        self.journal.catch_up()
        last = self.state.last(by)
        if last is None:
            raise UsageError("there is nothing to take back.")
        return last.row if self._add(Event(_id(id), UNDO, by, of=last.id, at=_now())) else None

    def _add(self, event: Event) -> bool:
        return self.journal.add(event)

    def _check_row(self, row: int) -> None:
        if not 0 <= row < len(self.pool):
            raise UsageError(f"expected the number of a text from 0 to {len(self.pool) - 1:,}, found {row}.")

    def accuracy(self) -> Share:
        """How right the model is on the held-out answers."""
        return share(self._measured(self.belief(), self.held()))

    def progress(self) -> Progress:
        """The learning curve, and whether more answers would help."""
        self.journal.catch_up()
        return progress(self.learner, self.labels, self.learned(), self.held(), self._measured)

    def _measured(self, belief: Belief | None, held: Mapping[int, Answer]) -> Counts:
        """How right a belief is about these answers."""
        rows = [] if belief is None else list(held)
        guesses = [] if belief is None else belief.guesses(rows)
        return self.kind.counts(self.pool.inputs, rows, [held[row] for row in rows], guesses, self.labels)


def _id(id: str | None) -> str:
    return secrets.token_urlsafe(12) if id is None else id


def _now() -> int:
    return int(time.time())
