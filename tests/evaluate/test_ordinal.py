"""Ratings, counted by hand; the correlation as scipy has it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from linnet.errors import DataError
from linnet.evaluate.ordinal import evaluate_ordinal


def test_by_hand():
    found = evaluate_ordinal([0, 1, 2, 2], [0, 2, 2, 0], ["low", "middle", "high"])
    assert (found.accuracy, found.mean_absolute_error) == (0.5, 0.75)
    assert found.root_mean_squared_error == pytest.approx(np.sqrt(5 / 4))
    assert found.confusion == [[1, 0, 0], [0, 0, 1], [1, 0, 1]]


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=3, max_size=30))
def test_the_correlation_is_spearmans(pairs):
    gold, predicted = zip(*pairs, strict=True)
    found = evaluate_ordinal(gold, predicted, list("abcde")).spearman
    if len(set(gold)) == 1 or len(set(predicted)) == 1:
        assert found is None
    else:
        assert found == pytest.approx(spearmanr(gold, predicted).statistic, abs=1e-9)


def test_what_cannot_be_evaluated_is_refused():
    with pytest.raises(DataError, match="nothing to evaluate"):
        evaluate_ordinal([], [], ["a", "b"])
    with pytest.raises(DataError, match="found 0 and 1"):
        evaluate_ordinal([0], [], ["a", "b"])
