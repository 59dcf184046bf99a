from linnet.core.types import F32, F64, I64, U8, U32, Array, Integers

# Sparse rows are three arrays: row i has the features indices[indptr[i]:indptr[i + 1]], with the values at the same positions.
# Features may be in parts (words, characters, ...): parts[j] is the part of feature j, and None stands for one part.

def document_frequency(indices: U32, n_features: int) -> U32:
    """The number of rows that each feature stands in."""

def renumber(indptr: I64, indices: U32, values: F32, new: U32) -> int:
    """Give feature j the number new[j], in place; 0xFFFFFFFF drops it. Return the number of entries left."""

def lengths(indptr: I64, indices: U32, values: F32, parts: U8 | None, n_parts: int) -> F64:
    """The sum of the values of each part, over all rows."""

def weigh(
    indptr: I64,
    indices: U32,
    values: F32,
    *,
    count: int,
    idf: F32 | None,
    norm: int,
    parts: U8 | None,
    weights: F64,
    average: F64,
    free_from: int,
) -> None:
    """Turn counts into values, in place, one row at a time, as sparse.pyx says."""

def strength(
    indptr: I64,
    indices: U32,
    values: F32,
    rows: Integers,
    labels: Integers,
    n_labels: int,
    n_features: int,
    weight: Array | None = None,
) -> F64:
    """The strength with which each feature speaks for or against labels, as sparse.pyx says; labels[i] is a label of the row
    rows[i]."""

def scaled(indices: U32, values: F32, f: F32) -> F32:
    """The array values[k] f[indices[k]]."""
