"""Two labels that are learned as one question: the same bits as with a machine for each of them."""

import numpy as np
import pytest

from linnet.learners import LEARNERS, Examples
from linnet.learners.dual import ascent
from linnet.learners.mirrored import Mirrored, are_mirrors
from linnet.learners.svm import machine
from linnet.structures.labels import Labels
from linnet.structures.ordinal import Ordinal

N, D = 80, 12


def loss_of(name, gen):
    return machine(LEARNERS["svm"], {"loss": name}, gen)


@pytest.fixture(scope="module")
def examples(block_of):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(N, D)) * (rng.random((N, D)) < 0.4)
    y = (X @ rng.normal(size=D) + rng.normal(size=N) > 0).astype(np.int32)
    return Examples((block_of(X.astype(np.float32)),), y, np.arange(N + 1), rng.random(N).astype(np.float32))


@pytest.fixture(params=["squared-hinge", "hinge"])
def cores(request, examples):
    """What learns both labels, and what learns the first, after three passes."""
    gen = Labels(2)
    loss = loss_of(request.param, gen)
    both = [ascent(gen, loss, (D,), C=0.7), Mirrored(loss, (D,), 0.7)]
    for core in both:
        for seed in range(3):
            core.begin()
            order = np.random.default_rng(seed).permutation(N)
            core.run(examples.blocks, examples.y, examples.y_at, order, examples.weight)
            core.end()
    return both


def same(first, second):
    assert first.dtype == second.dtype
    np.testing.assert_array_equal(first, second)
    np.testing.assert_array_equal(np.signbit(first), np.signbit(second))


def test_only_questions_about_two_labels_are_mirrors():
    gen = Labels(2)
    assert are_mirrors(gen, loss_of("hinge", gen))
    assert not are_mirrors(gen, loss_of("multiclass-hinge", gen))
    assert not are_mirrors(Labels(3), loss_of("hinge", Labels(3)))
    ratings = Ordinal(3, own=True)
    assert not are_mirrors(ratings, loss_of("hinge", ratings))


def test_the_weights_and_what_is_told_of_them(cores, examples):
    both, mirrored = cores
    for name in ("total", "updates", "support", "t", "mistakes", "last_loss", "last_tau"):
        assert getattr(mirrored, name) == getattr(both, name), name
    assert mirrored.moved(mirrored.sample()) == both.moved(both.sample())
    asked = (examples.blocks, examples.y, examples.y_at, examples.weight)
    for tol in (0.0, 1.0):
        assert mirrored.left(*asked, tol) == both.left(*asked, tol)
    same(mirrored.slopes()[0], both.slopes()[0])
    same(mirrored.last()[0], both.last()[0])
    same(mirrored.settle(False)[0], both.settle(False)[0])


def test_what_examples_have_added(cores, examples):
    both, mirrored = cores
    for found, wanted in zip(
        mirrored.support_vectors(examples.blocks), both.support_vectors(examples.blocks), strict=True
    ):
        same(found, wanted)
    fold = np.arange(N) % 4 - 1
    asked = (examples.blocks, examples.y, examples.y_at, examples.weight, fold, 0.01)
    same(mirrored.held_out(*asked), both.held_out(*asked))
    mirrored.add_up(examples.blocks)
    both.add_up(examples.blocks)
    same(mirrored.last()[0], both.last()[0])


def test_it_goes_on_from_its_state(cores, examples):
    _, mirrored = cores
    arrays, numbers = mirrored.state()
    assert arrays["v0"].shape[1:] == arrays["m0"].shape[1:] == (1,)
    again = Mirrored(mirrored.loss, (D,), 0.7)
    again.restore({name: array.copy() for name, array in arrays.items()}, numbers)
    for core in (mirrored, again):
        core.begin()
        core.run(examples.blocks, examples.y, examples.y_at, np.arange(N), examples.weight)
    assert again.total == mirrored.total
    same(again.last()[0], mirrored.last()[0])
