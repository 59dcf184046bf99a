"""Weights that are kept as what was changed: chosen by their size, the same as full rows, and never laid out in full."""

import numpy as np
import pytest

import linnet
import linnet.training.checkpoint
from linnet.core.blocks import Block
from linnet.core.predictor import Predictor
from linnet.core.strips import by_block
from linnet.errors import ModelError, UsageError
from linnet.learners import LEARNERS, Examples, Learning, preset
from linnet.learners.weights import Compressed, bias, blocks, norm, scaled
from linnet.model.file import read_model, write_model
from linnet.structures.labels import Labels
from linnet.structures.labelset import Labelset

CHANGE_FEW = (
    *("perceptron", "averaged-perceptron", "mira", "averaged-mira", "pa", "pa2", "arow", "scw", "scw2", "pegasos"),
)
WORDS = ["fine", "good", "dull", "bad", "a", "the", "film", "story", "end", "plot"]


@pytest.fixture
def all_large(monkeypatch):
    monkeypatch.setattr(preset, "LARGE", -np.inf)


def full(weights, gen):
    """With no padding."""
    return [
        np.stack([W[j, :k] for j in range(_rows(W))]) for W, k in zip(blocks(weights, gen), gen.outcomes, strict=True)
    ]


def _rows(W):
    return len(W.indptr) - 1 if isinstance(W, Compressed) else len(W)


def sets(n=120, seed=0):
    """Five labels, each with a feature of its own that is mostly there; and some noise."""
    rng = np.random.default_rng(seed)
    Y = rng.random((n, 5)) < 0.3
    X = np.hstack([Y * rng.uniform(0.5, 1.5, Y.shape), rng.random((n, 7)) < 0.4]).astype(np.float32)
    rows, columns = np.nonzero(X)
    block = Block(np.searchsorted(rows, np.arange(n + 1)).astype(np.int64), columns.astype(np.uint32), X[rows, columns])
    y = np.concatenate([[row.sum(), *np.flatnonzero(row)] for row in Y]).astype(np.int32)
    return Examples((block,), y, np.concatenate([[0], np.cumsum(1 + Y.sum(axis=1))]))


def learned(name, options, monkeypatch, large, **run):
    monkeypatch.setattr(preset, "LARGE", large)
    examples = sets()
    learning = Learning(LEARNERS[name], options, Labelset(5), (12,), examples.length2())
    return learning.run(examples, epochs=4, tol=0, measure=True, **run)


@pytest.mark.parametrize("options", [{}, {"dropout": 0.3}, {"runs": 3}, {"dropout": 0.3, "runs": 2}])
@pytest.mark.parametrize("name", CHANGE_FEW)
def test_a_run_learns_what_it_learns_with_full_rows(monkeypatch, name, options):
    gen = Labelset(5)
    dense, ragged = (learned(name, options, monkeypatch, large, dev=sets(40, 1)) for large in (np.inf, -np.inf))
    assert [len(block) for block in by_block(ragged.weights)] == [3]
    assert np.array_equal(*(full(fit.weights, gen)[0] for fit in (dense, ragged)))
    kept = ("loss", "updates", "dev", "mistakes", "run")
    assert [[getattr(epoch, key) for key in kept] for epoch in dense.history] == [
        [getattr(epoch, key) for key in kept] for epoch in ragged.history
    ]
    assert (dense.best, dense.stopped) == (ragged.best, ragged.stopped)
    assert ragged.theory.norm == pytest.approx(dense.theory.norm, rel=1e-6)


@pytest.mark.parametrize("name", [name for name in LEARNERS if LEARNERS[name].linear and name not in CHANGE_FEW])
def test_what_changes_all_weights_keeps_full_rows(all_large, name):
    learning = Learning(LEARNERS[name], {}, Labels(3), (4,))
    assert all(array.ndim == 2 for array in learning.weights())


@pytest.mark.parametrize("name", ["logistic", "naive-bayes", "svm", "nb-svm", "boosting", "crf", "voted-perceptron"])
def test_what_the_machine_cannot_hold_is_refused(name):
    with pytest.raises(UsageError) as caught:
        Learning(LEARNERS[name], {}, Labels(10_000), (10**9,))
    assert str(caught.value) == (
        f"learner '{name}' would need 40000 GB for a weight of each of 1,000,000,000 features for each of 10,000 outcomes. "
        "Use 'averaged-perceptron' or 'averaged-mira', which keep only those that they have changed."
    )


def test_how_far_a_loss_is_from_guessing_is_found_without_full_rows(monkeypatch):
    # With weights of 0 each of the five labels is inside its margin by 1.
    monkeypatch.setattr(preset, "LARGE", -np.inf)
    learning = Learning(LEARNERS["mira"], {}, Labelset(5), (12,))
    assert learning._guessing(sets(), 1e9) == pytest.approx(5)
    assert learning._guessing(sets(), 1e-3) < 5


def test_rows_and_columns_of_compressed_weights():
    # W = [[1, 2, 3], [0, 0, 4], [0, 0, 0], [5, 0, 1]], the bias first; entries in any order
    arrays = np.array([0, 3, 4, 4, 6], np.uint64), np.array([0, 1, 2, 2, 2, 0], np.uint32)
    weights = [*arrays, np.array([1, 2, 3, 4, 1, 5], np.float32)]
    (W,) = blocks(weights, Labels(3))
    assert W[0].tolist() == [1, 2, 3]
    assert W[0, :2].tolist() == [1, 2]
    assert W[3, 2] == 1
    assert W[np.array([1, 3, 2])].tolist() == [[0, 0, 4], [5, 0, 1], [0, 0, 0]]
    assert W[np.array([1, 3]), :2].tolist() == [[0, 0], [5, 0]]
    # less the mean over outcomes: 4/3 for feature 0, 2 for feature 2
    found = [dict(zip(j.tolist(), w.tolist(), strict=True)) for j, w in W.by_outcome()]
    assert found == [{2: 3.0}, {}, {0: pytest.approx(4 - 4 / 3), 2: -1.0}]
    bias(weights, 0, 3)[:] += 1
    assert blocks(weights, Labels(3))[0][0].tolist() == [2, 3, 4]
    assert norm(weights) == pytest.approx(np.sqrt(4 + 9 + 16 + 16 + 1 + 25))
    assert scaled(weights, 2)[2].tolist() == [4, 6, 8, 8, 2, 10]
    assert scaled(weights, 2)[1] is weights[1]


def texts(n=300, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    words = np.where(rng.random((n, 5)) < 0.4, y[:, None], rng.integers(0, len(WORDS), (n, 5)))
    return [" ".join(WORDS[w] for w in row) for row in words], [f"label{k}" for k in y]


@pytest.fixture
def pair(monkeypatch):
    """The same model with full rows and with those of what was changed."""

    def train(**how):
        models = []
        for large in (np.inf, -np.inf):
            monkeypatch.setattr(preset, "LARGE", large)
            models.append(linnet.train(texts(), learner="averaged-perceptron", features="words:1-2", epochs=3, **how))
        return models

    return train


def test_a_model_predicts_explains_and_is_kept_as_any_other(pair, tmp_path):
    dense, ragged = pair()
    ragged.save(tmp_path / "m.linnet")
    again = linnet.load(tmp_path / "m.linnet")
    some = texts(20, 1)[0]
    for model in (ragged, again):
        assert [array.ndim for array in model.weights] == [1, 1, 1]
        assert np.array_equal(model.scores(some), dense.scores(some))
        assert model.predict(some) == dense.predict(some)
        assert model.explain(some[0]) == dense.explain(some[0])
        for label, strong in model.strongest(3).items():
            assert [item.feature for item in strong] == [item.feature for item in dense.strongest(3)[label]]
            assert [w for _, w in strong] == pytest.approx([w for _, w in dense.strongest(3)[label]], abs=1e-6)
    assert not again.weights[2].flags.owndata  # read in place


def test_probabilities_are_made_of_such_scores_too(pair):
    dense, ragged = pair(calibrate="sigmoid")
    some = texts(20, 1)[0]
    assert np.array_equal(ragged.predict_proba(some), dense.predict_proba(some))


def test_a_damaged_file_is_refused(pair, tmp_path):
    _, ragged = pair()
    path = tmp_path / "m.linnet"
    ragged.save(path)
    raw = path.read_bytes()
    for i in range(0, len(raw), 97):
        path.write_bytes(raw[:i] + bytes([raw[i] ^ 0x10]) + raw[i + 1 :])
        with pytest.raises(ModelError, match=r"^[^\n]*$"):
            linnet.load(path)
        path.write_bytes(raw[:i])
        with pytest.raises(ModelError, match=r"^[^\n]*$"):
            linnet.load(path)


def test_a_file_whose_rows_are_no_matrix_is_refused(pair, tmp_path):
    _, ragged = pair()
    ragged.save(tmp_path / "m.linnet")
    header, arrays = read_model(tmp_path / "m.linnet")
    outcomes = arrays["weights.1"].copy()
    outcomes[-1] = len(ragged.labels)
    write_model(tmp_path / "m.linnet", header, arrays | {"weights.1": outcomes})
    with pytest.raises(ModelError, match=r"do not fit each other \("):
        linnet.load(tmp_path / "m.linnet")


@pytest.mark.parametrize("how", [{}, {"dev": 0.2}, {"options": {"runs": 2}}])
def test_an_interrupted_run_goes_on_to_the_same_bits(monkeypatch, all_large, tmp_path, how):
    monkeypatch.setattr(linnet.training.checkpoint, "_WORTH_KEEPING", 0.0)
    part = tmp_path / "model.part"

    def train(progress=None, **more):
        return linnet.train(
            texts(),
            learner="averaged-mira",
            features="words:1",
            epochs=4,
            tol=0,
            checkpoint=part,
            progress=progress,
            **how,
            **more,
        )

    def interrupt(seen):
        if seen.epoch == (6 if how.get("options") else 2):
            raise KeyboardInterrupt

    whole = train()
    train(interrupt)
    assert part.exists()
    again = train(resume=True)
    assert [array.tobytes() for array in again.weights] == [array.tobytes() for array in whole.weights]


def test_ten_thousand_labels_take_no_room_of_their_own():
    # W in full would be 4 GB. Each example has one to three labels, and for each of them a feature that no other has.
    rng, n, n_labels, n_features = np.random.default_rng(0), 1500, 10_000, 100_000
    chosen = [np.unique(rng.integers(0, 200, rng.integers(1, 4))) * 50 for _ in range(n)]
    rows = [np.concatenate([labels * 10, rng.integers(0, 1000, 20) * 100 + 1]).astype(np.uint32) for labels in chosen]
    at = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    block = Block(at, np.concatenate(rows), np.full(at[-1], 0.2, np.float32))
    y = np.concatenate([[len(labels), *labels] for labels in chosen]).astype(np.int32)
    examples = Examples((block,), y, np.concatenate([[0], np.cumsum([1 + len(labels) for labels in chosen])]))
    fit = Learning(LEARNERS["perceptron"], {}, Labelset(n_labels), (n_features,)).run(examples, epochs=15, tol=0)
    found = Predictor(Labelset(n_labels), fit.weights).argmax(examples.blocks)
    assert Labelset(n_labels).accuracy(examples.y, examples.y_at, *found) == 1
    assert sum(array.nbytes for array in fit.weights) < 8e6
