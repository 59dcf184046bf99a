from linnet.core.form import Structure
from linnet.core.types import I32, I64

class Labelset(Structure):
    """A set of labels: an output is the number of its labels, and then their numbers in increasing order."""

    def __init__(self, n_labels: int) -> None: ...
    @property
    def n(self) -> int: ...

class WholeSet(Labelset):
    """A set of labels that is right or wrong as a whole."""

def pairs(y: I32, y_at: I64) -> I64:
    """The pairs of example i and label k that the sets y have, each as one number: i << 32 | k."""
