from linnet.structures.alignment import Alignment

class Matching(Alignment):
    """Links between two sentences, at most one for each token."""
