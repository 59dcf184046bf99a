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
    """Add the entries of a table that has only some of the rows of `sums`: its row j is row rows[j] of `sums`, and x[i]
    is its entry number at[i], counted row by row. At each of these entries,

        d     = x[i] - less         `less` at the same entry; 0 where `less` is None
        sums += amount d
        more += weight d - y[i]     where `more` is given
    """

def mixed(before: F32, scale: float, sums: F64, share: F64, more: F32 | None = None, amount: float = 0.0) -> F32:
    """The table scale before + diag(share) sums + amount more, in single precision."""

def moved2(new: F32, old: F32) -> tuple[float, float]:
    """The squared lengths of new - old and of new."""
