"""MIRA with the k best outputs: the conditions of its optimum, PA-I for k = 1, and what it refuses."""

import itertools

import numpy as np
import pytest

from linnet.core.blocks import Block
from linnet.core.loops.mira_kbest import KBest
from linnet.core.loops.online import Online
from linnet.errors import UsageError
from linnet.losses.hinge import Hinge
from linnet.steps.passive_aggressive import PassiveAggressive
from linnet.structures.chain import Chain
from linnet.structures.labels import Labels
from linnet.structures.ranking import Ranking


def kbest(gen, n_features, k, C, **options):
    return KBest(gen, Hinge(), PassiveAggressive(C), n_features, k=k, C=C, **options)


def optimal_move(losses, G, C):
    """By enumeration of which tau are 0 and whether their sum is C: sum_a tau_a g_a of the best (tau, by the dual)."""
    n, best, found = len(losses), 0.0, np.zeros(len(losses))
    A = G @ G.T
    for some in itertools.chain.from_iterable(itertools.combinations(range(n), size) for size in range(1, n + 1)):
        at = np.array(some)
        for bound in (False, True):
            K = A[np.ix_(at, at)]
            right = losses[at]
            if bound:
                K = np.block([[K, np.ones((len(at), 1))], [np.ones((1, len(at))), np.zeros((1, 1))]])
                right = np.append(right, C)
            tau = np.linalg.lstsq(K, right, rcond=None)[0][: len(at)]
            if (tau < -1e-9).any() or tau.sum() > C + 1e-9:
                continue
            value = tau @ losses[at] - tau @ A[np.ix_(at, at)] @ tau / 2
            if value > best + 1e-12:
                best, found = value, np.zeros(n)
                found[at] = tau
    return found @ G


@pytest.mark.parametrize("C", [0.02, 0.2, np.inf])
@pytest.mark.parametrize(("n_labels", "k"), [(4, 2), (4, 3), (4, 4), (6, 5)])
def test_over_labels_each_step_is_the_nearest_with_all_margins(block_of, n_labels, k, C):
    rng = np.random.default_rng(n_labels + k)
    X, y = rng.normal(size=(30, 3)), rng.integers(0, n_labels, 30).astype(np.int32)
    online = kbest(Labels(n_labels), (3,), k, C)
    W = np.zeros((4, n_labels))
    for x, label in zip(X, y, strict=True):
        f = np.concatenate([[1], x])
        augmented = f @ W + (np.arange(n_labels) != label)
        outputs = np.argsort(-augmented, kind="stable")[:k]
        if outputs[0] != label:
            G = np.array([np.outer(f, np.eye(n_labels)[z] - np.eye(n_labels)[label]).ravel() for z in outputs])
            W = W - optimal_move(augmented[outputs] - augmented[label], G, C).reshape(W.shape)
        online.run((block_of([x]),), np.array([label], np.int32), np.array([0, 1]), np.array([0]))
        found = online.last()[0][:, :n_labels]
        np.testing.assert_allclose(found, W, rtol=2e-3, atol=2e-4)
        W = found.astype(float)


def sentences(L=3, n=30, seed=0):
    rng = np.random.default_rng(seed)
    at = np.concatenate([[0], np.cumsum(rng.integers(1, 5, n))])
    words, y = rng.integers(0, 5, at[-1]), rng.integers(0, L, at[-1]).astype(np.int32)
    emit = Block(np.arange(at[-1] + 1), words.astype(np.uint32), np.ones(at[-1], np.float32), at)
    trans = Block(np.zeros(n + 1, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32))
    return words, y, at, (emit, trans)


def test_over_sentences_too():
    L, k, C = 3, 4, 0.3
    words, y, at, blocks = sentences(L)

    def f(x, z):
        emit, trans = np.zeros((6, L)), np.zeros(L * L)
        for word, tag in zip(x, z, strict=True):
            emit[0, tag] += 1
            emit[word + 1, tag] += 1
        for a, b in itertools.pairwise(z):
            trans[a * L + b] += 1
        return np.concatenate([emit.ravel(), trans])

    online = kbest(Chain(L), (5, 0), k, C)
    w = np.zeros(6 * L + L * L)
    for i in range(len(at) - 1):
        x, gold = words[at[i] : at[i + 1]], tuple(y[at[i] : at[i + 1]].tolist())
        outputs = list(itertools.product(range(L), repeat=len(x)))
        scores = np.array([w @ f(x, z) + sum(a != b for a, b in zip(z, gold, strict=True)) for z in outputs])
        online.run(blocks, y, at, np.array([i]))
        emit, trans = online.last()
        found = np.concatenate([emit[:, :L].ravel(), trans[0, : L * L]]).astype(float)
        order = np.argsort(-scores)
        if len(outputs) <= k or scores[order[k - 1]] > scores[order[k]] + 1e-4:  # of ties, any may be among the k best
            some = [outputs[a] for a in order[:k]]
            G = np.array([f(x, z) - f(x, gold) for z in some])
            expected = w - optimal_move(scores[order[:k]] - w @ f(x, gold), G, C) if some[0] != gold else w
            np.testing.assert_allclose(found, expected, rtol=2e-3, atol=2e-4)
        w = found


@pytest.mark.parametrize("averaged", [False, True])
def test_one_output_is_pa1(averaged):
    _, y, at, blocks = sentences()
    one = kbest(Chain(3), (5, 0), 1, 0.1, averaged=averaged)
    usual = Online(Chain(3), Hinge(), PassiveAggressive(0.1), (5, 0), averaged=averaged)
    for online in (one, usual):
        online.run(blocks, y, at, np.arange(30), np.linspace(0, 2, 30, dtype=np.float32))
    for a, b in zip(one.last(), usual.last(), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-3, atol=1e-5)
    assert (one.total, one.updates) == pytest.approx((usual.total, usual.updates), rel=1e-4)
    if averaged:
        np.testing.assert_allclose(one.average()[0], usual.average()[0], rtol=1e-3, atol=1e-5)


def test_without_slack_all_margins_are_closed(block_of):
    # f = (1, 2), five labels: afterwards the right one is ahead of each of the others by 1.
    online = kbest(Labels(5), (1,), 4, np.inf)
    online.run((block_of([[2]]),), np.array([3], np.int32), np.array([0, 1]), np.array([0]))
    theta = np.array([1, 2]) @ online.last()[0][:, :5]
    assert np.delete(theta[3] - theta, 3) == pytest.approx([1, 1, 1, 1], abs=1e-4)


def test_a_structure_without_k_best_is_refused():
    with pytest.raises(UsageError) as caught:
        kbest(Ranking(3), (4,), 5, 1)
    assert (
        str(caught.value)
        == "k=5 needs outputs that have scores, which those of structure 'ranking' do not have. Use k=1."
    )
