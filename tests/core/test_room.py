"""Arrays in files that are mapped into memory."""

import os
from pathlib import Path

import numpy as np
import pytest

from linnet.core.room import Room
from linnet.errors import DataError

N = 1 << 16


def test_what_is_given_back_is_still_there(tmp_path: Path) -> None:
    room = Room(tmp_path, 0)
    array = room.array((N, 2), np.float64)
    assert array.shape == (N, 2)
    assert not array.any()
    array[:, 1] = np.arange(N)
    room.give_back()
    assert array[:, 1].tolist() == list(range(N))
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_gone_with_its_array(tmp_path: Path) -> None:
    room = Room(tmp_path, 0)
    array = room.array(N, np.int64)
    assert len(room.maps) == 1
    del array
    assert len(room.maps) == 0
    small = room.array(3, np.int64)
    assert len(room.maps) == 0
    assert small.tolist() == [0, 0, 0]


@pytest.mark.skipif(not hasattr(os, "posix_fallocate"), reason="this system fills files by writing them")
def test_a_full_disk_is_said_before_anything_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(DataError, match=r"cannot be kept in a file either: No space left on device\. Make room"):
        Room(tmp_path, 0).array(N, np.int64)
