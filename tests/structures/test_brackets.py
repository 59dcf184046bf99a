"""Constituent trees against the enumeration of all of them."""

from itertools import product

import numpy as np
import pytest
from enumeration import SMOOTH, Case
from hypothesis import given, settings
from hypothesis import strategies as st

from linnet.core.predictor import Predictor
from linnet.structures.brackets import Brackets


def shapes(i, j):
    """All binary trees over the words i..j: their spans, and how these are split."""
    if i == j:
        return [({(i, i)}, set())]
    return [
        (left[0] | right[0] | {(i, j)}, left[1] | right[1] | {(i, k, j)})
        for k in range(i, j)
        for left in shapes(i, k)
        for right in shapes(k + 1, j)
    ]


def case(n, L, seed, size=1.5):
    rng = np.random.default_rng(seed)
    spans = list(map(tuple, Brackets.spans(n).T.tolist()))
    splits = list(map(tuple, Brackets.splits(n).T.tolist()))
    of = {}
    for used, cuts in shapes(0, n - 1):
        for labels in product(range(L), repeat=len(used)):
            label = dict(zip(sorted(used), labels, strict=True))
            of[tuple(label.get(span, -1) + 1 for span in spans)] = cuts

    def mu(y):
        labels = np.array([[one == k + 1 for k in range(L)] for one in y], float)
        return [labels, np.array([[split in of[y]] for split in splits], float).reshape(-1, 1)]

    def cost(y, other):
        return sum(b > 0 and a != b for a, b in zip(y, other, strict=True))

    theta = [rng.normal(0, size, (len(places), k)).astype(np.float32) for places, k in ((spans, L), (splits, 1))]
    return Case(Brackets(L), theta, list(of), mu, cost)


sizes = st.sampled_from([(1, 1), (1, 3), (2, 1), (2, 3), (3, 2), (3, 3), (4, 2), (5, 1)])


def test_places_are_all_of_them_in_order():
    assert Brackets.spans(3).T.tolist() == [[0, 0], [0, 1], [1, 1], [0, 2], [1, 2], [2, 2]]
    assert Brackets.splits(3).T.tolist() == [[0, 0, 1], [0, 0, 2], [0, 1, 2], [1, 1, 2]]
    for n in range(7):
        expected = sorted((j, i, k) for i in range(n) for j in range(n) for k in range(n) if i <= k < j)
        assert [(j, i, k) for i, k, j in Brackets.splits(n).T.tolist()] == expected


@settings(max_examples=80, deadline=None)
@given(sizes, st.integers(0, 2**32 - 1), st.sampled_from([0.5, 2.0, 8.0]))
def test_it_is_the_enumeration(size, seed, scale):
    one = case(*size, seed, scale)
    one.check(one.outputs[seed % len(one.outputs)])


def test_longer_sentences_have_the_best_tree_of_many():
    for seed in range(20):
        one = case(6, 1, seed, 3.0)
        one.check(one.outputs[seed % len(one.outputs)])


@settings(max_examples=12, deadline=None)
@given(st.sampled_from([(1, 3), (2, 2), (3, 2)]), st.integers(0, 2**32 - 1))
def test_gradients_are_finite_differences(size, seed):
    one = case(*size, seed, 0.5)
    for loss in SMOOTH:
        one.check_gradients(loss, one.outputs[seed % len(one.outputs)])


@settings(max_examples=60, deadline=None)
@given(sizes, st.integers(0, 2**32 - 1), st.sampled_from([1, 2, 3, 7, 20]))
def test_the_k_best_are_the_first_of_all(size, seed, k):
    case(*size, seed).check_k_best(k)


@settings(max_examples=30, deadline=None)
@given(st.sampled_from([(2, 3), (3, 2), (4, 2)]), st.integers(0, 2**32 - 1), st.data())
def test_what_is_forced_is_what_comes_out(size, seed, data):
    one = case(*size, seed)
    predictor = Predictor(one.gen, one.weights())
    at = data.draw(st.integers(0, len(one.theta[0]) - 1))
    value = data.draw(st.sampled_from(sorted({y[at] for y in one.outputs})))
    for number, allowed in (
        (value, lambda y: y[at] == value),
        (-2 - value, lambda y: y[at] != value),
        (one.gen.hidden, lambda y: y[at] <= 1),
    ):
        left = [y for y in one.outputs if allowed(y)]
        forced = np.full(len(one.theta[0]), -1, np.int32)
        forced[at] = number
        if not left:
            continue
        found = tuple(predictor.argmax(one.blocks(), forced)[0].tolist())
        assert found in left
        assert one.score(found) == pytest.approx(max(map(one.score, left)), abs=1e-4)
        p = np.exp([one.score(y) for y in left])
        for a, parts in zip(
            predictor.marginals(one.blocks(), forced), zip(*map(one.mu, left), strict=True), strict=True
        ):
            np.testing.assert_allclose(a, np.tensordot(p / p.sum(), parts, 1), atol=2e-4)


def test_a_whole_tree_can_be_forced():
    one = case(4, 2, 3)
    predictor = Predictor(one.gen, one.weights())
    for y in one.outputs[::37]:
        assert predictor.argmax(one.blocks(), np.array(y, np.int32))[0].tolist() == list(y)


def test_accuracy_is_f1_of_the_constituents():
    gen = Brackets(3)
    # two words: S over both and NP over the first; found: S over both and NP over the second
    y, y_hat = np.array([2, 3, 1]), np.array([1, 3, 2])
    at = np.array([0, 3])
    assert gen.accuracy(y, at, y_hat, at) == pytest.approx(2 * 1 / (2 + 2))
    assert gen.accuracy(np.array([2, -1, 1]), at, y_hat, at) == 0
    assert gen.accuracy(np.array([1]), at, np.array([1]), at) == 1
