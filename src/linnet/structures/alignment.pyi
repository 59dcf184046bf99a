from linnet.structures.parts import Parted

class Alignment(Parted):
    """Links between two sentences of n and m tokens: an output has 1 at i m + j where source i and target j are linked."""

    def __init__(self, miss: float = 1) -> None: ...
    @property
    def miss(self) -> float: ...

class OneToMany(Alignment):
    """Links that each target token picks by itself, or none."""
