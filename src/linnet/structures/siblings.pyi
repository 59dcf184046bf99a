from linnet.core.types import I32
from linnet.structures.tree import Tree

class SiblingTree(Tree):
    """Trees that also score each child with the child of the same head before it, on the same side."""

    @staticmethod
    def triples(n: int) -> I32:
        """The head h, the sibling s and the child m of each triple of n tokens, in the order of their places."""

    @staticmethod
    def place(h: int, s: int, m: int, n: int) -> int:
        """The place of a triple of a sentence of n tokens."""
