from linnet.core.form import Loss
from linnet.core.types import F32

class Output:
    """An output of one example, as `Scores` gives it."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """The integers that the structure has for it: for labels one, the number of the label."""

class Scores:
    """The scores of one example and its gold output, as a loss written in Python sees them. Vectors have a number for each
    outcome of each place, all blocks one after the other."""

    @property
    def y(self) -> Output:
        """The gold output."""

    @property
    def theta(self) -> F32:
        """The scores of all outcomes."""

    def with_cost(self, cost: float = 1.0) -> Scores:
        """A copy of these scores, with so many times the cost of each output added to what it scores."""

    def argmax(self, *, ties: bool = False) -> Output:
        """The output with the highest score; y itself where the structure counts that output as right. With `ties`, of equals
        one that is not right."""

    def score(self, y: Output) -> float:
        """The score of an output, theta.mu(y)."""

    def mu(self, y: Output) -> F32:
        """How often an output uses each outcome of each place."""

    def marginals(self) -> tuple[float, F32]:
        """log Z, and the expected mu(y) under p(y) = exp(theta.mu(y)) / Z."""

class Own(Loss):
    """The compiled side of a loss that is written in Python."""
