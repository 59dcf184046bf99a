from collections.abc import Sequence

from linnet.core.form import Structure
from linnet.core.loops.kernel import Compared
from linnet.core.types import Array, Setting

class Counts(Compared):
    def __init__(self, name: str, weights: Sequence[Array], *, smoothing: float, **how: Setting) -> None: ...

def depends(gen: Structure, g: int) -> bool: ...

class Windows(Counts): ...

class Neighbours(Counts):
    def __init__(self, weights: Sequence[Array], *, most: float, **how: Setting) -> None: ...
