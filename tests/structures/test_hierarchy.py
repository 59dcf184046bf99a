"""A tree of labels against the enumeration of its leaves, and its forced labels."""

import math
import pickle

import numpy as np
import pytest
from enumeration import SMOOTH, Case
from hypothesis import given, settings
from hypothesis import strategies as st

from linnet.core.predictor import Predictor
from linnet.structures.hierarchy import Hierarchy

trees = st.lists(st.integers(0, 10**6), min_size=1, max_size=10).map(
    lambda draws: [draw % (v + 1) - 1 for v, draw in enumerate(draws)]
)


def path(parents, v):
    nodes = []
    while v >= 0:
        nodes.append(v)
        v = parents[v]
    return nodes


def case(parents, seed, size=1.5):
    gen = Hierarchy(parents)
    leaves = gen.leaves.tolist()

    def mu(y):
        table = np.zeros((1, len(parents)))
        table[0, path(parents, leaves[y[0]])] = 1
        return [table]

    def cost(y, other):
        return math.sqrt(len(set(path(parents, leaves[y[0]])) ^ set(path(parents, leaves[other[0]]))))

    theta = np.random.default_rng(seed).normal(0, size, (1, len(parents))).astype(np.float32)
    return Case(gen, [theta], [(k,) for k in range(len(leaves))], mu, cost)


@given(trees, st.integers(0, 2**32 - 1), st.sampled_from([0.5, 1.5, 6.0]))
def test_it_is_the_enumeration(parents, seed, size):
    one = case(parents, seed, size)
    one.check(one.outputs[seed % len(one.outputs)])


@given(trees, st.integers(0, 2**32 - 1), st.integers(1, 12), st.booleans())
def test_the_k_best_are_those_of_the_enumeration(parents, seed, k, ties):
    one = case(parents, seed)
    if ties:
        one.theta[:] = [np.round(table) for table in one.theta]
    one.check_k_best(k)


@settings(max_examples=20)
@given(trees, st.integers(0, 2**32 - 1))
def test_gradients_are_finite_differences(parents, seed):
    one = case(parents, seed, 0.5)
    for loss in SMOOTH:
        one.check_gradients(loss, one.outputs[seed % len(one.outputs)])


@given(trees, st.integers(0, 2**32 - 1))
def test_each_node_is_a_question(parents, seed):
    one = case(parents, seed)
    gold = one.outputs[seed % len(one.outputs)]
    on_path = one.mu(gold)[0]
    one.check_questions(gold, [[e[None] * (2 * on_path - 1)] for e in np.eye(len(parents))])


@given(trees, st.integers(0, 2**32 - 1))
def test_what_is_forced_is_what_comes_out(parents, seed):
    one = case(parents, seed)
    predictor = Predictor(one.gen, one.weights())
    for (k,) in one.outputs:
        assert predictor.argmax(one.blocks(), np.array([k], np.int32))[0].tolist() == [k]
        if len(one.outputs) > 1:
            others = [y for y in one.outputs if y != (k,)]
            found = predictor.argmax(one.blocks(), np.array([-2 - k], np.int32))[0].tolist()
            assert one.score(found) == pytest.approx(max(map(one.score, others)), abs=1e-4)


def test_the_probability_of_a_node_is_that_of_all_below_it():
    """ln 1, ln 2 and ln 5 as scores of the leaves: 1/8, 2/8 below node 0, 5/8 by itself."""
    gen = Hierarchy([-1, 0, 0, -1])
    assert gen.leaves.tolist() == [1, 2, 3]
    one = Case(gen, [np.log([[1, 1, 2, 5]]).astype(np.float32)], [], None, None)
    p = Predictor(gen, one.weights()).marginals(one.blocks())[0]
    np.testing.assert_allclose(p, [[3 / 8, 1 / 8, 2 / 8, 5 / 8]], atol=1e-6)


@given(trees)
def test_costs_are_the_edges_between_labels(parents):
    one = case(parents, 0)
    assert one.gen.costs.tolist() == [[round(one.cost(y, other) ** 2) for other in one.outputs] for y in one.outputs]


@pytest.mark.parametrize("parents", [[], [0], [1, -1], [-2]])
def test_what_is_no_tree_is_refused(parents):
    with pytest.raises(ValueError, match="each after its parent"):
        Hierarchy(parents)


def test_labels_without_a_leaf_are_refused():
    with pytest.raises(ValueError, match="a tree of 3 leaves for 4 labels"):
        Hierarchy([-1, 0, 0, -1], 4)


def test_it_pickles_as_what_it_was_made_of():
    again = pickle.loads(pickle.dumps(Hierarchy([-1, 0, 0, -1])))
    assert again.parents.tolist() == [-1, 0, 0, -1]
    assert again.leaves.tolist() == [1, 2, 3]
