from collections.abc import Sequence

from linnet.core.types import F32, U32, U64, Array

class Strips:
    """W of one block in compressed rows, ready to be scored: row r has values[indptr[r]:indptr[r + 1]] for the outcomes at the
    same positions. Row 0 is the bias, which is kept in full."""

    def __init__(self, indptr: U64, outcomes: U32, values: F32, n_outcomes: int) -> None: ...
    @property
    def n_rows(self) -> int: ...

def by_block(weights: Sequence[Array]) -> list[tuple[Array, ...]]:
    """The arrays of a linear model, grouped by block: (W,) or (indptr, outcomes, values) for each."""

def add(ours: Sequence[Array], theirs: Sequence[Array]) -> tuple[U64, U32, F32]:
    """The sum of two matrices in compressed rows, which have the same number of rows."""
