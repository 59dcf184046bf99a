from linnet.core.types import I32
from linnet.structures.tree import Tree

class SiblingTree(Tree):
    @staticmethod
    def triples(n: int) -> I32: ...
