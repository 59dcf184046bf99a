from linnet.core.types import F32, F64, I64, U32

def add_entries(
    sums: F64,
    rows: I64,
    at: U32,
    x: F32,
    amount: float,
    less: F32 | None = None,
    more: F64 | None = None,
    y: F32 | None = None,
    weight: float = 0.0,
) -> None:
    """Add a multiple of x to some entries of the sums, less what `less` has there. x[i] is the entry at[i] of a table, row by
    row, of which row j is the row rows[j] of the sums. To the entries of `more` add another multiple of the same, less y."""

def mixed(before: F32, scale: float, sums: F64, share: F64, more: F32 | None = None, amount: float = 0.0) -> F32:
    """The table scale before + diag(share) sums + amount more, in single precision."""

def moved2(new: F32, old: F32) -> tuple[float, float]:
    """The squared lengths of new - old and of new."""
