"""Dependency trees against the enumeration of all of them."""

from itertools import product

import numpy as np
import pytest
from enumeration import SMOOTH, Case
from hypothesis import given, settings
from hypothesis import strategies as st
from linnet.core.predictor import Predictor
from linnet.structures.tree import Tree

KINDS = list(product([True, False], [True, False]))


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


def trees(n, projective, one_root):
    return [
        heads
        for heads in product(range(n + 1), repeat=n)
        if is_tree(heads) and not (projective and crosses(heads)) and not (one_root and heads.count(0) > 1)
    ]


def case(n, R, projective, one_root, seed, size=1.5):
    rng = np.random.default_rng(seed)
    outputs = [
        tuple(h * R + r for h, r in zip(heads, relations, strict=True))
        for heads in trees(n, projective, one_root)
        for relations in product(range(R), repeat=n)
    ]
    places = n * (n + 1)

    def mu(y):
        arcs, relations = np.zeros((places, 1)), np.zeros((places, R))
        for m, one in enumerate(y):
            arcs[m * (n + 1) + one // R, 0] += 1
            relations[m * (n + 1) + one // R, one % R] += 1
        return [arcs] if R == 1 else [arcs, relations]

    theta = [rng.normal(0, size, (places, k)).astype(np.float32) for k in ((1,) if R == 1 else (1, R))]
    gen = Tree(R, projective=projective, one_root=one_root)
    return Case(gen, theta, outputs, mu, lambda y, other: sum(a != b for a, b in zip(y, other, strict=True)))


sizes = st.sampled_from([(1, 1), (2, 1), (3, 1), (4, 1), (1, 3), (2, 2), (3, 2)])


@settings(max_examples=60, deadline=None)
@given(sizes, st.sampled_from(KINDS), st.integers(0, 2**32 - 1), st.sampled_from([0.5, 2.0, 8.0]))
def test_it_is_the_enumeration(size, kind, seed, scale):
    one = case(*size, *kind, seed, scale)
    one.check(one.outputs[seed % len(one.outputs)])


@settings(max_examples=12, deadline=None)
@given(st.sampled_from([(2, 1), (3, 1), (2, 2)]), st.sampled_from(KINDS), st.integers(0, 2**32 - 1))
def test_gradients_are_finite_differences(size, kind, seed):
    one = case(*size, *kind, seed, 0.5)
    for loss in SMOOTH[:3]:
        one.check_gradients(loss, one.outputs[seed % len(one.outputs)])


@pytest.mark.parametrize(("projective", "one_root"), KINDS)
def test_longer_sentences_have_the_best_tree_of_many(projective, one_root):
    for seed in range(60):
        one = case(5, 1, projective, one_root, seed, 3.0)
        one.check(one.outputs[seed % len(one.outputs)])


@pytest.mark.parametrize(("projective", "one_root"), KINDS)
def test_what_is_forced_is_what_comes_out(projective, one_root):
    one = case(3, 2, projective, one_root, 7)
    predictor = Predictor(one.gen, one.weights())
    for y in one.outputs[::5]:
        assert predictor.argmax(one.blocks(), np.array(y, np.int32))[0].tolist() == list(y)
    free = predictor.argmax(one.blocks(), np.full(3, -1, np.int32))[0]
    without = np.array([-2 - free[0], -1, -1], np.int32)
    found = tuple(predictor.argmax(one.blocks(), without)[0].tolist())
    best = max((y for y in one.outputs if y[0] != free[0]), key=one.score)
    assert one.score(found) == pytest.approx(one.score(best), abs=1e-4)
