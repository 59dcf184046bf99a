from collections.abc import Iterable

import pyarrow as pa

class AlikeObjects:
    """Reads blocks of lines that are objects with these keys, which are given as the file spells them, with their
    quotation marks. The value of each key is a string, or a whole number where `is_text` is False. `order` lists the
    numbers of the keys whose columns are wanted. Threads may share one such reader."""

    def __init__(self, keys: Iterable[bytes], is_text: Iterable[bool], order: list[int]) -> None: ...
    def columns(self, data: bytes, n_rows: int) -> list[pa.Array] | None:
        """The columns of n_rows lines: large strings, or whole numbers of 64 bits. None where a line looks otherwise."""
