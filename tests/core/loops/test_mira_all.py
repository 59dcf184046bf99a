"""MIRA with a margin over all labels: the hinge loss after a step, that the step is the nearest, and what it refuses."""

import numpy as np
import pytest
from test_mira_kbest import optimal_move

from linnet.core.loops.mira_all import AllMargins
from linnet.errors import UsageError
from linnet.learners import LEARNERS, Examples, Learning
from linnet.losses.each import Each
from linnet.losses.hinge import Hinge
from linnet.losses.phi import Hinge as HingeOfOne
from linnet.steps.passive_aggressive import PassiveAggressive
from linnet.structures.chain import Chain
from linnet.structures.labels import Labels
from linnet.structures.labelset import Labelset


def all_margins(n_labels, n_features, C=np.inf, **options):
    return AllMargins(Labels(n_labels), Hinge(), PassiveAggressive(C), (n_features,), C=C, **options)


def hinges_after(make, X, y, n_labels, block_of):
    """The hinge loss of each example just after it was learned from, one after the other."""
    online = make()
    for x, label in zip(X, y, strict=True):
        online.run((block_of([x]),), np.array([label], np.int32), np.array([0, 1]), np.array([0]))
        theta = np.array([1, *x]) @ online.last()[0][:, :n_labels]
        yield np.max(theta + (np.arange(n_labels) != label)) - theta[label]


def stream(n_labels, n=60, n_features=6):
    rng = np.random.default_rng(n_labels)
    return rng.normal(size=(n, n_features)), rng.integers(0, n_labels, n)


@pytest.mark.parametrize("n_labels", [2, 3, 5, 20])
def test_without_a_bound_the_hinge_loss_after_a_step_is_0(block_of, n_labels):
    X, y = stream(n_labels)
    left = list(hinges_after(lambda: all_margins(n_labels, 6), X, y, n_labels, block_of))
    assert max(left) < 1e-5


@pytest.mark.parametrize("n_labels", [3, 5, 20])
def test_a_step_over_the_best_output_alone_leaves_other_margins_open(block_of, n_labels):
    """The margin over y_hat is closed; that over a third label need not be. With two labels there is no third one."""

    def pa(n):
        return lambda: Learning(LEARNERS["pa"], {}, Labels(n), (6,)).online

    X, y = stream(n_labels)
    assert max(hinges_after(pa(n_labels), X, y, n_labels, block_of)) > 0.2
    assert max(hinges_after(pa(2), X, y % 2, 2, block_of)) < 1e-5


def test_three_labels_by_hand(block_of):
    # f = (1, 1), ||f||^2 = 2, from w = 0 the hinge loss is 1.
    # PA: y_hat is label 0, tau = 1 / 4; theta = (-1/2, 0, 1/2): the third label is ahead of label 1 by 1/2.
    # All margins: label 2 goes up by 2 a and the others down by a each, with 3 a = 1.
    pa = Learning(LEARNERS["pa"], {}, Labels(3), (1,)).online
    exact = Learning(LEARNERS["pa"], {"k": "all"}, Labels(3), (1,)).online
    for online, expected in ((pa, [-0.5, 0, 0.5]), (exact, [-1 / 3, -1 / 3, 2 / 3])):
        online.run((block_of([[1]]),), np.array([2], np.int32), np.array([0, 1]), np.array([0]))
        assert np.array([1, 1]) @ online.last()[0][:, :3] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("C", [0.02, 0.2, np.inf])
@pytest.mark.parametrize("n_labels", [3, 5])
def test_each_step_is_the_nearest_with_all_margins(block_of, n_labels, C):
    X, y = stream(n_labels, n=20, n_features=3)
    online = all_margins(n_labels, 3, C)
    W = np.zeros((4, n_labels))
    for x, label in zip(X, y, strict=True):
        f = np.concatenate([[1], x])
        augmented = f @ W + (np.arange(n_labels) != label)
        G = np.array([np.outer(f, np.eye(n_labels)[z] - np.eye(n_labels)[label]).ravel() for z in range(n_labels)])
        W = W - optimal_move(augmented - augmented[label], G, C).reshape(W.shape)
        online.run((block_of([x]),), np.array([label], np.int32), np.array([0, 1]), np.array([0]))
        found = online.last()[0][:, :n_labels]
        np.testing.assert_allclose(found, W, rtol=1e-4, atol=1e-5)
        W = found.astype(float)


def test_of_a_set_each_label_gets_its_margin(block_of):
    # The labels 0 and 2 of four. One question for each label: theta_k >= 1 where it is in the set, <= -1 where it is not.
    online = AllMargins(Labelset(4), Each(HingeOfOne()), PassiveAggressive(np.inf), (1,), C=np.inf)
    for x, y in (([3], [1, 3]), ([1], [2, 0, 2])):
        online.run((block_of([x]),), np.array(y, np.int32), np.array([0, len(y)]), np.array([0]))
    theta = np.array([1, 1]) @ online.last()[0][:, :4]
    assert np.all(theta * [1, -1, 1, -1] >= 1 - 1e-6)
    assert theta[:3] == pytest.approx([1, -1, 1])


def test_a_weight_below_1_shortens_the_step_and_one_above_multiplies_C(block_of):
    # x = 0, two labels: the margin is closed by tau = 1/2. With C = 1/8 the step is as long as C, times the weight.
    blocks, at, y = (block_of([[0]]),), np.array([0, 1]), np.array([1], np.int32)
    for C, weight, tau in (
        (np.inf, 2, 0.5),
        (np.inf, 0.5, 0.25),
        (0.125, 2, 0.25),
        (0.125, 0.5, 0.0625),
        (np.inf, 0, 0),
    ):
        online = all_margins(2, 1, C)
        online.run(blocks, y, at, np.arange(1), np.array([weight], np.float32))
        assert online.last()[0][0, :2] == pytest.approx([-tau, tau])
        assert (online.total, online.updates, online.t) == (weight, 1, 1)


def test_the_average_is_kept(block_of):
    online = all_margins(2, 1, averaged=True)
    online.run((block_of([[0], [0]]),), np.array([1, 0], np.int32), np.arange(3), np.arange(2))
    # tau is 1/2, then the other way: the hinge loss is 2, and tau = 1.
    assert online.last()[0][0, :2] == pytest.approx([0.5, -0.5])
    assert online.average()[0][0, :2] == pytest.approx([0, 0])


def test_mistakes_are_counted(block_of):
    rows, y = block_of(np.eye(4)), np.array([0, 1, 2, 1], np.int32)
    learning = Learning(LEARNERS["mira"], {"k": "all"}, Labels(3), (4,))
    fit = learning.run(Examples((rows,), y, np.arange(5)), epochs=20, tol=0)
    assert fit.history[0].mistakes > 0
    assert fit.history[-1].mistakes == 0


def test_structures_with_many_outputs_are_refused():
    with pytest.raises(UsageError) as caught:
        Learning(LEARNERS["pa"], {"k": "all"}, Chain(3), (4, 0))
    assert str(caught.value) == (
        "k=all needs outputs that are labels, which those of structure 'chain' are not. Use a number, such as k=5."
    )
