"""Scores made into probabilities by --set calibrate=sigmoid."""

import numpy as np
import pytest
from scipy.special import softmax

import linnet
from linnet.errors import UsageError
from linnet.evaluate.calibration import reliability


@pytest.fixture(scope="module")
def texts():
    """Texts of 12 words whose label follows two kinds of words with noise, so that no one can be sure."""
    rng = np.random.default_rng(0)
    good, bad = [f"good{i}" for i in range(40)], [f"bad{i}" for i in range(40)]
    rows, labels = [], []
    for _ in range(1200):
        q = rng.random()
        rows.append(" ".join(rng.choice(good if rng.random() < q else bad) for _ in range(12)))
        labels.append("pos" if rng.random() < q else "neg")
    return rows, labels


def trained(texts, **options):
    rows, labels = texts
    return linnet.train((rows[:800], labels[:800]), features="words:1", **options)


def test_margins_become_probabilities_that_mean_what_they_say(texts):
    rows, labels = texts
    model = trained(texts, learner="perceptron", calibrate="sigmoid")
    assert model.probabilistic
    p = model.predict_proba(rows[800:])
    assert p.sum(axis=1) == pytest.approx(np.ones(400), abs=1e-5)
    names = np.array(model.labels)[p.argmax(axis=1)]
    assert names.tolist() == model.predict(rows[800:])
    assert reliability(p.max(axis=1), names == np.array(labels[800:])).ece < 0.08
    raw = trained(texts, learner="perceptron")
    margins = raw.scores(rows[800:])
    sure = softmax(margins.astype(float), axis=1)
    loss = [
        -np.log(table[np.arange(400), [raw.labels.index(label) for label in labels[800:]]]).mean()
        for table in (p, sure)
    ]
    assert loss[0] < 0.7 < 2 < loss[1]


def test_the_weights_are_stretched_and_the_bias_is_shifted(texts):
    raw, model = (trained(texts, learner="perceptron", epochs=2, calibrate=how) for how in (None, "sigmoid"))
    a, b = model.report["calibrated"]["a"], model.report["calibrated"]["b"]
    assert model.report["calibrated"]["folds"] == 5
    assert 0 < a < 1
    assert model.weights[0][1:] == pytest.approx(a * raw.weights[0][1:], rel=1e-5)
    assert model.weights[0][0] == pytest.approx(a * raw.weights[0][0] + b, rel=1e-4)
    assert sum(b) == pytest.approx(0, abs=1e-9)


def test_a_calibrated_model_is_kept_and_evaluated(texts, tmp_path):
    model = trained(texts, learner="pa", calibrate="sigmoid")
    model.save(tmp_path / "m.linnet")
    loaded = linnet.load(tmp_path / "m.linnet")
    assert np.array_equal(loaded.predict_proba(texts[0][800:]), model.predict_proba(texts[0][800:]))
    assert model.evaluate(texts[0][800:], texts[1][800:]).log_loss < np.log(2)


def test_what_cannot_be(texts, tmp_path):
    with pytest.raises(UsageError, match="^expected calibrate=sigmoid, found 'isotonic'."):
        trained(texts, calibrate="isotonic")
    (tmp_path / "t.conll").write_text("the D\nfilm N\n\n" * 10)
    with pytest.raises(
        UsageError, match="not for structure 'chain'. Leave it out; the learner 'crf' has probabilities"
    ):
        linnet.train(tmp_path / "t.conll", learner="mira", features="w", calibrate="sigmoid")
