"""The network: forward by NumPy, backward by finite differences, over labels and over tags."""

import numpy as np
import pytest

from linnet.core.blocks import Block
from linnet.core.loops.network import Backpropagation, Network, embeddings
from linnet.core.predictor import Predictor
from linnet.core.weights import stride_of
from linnet.learners import LEARNERS, Examples, Learning
from linnet.losses.hinge import Hinge
from linnet.losses.log import Log
from linnet.steps.adagrad import AdaGrad
from linnet.steps.sgd import SGD
from linnet.structures.chain import Chain
from linnet.structures.labels import Labels

ACTIVATIONS = {False: np.tanh, True: lambda x: np.maximum(x, 0)}


def at_random(gen, n_features, hidden, seed=0):
    """V of each block, then E of those with features."""
    rng = np.random.default_rng(seed)
    V = [
        np.zeros((1 + (stride_of(hidden) if n else 0), stride_of(k)), np.float32)
        for n, k in zip(n_features, gen.outcomes, strict=True)
    ]
    E = [np.zeros((1 + n, stride_of(hidden)), np.float32) for n in n_features if n]
    for v, n, k in zip(V, n_features, gen.outcomes, strict=True):
        rows = 1 + hidden if n else 1
        v[:rows, :k] = rng.normal(size=(rows, k))
    for e in E:
        e[:, :hidden] = rng.normal(size=(len(e), hidden)) / 2
    return [*V, *E]


@pytest.mark.parametrize("relu", [False, True])
@pytest.mark.parametrize(("hidden", "n_labels"), [(1, 2), (3, 3), (12, 5), (40, 2)])
def test_scores_are_those_of_numpy(block_of, relu, hidden, n_labels):
    X = np.random.default_rng(1).normal(size=(9, 6)).astype(np.float32)
    V, E = weights = at_random(Labels(n_labels), (6,), hidden)
    theta = Predictor(Labels(n_labels), Network(weights, relu=relu)).scores((block_of(X),))[0]
    h = ACTIVATIONS[relu](E[0] + X @ E[1:])
    np.testing.assert_allclose(theta, (V[0] + h @ V[1:])[:, :n_labels], rtol=1e-4, atol=1e-5)


def sentence():
    """Five tokens with two of six features each, and transitions."""
    rng = np.random.default_rng(2)
    values = rng.normal(size=10).astype(np.float32)
    emit = Block(np.arange(0, 11, 2), rng.integers(0, 6, 10).astype(np.uint32), values, np.array([0, 5]))
    trans = Block(np.zeros(2, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32))
    return Chain(3), (6, 0), (emit, trans), np.array([0, 2, 1, 1, 0], np.int32)


def label():
    rng = np.random.default_rng(3)
    return (
        Labels(4),
        (6,),
        (Block(np.array([0, 4]), np.arange(4, dtype=np.uint32), rng.random(4, np.float32)),),
        np.array([2], np.int32),
    )


def value(gen, loss, blocks, y, weights, relu):
    """Of the loss: log Z - theta.mu(y) by forcing y and by leaving all."""
    online = Backpropagation(gen, loss, SGD(eta=0), NONE[gen.name], hidden=3, relu=relu)
    online.restore({f"v{g}": w for g, w in enumerate(weights)}, {})
    online.run(blocks, y, np.array([0, len(y)]), np.array([0]))
    return online.total


NONE = {"labels": (6,), "chain": (6, 0)}


@pytest.mark.parametrize("relu", [False, True])
@pytest.mark.parametrize("loss", [Log, Hinge])
@pytest.mark.parametrize("problem", [label, sentence])
def test_the_gradient_is_that_of_finite_differences(problem, loss, relu):
    """One step of SGD at rate 1 is the gradient."""
    gen, n_features, blocks, y = problem()
    weights = at_random(gen, n_features, 3)
    online = Backpropagation(gen, loss(), SGD(eta=1), n_features, hidden=3, relu=relu)
    online.restore({f"v{g}": w for g, w in enumerate(weights)}, {})
    online.run(blocks, y, np.array([0, len(y)]), np.array([0]))
    moved = [before - after for before, after in zip(weights, online.last(), strict=True)]
    eps, checked = 1e-2, 0
    for g, w in enumerate(weights):
        for at in np.argwhere(np.abs(w) > 0):
            around = []
            for sign in (1, -1):
                other = [part.copy() for part in weights]
                other[g][tuple(at)] += sign * eps
                around.append(value(gen, loss(), blocks, y, other, relu))
            assert moved[g][tuple(at)] == pytest.approx((around[0] - around[1]) / (2 * eps), abs=2e-3)
            checked += abs(moved[g][tuple(at)]) > 1e-3
    assert checked > 10


def test_the_loss_is_that_of_the_scores():
    gen, n_features, blocks, y = label()
    weights = at_random(gen, n_features, 3)
    theta = Predictor(gen, Network(weights, relu=False)).scores(blocks)[0][0].astype(float)
    assert value(gen, Log(), blocks, y, weights, False) == pytest.approx(
        np.log(np.exp(theta).sum()) - theta[2], rel=1e-5
    )


def test_embeddings_start_small_and_do_not_depend_on_how_many_there_are():
    E = embeddings(0, 1000, 10)
    assert E.shape == (1000, 16)
    assert not E[:, 10:].any()
    assert np.abs(E[:, :10]).max() <= 1 / np.sqrt(10)
    assert abs(E[:, :10].mean()) < 0.006
    assert E[:, :10].std() == pytest.approx(1 / np.sqrt(30), rel=0.02)
    np.testing.assert_array_equal(embeddings(700, 1000, 10), E[700:])


@pytest.mark.parametrize("before", [(0, 0), (6, 0), (0, 2), (3, 2)])
def test_features_that_come_later_are_learned_as_if_they_had_been_there(before):
    """The scores of transitions may have features too; a block without features has no hidden layer until it gets some."""
    _, _, (emit, _), y = sentence()
    gen = Chain(3, observed=True)
    trans = Block(np.arange(5), np.array([0, 1, 1, 0], np.uint32), np.ones(4, np.float32), np.array([0, 4]))
    learned = []
    for first in (before, (6, 2)):
        online = Backpropagation(gen, Log(), AdaGrad(0.1, 0), first, hidden=3, relu=False)
        online.grow((6, 2))
        for _ in range(2):
            online.run((emit, trans), y, np.array([0, len(y)]), np.array([0]))
        learned.append(online.last())
    assert [w.shape[0] for w in learned[0]] == [5, 5, 7, 3]
    for grown, from_the_start in zip(*learned, strict=True):
        np.testing.assert_array_equal(grown, from_the_start)


@pytest.mark.parametrize("activation", ["tanh", "relu"])
def test_it_learns_what_no_linear_model_can(block_of, activation):
    """Exclusive or."""
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 10)
    y = (X[:, 0] != X[:, 1]).astype(np.int32)
    examples = Examples((block_of(X),), y, np.arange(41))
    right = {}
    for name, options in (("feedforward", {"hidden": 16, "activation": activation, "eta": 0.1}), ("logistic", {})):
        learning = Learning(LEARNERS[name], options, Labels(2), (2,))
        fit = learning.run(examples, epochs=100, tol=0)
        predictor = Predictor(Labels(2), learning.scorer(fit.weights))
        right[name] = np.mean(predictor.argmax((block_of(X),))[0] == y)
    assert right["feedforward"] == 1
    assert right["logistic"] <= 0.75


def test_layers_that_do_not_fit_are_refused():
    V, E = at_random(Labels(3), (6,), 5)
    for wrong in ([V], [V, E, E], [V, E[:, :4]]):
        with pytest.raises(ValueError, match="^the layers of the network do not fit each other$"):
            Predictor(Labels(3), Network([np.ascontiguousarray(w) for w in wrong], relu=False))
    with pytest.raises(ValueError, match="^labels and the network have different outcomes$"):
        Predictor(Labels(9), Network([V, E], relu=False))
