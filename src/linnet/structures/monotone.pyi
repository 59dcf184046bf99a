from linnet.structures.alignment import Alignment

class Monotone(Alignment):
    """Links one to one that do not cross."""
