"""The hidden Markov model: naive Bayes over tags, by hand."""

from math import log

import numpy as np
import pytest

import linnet
from linnet.learners import LEARNERS, learner

# Tokens: D 1, N 2, V 1 of 4. Pairs: D N, N V. Words: the|D, dog|N twice, barks|V.
SENTENCES = "the D\ndog N\n\ndog N\nbarks V\n"


@pytest.fixture
def hmm(tmp_path):
    (tmp_path / "a.conll").write_text(SENTENCES)

    def train(alpha=1.0):
        return linnet.train(tmp_path / "a.conll", learner="hmm", features="w", options={"alpha": alpha})

    return train


def test_the_alias_is_naive_bayes():
    assert learner("hmm") is LEARNERS["naive-bayes"]


def test_weights_by_hand(hmm):
    model = hmm()
    D, N, V = (model.labels.index(tag) for tag in "DNV")
    emit, trans = model.weights
    word = {name: 1 + j for j, name in enumerate(model.features.names())}
    dog = word[next(name for name in word if "dog" in name)]
    the = word[next(name for name in word if "the" in name)]
    assert emit[0, [D, N, V]] == pytest.approx([log(1 / 4), log(1 / 2), log(1 / 4)])
    # Three words and alpha = 1: (2 + 1) / (2 + 3) of N, (0 + 1) / (1 + 3) of D and V.
    assert emit[dog, [D, N, V]] == pytest.approx([log(1 / 4), log(3 / 5), log(1 / 4)])
    assert emit[the, [D, N, V]] == pytest.approx([log(2 / 4), log(1 / 5), log(1 / 4)])
    # P(N | D) = (1 + 1) / (1 + 3) = 1/2 and P(N) = 1/2; P(V | N) = 1/2 and P(V) = 1/4; nothing was seen after V: 1/3.
    trans = trans[0, :9].reshape(3, 3)
    assert trans[D, [D, N, V]] == pytest.approx(
        [log((1 / 4) / (1 / 4)), log((1 / 2) / (1 / 2)), log((1 / 4) / (1 / 4))], abs=1e-6
    )
    assert trans[N, V] == pytest.approx(log((1 / 2) / (1 / 4)))
    assert trans[V, N] == pytest.approx(log((1 / 3) / (1 / 2)))


def test_a_sentence_scores_its_joint_probability(hmm):
    # ln P(D) P(the | D) P(N | D) P(dog | N) P(V | N) P(barks | V)
    model = hmm()
    D, N, V = (model.labels.index(tag) for tag in "DNV")
    emit, trans = (w.astype(float) for w in model.weights)
    row = {name.rpartition("=")[2]: 1 + j for j, name in enumerate(model.features.names())}
    score = sum(emit[0, k] + emit[row[w], k] for w, k in zip(["the", "dog", "barks"], [D, N, V], strict=True))
    score += trans[0, 3 * D + N] + trans[0, 3 * N + V]
    expected = log(1 / 4) + log(2 / 4) + log(1 / 2) + log(3 / 5) + log(1 / 2) + log(2 / 4)
    assert score == pytest.approx(expected, abs=1e-5)
    assert model.predict([["the", "dog", "barks"]]) == [["D", "N", "V"]]


def test_what_follows_decides_where_the_word_does_not(hmm):
    # After D comes N, whatever the word.
    assert hmm().predict([["the", "unknown"], ["dog", "unknown"]]) == [["D", "N"], ["N", "V"]]


def test_maximum_likelihood(hmm):
    model = hmm(alpha=0)
    assert model.predict([["the", "dog"], ["dog", "barks"]]) == [["D", "N"], ["N", "V"]]
    assert not any(np.isnan(w).any() for w in model.weights)
