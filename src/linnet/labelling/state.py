"""The state of labelling: what replaying the journal gives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from linnet.labelling.events import ANSWER, NOTE, SKIP, UNDO, Answer, Event


@dataclass
class State:
    """Answers, skipped texts and notes, after all events so far. Events that do not fit, such as an undo of what was taken back
    before, change nothing."""

    labels: list[str]
    """All labels, in the order in which they came up."""
    labels_of: Callable[[Answer], Iterable[str]] = field(compare=False)
    """A function that gives the labels that an answer has."""
    n: int = 0
    """The number of events."""
    version: int = 0
    """A number that grows whenever something changes that is learned from."""
    _number: dict[str, int] = field(default_factory=dict)
    """The place of each event among all."""
    _history: dict[str, list[Event]] = field(default_factory=dict)
    """For each annotator, the events that can be taken back."""
    _answers: dict[int, list[Event]] = field(default_factory=dict)
    """For each text, the answers that hold or were replaced, in their order."""
    _skipped: dict[str, set[int]] = field(default_factory=dict)
    _notes: dict[int, list[Event]] = field(default_factory=dict)

    def hear(self, event: Event) -> None:
        """Take in one event."""
        self._number[event.id] = self.n
        self.n += 1
        if event.kind == UNDO:
            self._undo(event)
            return
        self._history.setdefault(event.by, []).append(event)
        if event.kind == ANSWER:
            self._answers.setdefault(event.row, []).append(event)
            self.labels += [label for label in dict.fromkeys(self.labels_of(event.answer)) if label not in self.labels]
            self.version += not event.held_out
        elif event.kind == SKIP:
            self._skipped.setdefault(event.by, set()).add(event.row)
        elif event.kind == NOTE:
            self._notes.setdefault(event.row, []).append(event)

    def _undo(self, undo: Event) -> None:
        done = self._history.get(undo.by, [])
        if not done or done[-1].id != undo.of:
            return
        event = done.pop()
        if event.kind == ANSWER:
            self._answers[event.row].remove(event)
            self.version += not event.held_out
        elif event.kind == SKIP:
            self._skipped[event.by].discard(event.row)
        else:
            self._notes[event.row].remove(event)

    def last(self, by: str) -> Event | None:
        """The event that an annotator can take back."""
        done = self._history.get(by)
        return done[-1] if done else None

    def answer(self, row: int, by: str | None = None) -> Event | None:
        """The answer that holds for a text: the last one, or the last one of an annotator."""
        for event in reversed(self._answers.get(row, ())):
            if by is None or event.by == by:
                return event
        return None

    def answers(self) -> Iterator[Event]:
        """The answer that holds for each text, in the order of these answers."""
        last = [events[-1] for events in self._answers.values() if events]
        return iter(sorted(last, key=lambda event: self._number[event.id]))

    def by_annotator(self) -> dict[str, dict[int, Answer]]:
        """The answers of each annotator, keyed by annotator and then by the number of the text."""
        found: dict[str, dict[int, Answer]] = {}
        for events in self._answers.values():
            for event in events:
                found.setdefault(event.by, {})[event.row] = event.answer
        return found

    def is_seen(self, row: int, by: str) -> bool:
        """Whether an annotator has answered a text or skipped it."""
        return self.is_skipped(row, by) or self.answer(row, by) is not None

    def is_skipped(self, row: int, by: str) -> bool:
        return row in self._skipped.get(by, ())

    def skipped(self, by: str) -> set[int]:
        """The texts that an annotator has skipped."""
        return self._skipped.get(by, set())

    def answered(self) -> list[int]:
        """The texts that have an answer."""
        return [row for row, events in self._answers.items() if events]

    def notes(self, row: int) -> list[str]:
        """The notes on a text."""
        return [event.note for event in self._notes.get(row, ())]

    def turns(self, by: str) -> int:
        """The number of texts that an annotator has answered or skipped."""
        return sum(event.kind in (ANSWER, SKIP) for event in self._history.get(by, ()))

    def n_answers(self, label: str) -> int:
        """The number of texts whose answer has this label."""
        return sum(label in events[-1].answer for events in self._answers.values() if events)

    def n_with_label(self, labels: Iterable[str]) -> int:
        """The number of these labels that some answer has."""
        return len(set(labels) & {label for events in self._answers.values() if events for label in events[-1].answer})
