"""Kept tokens against a reference, by hand."""

import numpy as np
import pytest

from linnet.tasks.compress.measures import evaluate_compression


def test_figures_by_hand():
    # Sentence 1: gold keeps 0 1, found 1 2. Sentence 2: both keep 3 4. Sentence 3: neither keeps 5.
    gold = np.array([1, 1, 0, 1, 1, 0], bool)
    kept = np.array([0, 1, 1, 1, 1, 0], bool)
    report = evaluate_compression(gold, kept, np.array([0, 3, 5, 6]))
    assert report.token_f1 == pytest.approx(2 * 3 / (4 + 4))
    assert (report.precision, report.recall) == (0.75, 0.75)
    assert (report.rate, report.gold_rate) == (pytest.approx(4 / 6), pytest.approx(4 / 6))
    assert report.accuracy == pytest.approx(4 / 6)
    assert report.sentence_accuracy == pytest.approx(2 / 3)
    assert report.mean_f1 == pytest.approx((0.5 + 1 + 1) / 3)
    assert set(report.as_dict()) >= {"token_f1", "rate", "accuracy"}


def test_nothing_kept_is_no_error():
    none = np.zeros(2, bool)
    report = evaluate_compression(none, none, np.array([0, 2]))
    assert (report.token_f1, report.precision, report.recall, report.rate, report.accuracy) == (0, 0, 0, 0, 1)
    empty = evaluate_compression(none[:0], none[:0], np.array([0]))
    assert (empty.n_sentences, empty.accuracy) == (0, 0)
