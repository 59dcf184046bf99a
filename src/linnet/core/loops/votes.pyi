from collections.abc import Sequence

from linnet.core.form import Loss, Step, Structure
from linnet.core.loops.online import Online
from linnet.core.scorer import Scorer

class Votes(Scorer): ...

class Voted(Online):
    def __init__(self, gen: Structure, loss: Loss, step: Step, n_features: Sequence[int], *, votes: int) -> None: ...
