import numpy as np
import pytest
from scipy import sparse

from linnet.errors import DataError
from linnet.features import TextFeatures
from linnet.sklearn.matrix import as_csr, to_csr, to_rows, without_duplicates

DENSE = [[0, 2, 0], [0, 0, 0], [1, 0, -3]]


def test_rows_and_back_share_their_memory():
    rows = TextFeatures("words:1").fit_transform(["a b a", "b"])
    X = to_csr(rows, 2)
    again = to_rows(X)
    assert X.toarray().tolist() == [[2, 1], [0, 1]]
    assert np.shares_memory(again.indices, rows.indices)
    assert np.shares_memory(again.values, rows.values)
    assert (again.indptr.dtype, again.indices.dtype, again.values.dtype) == (np.int64, np.uint32, np.float32)


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64, bool])
@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csr_array])
def test_any_matrix_becomes_rows(index, dtype, kind):
    X = kind(np.array(DENSE, dtype))
    X.indices, X.indptr = X.indices.astype(index), X.indptr.astype(index)
    rows = to_rows(as_csr(X))
    assert rows.indptr.tolist() == [0, 1, 1, 3]
    assert rows.indices.tolist() == [1, 0, 2]
    assert rows.values.tolist() == np.array([2, 1, -3]).astype(dtype).tolist()


def test_a_matrix_of_float32_is_not_copied():
    X = sparse.csr_array(np.array(DENSE, np.float32))
    assert without_duplicates(as_csr(X)) is X
    assert np.shares_memory(to_rows(X).indices, X.indices)


def test_an_array_becomes_a_matrix():
    assert as_csr(np.array(DENSE, float)).toarray().tolist() == DENSE


def test_unsorted_columns_stay_as_they_are():
    X = sparse.csr_matrix((np.ones(3, np.float32), [2, 0, 1], [0, 3]), shape=(1, 3))
    assert without_duplicates(X) is X


@pytest.mark.parametrize("columns", [[1, 1, 2], [1, 2, 1]])
def test_duplicates_are_summed_in_a_copy(columns):
    X = sparse.csr_matrix((np.array([1, 2, 4], np.float32), columns, [0, 3]), shape=(1, 3))
    expected = X.toarray()
    alone = without_duplicates(X)
    assert alone.nnz == 2
    np.testing.assert_array_equal(alone.toarray(), expected)
    assert X.indices.tolist() == columns


def test_the_same_column_in_two_rows_is_no_duplicate():
    X = sparse.csr_matrix((np.ones(4, np.float32), [2, 0, 2, 0], [0, 2, 4]), shape=(2, 3))
    assert without_duplicates(X) is X


def test_values_beyond_float32_are_refused():
    with pytest.raises(DataError, match=r"too large for float32, whose limit is 3\.4e\+38"):
        as_csr(np.array([[1e39]]))


def test_too_many_features_are_refused():
    with pytest.raises(DataError, match="at most 4294967294 features, found 4294967296"):
        as_csr(sparse.csr_array((1, 2**32)))
