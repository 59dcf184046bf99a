"""What is learned from shards, in one process: by hand, against one machine, and what cannot be learned so."""

import hashlib
import re

import numpy as np
import pytest

import linnet
import linnet.training.checkpoint
from linnet.cluster.place import Here
from linnet.cluster.spreading import Spreading
from linnet.errors import UsageError
from linnet.learners import LEARNERS, Examples, Learning, learner
from linnet.structures.labels import Labels


def texts(n=300, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    words = rng.integers(0, 10, (n, 6)) + 10 * np.where(
        rng.random((n, 6)) < 0.4, y[:, None], rng.integers(0, 3, (n, 6))
    )
    return [" ".join(f"w{w}" for w in row) for row in words], [f"c{label}" for label in y]


def weights_of(name, shards, options=None, **how):
    model = linnet.train(*texts(), task="labels", features="words:1 raw", learner=name, options=options, shards=shards,
                         estimate=False, **how)  # fmt: skip
    return np.concatenate([w.ravel() for w in model.weights])


def learned(name, X, y, shards, options=None, **how):
    """The weights of a learner of two labels after one epoch over the rows of X in their order, and its history."""
    rows = [np.flatnonzero(x) for x in np.asarray(X)]
    indptr = np.cumsum([0, *map(len, rows)])
    values = np.concatenate([x[at] for x, at in zip(np.asarray(X, np.float32), rows, strict=True)])
    examples = Examples.labelled((indptr, np.concatenate(rows).astype(np.uint32), values), np.asarray(y, np.int32))
    preset = Spreading(Here(), shards, shuffle=False)(learner(name))
    work = Learning(preset, options or {}, Labels(2), (len(X[0]),))
    fit = work.run(examples, **{"epochs": 1, "shuffle": False, **how})
    return fit.weights[0], fit.history


def test_perceptrons_are_mixed_by_hand():
    # From w = 0 no label is ahead, which is a mistake: +x for the right label, -x for the other one. Shard 0 has x = (1, 0, 1)
    # of label 1, and learns -1 and 1 for the bias and for the features 0 and 2. Shard 1 has x = (0, 2, 3) of label 0, and
    # learns 1 and -1 for the bias, 2 and -2 for feature 1, 3 and -3 for feature 2. Both have the bias, whose mean is 0, and
    # feature 2, whose mean is 1 and -1; the features 0 and 1 are as the one shard has learned them that has them.
    weights, (epoch,) = learned("perceptron", [[1, 0, 1], [0, 2, 3]], [1, 0], shards=2)
    assert weights.tolist() == [[0, 0], [-1, 1], [2, -2], [1, -1]]
    assert (epoch.updates, epoch.mistakes) == (2, 2)


def test_steps_that_close_a_margin_are_mixed_beyond_the_mean():
    # Both shards have x = (1) of label 1. From w = 0 the step that closes a margin of 1 is 1 / ||f(x, 1) - f(x, 0)||^2 = 1/4,
    # for the bias and the feature of both labels. The mean over the shards, 1/4, is taken 2^0.15 times.
    weights, _ = learned("mira", [[1], [1]], [1, 1], shards=2)
    assert weights == pytest.approx(0.25 * 2**0.15 * np.array([[-1, 1], [-1, 1]]))


def test_averages_are_over_all_steps_of_the_shards_that_have_the_feature():
    # Shard 0 has the examples 0 and 2, shard 1 the examples 1 and 3. Label 1 is right everywhere, so that each shard errs at
    # its first example alone. Both steps of shard 0 end with the weights 1 of features 0 and 2, those of shard 1 with 1 of
    # feature 1 and 3 of feature 2: in the mean over four steps 2 for feature 2, and 1 where only one shard has the feature.
    rows = [[1, 0, 1], [0, 1, 3], [1, 0, 1], [0, 1, 3]]
    weights, _ = learned("averaged-perceptron", rows, [1, 1, 1, 1], shards=2)
    assert weights.tolist() == [[-1, 1], [-1, 1], [-1, 1], [-2, 2]]


@pytest.mark.parametrize("name", ["perceptron", "mira", "arow", "scw"])
def test_one_shard_in_the_order_of_the_data_is_one_machine(name):
    alone = weights_of(name, None, shuffle=False, epochs=3, tol=0)
    assert np.allclose(weights_of(name, 1, shuffle=False, epochs=3, tol=0), alone, atol=1e-5)


def test_shards_have_as_many_epochs_as_their_own_examples_need():
    for shards, epochs in ((1, 10), (2, 20), (16, 40)):
        assert Spreading(Here(), shards)(learner("mira")).usual_epochs(10_000) == epochs
    assert Spreading(Here(), 16)(learner("mira")).usual_epochs(1_000_000) == 5
    assert Spreading(Here(), 16)(learner("naive-bayes")).usual_epochs(100) == 1


@pytest.mark.parametrize("event", ["multinomial", "bernoulli", "complement"])
def test_counts_are_those_of_one_machine_to_the_bit(event):
    options = {"event": event}
    features = {"features": "words:1 raw presence"}
    alone = linnet.train(*texts(), task="labels", learner="naive-bayes", options=options, **features)
    for shards in (1, 7, 16):
        mixed = linnet.train(*texts(), task="labels", learner="naive-bayes", options=options, shards=shards, **features)
        assert [w.tobytes() for w in mixed.weights] == [w.tobytes() for w in alone.weights]


@pytest.mark.parametrize("options", [{"by": "lbfgs", "lam": 0.01}, {"by": "lbfgs", "lam": 0.01, "l1": 0.001}])
def test_gradients_lead_to_the_optimum_of_one_machine(options):
    alone = weights_of("logistic", None, options, tol=1e-5)
    assert np.allclose(weights_of("logistic", 7, options, tol=1e-5), alone, atol=2e-3)
    assert np.abs(alone).max() > 0.1


def test_the_dual_is_climbed_by_hand():
    # Two shards with x = 1 of label 1 each, without a bias. Each counts its feature twice, as both have it: from m = 0 it goes
    # to the best of m - m^2 / 4 - 2 m^2 / 2, which is m = 0.4, and stays there. Together these are w = 0.8, which is the best
    # of w^2 / 2 + 2 (1 - w)^2, the machine over both examples. For label 0 it is the same with the other sign.
    weights, (epoch,) = learned("svm", [[1], [1]], [1, 1], shards=2, options={"bias": "no"})
    assert weights == pytest.approx(np.array([[0, 0], [-0.8, 0.8]]))
    assert (epoch.support, epoch.gap) == (2, 1)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("nb-svm", {}),
        ("nb-svm", {"bias": "no"}),
        ("svm", {"loss": "hinge"}),
        ("svm", {"loss": "multiclass-hinge"}),
        ("logistic", {"by": "dual", "lam": 0.01}),
    ],
)
def test_the_dual_leads_to_the_optimum_of_one_machine(name, options):
    alone = weights_of(name, None, options, tol=1e-4)
    assert np.allclose(weights_of(name, 3, options, tol=1e-4), alone, atol=0.03)
    assert np.abs(alone).max() > 0.9


def test_the_dual_of_chains_leads_to_the_optimum_of_one_machine():
    rng = np.random.default_rng(0)
    tags = [rng.integers(0, 2, 4) for _ in range(30)]
    words = [[f"w{tag if rng.random() < 0.8 else 1 - tag}" for tag in row] for row in tags]
    data = words, [["AB"[tag] for tag in row] for row in tags]
    alone, mixed = (
        linnet.train(*data, task="tag", learner="svm", features="w", shards=shards, tol=1e-3) for shards in (None, 5)
    )
    for w, v in zip(alone.weights, mixed.weights, strict=True):
        assert np.allclose(w, v, atol=0.01)
    assert np.abs(mixed.weights[0]).max() == pytest.approx(0.5, abs=0.01)


def test_the_default_learns_from_shards_and_says_how_right_it_will_be():
    alone, mixed = (linnet.train(*texts(), shards=shards) for shards in (None, 4))
    assert mixed.learner == "nb-svm"
    right = [model.report["expected"]["accuracy"] for model in (alone, mixed)]
    assert right[0] == pytest.approx(right[1], abs=0.02)


def test_support_vectors_are_those_of_one_machine():
    found = [linnet.train(*texts(), learner="svm", options={"loss": "hinge"}, features="words:1", shards=shards, tol=1e-5,
                          estimate=False, keep_support=True).support_vectors() for shards in (None, 4)]  # fmt: skip
    assert len(found[0]) == pytest.approx(len(found[1]), abs=3)


@pytest.mark.parametrize("name", ["voted-perceptron", "kernel-svm"])
def test_learners_that_need_all_examples_are_refused(name):
    with pytest.raises(UsageError, match="cannot learn from shards"):
        weights_of(name, 4)


def test_the_learners_that_can_learn_from_shards_are_named():
    able, said = set(), ""
    for name in LEARNERS:
        try:
            Learning(Spreading(Here(), 2)(learner(name)), {}, Labels(2), (3,))
            able.add(name)
        except UsageError as error:
            said = str(error)
    named = said.partition("Those that can are ")[2].rstrip(".")
    assert set(re.split(", | and ", named)) == able


@pytest.mark.parametrize(
    ("how", "what"),
    [({"keep_state": True}, "state=keep"), ({"learner": "auto"}, "learner 'auto'"), ({"watch": print}, "a trace")],
)
def test_what_is_for_one_machine_is_refused(how, what):
    with pytest.raises(UsageError, match=f"{what} is for learning on one machine"):
        linnet.train(*texts(), **{"learner": "mira", "shards": 2, **how})
    with pytest.raises(UsageError, match="at least one shard, found 0"):
        linnet.train(*texts(), learner="mira", shards=0)


def sha(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize(
    ("name", "options"),
    [("averaged-mira", {}), ("logistic", {"step": "adagrad"}), ("crf", {"by": "lbfgs"}), ("nb-svm", {})],
)
def test_going_on_after_an_interruption_gives_the_same_file(tmp_path, monkeypatch, name, options):
    monkeypatch.setattr(linnet.training.checkpoint, "_WORTH_KEEPING", 0.0)
    part = tmp_path / "m.part"

    def trained(**how):
        return linnet.train(*texts(), learner=name, options=options, shards=5, epochs=6, tol=0, estimate=False, **how)

    def interrupt(progress):
        if progress.epoch == 4:
            raise KeyboardInterrupt

    trained().save(tmp_path / "whole")
    assert "interrupted after" in trained(checkpoint=part, progress=interrupt).report["stopped"]
    with pytest.raises(UsageError, match="other data, features or seed"):
        linnet.train(*texts(), learner=name, options=options, shards=6, epochs=6, tol=0, checkpoint=part, resume=True)
    trained(checkpoint=part, resume=True).save(tmp_path / "resumed")
    assert sha(tmp_path / "resumed") == sha(tmp_path / "whole")
    assert not part.exists()


def test_a_checkpoint_is_written_after_each_epoch(tmp_path, monkeypatch):
    monkeypatch.setattr(linnet.training.checkpoint, "_WORTH_KEEPING", 0.0)
    part, epochs = tmp_path / "m.part", []

    def look(progress):
        if part.exists():
            epochs.append(len(linnet.load(part).state[1]["history"]))

    linnet.train(*texts(), learner="mira", shards=3, epochs=3, tol=0, checkpoint=part, progress=look, estimate=False)
    assert set(epochs) == {1, 2}


def test_the_number_of_shards_is_kept_with_the_model():
    model = linnet.train(*texts(), learner="mira", shards=3, estimate=False)
    assert model.provenance["asked"]["shards"] == 3
