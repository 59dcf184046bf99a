"""Alignments of every kind against the enumeration of all of them: the best, log Z, marginals, losses, gradients."""

import itertools

import numpy as np
import pytest
from enumeration import SMOOTH, Case
from hypothesis import given, settings
from hypothesis import strategies as st

from linnet.core.predictor import Predictor
from linnet.structures.alignment import OneToMany
from linnet.structures.itg import Itg
from linnet.structures.matching import Matching
from linnet.structures.monotone import Monotone


def is_matching(links):
    return len({i for i, _ in links}) == len({j for _, j in links}) == len(links)


def is_monotone(links):
    return is_matching(links) and all(a < c and b < d for (a, b), (c, d) in itertools.pairwise(sorted(links)))


def is_itg(links):
    """By the definition: cut somewhere, each part by itself, straight or crosswise."""
    if not is_matching(links):
        return False
    targets = [j for _, j in sorted(links)]

    def splits(some):
        if len(some) < 2:
            return True
        for k in range(1, len(some)):
            a, b = some[:k], some[k:]
            if (max(a) < min(b) or max(b) < min(a)) and splits(a) and splits(b):
                return True
        return False

    return splits(targets)


KINDS = {
    OneToMany: lambda links: len({j for _, j in links}) == len(links),
    Matching: is_matching,
    Monotone: is_monotone,
    Itg: is_itg,
}
every = pytest.mark.parametrize("kind", KINDS)


def outputs(kind, n, m):
    """Each target with one source or none, of those that are of this kind."""
    for chosen in itertools.product(range(-1, n), repeat=m):
        links = [(i, j) for j, i in enumerate(chosen) if i >= 0]
        if KINDS[kind](links):
            yield flags(links, n, m)


def flags(links, n, m):
    y = np.zeros((n, m), np.int32)
    for i, j in links:
        y[i, j] = 1
    return tuple(y.ravel().tolist())


def case(kind, n, m, seed, size=1.5, miss=1.0):
    rng = np.random.default_rng(seed)

    def mu(y):
        used = (np.array(y).reshape(n, m) == 1).astype(float)
        return [used.reshape(-1, 1), (used.sum(axis=0) == 0).astype(float).reshape(-1, 1)]

    def cost(gold, y):
        gold, y = np.array(gold), np.array(y)
        return float(((gold == 0) & (y == 1)).sum() + miss * ((gold == 1) & (y == 0)).sum())

    theta = [rng.normal(0, size, (k, 1)).astype(np.float32) for k in (n * m, m)]
    return Case(kind(miss), theta, list(outputs(kind, n, m)), mu, cost, any=2)


shapes = st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(lambda shape: shape[0] * shape[1] <= 12)
cases = st.tuples(shapes, st.integers(0, 2**32 - 1), st.sampled_from([0.5, 1.5, 6.0]), st.sampled_from([1.0, 3.0]))


@every
@given(cases)
def test_all_is_as_enumerated(kind, given):
    (n, m), seed, size, miss = given
    one = case(kind, n, m, seed, size, miss)
    one.check(one.outputs[seed % len(one.outputs)])


@every
@settings(max_examples=60)
@given(cases, st.integers(1, 40), st.booleans())
def test_the_k_best_are_those_of_the_enumeration(kind, given, k, ties):
    (n, m), seed, size, miss = given
    one = case(kind, n, m, seed, size, miss)
    if ties:
        one.theta = [np.round(table) for table in one.theta]
    one.check_k_best(k)


@every
@given(shapes, st.integers(0, 2**32 - 1))
def test_gold_links_may_be_many_to_many_and_possible_only(kind, shape, seed):
    one = case(kind, *shape, seed)
    one.check(tuple(np.random.default_rng(seed).integers(0, 3, shape[0] * shape[1]).tolist()))


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1))
def test_permutations_that_a_grammar_cannot_make(seed):
    """2 4 1 3 and 3 1 4 2 score best as matchings."""
    one = case(Itg, 4, 4, seed, 0.5)
    order = [1, 3, 0, 2] if seed % 2 else [2, 0, 3, 1]
    for i, j in enumerate(order):
        one.theta[0][4 * i + j] += 3
    matched, _ = Predictor(Matching(), one.weights()).argmax(one.blocks())
    if np.flatnonzero(matched).tolist() == [4 * i + j for i, j in enumerate(order)]:
        assert tuple(matched.tolist()) not in one.outputs
    one.check(one.outputs[seed % len(one.outputs)])


@pytest.mark.parametrize("kind", [OneToMany, Monotone, Itg])
@pytest.mark.parametrize("loss", SMOOTH, ids=lambda loss: loss.name)
def test_gradients_by_finite_differences(kind, loss):
    one = case(kind, 3, 3, 7, 0.7)
    one.check_gradients(loss, one.outputs[len(one.outputs) // 2])


@every
@given(shapes.filter(lambda shape: shape[0] * shape[1] > 0), st.integers(0, 2**32 - 1))
def test_links_are_forced_and_kept_out(kind, shape, seed):
    n, m = shape
    one = case(kind, n, m, seed)
    rng = np.random.default_rng(seed)
    wanted = one.outputs[seed % len(one.outputs)]
    forced = np.full(n * m, -1, np.int32)
    for p, flag in enumerate(wanted):
        if rng.random() < 0.4:
            forced[p] = (1 if flag else 0) if rng.random() < 0.5 else (-2 if flag else -3)
    left = [y for y in one.outputs if all(_allows(f, flag) for f, flag in zip(forced.tolist(), y, strict=True))]
    y_hat, _ = Predictor(one.gen, one.weights()).argmax(one.blocks(), forced)
    assert tuple(y_hat.tolist()) in left
    assert one.score(tuple(y_hat.tolist())) == pytest.approx(max(map(one.score, left)), abs=1e-4)
    if one.gen.has_marginals:
        p = np.exp([one.score(y) for y in left])
        expected = sum(share * np.array(y) for share, y in zip(p / p.sum(), left, strict=True))
        found = Predictor(one.gen, one.weights()).marginals(one.blocks(), forced)[0].ravel()
        np.testing.assert_allclose(found, expected, atol=1e-4)


def _allows(forced, flag):
    return forced == -1 or (flag == forced if forced >= 0 else flag != -2 - forced)


def test_a_matching_of_many_tokens_is_that_of_scipy():
    optimize = pytest.importorskip("scipy.optimize")
    rng = np.random.default_rng(0)
    for n, m in ((1, 40), (40, 1), (37, 52), (60, 33)):
        one = case(OneToMany, 1, 1, 0)
        one.theta = [rng.normal(0, 2, (k, 1)).astype(np.float32) for k in (n * m, m)]
        y_hat, _ = Predictor(Matching(), one.weights()).argmax(one.blocks())
        links = y_hat.reshape(n, m)
        assert links.sum(axis=0).max() <= 1
        assert links.sum(axis=1).max() <= 1
        gain = one.theta[0].reshape(n, m) - one.theta[1].ravel()
        rows, columns = optimize.linear_sum_assignment(np.maximum(gain, 0), maximize=True)
        assert (links * gain).sum() == pytest.approx(np.maximum(gain, 0)[rows, columns].sum(), rel=1e-5)


def test_accuracy_is_one_less_the_error_rate():
    # sure: 2, found: 3; one of them sure, one possible, one neither: 1 - (1 + 2) / (3 + 2) = 0.4
    y, y_hat = np.array([1, 1, 2, 0, 2]), np.array([1, 0, 1, 1, 0])
    assert Matching().accuracy(y, None, y_hat, None) == pytest.approx(0.6)
    assert Matching().accuracy(np.zeros(4), None, np.zeros(4), None) == 1


def test_a_cost_below_0_is_refused():
    with pytest.raises(ValueError, match="expected a cost of missing a link above 0, found -1"):
        Matching(-1)
