"""Learning from texts without labels as plainly as NumPy, SciPy and scikit-learn allow, for linnet to be compared with.

Words and pairs of words have values of BM25, with document frequencies of all texts. Vectors of words are the leading
directions of the positive pointwise mutual information of words that stand near each other, and topics those of the texts. A
teacher, a linear support vector machine over both, labels all other texts, and a student learns from them over n-grams alone.
The scores of the two are added. Nothing here is chosen by held-out labels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
import scipy.sparse as sp
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.preprocessing import normalize
from sklearn.svm import LinearSVC
from sklearn.utils.extmath import randomized_svd

Matrix: TypeAlias = sp.csr_matrix

TOKEN = r"'\w+|\w+|[^\w\s]"
"""Words and punctuation marks; 't and 's stand apart."""
WINDOW = 10
WORDS, CONTEXTS = 30_000, 5_000
DIRECTIONS, TOPICS = 200, 100
BESIDE = 0.7
"""The length of vectors and of topics, beside n-grams of length 1."""
POWER = 0.5
"""The power of the log-count ratios of naive Bayes that n-grams are multiplied by."""
WEIGHT = 0.1
"""The weight of a text that the teacher has labelled."""


class Bm25:
    """Values of BM25 (k1 = 1.2, b = 0.75), with what is learned from a matrix of counts."""

    def __init__(self, counts: Matrix) -> None:
        df = np.bincount(counts.indices, minlength=counts.shape[1])
        self._idf = np.log1p((counts.shape[0] - df + 0.5) / (df + 0.5))
        self._mean = counts.sum() / counts.shape[0]

    def of(self, counts: Matrix) -> Matrix:
        """The values of the features of texts, each row of length 1."""
        x = counts.astype(np.float64)
        length = np.repeat(np.asarray(counts.sum(axis=1)).ravel() / self._mean, np.diff(counts.indptr))
        x.data = x.data * 2.2 / (x.data + 1.2 * (0.25 + 0.75 * length)) * self._idf[x.indices]
        return normalize(x)


class Space:
    """N-grams, vectors and topics of texts, learned from a pool of texts."""

    def __init__(self, pool: Sequence[str]) -> None:
        self._ngrams = CountVectorizer(token_pattern=TOKEN, ngram_range=(1, 2), min_df=2)
        self._words = CountVectorizer(token_pattern=TOKEN, min_df=2, max_features=WORDS)
        ngrams, words = self._ngrams.fit_transform(pool), self._words.fit_transform(pool)
        self._of_ngrams, self._of_words = Bm25(ngrams), Bm25(words)
        x = self._of_words.of(words)
        self._topics = randomized_svd(x, min(TOPICS, min(x.shape) - 1), n_iter=6, random_state=0)[2].T
        near = self._near(pool, words)
        u, s, _ = randomized_svd(near, min(DIRECTIONS, min(near.shape) - 1), n_iter=6, random_state=0)
        self._vectors = u * s
        self._mean = (x @ self._vectors).mean(axis=0)
        self.x, self.z = self._of_ngrams.of(ngrams), self._dense(x)

    def of(self, texts: Sequence[str]) -> tuple[Matrix, Matrix]:
        """The n-grams of texts, and their vectors and topics."""
        words = self._of_words.of(self._words.transform(texts))
        return self._of_ngrams.of(self._ngrams.transform(texts)), self._dense(words)

    def _dense(self, words: Matrix) -> Matrix:
        vectors, topics = normalize(words @ self._vectors - self._mean), normalize(words @ self._topics)
        return sp.csr_matrix(BESIDE * np.hstack([vectors, topics]))

    def _near(self, pool: Sequence[str], words: Matrix) -> Matrix:
        """The positive pointwise mutual information of words and the most frequent words near them."""
        number, cut = self._words.vocabulary_, self._words.build_analyzer()
        texts = [[number[word] for word in cut(text) if word in number] for text in pool]
        text = np.repeat(np.arange(len(texts)), list(map(len, texts)))
        word = np.concatenate([np.array(some, np.int64) for some in texts])
        n = len(number)
        frequent = np.argsort(-np.asarray(words.sum(axis=0)).ravel(), kind="stable")[:CONTEXTS]
        counts = sp.csr_matrix((n, n))
        for d in range(1, WINDOW + 1):
            same = text[d:] == text[:-d]
            a, b = word[d:][same], word[:-d][same]
            found = sp.csr_matrix((np.ones(len(a)), (a, b)), shape=(n, n))
            counts = counts + found + found.T
        counts = sp.coo_matrix(counts[:, frequent])
        of_word, of_context = (np.asarray(counts.sum(axis=axis)).ravel() for axis in (1, 0))
        share = of_context**0.75 / (of_context**0.75).sum()
        values = np.log(counts.data / (of_word[counts.row] * share[counts.col]))
        near = sp.csr_matrix((np.maximum(values, 0), (counts.row, counts.col)), shape=counts.shape)
        near.eliminate_zeros()
        return near


def learned(x: Matrix, z: Matrix | None, y: np.ndarray, n: int, weight: np.ndarray) -> Callable[..., np.ndarray]:
    """A function that gives the scores of n labels, learned one against the rest from n-grams times what naive Bayes believes
    of them, beside vectors and topics if there are any."""
    present = (x > 0).astype(np.float64)
    machines = []
    for k in range(n):
        if not (y == k).any():
            machines.append(None)
            continue
        own, rest = (1 + present.T @ (weight * side) for side in (y == k, y != k))
        f = np.abs(np.log(own / own.sum()) - np.log(rest / rest.sum())) ** POWER
        machine = LinearSVC(C=1, max_iter=1000, tol=1e-3, random_state=0)
        machines.append((f, machine.fit(_both(x, z, f), y == k, sample_weight=weight)))

    def scores(x: Matrix, z: Matrix | None) -> np.ndarray:
        low = np.full(x.shape[0], -np.inf)
        return np.stack(
            [low if one is None else one[1].decision_function(_both(x, z, one[0])) for one in machines], axis=1
        )

    return scores


def _both(x: Matrix, z: Matrix | None, f: np.ndarray) -> Matrix:
    scaled = normalize(x.multiply(f).tocsr())
    return scaled if z is None else sp.hstack([scaled, z], format="csr")


def recipe(texts: Sequence[str]) -> Callable[[Sequence[int], Sequence[str]], Callable[[Sequence[str]], Sequence[str]]]:
    """The tool, as those of few_tools.py: it gets all texts, and gives a function that learns from some and their labels."""
    space = Space(texts)

    def learn(few: Sequence[int], labels: Sequence[str]) -> Callable[[Sequence[str]], Sequence[str]]:
        names, y = np.unique(labels, return_inverse=True)
        rest = np.setdiff1d(np.arange(len(texts)), few)
        teacher = learned(space.x[few], space.z[few], y, len(names), np.ones(len(few)))
        said = teacher(space.x[rest], space.z[rest]).argmax(axis=1)
        weight = np.concatenate([np.ones(len(few)), np.full(len(rest), WEIGHT)])
        student = learned(space.x[[*few, *rest]], None, np.concatenate([y, said]), len(names), weight)

        def predict(some: Sequence[str]) -> Sequence[str]:
            x, z = space.of(some)
            return names[(teacher(x, z) + student(x, None)).argmax(axis=1)].tolist()

        return predict

    return learn
