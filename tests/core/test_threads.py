"""Work on several threads: the order of its results, its errors, and how many threads there are."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from linnet.core.threads import StoppedError, ahead, available, check_wanted, cores, each, few_at_once, limited
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


def test_that_work_which_takes_long_hears_that_other_work_has_failed():
    begun = threading.Event()

    def first_fails(i: int) -> None:
        if i == 0:
            assert begun.wait(10)
            raise KeyboardInterrupt
        begun.set()
        for _ in range(1000):
            time.sleep(0.01)
            check_wanted()

    check_wanted()
    with limited(2), pytest.raises(KeyboardInterrupt):
        each(first_fails, range(2))
    check_wanted()
    assert issubclass(StoppedError, Exception)


def test_that_few_results_wait():
    begun = []
    with limited(2):
        results = few_at_once(lambda i: begun.append(i) or i, range(6))
        assert [next(results), sorted(begun)] == [0, [0, 1]]
        assert list(results) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("n", [0, 1, 2, 9])
def test_that_results_come_in_order_while_items_are_taken(threads, n):
    with limited(threads):
        assert list(ahead(lambda i: (i, available() == 1 or n < 2 or threads == 1), iter(range(n)))) == [
            (i, True) for i in range(n)
        ]


def test_that_work_begins_before_the_second_item_is_taken():
    begun = threading.Event()

    def items() -> Iterator[int]:
        yield 0
        assert begun.wait(timeout=10)
        yield 1

    with limited(2):
        assert list(ahead(lambda i: (begun.set(), i)[1], items())) == [0, 1]


def test_that_items_are_not_taken_far_ahead():
    taken = []

    def items():
        for i in range(100):
            taken.append(i)
            yield i

    with limited(2):
        results = ahead(lambda i: i, items())
        assert next(results) == 0
        assert len(taken) <= 4
        results.close()
    assert len(taken) <= 4


@pytest.mark.parametrize("threads", [1, 3])
def test_that_results_before_an_item_that_cannot_be_taken_come_first(threads):
    def items():
        yield from range(5)
        raise ValueError("line 6 is malformed")

    found: list[int] = []
    with limited(threads), pytest.raises(ValueError, match="line 6"):
        put_into(found, ahead(lambda i: i, items()))
    assert found == [0, 1, 2, 3, 4]


def put_into(found: list[int], results) -> None:
    """Add the results one by one, so that those before an error are there."""
    for result in results:
        found.append(result)


def test_that_an_error_of_the_work_is_raised_behind_the_results_before_it():
    found: list[int] = []
    with limited(3), pytest.raises(ZeroDivisionError):
        put_into(found, ahead(lambda i: 6 // (3 - i), iter(range(9))))
    assert found == [2, 3, 6]
