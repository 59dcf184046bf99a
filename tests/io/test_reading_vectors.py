"""Readers of word vectors: all formats give the same words, and a damaged file is a sentence."""

import gzip

import numpy as np
import pytest
from vector_files import (
    TABLE,
    WORDS,
    buckets_of,
    fasttext_binary,
    fasttext_vec,
    glove,
    word2vec_binary,
    word2vec_text,
)

from linnet import DataError
from linnet.core.extract.subwords import subwords
from linnet.io.vectors.reading import read_vectors

FORMATS = {
    "glove.txt": glove(WORDS, TABLE),
    "word2vec.txt": word2vec_text(WORDS, TABLE),
    "fasttext.vec": fasttext_vec(WORDS, TABLE),
    "word2vec.bin": word2vec_binary(WORDS, TABLE),
    "google.bin": word2vec_binary(WORDS, TABLE, end=b""),
    "fasttext.bin": fasttext_binary(WORDS, TABLE),
}


@pytest.fixture
def written(tmp_path):
    def write(data, name="vectors.txt"):
        path = tmp_path / name
        path.write_bytes(data)
        return str(path)

    return write


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("packed", [False, True])
def test_all_formats_give_the_same(written, name, packed):
    data = gzip.compress(FORMATS[name]) if packed else FORMATS[name]
    found = read_vectors(written(data, f"{name}.gz" if packed else name), first=10)
    assert found.words == WORDS
    assert found.n_listed == 4
    np.testing.assert_array_equal(found.table, TABLE)


@pytest.mark.parametrize("name", FORMATS)
def test_the_first_words_and_those_that_are_needed_are_kept(written, name):
    found = read_vectors(written(FORMATS[name], name), first=1, needed=["fine", "absent"])
    assert found.words == ["the", "fine"]
    np.testing.assert_array_equal(found.table, TABLE[[0, 3]])


def test_words_with_blanks_are_passed_over_and_the_first_of_two_counts(written):
    path = written(b"the 1 2\n. . . 3 4\nthe 5 6\nfilm 7 8\n")
    found = read_vectors(path, first=10)
    assert found.words == ["the", "film"]
    assert found.table.tolist() == [[1, 2], [7, 8]]


def test_a_word_that_is_not_utf8_is_passed_over(written):
    found = read_vectors(written(b"caf\xe9 1 2\nfilm 7 8\n"), first=10)
    assert found.words == ["film"]


@pytest.mark.parametrize("word", ["film", "é", "naïveté", "映画"])
@pytest.mark.parametrize(("least", "most"), [(1, 3), (3, 6), (2, 2)])
def test_subwords_are_those_of_the_definition(word, least, most):
    at, buckets = subwords([b"other", word.encode()], least, most, 97)
    assert buckets[at[1] :].tolist() == buckets_of(word, least, most, 97)


def test_a_vector_of_fasttext_is_the_mean_of_its_word_and_ngrams(written):
    rows = np.random.default_rng(0).normal(size=(4 + 11, 5)).astype(np.float32)
    path = written(fasttext_binary(WORDS, rows, 11, 2, 3), "model.bin")
    found = read_vectors(path, first=2, needed=["été", "unlisted"])
    assert (found.words, found.n_listed) == (["the", "film", "été", "unlisted"], 3)
    for word, vector in zip(found.words, found.table, strict=True):
        own = [WORDS.index(word)] if word in WORDS else []
        chosen = own + [4 + bucket for bucket in buckets_of(word, 2, 3, 11)]
        np.testing.assert_allclose(vector, rows[chosen].mean(axis=0), atol=1e-6)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"the 1 2\nfilm 3\n", r"vectors.txt:2: expected 2 numbers for 'film', found 1"),
        (b"the 1 2\nfilm 3 4 5\n", r"vectors.txt:2: expected 2 numbers for 'film', found 3"),
        (b"the 1 2\nfilm 3 x\n", r"vectors.txt:2: expected numbers for 'film', found 'x'"),
        (b"the 1 2\nfilm 3 nan\n", r"vectors.txt:2: expected numbers between .* found nan"),
        (b"the 1 2\nfilm 3 -inf\n", r"vectors.txt:2: expected numbers between .* found -inf"),
        (b"the 1 2\nfilm 3 1e30\n", r"vectors.txt:2: expected numbers between .* found 1e\+30"),
        (b"the 1 2\nfilm 3 1_0\n", r"found '1_0' among them"),
        (b"3 2\nthe 1 2\nfilm 3 4\n", r"promises 3 words, found 2"),
        (b"1 2\nthe 1 2\nfilm 3 4\n", r"promises 1 words, found 2"),
        (b"9 99999\nthe 1 2\n", r"up to 4,096 numbers each, found 9 words with 99,999"),
        (b"\nword\n", r"vectors.txt:2: expected a word and its numbers, found .word.. Is this"),
        (b"", r"found no word"),
        (b"3 2\n", r"found no word"),
        (b"%PDF-1.7\n", r"is a PDF document"),
    ],
)
def test_wrong_text_is_a_sentence(written, data, said):
    with pytest.raises(DataError, match=said):
        read_vectors(written(data), first=10)


def test_the_last_line_is_looked_at_even_if_it_is_not_kept(written):
    with pytest.raises(DataError, match=r":3: expected 2 numbers for 'dull', found 1"):
        read_vectors(written(b"the 1 2\nfilm 3 4\ndull 5\n"), first=1)


def test_a_file_without_needed_words_is_a_sentence(written):
    with pytest.raises(DataError, match="none of the words that are needed"):
        read_vectors(written(FORMATS["glove.txt"]), first=0, needed=["absent"])


@pytest.mark.parametrize("name", ["word2vec.bin", "google.bin", "fasttext.bin"])
def test_binary_files_that_are_cut_off_are_sentences(written, name):
    whole = FORMATS[name]
    for size in [*range(12, len(whole) - 1, 7), len(whole) - 2]:
        with pytest.raises(DataError, match=r"ends, or is damaged|found no word|expected|promises"):
            read_vectors(written(whole[:size], name), first=10)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"version": 9}, "version 11 or 12, found 9"),
        ({"quantised": True}, "quantised"),
        ({"n_left": 0}, "quantised"),
        ({"most": 1000}, "damaged"),
        ({"buckets": 5}, "damaged"),
    ],
)
def test_forged_models_of_fasttext_are_sentences(written, changed, said):
    with pytest.raises(DataError, match=said):
        read_vectors(written(fasttext_binary(WORDS, TABLE, **changed), "model.bin"), first=10)


def test_numbers_of_binary_files_are_looked_at(written):
    for spoiled in (np.nan, np.inf, 1e30):
        table = TABLE.copy()
        table[2, 1] = spoiled
        for data in (word2vec_binary(WORDS, table), fasttext_binary(WORDS, table)):
            with pytest.raises(DataError, match="between"):
                read_vectors(written(data, "model.bin"), first=10)
