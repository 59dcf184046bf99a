"""Steps of the lectures in plain Python: slow, and short enough to change.

Each says what the compiled step of the same name says, which the tests compare. Take one as a pattern for your own
(docs/watch.md).
"""

from __future__ import annotations

from linnet.steps.interface import Step


class Constant(Step):
    """tau = eta: the step of the perceptron (Carpuat, algorithm 3)."""

    called = "constant"

    def __init__(self, eta: float = 1.0) -> None:
        self.eta = eta

    def tau(self, loss: float, norm2: float, t: int) -> float:
        return self.eta


class PassiveAggressive(Step):
    """The smallest step that closes the margin, at most C (Eisenstein eq. 14): the step of MIRA."""

    called = "passive-aggressive"

    def __init__(self, C: float = 1.0) -> None:
        self.C = C

    def tau(self, loss: float, norm2: float, t: int) -> float:
        return min(self.C, loss / norm2) if loss > 0 and norm2 > 0 else 0.0

    def weighted(self, loss: float, norm2: float, t: int, weight: float) -> float:
        """A weight above 1 allows a longer step, but none beyond the margin; one below 1 shortens it."""
        return min(weight, 1.0) * type(self)(max(weight, 1.0) * self.C).tau(loss, norm2, t)


class Pegasos(Step):
    """Stochastic gradients with steps of 1 / (lam t), and weights that shrink (Shalev-Shwartz et al. 2011, fig. 1)."""

    called = "pegasos"

    def __init__(self, lam: float = 1e-4) -> None:
        self.lam = lam

    def shrink(self, t: int) -> float:
        return 1 - 1 / t

    def tau(self, loss: float, norm2: float, t: int) -> float:
        return 1 / (self.lam * t)


class SGD(Step):
    """Stochastic gradients with L2 regularisation (Choi, "Stochastic Gradient Descent", "Regularization")."""

    called = "sgd"

    def __init__(self, eta: float = 0.5, lam: float = 0.0) -> None:
        self.eta, self.lam = eta, lam

    def shrink(self, t: int) -> float:
        return 1 - self.eta * self.lam

    def tau(self, loss: float, norm2: float, t: int) -> float:
        return self.eta
