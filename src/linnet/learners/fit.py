"""The result of learning: the weights, and what each epoch did."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

from linnet.core.types import Json
from linnet.learners.preset import Weights
from linnet.learners.theory import Theory
from linnet.learners.weights import total


@dataclass(frozen=True)
class Epoch:
    """What one pass over the data did."""

    epoch: int
    """The number of the epoch, from 1, counted over all runs."""
    loss: float
    """The mean loss of the examples in this pass."""
    updates: int
    """The number of steps that changed the weights."""
    moved: float
    """How far the weights moved, as a share of their length; nan where it was not measured."""
    dev: float | None
    """The accuracy on the held-out examples; None without any."""
    seconds: float
    """The seconds since the run began, or went on."""
    run: int = 1
    """The number of the run, from 1."""
    gap: float | None = None
    """The distance to the optimum as a share, where the learner can tell."""
    support: int | None = None
    """The number of support vectors, where the learner has any."""
    mistakes: int | None = None
    """The number of examples whose output was wrong before they were learned from; None where they were not counted."""


@dataclass(frozen=True)
class Progress:
    """How far learning is, as it is shown to the user."""

    epoch: int
    """The number of the epoch that is going on, counted over all runs."""
    epochs: int
    """The number of epochs of all runs."""
    share: float
    """The share that is done, from 0 to 1, of the epochs that were left when learning began or went on."""
    left: float
    """Seconds that are left if all epochs are run; nan while that is not known."""
    last: Epoch | None
    """What the last epoch did; None in the first."""
    step: str = ""
    """The name of the model, where others are learned before or after it: "tagger 2 of 6"."""
    steps: int = 1
    """The number of models of this kind that `share` and `left` are about."""


@dataclass
class Fit:
    """What was learned (for linear models one array per block), and how it came about."""

    weights: list[Weights]
    history: list[Epoch] = field(default_factory=list)
    stopped: str = ""
    """Why learning ended, in words for the user."""
    warning: str = ""
    """What went wrong and what to do about it, in words for the user; empty where nothing did."""
    best: int = 0
    """The epoch that the weights are from; with several runs, that of the last run."""
    interrupted: bool = False
    """Whether Ctrl-C ended it."""
    runs: int = 0
    """The number of runs that are done, where their weights are averaged."""
    total: list[Weights] = field(default_factory=list)
    """The sum of the weights of these runs."""
    theory: Theory | None = None
    likelihood: float | None = None
    """ln of the joint probability of all examples and their outputs; None for learners that have no such
    probability."""

    def report(self) -> dict[str, Json]:
        """What a model file keeps of the course of learning, as plain values for JSON. How long it took is not among them, so
        that the same training gives the same file."""
        said = {"warning": self.warning} if self.warning else {}
        return {
            "epochs": [_without_time(epoch) for epoch in self.history],
            "stopped": self.stopped,
            **said,
            "best": self.best,
            "theory": None if self.theory is None else asdict(self.theory),
            **({} if self.likelihood is None else {"likelihood": self.likelihood}),
        }

    def this_run(self) -> list[Epoch]:
        """The epochs of the run that is going on."""
        return [epoch for epoch in self.history if epoch.run == self.runs + 1]

    def end_epoch(self, epoch: Epoch, best: list[Weights] | None) -> None:
        """Add what an epoch did and, if its weights are the best of their run on dev, these weights. All is assigned at
        once, since Ctrl-C may come at any moment."""
        kept = {} if best is None else {"best": epoch.epoch, "weights": best}
        vars(self).update(history=[*self.history, epoch], **kept)

    def end_run(self) -> None:
        """Add the weights of this run to those of the others, in one assignment."""
        sums = total(self.total, self.weights) if self.total else self.weights
        vars(self).update(total=sums, runs=self.runs + 1, weights=[])


def _without_time(epoch: Epoch) -> dict[str, Json]:
    facts = asdict(epoch)
    del facts["seconds"]
    return facts
