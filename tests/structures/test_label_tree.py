"""Labels as leaves, and the paths in their names."""

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet.errors import DataError, UsageError
from linnet.structures.hierarchy import Hierarchy
from linnet.structures.label_tree import LabelTree, split


def test_a_label_that_is_an_inner_node_has_a_leaf_of_its_own():
    tree = LabelTree.from_paths(split(["a", "a/b", "a/c"], "/")[1])
    assert tree.labels == ("a", "a/b", "a/c")
    assert tree.nodes == (("a",), ("a", ""), ("a", "b"), ("a", "c"))
    assert (tree.distance("a", "a/b"), tree.shared("a", "a/b")) == (2, 1)


def test_the_leaves_of_the_structure_are_the_labels_in_their_order():
    check_leaves(["x/q", "a/b", "a/b/c", "a-b/c", "x", "a/b/d"])


@given(st.sets(st.text("ab/", max_size=5), min_size=1))
def test_labels_with_empty_parts_have_a_leaf_each_or_are_refused(labels):
    with suppress(DataError):
        check_leaves(labels)


@pytest.mark.parametrize("labels", [{"a", "a//b"}, {"a/", "a//b"}, {"", "/a", "//b"}])
def test_a_label_that_ends_where_others_have_an_empty_part_has_a_leaf_of_its_own(labels):
    check_leaves(labels)


def check_leaves(labels):
    """The leaves of the tree are those of the labels, in their order."""
    tree = LabelTree.from_paths(split(labels, "/")[1])
    gen = Hierarchy(tree.parents, len(labels))
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
