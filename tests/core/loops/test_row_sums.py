"""Sums of tables of which each has some rows, and of these the entries that have changed."""

import numpy as np
import pytest

from linnet.core.loops.row_sums import add_entries, mixed, moved2


def test_entries_are_added_where_their_rows_are():
    # A table with the rows 3 and 1 of the sums has changed in its entries 1 (row 3, column 1) and 2 (row 1, column 0).
    sums, steps = np.zeros((4, 2)), np.zeros((4, 2))
    less = np.full((4, 2), 0.5, np.float32)
    rows, at, x = np.array([3, 1]), np.array([1, 2], np.uint32), np.array([2.5, 4.5], np.float32)
    add_entries(sums, rows, at, x, 10, less)
    assert sums.tolist() == [[0, 0], [40, 0], [0, 0], [0, 20]]
    add_entries(sums, rows, at, x, 1, less, steps, np.array([1, 3], np.float32), 3)
    assert sums.tolist() == [[0, 0], [44, 0], [0, 0], [0, 22]]
    assert steps.tolist() == [[0, 0], [3 * 4 - 3, 0], [0, 0], [0, 3 * 2 - 1]]


def test_tables_are_mixed_row_by_row():
    before, more = np.array([[1, 2], [3, 4]], np.float32), np.array([[1, 1], [2, 2]], np.float32)
    sums, share = np.array([[10.0, 20], [30, 40]]), np.array([0.5, 1])
    assert mixed(before, 2, sums, share).tolist() == [[7, 14], [36, 48]]
    assert mixed(before, 1, sums, share, more, 100).tolist() == [[106, 112], [233, 244]]


def test_how_far_a_table_has_moved():
    assert moved2(np.array([[3, 4]], np.float32), np.array([[3, 2]], np.float32)) == (4, 25)


@pytest.mark.parametrize(
    ("rows", "at", "error"), [([2], [0], IndexError), ([0], [2], IndexError), ([0], [0, 1], ValueError)]
)
def test_what_does_not_fit_is_refused(rows, at, error):
    with pytest.raises(error):
        add_entries(np.zeros((2, 2)), np.array(rows), np.array(at, np.uint32), np.ones(1, np.float32), 1)
