"""The step of every loss that has a dual: a problem of one example is solved by one step, whatever m it starts from."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet.core.blocks import Block
from linnet.core.loops.coordinate import Coordinate
from linnet.core.loops.dual import Dual
from linnet.losses import phi
from linnet.losses.each import Each
from linnet.losses.hinge import Hinge
from linnet.losses.log import Log
from linnet.steps.constant import Constant
from linnet.structures.labels import Labels

DUALS = {
    "hinge": Hinge,
    "log": Log,
    "each-hinge": lambda: Each(phi.Hinge()),
    "each-log": lambda: Each(phi.Log()),
    "each-squared-hinge": lambda: Each(phi.Hinge(squared=True)),
}


def one_example(x, y):
    block = Block(np.array([0, len(x)]), np.arange(len(x), dtype=np.uint32), x.astype(np.float32))
    return (block,), np.array([y], np.int32), np.array([0, 1])


@pytest.mark.parametrize("name", DUALS)
@given(seed=st.integers(0, 2**32 - 1), n_labels=st.integers(2, 9), C=st.sampled_from([0.01, 0.3, 1.0, 30.0]))
def test_one_step_is_enough_for_one_example(name, seed, n_labels, C):
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=4), int(rng.integers(n_labels))
    online = Dual(Labels(n_labels), DUALS[name](), Constant(), (4,), climb=Coordinate(), C=C)
    online.begin()
    online.run(*one_example(x, y), np.array([0]))
    assert online.gap == pytest.approx(C * online.total)  # at m = 0 the dual is 0
    assert online.left(*one_example(x, y), None, np.inf) == pytest.approx(0, abs=1e-5 * (1 + C))


@pytest.mark.parametrize("name", DUALS)
def test_the_step_is_the_best_wherever_it_starts(name):
    # Two examples in turns: each step ends where no other m of the same example has a smaller gap left.
    rng = np.random.default_rng(0)
    x = rng.normal(size=(2, 3)).astype(np.float32)
    block = Block(np.array([0, 3, 6]), np.tile(np.arange(3, dtype=np.uint32), 2), x.ravel())
    examples = (block,), np.array([0, 2], np.int32), np.arange(3)
    online = Dual(Labels(3), DUALS[name](), Constant(), (3,), climb=Coordinate(), C=0.7)
    gaps = []
    for _ in range(60):
        online.begin()
        online.run(*examples, np.array([0, 1]))
        gaps.append(online.left(*examples, None, np.inf))
    assert gaps[0] > 1e-3
    assert min(gaps) < 1e-6
    assert min(gaps) >= 0


def two_that_disagree():
    """The same x = 1 with both labels. q = 2, so that of the hinge alone either one ends at m = 1/2 and theta = 1."""
    block = Block(np.arange(3), np.zeros(2, np.uint32), np.ones(2, np.float32))
    return (block,), np.array([0, 1], np.int32), np.arange(3)


def passes(online, *examples):
    """Each one a pass over a single example; the steps that each pass took."""
    steps = []
    for i in examples:
        online.begin()
        online.run(*two_that_disagree(), np.array([i]))
        steps.append(online.updates)
    return steps


@pytest.fixture
def idle():
    """Example 0 has not moved for 5 passes, and since then example 1 has moved w."""
    online = Dual(Labels(2), Each(phi.Hinge()), Constant(), (1,), climb=Coordinate(), C=0.75)
    assert passes(online, 0, 0, 0, 0, 0, 0) == [1, 0, 0, 0, 0, 0]
    assert passes(online, 1) == [1]
    np.testing.assert_array_equal(online.state()[0]["idle"], [5, 0])
    return online


def test_an_idle_example_is_looked_at_after_8_passes_and_counts_until_then(idle):
    for _ in range(3):
        assert passes(idle, 0) == [0]
        assert (idle.total, idle.length2, idle.support) == (0, 1, 2)  # of theta = 1 and m = 1/2, for both machines
    assert passes(idle, 0) == [1]
    assert idle.total == pytest.approx(2 * 1.5)  # example 1 went to its bound of 0.75: theta = 2 (1/2 - 3/4)
    np.testing.assert_allclose(idle.state()[0]["m0"], [[0.75, -0.75], [-0.75, 0.75]])


def test_the_gap_is_that_of_idle_examples_too_and_wakes_them(idle):
    # w = 1/2 - 3/4 for feature and bias: primal 2 (1/16 + 3/4 (3/2 + 1/2)), dual 2 (1/2 + 3/4 - 1/16)
    assert idle.left(*two_that_disagree(), None, np.inf) == pytest.approx((1.5 + 2 / 16 - 1.25) / (1.5 + 1 / 16))
    np.testing.assert_array_equal(idle.state()[0]["idle"], [0, 0])
    assert passes(idle, 0) == [1]
    assert idle.left(*two_that_disagree(), None, np.inf) == pytest.approx(0, abs=1e-7)
