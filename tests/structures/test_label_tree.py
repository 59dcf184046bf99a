"""Labels as leaves: from their names, and from files that are right or wrong in each way."""

import numpy as np
import pytest
from linnet.structures.hierarchy import Hierarchy

from linnet.errors import DataError, UsageError
from linnet.structures.label_tree import LabelTree, paths_in, read_tree, split


def test_a_label_that_is_an_inner_node_has_a_leaf_of_its_own():
    tree = LabelTree.of_paths(split(["a", "a/b", "a/c"], "/")[1])
    assert tree.labels == ("a", "a/b", "a/c")
    assert tree.nodes == (("a",), ("a", ""), ("a", "b"), ("a", "c"))
    assert (tree.distance("a", "a/b"), tree.shared("a", "a/b")) == (2, 1)


def test_the_leaves_of_the_structure_are_the_labels_in_their_order():
    labels = ["x/q", "a/b", "a/b/c", "a-b/c", "x", "a/b/d"]
    tree = LabelTree.of_paths(split(labels, "/")[1])
    gen = Hierarchy(tree.parents)
    assert [tree.nodes[v] for v in gen.leaves] == list(tree.paths.values())
    assert sorted(tree.labels) == sorted(labels)


def test_the_mark_is_the_one_that_all_labels_have():
    assert split(["a:b/c", "a:d/e"]) == ("/", {"a:b/c": ("a:b", "c"), "a:d/e": ("a:d", "e")})
    assert split(["NUM:date", "LOC:city"])[1]["NUM:date"] == ("NUM", "date")
    with pytest.raises(UsageError, match=r"expected labels with paths such as a:b, found 'spam'\. Name the mark"):
        split(["spam", "a:b"])


def test_a_file_has_a_child_and_its_parent_on_each_line(tmp_path):
    file = tmp_path / "tree.tsv"
    file.write_text("dog\tanimal\n\ncat\tanimal\nanimal\tthing\n")
    tree = read_tree(str(file))
    assert tree == {
        "dog": ("thing", "animal", "dog"),
        "cat": ("thing", "animal", "cat"),
        "animal": ("thing", "animal"),
        "thing": ("thing",),
    }
    assert paths_in(["dog", "cat", "dog"], tree, str(file)) == {"cat": tree["cat"], "dog": tree["dog"]}
    with pytest.raises(DataError, match=r"the label 'cow' of the data is not in the tree"):
        paths_in(["cow"], tree, str(file))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a,b\nb,c\nc,a\n", r"tree:3: a -> b -> c -> a is a circle, not a tree"),
        ("a,a\n", r"tree:1: a -> a is a circle"),
        ("a,b\na,c\n", r"tree:2: 'a' has the parent 'c' here, but 'b' on line 1"),
        ("a,b\na b\n", r"tree:2: expected a child and its parent with a tab or a comma between them, found 'a b'"),
        ("a,\n", r"tree:1: expected a child and its parent"),
        ("\n", r"the file is empty"),
        (b"\xff,b\n", r"not UTF-8 \(byte 0\)"),
    ],
)
def test_a_file_that_is_no_tree_is_refused_by_line(tmp_path, text, sentence):
    file = tmp_path / "tree"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(DataError, match=sentence):
        read_tree(str(file))


def test_distances_are_those_of_the_structure():
    tree = LabelTree.of_paths(split(["a/b", "a/c/d", "e"], "/")[1])
    gen = Hierarchy(tree.parents)
    up = gen.parents

    def nodes(v):
        return {v} | (nodes(up[v]) if up[v] >= 0 else set())

    found = [[len(nodes(a) ^ nodes(b)) for b in gen.leaves] for a in gen.leaves]
    assert np.array_equal(found, [[tree.distance(a, b) for b in tree.labels] for a in tree.labels])
