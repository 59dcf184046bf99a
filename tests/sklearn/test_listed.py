"""Estimators over sentences, trees, pairs and lists of candidates refuse matrices and single values with a sentence."""

import numpy as np
import pytest
import scipy.sparse as sp

from linnet.errors import LinnetError
from linnet.sklearn import ConstituentParser, DependencyParser, Reranker, SequenceTagger, WordAligner

ESTIMATORS = [SequenceTagger, DependencyParser, ConstituentParser, Reranker, WordAligner]


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("X", [np.zeros((4, 3)), sp.csr_matrix(np.eye(4)), sp.csr_array(np.eye(4))])
def test_a_matrix_is_no_list_of_sentences(estimator, X):
    with pytest.raises(
        LinnetError, match=r"^expected a list of .*, found \w+. A matrix of numbers is for LinearClassifier"
    ):
        estimator().fit(X, [0, 1, 0, 1])


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("X", [3, None, np.array(3), np.array([[1, 2]], object)])
@pytest.mark.parametrize("y", [None, 3, [0, 1]])
def test_other_values_are_a_sentence(estimator, X, y):
    with pytest.raises(LinnetError, match="expected"):
        estimator().fit(X, y)


def test_sentences_in_an_array_are_read():
    X, y = np.array([["the", "dog"], ["it", "barks"]] * 3), np.array([["DT", "NN"], ["PR", "VB"]] * 3)
    assert SequenceTagger(features="w").fit(X, y).predict(X[:1].tolist()) == [["DT", "NN"]]
