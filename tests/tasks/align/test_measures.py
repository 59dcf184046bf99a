"""The alignment error rate, by hand."""

import numpy as np
import pytest

from linnet.errors import DataError
from linnet.tasks.align.measures import evaluate_alignments


def test_by_hand():
    # Two pairs: A has 3 links in the first, 1 in the second; sure 2 and 1, possible 3 and 1.
    gold = np.array([1, 1, 2, 0, 0, 1], np.int32)
    found = np.array([1, 0, 1, 1, 1, 0], np.int32)
    report = evaluate_alignments(gold, found, np.array([0, 4, 6]))
    # A in S: 1, A in P: 2, A: 4, S: 3
    assert report.precision == 2 / 4
    assert report.recall == pytest.approx(1 / 3)
    assert report.aer == pytest.approx(1 - 3 / 7)
    assert (report.n_pairs, report.n_links, report.n_sure, report.n_possible) == (2, 4, 3, 4)


def test_nothing_is_no_error():
    report = evaluate_alignments(np.zeros(4, np.int32), np.zeros(4, np.int32), np.array([0, 4]))
    assert (report.precision, report.recall, report.aer) == (1, 1, 0)


def test_other_places_are_refused():
    with pytest.raises(DataError, match="expected a flag for each of 4 places, found 3"):
        evaluate_alignments(np.zeros(4, np.int32), np.zeros(3, np.int32), np.array([0, 4]))
