from collections.abc import Sequence

from linnet.core.form import Loss, Step, Structure
from linnet.core.loops.online import Online
from linnet.core.scorer import Scorer

class Votes(Scorer):
    """The votes of several weights for the outcomes of their best outputs."""

class Voted(Online):
    """The perceptron that keeps the weights which were right most often."""

    def __init__(self, gen: Structure, loss: Loss, step: Step, n_features: Sequence[int], *, votes: int) -> None: ...
