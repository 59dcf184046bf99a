"""L-BFGS for a smooth function plus l1 ||w||_1, as questions and answers.

    F(w) = f(w) + l1 ||w||_1,    v the steepest ascent of F at w: its gradient where there is one, else the nearest to it
    d    = -H v,  H the inverse Hessian of f as the last changes (s, y) of w and of f's gradient tell it
    w'   = w + alpha d,  alpha = 1, 1/2, 1/4, ... until F(w') <= F(w) + 1e-4 v.(w' - w)

With l1 > 0 a step stays in one orthant: parts of d that go against -v are left out, and what would change its sign becomes
0 (Andrew and Gao 2007, "Scalable training of L1-regularized log-linear models"; Nocedal 1980 for H). With l1 = 0 this is
plain L-BFGS. `trial` is where to evaluate f next and `tell` takes the answer, so that each pass over the data is one
step here, and the state between two passes is all there is. Vectors and lists are replaced, never changed: a copy of the
optimiser that is told something leaves the original as it was.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from linnet.core.loops.batch import add, dot
from linnet.core.types import Array, Json, State

Vector = npt.NDArray[np.float32]

# A step must lower F by at least this share of what the slope at w promises (Armijo's condition).
_SUFFICIENT = 1e-4
# A difference below this share of f is noise, since f comes from float32 scores.
_NOISE = 1e-8
# After more halvings than this the search ends: no step along the direction is an improvement that float32 can see.
_MOST_HALVINGS = 20
# The attributes of the optimiser that `state` gives.
_VECTORS = ("w", "trial", "gradient", "direction")
_NUMBERS = ("value", "alpha", "halvings", "first", "gap")


class Lbfgs:
    """The optimiser: whoever uses it evaluates f and its gradient at `trial`, and passes them to `tell`."""

    def __init__(self, w: Vector, l1: float = 0.0, memory: int = 6) -> None:
        self.w = w
        """The best point so far."""
        self.trial = w.copy()
        """The point at which to evaluate f next."""
        self.l1 = l1
        self.memory = memory
        self.value = np.inf
        """The value F(w) at the best point."""
        self.gradient = np.zeros_like(w)
        """The gradient of f at w."""
        self.direction = np.zeros_like(w)
        self.alpha = 0.0
        self.halvings = 0
        self.first = 0.0
        """The length ||v|| at the start."""
        self.gap = np.inf
        """The length ||v|| relative to that at the start; 0 where no step is an improvement that float32 can see."""
        self.s: list[Vector] = []
        self.y: list[Vector] = []

    def tell(self, f: float, gradient: Vector) -> bool:
        """Take in the value and the gradient of f at `trial`. Returns whether that became the best point. Afterwards
        `trial` is the next point at which to evaluate f."""
        value = f + (self.l1 * float(np.abs(self.trial).sum(dtype=np.float64)) if self.l1 else 0.0)
        if np.isfinite(self.value):
            change = self.trial - self.w
            slope = dot(_ascent(self.w, self.gradient, self.l1), change)
            if not value <= self.value + _SUFFICIENT * slope + _NOISE * abs(self.value):
                self._shorter()
                return False
            self._remember(change, gradient - self.gradient)
        self.w, self.value, self.gradient = self.trial, value, gradient
        self._next()
        return True

    def _remember(self, s: Vector, y: Vector) -> None:
        if dot(s, y) > 1e-10 * dot(y, y):  # Else H would not be positive definite, or nearly not.
            self.s, self.y = [*self.s, s][-self.memory :], [*self.y, y][-self.memory :]

    def _next(self) -> None:
        v = _ascent(self.w, self.gradient, self.l1)
        length = math.sqrt(dot(v, v))
        self.first = self.first or length
        self.gap = length / self.first if self.first else 0.0
        self.direction = self._newton(v)
        if self.l1:
            self.direction[self.direction * v >= 0] = 0
        self.alpha = 1.0 if self.s else 1 / max(length, 1e-12)
        self.halvings = 0
        self._try()

    def _shorter(self) -> None:
        self.alpha /= 2
        self.halvings += 1
        if self.halvings > _MOST_HALVINGS:
            self.gap = 0.0
        self._try()

    def _try(self) -> None:
        self.trial = self.w.copy()
        add(self.trial, self.direction, self.alpha)
        if self.l1:
            v = _ascent(self.w, self.gradient, self.l1)
            self.trial[self.trial * np.where(self.w != 0, self.w, -v) <= 0] = 0

    def _newton(self, v: Vector) -> Vector:
        """The direction -H v, by the two loops over (s, y), the newest first and then the oldest first."""
        q = -v
        past = []
        for s, y in zip(reversed(self.s), reversed(self.y), strict=True):
            rho = 1 / dot(s, y)
            a = rho * dot(s, q)
            add(q, y, -a)
            past.append((s, y, rho, a))
        if past:
            _, y, rho, _ = past[0]
            q *= np.float32(1 / (rho * dot(y, y)))
        for s, y, rho, a in reversed(past):
            add(q, s, a - rho * dot(y, q))
        return q

    def state(self) -> State:
        """The state needed to go on exactly: vectors by name, and numbers by name."""
        vectors: dict[str, Array] = {name: getattr(self, name) for name in _VECTORS}
        for k, (s, y) in enumerate(zip(self.s, self.y, strict=True)):
            vectors |= {f"s{k}.": s, f"y{k}.": y}
        return vectors, {name: getattr(self, name) for name in _NUMBERS}

    def restore(self, vectors: Mapping[str, Array], numbers: Mapping[str, Json]) -> None:
        """Go on from `state()`."""
        for name in _VECTORS:
            setattr(self, name, vectors[name])
        self.s, self.y = (
            [vectors[f"{name}{k}."] for k in range(self.memory) if f"{name}{k}." in vectors] for name in "sy"
        )
        for name in _NUMBERS:
            setattr(self, name, type(getattr(self, name))(numbers[name]))  # A file has infinity as a word.


def _ascent(w: Vector, gradient: Vector, l1: float) -> Vector:
    """The steepest ascent of f + l1 ||w||_1. At w_j = 0 it is 0 where |gradient_j| <= l1, since nothing is gained by
    leaving."""
    if not l1:
        return gradient
    at_zero = np.sign(gradient) * np.maximum(np.abs(gradient) - np.float32(l1), 0)
    return np.where(w != 0, gradient + np.float32(l1) * np.sign(w), at_zero)
