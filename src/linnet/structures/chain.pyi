import numpy.typing as npt

from linnet.core.form import Structure
from linnet.core.types import I32

class Chain(Structure):
    """A tag for each token. `legal`, `starts` and `ends` say which tags may follow each other, come first and come last."""

    def __init__(
        self,
        n_tags: int,
        *,
        observed: bool = False,
        legal: npt.ArrayLike | None = None,
        starts: npt.ArrayLike | None = None,
        ends: npt.ArrayLike | None = None,
        cost: npt.ArrayLike | None = None,
    ) -> None: ...
    @property
    def observed(self) -> bool: ...
    def allows(self, y: I32) -> bool: ...
