from linnet.core.types import F32, I64, U32

def rows_of_neighbours(starts: I64, words: U32, n_words: int, n_contexts: int, window: int) -> tuple[I64, U32, F32]:
    """PPMI of all words and the first `n_contexts` of them, as the arrays indptr, indices and values of sparse rows.

    Text i has the words words[starts[i]:starts[i + 1]], in their order.
    """
