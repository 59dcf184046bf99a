from collections.abc import Mapping

from linnet.core.types import F32, Array

def stride_of(n_outcomes: int) -> int:
    """The number of floats from one row of weights to the next: 1, 2, 4 or a multiple of 8. The rest are 0."""

class Weights:
    """W of one block while it is learned: a row for the bias and then for each feature, `stride_of` floats wide. It is kept as
    w = a v (weights.pyx), with U for the average over all steps and G for squared gradients where they are wanted."""

    def __init__(self, n_features: int, n_outcomes: int, *, averaged: bool = False, squares: bool = False) -> None: ...
    @property
    def n_rows(self) -> int: ...
    @property
    def n_outcomes(self) -> int: ...
    @property
    def arrays(self) -> dict[str, F32]:
        """v, U and G by name, as far as there are any."""

    @property
    def capacity(self) -> int:
        """The number of rows that there is memory for."""

    def learned(self, a: float, S: float, t: float, take: bool) -> list[Array]:
        """The arrays that a linear scorer holds: w = a v, or the average (S v - U) / t where t is not 0. With `take`
        they take the place of v, U and G, and nothing can be learned afterwards."""

    def sample(self, a: float, apart: int) -> F32:
        """A sample of w, to see how far the weights move: one cache line in every `apart` floats."""

    def state(self) -> dict[str, Array]:
        """The state needed to go on exactly, by name."""

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Go on from `state()`."""
