from linnet.core.types import F32, F64, I64, U8, U32, Array, Integers

def document_frequency(indices: U32, n_features: int) -> U32: ...
def renumber(indptr: I64, indices: U32, values: F32, new: U32) -> int: ...
def lengths(indptr: I64, indices: U32, values: F32, parts: U8 | None, n_parts: int) -> F64: ...
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
) -> None: ...
def strength(
    indptr: I64,
    indices: U32,
    values: F32,
    rows: Integers,
    labels: Integers,
    n_labels: int,
    n_features: int,
    weight: Array | None = None,
) -> F64: ...
def scaled(indices: U32, values: F32, f: F32) -> F32: ...
