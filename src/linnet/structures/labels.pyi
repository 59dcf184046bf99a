import numpy.typing as npt

from linnet.core.form import Structure
from linnet.core.types import F32

class Labels(Structure):
    """One label for each example. cost[c, d] is the cost of label d where c is right; 1 where none is given."""

    def __init__(self, n_labels: int, cost: npt.ArrayLike | None = None) -> None: ...
    @property
    def costs(self) -> F32 | None: ...
