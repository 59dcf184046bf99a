"""Tests of significance: by hand, against scipy, and against what they mean."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from linnet.evaluate.significance import bootstrap, differences, holm, holm_pairs, letters, mcnemar


def test_mcnemar_by_hand():
    # K ~ Binomial(6, 1/2): P(K <= 1) = 7/64, P(K = 1) = 6/64.
    assert mcnemar(1, 5, "exact") == pytest.approx(14 / 64)
    assert mcnemar(5, 1) == pytest.approx(14 / 64 - 6 / 64)
    assert mcnemar(10, 30, "chi2") == pytest.approx(stats.chi2.sf(19**2 / 40, 1))
    assert mcnemar(0, 0) == mcnemar(4, 4) == mcnemar(4, 4, "exact") == mcnemar(4, 4, "chi2") == 1


@given(st.integers(0, 60), st.integers(0, 60))
def test_the_exact_test_is_the_binomial_one(a, b):
    if a + b:
        assert mcnemar(a, b, "exact") == pytest.approx(stats.binomtest(a, a + b).pvalue)
        assert mcnemar(a, b) <= mcnemar(a, b, "exact")


def test_bootstrap_scores_have_the_mean_and_the_error_of_the_sample():
    right = np.r_[np.ones(320), np.zeros(80)][None]
    scores = bootstrap(right, np.ones((1, 400)), samples=4000)
    assert scores.shape == (1, 4000)
    assert scores.mean() == pytest.approx(0.8, abs=0.002)
    assert scores.std() == pytest.approx(np.sqrt(0.8 * 0.2 / 400), rel=0.1)


def test_all_systems_see_the_same_samples():
    right = np.random.default_rng(0).integers(0, 2, (1, 300)).astype(float)
    scores = bootstrap(np.repeat(right, 2, 0), np.ones((2, 300)), samples=100)
    assert np.array_equal(scores[0], scores[1])


def test_many_examples_are_drawn_in_parts_of_neighbours():
    rng = np.random.default_rng(0)
    right = (rng.random((1, 20_000)) < 0.7).astype(float)
    scores = bootstrap(right, np.ones(right.shape), samples=1000)
    assert scores.std() == pytest.approx(np.sqrt(0.7 * 0.3 / 20_000), rel=0.15)


def test_right_or_wrong_is_mcnemar_s_case():
    right = np.array([[1, 1, 1, 1, 1, 0], [0, 0, 0, 0, 0, 1.0]])
    assert differences(right, np.ones((2, 6)))[0, 1] == pytest.approx(mcnemar(5, 1))


def test_a_ratio_of_sums_is_the_bootstrap_s_case():
    rng = np.random.default_rng(1)
    total = rng.integers(5, 30, (1, 400)).astype(float)
    good, same, bad = (rng.binomial(total.astype(int), p)[0] for p in (0.9, 0.9, 0.8))
    p = differences(np.stack([good, same, bad]).astype(float), np.repeat(total, 3, 0))
    assert p[0, 2] < 0.001
    assert p[0, 1] > 0.01
    assert np.array_equal(p, p.T)


def test_the_bootstrap_agrees_with_the_normal_approximation():
    # The difference of two scores over the same examples is a mean of n differences: z = mean / (sd / sqrt(n)).
    rng = np.random.default_rng(2)
    total = np.full((2, 500), 10.0)
    right = rng.binomial(10, [[0.80], [0.82]], (2, 500)).astype(float)
    d = right[1] - right[0]
    z = abs(d.mean()) / (d.std() / np.sqrt(500))
    assert differences(right, total)[0, 1] == pytest.approx(2 * stats.norm.sf(z), abs=0.02)


def test_holm_by_hand():
    # In order 0.01 x 4, 0.02 x 3, 0.03 x 2, 0.5 x 1: 0.04, 0.06, 0.06, 0.5.
    assert holm([0.03, 0.01, 0.5, 0.02]) == pytest.approx([0.06, 0.04, 0.5, 0.06])
    assert holm([0.9, 0.8]) == pytest.approx([1, 1])
    p = np.array([[1, 0.01, 0.04], [0.01, 1, 0.03], [0.04, 0.03, 1]])
    assert holm_pairs(p) == pytest.approx(np.array([[1, 0.03, 0.06], [0.03, 1, 0.06], [0.06, 0.06, 1]]))


def test_letters_by_hand():
    differ = np.zeros((4, 4), bool)
    assert letters(differ) == ["a"] * 4
    differ[0, 2] = differ[0, 3] = differ[1, 3] = True
    assert letters(differ | differ.T) == ["a", "ab", "bc", "c"]
    assert letters(~np.eye(3, dtype=bool)) == ["a", "b", "c"]
    assert letters(np.zeros((0, 0), bool)) == []


@given(st.integers(1, 8), st.integers(0, 10**6))
def test_systems_share_a_letter_where_they_do_not_differ(n, seed):
    differ = np.triu(np.random.default_rng(seed).random((n, n)) < 0.5, 1)
    differ |= differ.T
    found = letters(differ)
    for i in range(n):
        for j in range(n):
            assert bool(set(found[i]) & set(found[j])) != bool(differ[i, j])


def test_more_letters_than_the_alphabet_has():
    found = letters(~np.eye(30, dtype=bool))
    assert found[25:28] == ["z", "a1", "b1"]
