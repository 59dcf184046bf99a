from collections.abc import Sequence

from linnet.core.types import I64

def subwords(words: Sequence[bytes], least: int, most: int, n_buckets: int) -> tuple[I64, I64]:
    """The buckets of the n-grams of words, which are bytes of UTF-8: those of word i are buckets[at[i]:at[i + 1]]."""
