"""The blocks that a student learns from."""

import numpy as np

from linnet.core.blocks import Block
from linnet.fitting.student import _together


def block(rows, places=None):
    """A block of places that have features of value 1, with these numbers."""
    indptr = np.cumsum([0, *map(len, rows)])
    indices = np.array([j for row in rows for j in row], np.uint32)
    return Block(indptr, indices, np.ones(len(indices), np.float32), None if places is None else np.array(places))


def features(found):
    return [[numbers for numbers, _ in found.rows_of(i)] for i in range(found.n)]


def test_examples_with_several_places_follow_each_other():
    mine, theirs = block([[0], [1, 2], []], [0, 2, 3]), block([[5], [6]], [0, 2])
    assert features(_together(mine, theirs, None)) == [[[0], [1, 2]], [[]], [[5], [6]]]


def test_features_that_are_left_out_leave_their_places():
    left_out = np.array([False, True, False])
    found = _together(block([[0, 1], [1]], [0, 1, 2]), block([[1, 2], [0]], [0, 2]), left_out)
    assert features(found) == [[[0]], [[]], [[2], [0]]]


def test_texts_have_one_place_each():
    found = _together(block([[0], [1]]), block([[2]]), None)
    assert found.arrays()[3] is None
    assert features(found) == [[[0]], [[1]], [[2]]]
