"""Word vectors from a file as features: which words are kept, how they are looked up, and that the file is not needed again."""

import numpy as np
import pytest
from vector_files import buckets_of, fasttext_binary, glove

from linnet import DataError, UsageError
from linnet.features.table import Table
from linnet.features.text import TextFeatures

WORDS = ["the", "film", "good", "bad", "superb", "awful", "Paris", "new york"]
ROWS = np.random.default_rng(1).normal(size=(8, 6)).astype(np.float32)
TEXTS = ["the good film", "the bad film", "a GOOD film", "Paris"]


@pytest.fixture
def path(tmp_path):
    """A file of words in lower case."""
    found = tmp_path / "glove.6B.txt"
    found.write_bytes(glove(WORDS[:6], ROWS[:6]))
    return found


@pytest.fixture
def cased(tmp_path):
    found = tmp_path / "cased.txt"
    found.write_bytes(glove(WORDS, ROWS))
    return found


def part_of(spec, texts=TEXTS):
    features = TextFeatures(spec)
    rows = features.fit_transform(texts)
    return features, features.vectors()[0][1], rows


def row_of(part, word):
    """The vector that a word has in the model, None without one."""
    rows = part.text.transform([word])
    found = part._row_of[rows.indices]
    return part.table[found[0], : len(part.names)] if len(found) else None


def test_words_of_texts_and_of_the_file_have_the_vectors_of_the_file(path):
    _, part, _ = part_of(f"words:1 vectors:{path}*0.7")
    for word, row in zip(WORDS[:6], ROWS, strict=False):
        np.testing.assert_allclose(row_of(part, word), row, atol=np.abs(row).max() / 250)
        np.testing.assert_array_equal(row_of(part, word.upper()), row_of(part, word))
    assert row_of(part, "Paris") is None


def test_features_are_the_weighed_mean_as_long_as_the_weight(path):
    features, part, rows = part_of(f"words:1 vectors:{path}*0.7")
    first = features.vectors()[0][0]
    x = part.text.transform(TEXTS)
    dense = np.zeros((len(TEXTS), part.text.n_features))
    for i in range(len(TEXTS)):
        at = slice(x.indptr[i], x.indptr[i + 1])
        dense[i, x.indices[at]] = x.values[at]
    z = dense @ part.table[part._row_of][:, :6]
    z -= z.mean(axis=0)
    z *= 0.7 / np.linalg.norm(z, axis=1, keepdims=True)
    for i in range(len(TEXTS)):
        at = slice(rows.indptr[i], rows.indptr[i + 1])
        values = rows.values[at][rows.indices[at] >= first]
        np.testing.assert_allclose(values, z[i], atol=1e-5)


def test_a_word_is_looked_up_as_it_is_and_then_in_lower_case(cased):
    _, part, _ = part_of(f"words:1 vectors:{cased}")
    paris, good = row_of(part, "Paris"), row_of(part, "good")
    np.testing.assert_allclose(paris, ROWS[6], atol=np.abs(ROWS[6]).max() / 250)
    assert row_of(part, "paris") is None
    for spelled in ("GOOD", "Good"):
        np.testing.assert_array_equal(row_of(part, spelled), good)
    np.testing.assert_array_equal(row_of(part, "Superb"), row_of(part, "superb"))


def test_the_most_frequent_words_are_kept(path):
    _, part, _ = part_of(f"words:1 vectors:{path},top=3")
    assert sorted(part.text.names()) == ["film", "good", "the"]
    _, part, _ = part_of(f"words:1 vectors:{path},top=5")
    assert sorted(part.text.names()) == ["bad", "film", "good", "superb", "the"]


def test_the_model_needs_the_file_no_more(path, cased):
    for file in (path, cased):
        features, _, _ = part_of(f"words:1 vectors:{file}")
        file.unlink()
        again = TextFeatures.from_arrays(features.header(), features.arrays())
        for ours, theirs in zip(features.transform(TEXTS), again.transform(TEXTS), strict=True):
            np.testing.assert_array_equal(ours, theirs)


def test_words_of_texts_without_labels_are_kept_too(path):
    features = TextFeatures(f"words:1 vectors:{path},top=4")
    features.fit_transform(["the film"], Table.from_texts(["awful", "superb"]))
    part = features.vectors()[0][1]
    assert sorted(part.text.names()) == ["awful", "film", "superb", "the"]
    assert {part.text.name(int(j)) for j in np.flatnonzero(part._labelled)} == {"the", "film"}


def test_words_that_fasttext_does_not_list_have_the_vectors_of_their_ngrams(tmp_path):
    table = np.random.default_rng(3).normal(size=(2 + 50, 4)).astype(np.float32)
    path = tmp_path / "model.bin"
    path.write_bytes(fasttext_binary(["the", "film"], table, 50, 3, 4))
    _, part, _ = part_of(f"words:1 vectors:{path}")
    assert row_of(part, "bad") is not None
    assert row_of(part, "unseen") is None


@pytest.mark.parametrize(("listed", "spelled"), [(["the", "Film"], "Foo"), (["the", "film"], "foo")])
def test_words_are_spelled_as_the_file_spells_them_for_their_ngrams(tmp_path, listed, spelled):
    table = np.random.default_rng(3).normal(size=(2 + 50, 4)).astype(np.float32)
    path = tmp_path / "model.bin"
    path.write_bytes(fasttext_binary(listed, table, 50, 3, 4))
    _, part, _ = part_of(f"words:1 vectors:{path}", ["the Foo", "Foo"])
    of_ngrams = table[2 + np.array(buckets_of(spelled, 3, 4, 50))].mean(axis=0)
    np.testing.assert_allclose(row_of(part, "Foo"), of_ngrams, atol=np.abs(of_ngrams).max() / 250)


def test_words_are_like_words_of_labelled_texts(path):
    rows = ROWS[:6].copy()
    rows[4] = rows[2] + 0.01  # superb is like good
    path.write_bytes(glove(WORDS[:6], rows))
    _, part, _ = part_of(f"words:1 vectors:{path}")
    v = np.arange(6.0)
    numbers = {part.text.name(j): j for j in range(part.text.n_features)}
    found = part.like(np.array([numbers["superb"], numbers["good"]]), v)
    assert list(found) == [numbers["superb"]]
    (first, *others) = found[numbers["superb"]]
    assert first.word == "good"
    assert first.likeness > 0.99
    assert first.weight == pytest.approx(part.table[part._row_of[numbers["good"]], :6] @ v)
    assert all(first.likeness >= one.likeness > first.likeness / 2 for one in others)


@pytest.mark.parametrize("top", ["0", "x", "99999999"])
def test_a_wrong_number_of_words_is_refused(path, top):
    with pytest.raises(UsageError, match=r"vectors:FILE,top=N"):
        TextFeatures(f"words:1 vectors:{path},top={top}")


def test_a_file_that_is_not_there_is_a_sentence(tmp_path):
    with pytest.raises(DataError, match="no such file"):
        TextFeatures(f"words:1 vectors:{tmp_path}/none.txt").fit_transform(TEXTS)
