from linnet.core.types import F32, F64, I64, U8, U32

class Weighting:
    """The weighting of counts, as weighting.pyx says. parts[j] is the part of feature j, and None stands for one part."""

    def __init__(
        self,
        *,
        count: int,
        idf: F32 | None,
        norm: int,
        parts: U8 | None,
        weights: F64,
        average: F64,
        free_from: int,
    ) -> None: ...
    def rows(self, indptr: I64, indices: U32, values: F32) -> None:
        """Turn the counts of rows into values, in place."""
