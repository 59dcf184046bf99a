"""A bounded number of features: most=N."""

import random
from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import linnet
from linnet.core.room import Room
from linnet.errors import UsageError
from linnet.features import text
from linnet.features.text import TextFeatures
from linnet.features.tokens import TokenFeatures


def texts(n: int = 600, seed: int = 0) -> list[str]:
    """Texts with some frequent words, and with others that come and go."""
    r = random.Random(seed)
    return [" ".join([f"w{int(r.expovariate(0.05))}" for _ in range(8)] + [f"r{i // 7}", f"n{i}"]) for i in range(n)]


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let features leave after any few texts."""
    monkeypatch.setattr(text, "_STRETCH", 16)


def df_of(data: list[str]) -> Counter[str]:
    return Counter(word for one in data for word in set(one.split()))


def test_all_that_fits_is_counted_exactly() -> None:
    data = texts(100)
    bounded, exact = TextFeatures("words:1 most=60"), TextFeatures("words:1 top=60")
    rows, wanted = bounded.fit_transform(data), exact.fit_transform(data)
    assert bounded.names() == exact.names()
    assert rows.indices.tolist() == wanted.indices.tolist()
    assert rows.values.tolist() == wanted.values.tolist()
    assert bounded.missed == 0
    assert bounded.notes == []


@pytest.mark.usefixtures("often")
def test_the_features_in_memory_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = []
    count = TextFeatures._count

    def watched(self: TextFeatures, rows: object) -> None:
        count(self, rows)  # type: ignore[arg-type]
        sizes.append(self._n_of_text)

    monkeypatch.setattr(TextFeatures, "_count", watched)
    data = texts(3000)
    features = TextFeatures("words:1 most=40")
    features.fit_transform(data)
    assert features.n_features == 40
    assert len(df_of(data)) > 3000
    assert max(sizes) <= 4 * 40 + 16 * 10  # and what a stretch of 16 texts of 10 words has brought


@pytest.mark.usefixtures("often")
def test_what_was_missed_is_known() -> None:
    data = texts(3000)
    features = TextFeatures("words:1 most=40")
    features.fit_transform(data)
    df = df_of(data)
    chosen = set(features.names())
    assert features.missed > 0
    assert [int(n) for n in features._df] == [df[name] for name in features.names()], "all counts are exact"
    surely = {word for word, n in df.most_common(40) if n > features.missed}
    assert surely
    assert surely <= chosen
    assert features.notes == [
        f"most=40: features of up to {features.missed:,} texts may have been missed, as they came and went. A larger number "
        "misses fewer."
    ] or features.missed < min(df[name] for name in chosen)


@pytest.mark.usefixtures("often")
@pytest.mark.parametrize(
    "spec",
    [
        "words:1-3 most=50",
        "words:2-2 most=50 min=2",
        "words:1 chars:2-3 tfidf most=80",
        "words:1 sentiment unknown most=60",
        "words:1-2 skip:1-2 start:1-2 bm25 most=70",
    ],
)
def test_features_are_the_same_from_files(spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = texts(800)
    one = TextFeatures(spec)
    rows = one.fit_transform(data)
    assert one.missed > 0
    assert one.n_features <= 80 + 7
    for size in (100, 3000):
        monkeypatch.setattr(text, "_SOME", size)
        other = TextFeatures(spec)
        parts = list(other.fit_file(data, Room(tmp_path, 0)))
        assert other.names() == one.names()
        assert other.missed == one.missed
        assert np.concatenate([part.indices for part in parts]).tolist() == rows.indices.tolist()
        assert np.concatenate([part.values for part in parts]).tolist() == rows.values.tolist()


def test_frequencies_beyond_16_bits_are_compared() -> None:
    data = ["a"] * 2 + ["a b"] * 70_000 + ["c b"] * 3
    features = TextFeatures("words:1 top=1")
    features.fit_transform(data)
    assert features.names() == ["b"]  # in 70,003 texts; a was seen first, in 70,002


def test_top_and_most_exclude_each_other() -> None:
    with pytest.raises(UsageError, match=r"top= and most= both say how many features there are"):
        TextFeatures("words:1 top=3 most=4")
    with pytest.raises(UsageError, match=r"expected a positive whole number"):
        TextFeatures("words:1 most=0.5")


def test_tokens_have_the_most_frequent_features() -> None:
    words = "the dog and the cat and the end".split()
    column = {"w": pa.array(words, pa.large_string())}
    features = TokenFeatures("w w[-1]|w most=3", ("w",))
    rows = features.fit_transform(column, np.array([0, 5, 8]))
    # the: 3 times; and: twice; and|the: twice, at the tokens 3 and 6
    assert features.names() == ["w=the", "w=and", "w[-1]|w=and|the"]
    assert np.diff(rows.indptr).tolist() == [1, 0, 1, 2, 0, 1, 2, 0]
    assert TokenFeatures("w most=2", ("w",)).most == 2
    with pytest.raises(UsageError, match=r"expected most=N with N of 1 or more, found 'most=x'"):
        TokenFeatures("w most=x", ("w",))


@pytest.mark.parametrize("spec", ["words:1 top=1", "words:1 most=1", "words:1-2 top=3", "chars:1-2 top=4"])
def test_equals_are_told_apart_by_their_names(spec: str) -> None:
    """In whatever order the texts come."""
    data = ["hello there", "world there", "abba there"]
    found = set()
    for order in ([0, 1, 2], [2, 1, 0], [1, 0, 2]):
        features = TextFeatures(spec)
        features.fit_transform([data[i] for i in order])
        found.add(frozenset(features.names()))
    assert len(found) == 1
    one = TextFeatures("words:1 top=1")
    one.fit_transform(["world", "hello"])
    assert one.names() == ["hello"]


def test_equals_among_tokens_are_told_apart_by_their_names() -> None:
    sentences = [["hello"], ["world"]]
    found = []
    for some in (sentences, sentences[::-1]):
        model = linnet.train((some * 2, [["A"], ["B"]] * 2), task="tag", features="w most=1", epochs=1)
        found.append([model.features.name(j) for j in range(model.features.n_features)])
    assert found[0] == found[1]
    assert len(found[0]) == 1
