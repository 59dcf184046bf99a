"""What the tests of the server share: a small model and a server that has it."""

from __future__ import annotations

import pytest

import linnet

TEXTS = ["good film", "fine film", "great fun", "bad film", "dull film", "poor fun"] * 4
LABELS = ["pos", "pos", "pos", "neg", "neg", "neg"] * 4


@pytest.fixture(autouse=True)
def no_files_of_other_tests():
    """Processes for uploads run the files that `linnet.use` was given; those of other tests are gone by now."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("linnet.web.apart.USED", [])
        yield


@pytest.fixture(scope="session")
def reviews(tmp_path_factory):
    """The path of a model of two labels."""
    path = tmp_path_factory.mktemp("models") / "reviews.linnet"
    linnet.train(TEXTS, LABELS, features="words:1", learner="logistic").save(path)
    return path


@pytest.fixture(scope="module")
def browser():
    """A browser, for the tests of a module."""
    from browsing import chromium

    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def client(reviews):
    """A client of a server that has this model."""
    from running_server import serving

    with serving(reviews) as client:
        yield client
