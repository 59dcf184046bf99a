"""Learning curves: the error on training and on held-out examples as the training part grows.

What twice the examples would bring is estimated by a line through the logarithms of sizes and errors: an error that
falls as n^-c (Cortes et al. 1993) falls by the share 1 - 2^-c of itself when n doubles.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from linnet.core.types import Json

SHARES = (0.125, 0.25, 0.5)
"""Shares of the training part for which a curve has points, before the whole."""
_LEAST = 20
"""The least number of examples of a part."""


@dataclass(frozen=True)
class Curve:
    """A learning curve: errors as shares, one for each size; the last size is the whole training part."""

    sizes: tuple[int, ...]
    train: tuple[float, ...]
    """The errors on the training examples."""
    held: tuple[float, ...]
    """The errors on the held-out examples."""

    def gain(self) -> float | None:
        """By how much twice the examples would lower the error on held-out ones, in the units of that error; None where
        there are too few points to tell."""
        if len(self.held) < 3:
            return None
        if min(self.held) <= 0:
            return 0.0
        x, y = np.log(self.sizes), np.log(self.held)
        c = -float(((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum())
        return max(0.0, self.held[-1] * (1 - 2**-c))

    def as_dict(self) -> dict[str, Json]:
        return {name: list(values) for name, values in vars(self).items()}


def subsets(n: int, seed: int = 0) -> list[npt.NDArray[np.int64]]:
    """The row numbers of growing parts of n examples, each within the next; the whole is not among them."""
    order = np.random.default_rng([seed, 0xC0]).permutation(n)
    return [np.sort(order[:size]) for size in (round(share * n) for share in SHARES) if size >= _LEAST]
