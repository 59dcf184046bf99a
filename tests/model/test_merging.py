"""Merged models: the mean of their scores, over the features of all of them."""

from dataclasses import replace

import numpy as np
import pytest

import linnet
from linnet.errors import UsageError

FIRST = (["good film", "bad film", "a fine day", "a dull day"], ["pos", "neg", "pos", "neg"])
SECOND = (["poor show", "great show", "bad day", "good plot"], ["neg", "pos", "neg", "pos"])
NEW = ["good day", "a poor film", "great plot , bad show", ""]


def trained(data, **how):
    return linnet.train(*data, **{"learner": "averaged-perceptron", "features": "words:1-2", **how})


def test_scores_are_the_mean():
    a, b = trained(FIRST), trained(SECOND)
    assert a.labels == ("pos", "neg") or a.labels == ("neg", "pos")
    both = a.merge(b)
    order = [b.labels.index(label) for label in a.labels]
    assert np.allclose(both.scores(NEW), (a.scores(NEW) + b.scores(NEW)[:, order]) / 2, atol=1e-6)
    assert set(both.features.names()) == set(a.features.names()) | set(b.features.names())
    assert both.features.n_features == len(both.features.names())


def test_labels_in_another_order():
    b = trained((SECOND[0], ["x" + label for label in SECOND[1]]))
    c = trained((SECOND[0][::-1], ["x" + label for label in SECOND[1]][::-1]))
    both = b.merge(c)
    order = [c.labels.index(label) for label in b.labels]
    assert np.allclose(both.scores(NEW), (b.scores(NEW) + c.scores(NEW)[:, order]) / 2, atol=1e-6)


def test_hashed_features():
    a, b = (trained(data, features="words:1 hash=8") for data in (FIRST, SECOND))
    order = [b.labels.index(label) for label in a.labels]
    assert np.allclose(a.merge(b).scores(NEW), (a.scores(NEW) + b.scores(NEW)[:, order]) / 2, atol=1e-6)


def test_document_frequencies_are_added():
    a, b = (trained(data, features="words:1 tfidf raw") for data in (FIRST, SECOND))
    both = a.merge(b)
    assert both.features.n_documents == 8
    j = both.features.names().index("good")
    # "good" is in 1 of 4 texts of either, so in 2 of 8: idf = ln(9 / 3) + 1.
    assert both.features.idf[j] == pytest.approx(np.log(3) + 1)
    order = [b.labels.index(label) for label in a.labels]
    assert np.allclose(both.scores(NEW), (a.scores(NEW) + b.scores(NEW)[:, order]) / 2, atol=1e-5)


def test_a_merged_model_is_saved_and_made_smaller(tmp_path):
    both = trained(FIRST).merge(trained(SECOND), trained(FIRST))
    both.compact(eight_bit=True).save(tmp_path / "m.linnet")
    assert linnet.load(tmp_path / "m.linnet").predict(NEW) == both.predict(NEW)


def in_compressed_rows(model):
    """The same model, with its weights as the three arrays that models of many labels have; the row of the bias is full."""
    W = np.asarray(model.weights[0])[:, : len(model.labels)]
    there = W != 0
    there[0] = True
    indptr = np.concatenate([[0], np.cumsum(there.sum(axis=1))]).astype(np.uint64)
    return replace(model, weights=(indptr, np.nonzero(there)[1].astype(np.uint32), W[there]))


def test_compressed_rows():
    a, b = trained(FIRST), trained(SECOND)
    both = in_compressed_rows(a).merge(in_compressed_rows(b))
    assert len(both.weights) == 3
    assert np.allclose(both.scores(NEW), a.merge(b).scores(NEW), atol=1e-6)


@pytest.mark.parametrize(
    ("data", "how", "said"),
    [
        (SECOND, {"learner": "svm"}, "their learners differ: 'averaged-perceptron' and 'svm'"),
        (SECOND, {"features": "words:1"}, "their features differ: 'words:1-2' and 'words:1'"),
        ((SECOND[0], ["neg", "+", "neg", "+"]), {}, "their labels differ: only one of them has 'pos'"),
    ],
)
def test_models_that_differ_are_refused(data, how, said):
    with pytest.raises(UsageError) as error:
        trained(FIRST).merge(trained(data, **how))
    assert said in str(error.value) or said.replace("'pos'", "'+'") in str(error.value)


def test_naive_bayes_and_other_tasks_are_refused():
    a, b = (trained(data, learner="naive-bayes") for data in (FIRST, SECOND))
    with pytest.raises(UsageError, match="not the counts that could be added up"):
        a.merge(b)
    tagger = linnet.train(([["a", "b"]], [["X", "Y"]]), task="tag")
    with pytest.raises(UsageError, match="models of task 'tag' are not merged"):
        tagger.merge(tagger)
