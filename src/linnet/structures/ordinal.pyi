import numpy.typing as npt

from linnet.core.form import Structure
from linnet.core.types import F32, F64

class Ordinal(Structure):
    """A rating. gaps has the distance between each two neighbours; own: each threshold has weights of its own."""

    def __init__(self, n_ratings: int, gaps: npt.ArrayLike | None = None, own: bool = False) -> None: ...
    @property
    def n(self) -> int: ...
    @property
    def gaps(self) -> F64: ...
    @property
    def costs(self) -> F32: ...
