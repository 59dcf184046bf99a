"""Rows of files that threads make ahead: they are those that one thread makes, whoever makes them, and errors are told."""

import os
from functools import partial

import numpy as np
import pytest
from linnet.core.read_ahead import ReadAhead, maker_of

import linnet
from linnet.core import sparse, threads
from linnet.core.room import Room
from linnet.features.rows import SparseRows
from linnet.features.rows_file import RowsFile

N = 1500
"""The number of examples: many chunks of 64, and more than there are slots for."""


@pytest.fixture
def rows():
    """Rows of very different lengths, some of them empty, and where they begin."""
    rng = np.random.default_rng(0)
    lengths = rng.integers(0, 40, N)
    indptr = np.concatenate([[0], np.cumsum(lengths)])
    indices = np.concatenate([np.sort(rng.choice(500, n, replace=False)) for n in lengths]).astype(np.uint32)
    return SparseRows(indptr, indices, rng.integers(1, 5, indptr[-1]).astype(np.float32))


@pytest.mark.parametrize("n", [2, 3, 8])
def test_sums_over_rows_are_those_of_one_thread(tmp_path, rows, n):
    f = np.random.default_rng(1).random(500, np.float32)
    labels = np.random.default_rng(2).integers(0, 3, N)
    work = {
        "in turn": lambda block: sparse.squares(block, f),
        "by label": lambda block: sparse.strength(block, np.arange(N), labels % 2, 2, 500).tolist(),
        "some left out": lambda block: sparse.strength(
            block, np.arange(N), labels, 3, 500, (labels > 0).astype(np.float32)
        ).tolist(),
    }
    block = RowsFile(Room(tmp_path, most=0), N, [rows]).block()
    for name, found in work.items():
        with threads.limited(1):
            alone = found(block)
        with threads.limited(n):
            assert isinstance(maker_of(block), ReadAhead)
            assert [found(block) for _ in range(5)] == [alone] * 5, name


def test_a_file_that_ends_too_early_is_an_error_of_who_asks(tmp_path, rows):
    kept = RowsFile(Room(tmp_path, most=0), N, [rows])
    block = kept.block()
    os.ftruncate(kept.descriptor, int(kept.ends[N // 2]))
    with threads.limited(3), pytest.raises(OSError, match=r"the file of rows .* cannot be read: it ends too early"):
        sparse.squares(block, np.ones(500, np.float32))


def texts(n):
    rng = np.random.default_rng(3)
    words = [f"w{k}" for k in range(300)]
    labels = [str(k) for k in rng.integers(0, 3, n)]
    return [f"{' '.join(rng.choice(words, rng.integers(1, 30)))} for{k}" for k in labels], labels


@pytest.mark.parametrize(
    ("learner", "options"),
    [
        ("nb-svm", {}),  # Examples rest, and an estimate takes folds off.
        ("svm", {"loss": "multiclass-hinge"}),
        ("averaged-mira", {}),
        ("logistic", {"dropout": 0.2}),
        ("logistic", {"by": "lbfgs"}),
        ("naive-bayes", {}),
        ("boosting", {}),
    ],
)
def test_models_of_texts_are_those_of_one_thread(learner, options):
    train = partial(linnet.train, *texts(600), learner=learner, options=options, memory="rows", epochs=3)
    weights = [[np.asarray(w).tobytes() for w in train(threads=n).weights] for n in (1, 2, 5)]
    assert weights[0] == weights[1] == weights[2]


def test_taggers_are_those_of_one_thread():
    rng = np.random.default_rng(4)
    X = [[f"w{k}" for k in rng.integers(0, 50, rng.integers(1, 12))] for _ in range(400)]
    Y = [["NV"[int(word[1:]) % 2] for word in x] for x in X]
    train = partial(linnet.train, X, Y, task="tag", learner="averaged-perceptron", memory="rows", epochs=2)
    weights = [[np.asarray(w).tobytes() for w in train(threads=n).weights] for n in (1, 3)]
    assert weights[0] == weights[1]
