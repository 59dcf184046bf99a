"""The strongest features of models whose weights are known."""

import numpy as np
import pytest

import linnet
from linnet.explain import strongest
from linnet.features import TextFeatures


@pytest.fixture(scope="module")
def features():
    found = TextFeatures("words")
    found.fit_transform(["a b c d"])
    assert found.names() == ["a", "b", "c", "d"]
    return found


def of(features, rows, labels, top=10):
    """The bias is no feature, however strong."""
    W = np.array([[100] * len(labels), *rows], np.float32)
    return {
        label: [(item.feature, item.weight) for item in items]
        for label, items in strongest(features, W, labels, top).items()
    }


def test_by_the_weight_less_the_mean_over_the_labels(features):
    # a: 3 and 1, mean 2; b: 5 and 5 speaks for none; c: -1 and 1; d: 0 and 4.
    found = of(features, [[3, 1], [5, 5], [-1, 1], [0, 4]], ("x", "y"))
    assert found == {"x": [("a", 1)], "y": [("d", 2), ("c", 1)]}


def test_three_labels(features):
    found = of(features, [[3, 0, 0], [0, 3, 3], [0, 0, 0], [6, 0, 0]], ("x", "y", "z"))
    assert found == {"x": [("d", 4), ("a", 2)], "y": [("b", 1)], "z": [("b", 1)]}


@pytest.mark.parametrize("top", [1, 2, 3, 4, 5, 100])
def test_the_top_of_them_in_order(features, top):
    found = of(features, [[1, 0], [3, 0], [2, 0], [4, 0]], ("x", "y"), top)
    assert found == {"x": [("d", 2), ("b", 1.5), ("c", 1), ("a", 0.5)][:top], "y": []}


def test_what_is_impossible_for_a_label_speaks_for_the_other(features):
    found = of(features, [[-2, -1e6], [-1e6, -4], [0, 2], [2, 0]], ("x", "y"))
    assert found == {"x": [("a", 499_999), ("d", 1)], "y": [("b", 499_998), ("c", 1)]}


def test_what_fills_up_a_row_is_no_label():
    model = linnet.train((["a", "b", "c"], "xyz"), features="words", learner="perceptron")
    assert model.weights[0].shape == (4, 4)
    assert {label: [item.feature for item in items] for label, items in model.strongest().items()} == {
        "x": ["a"],
        "y": ["b"],
        "z": ["c"],
    }
