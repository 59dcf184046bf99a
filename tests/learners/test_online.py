"""Epochs over examples: the order, when to stop, and what is kept."""

import math
from dataclasses import replace

import numpy as np
import pytest

from linnet.core.loops.online import Online
from linnet.errors import DivergedError, UsageError
from linnet.features import SparseRows
from linnet.learners import LEARNERS, Examples, Learning
from linnet.learners import learning as loop
from linnet.learners.examples import accuracy
from linnet.losses.likelihood import Likelihood
from linnet.losses.perceptron import Perceptron
from linnet.steps.constant import Constant
from linnet.structures.labels import Labels


def examples(n=200, n_features=30, n_labels=3, seed=0, noise=0.0):
    """Sparse rows of ones, labelled by planted weights; a share of the labels is noise."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, n_features)) < 0.2
    y = np.argmax(X @ np.random.default_rng(99).normal(size=(n_features, n_labels)), axis=1)
    noisy = rng.random(n) < noise
    y[noisy] = rng.integers(0, n_labels, noisy.sum())
    rows, columns = np.nonzero(X)
    indptr = np.searchsorted(rows, np.arange(n + 1)).astype(np.int64)
    sparse = SparseRows(indptr, columns.astype(np.uint32), np.ones(len(columns), np.float32))
    return Examples.labelled(sparse, y.astype(np.int32))


def learning(name="logistic", n_labels=3, n_features=30, **options):
    return Learning(LEARNERS[name], options, Labels(n_labels), (n_features,))


@pytest.fixture
def orders(monkeypatch):
    """The examples of each call of the core, in their order."""
    seen = []

    class Recorder(Online):
        def run(self, blocks, y, y_at, order, weight=None):
            seen.append(order.tolist())
            super().run(blocks, y, y_at, order, weight)

    monkeypatch.setattr("linnet.core.loops.online.Online", Recorder)
    return seen


def run_orders(orders, name="perceptron", **options):
    """The order of each epoch of a run."""
    orders.clear()
    learning(name).run(examples(), tol=0, **options)
    whole = sum(orders, [])
    return [whole[i : i + 200] for i in range(0, len(whole), 200)]


def test_epochs_are_shuffled_by_the_seed_and_their_number_alone(orders):
    two, five = run_orders(orders, epochs=2, seed=7), run_orders(orders, epochs=5, seed=7)
    assert five[:2] == two
    assert run_orders(orders, "logistic", epochs=2, seed=7) == two
    assert five[0] != five[1]
    assert run_orders(orders, epochs=2, seed=8)[0] != two[0]
    assert all(sorted(order) == list(range(200)) for order in five)


def test_other_randomness_does_not_change_the_order(orders):
    first = run_orders(orders, epochs=1, seed=7)
    np.random.seed(3)
    np.random.random(100)
    assert run_orders(orders, epochs=1, seed=7) == first


def test_a_run_that_goes_on_sees_what_it_would_have_seen(orders):
    five = run_orders(orders, epochs=5, seed=7)
    orders.clear()
    learner = learning("perceptron")
    fit = learner.run(examples(), epochs=2, seed=7, tol=0)
    learner.run(examples(), epochs=5, seed=7, tol=0, fit=fit)
    assert sum(orders, []) == sum(five, [])
    assert [epoch.epoch for epoch in fit.history] == [1, 2, 3, 4, 5]


def test_without_shuffling_the_order_is_that_of_the_data(orders):
    assert run_orders(orders, epochs=2, shuffle=False) == [list(range(200))] * 2


def test_counting_is_not_shuffled(orders):
    assert run_orders(orders, "naive-bayes") == [list(range(200))]


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("seconds", [0.0, 1e9])
def test_the_result_does_not_depend_on_the_size_of_pieces(monkeypatch, name, seconds):
    data = examples(n=2000, noise=0.1)
    expected = learning(name).run(data, epochs=2, tol=0).weights
    monkeypatch.setattr(loop, "_PIECE_SECONDS", seconds)
    shares = []
    weights = learning(name).run(data, epochs=2, tol=0, progress=lambda p: shares.append(p.share)).weights
    assert np.array_equal(weights[0], expected[0])
    # 2,000 examples: eight pieces of 256, or 256 + 1,024 + the rest.
    assert len(shares) == (8 if seconds == 0 else 3) * len(learning(name).run(data, epochs=2, tol=0).history)


def test_progress_goes_from_0_to_1():
    seen = []
    learning("perceptron").run(examples(n=600), epochs=3, tol=0, progress=seen.append)
    assert [p.epoch for p in seen] == sorted(p.epoch for p in seen)
    assert seen[-1].share == 1
    assert all(0 < a.share < b.share for a, b in zip(seen, seen[1:], strict=False))
    assert {p.epochs for p in seen} == {3}
    assert seen[0].last is None
    assert seen[-1].last.epoch == 2


def test_all_epochs_are_done():
    fit = learning(eta=0.1).run(examples(noise=0.3), epochs=4, tol=0)
    assert fit.stopped == "all 4 epochs are done"
    assert (len(fit.history), fit.best, fit.interrupted) == (4, 4, False)


def test_the_loss_of_an_epoch_is_the_mean_over_its_examples():
    # eta = 0: nothing is learned, so it is ln 3 for three labels, in every epoch.
    fit = learning(eta=0).run(examples(), epochs=2, tol=0)
    assert [epoch.loss for epoch in fit.history] == pytest.approx([math.log(3)] * 2)
    assert [epoch.updates for epoch in fit.history] == [200, 200]


def test_the_loss_of_an_epoch_is_a_mean_by_weight():
    data = examples()
    weight = np.where(data.y == 0, 7, 0.5).astype(np.float32)
    fit = learning(eta=0).run(replace(data, weight=weight), epochs=1)
    assert fit.history[0].loss == pytest.approx(math.log(3))


def test_learning_stops_when_no_example_moves_the_weights():
    # Carpuat, "Practical considerations": separable data; the perceptron's last epoch is the first without a mistake.
    fit = learning("perceptron").run(examples(), epochs=500, tol=0)
    assert fit.stopped == "the last epoch made no mistake"
    assert fit.history[-1].updates == fit.history[-1].mistakes == 0
    assert all(epoch.updates > 0 for epoch in fit.history[:-1])


def test_learning_stops_when_the_weights_move_by_little():
    fit = learning(eta=0.1).run(examples(noise=0.3), epochs=500, tol=0.05)
    assert fit.stopped == "the weights moved by less than 5% of their length in the last epoch"
    assert fit.history[-1].moved < 0.05
    assert all(epoch.moved >= 0.05 for epoch in fit.history[:-1])
    assert 2 < len(fit.history) < 500


def test_moved_is_the_change_of_the_weights_over_their_length():
    data = examples(noise=0.3)
    one, two = (learning(eta=0.1).run(data, epochs=n, tol=1e-9) for n in (1, 2))
    a, b = one.weights[0].astype(float), two.weights[0].astype(float)
    assert two.history[1].moved == pytest.approx(np.linalg.norm(b - a) / np.linalg.norm(b), rel=1e-4)


@pytest.mark.parametrize("patience", [1, 2, 4])
def test_early_stopping_keeps_the_best_epoch_and_stops_by_patience(patience):
    data, dev = examples(noise=0.4), examples(n=300, seed=1, noise=0.4)
    fit = learning("perceptron").run(data, epochs=60, dev=dev, patience=patience, tol=0)
    scores = [epoch.dev for epoch in fit.history]
    assert fit.best == 1 + scores.index(max(scores))
    assert len(scores) == fit.best + patience
    assert fit.stopped == f"{patience} epochs brought nothing on the held-out part"
    alone = learning("perceptron").run(data, epochs=fit.best, tol=0)
    assert np.array_equal(fit.weights[0], alone.weights[0])
    assert accuracy(Labels(3), fit.weights, dev) == max(scores)


def test_early_stopping_of_an_averaged_learner_keeps_the_average():
    data, dev = examples(noise=0.4), examples(n=300, seed=1, noise=0.4)
    fit = learning("averaged-perceptron").run(data, epochs=60, dev=dev, patience=2, tol=0)
    alone = learning("averaged-perceptron").run(data, epochs=fit.best, tol=0)
    assert np.array_equal(fit.weights[0], alone.weights[0])


def interrupt(epoch):
    def progress(seen):
        if seen.epoch == epoch:
            raise KeyboardInterrupt

    return progress


def test_an_interruption_keeps_what_was_learned():
    # Of 600 examples 256 are seen in the third epoch before Ctrl-C.
    data = examples(n=600, noise=0.3)
    learner = learning("mira")
    fit = learner.run(data, epochs=9, tol=0, progress=interrupt(3))
    assert (fit.interrupted, fit.stopped, fit.best) == (True, "interrupted after 2 of 9 epochs", 2)
    assert learner.online.t == 2 * 600 + 256
    assert np.array_equal(fit.weights[0], learner.online.last()[0])
    two = learning("mira").run(data, epochs=2, tol=0)
    assert [epoch.loss for epoch in fit.history] == [epoch.loss for epoch in two.history]
    assert not np.array_equal(fit.weights[0], two.weights[0])


def test_an_interruption_in_the_first_epoch():
    learner = learning("mira")
    fit = learner.run(examples(n=600), epochs=9, progress=interrupt(1))
    assert (fit.interrupted, fit.history, fit.best) == (True, [], 0)
    assert np.array_equal(fit.weights[0], learner.online.last()[0])
    assert fit.weights[0].any()


def test_an_interruption_with_held_out_data_keeps_the_best_epoch():
    data, dev = examples(noise=0.4), examples(n=300, seed=1, noise=0.4)
    fit = learning("perceptron").run(data, epochs=60, dev=dev, patience=50, tol=0, progress=interrupt(8))
    alone = learning("perceptron").run(data, epochs=fit.best, tol=0)
    assert fit.best <= len(fit.history) == 7
    assert np.array_equal(fit.weights[0], alone.weights[0])


def test_several_runs_are_averaged(orders):
    data = examples(noise=0.3)
    fit = learning("averaged-perceptron", runs=3).run(data, epochs=2, tol=0)
    runs = [orders[:2], orders[2:4], orders[4:]]
    assert runs[0] == run_orders(orders, "averaged-perceptron", epochs=2)
    assert len({tuple(order) for run in runs for order in run}) == 6
    weights = []
    for run in runs:
        online = Online(Labels(3), Perceptron(), Constant(), (30,), averaged=True)
        online.run(data.blocks, data.y, data.y_at, np.array(sum(run, [])))
        weights.append(online.average()[0])
    np.testing.assert_allclose(fit.weights[0], np.mean(weights, axis=0), rtol=1e-5, atol=1e-6)
    assert fit.stopped == "the average of 3 runs; all 2 epochs are done"


def test_each_run_stops_where_it_is_best_on_held_out_data():
    data, dev = examples(noise=0.4), examples(n=300, seed=1, noise=0.4)
    fit = learning("perceptron", runs=2).run(data, epochs=60, dev=dev, patience=2, tol=0)
    one = learning("perceptron").run(data, epochs=60, dev=dev, patience=2, tol=0)
    first, second = ([e.dev for e in fit.history if e.run == run] for run in (1, 2))
    assert first == [e.dev for e in one.history]
    assert len(second) == 1 + second.index(max(second)) + 2
    assert fit.best == len(first) + 1 + second.index(max(second))
    score = 100 * accuracy(Labels(3), fit.weights, dev)
    assert fit.stopped.startswith(f"the average of 2 runs with {score:.2f}% on the held-out part; 2 epochs brought")


def test_an_interruption_between_runs_keeps_those_that_are_done():
    data = examples(n=600, noise=0.3)
    fit = learning("mira", runs=4).run(data, epochs=2, tol=0, progress=interrupt(6))
    two = learning("mira", runs=2).run(data, epochs=2, tol=0)
    assert fit.stopped == "the average of 2 runs; interrupted after 5 of 8 epochs"
    assert np.array_equal(fit.weights[0], two.weights[0])


def test_several_runs_need_all_examples_at_once():
    with pytest.raises(UsageError) as caught:
        learning("mira", runs=2).partial(examples())
    assert str(caught.value) == "runs=2 needs all examples at once. Use fit, or runs=1."


@pytest.mark.parametrize("name", ["averaged-mira", "logistic", "crf"])
def test_dropout_learns_from_what_is_left_and_scales_features_not_the_bias(name):
    data = examples(noise=0.2)
    learner = learning(name, dropout=0.4, **({"eta": 0.1} if name != "averaged-mira" else {}))
    learner.partial(data)
    kept = kept_features(data, 0.4)
    assert 0.55 < len(kept.indices) / len(data.blocks[0].arrays()[1]) < 0.65
    plain = learning(name, **({"eta": 0.1} if name != "averaged-mira" else {}))
    plain.partial(Examples.labelled(kept, data.y))
    expected = plain.weights()[0]
    expected[1:] *= np.float32(0.6)
    assert np.array_equal(learner.weights()[0], expected)


def kept_features(data, p):
    """What dropout leaves of each example in a first pass: counted one example at a time."""
    indptr, indices = [0], []
    online = Online(Labels(3), Likelihood(), Constant(), (30,), dropout=p)
    before = np.zeros(31)
    for i in range(len(data)):
        online.run(data.blocks, data.y, data.y_at, np.array([i]))
        count = online.last()[0].sum(axis=1)
        assert count[0] == i + 1  # the bias is never left out
        indices += np.flatnonzero(count[1:] - before[1:]).tolist()
        indptr.append(len(indices))
        before = count
    return SparseRows(np.array(indptr), np.array(indices, np.uint32), np.ones(len(indices), np.float32))


def test_dropout_differs_by_epoch_run_and_seed():
    data = examples(n=300)
    seen = set()
    for seed in (0, 1):
        learner = learning("perceptron", dropout=0.5, runs=2)
        learner.run(data, epochs=1, seed=seed, shuffle=False)
        seen.add(learner.online.seed)
        one = learning("perceptron", dropout=0.5)
        one.run(data, epochs=1, seed=seed, shuffle=False)
        seen.add(one.online.seed)
    assert len(seen) == 4
    online = Online(Labels(3), Likelihood(), Constant(), (30,), dropout=0.5)
    counts = []
    for _ in range(2):
        online.run(data.blocks, data.y, data.y_at, np.arange(300))
        counts.append(online.last()[0])
    assert not np.array_equal(counts[1] - counts[0], counts[0])


def test_a_partial_pass_goes_over_the_examples_in_their_order():
    data = examples(n=300)
    whole, partial = learning("mira"), learning("mira")
    whole.run(data, epochs=1, shuffle=False)
    partial.partial(data)
    assert np.array_equal(whole.weights()[0], partial.weights()[0])


def test_a_rate_that_is_too_large_is_named_with_a_better_one():
    learner = learning(eta=1e4, step="adagrad")
    with pytest.raises(DivergedError) as caught:
        learner.run(examples(noise=0.5), epochs=3)
    assert str(caught.value).startswith("the learning rate eta=10000 is too large: the mean loss of the last epoch is ")
    assert str(caught.value).endswith(". Try --set eta=0.5.")  # 1 / ||f||^2, which is 2 unless one says otherwise


def test_the_rate_that_was_named_works():
    data = examples(noise=0.5)
    length2 = data.length2()
    learner = Learning(LEARNERS["logistic"], {"eta": 1e4, "step": "adagrad"}, Labels(3), (30,), length2)
    with pytest.raises(DivergedError) as caught:
        learner.run(data, epochs=3)
    eta = float(str(caught.value).rpartition("eta=")[2].rstrip("."))
    assert eta == pytest.approx(1 / length2, rel=0.5)  # with one digit
    assert learning(eta=eta).run(data, epochs=3).history[-1].loss < math.log(3)


def weights_after(eta, **options):
    return learning(eta=eta, lam=0, **options).run(examples(noise=0.5), epochs=2, tol=0).weights[0]


def test_with_the_cap_a_rate_may_be_as_large_as_one_likes():
    # Where the example is not nearly right, the cap and not eta says how far a step goes.
    np.testing.assert_allclose(weights_after(50.0), weights_after(10_000.0), atol=0.02)


def test_without_the_cap_a_step_is_as_long_as_the_rate_says():
    # At w = 0 and with three labels r = (1/3, 1/3, -2/3) for the last of them: the first step is -eta r for the bias.
    data = examples(n=3)
    for eta in (0.5, 50.0, 10_000.0):
        learner = learning(eta=eta, lam=0, cap="no")
        learner.online.begin()
        learner.online.run(data.blocks, data.y, data.y_at, np.array([np.flatnonzero(data.y == 2)[0]]))
        np.testing.assert_allclose(learner.online.last()[0][0, :3], np.array([-1, -1, 2]) * eta / 3, rtol=1e-5)


def test_without_the_cap_a_rate_that_is_too_large_diverges_and_is_named():
    with pytest.raises(
        DivergedError, match=r"^the learning rate eta=10000 is too large: the mean loss of the last epoch is "
    ):
        weights_after(10_000.0, cap="no")


def test_a_loss_that_has_grown_is_told_with_a_better_rate():
    data = examples(noise=0.5)
    fit = learning(eta=1.0, cap="no").run(data, epochs=3, tol=0)
    assert math.log(3) < fit.history[-1].loss < 10 * math.log(3)
    assert fit.warning == fit.report()["warning"]
    assert fit.warning.startswith(
        "the learning rate eta=1 is too large: its steps overshoot, and the mean loss has grown"
    )
    assert f"from 1.1, when nothing was learned, to {fit.history[-1].loss:.3g} in the last epoch" in fit.warning
    better = float(fit.warning.rpartition("eta=")[2].rstrip("."))
    calm = learning(eta=better, cap="no").run(data, epochs=3, tol=0)
    assert (calm.warning, "warning" in calm.report()) == ("", False)
    assert calm.history[-1].loss < math.log(3)


def test_weights_that_are_not_finite_are_not_handed_out(block_of):
    # The loss of the only example is ln 2, as it is measured before the step; the step is longer than float32 can tell.
    learner = Learning(LEARNERS["logistic"], {"eta": 1e9, "lam": 0, "cap": "no"}, Labels(2), (1,))
    learner.partial(Examples((block_of([[3e35]]),), np.array([1], np.int32), np.arange(2)))
    with pytest.raises(
        DivergedError, match=r"eta=1e\+09 is too large: the weights are no longer finite numbers\. Try --set eta="
    ):
        learner.weights()


def test_values_too_large_for_any_learner_are_told(block_of):
    data = Examples((block_of([[3e38], [3e38]]),), np.array([1, 1], np.int32), np.arange(3))
    learner = Learning(LEARNERS["naive-bayes"], {}, Labels(2), (1,))
    with pytest.raises(
        DivergedError, match="^the values of some features are too large: the weights are no longer finite"
    ):
        learner.run(data, epochs=1)


def test_the_rate_is_made_for_the_length_of_the_features():
    data = examples()
    learner = Learning(LEARNERS["logistic"], {}, Labels(3), (30,), data.length2())
    assert learner.options["eta"] == pytest.approx(1 / data.length2())


def test_no_example_is_so_long_that_it_is_overshot():
    # One example in ten is 30 times as long as the others; with eta = 1 / median alone each of them would undo all else.
    data = examples(n=400)
    indptr, indices, values, _ = data.blocks[0].arrays()
    values = np.array(values)
    for i in range(0, 400, 10):
        values[indptr[i] : indptr[i + 1]] = 30
    mixed = Examples.labelled(SparseRows(np.array(indptr), np.array(indices), values), data.y)
    fit = Learning(LEARNERS["logistic"], {}, Labels(3), (30,), mixed.length2()).run(mixed, epochs=10)
    assert accuracy(Labels(3), fit.weights, data) > 0.9
    assert fit.history[-1].loss < fit.history[0].loss < math.log(3)


@pytest.mark.parametrize("scale", [1.0, 1e3, 1e6])
def test_the_default_rate_does_not_depend_on_the_scale(scale):
    data = examples(n=400)
    indptr, indices, values, _ = data.blocks[0].arrays()
    scaled = Examples.labelled(SparseRows(np.array(indptr), np.array(indices), scale * np.array(values)), data.y)
    fit = Learning(LEARNERS["logistic"], {}, Labels(3), (30,), scaled.length2()).run(scaled, epochs=10)
    assert accuracy(Labels(3), fit.weights, scaled) > 0.9


def test_many_labels_are_not_taken_for_divergence():
    # Guessing among 1,500 labels costs ln 1500 = 7.3 an example; that is where learning starts, not a runaway.
    n = 1500
    sparse = SparseRows(np.arange(n + 1), np.arange(n, dtype=np.uint32), np.ones(n, np.float32))
    data = Examples.labelled(sparse, np.arange(n, dtype=np.int32))
    fit = Learning(LEARNERS["logistic"], {"eta": 0.1}, Labels(n), (n,)).run(data, epochs=1)
    assert fit.history[0].loss == pytest.approx(math.log(n), rel=0.01)


def test_a_loss_that_needs_marginals_says_so():
    class NoMarginals:
        name = "matching"
        has_marginals = False
        no_marginals = ""
        has_scores = True
        separate = False

    with pytest.raises(UsageError) as caught:
        Learning(LEARNERS["logistic"], {}, NoMarginals(), (1,))
    assert str(caught.value) == (
        "loss 'log' needs marginals, which structure 'matching' does not have. Use 'hinge' or 'perceptron'."
    )


def test_accuracy_is_the_share_that_is_right(padded):
    rows = SparseRows(np.arange(5), np.array([0, 0, 1, 1], np.uint32), np.ones(4, np.float32))
    data = Examples.labelled(rows, np.array([0, 1, 1, -1], np.int32))  # -1: a label that the model does not know
    assert accuracy(Labels(2), [padded([[0, 0], [1, 0], [0, 1]])], data) == 0.5
