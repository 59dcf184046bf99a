from collections.abc import Sequence

from linnet.core.form import Loss, Step, Structure
from linnet.core.loops.online import Online

class AllMargins(Online):
    """MIRA with a margin over all labels."""

    def __init__(
        self,
        gen: Structure,
        loss: Loss,
        step: Step,
        n_features: Sequence[int],
        *,
        C: float,
        averaged: bool = False,
        dropout: float = 0,
        ragged: Sequence[int] = (),
    ) -> None: ...
