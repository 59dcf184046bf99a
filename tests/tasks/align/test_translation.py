"""Translations of words from pairs of sentences."""

import bitext
import numpy as np
import pytest

from linnet.io.pairs.pairs import pairs_of
from linnet.tasks.align.translation import Grid, Translations, learn_translations

MODELS = ("dice", "model1", "model2", "hmm")


def text(n, seed=0):
    return pairs_of([(source, target) for source, target, _ in bitext.pairs(n, seed)], None)


def test_dice_counts_sentences():
    pairs = pairs_of([(["a", "a", "b"], ["x"]), (["a"], ["x", "y"]), (["B"], ["y"])], None)
    found = learn_translations(pairs, 0, ["dice"])
    score = found.score("dice", Grid(pairs_of([(["a", "b", "c"], ["x", "y"])], None))).reshape(3, 2)
    # a: 2 sentences, b: 2, x: 2, y: 2; together a x 2, a y 1, b x 1, b y 1; c is not known
    np.testing.assert_allclose(score, [[1, 0.5], [0.5, 0.5], [0, 0]])


def test_one_word_has_one_translation():
    """Model 1 of two pairs, a ||| x and a b ||| x y: EM finds that a is x, so that b is y."""
    pairs = pairs_of([(["a"], ["x"]), (["a", "b"], ["x", "y"])], None)
    found = learn_translations(pairs, 0, ["model1"])
    forward, _ = found.models["model1"]
    t = {found.source.words[k // 2] + found.target.words[k % 2]: v for k, v in zip(found.keys, forward.t, strict=True)}
    assert t["ax"] > 0.8
    assert t["by"] > 0.6


def test_an_iteration_of_model_1_by_hand(monkeypatch):
    # All t are 1/2, t of none 1/2: x of the first pair comes from a or from none, 1/2 each; x and y of the second from a, b,
    # none, 1/3 each. So a x: 1/2 + 1/3, a y: 1/3, t(x | a) = 5/7; b: 1/3 each, t = 1/2; none x: 1/2 + 1/3, y: 1/3.
    monkeypatch.setattr("linnet.tasks.align.translation._ITERATIONS", 1)
    pairs = pairs_of([(["a"], ["x"]), (["a", "b"], ["x", "y"])], None)
    forward, _ = learn_translations(pairs, 0, ["model1"]).models["model1"]
    np.testing.assert_allclose(forward.t, [5 / 7, 2 / 7, 1 / 2, 1 / 2], rtol=1e-6)
    np.testing.assert_allclose(forward.t_none, [5 / 7, 2 / 7], rtol=1e-6)


@pytest.mark.parametrize("model", MODELS)
def test_each_model_knows_the_words_in_the_end(model):
    found = learn_translations(text(200), 0, [model])
    words = list((bitext.NOUNS | bitext.VERBS).items())
    for source, target in words:
        pair = pairs_of([([source], [target, "rouge"])], None)
        score = found.score(model, Grid(pair))
        assert score[0] > 2 * score[1], (source, target)


def test_words_that_look_alike_are_believed_at_first():
    # Every word is seen once, so that only their looks tell.
    pairs = pairs_of([(["nation", "power"], ["pouvoir", "nations"])], None)
    score = learn_translations(pairs, 0, ["hmm"]).score("hmm", Grid(pairs)).reshape(2, 2)
    assert score[0, 1] > 0.5 > score[0, 0]


def test_first_letters_stand_for_words():
    pairs = pairs_of([(["walks"], ["marche"]), (["walking", "x"], ["marcher", "y"])], None)
    found = learn_translations(pairs, 4, ["model1"])
    assert found.source.words[0] == "walk"
    assert found.score("model1", Grid(pairs_of([(["walked"], ["marchait"])], None)))[0] > 0.4


def test_what_is_kept_is_the_same():
    found = learn_translations(text(40), 0, list(MODELS))
    again = Translations.from_arrays(found.header(), found.arrays())
    other = Grid(text(5, seed=1))
    for model in MODELS:
        np.testing.assert_allclose(again.score(model, other), found.score(model, other), rtol=1e-5, atol=1e-6)


def test_unlikely_pairs_of_words_are_not_kept():
    pairs = text(200)
    assert len(learn_translations(pairs, 0, ["hmm"]).keys) < 0.7 * len(learn_translations(pairs, 0, ["dice"]).keys)


def test_an_hmm_learns_from_a_pair_that_is_very_long():
    pairs = pairs_of([(["a", "b"], ["x", "y"] * 300)], None)
    for one in learn_translations(pairs, 0, ["hmm"]).models["hmm"]:
        assert np.isfinite(one.t).all()
        assert np.isfinite(one.c).all()
        assert one.t.max() > 0.3
