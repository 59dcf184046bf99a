from linnet.core.blocks import Block
from linnet.core.types import F32, F64, I64, U8, U32, Array, Integers

# Sparse rows are three arrays: row i has the features indices[indptr[i]:indptr[i + 1]], with the values at the same positions.
# Features may be in parts (words, characters, ...): parts[j] is the part of feature j, and None stands for one part.

def count_documents(df: U32, indices: U32) -> None:
    """Add to the number of rows that each feature stands in, given the features of more rows."""

def renumber(indptr: I64, indices: U32, values: F32, new: U32) -> int:
    """Give feature j the number new[j], in place; 0xFFFFFFFF drops it. Return the number of entries left."""

def add_lengths(total: F64, indptr: I64, indices: U32, values: F32, parts: U8 | None) -> None:
    """Add the values of each part, of one row after the other, to the total of the part."""

def strength(
    block: Block,
    rows: Integers,
    labels: Integers,
    n_labels: int,
    n_features: int,
    weight: Array | None = None,
) -> F64:
    """The strength with which each feature speaks for or against labels, as sparse.pyx says; labels[i] is a label of the row
    rows[i]."""

def squares(block: Block, f: F32) -> tuple[float, float]:
    """The sum of x_j^2 over all rows, and that of (x_j f_j)^2, in the order of the rows."""

def scaled(indices: U32, values: F32, f: F32, out: F32 | None = None) -> F32:
    """The array of values[k] f[indices[k]]; it is written into `out`, where that is given."""
