from linnet.core.form import Structure
from linnet.core.types import I32, I64, Array

class Candidates(Structure):
    """The best of the candidates that an example has, each of which is a place."""

    def __init__(self) -> None: ...

class CandidatePairs(Candidates):
    """The best of the candidates that an example has, learned by which of two candidates is better."""

def gold(costs: Array, at: Array) -> tuple[I32, I64]:
    """y and y_at of the gold outputs, where example i has the candidates with the costs costs[at[i]:at[i + 1]]."""
