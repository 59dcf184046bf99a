from linnet.core.types import F32, F64, I64

def add_rows(sums: F64, rows: I64, x: F32, amount: float, less: F32 | None = None) -> None:
    """Add to row rows[i] of the sums a multiple of row i of x, less what `less` has in row rows[i]."""
