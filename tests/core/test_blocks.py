"""Rows of examples: what they must be, and how long they are."""

import numpy as np
import pytest

from linnet.core.blocks import Block


@pytest.mark.parametrize(("indptr", "indices", "values"), [([0, 2], [1], [1.0]), ([0, 1], [1], []), ([], [], [])])
def test_rows_that_are_no_rows_are_refused(indptr, indices, values):
    with pytest.raises(ValueError, match="^indptr, indices and values do not fit each other$"):
        Block(np.array(indptr, np.int64), np.array(indices, np.uint32), np.array(values, np.float32))


def test_places_end_where_the_rows_do():
    rows = np.array([0, 1, 2], np.int64), np.array([0, 0], np.uint32), np.array([1, 1], np.float32)
    assert Block(*rows, places=np.array([0, 2], np.int64)).n == 1
    with pytest.raises(ValueError, match="^the places of the last example are not the last places$"):
        Block(*rows, places=np.array([0, 1], np.int64))


def test_the_median_square_length_counts_the_bias(block_of):
    assert block_of([[3, 4], [0, 1], [0, 0]]).length2() == 2
    assert block_of([[3, 4], [0, 1]]).length2() == (26 + 2) / 2
