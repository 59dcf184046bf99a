"""Rows in a file come back to the last bit, however they are packed there."""

import numpy as np
import pytest

from linnet.core.blocks import Block
from linnet.core.extract.weighting import Weighting
from linnet.core.filed import packed, unpacked
from linnet.core.room import Room
from linnet.features import rows_file
from linnet.features.rows import SparseRows
from linnet.features.rows_file import RowsFile

VALUES = [1, 2, 255, 256, 0, -0.0, 0.5, -1, 1e30, np.inf, np.nan, 3]
FEATURES = [0, 255, 256, 65535, 65536, 2**24 - 1, 2**24, 2**32 - 2, 5, 6, 7, 8]


def some_rows(n: int, seed: int = 0) -> SparseRows:
    r = np.random.default_rng(seed)
    lengths = r.integers(0, 200, n)
    indptr = np.concatenate([[0], np.cumsum(lengths)])
    indices = r.choice(np.array(FEATURES[:7]), indptr[-1]).astype(np.uint32)
    return SparseRows(indptr, indices, r.choice([1, 1, 1, 2, 0.25], indptr[-1]).astype(np.float32))


def test_every_value_and_every_number_of_a_feature_comes_back():
    indptr = np.array([0, 0, 5, 12, 12])
    indices, values = np.array(FEATURES, np.uint32), np.array(VALUES, np.float32)
    data, sizes = packed(np.array([0, 2, 4]), indptr, indices, values)
    assert sizes.sum() == len(data)
    at, features, numbers = unpacked(np.append(data, np.zeros(8, np.uint8)), 4)
    assert at.tolist() == indptr.tolist()
    assert features.tolist() == FEATURES
    assert numbers.tobytes() == values.tobytes()


def test_a_count_of_1_takes_no_byte():
    indices = np.array([1, 300, 70_000], np.uint32)
    data, sizes = packed(np.array([0, 1]), np.array([0, 3]), indices, np.ones(3, np.float32))
    assert len(data) == sizes[0] == 1 + 2 + (1 + 2 + 3)  # their number, half a byte each, and their numbers


@pytest.fixture
def tiny(monkeypatch):
    monkeypatch.setattr(rows_file, "_PIECE", 500)
    monkeypatch.setattr(rows_file, "_MOST_EXAMPLES", 7)


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize("places", [None, np.array([0, 0, 3, 3, 10, 20, 30, 30])], ids=["one place", "several"])
def test_rows_of_a_file_are_those_of_memory(places, tmp_path):
    """Examples may have no row at all, in front, in the middle and at the end."""
    whole = some_rows(30)
    cuts = [0, 3, 10, 30]
    parts = [
        SparseRows(
            whole.indptr[a : b + 1] - whole.indptr[a],
            whole.indices[whole.indptr[a] : whole.indptr[b]],
            whole.values[whole.indptr[a] : whole.indptr[b]],
        )
        for a, b in zip(cuts, cuts[1:], strict=False)
    ]
    file = RowsFile(Room(tmp_path, 0), 30, parts, places)
    block, expected = file.block(), Block(*whole, places)
    assert [block.rows_of(i) for i in range(block.n)] == [expected.rows_of(i) for i in range(expected.n)]
    assert block.n_values() == len(whole.indices)
    assert block.largest == expected.largest
    for mine, other in zip(block.arrays()[:3], whole, strict=True):
        assert np.asarray(mine).tobytes() == other.tobytes()
    assert block.lengths2().tolist() == expected.lengths2().tolist()


@pytest.mark.usefixtures("tiny")
def test_rows_are_changed_and_weighted_when_they_are_read(tmp_path):
    file, seen = RowsFile(Room(tmp_path, 0), 30, [some_rows(30)]), []
    whole = some_rows(30)

    def longer(rows: SparseRows) -> SparseRows:
        return SparseRows(rows.indptr, rows.indices | np.uint32(1 << 30), rows.values)

    file.change(longer, lambda rows: seen.append(len(rows)))
    assert sum(seen) == 30
    assert file.largest == (2**24 | 1 << 30)
    weighting = Weighting(count=0, idf=None, norm=2, parts=None, weights=np.ones(1), average=np.ones(1), free_from=1)
    file.weigh(weighting)
    expected = SparseRows(whole.indptr, whole.indices | np.uint32(1 << 30), whole.values.copy())
    weighting.rows(*expected)
    assert np.concatenate([rows.values for rows in file]).tobytes() == expected.values.tobytes()
    block = Block(*expected)
    assert [file.block().rows_of(i) for i in range(30)] == [block.rows_of(i) for i in range(30)]
