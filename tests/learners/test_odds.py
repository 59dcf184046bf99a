"""Generative models of outcomes that are each used or not: the odds of places that use it and of places that do not."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linnet.core.blocks import Block
from linnet.core.loops.outcome_counts import Choices
from linnet.core.predictor import Predictor
from linnet.learners import LEARNERS, Examples, Learning
from linnet.structures.labels import Labels
from linnet.structures.labelset import Labelset
from linnet.structures.ordinal import Ordinal
from linnet.structures.ranking import Ranking
from linnet.structures.tree import Tree

N, D, L = 40, 6, 3
LEARNED = [("naive-bayes", {"event": event}) for event in ("multinomial", "bernoulli", "complement")] + [
    ("parzen", {"metric": "euclid", "h": 0.7}),
    ("neighbours", {"metric": "euclid", "k": 3}),
]


@pytest.fixture(scope="module")
def data():
    """Rows of 0 and 1, and which labels each has; of each label, some have it and some do not."""
    rng = np.random.default_rng(0)
    X = (rng.random((N, D)) < 0.4).astype(np.float32)
    return X, X @ rng.normal(size=(D, L)) + rng.normal(size=(N, L)) > 0.3


def sets(Y):
    rows = [np.flatnonzero(row) for row in Y]
    y = np.concatenate([[len(row), *row] for row in rows]).astype(np.int32)
    return y, np.concatenate([[0], np.cumsum([1 + len(row) for row in rows])])


def scores(name, options, gen, blocks, y, y_at, weight=None):
    n_features = tuple(block.largest + 1 for block in blocks)
    learning = Learning(LEARNERS[name], options, gen, n_features)
    fit = learning.run(Examples(blocks, y, y_at, weight))
    return Predictor(gen, learning.scorer(fit.weights)).scores(blocks)


@pytest.mark.parametrize("gen", [Labelset(L), Ranking(L)], ids=lambda gen: gen.name)
@pytest.mark.parametrize(("name", "options"), LEARNED)
def test_labels_of_a_set_are_models_of_two_labels(data, block_of, name, options, gen):
    X, Y = data
    weight = (np.arange(N) % 4 > 0).astype(np.float32)
    (theta,) = scores(name, options, gen, (block_of(X),), *sets(Y), weight)
    for k in range(L):
        alone = (block_of(X),), Y[:, k].astype(np.int32), np.arange(N + 1), weight
        (of_two,) = scores(name, options, Labels(2), *alone)
        np.testing.assert_allclose(theta[:, k], of_two[:, 1] - of_two[:, 0], rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("name", ["naive-bayes", "parzen", "neighbours"])
def test_arcs_and_relations_are_models_of_two_labels(name):
    """Of all arcs, those in trees and those not; of relations, arcs that have them and all others."""
    rng = np.random.default_rng(1)
    n = rng.integers(2, 5, 12)
    at, y_at = np.concatenate([[0], np.cumsum(n * (n + 1))]), np.concatenate([[0], np.cumsum(n)])
    y = np.concatenate([2 * np.array([0, *range(1, k)]) + rng.integers(0, 2, k) for k in n]).astype(np.int32)
    word = rng.integers(0, 5, at[-1]).astype(np.uint32)
    rows = np.arange(at[-1] + 1), word, np.ones(at[-1], np.float32)
    found = scores(name, {}, Tree(2), (Block(*rows, at), Block(*rows, at)), y, y_at)
    used = np.zeros((at[-1], 3), bool)
    for i, k in enumerate(n):
        for m in range(k):
            place = at[i] + m * (k + 1) + y[y_at[i] + m] // 2
            used[place, [0, 1 + y[y_at[i] + m] % 2]] = True
    for theta, flags in zip(np.hstack(found).T, used.T, strict=True):
        (of_two,) = scores(name, {}, Labels(2), (Block(*rows),), flags.astype(np.int32), np.arange(at[-1] + 1))
        np.testing.assert_allclose(theta, of_two[:, 1] - of_two[:, 0], rtol=1e-4, atol=1e-4)


def test_a_score_that_thresholds_share_counts_for_each_of_them():
    """Ratings 0, 1 and 2 with a feature each: of two thresholds, 0, 1 and 2 are passed with it."""
    words = Block(np.arange(4), np.arange(3, dtype=np.uint32), np.ones(3, np.float32))
    nothing = Block(np.zeros(4, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32))
    learning = Learning(LEARNERS["naive-bayes"], {}, Ordinal(3), (3, 0))
    score, thresholds = learning.run(Examples((words, nothing), np.arange(3, dtype=np.int32), np.arange(4))).weights
    np.testing.assert_allclose(score[:, 0], np.log([1, 1 / 3, 1, 3]), atol=1e-6)
    np.testing.assert_allclose(thresholds[0], np.log([2, 1 / 2]), atol=1e-6)


def test_what_every_place_has_is_sure_and_what_none_has_is_impossible(block_of):
    Y = np.array([[True, False], [True, False]])
    (theta,) = scores("naive-bayes", {}, Labelset(2), (block_of(np.eye(2)),), *sets(Y))
    assert (theta[:, 0] > 1e5).all()
    assert (theta[:, 1] < -1e5).all()
    assert np.isfinite(theta).all()


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_flags_that_are_independent_are_the_most_probable_output(seed):
    """Of a tree the best one has the largest product of P(flag | x) over all arcs, those that it lacks among them."""
    rng = np.random.default_rng(seed)
    p = rng.uniform(0.05, 0.95, 6)
    theta = np.log(p / (1 - p)).astype(np.float32)
    W = np.concatenate([[0], theta])[:, None].astype(np.float32)
    block = Block(np.arange(7), np.arange(6, dtype=np.uint32), np.ones(6, np.float32), np.array([0, 6]))
    y_hat, _ = Predictor(Tree(1), [W]).argmax((block,))

    def product(heads):
        used = np.isin(np.arange(6), [m * 3 + h for m, h in enumerate(heads)])
        return np.prod(np.where(used, p, 1 - p))

    assert product(y_hat) == pytest.approx(max(map(product, [(0, 0), (0, 1), (2, 0)])), rel=1e-5)


COUNTING_WITHOUT_MEMORY = """
import resource
from pathlib import Path
import numpy as np
from linnet.core.blocks import Block
from linnet.core.loops.online import Online
from linnet.core.loops.outcome_counts import Choices
from linnet.losses.likelihood import Likelihood
from linnet.steps.constant import Constant
from linnet.structures.chain import Chain

n = 640_000
tokens = Block(np.zeros(n + 1, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32), np.array([0, n]))
pairs = Block(np.zeros(2, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32))
counting = Online(Choices(Chain(8)), Likelihood(), Constant(), (0, 0))
examples = (tokens, pairs), np.zeros(n, np.int32), np.array([0, n])
counting.run(*examples, np.zeros(0, np.int64))
used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (1 << 24), resource.RLIM_INFINITY))
counting.run(*examples, np.zeros(1, np.int64))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux limits the memory of a process")
def test_examples_that_there_is_no_memory_to_count_are_an_error():
    """The tables of the loop have 20 MB, those of `Choices` need twice as much, and 16 MB are left. It is tried in a process of
    its own, since one that has run other tests may have memory that was freed."""
    done = subprocess.run([sys.executable, "-c", COUNTING_WITHOUT_MEMORY], capture_output=True, text=True)
    assert done.stderr.splitlines()[-1] == "MemoryError: no memory for the tables of one example"


def test_what_is_counted_of_a_block_of_questions():
    assert Choices(Labelset(3)).outcomes == (4,)
    assert Choices(Labels(3)).outcomes == (3,)
    assert Choices(Tree(2)).outcomes == (2, 3)
