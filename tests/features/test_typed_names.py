"""Features that a person names, instead of those that texts show."""

import numpy as np
import pytest

from linnet.errors import UsageError
from linnet.features import TextFeatures
from linnet.features.typed_names import FeatureNameError

TEXT = "Not bad, a fine film! Sing"


def values(features, text=TEXT):
    rows = features.transform([text])
    return {features.name(int(j)): float(x) for j, x in zip(rows.indices, rows.values, strict=True)}


@pytest.mark.parametrize(
    ("spec", "found"),
    {
        "words:1-2": {"not bad": 1, "fine": 1, "awful": None},
        "words:1-2 case punct": {"Not bad": 1, "!": 1, "bad ,": 1},
        "words:1 chars:3": {"film": 1, "chars=ing": 1, "chars= fi": 2},
        "chars:3-4": {"ing": 1, " fi": 2, "film": 1},
        "chars-across:3": {"t b": 1},
        "start:1-2": {"not bad": 1},
        "words:1 start:2 skip:1-2 shapes:1-2": {"a": 1, "start=not bad": 1, "skip=not a": 1, "shapes=Xx x": 1},
        "words:1-2 not": {"NOT_bad": 1, "not NOT_bad": 1, "fine": 1},
        "words:1-2 position": {"not@1": 1, "fine@3": 1, "not@1 bad@1": 1},
        "words:1 presence sentiment": {"sentiment=!": 1, "bad": 1, "sentiment=positive": 1},
        "words:1 unknown": {"bad": 1, "film": 1, "unknown": 4},
    }.items(),
)
def test_the_features_that_are_named_are_found_in_texts(spec, found):
    features, numbers = TextFeatures.of_names(spec, list(found))
    all_values = values(features)
    assert {name: all_values.get(features.name(j)) for name, j in zip(found, numbers, strict=True)} == found
    again = TextFeatures.from_arrays(features.header(), features.arrays())
    assert values(again) == all_values


def test_unspaced_scripts():
    features, _ = TextFeatures.of_names("words:1-3", ["很好", "好"])
    assert values(features, "我很好") == {"很好": 1, "好": 1}


def test_columns_and_numbers_count_as_they_are():
    names = ["fine", "country=DE", "age", "age^2"]
    features, numbers = TextFeatures.of_names("words:1 column:country number:age", names)
    assert features.names() == ["fine", "country=DE", "age=", "age", "age^2"]
    assert numbers == [0, 1, 3, 4]


def test_a_word_may_be_called_as_its_block():
    assert TextFeatures.of_names("words:1", ["words=bias"])[0].names() == ["bias"]


HOW = (
    "Features are named as texts show them: in lower case without `case`, without marks if there is no `punct`, and as long as "
    "the specification says."
)
SIX = ", ".join(f"sentiment={name}" for name in ("positive", "negative", "no", "pronouns", "!", "log-length"))


@pytest.mark.parametrize(
    ("spec", "name", "message"),
    [
        ("words:1", "Fine", f"no text has the feature 'Fine' of 'words:1'. Did you mean 'fine'? {HOW}"),
        ("words:1", "not bad", f"no text has the feature 'not bad' of 'words:1'. {HOW}"),
        ("words:2", "bad", f"no text has the feature 'bad' of 'words:2'. {HOW}"),
        ("words:1-2", "not, bad", f"no text has the feature 'not, bad' of 'words:1-2'. Did you mean 'not bad'? {HOW}"),
        ("words:1", "!", f"no text has the feature '!' of 'words:1'. {HOW}"),
        ("words:1", "", f"no text has the feature '' of 'words:1'. {HOW}"),
        ("words:1 position", "bad", f"no text has the feature 'bad' of 'words:1 position'. {HOW}"),
        ("chars:3", "abcd", f"no text has the feature 'abcd' of 'chars:3'. {HOW}"),
        ("words:1 skip:1", "skip=a", f"no text has the feature 'skip=a' of 'words:1 skip:1'. {HOW}"),
        (
            "sentiment",
            "sentiment=positve",
            "there is no feature 'sentiment=positve' among those of 'sentiment'. Did you mean 'sentiment=positive'? They are: "
            f"{SIX}.",
        ),
        ("start:1 skip:1", "fine", "there is no feature 'fine' among those of 'start:1 skip:1'."),
        (
            "number:age",
            "aeg",
            "there is no feature 'aeg' among those of 'number:age'. Did you mean 'age'? They are: age=, age, age^2.",
        ),
    ],
)
def test_a_name_that_no_text_has(spec, name, message):
    with pytest.raises(FeatureNameError) as caught:
        TextFeatures.of_names(spec, [name])
    assert (str(caught.value), caught.value.name) == (message, name)


def test_two_names_of_one_feature():
    with pytest.raises(FeatureNameError, match=r"^'fine' and 'words=fine' are the same feature\. Leave one out\.$"):
        TextFeatures.of_names("words:1", ["fine", "words=fine"])


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("words:1 tfidf", "tfidf needs the document frequencies of data"),
        ("words:1 hash=8", "hash= keeps no names"),
        ("words:1 min=2", "min=, max=, top=, most= and labelled= choose among the features of data"),
        ("words:1 sequence", "features with 'sequence' have no weights"),
    ],
)
def test_what_only_data_could_tell(spec, message):
    with pytest.raises(UsageError, match=f"^{message}"):
        TextFeatures.of_names(spec, ["a"])


def test_unknown_words_are_counted():
    features = TextFeatures("words:1-2 unknown min=2")
    rows = features.fit_transform(["a b c", "a b"])
    table = np.zeros((2, features.n_features))
    for i in range(2):
        entries = slice(rows.indptr[i], rows.indptr[i + 1])
        table[i, rows.indices[entries]] = rows.values[entries]
    assert table[:, features.names().index("unknown")].tolist() == [1, 0]  # c was left out by min=2
    assert values(features, "a x y")["unknown"] == 2
    assert values(TextFeatures.from_arrays(features.header(), features.arrays()), "a x y")["unknown"] == 2


@pytest.mark.parametrize("spec", ["words:2 unknown", "chars:3 unknown", "words:1 unknown hash=8"])
def test_unknown_words_need_words(spec):
    with pytest.raises(UsageError, match="^unknown counts words that are no features by themselves"):
        TextFeatures(spec)
