"""NB-SVM: the factors against their definition, and the machine against a plain one over features times these."""

import numpy as np
import pytest
import scipy.sparse as sp

from linnet.core.blocks import Block
from linnet.core.sparse import scaled, strength
from linnet.features import SparseRows
from linnet.learners import LEARNERS, Examples, Learning
from linnet.structures.labels import Labels


def problem(n_labels, n=80, n_features=30, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_labels, n).astype(np.int32)
    p = rng.uniform(0.02, 0.5, (n_labels, n_features))
    X = sp.csr_matrix((rng.random((n, n_features)) < p[y]) * rng.uniform(0.5, 2, (n, n_features)), dtype=np.float32)
    rows = SparseRows(X.indptr.astype(np.int64), X.indices.astype(np.uint32), X.data)
    return rows, X.toarray(), y


def definition(X, y, n_labels):
    """sum_k P(k | j) |r_jk|, a feature and a label at a time."""
    has = X > 0
    f = np.zeros(X.shape[1])
    for k in range(n_labels):
        df, rest = has[y == k].sum(axis=0), has[y != k].sum(axis=0)
        r = np.log((1 + df) / (1 + df).sum()) - np.log((1 + rest) / (1 + rest).sum())
        f += (df + np.mean(y == k)) / (df + rest + 1) * np.abs(r)
    return f


def learned(name, rows, y, n_labels, n_features, **options):
    examples = Examples.labelled(rows, y)
    learning = Learning(LEARNERS[name], options, Labels(n_labels), (n_features,), examples.length2())
    return learning.run(examples, tol=1e-6).weights[0]


@pytest.mark.parametrize("n_labels", [2, 3, 7])
def test_factors_are_those_of_the_definition(n_labels):
    rows, X, y = problem(n_labels)
    assert strength(Block(*rows), np.arange(len(y)), y, n_labels, X.shape[1]) == pytest.approx(
        definition(X, y, n_labels), rel=1e-12
    )


def test_of_a_number_it_matters_whether_it_is_above_its_mean():
    _, X, y = problem(3)
    X = np.where(X > 0, X, -1).astype(np.float32)
    rows = SparseRows(
        np.arange(0, X.size + 1, X.shape[1]), np.tile(np.arange(X.shape[1], dtype=np.uint32), len(X)), X.ravel()
    )
    found = strength(Block(*rows), np.arange(len(y)), y, 3, X.shape[1])
    assert found == pytest.approx(definition(X, y, 3), rel=1e-12)


def test_two_labels_by_hand():
    # Feature 0 is in both texts of +, feature 1 in one of each: (1 + df) is 3, 2 of + and 1, 2 of -, so r_0 = ln (3/5) / (1/3)
    # and r_1 = ln (2/5) / (2/3).
    rows = SparseRows(np.array([0, 2, 3, 4]), np.array([0, 1, 0, 1], np.uint32), np.ones(4, np.float32))
    assert strength(Block(*rows), np.arange(3), np.array([1, 1, 0]), 2, 2) == pytest.approx(
        np.abs(np.log([9 / 5, 3 / 5]))
    )


def test_what_has_no_weight_is_not_counted():
    rows, X, y = problem(3)
    weight = (np.arange(len(y)) % 2).astype(np.float32)
    kept = weight > 0
    assert strength(Block(*rows), np.arange(len(y)), y, 3, X.shape[1], 3 * weight) == pytest.approx(
        definition(X[kept], y[kept], 3)
    )


def test_a_zero_that_is_stored_is_not_seen():
    rows, X, y = problem(3)
    zeros = SparseRows(
        rows.indptr, rows.indices, rows.values * (np.arange(len(rows.values)) % 3 > 0).astype(np.float32)
    )
    dense = sp.csr_matrix((zeros.values, zeros.indices, zeros.indptr), X.shape).toarray()
    assert strength(Block(*zeros), np.arange(len(y)), y, 3, X.shape[1]) == pytest.approx(definition(dense, y, 3))


@pytest.mark.parametrize("n_labels", [2, 3])
@pytest.mark.parametrize("power", [0.5, 1])
def test_it_is_a_machine_over_scaled_features_with_the_factors_in_its_weights(n_labels, power):
    rows, X, y = problem(n_labels)
    f = definition(X, y, n_labels) ** power
    f *= np.sqrt((X**2).sum() / ((X * f) ** 2).sum())
    f = f.astype(np.float32)
    other = SparseRows(rows.indptr, rows.indices, scaled(rows.indices, rows.values, f))
    assert other.values == pytest.approx((X * f)[X != 0], rel=1e-6)
    v = learned("svm", other, y, n_labels, X.shape[1], C=0.5)
    w = learned("nb-svm", rows, y, n_labels, X.shape[1], C=0.5, power=power)
    assert w[0] == pytest.approx(v[0], abs=1e-4)
    assert w[1:] == pytest.approx(f[:, None] * v[1:], abs=1e-4)
    assert np.abs(w[1:] - v[1:]).max() > 0.05


def test_without_power_it_is_svm():
    rows, X, y = problem(3)
    assert np.array_equal(learned("nb-svm", rows, y, 3, X.shape[1], power=0), learned("svm", rows, y, 3, X.shape[1]))


def test_features_that_are_never_seen_have_no_weight():
    rows, X, y = problem(2)
    w = learned("nb-svm", rows, y, 2, X.shape[1] + 3)
    assert np.array_equal(w[-3:], np.zeros((3, 2)))
    assert np.isfinite(w).all()


def test_nothing_to_learn_from():
    rows = SparseRows(np.zeros(5, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32))
    assert np.isfinite(learned("nb-svm", rows, np.array([0, 1, 1, 1], np.int32), 2, 3)).all()


def test_a_state_goes_on_to_the_same_weights():
    rows, X, y = problem(3)
    examples = Examples.labelled(rows, y)
    new = lambda: Learning(LEARNERS["nb-svm"], {}, Labels(3), (X.shape[1],), examples.length2())  # noqa: E731
    whole = new().run(examples, epochs=4, tol=0).weights[0]
    first = new()
    fit = first.run(examples, epochs=2, tol=0)
    arrays, numbers = first.state()
    second = new()
    second.restore({name: array.copy() for name, array in arrays.items()}, numbers)
    assert np.array_equal(second.weights()[0], fit.weights[0])
    assert np.array_equal(second.run(examples, epochs=4, tol=0, fit=fit).weights[0], whole)


def test_each_block_has_factors_of_its_own():
    """Over tags: the machine over tokens is that over X diag(f), f counted over the tokens of sentences that have weight."""
    from linnet.structures.chain import Chain

    rng = np.random.default_rng(0)
    rows, X, y = problem(3)
    at = np.arange(0, 81, 4)
    weight = (rng.random(20) < 0.8).astype(np.float32)
    f = np.sqrt(definition(X[np.repeat(weight > 0, 4)], y[np.repeat(weight > 0, 4)], 3)).astype(np.float32)
    f *= np.sqrt((X**2).sum() / ((X * f) ** 2).sum())
    nothing = Block(np.zeros(21, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32))

    def machine(name, values):
        blocks = (Block(rows.indptr, rows.indices, values, at), nothing)
        return Learning(LEARNERS[name], {}, Chain(3), (30, 0)).run(Examples(blocks, y, at, weight), tol=1e-5).weights

    plain, emit = machine("svm", scaled(rows.indices, rows.values, f)), machine("nb-svm", rows.values)
    np.testing.assert_allclose(emit[0][1:], plain[0][1:] * f[:, None], atol=2e-3)
    np.testing.assert_allclose(emit[1], plain[1], atol=2e-3)
