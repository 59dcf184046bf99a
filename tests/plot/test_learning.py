import re

import numpy as np
import pytest

import linnet
import linnet.plot
from linnet.errors import UsageError

RNG = np.random.default_rng(0)
TEXTS = [" ".join(f"w{k}" for k in RNG.integers(12, size=5)) for _ in range(160)]
LABELS = [("+" if "w1" in text else "-") if RNG.random() < 0.8 else "+" for text in TEXTS]
"""Texts with labels that are partly a matter of chance, so that no learner ever stops by itself."""


@pytest.fixture(scope="module")
def model():
    how = {"learner": "averaged-perceptron", "features": "words:1", "epochs": 5, "tol": 1e-12, "estimate": False}
    return linnet.train(TEXTS, LABELS, **how)


def panel(picture, title):
    return next(one for one in picture.panels if one.title == title)


def values_of(places, low, high, log=False):
    """Values read back from places in a panel, whose box goes from 30 to 140."""
    share = (140 - places[:, 1]) / 110
    return low * (high / low) ** share if log else low + share * (high - low)


def test_curves_are_the_history_of_the_model(model, lines_of):
    picture = linnet.plot.learning(model)
    epochs = model.report["epochs"]
    for title, key in (("mistakes", "mistakes"), ("mean loss", "loss")):
        (line,) = lines_of(panel(picture, title), "one")
        expected = [epoch[key] for epoch in epochs]
        assert values_of(line, 0, 1.06 * max(expected)) == pytest.approx(expected, abs=0.002 * max(expected))
        assert 44 + (238 - 44) * np.arange(5) / 4 == pytest.approx(line[:, 0], abs=0.06)
    (line,) = lines_of(panel(picture, "change of the weights"), "one")
    moved = [epoch["moved"] for epoch in epochs]
    assert values_of(line, min(moved) / 1.3, max(moved) * 1.3, log=True) == pytest.approx(moved, rel=0.01)
    assert [one.title for one in picture.panels] == ["mistakes", "mean loss", "change of the weights"]
    assert "Learned by averaged-perceptron." in picture.notes[0]


def test_what_was_held_out_in_a_trial_is_shown_with_its_best_epoch(lines_of):
    model = linnet.train(TEXTS, LABELS, learner="perceptron", features="words:1", dev=0.25, patience=2, estimate=False)
    trial = model.report["trial"]
    shown = panel(linnet.plot.learning(model), "accuracy on held-out data")
    (line,) = lines_of(shown, "two")
    assert len(line) == len(trial["epochs"])
    (ring,) = re.findall(r'<circle class="best" cx="([\d.]+)" cy="([\d.]+)"', "".join(shown.parts))
    assert tuple(map(float, ring)) == tuple(line[trial["best"] - 1])
    assert f">{100 * trial['epochs'][trial['best'] - 1]['dev']:.3g}%<" in "".join(shown.parts)
    assert len(lines_of(panel(linnet.plot.learning(model), "mean loss"), "two")) == 1


def test_a_machine_has_its_distance_to_the_optimum_and_its_support_vectors(lines_of):
    model = linnet.train(TEXTS, LABELS, learner="svm", features="words:1", estimate=False)
    picture = linnet.plot.learning(model)
    (line,) = lines_of(panel(picture, "distance to the optimum"), "one")
    gaps = [epoch["gap"] for epoch in model.report["epochs"] if epoch["gap"] > 0]
    assert values_of(line, min(gaps) / 1.3, max(gaps) * 1.3, log=True) == pytest.approx(gaps, rel=0.05)
    assert f">{model.report['epochs'][-1]['support']}<" in "".join(panel(picture, "support vectors").parts)


def test_each_run_has_its_line(lines_of):
    how = {"learner": "perceptron", "features": "words:1", "epochs": 3, "options": {"runs": 2}, "estimate": False}
    picture = linnet.plot.learning(linnet.train(TEXTS, LABELS, tol=0, **how))
    assert [len(line) for line in lines_of(panel(picture, "mean loss"), "one")] == [3, 3]
    model = linnet.train(TEXTS, LABELS, tol=0, dev=(TEXTS, LABELS), **how)
    first, second = lines_of(shown := panel(linnet.plot.learning(model), "accuracy on held-out data"), "one")
    (ring,) = re.findall(r'<circle class="best" cx="([\d.]+)" cy="([\d.]+)"', "".join(shown.parts))
    assert tuple(map(float, ring)) == tuple(second[model.report["best"] - 1 - len(first)])


def test_a_model_of_one_pass_has_no_course():
    model = linnet.train(TEXTS, LABELS, learner="naive-bayes", features="words:1")
    with pytest.raises(UsageError, match="learned by 'naive-bayes' in one pass, so there is no course to draw"):
        linnet.plot.learning(model)


def test_a_file_does_as_well(model, tmp_path):
    model.save(tmp_path / "my.linnet")
    assert linnet.plot.learning(tmp_path / "my.linnet").as_svg() == linnet.plot.learning(model).as_svg()
