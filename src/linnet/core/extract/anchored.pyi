from collections.abc import Sequence
from typing import Self

from linnet.core.types import I32, I64, U64

A: int
B: int
C: int
BETWEEN: int
DIRECTION: int
LENGTH: int
ARCS: int
SIBLINGS: int
GRANDPARENTS: int
SPANS: int
SPLITS: int

class Anchored:
    """The features of places that are two or three positions of a sentence: which of them are known, and which a place has.

    `codes` has a row for each column of attributes and an entry in it for each token of all sentences; sentence i has the
    tokens starts[i]:starts[i + 1]. Positions are counted from 1 within a sentence, and 0 is the root.
    """

    def __init__(
        self, templates: Sequence[Sequence[tuple[int, int, int]]], n_codes: Sequence[int], kind: int = ...
    ) -> None: ...
    @property
    def kind(self) -> int: ...
    @property
    def templates(self) -> list[tuple[tuple[int, int, int], ...]]: ...
    @property
    def n_codes(self) -> tuple[int, ...]: ...
    @property
    def n_features(self) -> int: ...
    def learn(self, codes: I32, starts: I64, heads: I32, least: int = 1) -> Self:
        """Learn the features of trees that are seen at least `least` times; `heads` has the head of each token."""

    def learn_places(self, codes: I32, starts: I64, at_places: I64, places: I32, least: int = 1) -> Self:
        """Learn the features of places. `at_places` cuts them into sentences; `places` has three rows, with a, c and b of all
        places, where c = a stands for no c."""

    def check(self, codes: I32, starts: I64) -> None: ...
    def codes(self, feature: int) -> tuple[int, list[int]]:
        """The number of the template of a feature, and its code at each part."""

    def frequent(self, least: int) -> Anchored: ...
    def arrays(self) -> dict[str, U64]: ...
    @staticmethod
    def from_arrays(
        templates: Sequence[Sequence[tuple[int, int, int]]], n_codes: Sequence[int], keys: U64, kind: int = ...
    ) -> Anchored: ...

def length_name(code: int, only_direction: bool) -> str: ...
