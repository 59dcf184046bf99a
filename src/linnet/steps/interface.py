"""The base class of steps that users write in Python. steps/in_python.py has four of them, a line or two each."""

from __future__ import annotations

from typing import ClassVar

from linnet.steps.own_step import Own

__all__ = ["Step"]


class Step(Own):
    """A step written in Python. A subclass has `tau`; where the weights shrink, as regularisation makes them, it also has
    `shrink(t)`, the factor that all weights are multiplied by before step t.

    >>> class Slower(Step):  # Each step is shorter than the one before.
    ...     def tau(self, loss, norm2, t):
    ...         return 1 / t
    """

    called: ClassVar[str] = ""
    """The name of the step, for messages; by default that of the class."""

    def tau(self, loss: float, norm2: float, t: int) -> float:
        """The length of step t, W -= tau X^T r, given the loss of the example and norm2 = ||X^T r||^2."""
        raise NotImplementedError(
            f"{type(self).__name__} has no tau(loss, norm2, t), which gives the length of a step."
        )

    def weighted(self, loss: float, norm2: float, t: int, weight: float) -> float:
        """The length of step t for an example that counts `weight` times. By default it is `weight` times `tau`; a
        subclass may do otherwise."""
        return weight * self.tau(loss, norm2, t)
