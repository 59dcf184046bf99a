from collections.abc import Sequence

import numpy.typing as npt

from linnet.core.form import Structure
from linnet.core.types import F32, F64, I32, I64

class Chain(Structure):
    """A tag for each token. `legal`, `starts` and `ends` say which tags may follow each other, come first and come last."""

    def __init__(
        self,
        n_tags: int,
        *,
        observed: bool = False,
        legal: npt.ArrayLike | None = None,
        starts: npt.ArrayLike | None = None,
        ends: npt.ArrayLike | None = None,
        cost: npt.ArrayLike | None = None,
    ) -> None: ...
    @property
    def observed(self) -> bool: ...
    def allows(self, y: I32) -> bool: ...
    def viterbi(self, theta: Sequence[F32]) -> tuple[F64, I64]:
        """The table of the Viterbi algorithm for the scores of one example: best[t, c], the score of the best sequence that
        ends in tag c at token t, and back[t, c], the tag before c in that sequence; -1 for the first token."""
