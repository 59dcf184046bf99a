"""Measures of label sets and rankings: by hand, and as scikit-learn has them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from linnet.errors import DataError
from linnet.tasks.labelset.measures import LabelsetCounts

NAMES = ("a", "b", "c", "d")


def report(gold, predicted, scores, names=NAMES):
    counts = LabelsetCounts(names)
    counts.add(gold, predicted, np.array(scores, float))
    return counts.report()


def test_by_hand():
    """The first is ranked b a c d, with a and c right. b is before both: of the pairs (a, b), (a, d), (c, b), (c, d) two are
    in the wrong order, c is two below the first, and the precision down to a is 1/2, down to c 2/3.
    """
    found = report([["a", "c"], []], [["a"], ["d"]], [[2, 3, 1, 0], [0, 0, 0, 1]])
    ranking = found.ranking
    assert (ranking.n, ranking.one_error, ranking.coverage, ranking.errors, ranking.any_error) == (1, 1, 2, 2, 1)
    assert ranking.average_precision == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert ranking.ranking_loss == pytest.approx(2 / 4)
    assert ranking.precision_at == {1: 0, 3: pytest.approx(2 / 3), 5: pytest.approx(2 / 5)}
    assert ranking.recall_at == {1: 0, 3: 1, 5: 1}
    # right a; wrong d, missed c: 1 of 2 guessed, 1 of 2 gold
    assert (found.micro_precision, found.micro_recall, found.micro_f1) == (0.5, 0.5, 0.5)
    assert found.macro_f1 == pytest.approx((1 + 0 + 0) / 3)  # a, c, d; b is nowhere
    assert (found.subset_accuracy, found.hamming_loss) == (0, 2 / 8)


@given(st.integers(0, 2**32 - 1), st.integers(2, 8))
def test_as_scikit_learn_has_them(seed, n_labels):
    rng = np.random.default_rng(seed)
    names = [f"t{k}" for k in range(n_labels)]
    gold, guess = rng.random((2, 20, n_labels)) < 0.3
    gold[:, 0] |= ~gold.any(axis=1)
    gold[0], guess[0] = True, True  # so that every label is seen
    scores = rng.permutation(20 * n_labels).reshape(20, n_labels)
    sets = [[[names[k] for k in np.flatnonzero(row)] for row in table] for table in (gold, guess)]
    found = report(*sets, scores, names)
    assert found.micro_f1 == pytest.approx(metrics.f1_score(gold, guess, average="micro"))
    assert found.macro_f1 == pytest.approx(metrics.f1_score(gold, guess, average="macro"))
    assert found.subset_accuracy == pytest.approx(metrics.accuracy_score(gold, guess))
    assert found.hamming_loss == pytest.approx(metrics.hamming_loss(gold, guess))
    assert found.ranking.coverage == pytest.approx(metrics.coverage_error(gold, scores) - 1)
    assert found.ranking.average_precision == pytest.approx(metrics.label_ranking_average_precision_score(gold, scores))
    assert found.ranking.ranking_loss == pytest.approx(metrics.label_ranking_loss(gold, scores))


def test_batches_are_as_good_as_one():
    gold, predicted, scores = [["a"], ["b", "d"], []], [["a"], ["b"], []], np.arange(12.0).reshape(3, 4) % 5
    counts = LabelsetCounts(NAMES)
    for i in range(3):
        counts.add(gold[i : i + 1], predicted[i : i + 1], scores[i : i + 1])
    assert counts.report() == report(gold, predicted, scores)


def test_a_tie_is_no_success_and_an_unknown_label_is_missed():
    found = report([["a"], ["z"]], [["a"], []], [[1, 1, 0, 0], [0, 0, 0, 1]])
    assert found.ranking.one_error == 1
    assert found.ranking.n == 1
    assert found.micro_recall == 0.5
    assert found.per_label["z"].support == 1


def test_what_cannot_be_evaluated_is_refused():
    with pytest.raises(DataError, match="nothing to evaluate"):
        LabelsetCounts(NAMES).report()
    with pytest.raises(DataError, match="found 0 and 1"):
        report([["a"]], [], np.zeros((0, 4)))
