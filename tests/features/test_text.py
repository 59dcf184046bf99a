"""Counts to values: every weighting against a few lines of numpy, and against scikit-learn."""

import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from words_by_re import WORD

from linnet.errors import DataError, LinnetError, UsageError
from linnet.features import TextFeatures

TEXTS = [
    "the cat sat on the mat",
    "the dog sat on the log and the cat sat on the dog",
    "a cat and a dog",
    "mat mat mat",
    "",
]


def matrix(features, rows):
    """Rows as a dense matrix."""
    out = np.zeros((len(rows), features.n_features))
    for i in range(len(rows)):
        at = slice(rows.indptr[i], rows.indptr[i + 1])
        out[i, rows.indices[at]] = rows.values[at]
    return out


def table(features, rows):
    """Rows by the names of their features."""
    return {name: column.tolist() for name, column in zip(features.names(), matrix(features, rows).T, strict=True)}


def fitted(spec, texts=TEXTS):
    features = TextFeatures(spec)
    return features, matrix(features, features.fit_transform(texts))


def word_counts(names, texts=TEXTS):
    counts = [Counter(re.findall(r"\w+", text.lower())) for text in texts]
    return np.array([[count[name] for name in names] for count in counts], float)


def normalised(X, order):
    size = np.linalg.norm(X, order, axis=1, keepdims=True)
    return X / np.where(size == 0, 1, size)


def log_tf(tf):
    return np.where(tf > 0, 1 + np.log(np.maximum(tf, 1)), 0)


def idf(tf):
    return np.log((1 + len(tf)) / (1 + (tf > 0).sum(axis=0))) + 1


def bm25(tf):
    """core/sparse.pyx: k1 = 1.2, b = 0.75, and the idf of Robertson and Sparck Jones, kept positive."""
    length = tf.sum(axis=1, keepdims=True)
    df = (tf > 0).sum(axis=0)
    saturated = 2.2 * tf / (tf + 1.2 * (0.25 + 0.75 * length / length.mean()))
    return saturated * np.log1p((len(tf) - df + 0.5) / (df + 0.5))


WEIGHTINGS = {
    "counts": lambda tf: tf,
    "presence": lambda tf: (tf > 0) * 1.0,
    "log": log_tf,
    "l1": lambda tf: normalised(tf, 1),
    "l2": lambda tf: normalised(tf, 2),
    "presence l2": lambda tf: normalised((tf > 0) * 1.0, 2),
    "tfidf": lambda tf: normalised(tf * idf(tf), 2),
    "tfidf raw": lambda tf: tf * idf(tf),
    "tfidf l1": lambda tf: normalised(tf * idf(tf), 1),
    "log tfidf": lambda tf: normalised(log_tf(tf) * idf(tf), 2),
    "presence tfidf": lambda tf: normalised((tf > 0) * idf(tf), 2),
    "bm25": lambda tf: normalised(bm25(tf), 2),
    "bm25 raw": bm25,
}


@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_values_are_those_of_the_formula(weighting):
    features, X = fitted(f"words {weighting}")
    np.testing.assert_allclose(X, WEIGHTINGS[weighting](word_counts(features.names())), rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_new_texts_are_weighed_by_what_was_learned(weighting):
    # The same text beside others has the same values: document frequencies and the mean length are those of the fit.
    features, X = fitted(f"words {weighting}")
    again = matrix(features, features.transform(["dog unseen", TEXTS[1]]))
    assert np.flatnonzero(again[0]).tolist() == [features.names().index("dog")]
    assert np.array_equal(again[1], X[1])


def test_bm25_by_hand():
    # N = 2, mean length 3; `a` is in both: ln(1 + 0.5/2.5), tf 2 of 4 words: 4.4 / (2 + 1.2 (0.25 + 0.75 4/3)).
    features, X = fitted("words bm25 raw", ["a a b c", "a d"])
    assert X[0, features.names().index("a")] == pytest.approx(4.4 / 3.5 * np.log(1.2), rel=1e-5)
    # `b` is in one: ln(1 + 1.5/1.5), tf 1 of 4 words.
    assert X[0, features.names().index("b")] == pytest.approx(2.2 / 2.5 * np.log(2), rel=1e-5)


@given(st.lists(st.text("ab cdé", max_size=25), min_size=1, max_size=6))
def test_tfidf_is_that_of_scikit_learn(texts):
    vectorizer = pytest.importorskip("sklearn.feature_extraction.text").TfidfVectorizer
    assume(any(text.strip() for text in texts))
    peer = vectorizer(token_pattern=r"\w+", ngram_range=(1, 2))
    expected = peer.fit_transform(texts).toarray()
    features, X = fitted("words:1-2 tfidf", texts)
    columns = [features.names().index(name) for name in peer.get_feature_names_out()]
    assert len(columns) == features.n_features
    np.testing.assert_allclose(X[:, columns], expected, atol=1e-6)


def test_sublinear_tfidf_is_that_of_scikit_learn():
    vectorizer = pytest.importorskip("sklearn.feature_extraction.text").TfidfVectorizer
    peer = vectorizer(token_pattern=r"\w+", sublinear_tf=True, norm="l1")
    expected = peer.fit_transform(TEXTS).toarray()
    features, X = fitted("words log tfidf l1")
    np.testing.assert_allclose(
        X[:, [features.names().index(name) for name in peer.get_feature_names_out()]], expected, atol=1e-6
    )


def test_blocks_are_normalised_by_themselves_then_weighed_then_together():
    # words: (1, 2) / sqrt(5) times 1; chars:1 of ` a ` and twice ` b `: spaces 6, a 1, b 2, over sqrt(41), times 0.5;
    # then all over sqrt(1 + 0.25).
    features, X = fitted("words chars:1*0.5 l2", ["a b b"])
    values = dict(zip(features.names(), X[0], strict=True))
    whole = np.sqrt(1.25)
    assert values == {
        "a": pytest.approx(1 / np.sqrt(5) / whole),
        "b": pytest.approx(2 / np.sqrt(5) / whole),
        "chars= ": pytest.approx(0.5 * 6 / np.sqrt(41) / whole),
        "chars=a": pytest.approx(0.5 * 1 / np.sqrt(41) / whole),
        "chars=b": pytest.approx(0.5 * 2 / np.sqrt(41) / whole),
    }
    assert np.linalg.norm(X[0]) == pytest.approx(1)


def test_a_block_that_is_empty_leaves_the_whole_length_to_the_others():
    features, X = fitted("words chars-across:9*3 l2", ["a b", "a longer text"])
    assert np.linalg.norm(X, axis=1) == pytest.approx([1, 1])
    assert X[0, [features.names().index("a"), features.names().index("b")]] == pytest.approx([1 / np.sqrt(2)] * 2)


def test_weights_of_blocks_without_a_norm():
    features, X = fitted("words*2 chars-across:2*0.25 counts", ["ab"])
    assert dict(zip(features.names(), X[0], strict=True)) == {"ab": 2, "chars-across=ab": 0.25}


def test_the_weight_of_the_only_block():
    assert fitted("words*2", ["a a"])[1].tolist() == [[4]]
    assert fitted("chars:3*2 l2", ["a"])[1] == pytest.approx(np.array([[1]]))


def test_l1_with_two_blocks():
    _, X = fitted("words chars-across:1*3 l1", ["a b"])
    assert np.abs(X).sum() == pytest.approx(1)
    assert sorted(X[0]) == pytest.approx([1 / 8, 1 / 8, 1 / 4, 1 / 4, 1 / 4])  # 1 : 3, spread over 2 and over 3


def test_handmade_features_keep_their_values_beside_a_norm(tmp_path):
    (tmp_path / "good.txt").write_text("good\nfine\n")
    features, X = fitted(f"words tfidf lexicon:{tmp_path / 'good.txt'}*0.5", ["good fine day", "day"])
    assert X[:, features.names().index("lexicon=good")].tolist() == [1.0, 0.0]  # 2 words times 0.5
    words = [j for j, name in enumerate(features.names()) if name != "lexicon=good"]
    assert np.linalg.norm(X[:, words], axis=1) == pytest.approx([1, 1])


def test_handmade_features_alone(tmp_path):
    (tmp_path / "good.txt").write_text("good\nfine\n")
    features, X = fitted(f"lexicon:{tmp_path / 'good.txt'}*0.5 l2", ["good fine day", "day"])
    assert (features.names(), X.tolist()) == (["lexicon=good"], [[1.0], [0.0]])


def test_handmade_features_are_kept_where_they_never_occur():
    features, _ = fitted("sentiment min=2 words", ["a a", "a b"])
    kinds = ("positive", "negative", "no", "pronouns", "!", "log-length")
    assert set(features.names()) == {"a", *(f"sentiment={kind}" for kind in kinds)}


def test_upper_case_words_are_in_a_lexicon_too():
    # `case` keeps the case of words that become features; the lists are in lower case, and I is a pronoun.
    features, X = fitted("sentiment case", ["I love it"])
    assert X[0, features.names().index("sentiment=pronouns")] == 1


def test_upper_case_negations_negate_too():
    assert fitted("words case not", ["Not good"])[0].names() == ["Not", "NOT_good"]


@pytest.mark.parametrize("more", ["", " punct", " words:1 case", " words:1-2 not position"])
def test_entries_of_a_lexicon_may_be_more_than_a_word(tmp_path, more):
    entries = ["second-rate", "low", "low-brow", "Not  bad", "o'clock", ":-)", "…", "很好", "a+"]
    (tmp_path / "list.txt").write_text("\n".join(entries))
    texts = {
        "SECOND-RATE, second-rate": 2,
        "second rate": 0,
        "second-rated": 0,
        "a low-brow film": 1,  # what is longest counts, and what is in it does not
        "lows and low-brown": 1,
        "not bad, not\n bad; not badly": 2,
        "Five O’Clock": 1,
        "fine :-) :-( :-)": 2,
        "well…": 1,
        "我很好": 1,
        "an A+ or an a": 1,
        "": 0,
    }
    features, X = fitted(f"lexicon:{tmp_path / 'list.txt'}{more}", list(texts))
    assert dict(zip(texts, X[:, features.names().index("lexicon=list")].tolist(), strict=True)) == texts


def test_each_lexicon_counts_what_is_longest_of_its_own(tmp_path):
    (tmp_path / "a.txt").write_text("low-brow\nbrow")
    (tmp_path / "b.txt").write_text("low\nbrow")
    features, X = fitted(f"lexicon:{tmp_path / 'a.txt'} lexicon:{tmp_path / 'b.txt'}", ["low-brow, brow"])
    assert (features.names(), X.tolist()) == (["lexicon=a", "lexicon=b"], [[2.0, 3.0]])


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("a b", 2),
        ("it's well-made!", 3),
        ("- a -b- c--d", 9),
        ("'tis 'a'", 5),
        ("我很好。", 4),
        ("café’s 3.5", 4),
        ("!", 1),
    ],
)
def test_the_length_of_a_text_is_that_of_its_words_and_marks(text, length):
    features, X = fitted("sentiment", [text])
    assert X[0, features.names().index("sentiment=log-length")] == pytest.approx(np.log(length))


def test_two_lexicons_share_a_weight(tmp_path):
    (tmp_path / "a.txt").write_text("a\n")
    with pytest.raises(LinnetError) as caught:
        TextFeatures(f"lexicon:{tmp_path / 'a.txt'}*2 sentiment")
    assert str(caught.value) == "lexicon and sentiment features share one weight; give all of them the same."
    assert isinstance(caught.value, UsageError)


def test_too_many_lexicons_are_refused_in_a_sentence():
    with pytest.raises(UsageError):
        TextFeatures("sentiment " * 6)


@pytest.mark.parametrize(
    ("spec", "names"),
    [
        ("words min=2", ["the", "cat", "sat", "on", "mat", "dog", "and"]),
        ("words min=0.5", ["cat"]),  # in 3 of 5 texts
        ("words max=2 min=2", ["the", "sat", "on", "mat", "dog", "and"]),
        ("words max=0.5 min=0.3", ["the", "sat", "on", "mat", "dog", "and"]),
        ("words top=1", ["cat"]),
        ("words top=3", ["cat", "and", "dog"]),
        ("words:2 min=2", ["the cat", "cat sat", "sat on", "on the"]),
    ],
)
def test_the_choice_of_features(spec, names):
    found = fitted(spec)[0].names()
    assert sorted(found) == sorted(names)
    df = {name: (word_counts([name]) > 0).sum() for name in found if " " not in name}
    assert list(df.values()) == sorted(df.values(), reverse=True)  # the most frequent first


@pytest.mark.parametrize("spec", ["words min=2", "words:1-2 top=4", "words max=0.3", "words:2-3 min=2"])
def test_fit_transform_is_fit_and_transform(spec):
    features, X = fitted(spec)
    assert np.array_equal(matrix(features, features.transform(TEXTS)), X)
    assert X.any()


def test_features_are_learned_from_nothing_each_time():
    features = TextFeatures("words tfidf")
    features.fit_transform(["something else"])
    again = matrix(features, features.fit_transform(TEXTS))
    assert np.array_equal(again, fitted("words tfidf")[1])


def test_no_feature_is_left():
    with pytest.raises(DataError) as caught:
        fitted("words min=9")
    assert str(caught.value) == (
        "no feature of 'words min=9' is left in these 5 texts. Lower min=, raise max=, or look whether the texts are empty."
    )


def test_texts_that_are_missing_or_of_marks_alone_are_empty():
    features, X = fitted("words", ["a b", None, "...", ""])
    assert X.tolist() == [[1, 1], [0, 0], [0, 0], [0, 0]]
    assert features.n_documents == 4


PIECES = [TEXTS[:2], TEXTS[2:3], [], TEXTS[3:]]


@pytest.mark.parametrize("spec", ["words", "words:1-2", "chars:2-3", "words chars-across:2 counts", "sentiment words"])
def test_parts_of_texts_give_the_matrix_of_the_whole(spec):
    features = TextFeatures(spec)
    parts = [features.partial_fit_transform(part) for part in PIECES]
    whole = TextFeatures(spec)
    expected = table(whole, whole.fit_transform(TEXTS))
    grown = [table(features, part) for part in parts]
    assert sorted(features.names()) == sorted(expected)
    assert {name: sum((part[name] for part in grown), []) for name in features.names()} == expected


def test_partial_fits_keep_the_ids_of_features():
    features = TextFeatures("words")
    for part in PIECES:
        names = features.names()
        features.partial_fit_transform(part)
        assert features.names()[: len(names)] == names
    assert features.n_documents == 5


def test_partial_fits_weigh_by_what_they_have_seen():
    features = TextFeatures("words tfidf raw")
    features.partial_fit_transform(["a", "a b"])
    rows = features.partial_fit_transform(["b c"])
    # N = 3 now: b and c are in 2 and 1 of them.
    assert table(features, rows) == {
        "a": [0],
        "b": [pytest.approx(np.log(4 / 3) + 1)],
        "c": [pytest.approx(np.log(4 / 2) + 1)],
    }


def test_a_partial_fit_after_a_choice_brings_back_only_what_it_sees():
    features = TextFeatures("words:2 min=2")
    features.fit_transform(["a b", "a b c"])
    assert features.names() == ["a b"]
    rows = features.partial_fit_transform(["x y"])
    assert table(features, rows)["x y"] == [1]
    assert table(features, rows)["a b"] == [0]


SPECS = [
    "words", "words:1-2 tfidf", "words bm25", "chars:2-3 log l1", "words chars*0.3 chars-across:2 bm25 min=2",
    "words hash=10 tfidf", "sentiment*0.5 words:1-2 punct not position case", "words top=3",
    "words chars start*2 skip*0.4 shapes*0.3 sentiment tfidf min=2",
]  # fmt: skip


@pytest.mark.parametrize("spec", SPECS)
def test_features_that_were_saved_transform_alike(spec):
    features = TextFeatures(spec)
    features.fit_transform(TEXTS)
    again = TextFeatures.from_arrays(features.header(), features.arrays())
    texts = [*TEXTS, "No, I don't love the CAT!"]
    for part, part_again in zip(features.transform(texts), again.transform(texts), strict=True):
        assert part.tolist() == part_again.tolist()
    assert again.n_features == features.n_features
    assert [again.name(j) for j in range(3)] == [features.name(j) for j in range(3)]


def test_features_that_were_saved_go_on_learning():
    features = TextFeatures("words:1-2 bm25")
    features.partial_fit_transform(TEXTS[:2])
    again = TextFeatures.from_arrays(features.header(), features.arrays())
    for part, part_again in zip(
        features.partial_fit_transform(TEXTS[2:]), again.partial_fit_transform(TEXTS[2:]), strict=True
    ):
        assert part.tolist() == part_again.tolist()


def test_saved_features_do_not_need_the_list_of_words(tmp_path):
    (tmp_path / "good.txt").write_text("good\n")
    features, _ = fitted(f"lexicon:{tmp_path / 'good.txt'}", ["good"])
    (tmp_path / "good.txt").unlink()
    again = TextFeatures.from_arrays(features.header(), features.arrays())
    assert again.transform(["good good"]).values.tolist() == [2]


def test_hashed_features_have_a_number_for_a_name():
    features, X = fitted("words hash=4", ["a"])
    assert features.n_features == 16
    assert features.name(int(np.flatnonzero(X[0])[0])).startswith("hash=")
    assert X.sum() == 1


odd = st.text(st.sampled_from("ΣσİIıȺßéa1_' .\u0301\u0307🙂中文ที่"), max_size=15)
marked = st.lists(
    st.sampled_from(["<b>", "<br />", "&lt;", "&eacute;", "&x;", "<", "&", "İ", "é", "中", "a", " "]), max_size=9
)


@given(odd)
def test_words_stand_where_occurrences_say(text):
    # Lower-casing may change lengths, so positions are found in text.lower() and brought back.
    features = TextFeatures("words")
    features.partial_fit_transform([text])
    lowered = text.lower()
    back = [i for i, character in enumerate(text) for _ in character.lower()]
    expected = sorted(
        (match.group(), back[match.start()], back[match.end() - 1] + 1) for match in WORD.finditer(lowered)
    )
    found = sorted((features.name(int(j)), int(a), int(b)) for j, a, b in zip(*features.occurrences(text), strict=True))
    assert found == expected


@pytest.mark.parametrize("spec", ["words:1-2 punct", "chars:2-4", "words not position", "words case", "shapes punct"])
@given(text=odd | marked.map("".join))
def test_spans_are_within_the_text(spec, text):
    features = TextFeatures(spec)
    features.partial_fit_transform([text])
    ids, starts, ends = features.occurrences(text)
    assert len(ids) == features.transform([text]).values.sum()
    assert all(0 <= a <= b <= len(text) for a, b in zip(starts, ends, strict=True))


def test_start_skip_and_shapes_by_hand():
    features = TextFeatures("start:2-3 skip:1-2 shapes:1-2")
    found = table(features, features.fit_transform(["What is the what", "is what", "what"]))
    assert found == {
        "start=what is": [1, 0, 0],
        "start=what is the": [1, 0, 0],
        "start=is what": [0, 1, 0],
        "skip=what the": [1, 0, 0],
        "skip=is what": [1, 0, 0],
        "skip=what what": [1, 0, 0],
        "shapes=Xx": [1, 0, 0],
        "shapes=x": [3, 2, 1],
        "shapes=Xx x": [1, 0, 0],
        "shapes=x x": [2, 1, 0],
    }


def test_start_skip_and_shapes_are_blocks_of_their_own():
    # Blocks of length 1 each but for their weights, whose squares 1, 4, 16, 36 and 64 are 121 in all.
    features = TextFeatures("words chars:3*2 start:1*4 skip:1*6 shapes:3*8 presence l2")
    found = table(features, features.fit_transform(["a b C"]))
    third = 3**-0.5 / 11
    assert found == {
        "a": [pytest.approx(third)],
        "b": [pytest.approx(third)],
        "c": [pytest.approx(third)],
        "chars= a ": [pytest.approx(2 * third)],
        "chars= b ": [pytest.approx(2 * third)],
        "chars= c ": [pytest.approx(2 * third)],
        "start=a": [pytest.approx(4 / 11)],
        "skip=a c": [pytest.approx(6 / 11)],
        "shapes=x x X": [pytest.approx(8 / 11)],
    }


def test_names_of_blocks():
    features, _ = fitted("words chars:3 chars-across:3", ["ab"])
    assert features.names() == ["chars= ab", "chars=ab ", "ab"]


@pytest.mark.parametrize("spec", ["words:1 sequence", "words:1 sequence hash=16"])
def test_a_sequence_has_each_word_as_often_as_it_is_there_with_its_place(spec):
    features = TextFeatures(spec)
    rows = features.fit_transform(["the cat the dog", "", "a cat"])
    the, cat, _, dog, a = rows.indices[[0, 1, 2, 3, 4]].tolist()
    assert rows.indptr.tolist() == [0, 4, 4, 6]
    assert rows.indices.tolist() == [the, cat, the, dog, a, cat]
    assert rows.values.tolist() == [1, 2, 3, 4, 1, 2]


def test_what_is_not_in_the_vocabulary_leaves_a_gap_in_a_sequence():
    features = TextFeatures("words:1 sequence min=2")
    rows = features.fit_transform(["the cat the dog", "a cat", "the the the mouse"])
    assert features.names() == ["the", "cat"]  # in two texts each, however often in one
    assert (rows.indices.tolist(), rows.values.tolist()) == ([0, 1, 0, 1, 0, 0, 0], [1, 2, 3, 2, 1, 2, 3])
    new = features.transform(["so the old cat"])
    assert (new.indices.tolist(), new.values.tolist()) == ([0, 1], [2, 4])


def test_characters_in_their_order():
    features = TextFeatures("chars-across:1 sequence")
    rows = features.fit_transform(["Ab  a"])
    assert [features.name(j) for j in rows.indices] == ["a", "b", " ", "a"]
    assert rows.values.tolist() == [1, 2, 3, 4]


def test_that_hand_made_features_may_be_left_out_by_top():
    features = TextFeatures("words:1 sentiment top=1 raw")
    rows = features.fit_transform(["fine the", "the film"])
    assert (features.names(), rows.indices.tolist()) == (["sentiment=log-length"], [0, 0])
