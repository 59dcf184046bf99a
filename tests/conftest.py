"""What the tests share: examples from plain matrices, learners over them, and data that may lie beside the repository.

Fixtures that give a function are of the session, so that Hypothesis may call them as often as it likes.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from linnet.core.blocks import Block
from linnet.core.loops.online import Online
from linnet.core.weights import stride_of
from linnet.features import SparseRows
from linnet.features.kinds import KINDS
from linnet.features.word_attributes import WORD_ATTRIBUTES
from linnet.fitting.registry import TASKS
from linnet.io.texts.registry import FORMATS
from linnet.learners import LEARNERS, Examples
from linnet.structures.labels import Labels

settings.register_profile("linnet", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("linnet")


@pytest.fixture(scope="session")
def block_of():
    """The Block of a matrix: a row for each example, its zeros left out."""

    def make(X):
        X = np.asarray(X, np.float32)
        rows, columns = np.nonzero(X)
        indptr = np.searchsorted(rows, np.arange(len(X) + 1)).astype(np.int64)
        return Block(indptr, columns.astype(np.uint32), X[rows, columns])

    return make


@pytest.fixture(scope="session")
def padded():
    """Weights (the bias first, a column for each label) in rows as wide as the core has them."""

    def pad(W):
        W = np.asarray(W, np.float32)
        out = np.zeros((len(W), stride_of(W.shape[1])), np.float32)
        out[:, : W.shape[1]] = W
        return out

    return pad


@pytest.fixture(scope="session")
def learner_of(padded):
    """An Online over labels that starts from the weights W."""

    def make(W, loss, step, *, averaged=False):
        W = np.asarray(W, np.float32)
        online = Online(Labels(W.shape[1]), loss, step, (len(W) - 1,), averaged=averaged)
        online.restore({"v0": padded(W)}, {})
        return online

    return make


@pytest.fixture(scope="session")
def teach(block_of):
    """Run an Online over the rows of X in their order, or in the given one; returns its weights without the padding."""

    def run(online, X, y, *, order=None, weight=None):
        y = np.asarray(y, np.int32)
        order = np.arange(len(y)) if order is None else np.asarray(order)
        weight = None if weight is None else np.asarray(weight, np.float32)
        online.run((block_of(X),), y, np.arange(len(y) + 1), order.astype(np.int64), weight)
        return online.last()[0][:, : online.gen.outcomes[0]]

    return run


@pytest.fixture(scope="session")
def noisy_labels():
    """A matrix with a column of ones for the bias, labels that weights explain in part, and the same as examples."""

    def make(n, n_features, n_labels, share):
        rng = np.random.default_rng(0)
        X = ((rng.random((n, n_features)) < share) * rng.normal(1, 0.5, (n, n_features))).astype(np.float32)
        y = np.argmax(X @ rng.normal(size=(n_features, n_labels)) + rng.gumbel(size=(n, n_labels)), axis=1)
        rows, columns = np.nonzero(X)
        indptr = np.searchsorted(rows, np.arange(n + 1)).astype(np.int64)
        sparse = SparseRows(indptr, columns.astype(np.uint32), X[rows, columns])
        return np.hstack([np.ones((n, 1)), X]), y, Examples.labelled(sparse, y.astype(np.int32))

    return make


@pytest.fixture
def registries():
    """Lets a test add tasks, learners, features and formats; all registries are as they were afterwards."""
    known = (TASKS._tasks, LEARNERS, KINDS, WORD_ATTRIBUTES, FORMATS)
    before = [(registry, dict(registry)) for registry in known]
    yield
    for registry, things in before:
        registry.clear()
        registry.update(things)


@pytest.fixture(scope="session")
def shared_data():
    """The folder of data sets, which is not part of the repository."""
    folder = Path(os.environ.get("LINNET_DATA", Path(__file__).parents[2] / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"the data sets are not here ({folder}); set LINNET_DATA")
    return folder
