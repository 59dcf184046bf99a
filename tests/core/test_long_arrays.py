"""Arrays with a number for each example, a piece at a time."""

import re
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet.core import long_arrays
from linnet.core.long_arrays import copied, counts, median, members, pieces, restored
from linnet.core.room import Room, give_back


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_arrays, "PIECE", 3)


@given(st.lists(st.floats(1e-300, 1e300), min_size=1, max_size=50))
def test_the_median_is_that_of_numpy(values: list[float]) -> None:
    assert median(np.array(values)) == np.median(values)


@pytest.mark.usefixtures("short")
def test_pieces_cover_all_examples_once() -> None:
    assert [list(range(8))[piece] for piece in pieces(8)] == [[0, 1, 2], [3, 4, 5], [6, 7]]
    assert list(pieces(0)) == []


@pytest.mark.usefixtures("short")
def test_what_is_found_in_pieces_is_found_in_all() -> None:
    numbers = np.array([3, 0, 0, 2, 3, 3, 0])
    assert counts(numbers, 5).tolist() == [3, 0, 1, 3, 0]
    assert members(numbers, lambda some: some == 3).tolist() == [0, 4, 5]
    assert median(np.array([5.0, 1.0, 4.0, 2.0, 9.0])) == 4.0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says how much of a file is in the memory of a program")
def test_a_mapped_array_is_in_memory_a_piece_at_a_time(tmp_path: Path) -> None:
    numbers = Room(tmp_path, most=0).array(1 << 23, np.float64)  # 64 MB
    numbers.fill(2.0)
    give_back(numbers)
    before = _mapped_mb()
    most = []

    def below_two(some: np.ndarray) -> np.ndarray:
        most.append(_mapped_mb() - before)
        return some < 2

    assert members(numbers, below_two).tolist() == []
    assert max(most) < 8
    assert median(numbers) == 2.0
    assert _mapped_mb() - before < 8


def _mapped_mb() -> float:
    """The megabytes of files that are in the memory of this program."""
    found = re.search(r"RssFile:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found is not None
    return int(found[1]) / 1024


@pytest.mark.usefixtures("short")
def test_an_array_is_restored_in_its_place(block_of) -> None:
    block = block_of(np.eye(7))
    array = np.arange(14.0).reshape(7, 2)
    copy = copied(array, block)
    assert copy is not array
    assert copy.tolist() == array.tolist()
    array[:] = 0
    assert restored(copy, array, block) is array
    assert array.tolist() == copy.tolist()
    assert restored(copy, np.zeros((6, 2)), block).tolist() == copy.tolist()
