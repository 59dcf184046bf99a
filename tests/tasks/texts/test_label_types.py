"""The engine has strings as labels, and gives back what came."""

import numpy as np
import pyarrow as pa
import pytest

from linnet.errors import DataError
from linnet.tasks.texts.label_types import check_type, chosen, column_of, kind_of, plain, spelled, value_of

GIVEN = [3, -1, 0, True, False, 2.5, 4.0, 1e20, float("inf"), "3", "true", " x"]


@pytest.mark.parametrize("label", GIVEN)
def test_every_label_comes_back_from_its_name(label):
    found = value_of(spelled(label), kind_of([label]))
    assert (found, type(found)) == (label, type(label))


@pytest.mark.parametrize(
    ("labels", "kind"),
    [
        ([], None),
        ([np.str_("a"), "b"], None),
        ([1, np.int8(2)], "int"),
        ([1, 2.5], "float"),
        ([np.float32(1)], "float"),
        ([True, np.False_], "bool"),
    ],
)
def test_the_type_that_labels_have_in_common(labels, kind):
    assert kind_of(labels) == kind
    assert all(type(plain(label)) in (str, int, float, bool) for label in labels)


@pytest.mark.parametrize("labels", [[1, "a"], [True, 1], [True, 2.5], ["a", False]])
def test_labels_of_several_types_are_refused(labels):
    with pytest.raises(DataError, match=r"^expected labels of one type, found "):
        kind_of(labels)


def test_new_labels_must_have_the_type_of_the_others():
    check_type(["3", "-1"], "int")
    check_type(["x"], None)
    for name, kind in (("x", "int"), ("2.5", "int"), ("yes", "bool"), ("x", "float")):
        with pytest.raises(DataError, match=f"^the labels of the model are of type {kind}, and '{name}' is new"):
            check_type([name], kind)


def test_columns_have_the_type_of_the_labels():
    for labels, kind in (
        ([3, 1], pa.int64()),
        ([True, False], pa.bool_()),
        ([0.5, 2.0], pa.float64()),
        (["b", "a"], pa.large_string()),
    ):
        assert (column_of(labels).type, column_of(labels).to_pylist()) == (kind, labels)
        assert chosen(labels, np.array([1, 0, 1])).to_pylist() == [labels[1], labels[0], labels[1]]
