"""Full rows of weights: how wide they are, and what does not fit them."""

import numpy as np
import pytest

from linnet.core.loops.online import Online
from linnet.core.weights import stride_of
from linnet.losses.log import Log
from linnet.steps.sgd import SGD
from linnet.structures.labels import Labels


def test_rows_have_a_width_that_loops_like():
    assert [stride_of(n) for n in (1, 2, 3, 4, 5, 8, 9, 16, 17)] == [1, 2, 4, 4, 8, 8, 16, 16, 24]


def test_a_state_of_other_weights_is_refused(learner_of):
    small, large = (learner_of(np.zeros((n, 2)), Log(), SGD()) for n in (2, 3))
    with pytest.raises(ValueError, match="^v does not fit these weights$"):
        large.restore(*small.state())


def test_there_is_a_bound_on_outcomes():
    with pytest.raises(ValueError, match="^1048577 outcomes a place; at most 1048576$"):
        Online(Labels(1048577), Log(), SGD(), (1,))
