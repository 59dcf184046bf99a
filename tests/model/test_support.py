"""Support vectors: the examples that the weights of a dual learner are a sum of, with their rows, texts and alphas."""

import numpy as np
import pytest

import linnet
from linnet.errors import UsageError
from linnet.sklearn import LinearClassifier

TEXTS = [
    "good film",
    "fine film",
    "bad film",
    "poor film",
    "good plot",
    "bad plot",
    "a film",
    "dull",
    "very very good film",
]
LABELS = ["+", "+", "-", "-", "+", "-", "+", "-", "+"]


def trained(learner, data=(TEXTS, LABELS), **how):
    options = how.pop("options", {})
    return linnet.train(data, features="words:1", learner=learner, options=options, estimate=False, tol=1e-6, **how)


@pytest.mark.parametrize(
    ("learner", "options"),
    [
        ("svm", {}),
        ("svm", {"loss": "multiclass-hinge"}),
        ("svm", {"bias": "no"}),
        ("logistic", {"by": "dual", "lam": 0.05}),
    ],
)
def test_the_weights_are_the_sum_of_the_support_vectors(learner, options):
    model = trained(learner, options=options, keep_support=True)
    rows = model.features.transform(TEXTS)
    X = np.zeros((len(TEXTS), 1 + model.features.n_features))
    X[:, 0] = options.get("bias") != "no"
    for i in range(len(TEXTS)):
        at = slice(rows.indptr[i], rows.indptr[i + 1])
        X[i, 1 + rows.indices[at].astype(int)] = rows.values[at]
    w = np.zeros((X.shape[1], 2))
    for vector in model.support_vectors():
        assert vector.text == TEXTS[vector.row - 1]
        w += np.outer(X[vector.row - 1], [vector.alpha.get(label, 0) for label in model.labels])
    np.testing.assert_allclose(model.weights[0], w, atol=1e-5)
    assert len(model.support_vectors()) == model.report["epochs"][-1]["support"]


def test_points_on_the_margin_are_the_support_vectors():
    # x = 1 and x = 3 are nearest to the middle, and the machine is w = 1, b = -2; those farther away add nothing. The bias is a
    # feature: it is in the length of w, and X has it as a column here.
    X = np.array([[-2.0, 1], [1, 1], [3, 1], [5, 1]])
    options = {"C": 1e4, "loss": "hinge", "bias": "no"}
    machine = LinearClassifier("svm", options=options, epochs=5000, tol=1e-9).fit(X, [0, 0, 1, 1])
    assert machine.support_.tolist() == [1, 2]
    np.testing.assert_allclose(machine.dual_coef_ @ X[machine.support_], machine.coef_, rtol=1e-4)
    np.testing.assert_allclose(machine.coef_, [[2, -4]], rtol=1e-3)  # w_1 - w_0 = 2 w_1
    # alpha: w = 3 alpha - 1 alpha' = 1 and b = alpha - alpha' = -2: alpha = 1.5, alpha' = 3.5, twice of both labels
    np.testing.assert_allclose(machine.dual_coef_, [[-7, 3]], rtol=1e-3)


def test_a_kernel_model_has_them_without_being_asked():
    model = trained("kernel-svm")
    vectors = model.support_vectors()
    assert {vector.row for vector in vectors} == {None}
    kept = {vector.text: vector for vector in trained("kernel-svm", keep_support=True).support_vectors()}
    assert len(vectors) == len(kept) == len(TEXTS)
    for vector in vectors:
        text = {"very good film": "very very good film"}.get(vector.text, vector.text)
        assert (vector.alpha, TEXTS.index(text) + 1) == (kept[text].alpha, kept[text].row)


def test_equal_rows_are_one_support_vector_of_a_kernel():
    model = trained("kernel-perceptron", ([*TEXTS, TEXTS[0]], [*LABELS, LABELS[0]]), keep_support=True)
    assert len({vector.row for vector in model.support_vectors()}) == len(model.support_vectors())
    assert 10 not in {vector.row for vector in model.support_vectors()}


def test_rows_are_those_of_the_data(tmp_path):
    rows = [f"{text},{label}\n" for text, label in zip(TEXTS, LABELS, strict=True)]
    path = tmp_path / "reviews.csv"
    path.write_text("text,label\nso so,\n" + "".join(rows))
    model = linnet.train(path, label="label", features="words:1", learner="svm", keep_support=True, estimate=False)
    model.save(tmp_path / "m.linnet")
    loaded = linnet.load(tmp_path / "m.linnet").support_vectors()
    assert loaded == model.support_vectors()
    assert {vector.row: vector.text for vector in loaded} == {i + 2: text for i, text in enumerate(TEXTS)}


def test_sentences_are_support_vectors_too():
    X, y = [["the", "dog", "barks"], ["a", "cat", "sleeps"]], [["D", "N", "V"], ["D", "N", "V"]]
    model = linnet.train((X, y), task="tag", learner="svm", features="w", keep_support=True)
    assert sorted((vector.row, vector.text) for vector in model.support_vectors()) == [
        (1, "the dog barks"),
        (2, "a cat sleeps"),
    ]
    assert all(set(vector.alpha) == {"D", "N", "V"} for vector in model.support_vectors())


def test_a_model_without_them_says_why():
    with pytest.raises(UsageError, match=r"did not keep its support vectors. Train it again with --set support=keep"):
        trained("svm").support_vectors()
    with pytest.raises(
        UsageError, match=r"learner 'perceptron' has no support vectors: .* Those that do are svm, nb-svm,"
    ):
        trained("perceptron").support_vectors()
    with pytest.raises(UsageError, match=r"learner 'mira' has no support vectors: .* Leave out support=keep\."):
        trained("mira", keep_support=True)
    machine = LinearClassifier("perceptron", features="words:1").fit(TEXTS, LABELS)
    with pytest.raises(AttributeError, match="learner 'perceptron' has no support vectors"):
        _ = machine.support_
