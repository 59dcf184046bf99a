"""The voted perceptron against one that keeps every vector and asks each of them."""

import itertools

import numpy as np
import pytest
import test_alignment
import test_brackets
import test_hierarchy
import test_labelset
import test_ordinal
import test_tree
from hypothesis import given, settings
from hypothesis import strategies as st

from linnet.core.blocks import Block
from linnet.core.predictor import Predictor
from linnet.learners import LEARNERS, Examples, Learning
from linnet.structures.alignment import OneToMany
from linnet.structures.chain import Chain
from linnet.structures.itg import Itg
from linnet.structures.labels import Labels
from linnet.structures.labelset import WholeSet
from linnet.structures.matching import Matching
from linnet.structures.monotone import Monotone
from linnet.structures.ranking import Ranking
from linnet.structures.tree import Tree

VOTED = LEARNERS["voted-perceptron"]


def naive(X, y, n_labels, epochs):
    """Freund and Schapire (1999), figure 1, over labels: [(w, c)]."""
    F = np.hstack([np.ones((len(X), 1)), X])
    w, c, vectors = np.zeros((F.shape[1], n_labels)), 0, []
    for f, label in [*zip(F, y, strict=True)] * epochs:
        y_hat = np.argmax(f @ w - 1e-9 * (np.arange(n_labels) == label))  # a tie is a mistake
        if y_hat == label:
            c += 1
            continue
        vectors.append((w.copy(), c))
        w[:, label] += f
        w[:, y_hat] -= f
        c = 1
    return [*vectors, (w, c)]


def votes(vectors, X, n_labels):
    F = np.hstack([np.ones((len(X), 1)), X])
    return sum(c * np.eye(n_labels)[np.argmax(F @ w, axis=1)] for w, c in vectors)


@pytest.fixture
def noisy():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (80, 6)).astype(np.float32)
    return X, np.where(rng.random(80) < 0.2, rng.integers(0, 3, 80), X[:, :3].argmax(axis=1)).astype(np.int32)


def examples_of(block, y):
    return Examples((block,), y, np.arange(len(y) + 1), None)


def learned(block, y, n_features, epochs, **options):
    learning = Learning(VOTED, options, Labels(3), (n_features,))
    fit = learning.run(examples_of(block, y), epochs=epochs, shuffle=False, tol=0)
    return learning, fit.weights


def test_with_room_for_all_it_is_the_algorithm_itself(noisy, block_of):
    X, y = noisy
    vectors = naive(X, y, 3, epochs=2)
    learning, weights = learned(block_of(X), y, 6, 2, votes=1000)
    kept = [(w, c) for w, c in vectors if c > 0]
    assert weights[0].tolist() == [c for _, c in kept]
    assert weights[0].sum() == 160
    for w, (expected, _) in zip(weights[1:], kept, strict=True):
        np.testing.assert_array_equal(w[:, :3], expected)
    np.testing.assert_array_equal(
        Predictor(Labels(3), learning.scorer(weights)).scores((block_of(X),))[0], votes(vectors, X, 3)
    )


def test_with_little_room_those_that_survived_longest_are_kept(noisy, block_of):
    X, y = noisy
    *before, last = naive(X, y, 3, epochs=2)
    learning, weights = learned(block_of(X), y, 6, 2, votes=3)
    longest = sorted((c for _, c in before), reverse=True)[:3]
    assert sorted(weights[0][:3].tolist(), reverse=True) == longest
    assert weights[0][3] == last[1]
    np.testing.assert_array_equal(weights[4][:, :3], last[0])
    vectors = [(w[:, :3], c) for w, c in zip(weights[1:], weights[0], strict=True)]
    np.testing.assert_array_equal(
        Predictor(Labels(3), learning.scorer(weights)).scores((block_of(X),))[0], votes(vectors, X, 3)
    )


def test_the_votes_of_a_chain_are_those_of_its_best_sequences():
    """Two vectors over two tags and three tokens: each best sequence by enumeration adds c to its tags."""
    rng = np.random.default_rng(1)
    vectors = [(rng.normal(size=(4, 2)), rng.normal(size=(1, 4)), c) for c in (3.0, 2.0)]
    X = rng.random((3, 3)).astype(np.float32)
    blocks = (
        Block(np.arange(4) * 3, np.tile(np.arange(3, dtype=np.uint32), 3), X.ravel(), np.array([0, 3])),
        Block(np.zeros(2, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32)),
    )
    emit = np.zeros((3, 2))
    for E, T, c in vectors:
        theta = E[0] + X @ E[1:]
        best = max(
            itertools.product(range(2), repeat=3),
            key=lambda y: (
                sum(theta[t, y[t]] for t in range(3)) + sum(T[0, 2 * a + b] for a, b in itertools.pairwise(y))
            ),
        )
        for t, tag in enumerate(best):
            emit[t, tag] += c
    arrays = [np.ascontiguousarray(part, np.float32) for E, T, _ in vectors for part in (E, T)]
    weights = [np.array([3, 2], np.float32), *arrays]
    found = Predictor(Chain(2), VOTED.scorer(weights, {})).scores(blocks)
    np.testing.assert_array_equal(found[0], emit)
    assert found[1].tolist() == [[0, 0, 0, 0]]


STRUCTURES = {
    "labelset": lambda seed: test_labelset.case(4, seed),
    "whole-set": lambda seed: test_labelset.case(3, seed, gen=WholeSet),
    "hierarchy": lambda seed: test_hierarchy.case([-1, -1, 0, 0, 1, 4], seed),
    "ordinal": lambda seed: test_ordinal.case(5, seed),
    "ordinal, own": lambda seed: test_ordinal.case(5, seed, own=True),
    "tree": lambda seed: test_tree.case((3, 1), (Tree, True, False), seed),
    "tree with relations": lambda seed: test_tree.case((2, 2), (Tree, False, True), seed, pruned=0.3),
    "brackets": lambda seed: test_brackets.case(3, 2, seed),
    "matching": lambda seed: test_alignment.case(Matching, 3, 3, seed),
    "one-to-many": lambda seed: test_alignment.case(OneToMany, 3, 2, seed),
    "monotone": lambda seed: test_alignment.case(Monotone, 3, 3, seed),
    "itg": lambda seed: test_alignment.case(Itg, 3, 3, seed),
}


@pytest.mark.parametrize("name", STRUCTURES)
@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_the_answer_differs_least_from_what_is_voted_for(name, seed):
    """All outputs are listed, and what each differs by from those voted for is counted, in the block that says all."""
    one = STRUCTURES[name](seed)
    rng = np.random.default_rng(seed)
    c = rng.integers(1, 6, 3).astype(np.float32)
    weights = [one.weights([np.where(np.isneginf(T), T, rng.normal(size=T.shape)) for T in one.theta]) for _ in c]
    voted = [one.mu(one.output(Predictor(one.gen, W).argmax(one.blocks())[0].tolist())) for W in weights]

    def differs(y):
        b = one.gen.telling
        return sum(share * np.abs(one.mu(y)[b] - mu[b]).sum() for share, mu in zip(c, voted, strict=True))

    votes = VOTED.scorer([c, *(table for W in weights for table in W)], {})
    found = one.output(Predictor(one.gen, votes).argmax(one.blocks())[0].tolist())
    assert found in one.outputs
    assert differs(found) == pytest.approx(min(map(differs, one.outputs)))


def test_rankings_are_voted_on_as_borda_did():
    """Three votes for 0 1 2 and two for 1 2 0: of 3, 2 and 1 points 0 has three times 3, 1 three times 2 and two times 3."""
    weights = [np.array([3, 2], np.float32), *(np.array([row], np.float32) for row in ([3, 2, 1, 0], [0, 2, 1, 0]))]
    block = Block(np.zeros(2, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32))
    predictor = Predictor(Ranking(3), VOTED.scorer(weights, {}))
    assert predictor.argmax((block,))[0].tolist() == [3, 1, 0, 2]
    assert predictor.scores((block,))[0].tolist() == [[9 + 2 - 2.5, 6 + 6 - 2.5, 3 + 4 - 2.5]]


def test_votes_that_do_not_fit_are_refused():
    weights = [np.ones(2, np.float32), np.zeros((3, 2), np.float32)]
    with pytest.raises(ValueError, match="^2 votes of 1 blocks each, but 1 blocks of weights$"):
        Predictor(Labels(2), VOTED.scorer(weights, {}))
