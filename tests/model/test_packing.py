"""Packing of weights: whatever it splits comes back bit by bit, and the parts are as small as they are said to be."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet.model.packing import NotAllThereError, packed, unpacked


def back(array):
    found, shapes = packed({"w": array})
    return unpacked(found, shapes)["w"], found


def made(n, n_values, zeros, seed):
    rng = np.random.default_rng(seed)
    values = rng.standard_normal(n_values).astype(np.float32)
    return np.where(rng.random(n) < zeros, np.float32(0), values[rng.integers(0, n_values, n)])


@given(
    st.sampled_from([0, 1, 9, 511, 512, 5000]),
    st.sampled_from([1, 2, 255, 256, 257, 2000]),
    st.sampled_from([0, 0.1, 0.3, 0.6, 0.99]),
    st.integers(0, 5),
)
def test_every_bit_comes_back(n, n_values, zeros, seed):
    x = made(n, n_values, zeros, seed)
    if n:
        x[n // 2] = -0.0
    whole, _ = back(x)
    assert np.array_equal(whole.view(np.uint32), x.view(np.uint32))


@pytest.mark.parametrize(
    ("n_values", "zeros", "parts"),
    [
        (255, 0.0, {"w.first", "w.table", "w.codes"}),
        (255, 0.5, {"w.bits", "w.values.first", "w.values.table", "w.values.codes"}),
        (4000, 0.9, {"w.bits", "w.values"}),
        (4000, 0.5, {"w"}),
    ],
)
def test_the_parts_are_those_that_make_it_smaller(n_values, zeros, parts):
    x = made(20_000, n_values, zeros, 0)
    whole, found = back(x.reshape(100, 200))
    assert set(found) == parts
    assert whole.shape == (100, 200)
    assert sum(part.nbytes for part in found.values()) <= x.nbytes


def test_a_byte_for_each_number_behind_a_bias_of_other_values():
    x = made(4000, 200, 0, 1).reshape(400, 10)
    x[0] = np.arange(1000, 1010)
    whole, found = back(x)
    assert np.array_equal(whole, x)
    assert found["w.first"].tolist() == list(range(1000, 1010))
    assert (found["w.codes"].dtype, len(found["w.codes"])) == (np.dtype(np.uint8), 3990)


def test_a_missing_part_and_a_code_beyond_the_table_are_named():
    found, shapes = packed({"w": made(4000, 200, 0, 1)})
    with pytest.raises(NotAllThereError, match="w"):
        unpacked({name: part for name, part in found.items() if name != "w.table"}, shapes)
    with pytest.raises(NotAllThereError, match="w"):
        unpacked({**found, "w.codes": np.full_like(found["w.codes"], 255)}, shapes)
