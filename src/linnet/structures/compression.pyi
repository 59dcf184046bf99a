from linnet.core.types import I64
from linnet.structures.parts import Parted

class Compression(Parted):
    """Which tokens to keep: an output has 1 for each token that is kept, else 0."""

    def __init__(self, reach: int = 12, *, least: float = 0, most: float = 1) -> None: ...
    @property
    def reach(self) -> int: ...
    @property
    def least(self) -> float: ...
    @property
    def most(self) -> float: ...
    def pairs(self, T: int) -> tuple[I64, I64]:
        """The tokens i and j of each pair of T tokens that has a place, in the order of the places; i = -1 stands for all
        tokens that are farther away."""
