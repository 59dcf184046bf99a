"""Every loss over a chain: its value by enumeration of all sequences, its gradient by finite differences of that."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from linnet.core.blocks import Block
from linnet.core.loops.batch import Batch
from linnet.losses.exponential import Exponential
from linnet.losses.hinge import Hinge
from linnet.losses.log import Log
from linnet.losses.perceptron import Perceptron
from linnet.losses.pointwise import Pointwise
from linnet.structures.chain import Chain


def log_sum(scores):
    most = max(scores)
    return most + math.log(math.fsum(math.exp(score - most) for score in scores))


def exp_of(x):
    """e^x - 1, and its tangent from 10 on."""
    return math.exp(min(x, 10)) * (1 + max(x - 10, 0)) - 1


def whole(score, outputs, y):
    return log_sum([score(z) for z in outputs]) - score(y)


def places(score, outputs, y):
    logz = log_sum([score(z) for z in outputs])
    return [logz - log_sum([score(z) for z in outputs if z[t] == y[t]]) for t in range(len(y))]


def cost(y, z):
    return sum(a != b for a, b in zip(y, z, strict=True))


LOSSES = {
    "log": (Log, whole),
    "log with a margin": (
        lambda: Log(cost=2),
        lambda score, outputs, y: whole(lambda z: score(z) + 2 * cost(y, z), outputs, y),
    ),
    "exponential": (Exponential, lambda *given: exp_of(whole(*given))),
    "pointwise-log": (Pointwise, lambda *given: sum(places(*given))),
    "pointwise-log with a margin": (
        lambda: Pointwise(cost=1),
        lambda score, outputs, y: sum(places(lambda z: score(z) + cost(y, z), outputs, y)),
    ),
    "pointwise-exponential": (lambda: Pointwise(exponential=True), lambda *given: sum(map(exp_of, places(*given)))),
    "hinge": (Hinge, lambda score, outputs, y: max(score(z) + cost(y, z) for z in outputs) - score(y)),
    "perceptron": (Perceptron, lambda score, outputs, y: max(score(z) for z in outputs) - score(y)),
}


class Sentence:
    """T tokens whose scores are the weights of two features each, L tags; some pairs of tags are not legal."""

    def __init__(self, seed, T, L, size):
        rng = np.random.default_rng(seed)
        self.T, self.L = T, L
        self.features = rng.integers(0, 3, (T, 2))
        self.values = rng.choice([1.0, 0.5, -2.0], (T, 2))
        self.w = rng.normal(0, size, 4 * L + L * L)
        self.legal = rng.random((L, L)) < 0.8
        self.y = tuple(int(tag) for tag in rng.integers(0, L, T))

    def outputs(self):
        every = itertools.product(range(self.L), repeat=self.T)
        return [z for z in every if all(self.legal[a, c] for a, c in itertools.pairwise(z))]

    def score(self, w):
        emit, trans = w[: 4 * self.L].reshape(4, self.L), w[4 * self.L :].reshape(self.L, self.L)
        theta = emit[0] + (self.values[:, :, None] * emit[1:][self.features]).sum(axis=1)

        def of(z):
            return float(sum(theta[t, k] for t, k in enumerate(z)) + sum(trans[a, c] for a, c in itertools.pairwise(z)))

        return of

    def evaluated(self, padded, loss):
        """The value and the gradient that the core has, the latter in the order of w."""
        words = Block(
            np.arange(0, 2 * self.T + 1, 2),
            self.features.ravel().astype(np.uint32),
            self.values.ravel().astype(np.float32),
            np.array([0, self.T]),
        )
        pairs = Block(np.zeros(2, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32))
        n = 4 * self.L
        weights = [padded(self.w[:n].reshape(4, self.L)), padded(self.w[n:].reshape(1, -1))]
        batch = Batch(Chain(self.L, legal=self.legal), loss, weights, [np.zeros(w.shape) for w in weights])
        batch.run((words, pairs), np.array(self.y, np.int32), np.array([0, self.T]), np.zeros(1, np.int64))
        emit, trans = batch.gradient
        return batch.total, np.concatenate([emit[:, : self.L].ravel(), trans[0, : self.L**2]])


sentences = st.builds(
    Sentence, st.integers(0, 2**32 - 1), st.integers(1, 4), st.integers(2, 3), st.sampled_from([0.3, 1.0, 2.5])
)


@pytest.mark.parametrize("name", LOSSES)
@given(sentence=sentences)
def test_the_value_and_the_gradient(padded, name, sentence):
    outputs = sentence.outputs()
    assume(sentence.y in outputs)
    loss, formula = LOSSES[name]
    h = 1e-5
    if name in ("hinge", "perceptron"):  # away from the kinks
        score, margin = sentence.score(sentence.w), name == "hinge"
        best = sorted(score(z) + margin * cost(sentence.y, z) for z in outputs)
        assume(len(best) == 1 or best[-1] - best[-2] > 1e-3)
    value, gradient = sentence.evaluated(padded, loss())
    expected = formula(sentence.score(sentence.w), outputs, sentence.y)
    assert value == pytest.approx(expected, rel=1e-4, abs=1e-4)
    differences = np.empty_like(gradient)
    for k in range(len(differences)):
        more, less = sentence.w.copy(), sentence.w.copy()
        more[k] += h
        less[k] -= h
        up, down = (formula(sentence.score(w), outputs, sentence.y) for w in (more, less))
        differences[k] = (up - down) / (2 * h)
    np.testing.assert_allclose(gradient, differences, rtol=1e-3, atol=3e-4 * max(1, np.abs(differences).max()))


def test_an_example_counts_by_its_weight(padded):
    sentence = Sentence(3, 4, 3, 1.0)
    sentence.legal[:] = True
    words = Block(
        np.arange(0, 9, 2), sentence.features.ravel().astype(np.uint32), np.ones(8, np.float32), np.array([0, 4])
    )
    pairs = Block(np.zeros(2, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32))
    weights = [padded(np.zeros((4, 3))), padded(np.zeros((1, 9)))]
    batch = Batch(Chain(3), Log(), weights, [np.zeros(w.shape) for w in weights])
    arguments = (words, pairs), np.array(sentence.y, np.int32), np.array([0, 4]), np.zeros(1, np.int64)
    batch.run(*arguments, np.array([2.5], np.float32))
    assert batch.total == pytest.approx(2.5 * 4 * math.log(3), rel=1e-5)
    heavy = batch.gradient[0].copy()
    batch.run(*arguments)
    np.testing.assert_allclose(batch.gradient[0], heavy * 3.5 / 2.5, rtol=1e-6)


def test_a_place_where_the_right_tag_is_impossible_is_left_alone(padded):
    # Tag 1 may not come second; the first token alone is learned from: p = 1/2.
    words = Block(np.zeros(3, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32), np.array([0, 2]))
    pairs = Block(np.zeros(2, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32))
    weights = [padded(np.zeros((1, 2))), padded(np.zeros((1, 4)))]
    gen = Chain(2, legal=np.array([[True, False], [True, False]]))
    batch = Batch(gen, Pointwise(), weights, [np.zeros(w.shape) for w in weights])
    batch.run((words, pairs), np.array([0, 1], np.int32), np.array([0, 2]), np.zeros(1, np.int64))
    assert batch.total == pytest.approx(math.log(2), rel=1e-6)
    assert batch.gradient[0][0].tolist() == [-0.5, 0.5]
