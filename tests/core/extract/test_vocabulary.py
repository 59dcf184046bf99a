"""The exact vocabulary: ids that stay, names that can always be had, and files that cannot be trusted."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import linnet.core.extract.vocabulary
from linnet.core.extract.text import Analyser
from linnet.core.extract.vocabulary import Vocabulary
from linnet.core.schema import collecting
from linnet.errors import ModelError

STRING = 1 << 63


def string(offset, length, kind=0):
    return STRING | kind << 60 | length << 40 | offset


def gram(shorter, word):
    return shorter << 32 | word


def loaded(info, pool=b"abc", n_features=None):
    info = np.array(info, np.uint64)
    return Vocabulary.from_arrays(info, np.frombuffer(pool, np.uint8), len(info) if n_features is None else n_features)


def names(vocabulary):
    return [vocabulary.name(i) for i in range(len(vocabulary))]


def grown(*texts, **options):
    """The vocabulary of some texts."""
    analyser = Analyser(**options)
    analyser.rows(pa.array(texts, pa.large_string()), grow=True)
    return analyser.vocabulary


@given(st.lists(st.text(max_size=20), unique=True, max_size=60))
def test_ids_are_contiguous_and_names_are_kept(strings):
    vocabulary = Vocabulary()
    assert [vocabulary.add(s.encode()) for s in strings] == list(range(len(strings)))
    assert [vocabulary.find(s.encode()) for s in strings] == list(range(len(strings)))
    assert names(vocabulary) == strings


def test_a_string_that_was_there_keeps_its_id():
    vocabulary = Vocabulary()
    assert [vocabulary.add(s) for s in (b"a", b"b", b"a", b"seven77", b"eight888", b"eight888", b"b")] == [
        0, 1, 0, 2, 3, 3, 1,
    ]  # fmt: skip


def test_what_was_never_added_is_not_there():
    vocabulary = Vocabulary()
    vocabulary.add(b"a word")
    assert vocabulary.find(b"a wor") is None
    assert vocabulary.find(b"a word of more than seven bytes") is None


def test_growth_keeps_every_id():
    # 5,000 strings make the table of 1,024 places grow three times; half of them are longer than the 7 bytes of a key.
    strings = [f"{'long-word-' * (i % 2)}{i}".encode() for i in range(5000)]
    vocabulary = Vocabulary()
    for s in strings:
        vocabulary.add(s)
    assert [vocabulary.find(s) for s in strings] == list(range(5000))


@pytest.mark.parametrize("length", [0, 1, 6, 7, 8, 9, 15, 16, 17, 1000])
def test_strings_that_differ_in_one_byte_are_two(length):
    vocabulary = Vocabulary()
    variants = [b"x" * length] + [b"x" * i + b"y" + b"x" * (length - i - 1) for i in range(length)]
    ids = [vocabulary.add(s) for s in variants]
    assert ids == list(range(length + 1))
    assert vocabulary.name(length) == variants[length].decode()


def test_a_prefix_of_a_longer_string_is_another():
    vocabulary = Vocabulary()
    ids = [vocabulary.add(b"prefix" * n) for n in range(1, 40)]
    assert ids == list(range(39))


def test_null_bytes_are_bytes_like_any_other():
    vocabulary = Vocabulary()
    assert [vocabulary.add(s) for s in (b"", b"\0", b"\0\0", b"a\0", b"a")] == [0, 1, 2, 3, 4]


def test_the_same_letters_of_two_kinds_are_two():
    vocabulary = Vocabulary()
    ids = [vocabulary.add(s, kind) for s in (b"short", b"longer than a key") for kind in range(7)]
    assert ids == list(range(14))
    assert vocabulary.kinds().tolist() == [*range(7), *range(7)]


def test_a_gram_is_of_the_kind_of_its_first_string():
    vocabulary = grown("a b C", words=(1, 1), start=(1, 3), skip=(1, 1), shapes=(2, 2))
    assert names(vocabulary) == ["x", "X", "x x", "x X", "a", "b", "c", "a", "a b", "a b c", "a", "a c"]
    assert vocabulary.kinds().tolist() == [5] * 4 + [0] * 3 + [3] * 3 + [4] * 2
    small = vocabulary.kept(np.array([11, 9, 3], np.uint32))
    assert small.kinds()[:3].tolist() == [4, 3, 5]
    assert [small.name(i) for i in range(3)] == ["a c", "a b c", "x X"]


def test_a_gram_is_named_by_its_words():
    vocabulary = grown("a b c", words=(1, 3))
    assert names(vocabulary) == ["a", "b", "c", "a b", "b c", "a b c"]
    assert vocabulary.kinds().tolist() == [0] * 6


def test_two_grams_of_the_same_letters_are_two():
    # `x y` twice, once as words and once as the start of `x y z`; `xy` is a word.
    assert names(grown("x y", "xy", "x y z", words=(1, 2))) == ["x", "y", "x y", "xy", "z", "y z"]


def test_a_name_beyond_the_last_is_refused():
    with pytest.raises(IndexError, match="^3$"):
        grown("a b", words=(1, 2)).name(3)


def test_kept_nodes_come_first_in_the_order_asked_for():
    small = grown("a b c", words=(1, 3)).kept(np.array([5, 2], np.uint32))  # `a b c` and `c`
    assert (small.n_features, names(small)) == (2, ["a b c", "c", "a", "b", "a b"])


def test_kept_nodes_are_found_in_text():
    small = grown("a b c", words=(1, 3)).kept(np.array([5, 2], np.uint32))
    indptr, indices, values = Analyser(words=(1, 3), vocabulary=small).rows(
        pa.array(["a b c", "b a c c", "b"], pa.large_string())
    )
    assert (indptr.tolist(), indices.tolist(), values.tolist()) == ([0, 2, 3, 3], [1, 0, 1], [1, 1, 2])


@given(st.lists(st.text(max_size=30), max_size=8), st.integers(1, 4), st.randoms(use_true_random=False))
def test_kept_keeps_names(texts, order, random):
    vocabulary = grown(*texts, words=(1, order), chars=(2, 3))
    chosen = random.sample(range(len(vocabulary)), random.randint(0, len(vocabulary)))
    small = vocabulary.kept(np.array(chosen, np.uint32))
    assert [small.name(i) for i in range(small.n_features)] == [vocabulary.name(i) for i in chosen]
    assert small.kinds()[: len(chosen)].tolist() == [vocabulary.kinds()[i] for i in chosen]


@given(st.lists(st.text(max_size=30), max_size=8), st.integers(1, 4))
def test_arrays_and_back(texts, order):
    vocabulary = grown(*texts, words=(1, order), chars=(2, 3))
    arrays = vocabulary.arrays()
    again = Vocabulary.from_arrays(arrays["info"], arrays["pool"], vocabulary.n_features)
    assert (names(again), again.n_features) == (names(vocabulary), vocabulary.n_features)
    column = pa.array(texts, pa.large_string())
    options = {"words": (1, order), "chars": (2, 3)}
    rows, rows_again = (Analyser(vocabulary=v, **options).rows(column) for v in (vocabulary, again))
    assert [part.tolist() for part in rows_again] == [part.tolist() for part in rows]


def test_a_vocabulary_of_nothing():
    arrays = Vocabulary().arrays()
    assert (arrays["info"].tolist(), arrays["pool"].tolist()) == ([], [])
    assert len(Vocabulary.from_arrays(arrays["info"], arrays["pool"], 0)) == 0


def test_arrays_by_hand():
    vocabulary = loaded([string(0, 1), string(1, 2), gram(0, 1), gram(2, 0)])
    assert names(vocabulary) == ["a", "bc", "a bc", "a bc a"]
    assert vocabulary.find(b"bc") == 1


@pytest.mark.parametrize(
    ("info", "why"),
    [
        ([string(2, 2)], "entry 0 points outside the strings"),
        ([string(0, 1), string(1 << 39, 1)], "entry 1 points outside the strings"),
        ([string(0, 1), gram(0, 7)], "entry 1 is made of entries that do not exist"),
        ([string(0, 1), gram(7, 0)], "entry 1 is made of entries that do not exist"),
        ([string(0, 1), gram(0, 0), gram(0, 1)], "entry 2 is made of entries that do not exist"),
        ([string(0, 1), gram(1, 0)], "entry 1 is made of itself"),
        ([string(0, 1), gram(2, 0), gram(1, 0)], "entry 1 is made of itself"),
    ],
    ids=["string too long", "string far away", "no word", "no shorter", "a gram as a word", "itself", "a circle"],
)
def test_damaged_arrays_are_refused(info, why):
    with pytest.raises(ValueError, match=f"^{why}$"):
        loaded(info)


def test_more_features_than_entries_are_refused():
    with pytest.raises(ValueError, match="^more features than entries$"):
        loaded([string(0, 1)], n_features=2)


def test_a_string_of_a_kind_that_does_not_exist_is_refused():
    # Kinds number the parts of a row, so that another one points outside of the weights of the parts.
    with pytest.raises(ValueError, match="kind"):
        loaded([string(0, 1, 7)])


@given(st.lists(st.integers(0, 2**64 - 1), max_size=6), st.binary(max_size=8))
def test_any_arrays_are_a_vocabulary_or_refused(info, pool):
    try:
        vocabulary = loaded(info, pool)
    except ValueError:
        return
    assert len(names(vocabulary)) == len(info)


@pytest.fixture
def indexed(monkeypatch):
    """Make every vocabulary large enough for an index, and no text long enough for tables."""
    monkeypatch.setattr(linnet.core.extract.vocabulary, "INDEXED", 1)
    monkeypatch.setattr(linnet.core.extract.vocabulary, "WORTH", 1 << 40)


def in_place(vocabulary, index=None):
    arrays = vocabulary.arrays()
    index = vocabulary.index() if index is None else index
    return Vocabulary.from_arrays(arrays["info"], arrays["pool"], vocabulary.n_features, index)


def rows(analyser, *texts, **how):
    return [part.tolist() for part in analyser.rows(pa.array(texts, pa.large_string()), **how)]


def test_small_vocabularies_have_no_index():
    vocabulary = Vocabulary()
    vocabulary.add(b"a")
    assert vocabulary.index() is None


@pytest.mark.usefixtures("indexed")
def test_an_index_by_hand():
    # Two nodes: 2 + 0 + 1 slots, each 1 + the id in its two lowest bits, and the rest of the hash above them.
    vocabulary = Vocabulary()
    for string in (b"a", b"longer than a key"):
        vocabulary.add(string)
    index = vocabulary.index()
    assert index.dtype == np.uint32
    assert sorted(index & 3) == [0, 1, 2]


@pytest.mark.usefixtures("indexed")
def test_the_index_finds_what_tables_find():
    texts = [" ".join(f"{'w' * (i % 13)}{i * k % 97}" for i in range(200)) for k in range(20)]
    analyser = Analyser(words=(1, 3), chars=(2, 4), skip=(1, 2))
    rows(analyser, *texts, grow=True)
    found = in_place(analyser.vocabulary)
    again = Analyser(words=(1, 3), chars=(2, 4), skip=(1, 2), vocabulary=found)
    new = [*texts, "w1 w2 and what nobody has seen", ""]
    assert rows(again, *new) == rows(analyser, *new)
    assert found.in_place
    assert [found.name(i) for i in range(len(found))] == [analyser.vocabulary.name(i) for i in range(len(found))]
    assert np.array_equal(found.index(), analyser.vocabulary.index())


@pytest.mark.usefixtures("indexed")
def test_what_is_added_to_an_index_is_found():
    found = in_place(grown("a b a", words=(1, 2)))
    assert found.in_place
    n = len(found)
    assert [found.add(b"b"), found.add(b"new"), found.find(b"new"), found.in_place] == [1, n, n, False]


def test_tables_are_made_when_they_pay(indexed, monkeypatch):
    analyser = Analyser(words=(1, 2), vocabulary=grown("a b a", words=(1, 2)))
    again = Analyser(words=(1, 2), vocabulary=in_place(analyser.vocabulary))
    monkeypatch.setattr(linnet.core.extract.vocabulary, "WORTH", 2)
    before = rows(again, "a b")  # 3 bytes, 4 nodes
    assert again.vocabulary.in_place
    assert [rows(again, "a b a"), rows(again, "a b")] == [rows(analyser, "a b a"), before]  # 5 bytes more make 8
    assert not again.vocabulary.in_place


def test_threads_go_on_while_one_of_them_makes_tables(indexed, monkeypatch):
    texts = [" ".join(f"{'w' * (i % 13)}{i * k % 97}" for i in range(300)) for k in range(1, 40)]
    analyser = Analyser(words=(1, 3), chars=(2, 3))
    rows(analyser, *texts, grow=True)
    expected = rows(analyser, *texts)
    monkeypatch.setattr(linnet.core.extract.vocabulary, "WORTH", 3)
    again = Analyser(words=(1, 3), chars=(2, 3), vocabulary=in_place(analyser.vocabulary))
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: rows(again, *texts), range(12)))
    assert not again.vocabulary.in_place
    assert all(one == expected for one in found)


@pytest.mark.usefixtures("indexed")
@given(st.lists(st.integers(0, 2**32 - 1), min_size=5, max_size=40))
def test_whatever_an_index_holds_no_other_string_is_found(slots):
    vocabulary = grown("a b a longer-words", words=(1, 2))
    found = in_place(vocabulary, np.array(slots + [0] * len(vocabulary), np.uint32))
    for i in range(len(vocabulary)):
        name = vocabulary.name(i).encode()
        assert found.find(name) in (None, vocabulary.find(name))
    full = in_place(vocabulary, np.full(2 * len(vocabulary), slots[0] | 1, np.uint32))
    assert full.find(b"nowhere") is None


@pytest.mark.usefixtures("indexed")
@pytest.mark.parametrize("size", [0, 1])
def test_an_index_without_an_empty_slot_is_refused(size):
    with pytest.raises(ValueError, match="^the index of the vocabulary is not as long as it should be$"):
        in_place(grown("a"), np.zeros(size, np.uint32))


@pytest.mark.usefixtures("indexed")
def test_nodes_in_place_are_checked_when_they_are_used():
    info = np.array([string(0, 1), string(2, 20), gram(0, 9), gram(0, 1)], np.uint64)
    with collecting() as checks:
        vocabulary = Vocabulary.from_arrays(info, np.frombuffer(b"abc", np.uint8), 4, np.zeros(8, np.uint32))
    assert vocabulary.name(0) == "a"
    for node in (1, 2, 3):
        with pytest.raises(ModelError, match="^the model file is damaged"):
            vocabulary.name(node)
    for use in (
        vocabulary.kinds,
        *checks,
        lambda: vocabulary.add(b"x"),
        lambda: vocabulary.kept(np.zeros(1, np.uint32)),
    ):
        with pytest.raises(ModelError, match=r"^the model file is damaged \(entry 1 points outside the strings\)"):
            use()


@pytest.mark.parametrize("n_words", [3, 40, 700])
def test_every_gram_is_found_again_and_no_other_while_the_table_grows(n_words):
    rng = np.random.default_rng(n_words)
    vocabulary, ids = Vocabulary(), {}
    words = [vocabulary.add(f"w{i}".encode()) for i in range(n_words)]
    pairs = list(words)
    for _ in range(12_000):
        pair = pairs[rng.integers(len(pairs))], words[rng.integers(n_words)]
        before = len(vocabulary)
        if pair not in ids and pair[0] < n_words:
            pairs.append(before)
        id = vocabulary.add_pair(*pair)
        assert id == ids.setdefault(pair, before)
    again = Vocabulary.from_arrays(*vocabulary.arrays().values(), vocabulary.n_features)
    assert all(again.add_pair(*pair) == id for pair, id in ids.items())
    assert len(again) == len(vocabulary)
