"""The base class of losses that users write in Python: they work with every structure, as the compiled ones do.

`evaluate` is called once for each example in each pass. It sees the scores of the example, can ask which output scores best,
and says how large the loss is and in which direction the scores should move. losses/in_python.py has four of them.

    theta     the scores: a number for each outcome of each place, as one vector
    mu(y)     how often an output y uses each of these outcomes, so that its score is theta.mu(y)
    loss      a number
    r         the derivative of the loss by theta: W -= tau X^T r is the step that follows
"""

from __future__ import annotations

from typing import ClassVar

from linnet.core.types import F64, Array
from linnet.losses.own_loss import Output, Own, Scores

__all__ = ["Loss", "Output", "Scores"]


class Loss(Own):
    """A loss written in Python. A subclass has `evaluate`. It derives from `Margins` and has `of_margin` if rankings and sets
    of labels are to be learned with it, too: their outputs are decided by yes-or-no questions.

    >>> class Ramp(Loss):  # Twice the cost at most: what is hopelessly wrong pulls no more.
    ...     def evaluate(self, x):
    ...         fear, hope = x.with_cost(1), x.with_cost(-1)
    ...         y_fear, y_hope = fear.argmax(), hope.argmax()
    ...         return fear.score(y_fear) - hope.score(y_hope), x.mu(y_fear) - x.mu(y_hope)
    """

    called: ClassVar[str] = ""
    """The name of the loss, for messages; by default that of the class."""
    needs_marginals: ClassVar[bool] = False
    """Whether `evaluate` asks for marginals, which not all structures have."""
    is_mistake: ClassVar[bool] = False
    """Whether r is zero exactly where the best output is right."""
    mean_of_questions: ClassVar[bool] = False
    """Whether yes-or-no questions are learned by the mean of their losses, and not by the sum."""

    def evaluate(self, x: Scores) -> tuple[float, Array]:
        """The loss of one example, and r."""
        raise NotImplementedError(f"{type(self).__name__} has no evaluate(x), which gives the loss and r.")


class Margins(Loss):
    """A loss written in Python that is also one of the margins of yes-or-no questions."""

    def of_margin(self, s: F64) -> tuple[Array, Array]:
        """The loss of each margin s, which is above 0 where the answer is right, and the slope of the loss there."""
        raise NotImplementedError(f"{type(self).__name__} has no of_margin(s), which gives losses and slopes.")
