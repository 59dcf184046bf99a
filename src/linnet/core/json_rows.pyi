from collections.abc import Iterable

import pyarrow as pa

class AlikeObjects:
    """Reads blocks of lines with objects that have these keys, as they stand in the file with their quotation marks, and under
    each a string, or a whole number where `is_text` is False. `order` lists the numbers of the keys whose columns are wanted.
    Threads may share it."""

    def __init__(self, keys: Iterable[bytes], is_text: Iterable[bool], order: list[int]) -> None: ...
    def columns(self, data: bytes, n_rows: int) -> list[pa.Array] | None:
        """The columns of n_rows lines: large strings, or whole numbers of 64 bits. None where a line looks otherwise."""
