"""Chains of first and second order against enumeration: every sequence of tags, gone through one by one."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from linnet.core.blocks import Block
from linnet.core.loops.online import Online
from linnet.core.predictor import Predictor
from linnet.losses.hinge import Hinge
from linnet.losses.log import Log
from linnet.losses.perceptron import Perceptron
from linnet.steps.constant import Constant
from linnet.steps.passive_aggressive import PassiveAggressive
from linnet.steps.sgd import SGD
from linnet.structures.chain import Chain
from linnet.structures.trigrams import TrigramChain


class Sentence:
    """T tokens and L tags with scores as they are: each place is a feature of its own."""

    def __init__(self, seed, n_tokens, n_tags, *, order=1, observed=False, illegal=0.0, size=1.5, costly=False):
        rng = np.random.default_rng(seed)
        self.T, self.L, self.order, self.observed = n_tokens, n_tags, order, observed
        self.emit = rng.normal(0, size, (n_tokens, n_tags)).astype(np.float32)
        n_pairs = max(n_tokens - 1, 0) if observed else 1
        self.trans = rng.normal(0, size, (n_pairs, n_tags, n_tags)).astype(np.float32)
        self.legal = rng.random((n_tags, n_tags)) >= illegal
        self.starts, self.ends = rng.random((2, n_tags)) >= illegal
        self.threes = rng.normal(0, size, (n_tags, n_tags, n_tags)).astype(np.float32)
        self.cost = (1 - np.eye(n_tags)) * (rng.random((n_tags, n_tags)) if costly else 1)
        self.gen = (Chain, TrigramChain)[order - 1](
            n_tags,
            observed=observed,
            legal=self.legal,
            starts=self.starts,
            ends=self.ends,
            cost=self.cost if costly else None,
        )
        self.y = rng.integers(0, n_tags, n_tokens).astype(np.int32)

    def blocks(self):
        return (places(self.T), places(len(self.trans)) if self.observed else shared(1), shared(1))[: 1 + self.order]

    def weights(self, padded):
        trans = self.trans.reshape(len(self.trans), self.L**2)
        blocks = [
            np.vstack([np.zeros(self.L), self.emit]),
            np.vstack([np.zeros(self.L**2), trans]) if self.observed else trans,
            self.threes.transpose(1, 0, 2).reshape(1, self.L**3),
        ]
        return [padded(block) for block in blocks[: 1 + self.order]]

    def score(self, y, cost=0.0):
        total = sum(float(self.emit[t, tag]) + cost * self.cost[self.y[t], tag] for t, tag in enumerate(y))
        for t, (a, c) in enumerate(itertools.pairwise(y)):
            total += float(self.trans[t if self.observed else 0, a, c])
        for t in range(2, self.T if self.order == 2 else 0):
            total += float(self.threes[y[t - 2], y[t - 1], y[t]])
        return total

    def is_legal(self, y):
        return (not y or (self.starts[y[0]] and self.ends[y[-1]])) and all(
            self.legal[a, c] for a, c in itertools.pairwise(y)
        )

    def outputs(self):
        return [y for y in itertools.product(range(self.L), repeat=self.T) if self.is_legal(y)]


def places(n):
    """One example of n places, place p with the feature p."""
    return Block(
        np.arange(n + 1, dtype=np.int64),
        np.arange(n, dtype=np.uint32),
        np.ones(n, np.float32),
        np.array([0, n], np.int64),
    )


def shared(n_examples):
    """One place without features for each example."""
    return Block(np.zeros(n_examples + 1, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32))


sentences = st.builds(
    Sentence,
    st.integers(0, 2**32 - 1),
    st.integers(0, 5),
    st.integers(1, 4),
    order=st.sampled_from([1, 2]),
    observed=st.booleans(),
    illegal=st.sampled_from([0.0, 0.3]),
    size=st.sampled_from([0.5, 3.0, 6.0]),
    costly=st.booleans(),
)


@given(sentences)
def test_viterbi_finds_the_best(padded, sentence):
    outputs = sentence.outputs()
    assume(outputs)
    y_hat, y_at = Predictor(sentence.gen, sentence.weights(padded)).argmax(sentence.blocks())
    assert y_at.tolist() == [0, sentence.T]
    assert sentence.is_legal(y_hat.tolist())
    assert sentence.score(y_hat.tolist()) == pytest.approx(max(map(sentence.score, outputs)), rel=1e-5, abs=1e-4)


@given(sentences, st.integers(1, 30))
def test_the_k_best_are_those_of_the_enumeration(padded, sentence, k):
    outputs = sentence.outputs()
    ((rows, scores),) = Predictor(sentence.gen, sentence.weights(padded)).kbest(sentence.blocks(), k)
    found = [tuple(row) for row in rows.tolist()]
    assert len(found) == len(set(found)) == min(k, len(outputs))
    assert set(found) <= set(outputs)
    np.testing.assert_allclose(scores, sorted(map(sentence.score, outputs), reverse=True)[:k], rtol=1e-5, atol=1e-4)
    np.testing.assert_allclose(scores, [sentence.score(y) for y in found], rtol=1e-5, atol=1e-4)


def forced_of(sentence, seed):
    """Some tags forced, some excluded, some free."""
    rng = np.random.default_rng(seed)
    return rng.integers(-1 - sentence.L, sentence.L, sentence.T).astype(np.int32)


def obeys(y, forced):
    return all(f == -1 or (c == f if f >= 0 else c != -2 - f) for c, f in zip(y, forced.tolist(), strict=True))


@given(sentences, st.integers(0, 2**32 - 1))
def test_forced_tags(padded, sentence, seed):
    forced = forced_of(sentence, seed)
    outputs = [y for y in sentence.outputs() if obeys(y, forced)]
    assume(outputs)
    predictor = Predictor(sentence.gen, sentence.weights(padded))
    y_hat = predictor.argmax(sentence.blocks(), forced)[0].tolist()
    scores = np.array([sentence.score(y) for y in outputs])
    assert tuple(y_hat) in outputs
    assert sentence.score(y_hat) == pytest.approx(scores.max(), rel=1e-5, abs=1e-4)
    ((rows, found),) = predictor.kbest(sentence.blocks(), 5, forced)
    assert {tuple(row) for row in rows.tolist()} <= set(outputs)
    np.testing.assert_allclose(found, np.sort(scores)[::-1][:5], rtol=1e-5, atol=1e-4)
    p = np.exp(scores - scores.max())
    tags = np.zeros((sentence.T, sentence.L))
    for y, share in zip(outputs, p / p.sum(), strict=True):
        tags[np.arange(sentence.T), list(y)] += share
    np.testing.assert_allclose(predictor.marginals(sentence.blocks(), forced)[0], tags, atol=2e-5)


def test_too_few_forced_tags_are_refused(padded):
    sentence = Sentence(0, 3, 2)
    predictor = Predictor(sentence.gen, sentence.weights(padded))
    with pytest.raises(ValueError, match="^expected a number in `forced` for each integer"):
        predictor.argmax(sentence.blocks(), np.zeros(2, np.int32))


@given(sentences)
def test_marginals_are_those_of_the_enumeration(padded, sentence):
    outputs = sentence.outputs()
    assume(outputs)
    scores = np.array([sentence.score(y) for y in outputs])
    p = np.exp(scores - scores.max())
    p /= p.sum()
    tags, pairs = np.zeros((sentence.T, sentence.L)), np.zeros((len(sentence.trans), sentence.L, sentence.L))
    threes = np.zeros((1, sentence.L, sentence.L, sentence.L))
    for y, share in zip(outputs, p, strict=True):
        for t, tag in enumerate(y):
            tags[t, tag] += share
        for t, (a, c) in enumerate(itertools.pairwise(y)):
            pairs[t if sentence.observed else 0, a, c] += share
        for a, b, c in zip(y, y[1:], y[2:], strict=False):
            threes[0, b, a, c] += share
    found = Predictor(sentence.gen, sentence.weights(padded)).marginals(sentence.blocks())
    np.testing.assert_allclose(found[0], tags, atol=2e-5)
    np.testing.assert_allclose(found[1], pairs.reshape(len(pairs), sentence.L**2), atol=2e-5)
    np.testing.assert_allclose(found[0].sum(axis=1), 1, atol=1e-5)
    if sentence.order == 2:
        np.testing.assert_allclose(found[2], threes.reshape(1, -1), atol=2e-5)


@given(sentences)
def test_the_log_loss_has_logz_of_the_enumeration(padded, sentence):
    outputs = sentence.outputs()
    assume(sentence.is_legal(sentence.y.tolist()))
    scores = [sentence.score(y) for y in outputs]
    most = max(scores)
    logz = most + math.log(math.fsum(math.exp(score - most) for score in scores))
    online = learned(sentence, padded, Log(), SGD(eta=0))
    assert online.total == pytest.approx(logz - sentence.score(sentence.y.tolist()), rel=1e-4, abs=1e-3)


@given(sentences)
def test_the_hinge_has_the_most_violated_output(padded, sentence):
    outputs = sentence.outputs()
    assume(sentence.is_legal(sentence.y.tolist()))
    worst = max(sentence.score(y, cost=1) for y in outputs)
    online = learned(sentence, padded, Hinge(), SGD(eta=0))
    assert online.total == pytest.approx(worst - sentence.score(sentence.y.tolist()), rel=1e-4, abs=1e-3)


@given(sentences)
def test_mira_closes_the_margin(padded, sentence):
    """After a hard step the gold sequence beats the one that was most violated by its cost, exactly."""
    assume(sentence.is_legal(sentence.y.tolist()))
    worst = max(sentence.outputs(), key=lambda y: sentence.score(y, cost=1))
    assume(worst != tuple(sentence.y) and sentence.score(worst, cost=1) > sentence.score(sentence.y.tolist()) + 1e-3)
    online = learned(sentence, padded, Hinge(), PassiveAggressive(math.inf))
    emit, trans, *threes = (block[:, : sentence.gen.outcomes[g]] for g, block in enumerate(online.last()))
    after = Sentence(0, sentence.T, sentence.L, order=sentence.order, observed=sentence.observed)
    after.emit, after.y = emit[0] + emit[1:], sentence.y
    if threes:
        after.threes = threes[0].reshape([sentence.L] * 3).transpose(1, 0, 2)
    after.trans = (trans[0] + trans[1:] if sentence.observed else trans).reshape(-1, sentence.L, sentence.L)
    margin = after.score(sentence.y.tolist()) - after.score(worst)
    cost = sum(sentence.cost[gold, tag] for tag, gold in zip(worst, sentence.y, strict=True))
    assert margin == pytest.approx(cost, rel=1e-3, abs=2e-3)


@given(sentences)
def test_the_gradient_of_the_log_loss_is_that_of_finite_differences(padded, sentence):
    assume(sentence.is_legal(sentence.y.tolist()))
    assume(np.abs(sentence.emit).max(initial=0) < 5)
    start = [block.astype(float) for block in sentence.weights(padded)]
    online = learned(sentence, padded, Log(), SGD(eta=1))
    gradient = start[0] - online.last()[0]
    h = 0.02
    for t, tag in itertools.product(range(sentence.T), range(sentence.L)):
        values = []
        for sign in (1, -1):
            sentence.emit[t, tag] += np.float32(sign * h)
            values.append(learned(sentence, padded, Log(), SGD(eta=0)).total)
            sentence.emit[t, tag] -= np.float32(sign * h)
        assert gradient[t + 1, tag] == pytest.approx((values[0] - values[1]) / (2 * h), abs=5e-3)


def learned(sentence, padded, loss, step):
    """One step from the sentence's own scores."""
    weights = sentence.weights(padded)
    online = Online(sentence.gen, loss, step, tuple(len(block) - 1 for block in weights))
    online.restore({f"v{g}": block for g, block in enumerate(weights)}, {})
    online.run(sentence.blocks(), sentence.y, np.array([0, sentence.T]), np.zeros(1, np.int64))
    return online


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("observed", [False, True])
@pytest.mark.parametrize("n_tags", [7, 8, 9, 31, 33, 40, 49, 65])
def test_many_tags(padded, n_tags, observed, order):
    """All sequences of three tokens at once, as an array: rows of every width that the steps are compiled for."""
    sentence = Sentence(n_tags, 3, n_tags, order=order, observed=observed, illegal=0.3, size=2.0)
    trans = np.broadcast_to(sentence.trans.astype(float), (2, n_tags, n_tags)) + np.log(
        np.maximum(sentence.legal, 1e-300)
    )
    first, middle, last = sentence.emit.astype(float)
    first, last = np.where(sentence.starts, first, -np.inf), np.where(sentence.ends, last, -np.inf)
    scores = first[:, None, None] + middle[:, None] + last + trans[0][:, :, None] + trans[1]
    scores += sentence.threes if order == 2 else 0
    predictor = Predictor(sentence.gen, sentence.weights(padded))
    best = np.unravel_index(np.argmax(scores), scores.shape)
    assert predictor.argmax(sentence.blocks())[0].tolist() == list(best)
    ((_, found),) = predictor.kbest(sentence.blocks(), 4)
    np.testing.assert_allclose(found, np.sort(scores.ravel())[::-1][:4], rtol=1e-5)
    p = np.exp(scores - scores.max())
    p /= p.sum()
    tags, pairs, *threes = predictor.marginals(sentence.blocks())
    np.testing.assert_allclose(tags, [p.sum((1, 2)), p.sum((0, 2)), p.sum((0, 1))], atol=2e-5)
    expected = np.array([p.sum(2).ravel(), p.sum(0).ravel()])
    np.testing.assert_allclose(pairs, expected if observed else expected.sum(0)[None], atol=2e-5)
    if threes:
        np.testing.assert_allclose(threes[0], p.transpose(1, 0, 2).reshape(1, -1), atol=2e-5)


def test_sentences_without_tokens_have_no_tags(padded):
    gen = Chain(3)
    empty = Block(np.zeros(1, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32), np.array([0, 0], np.int64))
    predictor = Predictor(gen, [padded(np.zeros((1, 3))), padded(np.zeros((1, 9)))])
    y_hat, y_at = predictor.argmax((empty, shared(1)))
    assert (y_hat.tolist(), y_at.tolist()) == ([], [0, 0])
    assert predictor.marginals((empty, shared(1)))[0].shape == (0, 3)


def test_what_is_illegal_never_comes_out(padded):
    # B and I and O: I may not follow O, nor begin. The scores want nothing but I.
    legal = np.array([[1, 1, 1], [1, 1, 1], [1, 0, 1]], bool)
    gen = Chain(3, legal=legal, starts=np.array([1, 0, 1], bool))
    weights = [padded(np.vstack([np.zeros(3), [[0, 9, 0.5], [0, 9, 0], [0, 9, 0]]])), padded(np.zeros((1, 9)))]
    assert Predictor(gen, weights).argmax((places(3), shared(1)))[0].tolist() == [0, 1, 1]
    p = Predictor(gen, weights).marginals((places(3), shared(1)))
    assert p[0][0, 1] == 0
    assert p[1][0, 2 * 3 + 1] == 0


def test_a_table_of_the_wrong_size_is_refused():
    with pytest.raises(ValueError, match=r"^expected \(3, 3\), found \(2, 2\)$"):
        Chain(3, legal=np.ones((2, 2), bool))


def test_mistakes_on_separable_sentences_are_bounded():
    """Collins 2002, theorem 1: at most R^2 / gamma^2 mistakes, whatever the order."""
    rng = np.random.default_rng(0)
    L, V, sizes = 3, 6, rng.integers(2, 6, 60)
    u0, u1 = rng.normal(size=(V, L)), rng.normal(size=(L, L))
    words = [rng.integers(0, V, n) for n in sizes]
    gold, margins, radius = [], [], 0.0
    norm = np.sqrt((u0**2).sum() + (u1**2).sum())

    def f(x, y):
        counts = np.zeros(L + V * L + L * L)  # the bias of each place, words and pairs, as the core has them
        for t, tag in enumerate(y):
            counts[tag] += 1
            counts[L + x[t] * L + tag] += 1
            if t:
                counts[L + V * L + y[t - 1] * L + tag] += 1
        return counts

    u = np.concatenate([np.zeros(L), u0.ravel(), u1.ravel()])
    kept = []
    for x in words:
        outputs = list(itertools.product(range(L), repeat=len(x)))
        scores = np.array([u @ f(x, y) for y in outputs])
        order = np.argsort(-scores)
        margin = (scores[order[0]] - scores[order[1]]) / norm
        if margin > 0.1:
            kept.append(x)
            gold.append(outputs[order[0]])
            margins.append(margin)
            radius = max(radius, max(np.linalg.norm(f(x, outputs[order[0]]) - f(x, y)) for y in outputs))
    y_at = np.concatenate([[0], np.cumsum([len(y) for y in gold])]).astype(np.int64)
    flat = np.concatenate(kept).astype(np.uint32)
    block = Block(np.arange(len(flat) + 1, dtype=np.int64), flat, np.ones(len(flat), np.float32), y_at)
    online = Online(Chain(L), Perceptron(), Constant(), (V, 0))
    mistakes = 0
    for _ in range(200):
        online.updates = 0
        online.run((block, shared(len(kept))), np.concatenate(gold).astype(np.int32), y_at, np.arange(len(kept)))
        mistakes += online.updates
        if online.updates == 0:
            break
    assert online.updates == 0
    assert len(kept) > 20
    assert mistakes <= radius**2 / min(margins) ** 2
