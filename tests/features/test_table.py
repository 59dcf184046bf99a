"""Other columns of a table as features: their values, their scale, and what they say where they cannot be read."""

import json

import numpy as np
import pyarrow as pa
import pytest

from linnet.errors import DataError, UsageError
from linnet.features import FeatureSpec, Table, TextFeatures
from linnet.features.fields import NUMBER, WORD, number_features, rows_of


def table(source=None, **columns):
    n = len(next(iter(columns.values())))
    return Table(pa.array(["a b", "b", "c", ""][:n], pa.large_string()), pa.table(columns), source)


def dense(features, rows):
    X = np.zeros((len(rows), features.n_features))
    for i in range(len(rows)):
        X[i, rows.indices[rows.indptr[i] : rows.indptr[i + 1]]] = rows.values[rows.indptr[i] : rows.indptr[i + 1]]
    return X


def test_values_and_numbers_stand_behind_the_words():
    features = TextFeatures("words:1 column:country number:age")
    rows = features.fit_transform(table(country=["DE", "FR", "DE"], age=[10, 20, 60]))
    assert features.names() == ["a", "b", "c", "country=DE", "country=FR", "age=", "age", "age^2"]
    assert features.fields.tolist() == [WORD, WORD, WORD, 1, 1, NUMBER, NUMBER, NUMBER]
    # mean 30, variance (400 + 100 + 900) / 3
    z = np.array([-20, -10, 30]) / (2 * np.sqrt(1400 / 3))
    expected = [
        [1, 1, 0, 1, 0, 0, z[0], z[0] ** 2],
        [0, 1, 0, 0, 1, 0, z[1], z[1] ** 2],
        [0, 0, 1, 1, 0, 0, z[2], z[2] ** 2],
    ]
    assert dense(features, rows) == pytest.approx(np.array(expected), abs=1e-6)


def test_a_row_is_the_same_however_many_come_with_it():
    features = TextFeatures("words:1 l2 number:age column:country")
    whole = table(country=["DE", "FR", ""], age=[10, None, 60])
    X = dense(features, features.fit_transform(whole))
    for i in range(3):
        assert dense(features, features.transform(whole.slice(i, 1))).tolist() == [X[i].tolist()]
    assert dense(features, features.transform(whole.take([2, 0]))).tolist() == [X[2].tolist(), X[0].tolist()]


def test_an_empty_value_is_a_value_and_one_that_was_not_seen_is_none():
    features = TextFeatures("column:country")
    features.fit_transform(table(country=["DE", None, ""]))
    assert features.names() == ["country=DE", "country="]
    assert dense(features, features.transform(table(country=["DE", "", "AT"]))).tolist() == [[1, 0], [0, 1], [0, 0]]


def test_a_missing_number_is_said_to_be_missing_and_does_not_count_in_the_mean():
    features = TextFeatures("number:age")
    rows = features.fit_transform(table(age=["1", " ", "3"]))
    assert features.names() == ["age=", "age", "age^2"]
    assert dense(features, rows) == pytest.approx(np.array([[0, -0.5, 0.25], [1, 0, 0], [0, 0.5, 0.25]]))


def test_the_weight_of_a_number_is_in_its_square_too():
    features = TextFeatures("number:age*3 column:sex*0.5")
    rows = features.fit_transform(table(age=[1, 3, None], sex=["f", "m", "f"]))
    expected = np.array([[0, -1.5, 2.25, 0.5, 0], [0, 1.5, 2.25, 0, 0.5], [1, 0, 0, 0.5, 0]])
    assert dense(features, rows) == pytest.approx(expected)


def test_numbers_that_are_all_the_same_or_all_missing():
    for ages, expected in (([7, 7], [[0, 0, 0], [0, 0, 0]]), ([None, None], [[1, 0, 0], [1, 0, 0]])):
        features = TextFeatures("number:age")
        rows = features.fit_transform(table(age=pa.array(ages, pa.int64())))
        assert dense(features, rows).tolist() == expected


@pytest.mark.parametrize(
    "values",
    [
        pa.array([1, 2, None]),
        pa.array([1.0, 2.0, None]),
        pa.array(["1", "2", ""]),
        pa.array(["1", "2", None], pa.large_string()),
        pa.array(["1", "2", None]).dictionary_encode(),
        pa.chunked_array([["1"], ["2", None]]),
    ],
    ids=str,
)
def test_columns_of_every_type_are_read_alike(values):
    features = TextFeatures("number:x column:x")
    rows = features.fit_transform(table(x=values))
    assert features.names() == ["x=", "x", "x^2", "x=1", "x=2", "x="]
    expected = [[0, -0.5, 0.25, 1, 0, 0], [0, 0.5, 0.25, 0, 1, 0], [1, 0, 0, 0, 0, 1]]
    assert dense(features, rows) == pytest.approx(np.array(expected))


def test_a_name_is_found_in_any_case_and_with_blanks():
    found = table(**{"Home Country": ["DE", "FR"], "home_country": ["x", "y"]})
    assert found.spelled("home_country") == "home_country"
    assert found.spelled("HOME_COUNTRY") == "Home Country"


def test_features_of_a_file_are_those_that_were_fitted():
    features = TextFeatures("words:1 column:country number:age*2")
    data = table(country=["DE", "Côte d'Ivoire", ""], age=[10, 20, None])
    rows = features.fit_transform(data)
    again = TextFeatures.from_arrays(json.loads(json.dumps(features.header())), features.arrays())
    assert again.names() == features.names()
    assert again.fields.tolist() == features.fields.tolist()
    for a, b in zip(again.transform(data), rows, strict=True):
        assert a.tolist() == b.tolist()


def test_columns_beside_hashed_words():
    features = TextFeatures("words:1 hash=4 column:country")
    rows = features.fit_transform(table(country=["DE", "FR"]))
    assert features.n_features == 18
    assert features.name(17) == "country=FR"
    assert dense(features, rows)[:, 16:].tolist() == [[1, 0], [0, 1]]


def test_fitting_again_forgets():
    features = TextFeatures("column:country")
    features.fit_transform(table(country=["DE"]))
    features.fit_transform(table(country=["FR"]))
    assert features.names() == ["country=FR"]


def test_what_a_person_can_type():
    assert FeatureSpec.parse("column:country number:age*0.5").columns == (
        ("column", "country", 1.0),
        ("number", "age", 0.5),
    )
    assert not FeatureSpec.parse("column:country").reads_text
    assert FeatureSpec.parse("words column:country").reads_text


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            ["a"],
            "expected a column 'age' of text or numbers beside the text, found none. Pass a table that has it, with values "
            "of one kind.",
        ),
        (
            table("x.csv", aeg=[1], id=[2]),
            "x.csv: expected a column 'age' of text or numbers beside the text, found 'aeg', 'id'. Did you mean 'aeg'?",
        ),
        (
            table("x.csv", age=["old"]),
            "x.csv: expected a number in column 'age', found 'old'. Leave it empty where there is none, or take the values "
            "as they are: column:age.",
        ),
        (
            table(age=["1e400"]),
            "expected a number in column 'age', found '1e400'. Leave it empty where there is none, or take the values as "
            "they are: column:age.",
        ),
    ],
)
def test_what_cannot_be_read_is_said_in_a_sentence(data, message):
    features = TextFeatures("number:age")
    features.fit_transform(table(age=[1, 2]))
    with pytest.raises(DataError) as caught:
        features.transform(data)
    assert str(caught.value) == message


def test_columns_do_not_grow():
    with pytest.raises(UsageError, match=r"^features that need all rows at once: (column|number)"):
        TextFeatures("words:1 number:age").partial_fit_transform(["a"])


def test_rows_beside_rows():
    left = rows_of([(np.array([[0], [-1], [2]]), np.array([[1.0], [0.0], [3.0]]))])
    right = rows_of([number_features(np.array([2.0, np.nan, -1.0]))])
    both = left.beside(right, 3)
    assert both.indptr.tolist() == [0, 3, 4, 7]
    assert both.indices.tolist() == [0, 4, 5, 3, 2, 4, 5]
    assert both.values.tolist() == [1, 2, 4, 1, 3, -1, 1]


@pytest.mark.parametrize(
    ("there", "here", "joined"),
    [
        ([1, 2], [3, None], [1, 2, 3, None]),
        ([1, 2], [0.5, 3], [1, 2, 0.5, 3]),
        ([1, 2], ["3", "x"], ["1", "2", "3", "x"]),
        ([True, False], [1, 0], ["true", "false", "1", "0"]),
        ([[1, 2], [3, 4]], pa.array([[5.5, 6], [7, 8]], pa.list_(pa.float64(), 2)), [[1, 2], [3, 4], [5.5, 6], [7, 8]]),
        (["a", "b"], None, ["a", "b", None, None]),
    ],
)
def test_rows_without_labels_follow_with_the_columns_of_those_with_labels(there, here, joined):
    others = Table(
        pa.array(["p", "q"], pa.large_string()), None if here is None else pa.table({"z": [0, 0], "x": here})
    )
    both = table(x=there).followed_by(others)
    assert (both.text.to_pylist(), both.n_labelled) == (["a b", "b", "p", "q"], 2)
    assert both.columns.to_pydict() == {"x": joined}


def test_lists_do_not_follow_numbers():
    lists, numbers = table("l.jsonl", x=[[1, 2], [3, 4]]), table("n.csv", x=["1", "2"])
    with pytest.raises(
        DataError, match=r"^l\.jsonl: expected text or numbers in column 'x', as where there are labels, f"
    ):
        numbers.followed_by(lists)
    with pytest.raises(DataError, match=r"^n\.csv: expected lists in column 'x', .* found text or numbers\.$"):
        lists.followed_by(numbers)
