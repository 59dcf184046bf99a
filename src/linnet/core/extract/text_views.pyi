import pyarrow as pa

class TextViews:
    """The texts of a column: an Arrow array of large strings without nulls, or several; or a list of strings. Raise TypeError
    for what is no string, UnicodeEncodeError for half a surrogate pair."""

    n: int
    n_bytes: int
    def __init__(self, column: pa.ChunkedArray | pa.Array | list[str]) -> None: ...
    def __len__(self) -> int: ...
