from collections.abc import Iterable

from linnet.core.types import F32, I32

class Words:
    def __init__(self, words: Iterable[str]) -> None: ...

def ratios(source: Words, target: Words, i: I32, j: I32) -> F32: ...
