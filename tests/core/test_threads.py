"""Work on several threads: the order of its results, its errors, and how many threads there are."""

from __future__ import annotations

import threading
import time

import pytest

from linnet.core.threads import available, cores, each, limited
from linnet.errors import UsageError


def test_that_results_have_the_order_of_the_items():
    def slow_first(i: int) -> int:
        time.sleep(0.02 if i == 0 else 0)
        return i * i

    with limited(4):
        assert each(slow_first, range(10)) == [i * i for i in range(10)]


def test_that_all_threads_work_at_once():
    meet = threading.Barrier(3, timeout=10)
    with limited(3):
        assert sorted(each(lambda i: (meet.wait(), i)[1], range(3))) == [0, 1, 2]


def test_that_threads_do_not_start_threads():
    with limited(2):
        assert each(lambda _: available(), range(4)) == [1, 1, 1, 1]
        assert available() == 2


def test_that_the_first_error_in_the_order_of_the_items_is_raised():
    meet = threading.Barrier(2, timeout=10)

    def fails(i: int) -> None:
        meet.wait()
        raise ValueError(f"item {i}")

    with limited(2), pytest.raises(ValueError, match="item 0"):
        each(fails, range(2))


def test_that_nothing_is_begun_after_an_error():
    begun = []

    def fails(i: int) -> None:
        begun.append(i)
        raise ValueError("no")

    with limited(2), pytest.raises(ValueError, match="no"):
        each(fails, range(100))
    assert len(begun) <= 2


def test_the_number_of_threads():
    assert available() == cores() >= 1
    with limited(3):
        assert available() == 3
        with limited(None):
            assert available() == 3
    assert available() == cores()
    with pytest.raises(UsageError, match="at least one thread, found 0"), limited(0):
        pass
