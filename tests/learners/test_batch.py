"""Logistic regression and CRFs to the optimum, beside those of other packages."""

from itertools import pairwise

import numpy as np
import pytest

from linnet.core.blocks import Block
from linnet.core.loops.batch import Batch
from linnet.errors import DivergedError, UsageError
from linnet.features import SparseRows
from linnet.learners import LEARNERS, Examples, Learning
from linnet.learners.examples import accuracy
from linnet.losses.log import Log
from linnet.structures.chain import Chain
from linnet.structures.labels import Labels

N, D, L = 150, 12, 3


@pytest.fixture(scope="module")
def labelled(noisy_labels):
    return noisy_labels(N, D, L, 0.4)


def optimum(examples, gen, n_features, name="logistic", tol=1e-5, by="lbfgs", **options):
    learning = Learning(LEARNERS[name], {"by": by, **options}, gen, n_features)
    fit = learning.run(examples, tol=tol, epochs=500)
    assert fit.stopped.startswith(f"the optimum is reached (gap {fit.history[-1].gap:.2g}")
    assert fit.history[-1].gap <= tol
    return fit.weights


@pytest.mark.parametrize("lam", [0.1, 0.001])
@pytest.mark.parametrize(("name", "by"), [("logistic", "lbfgs"), ("logistic", "dual"), ("crf", "lbfgs")])
def test_l2_is_that_of_scikit_learn(labelled, name, by, lam):
    X, y, examples = labelled
    peer = pytest.importorskip("sklearn.linear_model").LogisticRegression(
        C=1 / (lam * N), fit_intercept=False, tol=1e-10, max_iter=10_000
    )
    (w,) = optimum(examples, Labels(L), (D,), name, by=by, lam=lam)
    np.testing.assert_allclose(w[:, :L], peer.fit(X, y).coef_.T, atol=2e-3)


def test_l1_is_that_of_scikit_learn(labelled):
    X, y, examples = labelled
    peer = pytest.importorskip("sklearn.linear_model").LogisticRegression(
        C=1 / (0.02 * N), l1_ratio=1, fit_intercept=False, tol=1e-8, max_iter=100_000, solver="saga"
    )
    (w,) = optimum(examples, Labels(L), (D,), lam=0, l1=0.02)
    expected = peer.fit(X, y).coef_.T
    np.testing.assert_allclose(w[:, :L], expected, atol=1e-4)
    assert np.array_equal(w[:, :L] == 0, expected == 0)
    assert 10 < (expected == 0).sum() < 30


def test_two_labels_are_those_of_liblinear(labelled):
    # w_1 = -w_0 here, and one vector u = w_1 - w_0 there: lam/2 (||w_0||^2 + ||w_1||^2) = lam/4 ||u||^2, so C is 2 / (lam n).
    X, y, examples = labelled
    y = (y > 0).astype(np.int32)
    peer = pytest.importorskip("sklearn.linear_model").LogisticRegression(
        C=2 / (0.01 * N), solver="liblinear", fit_intercept=False, tol=1e-8, max_iter=1000
    )
    (w,) = optimum(Examples(examples.blocks, y, examples.y_at), Labels(2), (D,), tol=1e-7, by="dual", lam=0.01)
    np.testing.assert_allclose(w[:, 1] - w[:, 0], peer.fit(X, y).coef_[0], atol=2e-3)


def test_the_gap_of_the_dual_is_the_primal_less_the_dual(labelled):
    # m = C (mu(y) - p) with distributions p; the dual is -1/2 ||w||^2 + C sum_i entropy(p_i).
    X, y, examples = labelled
    learning = Learning(LEARNERS["logistic"], {"by": "dual", "lam": 0.01}, Labels(L), (D,))
    w = learning.run(examples, epochs=2).weights[0][:, :L].astype(float)
    C = 1 / (0.01 * N)
    m = learning.online.state()[0]["m0"][:, :L].astype(float)
    p = np.eye(L)[y] - m / C
    assert p.min() >= 0
    np.testing.assert_allclose(p.sum(axis=1), 1, atol=1e-5)
    np.testing.assert_allclose(w, X.T @ m, atol=1e-4)
    theta = X @ w
    loss = np.log(np.exp(theta).sum(axis=1)) - theta[np.arange(N), y]
    primal = (w**2).sum() / 2 + C * loss.sum()
    dual = -(w**2).sum() / 2 - C * (p * np.log(p)).sum()
    gap = learning.online.left(examples.blocks, examples.y, examples.y_at, None, np.inf)
    assert gap == pytest.approx((primal - dual) / primal, rel=1e-2)
    assert 1e-5 < gap < 0.5


@pytest.mark.parametrize("by", ["lbfgs", "dual"])
def test_an_example_of_weight_2_is_two_examples_but_counts_once_in_n(labelled, by):
    X, y, examples = labelled
    weight = np.where(np.arange(N) % 3 == 0, 2, 1).astype(np.float32)
    (w,) = optimum(Examples(examples.blocks, examples.y, examples.y_at, weight), Labels(L), (D,), by=by, lam=0.01)
    peer = pytest.importorskip("sklearn.linear_model").LogisticRegression(
        C=1 / (0.01 * N), fit_intercept=False, tol=1e-10, max_iter=10_000
    )
    np.testing.assert_allclose(w[:, :L], peer.fit(X, y, weight).coef_.T, atol=2e-3)


class Tagged:
    """Sentences with features and tags, as examples and as CRFsuite takes them."""

    def __init__(self, n=40, seed=0):
        rng = np.random.default_rng(seed)
        lengths = rng.integers(1, 8, n)
        self.at = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        total = int(self.at[-1])
        self.y = rng.integers(0, 3, total).astype(np.int32)
        word = np.where(rng.random(total) < 0.6, self.y, rng.integers(0, 8, total))
        self.features = np.stack([word, 8 + rng.integers(0, 4, total)], axis=1)
        self.values = np.tile(np.float32([1, 0.5]), (total, 1))
        self.n_features = 12

    def examples(self):
        words = Block(
            np.arange(0, 2 * len(self.y) + 1, 2),
            self.features.ravel().astype(np.uint32),
            self.values.ravel(),
            self.at,
        )
        n = len(self.at) - 1
        pairs = Block(np.zeros(n + 1, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32))
        return Examples((words, pairs), self.y, self.at)

    def sentences(self):
        for a, b in pairwise(self.at):
            tokens = [
                {"bias": 1.0, **{str(j): float(v) for j, v in zip(js, vs, strict=True)}}
                for js, vs in zip(self.features[a:b], self.values[a:b], strict=True)
            ]
            yield tokens, [str(tag) for tag in self.y[a:b]]


@pytest.mark.parametrize(("c1", "c2"), [(0.0, 0.5), (0.7, 0.0), (0.3, 0.2)])
def test_a_crf_is_that_of_crfsuite(tmp_path, c1, c2):
    # CRFsuite: sum_i loss_i + c2 ||w||^2 + c1 ||w||_1; here 1/n sum_i loss_i + lam/2 ||w||^2 + l1 ||w||_1.
    crfsuite = pytest.importorskip("pycrfsuite")
    data = Tagged()
    n = len(data.at) - 1
    trainer = crfsuite.Trainer(algorithm="lbfgs", verbose=False)
    everything = {"feature.possible_states": True, "feature.possible_transitions": True}
    trainer.set_params({"c1": c1, "c2": c2, "epsilon": 1e-9, "delta": 1e-12, "max_iterations": 5000, **everything})
    for tokens, tags in data.sentences():
        trainer.append(crfsuite.ItemSequence(tokens), tags)
    trainer.train(str(tmp_path / "crf"))
    learning = Learning(
        LEARNERS["crf"], {"by": "lbfgs", "lam": 2 * c2 / n, "l1": c1 / n}, Chain(3), (data.n_features, 0)
    )
    emit, trans = learning.run(data.examples(), tol=1e-5, epochs=500).weights
    value = loss_of(data.examples(), [emit, trans])
    value += c2 * sum(float((w.astype(float) ** 2).sum()) for w in (emit, trans))
    value += c1 * sum(float(np.abs(w).sum()) for w in (emit, trans))
    assert value == pytest.approx(trainer.logparser.last_iteration["loss"], rel=1e-5)
    tagger = crfsuite.Tagger()
    tagger.open(str(tmp_path / "crf"))
    peer_emit, peer_trans = np.zeros((13, 3)), np.zeros((3, 3))
    for (name, tag), w in tagger.info().state_features.items():
        peer_emit[0 if name == "bias" else int(name) + 1, int(tag)] = w
    for (a, c), w in tagger.info().transitions.items():
        peer_trans[int(a), int(c)] = w
    tagger.close()
    np.testing.assert_allclose(emit[:, :3], peer_emit, atol=1e-3)
    np.testing.assert_allclose(trans[0, :9].reshape(3, 3), peer_trans, atol=1e-3)


def loss_of(examples, weights):
    batch = Batch(Chain(3), Log(), weights, [np.zeros(w.shape) for w in weights])
    batch.run(examples.blocks, examples.y, examples.y_at, np.arange(len(examples)))
    return batch.total


def test_a_step_that_is_too_long_is_not_taken_for_divergence():
    # A first step of length 1 along features of 1,000 makes things far worse than guessing; the next is shorter.
    rng = np.random.default_rng(0)
    values = rng.choice([-1000, 1000], 40).astype(np.float32)
    y = ((values > 0) ^ (rng.random(40) < 0.2)).astype(np.int32)
    rows = SparseRows(np.arange(41), np.zeros(40, np.uint32), values)
    fit = Learning(LEARNERS["logistic"], {"by": "lbfgs"}, Labels(2), (1,)).run(Examples.labelled(rows, y))
    assert fit.history[1].loss > 10 * np.log(2)
    p = np.mean((values > 0) == y)  # what is left is the noise
    assert fit.history[-1].loss == pytest.approx(-p * np.log(p) - (1 - p) * np.log(1 - p), rel=0.05)


def test_an_epoch_is_one_evaluation_at_the_weights_of_before():
    examples = Tagged().examples()
    learning = Learning(LEARNERS["crf"], {"by": "lbfgs"}, Chain(3), (12, 0))
    fit = learning.run(examples, epochs=1)
    assert fit.history[0].loss == pytest.approx(len(examples.y) * np.log(3) / len(examples), rel=1e-5)
    assert fit.history[0].gap == 1
    assert not any(w.any() for w in fit.weights)


def test_what_is_not_for_an_optimum_is_refused():
    def refusal(**options):
        with pytest.raises(UsageError) as caught:
            Learning(LEARNERS["logistic"], options, Labels(2), (1,))
        return str(caught.value)

    assert refusal(l1=1) == "L1 regularisation is for by=lbfgs. Set it too, or leave out l1."
    assert refusal(by="dual", l1=1) == "L1 regularisation is for by=lbfgs. Set it too, or leave out l1."
    assert refusal(by="dual", lam=0) == (
        "by=dual needs lam > 0: without it there is no dual. Set lam, or use by=lbfgs."
    )
    assert refusal(by="dual", runs=2) == "runs is for by=online: by=dual has one optimum. Leave out runs."
    assert refusal(by="lbfgs", dropout=0.1) == "dropout is for by=online: by=lbfgs has one optimum. Leave out dropout."
    assert refusal(by="lbfgs", runs=2) == "runs is for by=online: by=lbfgs has one optimum. Leave out runs."


def test_the_dual_of_sentences_has_the_same_optimum():
    examples = Tagged().examples()
    dual, lbfgs = (optimum(examples, Chain(3), (12, 0), by=by, tol=1e-4, lam=0.05) for by in ("dual", "lbfgs"))
    for a, b in zip(dual, lbfgs, strict=True):
        np.testing.assert_allclose(a, b, atol=0.01)


def test_a_part_of_the_examples_is_refused(labelled):
    learning = Learning(LEARNERS["logistic"], {"by": "lbfgs"}, Labels(L), (D,))
    with pytest.raises(UsageError) as caught:
        learning.partial(labelled[2])
    assert str(caught.value) == ("learner 'logistic' needs all examples at once with these options. Use fit.")


def test_the_result_does_not_depend_on_the_size_of_pieces(labelled):
    weights = []
    for pieces in (1, 7, 150):
        learning = Learning(LEARNERS["logistic"], {"by": "lbfgs", "lam": 0.01}, Labels(L), (D,))
        for _ in range(8):
            learning.online.begin()
            for at in range(0, N, pieces):
                order = np.arange(at, min(at + pieces, N))
                learning.online.run(labelled[2].blocks, labelled[2].y, labelled[2].y_at, order)
            learning.online.end()
        weights.append(learning.online.last()[0])
    assert np.array_equal(weights[0], weights[1])
    assert np.array_equal(weights[0], weights[2])
    assert weights[0].any()


@pytest.mark.parametrize("by", ["online", "lbfgs"])
@pytest.mark.parametrize("loss", ["log", "exp", "pointwise-log", "pointwise-exp"])
def test_each_loss_of_a_crf_learns_to_tag(loss, by):
    data = Tagged(n=60)
    options = {"loss": loss, "by": by, **({"lam": 1e-3} if by == "lbfgs" else {})}
    fit = Learning(LEARNERS["crf"], options, Chain(3), (12, 0)).run(data.examples(), epochs=30, tol=0)
    # A word is that of its tag in 65 of 100 cases, in 25 it says nothing: 0.65 + 0.25 / 3 = 0.73 is the best there is.
    assert accuracy(Chain(3), fit.weights, data.examples()) > 0.72
    assert all(np.isfinite(w).all() for w in fit.weights)


def test_a_loss_far_above_the_log_loss_is_not_taken_for_divergence():
    # 1/p of 7 tokens with 3 tags is 3^7 where the log loss is 7.7; a rate of 100 runs away for all that.
    data = Tagged(n=60)
    fit = Learning(LEARNERS["crf"], {"loss": "exp"}, Chain(3), (12, 0)).run(data.examples(), epochs=2, tol=0)
    assert fit.history[0].loss > 20
    with pytest.raises(DivergedError, match="eta=100 is too large"):
        Learning(LEARNERS["crf"], {"loss": "exp", "eta": 100}, Chain(3), (12, 0)).run(data.examples(), epochs=2)
