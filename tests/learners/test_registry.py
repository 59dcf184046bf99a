"""What every learner in the registry must do, without being told which it is."""

import numpy as np
import pytest

import linnet
from linnet.learners import LEARNERS

TEXTS = [
    "a good film",
    "a fine and lovely film",
    "good fun",
    "lovely",
    "a bad film",
    "a poor and dull film",
    "bad fun",
    "dull",
    "an odd film",
    "odd and strange",
    "strange fun",
    "a strange film",
]
FEW = {"neighbours": {"k": 1}}
"""Options for so few texts."""
GOLD = ["+"] * 4 + ["-"] * 4 + ["?"] * 4


def same(first, second):
    """Whether two models hold the same bits."""
    return [w.tobytes() for w in first.weights] == [w.tobytes() for w in second.weights]


@pytest.mark.parametrize("name", LEARNERS)
def test_separable_texts_are_learned_without_a_mistake(name):
    model = linnet.train((TEXTS, GOLD), learner=name, features="words:1", options=FEW.get(name))
    assert model.predict(TEXTS) == GOLD


@pytest.mark.parametrize("name", LEARNERS)
def test_two_labels_too(name):
    model = linnet.train((TEXTS[:8], GOLD[:8]), learner=name, features="words:1", options=FEW.get(name))
    assert model.predict(TEXTS[:8]) == GOLD[:8]


@pytest.mark.parametrize("name", LEARNERS)
def test_the_same_seed_gives_the_same_weights(name):
    first, second = (linnet.train((TEXTS, GOLD), learner=name, features="words:1-2 bm25", seed=3) for _ in range(2))
    assert same(first, second)


@pytest.mark.parametrize("name", [name for name in LEARNERS if not LEARNERS[name].one_pass and name != "boosting"])
def test_another_seed_gives_other_weights(name):
    first, second = (
        linnet.train((TEXTS, GOLD), learner=name, features="words:1", epochs=2, seed=seed) for seed in (0, 1)
    )
    assert not same(first, second)


@pytest.mark.parametrize("name", LEARNERS)
def test_predictions_survive_a_file(name, tmp_path):
    model = linnet.train((TEXTS, GOLD), learner=name, features="words:1-2 bm25")
    model.save(tmp_path / "m.linnet")
    again = linnet.load(tmp_path / "m.linnet")
    texts = [*TEXTS, "never seen", "", "good bad odd"]
    assert np.array_equal(again.scores(texts), model.scores(texts))
    assert again.predict(texts) == model.predict(texts)
    assert (again.labels, again.learner, dict(again.options)) == (model.labels, model.learner, dict(model.options))


@pytest.mark.parametrize("name", LEARNERS)
def test_probabilities_where_they_are_meant(name):
    model = linnet.train((TEXTS, GOLD), learner=name, features="words:1")
    if LEARNERS[name].probabilistic:
        p = model.predict_proba(TEXTS)
        assert p.sum(axis=1) == pytest.approx(np.ones(len(TEXTS)), abs=1e-6)
        theta = model.scores(TEXTS).astype(float)
        assert p == pytest.approx(np.exp(theta) / np.exp(theta).sum(axis=1, keepdims=True), abs=1e-5)
    else:
        with pytest.raises(linnet.UsageError) as caught:
            model.predict_proba(TEXTS)
        assert str(caught.value) == (
            f"the scores of learner {name!r} are not probabilities, and no examples were held out to tell how sure they are. "
            "Train with 'logistic' or 'naive-bayes'."
        )


@pytest.mark.parametrize("name", LEARNERS)
def test_a_label_with_one_example_and_a_text_without_words(name):
    model = linnet.train(([*TEXTS, "unique", ""], [*GOLD, "!", "+"]), learner=name, features="words:1")
    assert model.labels == ("!", "+", "-", "?")
    assert np.isfinite(model.scores(["unique", ""])).all()


def test_a_learner_is_found_under_the_name_that_it_has_itself():
    assert {name: LEARNERS[name].name for name in LEARNERS} == {name: name for name in LEARNERS}
