"""How far one update goes, by hand. Whole runs are compared with dense ones in core/test_online.py."""

import numpy as np
import pytest

from linnet.losses.hinge import Hinge
from linnet.losses.log import Log
from linnet.losses.perceptron import Perceptron
from linnet.steps import STEPS
from linnet.steps.adagrad import AdaGrad
from linnet.steps.confidence import Arow, Scw, Scw2
from linnet.steps.constant import Constant
from linnet.steps.passive_aggressive import PassiveAggressive, PassiveAggressive2
from linnet.steps.pegasos import Pegasos
from linnet.steps.sgd import SGD


def test_every_step_has_the_name_that_is_listed():
    steps = (AdaGrad(), Arow(), Constant(), PassiveAggressive(), PassiveAggressive2(), Pegasos(), Scw(), Scw2(), SGD())
    assert set(STEPS) == {step.name for step in steps}


def test_constant(learner_of, teach):
    assert teach(learner_of(np.zeros((2, 2)), Perceptron(), Constant(0.5)), [[2]], [1]).tolist() == [
        [-0.5, 0.5],
        [-1, 1],
    ]


def test_sgd_decays(learner_of, teach):
    # p = 1/2 at w = 0, so r = (1/2, -1/2); t = 1: eta / (1 + 1/4)^2 = 1.6.
    w = teach(learner_of(np.zeros((2, 2)), Log(), SGD(2.5, power=2, t0=4)), [[1]], [1])
    assert w == pytest.approx(np.array([[-0.8, 0.8], [-0.8, 0.8]]))


def test_sgd_capped_goes_no_farther_than_closes_the_loss(learner_of, teach):
    # At w = 0 the loss is ln 2 and r = (1/2, -1/2). x = 10: ||X^T r||^2 = 101/2, so tau = 2 ln 2 / 101 instead of 0.5.
    # x = 0: it is 1/2, and 2 ln 2 is above 0.5.
    for x, tau in ((10, 2 * np.log(2) / 101), (0, 0.5)):
        w = teach(learner_of(np.zeros((2, 2)), Log(), SGD(0.5, capped=True)), [[x]], [1])
        assert w == pytest.approx(np.array([[-0.5, 0.5], [-0.5 * x, 0.5 * x]]) * tau)


def test_sgd_shrinks_before_it_steps(learner_of, teach):
    # theta = 0 for x = 0 and a bias of 0, so r = (1/2, -1/2); the weight of the other feature only shrinks, by 1 - 0.1 2.
    w = teach(learner_of([[0, 0], [5, -5]], Log(), SGD(0.1, lam=2)), [[0]], [1])
    assert w == pytest.approx(np.array([[-0.05, 0.05], [4, -4]]))


def test_the_first_step_of_adagrad_has_the_length_eta_whatever_the_gradient(learner_of, teach):
    # g / sqrt(g^2) = 1 for the bias and for the feature of value 100.
    w = teach(learner_of(np.zeros((2, 2)), Log(), AdaGrad(0.25)), [[100]], [1])
    assert w == pytest.approx(np.array([[-0.25, 0.25], [-0.25, 0.25]]))


def test_adagrad_leaves_a_feature_that_was_not_there(learner_of, teach):
    assert teach(learner_of(np.zeros((3, 2)), Log(), AdaGrad(0.25)), [[1, 0]], [1])[2].tolist() == [0, 0]


def test_passive_aggressive_multiplies_a_step_of_C_by_the_weight_of_the_example(learner_of, teach):
    w = teach(learner_of(np.zeros((2, 2)), Hinge(), PassiveAggressive(0.1)), [[1]], [1], weight=[2])
    assert w == pytest.approx(np.array([[-0.2, 0.2], [-0.2, 0.2]]))


def test_passive_aggressive_goes_as_often_as_the_example_weighs_but_never_beyond_the_margin(learner_of, teach):
    # loss 1 over ||f - f'||^2 = 4 is a step of 1/4, below C, which closes the margin: a second one would find nothing to do.
    # Longer steps would overshoot, and weights of 3 would let w grow without end. A weight of 1/2 halves the step.
    for weight, tau in ((2, 0.25), (1000, 0.25), (0.5, 0.125), (0, 0)):
        w = teach(learner_of(np.zeros((2, 2)), Hinge(), PassiveAggressive(1)), [[1]], [1], weight=[weight])
        assert w == pytest.approx(np.array([[-tau, tau], [-tau, tau]]))


def test_passive_aggressive_counts_the_bias_in_the_norm(learner_of, teach):
    # No feature at all: ||f - f'||^2 = 2 for the bias alone, so tau = 1/2.
    assert teach(learner_of(np.zeros((2, 2)), Hinge(), PassiveAggressive()), [[0]], [1])[0].tolist() == [-0.5, 0.5]


def test_passive_aggressive_over_many_labels_moves_two(learner_of, teach):
    w = teach(learner_of(np.zeros((2, 20)), Hinge(), PassiveAggressive()), [[1]], [7])
    assert np.flatnonzero(w[1]).tolist() == [0, 7]
    assert w[1, [0, 7]].tolist() == [-0.25, 0.25]


def test_pa2_adds_1_over_2C_to_the_norm(learner_of, teach):
    # loss 1, ||f - f'||^2 = 4, C = 1/4: 1 / (4 + 2) = 1/6. An infinite C is the hard version, 1/4; C = 0 stays.
    for C, tau in ((0.25, 1 / 6), (np.inf, 0.25), (0, 0)):
        w = teach(learner_of(np.zeros((2, 2)), Hinge(), PassiveAggressive2(C)), [[1]], [1])
        assert w == pytest.approx(np.array([[-tau, tau], [-tau, tau]]))


def test_pa2_multiplies_C_by_a_weight_above_1_and_the_step_by_one_below(learner_of, teach):
    # 1 / (4 + 1 / (2 C weight)): with C = 1/4 and a weight of 2 it is 1 / (4 + 1). A weight of 1/2 halves the step of 1/6.
    for weight, tau in ((2, 1 / 5), (0.5, 1 / 12)):
        w = teach(learner_of(np.zeros((2, 2)), Hinge(), PassiveAggressive2(0.25)), [[1]], [1], weight=[weight])
        assert w == pytest.approx(np.array([[-tau, tau], [-tau, tau]]))


def test_pegasos_is_the_mean_of_all_subgradients_over_lam(learner_of, teach):
    # w_t = -1 / (lam t) sum of X^T r so far. lam = 1/2, the feature is 1: t = 1 is inside the margin, w = (-2, 2); t = 2 is
    # right by 4 + 4, so that w only shrinks, to (-1, 1); t = 3 is of the other label: (-1, 1) 2/3 + (2, -2) 1/3 = 0.
    online = learner_of(np.zeros((2, 2)), Hinge(), Pegasos(0.5))
    assert teach(online, [[1]], [1])[1] == pytest.approx([-2, 2])
    assert teach(online, [[1]], [1])[1] == pytest.approx([-1, 1])
    assert teach(online, [[1]], [0])[1] == pytest.approx([0, 0], abs=1e-6)


def test_pegasos_forgets_what_was_there_before_its_first_step(learner_of, teach):
    online = learner_of([[5, -5], [7, 7]], Hinge(), Pegasos(0.5))
    assert teach(online, [[0]], [1]) == pytest.approx(np.array([[-2, 2], [0, 0]]))
