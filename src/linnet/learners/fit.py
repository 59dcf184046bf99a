"""What came of learning: the weights, and what each epoch did."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from linnet.learners.preset import Weights
from linnet.learners.theory import Theory
from linnet.learners.weights import total


@dataclass(frozen=True)
class Epoch:
    """What one pass over the data did."""

    epoch: int
    loss: float
    updates: int
    moved: float
    dev: float | None
    seconds: float
    run: int = 1
    gap: float | None = None
    """How far it is to the optimum, as a share, where the learner can tell."""
    support: int | None = None
    """How many examples are support vectors, where the learner has any."""
    mistakes: int | None = None
    """Examples whose output was wrong before they were learned from; None where nobody asked."""


@dataclass(frozen=True)
class Progress:
    epoch: int
    epochs: int
    share: float
    """Of all epochs, from 0 to 1."""
    left: float
    """Seconds, if all epochs are run; nan: not known yet."""
    last: Epoch | None
    step: str = ""
    """Which model it is, where others are learned before or after it: "tagger 2 of 6"."""
    steps: int = 1
    """Of how many models share and left are, those of its kind."""


@dataclass
class Fit:
    """What was learned, of linear models one array per block, and how it came about."""

    weights: list[Weights]
    history: list[Epoch] = field(default_factory=list)
    stopped: str = ""
    best: int = 0
    """The epoch that the weights are from; of several runs, that of the last."""
    interrupted: bool = False
    runs: int = 0
    """How many runs are done, where their weights are averaged."""
    total: list[Weights] = field(default_factory=list)
    """The sum of their weights."""
    theory: Theory | None = None

    def report(self) -> dict[str, Any]:
        return {
            "epochs": [asdict(epoch) for epoch in self.history],
            "stopped": self.stopped,
            "best": self.best,
            "theory": None if self.theory is None else asdict(self.theory),
        }

    def this_run(self) -> list[Epoch]:
        return [epoch for epoch in self.history if epoch.run == self.runs + 1]

    def end_epoch(self, epoch: Epoch, best: list[Weights] | None) -> None:
        """Add what an epoch did and, where they are the best of their run on dev, its weights. At once, for Ctrl-C may come
        at any moment."""
        kept = {} if best is None else {"best": epoch.epoch, "weights": best}
        vars(self).update(history=[*self.history, epoch], **kept)

    def end_run(self) -> None:
        """Add the weights of this run to those of the others, at once."""
        sums = total(self.total, self.weights) if self.total else self.weights
        vars(self).update(total=sums, runs=self.runs + 1, weights=[])
