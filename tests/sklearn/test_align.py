"""Word alignment as a scikit-learn estimator."""

import bitext
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import linnet
from linnet.errors import DataError
from linnet.sklearn import WordAligner


def data(n, seed=0):
    found = bitext.pairs(n, seed)
    return [(source, target) for source, target, _ in found], [links for _, _, links in found]


def test_it_learns_and_aligns(tmp_path):
    X, y = data(40)
    Z, z = data(10, seed=1)
    aligner = WordAligner(epochs=5).fit(X, y)
    assert aligner.score(Z, z) > 0.95
    aligner.save(tmp_path / "a.linnet")
    assert linnet.load(tmp_path / "a.linnet").predict(Z) == aligner.predict(Z)
    assert clone(aligner).get_params()["epochs"] == 5


def test_possible_links_do_not_count_against_it():
    X, y = data(20)
    aligner = WordAligner(features="model1 dist").fit(X, y)
    Z = [(["the", "dog"], ["le", "chien"])]
    found = aligner.predict(Z)[0]
    assert found == [(0, 0), (1, 1)]
    assert aligner.score(Z, [[(0, 0)]]) == pytest.approx(2 / 3)  # A in S 1, A in P 1, A 2, S 1
    assert aligner.score(Z, [([(0, 0)], [(1, 1)])]) == 1


def test_what_cannot_be_is_refused():
    X, y = data(3)
    with pytest.raises(NotFittedError):
        WordAligner().predict(X)
    with pytest.raises(DataError, match="expected links for each of 3 pairs, found 2"):
        WordAligner().fit(X, y[:2])
    with pytest.raises(DataError, match=r"pair 1: the link \(99, 0\) is outside of the sentences"):
        WordAligner().fit(X, [[(99, 0)], *y[1:]])
