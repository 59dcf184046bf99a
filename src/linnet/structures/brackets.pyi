from linnet.core.form import Structure
from linnet.core.types import I32

class Brackets(Structure):
    """Constituent trees, made binary. An output has for each span of words 0 if it is not in the tree, else 1 + its label."""

    def __init__(self, n_labels: int) -> None: ...
    @property
    def n_labels(self) -> int: ...
    @property
    def hidden(self) -> int:
        """What `forced` has for a span that must not be a constituent (`Predictor.argmax`)."""

    @staticmethod
    def spans(n: int) -> I32:
        """The first and the last word of each span of n words, in the order of their places."""

    @staticmethod
    def splits(n: int) -> I32:
        """The first word, the last word of the left part and the last word of each split, in the order of their places."""
