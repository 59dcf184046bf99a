"""Progress where several models are learned for one: which of them is learned now, and how long the rest will take.

A parser is learned after its taggers and its pruner, a reranker after five parsers. Each of them tells how far it is; `Steps`
adds which model that is ("tagger 2 of 6") and what is left for all of its kind, and passes it on to the watcher.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from linnet.learners import Progress

Watcher: TypeAlias = "Callable[[Progress], None]"
"""A function that shows progress to the user."""


@dataclass
class Steps:
    """Models of one kind that are learned one after the other, perhaps as a part of learning another model."""

    watcher: Watcher | None = None
    name: str = ""
    """What is learned in these steps: tagger, pruner, reranking. The outermost steps have no name."""
    n: int = 1
    """The number of models."""
    outer: Steps | None = None
    """The steps of the model that these models are learned for; None for the outermost steps."""
    began: float = field(default_factory=lambda: time.perf_counter())
    at: int = 0
    """The number of the model that is learned now, from 1."""
    since: float = 0.0
    """The time at which the learning of that model began."""

    def inside(self, name: str, n: int = 1) -> Steps:
        """Steps for n models of this name, which the model that is learned now needs."""
        return Steps(self.watcher, name, n, self if self.name else None)

    def one(self, name: str) -> Watcher | None:
        """Begin the one model of this name that is learned for the model of these steps."""
        return self.inside(name).next()

    def next(self) -> Watcher | None:
        """Begin the next model, and return the watcher that it reports its progress to, or None where nobody watches."""
        if self.watcher is None:
            return None
        self.at, self.since = self.at + 1, time.perf_counter()
        if not self.name:
            return self.watcher
        several = self._several()
        return lambda progress: self._tell(several, progress)

    def _several(self) -> Steps:
        """The innermost steps with more than one model, whose end can be estimated."""
        steps = self
        while steps.n == 1 and steps.outer is not None:
            steps = steps.outer
        return steps

    def _tell(self, several: Steps, progress: Progress) -> None:
        assert self.watcher is not None
        here = replace(progress, step=self.label)
        if several.n > 1:
            left = several.left(progress.left) if several is self else several.left_by_those_before()
            spent = time.perf_counter() - several.began
            share = (several.at - 1) / several.n if math.isnan(left) else spent / (spent + left)
            here = replace(here, steps=several.n, share=share, left=left)
        self.watcher(here)

    @property
    def label(self) -> str:
        """What is learned now, in words, such as "reranking, held-out parser 2 of 5, pruner"."""
        own = f"{self.name} {self.at} of {self.n}" if self.n > 1 else self.name
        return own if self.outer is None else f"{self.outer.label}, {own}"

    def left(self, of_this: float) -> float:
        """The seconds that all models still need, if the present one needs `of_this` and each other one takes as long as the
        models so far took on average."""
        now = time.perf_counter()
        return of_this + (self.n - self.at) * (now - self.began + of_this) / self.at

    def left_by_those_before(self) -> float:
        """The seconds that all models still need, judged by the models that have ended; nan where none has."""
        if self.at < 2:
            return math.nan
        each = (self.since - self.began) / (self.at - 1)
        return max(each - (time.perf_counter() - self.since), 0.0) + (self.n - self.at) * each


SILENT = Steps()
"""Steps that nobody watches."""
