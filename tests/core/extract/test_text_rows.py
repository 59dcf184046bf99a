"""Rows that are made when they are scored are those that are made all at once."""

import random
import threading

import numpy as np
import pyarrow as pa
import pytest

import linnet
from linnet.core.extract.text_views import TextViews
from linnet.features import TextFeatures
from linnet.features.table import Table

WORDS = "a the film is not good bad dull, fine. it's <b>don't</b> Ünder naïve 中文 extraordinarily unconvincing ... !".split()
SPECS = (
    "words:1-2 punct bm25 min=2",
    "words:1-3 presence",
    "words:1 counts",
    "words:1-2 log l1",
    "chars:2-4 tfidf",
    "words:1-2 chars:3*0.4 bm25",
    "words:1-2 punct case not position start:1-2 skip:1-2 shapes:1-2 tfidf",
    "words:1-2 chars-across:2-3 hash=12",
    "sentiment words:1",
    "words:1 sequence",
)


def texts(n, seed):
    rng = random.Random(seed)
    return [" ".join(rng.choices(WORDS, k=rng.randrange(60))) for _ in range(n)] + ["", "  ", "good " * 40]


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize(
    "kind", [list, pa.array, lambda some: pa.chunked_array([pa.array(some[:9]), pa.array(some[9:])])]
)
def test_rows_on_demand_are_those_of_transform(spec, kind):
    features = TextFeatures(spec)
    features.fit_transform(texts(50, 1))
    new = texts(30, 2)
    expected = features.transform(new)
    given = kind(new)
    found = features.on_demand(given if isinstance(given, list) else Table.from_texts(given)).arrays()
    for of, wanted in zip(found[:3], expected, strict=True):
        assert np.asarray(of).tobytes() == wanted.tobytes()


def test_other_columns_stand_behind_the_text():
    rows = [
        {"text": text, "label": "ab"[i % 2], "year": i, "country": "xyz"[i % 3]} for i, text in enumerate(texts(40, 3))
    ]
    model = linnet.train(rows, features="words:1 number:year column:country", learner="logistic")
    table = model.table(rows[:9])
    expected = model.features.transform(table)
    for of, wanted in zip(model.features.on_demand(table).arrays()[:3], expected, strict=True):
        assert np.asarray(of).tobytes() == wanted.tobytes()


def test_strings_are_read_where_they_are():
    views = TextViews(["abc", "", "é"])
    assert (len(views), views.n_bytes) == (3, 5)
    with pytest.raises(TypeError):
        TextViews(["a", None])
    model = linnet.train(["good", "bad"] * 9, ["+", "-"] * 9)
    with pytest.raises(linnet.DataError, match="^the text at position 1 holds half a surrogate pair"):
        model.predict(["good", "\ud800"])


def test_counts_beyond_those_that_are_computed_once():
    """With slack = 1.2 (0.25 + 0.75 length / average), the values of tf = 15, 16 and 40 are 2.2 tf / (tf + slack) idf."""
    features = TextFeatures("words:1 bm25")
    features.fit_transform(["a b c d"] * 3 + ["a"])
    n, df, average = 4, {"a": 4, "b": 3, "c": 3}, 13 / 4
    slack = 1.2 * (0.25 + 0.75 * 71 / average)
    raw = {
        word: 2.2 * tf / (tf + slack) * np.float64(np.float32(np.log1p((n - df[word] + 0.5) / (df[word] + 0.5))))
        for word, tf in (("a", 15), ("b", 16), ("c", 40))
    }
    scale = np.float32(1 / np.sqrt(sum(value * value for value in raw.values())))
    rows = features.transform(["a " * 15 + "b " * 16 + "c " * 40])
    expected = {word: np.float32(value) * scale for word, value in raw.items()}
    found = {features.name(j): x for j, x in zip(rows.indices.tolist(), rows.values, strict=True)}
    assert {word: float(x) for word, x in found.items()} == pytest.approx(
        {w: float(x) for w, x in expected.items()}, rel=1e-6
    )


def test_threads_that_come_at_once_find_the_tables_filled(tmp_path):
    linnet.train(texts(300, 4), ["+", "-", "0"] * 101).save(tmp_path / "m.linnet")
    new = texts(200, 5)
    expected = linnet.load(tmp_path / "m.linnet").scores(new).tobytes()
    for _ in range(5):
        model, found, start = linnet.load(tmp_path / "m.linnet"), [], threading.Barrier(4)

        def ask(model=model, found=found, start=start):
            start.wait()
            found.append(model.scores(new).tobytes())

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == [expected] * 4
