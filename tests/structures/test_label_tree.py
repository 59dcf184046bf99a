"""Labels as leaves, and the paths in their names."""

import numpy as np
import pytest

from linnet.errors import DataError, UsageError
from linnet.structures.hierarchy import Hierarchy
from linnet.structures.label_tree import LabelTree, split


def test_a_label_that_is_an_inner_node_has_a_leaf_of_its_own():
    tree = LabelTree.from_paths(split(["a", "a/b", "a/c"], "/")[1])
    assert tree.labels == ("a", "a/b", "a/c")
    assert tree.nodes == (("a",), ("a", ""), ("a", "b"), ("a", "c"))
    assert (tree.distance("a", "a/b"), tree.shared("a", "a/b")) == (2, 1)


def test_the_leaves_of_the_structure_are_the_labels_in_their_order():
    labels = ["x/q", "a/b", "a/b/c", "a-b/c", "x", "a/b/d"]
    tree = LabelTree.from_paths(split(labels, "/")[1])
    gen = Hierarchy(tree.parents)
    assert [tree.nodes[v] for v in gen.leaves] == list(tree.paths.values())
    assert sorted(tree.labels) == sorted(labels)


def test_two_labels_cannot_be_the_same_leaf():
    with pytest.raises(
        DataError, match=r"'a' with the path \['a'\] and 'a/' with the path \['a', ''\], which lead to one place"
    ):
        LabelTree.from_paths(split(["a", "a/", "b/c"], "/")[1])


def test_the_mark_is_the_one_that_all_labels_have():
    assert split(["a:b/c", "a:d/e"]) == ("/", {"a:b/c": ("a:b", "c"), "a:d/e": ("a:d", "e")})
    assert split(["NUM:date", "LOC:city"])[1]["NUM:date"] == ("NUM", "date")
    with pytest.raises(UsageError, match=r"expected labels with paths such as a:b, found 'spam'\. Name the mark"):
        split(["spam", "a:b"])


def test_distances_are_those_of_the_structure():
    tree = LabelTree.from_paths(split(["a/b", "a/c/d", "e"], "/")[1])
    gen = Hierarchy(tree.parents)
    up = gen.parents

    def nodes(v):
        return {v} | (nodes(up[v]) if up[v] >= 0 else set())

    found = [[len(nodes(a) ^ nodes(b)) for b in gen.leaves] for a in gen.leaves]
    assert np.array_equal(found, [[tree.distance(a, b) for b in tree.labels] for a in tree.labels])
