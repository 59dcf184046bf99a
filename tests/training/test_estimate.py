"""What can be expected of a model, told while it is trained: `report["expected"]` and `report["sureness"]`."""

import numpy as np
import pytest

import linnet
from linnet.evaluate.calibration import fit_scale, fit_sureness, reliability
from linnet.evaluate.expected import expected
from linnet.training import estimate, thresholds
from linnet.training.thresholds import judged_sets

N = 3000


@pytest.fixture(scope="module")
def texts():
    """Texts of 12 words whose label follows two kinds of words with noise, so that no one can be sure."""
    rng = np.random.default_rng(0)
    words = {True: [f"good{i}" for i in range(400)], False: [f"bad{i}" for i in range(400)]}
    q = rng.random(2 * N)
    rows = [" ".join(rng.choice(words[bool(rng.random() < p)]) for _ in range(12)) for p in q]
    labels = np.where(rng.random(2 * N) < q, "pos", "neg").tolist()
    return rows, labels


@pytest.mark.parametrize("learner", ["nb-svm", "svm", "averaged-mira", "logistic"])
def test_an_estimate_is_near_to_what_new_texts_give(texts, learner):
    rows, labels = texts
    model = linnet.train((rows[:N], labels[:N]), features="words:1", learner=learner)
    found = model.report["expected"]
    assert found["n"] == (N if learner in ("nb-svm", "svm") else 2400)
    actual = model.evaluate(rows[N:], labels[N:]).accuracy
    assert abs(found["accuracy"] - actual) < 3 * 2**0.5 * found["error"]
    p = model.predict_proba(rows[N:])
    best = np.array(model.labels)[p.argmax(axis=1)]
    assert best.tolist() == model.predict(rows[N:])
    if learner != "logistic":  # whose probabilities are its own, and too sure here
        assert reliability(p.max(axis=1), best == np.array(labels[N:])).ece < 0.05


def test_the_weights_are_those_without_an_estimate(texts):
    rows, labels = texts[0][:300], texts[1][:300]
    with_it, without = (linnet.train((rows, labels), features="words:1", estimate=how) for how in (True, False))
    assert np.array_equal(with_it.weights[0], without.weights[0])
    assert "expected" not in without.report
    assert not without.has_probabilities


def test_a_model_keeps_how_sure_it_is(texts, tmp_path):
    rows, labels = texts[0][:300], texts[1][:300]
    model = linnet.train((rows, labels), features="words:1")
    model.save(tmp_path / "m.linnet")
    loaded = linnet.load(tmp_path / "m.linnet")
    assert np.array_equal(loaded.predict_proba(rows), model.predict_proba(rows))
    assert loaded.report["expected"] == model.report["expected"]


def test_few_held_out_examples_are_enough(texts, monkeypatch):
    monkeypatch.setattr(estimate, "_ENOUGH", 700)
    model = linnet.train((texts[0][:N], texts[1][:N]), features="words:1")
    assert model.report["expected"]["n"] == 2 * N // 5


def test_of_very_many_examples_one_of_each_stretch_is_held_out(texts, monkeypatch):
    """301 examples are no multiple of 50, so that stretches differ in length."""
    monkeypatch.setattr(estimate, "_MOST_HELD", 50)
    model = linnet.train((texts[0][:301], texts[1][:301]), features="words:1")
    assert model.report["expected"]["n"] == 50


def test_whoever_does_not_wait_for_the_estimate_has_the_model(texts, monkeypatch):
    def stop(*arguments):
        raise KeyboardInterrupt

    rows, labels = texts[0][:300], texts[1][:300]
    whole = linnet.train((rows, labels), features="words:1")
    monkeypatch.setattr(estimate.Estimate, "_without_parts", stop)
    model = linnet.train((rows, labels), features="words:1")
    assert np.array_equal(model.weights[0], whole.weights[0])
    assert "expected" not in model.report
    assert model.report["stopped"] == "interrupted after learning, during the step 'estimate'"


def test_groups_are_held_out_as_a_whole(texts, tmp_path):
    """Each text stands there five times, in one thread: only if copies are held out together can the estimate be honest."""
    path = tmp_path / "threads.csv"
    lines = [f"{t},{y},{i}" for i, (t, y) in enumerate(zip(texts[0][:200], texts[1][:200], strict=True))] * 5
    path.write_text("text,label,thread\n" + "\n".join(lines) + "\n")
    assert linnet.train(path, features="words:1").report["expected"]["accuracy"] < 0.8
    path.write_text(path.read_text().replace("thread", "number", 1))
    assert linnet.train(path, features="words:1").report["expected"]["accuracy"] > 0.95


def test_errors_that_differ_in_cost():
    y, y_hat = np.array([0, 0, 1, 2]), np.array([0, 1, 1, 0])
    costs = np.abs(np.subtract.outer(np.arange(3), np.arange(3))).astype(float)
    found = expected(y, y_hat, ("1", "2", "3"), costs, "mean absolute error")
    # The errors are 1 and 2; always answering 1 or 2 costs (0 + 0 + 1 + 2) / 4 or (1 + 1 + 0 + 1) / 4.
    assert (found.cost, found.always_cost, found.cost_name) == (0.75, 0.75, "mean absolute error")


def test_scores_that_say_nothing_make_nobody_sure():
    rng = np.random.default_rng(0)
    theta, y = rng.normal(size=(4000, 2)), rng.integers(2, size=4000)
    assert np.abs(fit_sureness(theta, y)(theta) - 0.5).mean() < 0.03
    assert fit_scale(theta[:, 0], y == 1) == pytest.approx(0, abs=0.05)


def drawn(p, rng):
    return (p.cumsum(axis=1) < rng.random((len(p), 1))).sum(axis=1)


def test_scores_that_are_logarithms_of_probabilities_are_known_as_such():
    rng = np.random.default_rng(1)
    theta = rng.normal(size=(20000, 3)) * 2
    p = np.exp(theta) / np.exp(theta).sum(axis=1, keepdims=True)
    found = fit_sureness(theta, drawn(p, rng))
    assert found.b == -20
    assert np.abs(found(theta) - p).max() < 0.02


def test_machines_that_know_each_label_by_itself():
    rng = np.random.default_rng(2)
    theta = rng.normal(size=(20000, 5))
    yes = 1 / (1 + np.exp(-(3 * theta + 1)))
    p = yes / yes.sum(axis=1, keepdims=True)
    found = fit_sureness(theta, drawn(p, rng))
    assert (found.a, found.b) == (pytest.approx(3, abs=0.2), 1)
    assert found.each(theta) == pytest.approx(yes, abs=0.05)
    assert found(theta).argmax(axis=1).tolist() == theta.argmax(axis=1).tolist()


def test_many_labels_are_known_by_enough_examples():
    rng = np.random.default_rng(2)
    theta = rng.normal(size=(1000, 2000))
    yes = 1 / (1 + np.exp(-(3 * theta - 2)))
    p = yes / yes.sum(axis=1, keepdims=True)
    y = drawn(p, rng)
    at = np.arange(len(y)), y
    assert np.mean(np.log(p[at]) - np.log(fit_sureness(theta, y)(theta)[at])) < 0.01


@pytest.mark.parametrize("n_labels", [2, 3, 6])
def test_how_sure_sets_are_is_told_from_all_labels(monkeypatch, n_labels):
    monkeypatch.setattr(thresholds, "_ENOUGH", 4000)
    rng = np.random.default_rng(5)
    theta = rng.normal(size=(4000, n_labels)) * 2
    odds = np.where(np.arange(n_labels) == 0, 0, theta)  # The score of the first label says nothing.
    has = rng.random(theta.shape) < 1 / (1 + np.exp(-odds))
    sets = [np.flatnonzero(row) for row in has]
    y_at = np.cumsum([0, *(1 + len(some) for some in sets)])
    y = np.concatenate([part for some in sets for part in ([len(some)], some)]).astype(np.int32)
    found = judged_sets(theta.astype(np.float32), y, y_at)["sureness"]["a"]
    assert found == pytest.approx(fit_scale(theta.ravel(), has.ravel()), rel=0.1)


def test_the_scale_of_log_odds_is_1():
    rng = np.random.default_rng(3)
    theta = rng.normal(size=20000) * 2
    assert fit_scale(theta, rng.random(20000) < 1 / (1 + np.exp(-theta))) == pytest.approx(1, abs=0.04)
