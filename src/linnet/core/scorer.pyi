from collections.abc import Sequence

from linnet.core.form import Structure
from linnet.core.types import Array

class Scorer:
    """What was learned, able to fill the tables of scores of an example."""

    def __init__(self, weights: Sequence[Array]) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def weights(self) -> tuple[Array, ...]: ...
    def check(self, gen: Structure, n_features: Sequence[int]) -> None:
        """Raise ValueError unless the arrays, which may come from anyone, are those of a model over this structure with so many
        features."""
    def rows(self, gen: Structure) -> tuple[int, ...]:
        """The number of rows of each block, one for the bias and one for each feature. ValueError where the weights do not fit
        the structure."""

class Linear(Scorer):
    """A linear scorer. It takes W of each block, in which row 0 is the bias, row 1 + j is feature j and a column is an outcome;
    where most of W is zero, the three arrays indptr, outcomes and values of its compressed rows instead."""

def check_blocks(blocks: Sequence[object], gen: Structure) -> None:
    """Raise ValueError where there are not as many blocks as the structure has."""
