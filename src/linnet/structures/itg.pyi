from linnet.structures.matching import Matching

class Itg(Matching):
    """Links one to one that cross as phrases do: inversion transduction grammars."""
