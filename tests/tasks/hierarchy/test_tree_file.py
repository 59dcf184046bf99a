"""Trees in files: right, and wrong in each way."""

import pytest

from linnet.errors import DataError
from linnet.tasks.hierarchy.tree_file import paths_in, read_tree


def test_a_file_has_a_label_and_the_one_above_it_on_each_line(tmp_path):
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
    with pytest.raises(DataError, match=r"the label 'dgo' of the data is not in the tree\. Did you mean 'dog'\? Add a"):
        paths_in(["dgo"], tree, str(file))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a,b\nb,c\nc,a\n", r"tree:3: a -> b -> c -> a is a cycle, not a tree\. Remove one of its lines\."),
        ("a,a\n", r"tree:1: a -> a is a cycle"),
        ("a,b\na,c\n", r"tree:2: 'a' has the parent 'c' here, but 'b' on line 1\. Leave out one of the two lines\."),
    ],
)
def test_a_file_that_is_no_tree_is_refused_by_line(tmp_path, text, sentence):
    file = tmp_path / "tree"
    file.write_text(text)
    with pytest.raises(DataError, match=sentence):
        read_tree(str(file))


def test_a_line_that_stands_twice_is_no_fault(tmp_path):
    file = tmp_path / "tree"
    file.write_text("a,b\na,b\n")
    assert read_tree(str(file))["a"] == ("b", "a")
