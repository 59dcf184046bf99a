"""Merged models: the mean of their scores, over the features of all of them."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

import linnet
from linnet.errors import UsageError
from linnet.features.tokens import TokenFeatures

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


def test_naive_bayes_and_other_tasks_are_refused(tmp_path):
    a, b = (trained(data, learner="naive-bayes") for data in (FIRST, SECOND))
    with pytest.raises(UsageError, match="not the counts that could be added up"):
        a.merge(b)
    (tmp_path / "arcs.conllu").write_text(ARCS)
    parser = linnet.train(tmp_path / "arcs.conllu", task="parse", epochs=1)
    with pytest.raises(UsageError, match="models of task 'parse' are not merged"):
        parser.merge(parser)


ARCS = "1\tdogs\t_\tN\t_\t_\t2\tsubj\t_\t_\n2\tbark\t_\tV\t_\t_\t0\troot\t_\t_\n\n" * 4
TAGGED = (
    ([["the", "dog", "barks"], ["it", "barks"], ["the", "end"]], [["DT", "NN", "VB"], ["PR", "VB"], ["DT", "NN"]]),
    (
        [["a", "dog", "sees", "it"], ["the", "sees"], ["barks", "end"]],
        [["DT", "NN", "VB", "PR"], ["DT", "NN"], ["NN", "VB"]],
    ),
)
SENTENCES = [["the", "dog", "sees", "barks"], ["it", "is", "a", "new", "end"], ["dog"]]


def tagger(data, features="w w[-1]|w suffix:2 y[-1] near near-left", **how):
    return linnet.train(data, task="tag", learner="averaged-perceptron", epochs=3, features=features, **how)


def scores_of(model, sentences):
    """The scores of tags, and of pairs of tags and what else a chain has, of all tokens."""
    columns = {"w": pa.array([word for words in sentences for word in words], pa.large_string())}
    starts = np.cumsum([0, *map(len, sentences)])
    blocks = model.features.blocks(columns, starts)
    rows = [tuple(map(np.asarray, block.arrays()[:3])) for block in blocks]
    dense = []
    for (indptr, indices, values), W, n in zip(rows, model.W, model.outcomes, strict=True):
        theta = np.tile(np.asarray(W)[0, :n], (len(indptr) - 1, 1))
        for i in range(len(theta)):
            at = slice(indptr[i], indptr[i + 1])
            theta[i] += values[at] @ np.asarray(W)[1 + indices[at], :n]
        dense.append(theta)
    return dense


@pytest.mark.parametrize(
    "features",
    ["w w[-1]|w suffix:2 y[-1] near near-left", "w|suffix:1|w[1] y[-1] y[-1]|lower y[-2]|y[-1]"],
    ids=["pairs", "threes"],
)
def test_taggers(features, tmp_path):
    a, b = (tagger(data, features) for data in TAGGED)
    assert a.labels == b.labels
    both = a.merge(b)
    for whole, one, other in zip(*(scores_of(model, SENTENCES) for model in (both, a, b)), strict=True):
        assert np.allclose(whole, (one + other) / 2, atol=1e-6)
        assert np.abs(one - other).max() > 0.1
    assert set(both.features.names()) == set(a.features.names()) | set(b.features.names())
    both.save(tmp_path / "both.linnet")
    again = linnet.load(tmp_path / "both.linnet")
    assert again.predict(SENTENCES) == both.predict(SENTENCES)
    assert len(both.compact(eight_bit=True).predict(SENTENCES)) == len(SENTENCES)


def test_taggers_with_tags_in_another_order():
    a, b = (tagger(data) for data in TAGGED)
    order = [2, 0, 3, 1]  # the old numbers of the tags in their new order
    turned = replace(
        b,
        labels=tuple(b.labels[k] for k in order),
        weights=tuple(
            np.ascontiguousarray(W[:, places])
            for W, places in zip(b.weights, (order, [4 * i + j for i in order for j in order]), strict=True)
        ),
    )
    assert turned.predict(SENTENCES) == b.predict(SENTENCES)
    for one, other in zip(a.merge(turned).weights, a.merge(b).weights, strict=True):
        assert np.array_equal(one, other)


def test_the_tags_of_words_are_those_of_who_has_seen_them_most_often():
    once, often = [["a", "b"]], [["a", "a", "a", "c"]]
    models = [
        tagger((once + [["x", "y"]] * 2, [["X", "Y"]] * 3), "w amb y[-1]"),
        tagger((often + [["b", "x"]] * 3, [["Y", "Y", "Y", "X"], *[["X", "Y"]] * 3]), "w amb y[-1]"),
    ]
    words = pa.array(["a", "b", "c", "x", "y", "new"], pa.large_string())
    seen = [
        model.features._learned["amb"].look_up(words).to_pylist() for model in (*models, models[0].merge(models[1]))
    ]
    assert seen == [
        ["X 1", "Y 1", "U", "X 2-4", "Y 2-4", "U"],
        ["Y 2-4", "X 2-4", "X 1", "Y 2-4", "U", "U"],
        ["Y 2-4", "X 2-4", "X 1", "X 2-4", "Y 2-4", "U"],
    ]


def test_tags_that_were_repaired_are_no_difference():
    X = [["a", "b"], ["c", "d"]]
    whole, mended = (tagger((X, [[first, "I-P"], ["O", "B-P"]])) for first in ("B-P", "I-P"))
    assert [model.details["repaired"] for model in (whole, mended)] == [0, 1]
    both = whole.merge(mended, mended)
    assert both.details == whole.details | {"repaired": 2}
    assert both.predict(X) == [["B-P", "I-P"], ["O", "B-P"]]


def test_taggers_with_other_settings_or_with_rerankers_are_refused():
    X, Y = [["a", "b"], ["c", "d"]] * 10, [["B-P", "I-P"], ["O", "B-P"]] * 10
    plain = tagger((X, Y))
    with pytest.raises(
        UsageError, match=r"settings of the task differ: scheme is 'bio' in one and 'bioes' in the other\."
    ):
        plain.merge(tagger((X, [["B-P", "E-P"], ["O", "S-P"]] * 10)))
    with pytest.raises(UsageError, match=r"models with a reranker are not merged, as it knows the scores of one model"):
        plain.merge(tagger((X, Y), rerank=2))


def test_taggers_that_look_at_other_columns_are_refused():
    a = tagger(TAGGED[0])
    other = replace(a, features=TokenFeatures(a.features.spec, ("w",), {"lexicon:x": {}}))
    with pytest.raises(UsageError, match="look at other columns or other files"):
        a.merge(other)
