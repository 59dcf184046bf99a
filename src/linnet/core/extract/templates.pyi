from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from linnet.core.types import F32, I32, I64, U8, U32, U64

class Templates:
    """The features of tokens: tuples of codes of columns at offsets from the token.

    `codes` has a row for each column and an entry in it for each token of all sentences; sentence i has the tokens
    starts[i]:starts[i + 1].
    """

    def __init__(self, templates: Sequence[Sequence[tuple[int, int]]], n_lists: int = 0) -> None: ...
    @property
    def templates(self) -> list[tuple[tuple[int, int], ...]]: ...
    @property
    def n_features(self) -> int: ...
    def rows(
        self, codes: I32, starts: I64, grow: bool = False, skip: int = 0, lists: Sequence[tuple[I64, I32]] = ()
    ) -> tuple[I64, U32, F32]:
        """indptr, indices and values of the rows of all tokens but the first `skip` of each sentence. New features are added
        if `grow`, and left out otherwise."""

    def codes(self, feature: int) -> tuple[int, list[int]]:
        """The number of the template of a feature, and its code at each part."""

    def arrays(self) -> dict[str, U64]: ...
    @staticmethod
    def from_arrays(
        templates: Sequence[Sequence[tuple[int, int]]],
        nodes: U64,
        features: U64,
        n_codes: int | Sequence[int],
        n_lists: int = 0,
    ) -> Templates: ...
    def joined(self) -> npt.NDArray[np.bool_]: ...
    def kept(self, wanted: U8) -> Templates: ...
    def added_to(self, whole: Templates, codes: Sequence[I64]) -> I64: ...
