"""Rows that are made when they are asked for teach what rows in memory teach."""

import numpy as np
import pytest

from linnet.cluster.place import Here
from linnet.cluster.spreading import Spreading
from linnet.core.blocks import Block
from linnet.core.extract.anchored import ARCS, DIRECTION, SIBLINGS, A, Anchored, B, C
from linnet.core.extract.places import Places
from linnet.core.predictor import Predictor
from linnet.learners import Examples, Learning, learner
from linnet.structures.siblings import SiblingTree
from linnet.structures.tree import Tree

OF_ARCS = [((A, 0, 0), (B, 0, 0), (DIRECTION, 0, 0)), ((A, 0, 1), (B, 0, 0)), ((B, 0, -1), (DIRECTION, 0, 0))]
OF_SIBLINGS = [((C, 0, 0), (B, 0, 0)), ((A, 0, 0), (C, 0, 0), (B, 0, 0))]


def sentences(out=None):
    rng = np.random.default_rng(3)
    n = np.array([3, 1, 5, 4, 2])
    starts = np.concatenate([[0], np.cumsum(n)]).astype(np.int64)
    codes = rng.integers(0, 4, (1, starts[-1])).astype(np.int32)
    heads = np.concatenate([[*range(2, k + 1), 0] for k in n]).astype(np.int32)
    arcs = Anchored(OF_ARCS, (4,), ARCS).learn(codes, starts, heads)
    siblings = Anchored(OF_SIBLINGS, (4,), SIBLINGS).learn(codes, starts, heads)
    lazy = (Places(arcs, codes, starts, out), Places(siblings, codes, starts, out))
    return lazy, heads, starts, (arcs.n_features, siblings.n_features)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("averaged-perceptron", {}),
        ("averaged-perceptron", {"dropout": 0.3}),
        ("mira", {}),
        ("logistic", {}),
        ("maxent", {}),
        ("svm", {}),
        ("nb-svm", {}),
        ("kernel-perceptron", {}),
    ],
)
def test_lazy_rows_teach_the_same(name, options):
    lazy, heads, starts, n_features = sentences()
    eager = tuple(Block(*block.arrays()) for block in lazy)
    weights = []
    for blocks in (lazy, eager):
        examples = Examples(blocks, heads, starts)
        learning = Learning(learner(name), options, SiblingTree(1), n_features, examples.length2())
        weights.append(learning.run(examples, epochs=3, tol=0).weights)
    assert all(np.array_equal(a, b) for a, b in zip(*weights, strict=True))
    assert any(np.abs(w).max() > 0 for w in weights[0])


@pytest.mark.parametrize(
    ("name", "options"), [("averaged-mira", {}), ("svm", {}), ("nb-svm", {}), ("logistic", {"by": "lbfgs"})]
)
def test_lazy_rows_teach_the_same_from_shards(name, options):
    lazy, heads, starts, n_features = sentences()
    eager = tuple(Block(*block.arrays()) for block in lazy)
    weights = []
    for blocks in (lazy, eager):
        examples = Examples(blocks, heads, starts)
        preset = Spreading(Here(), 2)(learner(name))
        learning = Learning(preset, options, SiblingTree(1), n_features, examples.length2())
        weights.append(learning.run(examples, epochs=3, tol=0).weights)
    assert all(np.array_equal(a, b) for a, b in zip(*weights, strict=True))
    assert any(np.abs(w).max() > 0 for w in weights[0])


def test_an_arc_that_is_out_is_never_chosen():
    n = [3, 1, 5, 4, 2]
    out = np.concatenate(
        [((np.arange(k)[:, None] + 1 != np.arange(k + 1)) & (np.arange(k + 1) > 0)).ravel() for k in n]
    )
    lazy, heads, _, n_features = sentences(out.astype(np.uint8))
    rng = np.random.default_rng(1)
    for gen, blocks in ((Tree(1), lazy[:1]), (SiblingTree(1), lazy)):
        weights = [rng.normal(size=(k + 1, 1)).astype(np.float32) for k, _ in zip(n_features, blocks, strict=False)]
        y_hat, _ = Predictor(gen, weights).argmax(blocks)
        assert (y_hat == 0).all()  # only the root is left as a head
        (mu, *_) = Predictor(gen, weights).marginals(blocks)
        assert mu.sum() == pytest.approx(len(heads), abs=1e-4)
        assert (mu[out.astype(bool)] == 0).all()
