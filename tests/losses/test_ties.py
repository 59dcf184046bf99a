"""A tie of the right output with another one is a mistake of the perceptron."""

import numpy as np
import pytest

import linnet
from linnet.core.blocks import Block
from linnet.core.loops.online import Online
from linnet.learners import LEARNERS, Examples, Learning
from linnet.losses.perceptron import Perceptron
from linnet.steps.constant import Constant
from linnet.structures.alignment import OneToMany
from linnet.structures.itg import Itg
from linnet.structures.labels import Labels
from linnet.structures.matching import Matching
from linnet.structures.monotone import Monotone

TEXTS = ["good film", "bad film", "good fine", "bad poor"]
GOLD = ["pos", "neg", "pos", "neg"]


@pytest.mark.parametrize("learner", ["perceptron", "averaged-perceptron", "voted-perceptron", "kernel-perceptron"])
@pytest.mark.parametrize("seed", range(40))
def test_four_documents_are_separated_whatever_their_order(learner, seed):
    """Eisenstein, eq. 4: w.f(x, y_i) > w.f(x, y) for all other y. If a tie counted as right, 14 of these orders would end with
    a margin of 0."""
    model = linnet.train((TEXTS, GOLD), learner=learner, features="words:1", seed=seed, epochs=50)
    assert model.report["epochs"][-1]["mistakes"] == 0
    assert model.report["stopped"] == "the last epoch made no mistake"
    if learner == "perceptron":
        assert model.report["theory"]["margin"] > 0.1
    assert model.predict(TEXTS) == GOLD


@pytest.mark.parametrize("label", [0, 1, 2])
def test_at_0_all_labels_tie_so_every_label_is_learned(learner_of, teach, label):
    online = learner_of(np.zeros((2, 3)), Perceptron(), Constant())
    teach(online, [[1]], [label])
    assert (online.mistakes, online.updates, online.total) == (1, 1, 0)


@pytest.mark.parametrize("scale", [1, 1000, 1e6, 1e-6])
def test_a_tie_is_found_at_any_scale_and_what_is_ahead_stays_right(learner_of, teach, scale):
    # x = 1, theta = (2, 2, 1) and (2 + 1/1000, 2, 1), times the scale.
    for ahead, mistakes in ((0, 1), (0.001, 0)):
        online = learner_of(np.array([[1, 1, 0], [1 + ahead, 1, 1]]) * scale, Perceptron(), Constant())
        before = online.last()[0][:, :3]
        w = teach(online, [[1]], [0])
        assert (online.mistakes, online.updates) == (mistakes, mistakes)
        np.testing.assert_allclose(w - before, mistakes * np.array([[1, -1, 0], [1, -1, 0]]), atol=scale * 1e-6)


def test_the_rival_is_the_best_output_and_the_loss_is_what_it_is_ahead_by(learner_of, teach):
    # theta = (1, 4, 3): label 1 is ahead of label 0 by 3, and pays for it.
    online = learner_of([[1, 4, 3], [0, 0, 0]], Perceptron(), Constant())
    assert teach(online, [[2]], [0]).tolist() == [[2, 3, 3], [2, -2, 0]]
    assert online.total == 3


def test_predictions_keep_the_first_of_equals():
    model = linnet.train((TEXTS, GOLD), learner="perceptron", features="words:1")
    assert model.predict(["unheard of"]) == model.predict(["never seen"])


def test_a_run_that_moves_by_little_goes_on_until_it_makes_no_mistake(block_of):
    # One example is 100 times as long as the other: when the short one is wrong, its step is less than tol of ||w||.
    X = np.array([[100, 0], [-0.5, 1]])
    examples = Examples((block_of(X),), np.array([1, 1], np.int32), np.arange(3))
    fit = Learning(LEARNERS["perceptron"], {}, Labels(2), (2,)).run(examples, epochs=500, tol=0.1)
    assert fit.stopped == "the last epoch made no mistake"
    assert any(epoch.moved < 0.1 and epoch.updates for epoch in fit.history)
    assert fit.history[-1].mistakes == 0


def test_what_was_not_separated_is_not_said_to_be_done(block_of):
    # The same x with two labels.
    examples = Examples((block_of([[1], [1]]),), np.array([0, 1], np.int32), np.arange(3))
    fit = Learning(LEARNERS["perceptron"], {}, Labels(2), (1,)).run(examples, epochs=6, measure=True)
    assert fit.stopped == "all 6 epochs are done"
    assert all(epoch.mistakes for epoch in fit.history)


@pytest.mark.parametrize("structure", [Matching, OneToMany, Monotone, Itg])
@pytest.mark.parametrize("scale", [1, 1000])
def test_a_right_output_that_uses_no_outcome_ties_too(structure, scale):
    # One token and its translation, which have no link: the link scores as much as none, or a little less.
    place = Block(np.zeros(2, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32))
    for link, mistakes in ((3, 1), (2.999, 0)):
        online = Online(structure(), Perceptron(), Constant(), (0, 0))
        online.restore({"v0": np.full((1, 1), link * scale, "f4"), "v1": np.full((1, 1), 3 * scale, "f4")}, {})
        online.begin()
        online.run((place, place), np.zeros(1, np.int32), np.arange(2), np.zeros(1, np.int64))
        assert (online.mistakes, online.updates) == (mistakes, mistakes)


def test_nothing_is_a_mistake_where_there_is_one_output(block_of):
    online = Online(Labels(1), Perceptron(), Constant(), (1,))
    online.begin()
    online.run((block_of([[1]]),), np.zeros(1, np.int32), np.arange(2), np.zeros(1, np.int64))
    assert (online.mistakes, online.updates) == (0, 0)
