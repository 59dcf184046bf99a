"""What the numbers of one example stand for, in words: features, outcomes, places and outputs, as each task has them.

A task says this for the examples of a trace (trace.py), by `Task.notation`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from linnet.core.form import Structure
from linnet.core.types import Array


@dataclass(frozen=True)
class Cell:
    """A score in a chart."""

    score: float
    r: float = 0.0
    """The derivative of the loss by this score: below 0 where the score should rise."""
    y: float = 0.0
    """How often the right output uses what is scored here."""
    y_hat: float = 0.0
    """How often the output that was found uses it."""
    back: str = ""
    """In a table of the Viterbi algorithm, the tag before this one on the best way to it."""


@dataclass(frozen=True)
class Chart:
    """A table of scores, such as that of labels, of tags at tokens, or of arcs from heads to words."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]


@dataclass(frozen=True)
class Tables:
    """The tables of one example, each with an array for each block: places x outcomes."""

    theta: Sequence[Array]
    r: Sequence[Array]
    mu: Sequence[Array]
    """mu of the right output."""
    mu_hat: Sequence[Array]
    """mu of the output that was found."""

    def cell(self, block: int, place: int, outcome: int) -> Cell:
        theta, r, mu, mu_hat = (
            float(table[block][place, outcome]) for table in (self.theta, self.r, self.mu, self.mu_hat)
        )
        return Cell(theta, r, mu, mu_hat)


Charts = Callable[[Tables], Sequence[Chart]]


@dataclass(frozen=True)
class Notation:
    """The words for the numbers of one example."""

    text: str
    """The example as a text that people can read."""
    feature: Callable[[int, int], str]
    """The name of a feature, given the number of its block and its own number."""
    outcome: Callable[[int, int], str]
    """The name of an outcome, given the number of its block and its own number; "" where a place has one outcome
    only."""
    output: Callable[[Sequence[int]], str]
    """An output in words."""
    place: Callable[[int, int], str] = field(default=lambda block, place: "")
    """The name of a place, given the number of its block and its own number; "" where the example is one place."""
    charts: Charts | None = None
    """A function that makes the tables of scores to be shown; None where a table of places x outcomes for each block
    will do."""

    def charts_of(self, gen: Structure, tables: Tables) -> tuple[Chart, ...]:
        """The tables of scores to be shown, without those that have a single score."""
        if self.charts is not None:
            return tuple(self.charts(tables))
        return tuple(self.chart(tables, g) for g, n in enumerate(gen.outcomes) if len(tables.theta[g]) * n > 1)

    def chart(self, tables: Tables, block: int, name: str = "theta") -> Chart:
        """The scores of one block: a row for each place, a column for each outcome; of one place, a row for each outcome."""
        places, outcomes = tables.theta[block].shape
        cells = [[tables.cell(block, p, k) for k in range(outcomes)] for p in range(places)]
        if places == 1:
            return Chart(name, ("score",), tuple((self.outcome(block, k), (cells[0][k],)) for k in range(outcomes)))
        columns = tuple(self.outcome(block, k) or "score" for k in range(outcomes))
        return Chart(name, columns, tuple((self.place(block, p), tuple(row)) for p, row in enumerate(cells)))
