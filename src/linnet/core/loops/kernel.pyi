from collections.abc import Sequence

from linnet.core.form import Structure
from linnet.core.scorer import Scorer
from linnet.core.types import F32, I64, Array, Setting

KINDS: dict[str, int]

def check_sequences(indptr: I64, values: F32) -> None: ...

class Compared(Scorer):
    def __init__(self, name: str, weights: Sequence[Array], **how: Setting) -> None: ...
    def columns(self, gen: Structure, g: int) -> int: ...
