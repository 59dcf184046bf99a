"""The measures of orders of candidates, by hand and against scipy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from linnet.tasks.rerank.measures import evaluate_candidates, pairs_of, tau_b


def test_by_hand():
    """The first list: of the pairs (0, 1), (0, 2), (1, 2) the first is right. The second list has two best ones, one of which
    costs 3 more, and one pair that is a tie. The third has nothing to be right about."""
    costs = [[1, 2, 5], [0, 3], [4, 4]]
    scores = [[2.0, 1.0, 3.0], [1.0, 1.0], [0.0, 1.0]]
    report = evaluate_candidates(costs, scores)
    assert pairs_of(costs, scores).tolist() == [[1, 3], [0.5, 1], [0, 0]]
    assert report.pairwise_accuracy == pytest.approx(1.5 / 4)
    assert report.tau == pytest.approx((-1 / 3 + 0) / 2)
    assert report.best == pytest.approx((0 + 0.5 + 1) / 3)
    assert report.mean_cost == pytest.approx((5 + 1.5 + 4) / 3)
    assert report.first_cost == pytest.approx((1 + 0 + 4) / 3)
    assert report.random_cost == pytest.approx((8 / 3 + 1.5 + 4) / 3)
    assert report.oracle_cost == pytest.approx((1 + 0 + 4) / 3)
    assert (report.n, report.candidates) == (3, 7)


@given(st.integers(2, 8), st.integers(0, 2**32 - 1))
def test_tau_is_that_of_scipy(n, seed):
    costs, scores = np.random.default_rng(seed).integers(0, 4, (2, n))
    wanted = stats.kendalltau(-costs, scores).statistic if np.ptp(costs) and np.ptp(scores) else 0
    assert tau_b(costs, scores) == pytest.approx(wanted)
