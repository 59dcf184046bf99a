"""Which words occur near which others."""

import numpy as np
import pytest

from linnet.core.unlabelled.cooccurrence import rows_of_neighbours


def by_hand(texts, n_words, n_contexts, window):
    """The same by the definition, with a full table."""
    near = np.zeros((n_words, n_contexts))
    for text in texts:
        for i, word in enumerate(text):
            for k in range(max(0, i - window), min(len(text), i + window + 1)):
                if k != i and text[k] < n_contexts:
                    near[word, text[k]] += 1
    share = near.sum(axis=0) ** 0.75
    share /= share.sum()
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.log(near / (near.sum(axis=1, keepdims=True) * share))
    return np.where(np.isfinite(found) & (found > 0), found, 0)


def in_full(rows, n_words, n_contexts):
    indptr, indices, values = rows
    full = np.zeros((n_words, n_contexts))
    for w in range(n_words):
        full[w, indices[indptr[w] : indptr[w + 1]]] = values[indptr[w] : indptr[w + 1]]
    return full


def laid_out(texts):
    starts = np.cumsum([0, *map(len, texts)])
    return starts.astype(np.int64), np.array([word for text in texts for word in text], np.uint32)


@pytest.mark.parametrize(("window", "n_contexts"), [(1, 7), (2, 7), (10, 3), (10, 7)])
def test_it_is_the_definition(window, n_contexts):
    rng = np.random.default_rng(3)
    texts = [rng.integers(0, 7, rng.integers(0, 12)).tolist() for _ in range(20)]
    found = rows_of_neighbours(*laid_out(texts), 7, n_contexts, window)
    np.testing.assert_allclose(in_full(found, 7, n_contexts), by_hand(texts, 7, n_contexts, window), atol=1e-6)


def test_words_of_different_texts_are_never_near():
    indptr, _, values = rows_of_neighbours(*laid_out([[0], [1], [0], [1]]), 2, 2, 10)
    assert indptr.tolist() == [0, 0, 0]
    assert len(values) == 0


def test_no_texts_have_no_neighbours():
    indptr, indices, _ = rows_of_neighbours(np.zeros(1, np.int64), np.zeros(0, np.uint32), 3, 2, 10)
    assert indptr.tolist() == [0, 0, 0, 0]
    assert len(indices) == 0
