"""Other places of a word against a search through all tokens."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from linnet.core.extract.nearby import others


@given(
    st.lists(st.tuples(st.integers(0, 3), st.booleans()), max_size=40),
    st.integers(0, 12),
    st.integers(1, 5),
)
def test_the_nearest_others_come_first(tokens, window, most):
    code = np.array([token[0] for token in tokens], np.int32)
    wanted = np.array([token[1] for token in tokens], np.uint8)
    indptr, places = others(code, wanted, window, most)
    for i in range(len(code)):
        same = [j for j in range(len(code)) if j != i and code[j] == code[i] and abs(i - j) <= window]
        expected = sorted(same, key=lambda j: (abs(i - j), j))[:most] if wanted[i] else []
        assert places[indptr[i] : indptr[i + 1]].tolist() == expected
