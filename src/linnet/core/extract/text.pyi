from collections.abc import Sequence
from typing import final

import pyarrow as pa

from linnet.core.extract.vocabulary import Vocabulary
from linnet.core.types import F32, I64, U32

def code_points(text: str) -> I64: ...
def mean_counts(column: pa.ChunkedArray | pa.Array, most: int) -> tuple[float, float, float]: ...

@final
class Analyser:
    def __init__(
        self,
        *,
        words: tuple[int, int] = (1, 1),
        chars: tuple[int, int] = (0, 0),
        across: tuple[int, int] = (0, 0),
        start: tuple[int, int] = (0, 0),
        skip: tuple[int, int] = (0, 0),
        shapes: tuple[int, int] = (0, 0),
        lower: bool = True,
        punctuation: bool = False,
        negations: Sequence[str] = (),
        position: bool = False,
        lexicons: Sequence[tuple[str, str, Sequence[str]]] = (),
        markup: bool = False,
        sequence: bool = False,
        hash_bits: int = 0,
        vocabulary: Vocabulary | None = None,
    ) -> None: ...
    @property
    def vocabulary(self) -> Vocabulary | None: ...
    @property
    def hash_bits(self) -> int: ...
    @property
    def n_features(self) -> int: ...
    def rows(self, column: pa.ChunkedArray | pa.Array, grow: bool = False) -> tuple[I64, U32, F32]: ...
    def occurrences(self, text: str) -> tuple[I64, I64, I64]: ...
    def tokens(self, text: str) -> list[str]: ...
    def places(self, text: str) -> tuple[I64, I64]: ...
