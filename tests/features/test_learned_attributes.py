"""Attributes of words that are learned from sentences without tags: clusters, like words, usual case."""

import numpy as np
import pyarrow as pa
import pytest

from linnet.core.threads import limited
from linnet.errors import UsageError
from linnet.features.learned_attributes import Corpus, learn
from linnet.features.like_words import tags_of_like_words
from linnet.features.tokens import TokenFeatures
from linnet.features.usual_case import usual_case
from linnet.features.word_attributes import lower
from linnet.features.word_clusters import clusters
from linnet.features.word_places import _OFFSETS, _rows, places_of
from linnet.features.word_values import WordValues

NOUNS = ["dog", "cat", "horse", "bird", "cow", "fox"]
VERBS = ["sees", "likes", "hears", "bites", "follows", "meets"]


def column(words):
    return pa.array(words, pa.large_string())


def toy(n, seed):
    """Sentences such as: the dog sees a cat ."""
    rng = np.random.default_rng(seed)
    words = [
        word
        for _ in range(n)
        for word in ("the", rng.choice(NOUNS), rng.choice(VERBS), rng.choice(["a", "the"]), rng.choice(NOUNS), ".")
    ]
    return column(list(map(str, words))), np.arange(n + 1) * 6


@pytest.fixture(scope="module")
def places():
    return places_of(*toy(300, 0))


def test_mutual_information_by_its_definition():
    words = np.array([0, 1, 0, 2, 1, -1])
    starts = np.array([0, 4, 6])
    indptr, indices, values = _rows(words, starts, 3)
    n = np.zeros((3, 16))
    for a, b in ((0, 4), (4, 6)):
        for i in range(a, b):
            for k, offset in enumerate(_OFFSETS):
                context = words[i + offset] if a <= i + offset < b else 3
                if words[i] >= 0 and context >= 0:
                    n[words[i], k * 4 + context] += 1
    p = n.sum(axis=0) ** 0.75
    with np.errstate(divide="ignore", invalid="ignore"):
        expected = np.maximum(np.log(n / (n.sum(axis=1, keepdims=True) * p / p.sum())), 0)
    found = np.zeros((3, 16))
    for w in range(3):
        found[w, indices[indptr[w] : indptr[w + 1]]] = values[indptr[w] : indptr[w + 1]]
    np.testing.assert_allclose(found, np.where(n > 0, expected, 0), atol=1e-6)


def test_words_between_the_same_words_lie_near_each_other(places):
    np.testing.assert_allclose((places.table**2).sum(axis=1), 1, atol=1e-5)
    for word, row in zip(places.words, places.table, strict=True):
        nearest = {places.words[k] for k in np.argsort(-(places.table @ row))[:6]}
        assert word not in NOUNS or nearest == set(NOUNS)
        assert word not in VERBS or nearest == set(VERBS)


def test_nearness_is_the_cosine(places):
    found = np.concatenate([cosines for _, cosines in places.nearness(places.table[:5])])
    np.testing.assert_allclose(found, places.table @ places.table[:5].T, atol=1e-5)


def test_clusters_are_called_by_their_most_frequent_words(places):
    found = clusters(places, 4)
    value = dict(zip([*NOUNS, *VERBS], found.look_up(column([*NOUNS, *VERBS])).to_pylist(), strict=True))
    assert len({value[noun] for noun in NOUNS}) == 1
    assert len({value[verb] for verb in VERBS}) == 1
    assert value["dog"] != value["sees"]
    most = [word for word in places.words if word in NOUNS][:3]
    assert value["dog"] == ",".join(most)
    assert found.look_up(column(["unheard"])).to_pylist() == [""]


def test_threads_do_not_change_a_bit():
    found = []
    for n in (1, 2, 3):
        with limited(n):
            places = places_of(*toy(400, 3))
            found.append((places.table.tobytes(), clusters(places, 3).value_of.tobytes()))
    assert found[0] == found[1] == found[2]


def test_a_word_has_the_tags_of_the_words_that_it_is_like(places):
    words, y = column(["dog", "sees", "cat", "likes", "the"]), np.array([0, 1, 0, 1, 2], np.int32)
    found = tags_of_like_words(places, words, y, ("N", "V", "D"))
    assert found.look_up(column(["fox", "bites", "zebra"])).to_pylist() == ["N", "V", ""]


def test_a_word_is_not_its_own_witness(places):
    """The only noun that is labelled has no other nouns to be like."""
    words = column(["dog", "sees", "likes"])
    of = {}
    for tag in (0, 1):
        found = tags_of_like_words(places, words, np.array([tag, 2, 2], np.int32), ("N", "X", "V"))
        of[tag] = found.look_up(column(["dog"])).to_pylist()
        assert found.look_up(column(["fox"])).to_pylist()[0].startswith(("N", "X")[tag])
    assert of[0] == of[1]


def test_usual_case():
    words = column(["May", "rain", "in", "May", "Rain", "may", "Rome", ".", "In"])
    found = usual_case(words, lower(words), np.array([0, 4, 9]))
    assert found.look_up(column(["may", "rain", "in", "rome", ".", "x"])).to_pylist() == [
        "both",
        "lower",
        "both",
        "cap",
        "",
        "",
    ]


def test_values_of_several_become_one():
    a, b = WordValues.of(["x", "y"], ["1", "22"]), WordValues.of(["y", "z"], ["1", "333"])
    first = WordValues.united([a, b], lambda value: 0)
    assert first.look_up(column(["x", "y", "z", "q"])).to_pylist() == ["1", "22", "333", ""]
    longest = WordValues.united([b, a], len)
    assert longest.look_up(column(["x", "y", "z"])).to_pylist() == ["1", "22", "333"]


def test_other_sentences_are_learned_from():
    words, starts = toy(5, 1)
    corpus = Corpus((words, starts), np.zeros(len(words), np.int32), ("N",), toy(200, 2))
    assert len(corpus.all[0]) == 6 * 205
    assert corpus.all[1][-1] == 6 * 205
    assert learn("vector-cluster:4", corpus).look_up(column(["FOX"])).to_pylist() == [""]  # the attribute lowers words
    assert learn("usual-case", corpus).look_up(column(["fox"])).to_pylist() == ["lower"]


SPEC = "w vector-cluster:4[-1..1] like-amb usual-case amb"


@pytest.fixture(scope="module")
def features():
    words, starts = toy(6, 1)
    y = np.tile(np.array([0, 1, 2, 0, 1, 3], np.int32), 6)
    features = TokenFeatures(SPEC, ("w",))
    features.fit_blocks({"w": words}, starts, y, ("D", "N", "V", "."), None, toy(300, 2))
    return features


def test_features_look_at_what_was_learned(features):
    rows = features.transform({"w": column(["Fox"])}, np.array([0, 1]))
    names = {features.name(j) for j in rows.indices.tolist()}
    assert {"like-amb=N", "usual-case=lower"} <= names
    assert sum(name.startswith("vector-cluster:4=") and len(name.split(",")) == 3 for name in names) == 1


def test_features_are_restored_as_they_were(features):
    again = TokenFeatures.from_arrays(features.header(), features.arrays())
    words, starts = toy(20, 5)
    for ours, theirs in zip(
        features.transform({"w": words}, starts), again.transform({"w": words}, starts), strict=True
    ):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("change", ["of", "values", "missing"])
def test_forged_values_are_refused(features, change):
    header, arrays = features.header(), features.arrays()
    if change == "of":
        arrays["vector-cluster:4.of"] = np.full_like(arrays["vector-cluster:4.of"], 99)
    elif change == "values":
        header["learned"] = header["learned"] | {"like-amb": []}
    else:
        header["learned"] = {name: of for name, of in header["learned"].items() if name != "usual-case"}
    with pytest.raises(ValueError, match=r".+"):
        TokenFeatures.from_arrays(header, arrays)


@pytest.mark.parametrize(
    "spec", ["vector-cluster", "vector-cluster:1", "vector-cluster:9999", "vector-cluster:2-4", "like-amb:3"]
)
def test_what_the_grammar_refuses(spec):
    with pytest.raises(UsageError, match=spec.partition(":")[0]):
        TokenFeatures(spec, ("w",))
