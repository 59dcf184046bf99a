"""The order of examples in an epoch."""

import numpy as np
import pytest

from linnet.learners import order
from linnet.learners.order import BLOCK, WINDOW, Order


def shuffled(n: int, seed: int = 0) -> Order:
    return Order(n, lambda window: np.random.default_rng([seed, 2 + window]))


@pytest.mark.parametrize("n", [0, 1, WINDOW, WINDOW + 1, 2 * WINDOW, 3 * WINDOW - BLOCK - 1])
def test_each_example_comes_once(n: int) -> None:
    assert np.sort(shuffled(n)[:n]).tolist() == list(range(n))
    assert Order(n)[:n].tolist() == list(range(n))


def test_up_to_a_window_of_examples_are_shuffled_as_a_whole() -> None:
    assert shuffled(1000)[:1000].tolist() == np.random.default_rng([0, 2]).permutation(1000).tolist()


def test_any_stretch_is_that_of_the_whole() -> None:
    n = 2 * WINDOW + 77
    whole, some = shuffled(n)[:n], shuffled(n)
    for begin, end in [(0, 5), (WINDOW - 3, WINDOW + 4), (10, 2 * WINDOW + 1), (n - 1, n + 9), (n, n + 5)]:
        assert some[begin:end].tolist() == whole[begin:end].tolist()


def test_a_window_has_blocks_from_everywhere() -> None:
    n = 8 * WINDOW
    window = shuffled(n)[:WINDOW]
    blocks, counts = np.unique(window // BLOCK, return_counts=True)
    assert len(blocks) == WINDOW // BLOCK
    assert set(counts) == {BLOCK}
    assert np.bincount(window // WINDOW, minlength=8).min() > 0


def test_orders_of_other_seeds_are_others() -> None:
    n = 2 * WINDOW
    assert (shuffled(n)[:n] != shuffled(n, 1)[:n]).mean() > 0.99


def test_the_blocks_are_not_in_the_order_of_a_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """A generator of no further number is that of the number 0, so the order of blocks must have another one."""
    from linnet.learners.learning import _Plan

    monkeypatch.setattr(order, "BLOCK", 1)
    monkeypatch.setattr(order, "WINDOW", 10)
    plan = _Plan(range(20), None, 1, 1, 0, True, 3, 0.0, 1)  # type: ignore[arg-type]
    found = plan.order(0, 0, shuffle=True)
    first = np.random.default_rng([0, 0]).permutation(20)
    assert found._blocks[:20].tolist() != first.tolist()
    assert found[0:10].tolist() != found[10:20].tolist()
