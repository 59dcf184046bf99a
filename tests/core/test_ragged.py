"""Rows of weights that have what was changed: the same bits as full rows, in a small part of the room."""

import numpy as np
import pytest

from linnet.core.blocks import Block
from linnet.core.loops.online import Online
from linnet.core.predictor import Predictor
from linnet.core.strips import by_block
from linnet.core.weights import stride_of
from linnet.learners import Examples
from linnet.losses import phi
from linnet.losses.each import Each
from linnet.losses.hinge import Hinge
from linnet.losses.log import Log
from linnet.losses.perceptron import Perceptron
from linnet.steps.adagrad import AdaGrad
from linnet.steps.confidence import Arow, Scw
from linnet.steps.constant import Constant
from linnet.steps.passive_aggressive import PassiveAggressive
from linnet.steps.pegasos import Pegasos
from linnet.steps.sgd import SGD
from linnet.structures.chain import Chain
from linnet.structures.labels import Labels
from linnet.structures.labelset import Labelset

STEPS = {
    "perceptron": (Perceptron, lambda: Constant(0.5)),
    "mira": (Hinge, lambda: PassiveAggressive(0.3)),
    "sgd": (Hinge, lambda: SGD(0.1)),
    "pegasos": (Hinge, lambda: Pegasos(0.1)),  # shrinks fast: rescaled more than once
    "adagrad": (Hinge, lambda: AdaGrad(0.3, 0.01)),
    "arow": (Hinge, lambda: Arow(1.0)),
    "scw": (Hinge, lambda: Scw(1.0, 0.5)),
    "log": (Log, lambda: SGD(0.1, 0.01)),
    "one-vs-rest": (lambda: Each(phi.Hinge()), lambda: SGD(0.02)),
}


def features(rng, n, n_features, each=7):
    """Rows of features, some of which a row has twice."""
    return (
        np.arange(0, each * n + 1, each),
        rng.integers(0, n_features, each * n).astype(np.uint32),
        rng.normal(size=each * n).astype(np.float32),
    )


def labels(rng, n):
    rows = features(rng, n, 30)
    return Labels(75), (30,), Examples.labelled(rows, rng.integers(0, 75, n).astype(np.int32))


def labelset(rng, n):
    sets = [np.sort(rng.permutation(21)[: rng.integers(0, 4)]) for _ in range(n)]
    y = np.concatenate([[len(found), *found] for found in sets]).astype(np.int32)
    at = np.concatenate([[0], np.cumsum([1 + len(found) for found in sets])])
    return Labelset(21), (30,), Examples((Block(*features(rng, n, 30)),), y, at)


def chain(rng, n):
    """Features at the pairs, too: places of both blocks share some."""
    lengths = rng.integers(1, 6, n)
    at = np.concatenate([[0], np.cumsum(lengths)])
    pairs_at = np.concatenate([[0], np.cumsum(lengths - 1)])
    emit = Block(*features(rng, at[-1], 12, 3), at)
    pairs = Block(*features(rng, pairs_at[-1], 9, 2), pairs_at)
    return Chain(4), (12, 9), Examples((emit, pairs), rng.integers(0, 4, at[-1]).astype(np.int32), at)


PROBLEMS = {"labels": labels, "labelset": labelset, "chain": chain}
every = pytest.mark.parametrize(
    ("problem", "step", "averaged"),
    [(problem, step, averaged) for problem in PROBLEMS for step in STEPS for averaged in (False, True)],
)


def full(weights, gen):
    """The arrays of a model as full rows, with their padding."""
    found = []
    for k, block in zip(gen.outcomes, by_block(weights), strict=True):
        if len(block) == 1:
            found.append(block[0])
            continue
        indptr, outcomes, values = block
        W = np.zeros((len(indptr) - 1, stride_of(k)), np.float32)
        W[np.repeat(np.arange(len(W)), np.diff(indptr.astype(np.int64))), outcomes] = values
        found.append(W)
    return found


def same(ours, theirs, gen):
    return all(np.array_equal(a, b) for a, b in zip(full(ours, gen), full(theirs, gen), strict=True))


def learners(problem, step, averaged, n=50, dropout=0.0):
    """One with full rows, one with ragged ones, and what they learn from."""
    gen, n_features, examples = PROBLEMS[problem](np.random.default_rng(1), n)
    loss, make = STEPS[step]
    how = {"averaged": averaged, "dropout": dropout}
    dense = Online(gen, loss(), make(), n_features, **how)
    ragged = Online(gen, loss(), make(), n_features, ragged=range(len(gen.outcomes)), **how)
    return dense, ragged, examples


def run(online, examples, order=None):
    order = np.arange(len(examples)) if order is None else order
    online.run(examples.blocks, examples.y, examples.y_at, order)


@every
def test_what_is_learned_is_what_full_rows_learn(problem, step, averaged):
    dense, ragged, examples = learners(problem, step, averaged)
    for _ in range(3):
        for online in (dense, ragged):
            run(online, examples)
        assert same(dense.last(), ragged.last(), dense.gen)
        assert not averaged or same(dense.average(), ragged.average(), dense.gen)
    assert (dense.total, dense.updates, dense.a, dense.S) == (ragged.total, ragged.updates, ragged.a, ragged.S)
    assert any(np.abs(W[1:]).max() > 0 for W in full(ragged.last(), dense.gen))
    scores = [Predictor(dense.gen, online.last()).scores(examples.blocks) for online in (dense, ragged)]
    assert all(np.array_equal(a, b) for a, b in zip(*scores, strict=True))
    assert same(dense.settle(averaged), ragged.settle(averaged), dense.gen)


@every
def test_going_on_from_a_state_is_going_on(problem, step, averaged):
    _, whole, examples = learners(problem, step, averaged)
    _, first, _ = learners(problem, step, averaged)
    _, second, _ = learners(problem, step, averaged)
    run(whole, examples)
    run(first, examples, np.arange(20))
    arrays, numbers = first.state()
    second.restore({name: array.copy() for name, array in arrays.items()}, numbers)
    run(second, examples, np.arange(20, 50))
    for name, array in whole.state()[0].items():
        assert np.array_equal(array, second.state()[0][name]), name


@pytest.mark.parametrize("problem", PROBLEMS)
def test_dropout_leaves_out_the_same(problem):
    dense, ragged, examples = learners(problem, "mira", True, dropout=0.4)
    for online in (dense, ragged):
        online.seed = 7
        run(online, examples)
    assert same(dense.average(), ragged.average(), dense.gen)


def test_weights_that_were_not_changed_have_no_entry():
    # Labels 0 and 1 of five, features 0 and 2 of three: the first mistake changes two outcomes of two rows.
    online = Online(Labels(5), Perceptron(), Constant(), (3,), ragged=[0])
    block = Block(np.array([0, 2]), np.array([0, 2], np.uint32), np.array([2, -1], np.float32))
    online.run((block,), np.array([1], np.int32), np.arange(2), np.array([0]))
    indptr, outcomes, values = online.last()
    assert indptr.tolist() == [0, 5, 7, 7, 9]
    assert outcomes.tolist() == [0, 1, 2, 3, 4, 0, 1, 0, 1]
    assert values.tolist() == [-1, 1, 0, 0, 0, -2, 2, 1, -1]


def test_rows_grow_and_what_they_outgrow_is_used_again():
    # Each example brings every row one more outcome, so that all rows go through all sizes of strips.
    n, k = 40, 300
    gen, rng = Labels(k), np.random.default_rng(0)
    rows = (
        np.arange(0, n * k + 1, n),
        np.tile(np.arange(n), k).astype(np.uint32),
        rng.normal(size=n * k).astype(np.float32),
    )
    examples = Examples.labelled(rows, rng.permutation(k).astype(np.int32))
    dense, ragged = (Online(gen, Perceptron(), Constant(), (n,), averaged=True, ragged=g) for g in ((), (0,)))
    for online in (dense, ragged):
        run(online, examples)
    assert same(dense.average(), ragged.average(), gen)
    assert ragged.weights[0].n_entries > n * k / 2


def test_more_features_than_at_first():
    rng = np.random.default_rng(2)
    few, more = (Examples.labelled(features(rng, 30, n), rng.integers(0, 75, 30).astype(np.int32)) for n in (4, 30))
    whole, grown = (Online(Labels(75), Hinge(), AdaGrad(0.3), (n,), averaged=True, ragged=[0]) for n in (30, 4))
    for online in (whole, grown):
        run(online, few)
        online.grow((30,))
        run(online, more)
    assert all(np.array_equal(a, b) for a, b in zip(whole.average(), grown.average(), strict=True))


@pytest.mark.parametrize("problem", PROBLEMS)
def test_how_far_weights_moved_is_what_it_is_for_full_rows(problem):
    dense, ragged, examples = learners(problem, "sgd", False)
    far = []
    for online in (dense, ragged):
        run(online, examples)
        start = online.sample()
        run(online, examples)
        far.append(online.moved(start))
        assert online.moved(online.sample())[0] == 0
    assert far[1] == pytest.approx(far[0], rel=0.02)


def test_entries_that_do_not_fit_are_refused():
    online = Online(Labels(5), Perceptron(), Constant(), (3,), ragged=[0])
    arrays, numbers = online.state()
    with pytest.raises(ValueError, match="^the entries do not fit these weights$"):
        online.restore(arrays | {"indptr0": np.zeros(3, np.uint64)}, numbers)
    with pytest.raises(ValueError, match="^indptr, outcomes and values are not the rows of a matrix with 5 columns$"):
        online.restore(arrays | {"indptr0": np.array([0, 0, 0, 1], np.uint64)}, numbers)


def test_rows_of_both_kinds_in_one_model():
    gen, n_features, examples = chain(np.random.default_rng(1), 50)
    dense, mixed = (Online(gen, Hinge(), Arow(), n_features, averaged=True, ragged=g) for g in ((), (1,)))
    for online in (dense, mixed):
        run(online, examples)
    assert [array.ndim for array in mixed.average()] == [2, 1, 1, 1]
    assert same(dense.average(), mixed.average(), gen)
    outputs = [Predictor(gen, online.average()).argmax(examples.blocks)[0] for online in (dense, mixed)]
    assert np.array_equal(*outputs)
