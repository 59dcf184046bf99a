import numpy as np
import pytest

import linnet.plot
from linnet.errors import DataError, UsageError
from linnet.fitting.contract import Plan
from linnet.fitting.trials import Trial, attempt, make_ready
from linnet.plot.sizes import _measured, _part, _parted, _sizes, _vote
from linnet.tasks import named

WORDS = [f"w{i}" for i in range(60)]


@pytest.fixture(scope="module")
def data():
    """Texts whose label is a matter of many words, with some noise."""
    rng = np.random.default_rng(0)
    texts, labels = [], []
    for i in range(160):
        sign = i % 2
        p = np.where(np.arange(60) % 2 == sign, 2.0, 1.0)
        texts.append(" ".join(rng.choice(WORDS, 8, p=p / p.sum())))
        labels.append("+" if sign else "-")
    return texts, labels


@pytest.fixture(scope="module")
def gold(data):
    return named("labels").read(data, {}, None)


def test_sizes_double_up_to_all_that_is_not_held_out():
    assert _sizes(120) == (30, 60, 120)
    assert _sizes(15) == ()
    assert _sizes(4000) == (62, 125, 250, 500, 1000, 2000, 4000)


def test_errors_are_those_of_models_of_each_part(gold):
    task = named("labels")
    plan = Plan("words:1", "averaged-perceptron", {})
    (found,) = _measured(task, gold, [plan], 3, 0, lambda share, what: None)
    rest, out = _parted(gold, 0)
    assert len(rest) + len(out) == 160
    assert not set(rest) & set(out)
    assert found.sizes == _sizes(len(rest))
    for row, size in enumerate(found.sizes):
        trials = []
        for seed in range(3):
            part = _part(rest, size, seed)
            assert set(part) <= set(rest)
            ready = make_ready(task, "words:1", gold.part(part), gold.part(out))
            trials.append(attempt(ready, plan, seed=seed, believes=False))
            assert found.held[row, seed] == pytest.approx(1 - trials[-1].counts.score)
            assert found.train[row, seed] == pytest.approx(1 - trials[-1].train)
        if size < len(rest):
            votes = np.stack([trial.y_hat for trial in trials])
            majority = (votes.sum(axis=0) >= 2).astype(int)
            assert found.bias[row] == pytest.approx(np.mean(majority != gold.part(out).y))
    assert len(found.bias) == len(found.sizes) - 1


def trial(y_hat, at):
    values = dict.fromkeys(Trial.__dataclass_fields__)
    return Trial(**values | {"y_hat": np.array(y_hat, np.int32), "y_hat_at": np.array(at)})


def test_most_outputs_win_and_of_equals_the_first():
    voters = [trial([0, 1, 2], [0, 1, 3]), trial([0, 2, 1], [0, 1, 3]), trial([1, 2, 0], [0, 1, 3])]
    assert _vote(voters).tolist() == [0, 2, 2]
    assert _vote([trial([0, 1], [0, 1, 2]), trial([0, 1], [0, 2, 2])]) is None


def test_the_picture_has_the_means_and_the_area_between(data, lines_of, gold):
    plan = Plan("words:1", "perceptron", {})
    (found,) = _measured(named("labels"), gold, [plan], 3, 0, lambda share, what: None)
    picture = linnet.plot.sizes(*data, learners="perceptron", features="words:1", seeds=3)
    (panel,) = picture.panels
    most = 1.06 * max(found.held.max(), found.train.max())
    for kind, expected in (("one", found.held.mean(axis=1)), ("two", found.train.mean(axis=1)), ("bias", found.bias)):
        (line,) = lines_of(panel, kind)
        assert most * (196 - line[:, 1]) / (196 - 30) == pytest.approx(expected, abs=0.001)
    assert len(lines_of(panel, "seed")) == len(lines_of(panel, "own")) == 3
    assert "".join(panel.parts).count('class="variance"') == 1
    assert "3 models" in picture.notes[0]


def test_every_learner_has_a_panel_and_progress_is_told(data):
    told = []
    picture = linnet.plot.sizes(
        *data, learners=["naive-bayes", "naive-bayes"], seeds=2, progress=lambda share, what: told.append((share, what))
    )
    assert [panel.title for panel in picture.panels] == ["naive-bayes"]
    assert told[-1] == (1.0, "120 examples")
    picture = linnet.plot.sizes(*data, learners=["naive-bayes", "mira"], options={"C": 0.1}, seeds=2)
    assert [panel.title for panel in picture.panels] == ["naive-bayes", "mira"]


def test_too_little_to_tell():
    with pytest.raises(DataError, match="expected at least 86 examples, of which some are held out, found 4"):
        linnet.plot.sizes(["a", "b", "a", "b"], ["x", "y", "x", "y"])
    with pytest.raises(UsageError, match="expected at least two seeds"):
        linnet.plot.sizes(["a", "b"], ["x", "y"], seeds=1)


def test_tags_vote_token_by_token(tmp_path):
    path = tmp_path / "tags.conll"
    path.write_text("".join(f"the DT\n{w} {t}\n\n" for w, t in [("dog", "NN"), ("runs", "VB")] * 50))
    picture = linnet.plot.sizes(path, learners="averaged-perceptron", seeds=2)
    assert 'class="bias"' in picture.as_svg()
