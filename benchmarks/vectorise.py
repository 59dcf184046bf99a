"""Text to a sparse matrix of words and pairs of words, with an exact vocabulary.

Compared with scikit-learn's CountVectorizer (exact too) and HashingVectorizer (no vocabulary). Only `fit_transform` is
timed; memory is what it needs above the text, which is loaded before.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import datasets
from measure import Run, compete, job, section
from report import Column, Table, contest_table

SETS = ("movie_reviews", "imdb")
COLUMNS = (
    Column("MB/s", "mb_per_s", ".1f"),
    Column("CPU s", "cpu"),
    Column("wall s", "wall"),
    Column("RSS with text MB", "rss_mb", ".0f"),
    Column("peak above MB", "above_mb", ".0f"),
    Column("features", "features", ",.0f"),
    Column("nonzeros", "nonzeros", ",.0f"),
)


def run(quick: bool = False, rounds: int = 5) -> list[Table]:
    limit = 1000 if quick else None
    tables = []
    for name in datasets.available(SETS):
        given = {"name": name, "limit": limit}
        contestants = {
            "linnet, list of str": partial(job, "vectorise:linnet_list", **given),
            "linnet, Arrow column": partial(job, "vectorise:linnet_arrow", **given),
            "CountVectorizer": partial(job, "vectorise:count_vectorizer", **given),
            "HashingVectorizer": partial(job, "vectorise:hashing_vectorizer", **given),
        }
        tables.append(contest_table(f"vectorise, words 1-2: {name}", compete(contestants, rounds), COLUMNS))
    return tables


def linnet_list(name: str, limit: int | None) -> Run:
    from linnet.sklearn import TextVectorizer

    texts = _texts(name, limit)
    return _measure(TextVectorizer("words:1-2"), texts, _size(texts))


def linnet_arrow(name: str, limit: int | None) -> Run:
    import pyarrow

    from linnet.sklearn import TextVectorizer

    texts = _texts(name, limit)
    size = _size(texts)
    column = pyarrow.array(texts, pyarrow.large_string())
    del texts
    return _measure(TextVectorizer("words:1-2"), column, size)


def count_vectorizer(name: str, limit: int | None) -> Run:
    from sklearn.feature_extraction.text import CountVectorizer

    from peers import TOKEN

    texts = _texts(name, limit)
    return _measure(CountVectorizer(ngram_range=(1, 2), token_pattern=TOKEN), texts, _size(texts))


def hashing_vectorizer(name: str, limit: int | None) -> Run:
    from sklearn.feature_extraction.text import HashingVectorizer

    from peers import TOKEN

    texts = _texts(name, limit)
    vectorizer = HashingVectorizer(ngram_range=(1, 2), token_pattern=TOKEN, alternate_sign=False, norm=None)
    return _measure(vectorizer, texts, _size(texts))


def _texts(name: str, limit: int | None) -> list[str]:
    part = "all" if datasets.SOURCES[name].folds else "train"
    return datasets.read(name, part, limit).texts


def _size(texts: list[str]) -> float:
    return sum(len(text.encode()) for text in texts) / 1e6


def _measure(vectorizer: Any, texts: Any, size_mb: float) -> Run:
    with section() as taken:
        X = vectorizer.fit_transform(texts)
    return taken | {"mb_per_s": size_mb / taken["cpu"], "features": X.shape[1], "nonzeros": int(X.nnz)}


if __name__ == "__main__":
    from run import main

    main(["vectorise"])
