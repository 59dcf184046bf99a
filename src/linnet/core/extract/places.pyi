from linnet.core.blocks import Lazy
from linnet.core.extract.anchored import Anchored
from linnet.core.types import I32, I64, U8

class Places(Lazy):
    """The places of all arcs, siblings, grandparents, spans or splits of sentences, in the order of places.pyx. `out` has a
    flag for each arc, set where it is not allowed."""

    def __init__(self, of: Anchored, codes: I32, starts: I64, out: U8 | None = None) -> None: ...
    def part(self, sentences: I64) -> Places:
        """The places of the sentences with these numbers."""

def n_places(kind: int, n: I64) -> I64:
    """The number of places of this kind that sentences of n tokens have."""

def ends(sizes: I64) -> I64:
    """Where parts of these sizes begin when they stand one after the other, and where the last one ends."""
