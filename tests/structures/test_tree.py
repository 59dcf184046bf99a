"""Dependency trees of first and second order against the enumeration of all of them."""

from functools import cache
from itertools import product

import numpy as np
import pytest
from enumeration import SMOOTH, Case
from hypothesis import given, settings
from hypothesis import strategies as st

from linnet.core.blocks import Block
from linnet.core.predictor import Predictor
from linnet.core.weights import stride_of
from linnet.structures.grandparents import GrandTree
from linnet.structures.siblings import SiblingTree
from linnet.structures.tree import Tree

KINDS = [
    (gen, projective, one_root)
    for gen, projective, one_root in product([Tree, SiblingTree, GrandTree], [True, False], [True, False])
    if projective or gen is Tree
]
"""Those whose best tree is found exactly."""
APPROXIMATE = [(gen, False, one_root) for gen, one_root in product([SiblingTree, GrandTree], [True, False])]


def is_tree(heads):
    """Every token comes to the root."""
    for m in range(1, len(heads) + 1):
        seen = set()
        while m:
            if m in seen:
                return False
            seen.add(m)
            m = heads[m - 1]
    return True


def crosses(heads):
    arcs = [(min(h, m), max(h, m)) for m, h in enumerate(heads, 1)]
    return any(a < c < b < d for a, b in arcs for c, d in arcs)


@cache
def trees(n, projective, one_root):
    return [
        heads
        for heads in product(range(n + 1), repeat=n)
        if is_tree(heads) and not (projective and crosses(heads)) and not (one_root and heads.count(0) > 1)
    ]


@cache
def numbers(n):
    """The place of each triple of siblings."""
    return {tuple(triple): at for at, triple in enumerate(SiblingTree.triples(n).T.tolist())}


def parts(gen, n, R, y):
    """(place, outcome) of each block that y uses."""
    heads = [one // R for one in y]
    arcs = [((m - 1) * (n + 1) + h, 0) for m, h in enumerate(heads, 1)]
    yield arcs
    if R > 1:
        yield [(arc, one % R) for (arc, _), one in zip(arcs, y, strict=True)]
    if gen is Tree:
        return
    siblings = []
    for m, h in enumerate(heads, 1):
        step = 1 if h > m else -1
        s = next(s for s in range(m + step, h + step, step) if s == h or heads[s - 1] == h)
        siblings.append((numbers(n)[h, s, m], 0))
    yield siblings
    if gen is GrandTree:
        yield [(arc * (n + 1) + heads[h - 1], 0) for (arc, _), h in zip(arcs, heads, strict=True) if h]


def case(size, kind, seed, scale=1.5, pruned=0.0):
    """Random scores; of the arcs a share is out, but for those of one tree."""
    (n, R), (gen, projective, one_root) = size, kind
    rng = np.random.default_rng(seed)
    arcs = n * (n + 1)
    places = [arcs, *[arcs] * (R > 1), *[len(numbers(n))] * (gen is not Tree), *[arcs * (n + 1)] * (gen is GrandTree)]
    one = gen(R, projective=projective, one_root=one_root)
    theta = [rng.normal(0, scale, shape).astype(np.float32) for shape in zip(places, one.outcomes, strict=True)]
    left = trees(n, projective, one_root)
    if pruned:
        out = (rng.random((n, n + 1)) < pruned) & (np.arange(n + 1) != np.arange(1, n + 1)[:, None])
        out[np.arange(n), left[rng.integers(len(left))]] = False
        theta[0][out.ravel()] = -np.inf
        left = [heads for heads in left if not out[np.arange(n), heads].any()]
    outputs = [
        tuple(h * R + r for h, r in zip(heads, relations, strict=True))
        for heads in left
        for relations in product(range(R), repeat=n)
    ]

    def mu(y):
        tables = [np.zeros(table.shape) for table in theta]
        for table, used in zip(tables, parts(gen, n, R, y), strict=True):
            for at in used:
                table[at] += 1
        return tables

    return Case(one, theta, outputs, mu, lambda y, other: sum(a != b for a, b in zip(y, other, strict=True)))


sizes = st.sampled_from([(1, 1), (2, 1), (3, 1), (4, 1), (1, 3), (2, 2), (3, 2)])
kinds = st.sampled_from(KINDS)
seeds = st.integers(0, 2**32 - 1)
scales = st.sampled_from([0.5, 2.0, 8.0])
shares = st.sampled_from([0.0, 0.3, 0.6, 0.9])


@settings(max_examples=150, deadline=None)
@given(sizes, kinds, seeds, scales, shares)
def test_it_is_the_enumeration(size, kind, seed, scale, pruned):
    one = case(size, kind, seed, scale, pruned)
    one.check(one.outputs[seed % len(one.outputs)])


@settings(max_examples=20, deadline=None)
@given(st.sampled_from([(2, 1), (3, 1), (2, 2)]), kinds, seeds)
def test_gradients_are_finite_differences(size, kind, seed):
    one = case(size, kind, seed, 0.5)
    for loss in SMOOTH:
        one.check_gradients(loss, one.outputs[seed % len(one.outputs)])


@pytest.mark.parametrize("kind", KINDS)
def test_longer_sentences_have_the_best_tree_of_many(kind):
    for seed in range(40):
        one = case((5, 1), kind, seed, 3.0, pruned=(seed % 3) / 4)
        one.check(one.outputs[seed % len(one.outputs)])


@settings(max_examples=100, deadline=None)
@given(sizes, kinds, seeds, shares, st.integers(1, 30), st.booleans())
def test_the_k_best_are_those_of_the_enumeration(size, kind, seed, pruned, k, ties):
    one = case(size, kind, seed, 2.0, pruned)
    if ties:
        one.theta[:] = [np.round(table) for table in one.theta]
    one.check_k_best(k)


@settings(max_examples=60, deadline=None)
@given(sizes, kinds, seeds, shares, st.integers(1, 30))
def test_the_k_best_may_differ_in_heads(size, kind, seed, pruned, k):
    one, R, (gen, projective, one_root) = case(size, kind, seed, 2.0, pruned), size[1], kind
    best = {}
    for y in one.outputs:
        heads = tuple(part // R for part in y)
        best[heads] = max(best.get(heads, -np.inf), one.score(y))
    by_heads = gen(R, projective=projective, one_root=one_root, by_heads=True)
    ((rows, scores),) = Predictor(by_heads, one.weights()).kbest(one.blocks(), k)
    found = [tuple(row) for row in (rows // R).tolist()]
    assert len(set(found)) == len(found) == min(k, len(best))
    np.testing.assert_allclose(scores, sorted(best.values(), reverse=True)[:k], rtol=1e-5, atol=1e-4)
    np.testing.assert_allclose(scores, [best[heads] for heads in found], rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_forced_is_what_comes_out(kind):
    one = case((3, 2), kind, 7)
    predictor = Predictor(one.gen, one.weights())
    for y in one.outputs[::5]:
        assert predictor.argmax(one.blocks(), np.array(y, np.int32))[0].tolist() == list(y)
    free = predictor.argmax(one.blocks(), np.full(3, -1, np.int32))[0]
    without = np.array([-2 - free[0], -1, -1], np.int32)
    left = sorted((one.score(y) for y in one.outputs if y[0] != free[0]), reverse=True)
    found = tuple(predictor.argmax(one.blocks(), without)[0].tolist())
    assert one.score(found) == pytest.approx(left[0], abs=1e-4)
    ((_, scores),) = predictor.kbest(one.blocks(), 4, without)
    np.testing.assert_allclose(scores, left[:4], atol=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_where_no_tree_is_left_the_best_has_one_arc_that_is_out(kind):
    """1 hangs from 2 and 2 from 1, so that one of them has another head."""
    one = case((3, 1), kind, 3)
    for m, h in (1, 2), (2, 1):
        one.theta[0].reshape(3, 4)[m - 1, np.arange(4) != h] = -np.inf
    predictor = Predictor(one.gen, one.weights())
    heads = tuple(predictor.argmax(one.blocks())[0].tolist())
    assert heads in one.outputs
    assert (heads[0] != 2) + (heads[1] != 1) == 1
    assert predictor.kbest(one.blocks(), 2)[0][0].shape == (0, 3)
    assert not any(table.any() for table in predictor.marginals(one.blocks()))


def test_the_probabilities_of_a_sure_cycle_are_right():
    """1 and 2 would hang from each other, but for e^-40. Then one of them hangs from the root, as likely as the other."""
    theta = np.array([[-40, 0, 0], [-40, 0, 0]], np.float32).reshape(6, 1)
    for one_root in True, False:
        one = case((2, 1), (Tree, False, one_root), 0)
        one.theta[:] = [theta]
        one.check((2, 0))
        found = Predictor(one.gen, one.weights()).marginals(one.blocks())[0].reshape(2, 3)
        np.testing.assert_allclose(found, [[0.5, 0, 0.5], [0.5, 0.5, 0]], atol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_worked_out_before_leaves_no_trace(kind):
    """Sentences of several lengths, one behind the other, are as each alone."""
    cases = [case((n, 2), kind, n, 2.0, pruned=0.3) for n in (4, 1, 3, 4, 2)]
    weights, blocks = [], []
    for tables in zip(*(one.theta for one in cases), strict=True):
        at = np.cumsum([0, *map(len, tables)])
        W = np.zeros((at[-1] + 1, stride_of(tables[0].shape[1])), np.float32)
        W[1:, : tables[0].shape[1]] = np.concatenate(tables)
        weights.append(W)
        blocks.append(Block(np.arange(at[-1] + 1), np.arange(at[-1], dtype=np.uint32), np.ones(at[-1], np.float32), at))
    together = Predictor(cases[0].gen, weights)
    alone = [Predictor(one.gen, one.weights()) for one in cases]
    y_hat = [predictor.argmax(one.blocks())[0] for one, predictor in zip(cases, alone, strict=True)]
    assert together.argmax(tuple(blocks))[0].tolist() == np.concatenate(y_hat).tolist()
    mu = [predictor.marginals(one.blocks()) for one, predictor in zip(cases, alone, strict=True)]
    for found, expected in zip(together.marginals(tuple(blocks)), zip(*mu, strict=True), strict=True):
        np.testing.assert_array_equal(found, np.concatenate(expected))
    for one, predictor, (rows, _) in zip(cases, alone, together.kbest(tuple(blocks), 7), strict=True):
        np.testing.assert_array_equal(rows, predictor.kbest(one.blocks(), 7)[0][0])


def test_triples_are_all_of_them_once():
    for n in range(6):
        expected = {
            (h, s, m)
            for h in range(n + 1)
            for m in range(1, n + 1)
            for s in (range(h, m) if m > h else range(m + 1, h + 1))
            if m != h
        }
        assert len(numbers(n)) == SiblingTree.triples(n).shape[1]
        assert set(numbers(n)) == expected


@pytest.mark.parametrize("kind", APPROXIMATE)
def test_changes_of_single_heads_come_near_the_best_tree(kind):
    right, seeds = 0, 100
    for seed in range(seeds):
        one = case((4, 1) if seed % 2 else (3, 2), kind, seed, 1.0, pruned=(seed % 3) / 4)
        y = tuple(Predictor(one.gen, one.weights()).argmax(one.blocks())[0].tolist())
        assert y in one.outputs
        R = one.gen.n_relations
        projective = [one.score(other) for other in one.outputs if not crosses([v // R for v in other])]
        assert one.score(y) >= max(projective, default=-np.inf) - 1e-4
        right += one.score(y) >= max(map(one.score, one.outputs)) - 1e-4
        rows, scores = Predictor(one.gen, one.weights()).kbest(one.blocks(), 5)[0]
        found = [tuple(row) for row in rows.tolist()]
        assert set(found) <= set(one.outputs)
        assert len(found) == len(set(found)) == min(5, len(one.outputs))
        np.testing.assert_allclose(scores, [one.score(other) for other in found], rtol=1e-5, atol=1e-4)
        assert (np.diff(scores) <= 0).all()
    assert right >= 0.85 * seeds


def test_trees_of_second_order_that_may_cross_have_no_marginals():
    for gen in SiblingTree, GrandTree:
        assert gen(2).has_marginals
        assert not gen(2, projective=False).has_marginals
