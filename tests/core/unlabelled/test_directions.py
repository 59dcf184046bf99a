"""The directions in which sparse rows vary most, beside the singular value decomposition of numpy."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from linnet.core.unlabelled.directions import directions, project


def sparse(full):
    rows = [np.flatnonzero(row) for row in full]
    indptr = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    indices = np.concatenate(rows).astype(np.uint32)
    return indptr, indices, np.concatenate([row[at] for row, at in zip(full, rows, strict=True)]).astype(np.float32)


@pytest.fixture(scope="module")
def matrix():
    """A matrix of rank about 12 with some noise, most of it zero."""
    rng = np.random.default_rng(5)
    low = rng.standard_normal((120, 12)) * 2.0 ** -np.arange(12) @ rng.standard_normal((12, 60))
    return np.where(rng.random((120, 60)) < 0.4, low, 0)


def test_they_are_the_leading_singular_vectors(matrix):
    found = directions(*sparse(matrix), 60, 5, passes=8)
    right = np.linalg.svd(matrix)[2][:5].T
    assert found.shape == (60, 5)
    np.testing.assert_allclose(np.abs((found * right).sum(axis=0)), 1, atol=1e-4)


def test_they_are_orthonormal(matrix):
    found = directions(*sparse(matrix), 60, 20).astype(np.float64)
    np.testing.assert_allclose(found.T @ found, np.eye(20), atol=1e-5)


def test_threads_change_no_bit(matrix):
    rows = sparse(np.tile(matrix, (3, 3)))
    alone = directions(*rows, 180, 90)
    with ThreadPoolExecutor(3) as pool:
        assert np.array_equal(alone, directions(*rows, 180, 90, run=pool.map))


def test_the_order_of_columns_changes_nothing_but_their_order(matrix):
    keys = np.random.default_rng(3).integers(0, 2**63, 60).astype(np.uint64)
    order = np.random.default_rng(4).permutation(60)
    one = directions(*sparse(matrix), 60, 8, keys=keys)
    other = directions(*sparse(matrix[:, order]), 60, 8, keys=keys[order])
    np.testing.assert_allclose(np.abs((one[order] * other).sum(axis=0)), 1, atol=1e-5)


def test_more_directions_than_the_rows_have_are_not_invented():
    found = directions(*sparse(np.outer([1, 2, 0, 4], [1, 0, 2])), 3, 3)
    length = np.linalg.norm(found, axis=0)
    np.testing.assert_allclose(length[0], 1, atol=1e-5)
    assert np.isfinite(found).all()


def test_projecting_is_multiplying(matrix):
    table = np.random.default_rng(1).standard_normal((60, 16)).astype(np.float32)
    np.testing.assert_allclose(project(*sparse(matrix), table), matrix @ table, atol=1e-4)
