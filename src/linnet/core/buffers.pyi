from linnet.core.types import F32, I64, U32

class SparseRows:
    """Sparse rows that grow: row i has indices[indptr[i]:indptr[i + 1]] with their values."""

    def take(self) -> tuple[I64, U32, F32]:
        """indptr, indices and values as arrays; no rows are left here."""
