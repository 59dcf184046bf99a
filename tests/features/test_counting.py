"""Texts that are counted on several threads have the features of one thread, with the same numbers."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from linnet.core.room import Room
from linnet.core.threads import limited
from linnet.features import TextFeatures, counting
from linnet.features.table import Table

WORDS = [
    "fine",
    "film",
    "not",
    "a",
    "dull",
    "the",
    "İstanbul",
    "don't",
    "unbelievably",
    "unbelievable",
    "!",
    "中文",
    "1999",
    "<b>",
]
SPECS = [
    "words:1-2 punct bm25 min=2",
    "words:1-3 tfidf",
    "words:1 chars:2-4 raw",
    "words:1-2 start:1-2 skip:1-2 shapes:1-2 raw",
    "words:2 not top=20 sentiment",
    "words:1-2 hash=10",
    "words:1 unknown min=2",
    "words:1 sequence",
    "words:1-2 chars-across:3 max=0.9",
]


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch):
    monkeypatch.setattr(counting, "_LEAST", 1)


def learned(spec: str, texts, threads: int):
    features = TextFeatures(spec)
    with limited(threads):
        rows = features.fit_transform(texts)
    arrays = {name: array.tolist() for name, array in features.arrays().items()}
    return [part.tolist() for part in rows], arrays, features.header(), features.names()


def some_texts(n: int, seed: int = 0) -> list[str]:
    rng = np.random.default_rng(seed)
    return [" ".join(rng.choice(WORDS, rng.integers(0, 12))) for _ in range(n)]


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("threads", [2, 3, 4, 8])
def test_that_any_number_of_threads_gives_the_same_features(spec, threads):
    texts = some_texts(60)
    assert learned(spec, texts, threads) == learned(spec, texts, 1)


@settings(deadline=None, max_examples=30)
@given(
    st.lists(st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join), min_size=2, max_size=12), st.integers(2, 12)
)
def test_that_it_holds_for_any_texts(texts, threads):
    assume(any(word in text for text in texts for word in WORDS[:4]))
    spec = "words:1-3 chars:3 raw"
    assert learned(spec, texts, threads) == learned(spec, texts, 1)


def test_texts_in_several_chunks():
    texts = some_texts(40)
    chunks = pa.chunked_array([pa.array(texts[:7], pa.large_string()), pa.array(texts[7:], pa.large_string()).slice(0)])
    assert learned("words:1-2 min=2", chunks, 3) == learned("words:1-2 min=2", texts, 1)


def test_rows_with_other_columns():
    texts = some_texts(30)
    table = Table(pa.array(texts, pa.large_string()), pa.table({"year": pa.array(np.arange(30.0))}))
    assert learned("words:1-2 number:year", table, 4) == learned("words:1-2 number:year", table, 1)


def test_rows_in_a_file(tmp_path, monkeypatch):
    monkeypatch.setattr("linnet.features.text._SOME", 200)
    texts = some_texts(60)
    alone = TextFeatures("words:1-2 min=2 bm25")
    rows = alone.fit_transform(texts)
    filed = TextFeatures("words:1-2 min=2 bm25")
    with limited(4):
        kept = filed.fit_file(texts, Room(tmp_path, 0))
    assert filed.names() == alone.names()
    assert np.concatenate([part.indices for part in kept]).tolist() == rows.indices.tolist()
    assert np.concatenate([part.values for part in kept]).tolist() == rows.values.tolist()


def test_that_features_grow_further_after_they_were_joined():
    first, more = some_texts(30), [*some_texts(10, seed=1), "a word that is new"]
    features, alone = TextFeatures("words:1-2 raw"), TextFeatures("words:1-2 raw")
    with limited(4):
        features.fit_transform(first)
    alone.fit_transform(first)
    assert [part.tolist() for part in features.partial_fit_transform(more)] == [
        part.tolist() for part in alone.partial_fit_transform(more)
    ]
    assert features.names() == alone.names()


def test_where_a_column_is_cut():
    text = pa.array(["a" * 30, "b", "c", "d" * 30, "e" * 60], pa.large_string())
    with limited(2):
        assert [part.to_pylist() for part in counting.parts_of(text)] == [text.to_pylist()[:3], text.to_pylist()[3:]]
    with limited(1):
        assert len(counting.parts_of(text)) == 1
