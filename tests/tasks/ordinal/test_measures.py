"""Ratings, counted by hand; the correlation as scipy has it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from linnet.errors import DataError
from linnet.tasks.ordinal.measures import evaluate_ordinal


def test_by_hand():
    found = evaluate_ordinal(
        ["low", "middle", "high", "high"], ["low", "high", "high", "low"], ["low", "middle", "high"]
    )
    assert (found.accuracy, found.mean_absolute_error) == (0.5, 0.75)
    assert found.root_mean_squared_error == pytest.approx(np.sqrt(5 / 4))
    assert found.confusion == [[1, 0, 0], [0, 0, 1], [1, 0, 1]]


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=3, max_size=30))
def test_the_correlation_is_spearmans(pairs):
    gold, predicted = zip(*pairs, strict=True)
    found = evaluate_ordinal(["abcde"[k] for k in gold], ["abcde"[k] for k in predicted], "abcde").spearman
    if len(set(gold)) == 1 or len(set(predicted)) == 1:
        assert found is None
    else:
        assert found == pytest.approx(spearmanr(gold, predicted).statistic, abs=1e-9)


def test_what_cannot_be_evaluated_is_refused():
    with pytest.raises(DataError, match="nothing to evaluate"):
        evaluate_ordinal([], [], ["a", "b"])
    with pytest.raises(DataError, match="found 0 and 1"):
        evaluate_ordinal(["a"], [], ["a", "b"])


def test_ratings_that_are_numbers_are_as_far_apart_as_these():
    found = evaluate_ordinal(["1", "4", "10", "5"], ["4", "4", "7", "7"], ["1", "4", "7", "10"])
    assert found.mean_absolute_error == (3 + 0 + 3 + 2) / 4
    assert found.ratings == ["1", "4", "5", "7", "10"]


def test_a_rating_that_was_never_seen_has_no_place_unless_it_is_a_number():
    with pytest.raises(DataError, match="'best' of the data is not known to the model, which has: bad, good"):
        evaluate_ordinal(["best"], ["good"], ["bad", "good"])
