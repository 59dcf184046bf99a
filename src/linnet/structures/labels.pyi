import numpy.typing as npt

from linnet.core.form import Structure
from linnet.core.types import F32

class Labels(Structure):
    def __init__(self, n_labels: int, cost: npt.ArrayLike | None = None) -> None: ...
    @property
    def costs(self) -> F32 | None: ...
