"""Numbers of which most are zero."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet.core.packed import pack, unpack


@given(
    st.lists(st.sampled_from([0, 0, 0, 0, 1, 0x80000000, 0xFFFFFFFF]), max_size=70),
    st.sampled_from([0.25, 0.5, 0.875, 1]),
)
def test_every_bit_comes_back(numbers, most):
    x = np.array(numbers, np.uint32)
    packed = pack(x, most)
    n, found = len(x), np.count_nonzero(x)
    assert (packed is None) == (n == 0 or found > most * n)
    if packed is not None:
        bits, values = packed
        assert bits.tolist() == np.packbits(x != 0, bitorder="little").tolist()
        assert values.tolist() == x[x != 0].tolist()
        assert unpack(bits, values, n).tolist() == numbers


@pytest.mark.parametrize(
    ("bits", "values", "n", "message"),
    [
        ([1], [], 8, "^there is not a value for each bit$"),
        ([1], [5, 6], 8, "^there is not a value for each bit$"),
        ([0, 4], [5], 10, "^there is not a value for each bit$"),
        ([1], [5], 9, "^expected 2 bytes of bits, found 1$"),
    ],
)
def test_what_does_not_fit_is_refused(bits, values, n, message):
    with pytest.raises(ValueError, match=message):
        unpack(np.array(bits, np.uint8), np.array(values, np.uint32), n)
