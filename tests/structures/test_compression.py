"""Compression against the enumeration of all subsets: the best, the best within a budget, log Z, marginals, gradients."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet.core.blocks import Block
from linnet.core.loops.online import Online
from linnet.core.predictor import Predictor
from linnet.losses.hinge import Hinge
from linnet.losses.log import Log
from linnet.steps.sgd import SGD
from linnet.structures.compression import Compression


class Sentence:
    """T tokens with scores as they are: each place is a feature of its own."""

    def __init__(self, seed, n_tokens, reach, size=1.5):
        rng = np.random.default_rng(seed)
        self.T, self.reach = n_tokens, reach
        self.gen = Compression(reach)
        left, right = self.gen.pairs(n_tokens)
        self.place = {(i, j): k for k, (i, j) in enumerate(zip(left.tolist(), right.tolist(), strict=True))}
        self.emit = rng.normal(0, size, (n_tokens, 2)).astype(np.float32)
        self.pairs = rng.normal(0, size, (len(left), 1)).astype(np.float32)
        self.y = rng.integers(0, 2, n_tokens).astype(np.int32)

    def blocks(self):
        return (places(self.T), places(len(self.pairs)))

    def weights(self):
        return [
            np.vstack([np.zeros((1, 2), np.float32), self.emit]),
            np.vstack([np.zeros((1, 1), np.float32), self.pairs]),
        ]

    def used(self, y):
        """The places of the pairs of neighbours."""
        kept = [0, *(t + 1 for t in range(self.T) if y[t]), self.T + 1]
        return [self.place[i if j - i <= self.reach else -1, j] for i, j in itertools.pairwise(kept)]

    def score(self, y, cost=0.0):
        total = sum(float(self.emit[t, k]) + cost * (k != self.y[t]) for t, k in enumerate(y))
        return total + sum(float(self.pairs[place, 0]) for place in self.used(y))

    def outputs(self):
        return list(itertools.product((0, 1), repeat=self.T))


def places(n):
    """One example of n places, place p with the feature p."""
    at = np.arange(n + 1, dtype=np.int64)
    return Block(at, at[:-1].astype(np.uint32), np.ones(n, np.float32), np.array([0, n], np.int64))


sentences = st.builds(
    Sentence, st.integers(0, 2**32 - 1), st.integers(0, 7), st.integers(1, 8), st.sampled_from([0.5, 1.5, 6.0])
)


def learned(sentence, loss, step):
    """One step from the sentence's own scores."""
    weights = sentence.weights()
    online = Online(sentence.gen, loss, step, tuple(len(block) - 1 for block in weights))
    online.restore({f"v{g}": block for g, block in enumerate(weights)}, {})
    online.run(sentence.blocks(), sentence.y, np.array([0, sentence.T]), np.zeros(1, np.int64))
    return online


def test_pairs_come_by_their_right_token():
    left, right = Compression(2).pairs(3)
    assert list(zip(left.tolist(), right.tolist(), strict=True)) == [
        *[(0, 1), (0, 2), (1, 2), (1, 3), (2, 3), (-1, 3), (2, 4), (3, 4), (-1, 4)]
    ]


@pytest.mark.parametrize("T", [0, 1, 5, 30, 200])
def test_places_grow_with_the_length_only(T):
    assert len(Compression(12).pairs(T)[0]) <= 13 * (T + 1)


@given(sentences)
def test_the_best_is_that_of_the_enumeration(sentence):
    y_hat, y_at = Predictor(sentence.gen, sentence.weights()).argmax(sentence.blocks())
    assert y_at.tolist() == [0, sentence.T]
    best = max(map(sentence.score, sentence.outputs()))
    assert sentence.score(y_hat.tolist()) == pytest.approx(best, rel=1e-5, abs=1e-4)


@given(sentences, st.tuples(st.floats(0, 1), st.floats(0, 1)).map(sorted))
def test_a_budget_is_kept_and_what_it_leaves_is_searched(sentence, shares):
    gen = Compression(sentence.reach, least=shares[0], most=shares[1])
    y_hat, _ = Predictor(gen, sentence.weights()).argmax(sentence.blocks())
    least, most = (math.floor(share * sentence.T + 0.5) for share in shares)
    allowed = [y for y in sentence.outputs() if least <= sum(y) <= most]
    assert least <= y_hat.sum() <= most
    assert sentence.score(y_hat.tolist()) == pytest.approx(max(map(sentence.score, allowed)), rel=1e-5, abs=1e-4)


@given(sentences, st.tuples(st.floats(0, 1), st.floats(0, 1)).map(sorted) | st.just((0, 1)), st.integers(1, 40))
def test_the_k_best_are_those_of_the_enumeration(sentence, shares, k):
    gen = Compression(sentence.reach, least=shares[0], most=shares[1])
    least, most = (math.floor(share * sentence.T + 0.5) for share in shares)
    allowed = [y for y in sentence.outputs() if least <= sum(y) <= most]
    ((rows, scores),) = Predictor(gen, sentence.weights()).kbest(sentence.blocks(), k)
    found = [tuple(row) for row in rows.tolist()]
    assert len(found) == len(set(found)) == min(k, len(allowed))
    assert set(found) <= set(allowed)
    np.testing.assert_allclose(scores, sorted(map(sentence.score, allowed), reverse=True)[:k], rtol=1e-5, atol=1e-4)
    np.testing.assert_allclose(scores, [sentence.score(y) for y in found], rtol=1e-5, atol=1e-4)


@given(sentences, st.integers(0, 2**32 - 1))
def test_what_is_forced_is_left(sentence, seed):
    """1 keeps a token and 0 drops it, as do -2 and -3, which are any but 0 and any but 1."""
    rng = np.random.default_rng(seed)
    forced = rng.choice([-1, -1, 0, 1, -2, -3], sentence.T).astype(np.int32)
    wanted = np.where(forced < -1, forced + 3, forced)
    left = [y for y in sentence.outputs() if all(f in (-1, k) for f, k in zip(wanted, y, strict=True))]
    predictor = Predictor(sentence.gen, sentence.weights())
    y_hat, _ = predictor.argmax(sentence.blocks(), forced)
    scores = np.array([sentence.score(y) for y in left])
    assert tuple(y_hat.tolist()) in left
    assert sentence.score(y_hat.tolist()) == pytest.approx(scores.max(), rel=1e-5, abs=1e-4)
    p = np.exp(scores - scores.max())
    found = predictor.marginals(sentence.blocks(), forced)[0][:, 1]
    np.testing.assert_allclose(found, p / p.sum() @ np.array(left).reshape(len(left), -1), atol=2e-5)


@pytest.mark.parametrize(
    ("shares", "forced", "found"),
    [
        ((0, 0.25), [1, 1, 0, 0], [1, 1, 0, 0]),
        ((0, 0.25), [1, 1, -1, -1], [1, 1, 0, 0]),
        ((0.75, 1), [0, -3, -1, -1], [0, 0, 1, 1]),
    ],
)
def test_what_is_forced_comes_before_the_budget(shares, forced, found):
    """Where the two contradict each other, no output is among the k best."""
    sentence = Sentence(0, 4, 3)
    predictor = Predictor(Compression(3, least=shares[0], most=shares[1]), sentence.weights())
    assert predictor.argmax(sentence.blocks(), np.array(forced, np.int32))[0].tolist() == found
    assert len(predictor.kbest(sentence.blocks(), 5, np.array(forced, np.int32))[0][1]) == 0


@given(sentences)
def test_marginals_are_those_of_the_enumeration(sentence):
    outputs = sentence.outputs()
    scores = np.array([sentence.score(y) for y in outputs])
    p = np.exp(scores - scores.max())
    p /= p.sum()
    tokens, pairs = np.zeros((sentence.T, 2)), np.zeros((len(sentence.pairs), 1))
    for y, share in zip(outputs, p, strict=True):
        tokens[np.arange(sentence.T), y] += share
        pairs[sentence.used(y), 0] += share
    found = Predictor(sentence.gen, sentence.weights()).marginals(sentence.blocks())
    np.testing.assert_allclose(found[0], tokens, atol=2e-5)
    np.testing.assert_allclose(found[1], pairs, atol=2e-5)


@given(sentences)
def test_the_losses_are_those_of_the_enumeration(sentence):
    gold = sentence.score(sentence.y.tolist())
    scores = np.array([sentence.score(y) for y in sentence.outputs()])
    logz = scores.max() + math.log(np.exp(scores - scores.max()).sum())
    worst = max(sentence.score(y, cost=1) for y in sentence.outputs())
    assert learned(sentence, Log(), SGD(eta=0)).total == pytest.approx(logz - gold, rel=1e-4, abs=1e-3)
    assert learned(sentence, Hinge(), SGD(eta=0)).total == pytest.approx(worst - gold, rel=1e-4, abs=1e-3)


@given(st.builds(Sentence, st.integers(0, 2**32 - 1), st.integers(1, 5), st.integers(1, 5)))
def test_the_gradient_of_the_log_loss_is_that_of_finite_differences(sentence):
    start = sentence.weights()
    after = learned(sentence, Log(), SGD(eta=1)).last()
    h = 0.02
    for table, before, moved in zip((sentence.emit, sentence.pairs), start, after, strict=True):
        for at in np.ndindex(table.shape):
            values = []
            for sign in (1, -1):
                table[at] += np.float32(sign * h)
                values.append(learned(sentence, Log(), SGD(eta=0)).total)
                table[at] -= np.float32(sign * h)
            gradient = before[at[0] + 1, at[1]] - moved[at[0] + 1, at[1]]
            assert gradient == pytest.approx((values[0] - values[1]) / (2 * h), abs=5e-3)


def test_long_gaps_are_possible_whatever_the_reach():
    # 30 tokens, all but the first and the last want to go.
    sentence = Sentence(0, 30, 3, size=0)
    sentence.emit[:, 0] = 1
    sentence.emit[[0, 29], 1] = 5
    y_hat, _ = Predictor(sentence.gen, sentence.weights()).argmax(sentence.blocks())
    assert np.flatnonzero(y_hat).tolist() == [0, 29]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"reach": 0}, "expected a reach of at least 1, found 0"),
        ({"least": 0.8, "most": 0.5}, "expected 0 <= least <= most <= 1, found 0.8 and 0.5"),
    ],
)
def test_what_cannot_be_is_refused(given, message):
    with pytest.raises(ValueError, match=message):
        Compression(**given)
