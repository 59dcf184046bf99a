from collections.abc import Sequence

from linnet.core.form import Loss, Step, Structure
from linnet.core.loops.online import Online
from linnet.core.scorer import Scorer
from linnet.core.types import F32, Array

def embeddings(start: int, end: int, hidden: int) -> F32: ...

class Network(Scorer):
    def __init__(self, weights: Sequence[Array], *, relu: bool) -> None: ...

class Backpropagation(Online):
    def __init__(
        self, gen: Structure, loss: Loss, step: Step, n_features: Sequence[int], *, hidden: int, relu: bool
    ) -> None: ...
