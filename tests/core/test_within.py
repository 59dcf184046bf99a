"""Whether all numbers of an array are within bounds, against NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from linnet.core.within import all_within


@given(arrays(np.float32, st.integers(0, 40), elements=st.floats(width=32)), st.floats(width=32), st.floats(width=32))
def test_all_numbers_are_within_bounds_or_not(x, least, most):
    assert all_within(x, least, most) == bool(np.all((x >= np.float32(least)) & (x <= np.float32(most))))


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("at", [0, 7, 1000])
def test_one_number_that_is_not_finite_is_found_wherever_it_is(kind, odd, at):
    x = np.zeros(1001, kind)
    largest = float(np.finfo(kind).max)
    assert all_within(x, -largest, largest)
    x[at] = odd
    assert not all_within(x, -largest, largest)
