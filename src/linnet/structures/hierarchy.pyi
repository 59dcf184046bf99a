import numpy.typing as npt

from linnet.core.form import Structure
from linnet.core.types import F32, I32

class Hierarchy(Structure):
    """One label of a tree: `parents` has the number of the parent of each node, which comes before it, or -1 for the root.
    If `n_labels` is given, the tree must have as many leaves."""

    def __init__(self, parents: npt.ArrayLike, n_labels: int | None = None) -> None: ...
    @property
    def parents(self) -> I32: ...
    @property
    def leaves(self) -> I32: ...
    @property
    def paths(self) -> F32: ...
    @property
    def costs(self) -> F32: ...
