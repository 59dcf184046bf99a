"""Schemas of what a model file may hold: what each of them takes and refuses."""

import numpy as np
import pytest

from linnet.core.schema import (
    Anything,
    DictOf,
    Either,
    Flag,
    ListOf,
    Numbers,
    Real,
    Record,
    Row,
    Text,
    Whole,
    check_arrays,
    with_numbers,
)  # fmt: skip


def deep(n):
    """n lists inside each other."""
    return [deep(n - 1)] if n else "a"


GOOD = [
    (Text(), "é"),
    (Text(("a", "b")), "b"),
    (Whole(1, 3), 3),
    (Real(0, 1), 1),
    (Real(any=True), "inf"),
    (Flag(), False),
    (Anything(), {"a": [1, None, {"b": "c"}]}),
    (Anything(), deep(40)),
    (Either(Text()), None),
    (Either(Real(), ListOf(Real())), [1.5]),
    (ListOf(Whole(), 1, 2, distinct=True), [1, 2]),
    (Row((Text(), Whole())), ["a", 1]),
    (DictOf(Whole()), {"a": 1}),
    (Record({"a": Whole()}, {"b": Text()}), {"a": 1}),
    (Record({"a": Whole()}, open=True), {"a": 1, "c": [None]}),
]
BAD = [
    (Text(), 1, "x is not a text"),
    (Text(), "\ud800", "x is not a text"),
    (Text(("a", "b")), "c", "x is not 'a' or 'b'"),
    (Whole(1, 3), 4, "x is not a whole number from 1 to 3"),
    (Whole(), True, "x is not a whole number from 0 to 2147483647"),
    (Whole(), 1.0, "x is not a whole number from 0 to 2147483647"),
    (Real(0, 1), 10**400, "x is not a number from 0 to 1"),
    (Real(0, 1, any=True), 10**400, "x is not a number from 0 to 1"),
    (Real(0, 1), "nan", "x is not a number from 0 to 1"),
    (Flag(), 1, "x is not true or false"),
    (Anything(), deep(41), "x is not at most 40 deep"),
    (Anything(), "\ud800", "x is not of texts that UTF-8 can write"),
    (Anything(), ["a", {"b": "\ud800"}], "x is not of texts that UTF-8 can write"),
    (Either(Text()), 1, "x is not a text"),
    (ListOf(Whole()), "ab", "x is not a list"),
    (ListOf(Whole(), 1, 2), [], "x is not a list of 1 to 2 values"),
    (ListOf(Whole(), distinct=True), [1, 1], "x is not a list of different values"),
    (ListOf(ListOf(Whole())), [[1], [1, "a"]], "x[1][1] is not a whole number from 0 to 2147483647"),
    (Row((Text(), Whole())), ["a"], "x is not a list of 2 values"),
    (DictOf(Whole()), [], "x is not a dict"),
    (Record({"a": Whole()}), {}, "x.a is not there"),
    (Record({"a": Whole()}), {"a": 1, "b": 2}, "x.b is not something that this header has"),
    (Record(open=True), {"b": "\ud800"}, "x.b is not of texts that UTF-8 can write"),
]


@pytest.mark.parametrize(("schema", "value"), GOOD)
def test_what_is_declared_is_taken(schema, value):
    schema.check(value, "x")


@pytest.mark.parametrize(("schema", "value", "why"), BAD)
def test_what_is_not_declared_is_refused_with_its_place(schema, value, why):
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        schema.check(value, "x")
    assert str(caught.value) == why


ARRAYS = {
    "another type": (np.zeros(3), "array 'a' is not of n numbers of type float32"),
    "another shape": (np.zeros((3, 1), np.float32), "array 'a' is not of n numbers of type float32"),
    "nan": (np.array([0, np.nan], np.float32), "the numbers of array 'a' are not from 0 to 2"),
    "too large": (np.array([0, 3], np.float32), "the numbers of array 'a' are not from 0 to 2"),
    "descending": (np.array([1, 0], np.float32), "the numbers of array 'a' are not in ascending order"),
}


@pytest.mark.parametrize("what", ARRAYS)
def test_arrays(what):
    array, why = ARRAYS[what]
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        check_arrays({"a": array}, {"a": Numbers(np.float32, (None,), 0, 2, ascending=True)})
    assert str(caught.value) == why


def test_arrays_are_those_of_the_layout():
    check_arrays({"a": np.zeros(0, np.uint8)}, {"a": Numbers(np.uint8)})
    with pytest.raises(ValueError, match="array 'b' belongs to nothing"):
        check_arrays({"b": np.zeros(0, np.uint8)}, {})
    with pytest.raises(ValueError, match="array 'a' is missing"):
        check_arrays({}, {"a": Numbers(np.uint8)})


def test_numbers_that_json_does_not_have_are_read_where_the_schema_has_numbers():
    number = Real(any=True)
    schema = Record(
        {"a": number, "name": Text()}, {"b": ListOf(Either(number)), "c": Either(DictOf(number), Text())}, open=True
    )
    value = {"a": "inf", "name": "inf", "b": ["-inf", None, 1], "c": "inf", "more": "nan"}
    assert with_numbers(value, schema) == {**value, "a": np.inf, "b": [-np.inf, None, 1]}
    assert with_numbers({"a": 1, "name": "", "c": {"d": "inf"}}, schema)["c"] == {"d": np.inf}
