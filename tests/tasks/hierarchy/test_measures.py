"""Trees of labels, counted by hand."""

import pytest

from linnet.errors import DataError
from linnet.tasks.hierarchy.measures import evaluate_hierarchy


def test_levels_and_edges():
    """Right; wrong leaf of the right node: 2 edges; all wrong: 4; stopped one above the leaf: 1."""
    gold = [("a", "b"), ("a", "b"), ("a", "b"), ("c", "d")]
    found = evaluate_hierarchy(gold, [("a", "b"), ("a", "x"), ("c", "d"), ("c",)])
    assert found.accuracy == 1 / 4
    assert found.tree_loss == (0 + 2 + 4 + 1) / 4
    assert found.per_level == [3 / 4, 1 / 4]
    assert found.per_label["a/b"].support == 3
    assert found.as_dict()["per_label"]["c/d"] == {"precision": 0.0, "recall": 0.0, "f1": 0.0, "support": 1}


def test_a_level_counts_those_that_go_so_deep():
    assert evaluate_hierarchy([("a",), ("b", "c")], [("a",), ("b", "d")]).per_level == [1, 0]


def test_what_cannot_be_evaluated_is_refused():
    with pytest.raises(DataError, match="nothing to evaluate"):
        evaluate_hierarchy([], [])
    with pytest.raises(DataError, match="found 0 and 1"):
        evaluate_hierarchy([("a",)], [])
