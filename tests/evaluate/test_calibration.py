"""Calibration by hand, against scikit-learn, and on probabilities that are known."""

import numpy as np
import pytest
from scipy.special import softmax

from linnet.evaluate.calibration import brier, fit_sigmoid, reliability
from linnet.evaluate.losses import expected_losses, loss_tables, mean_losses
from linnet.evaluate.mistakes import most_wrong, suspects


def test_reliability_by_hand():
    # Bins of 0.1: 0.55 right; 0.91 right, 0.95 wrong, 1.0 right. ECE = 1/4 |1 - 0.55| + 3/4 |2/3 - 2.86/3|.
    found = reliability(np.array([0.55, 0.91, 0.95, 1.0]), [1, 1, 0, 1])
    assert found.size == (1, 3)
    assert found.confidence == pytest.approx((0.55, 2.86 / 3))
    assert found.right == pytest.approx((1, 2 / 3))
    assert found.ece == pytest.approx(0.45 / 4 + (2.86 - 2) / 4)


def test_brier_by_hand():
    p = np.array([[0.8, 0.2], [0.3, 0.7]])
    assert brier(p, np.array([0, 0])) == pytest.approx((2 * 0.2**2 + 2 * 0.7**2) / 2)
    assert brier(p, np.array([0, -1])) == pytest.approx((2 * 0.2**2 + 0.3**2 + 0.7**2 + 1) / 2)


def test_the_brier_score_of_scikit_learn_is_half_for_two_labels():
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(0)
    p1, y = rng.random(50), rng.integers(0, 2, 50)
    assert brier(np.stack([1 - p1, p1], 1), y) == pytest.approx(2 * metrics.brier_score_loss(y, p1))


def test_two_labels_are_platt_s_sigmoid():
    calibration = pytest.importorskip("sklearn.calibration")
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    score = 3 * (y - 0.3) + 2 * rng.normal(size=300)
    a, b = calibration._sigmoid_calibration(score, y)  # p = 1 / (1 + exp(a s + b))
    found = fit_sigmoid(np.stack([np.zeros(300), score], 1), y)
    assert found.a == pytest.approx(-a, rel=0.02)  # the targets differ by 1/300
    assert found.b[1] - found.b[0] == pytest.approx(-b, abs=0.02)


def test_stretched_and_shifted_scores_are_brought_back():
    rng = np.random.default_rng(0)
    logits = 1.5 * rng.normal(size=(20_000, 4))
    y = (rng.random(20_000)[:, None] > np.cumsum(softmax(logits, axis=1), axis=1)).sum(axis=1)
    shift = np.array([1.0, 0.0, -1.0, 0.0])
    found = fit_sigmoid((logits - shift) * 7, y)
    assert found.a == pytest.approx(1 / 7, rel=0.03)
    assert found.b == pytest.approx(shift, abs=0.08)
    p = found((logits - shift) * 7)
    assert p.sum(axis=1) == pytest.approx(np.ones(20_000))
    assert reliability(p.max(axis=1), p.argmax(axis=1) == y).ece < 0.012


def test_scores_that_say_nothing_and_scores_that_say_all():
    y = np.array([0, 1] * 50)
    assert fit_sigmoid(np.zeros((100, 2)), y)(np.zeros((1, 2)))[0] == pytest.approx([0.5, 0.5])
    sure = fit_sigmoid(np.eye(2)[y], y)(np.eye(2))
    assert sure[0, 0] == pytest.approx(101 / 102, abs=1e-3)  # the target, not 1
    backwards = fit_sigmoid(-np.eye(2)[y], y)
    assert backwards.a == 0  # never the other way round


def test_unknown_labels_are_passed_over():
    theta = np.random.default_rng(0).normal(size=(60, 3))
    y = np.r_[np.argmax(theta[:40] + 0.5, axis=1), np.full(20, -1)]
    assert fit_sigmoid(theta, y).a == pytest.approx(fit_sigmoid(theta[:40], y[:40]).a)


def test_losses_by_hand():
    theta = np.array([[1.0, 0.5, -1.0]])
    tables = loss_tables(theta)
    assert tables["0-1"].tolist() == [[0, 1, 1]]
    assert tables["hinge"] == pytest.approx(np.array([[0.5, 1.5, 3.0]]))
    assert tables["log"] == pytest.approx(-np.log(softmax(theta, axis=1)))
    assert tables["ranking"].tolist() == [[0, 1, 2]]
    assert tables["exp"][0, 0] == pytest.approx(np.exp(-0.5) + np.exp(-2))
    p = np.array([[0.5, 0.25, 0.25]])
    assert expected_losses(theta, p)["hinge"] == pytest.approx(0.25 + 0.375 + 0.75)
    assert mean_losses(np.repeat(theta, 2, 0), np.array([0, 2])) == pytest.approx(
        {name: (table[0, 0] + table[0, 2]) / 2 for name, table in tables.items()}
    )


def test_exp_bounds_the_labels_ahead_and_these_the_errors():
    """A tie counts as ahead: exp 0 = 1. Smith, "Boosting and Exp Loss"."""
    tables = loss_tables(np.array([[1.0, 1.0, 0.0], [2.0, 0.0, 2.0]]))
    assert tables["ranking"].tolist() == [[1, 1, 2], [1, 2, 1]]
    theta = np.round(np.random.default_rng(1).normal(size=(300, 4)), 1)  # with ties
    tables = loss_tables(theta)
    counted = (theta[:, None, :] >= theta[:, :, None]).sum(axis=2) - 1
    np.testing.assert_array_equal(tables["ranking"], counted)
    assert (tables["exp"] >= tables["ranking"] - 1e-12).all()
    assert (tables["ranking"] >= tables["0-1"]).all()


def test_the_expected_log_loss_of_a_model_that_is_right_is_what_is_seen():
    rng = np.random.default_rng(3)
    theta = rng.normal(size=(50_000, 3))
    p = softmax(theta, axis=1)
    y = (rng.random(50_000)[:, None] > np.cumsum(p, axis=1)).sum(axis=1)
    seen, expected = mean_losses(theta, y), expected_losses(theta, p)
    for name in ("0-1", "hinge", "log", "ranking"):
        assert seen[name] == pytest.approx(expected[name], rel=0.02)


def test_suspects_and_the_most_wrong():
    # t_0 = (0.9 + 0.3) / 2 = 0.6, t_1 = (0.8 + 0.45) / 2 = 0.625: 0.7 for label 1 is enough, 0.55 for label 0 is not.
    y, y_hat = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 0])
    p_gold, p_hat = np.array([0.9, 0.3, 0.8, 0.45]), np.array([0.9, 0.7, 0.8, 0.55])
    assert suspects(y, y_hat, p_gold, p_hat, 2).tolist() == [False, True, False, False]
    assert most_wrong(y, y_hat, p_gold).tolist() == [1, 3]
    assert most_wrong(y, y_hat, p_gold, top=1).tolist() == [1]
