"""Matrices in compressed rows: those that are none are refused, and two of them have a sum."""

import numpy as np
import pytest

from linnet.core.predictor import Predictor
from linnet.core.strips import add, by_block
from linnet.structures.labels import Labels


def csr(indptr, outcomes, n_values):
    return np.array(indptr, np.uint64), np.array(outcomes, np.uint32), np.ones(n_values, np.float32)


@pytest.mark.parametrize(
    "block",
    [
        csr([0, 2, 3], [0, 1, 2], 2),  # a value too few
        csr([0, 2, 4], [0, 1, 2], 3),  # a row beyond the end
        csr([0, 2, 2], [0, 1, 2], 3),  # an entry that no row has
        csr([1, 2, 3], [0, 1, 2], 3),  # an entry before the first row
        csr([0, 3, 2, 3], [0, 1, 2], 3),  # a row that ends before it begins
        csr([0, 2, 3], [0, 1, 3], 3),  # outcome 3 of three
        csr([0, 2**63, 3], [0, 1, 2], 3),
        csr([0, 4], [0, 1, 2, 2], 4),  # more entries than outcomes
        csr([], [], 0),
    ],
)
def test_arrays_that_are_no_matrix_are_refused(block):
    with pytest.raises(ValueError, match="^indptr, outcomes and values are not the rows of a matrix with 3 columns$"):
        Predictor(Labels(3), block)


def test_a_matrix_without_a_bias_is_refused():
    with pytest.raises(ValueError, match="^there is no row for the bias$"):
        Predictor(Labels(3), csr([0], [], 0))


def compressed(W, order):
    """indptr, outcomes and values of what is not zero, the entries of a row in this order of outcomes."""
    there = W[:, order] != 0
    starts = np.concatenate([[0], np.cumsum(there.sum(axis=1))]).astype(np.uint64)
    return starts, order[np.nonzero(there)[1]].astype(np.uint32), W[:, order][there]


def full(indptr, outcomes, values, n_outcomes):
    W = np.zeros((len(indptr) - 1, n_outcomes), np.float32)
    W[np.repeat(np.arange(len(W)), np.diff(indptr.astype(np.int64))), outcomes] = values
    return W


def test_the_sum_of_two_matrices_is_that_of_their_full_rows():
    rng = np.random.default_rng(5)
    A, B = ((rng.normal(size=(31, 75)) * (rng.random((31, 75)) < share)).astype(np.float32) for share in (0.05, 0.3))
    ours, theirs = (compressed(W, rng.permutation(75)) for W in (A, B))
    found = add(ours, theirs)
    assert np.array_equal(full(*found, 75), A + B)
    assert len(found[1]) == np.count_nonzero((A != 0) | (B != 0))  # what both have is one entry
    with pytest.raises(ValueError, match="^31 and 2 rows of weights$"):
        add(ours, csr([0, 0, 0], [], 0))


def test_the_arrays_of_a_block_stand_together():
    W, rows = np.zeros((2, 4), np.float32), csr([0, 1], [0], 1)
    assert [len(block) for block in by_block([W, *rows, W])] == [1, 3, 1]
