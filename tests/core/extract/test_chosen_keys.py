"""Words and n-grams that somebody has chosen for the constants of a hash: they are found as quickly as others.

The bounds are many times what is needed, and a small part of what was needed where strangers knew the hash.
"""

import random
import subprocess
import sys
import time

import numpy as np
import pyarrow as pa
import pytest

from linnet.core.extract.different import different
from linnet.core.extract.vocabulary import Vocabulary

FULL = (1 << 64) - 1
GOLDEN, OTHER = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93
STRING = 1 << 63


def mixed(key):
    """The hash of lookup.h, which is no secret."""
    key ^= key >> 32
    key = key * GOLDEN & FULL
    return key ^ key >> 29


def unmixed(key):
    for _ in range(3):
        found = key
        for _ in range(3):
            found = key ^ found >> 29
    key = found * pow(GOLDEN, -1, 1 << 64) & FULL
    return key ^ key >> 32


def namesakes(n):
    """Strings of 24 bytes that have one key: what the second eight add undoes what the first eight did."""
    rng, found = random.Random(3), []
    start, meet = 24 * 0xA0761D6478BD642F & FULL, rng.getrandbits(64)
    for _ in range(n):
        first = rng.getrandbits(64)
        second = unmixed(meet) ^ mixed(start ^ first)
        found.append(first.to_bytes(8, "little") + second.to_bytes(8, "little") + b"letters.")
    return found


def seconds(work):
    before = time.process_time()
    return work(), time.process_time() - before


def test_hashes_are_undone():
    assert [unmixed(mixed(key)) for key in (0, 1, 2**63, 123456789)] == [0, 1, 2**63, 123456789]


def test_long_strings_with_one_key():
    strings, words = namesakes(40_000), Vocabulary()
    ids, taken = seconds(lambda: [words.add(string) for string in strings])
    assert ids == list(range(40_000))
    assert taken < 1  # and 2 to 4 where all of them were compared with each other
    assert [words.find(string) for string in strings[:100]] == ids[:100]
    assert [words.find(string) for string in strings[-100:]] == ids[-100:]
    assert words.find(strings[0][:-1] + b"?") is None
    assert words.find(strings[20_000], kind=1) is None
    again = Vocabulary.from_arrays(*words.arrays().values(), 40_000)
    assert [again.find(string) for string in strings[::400]] == ids[::400]


def test_namesakes_of_two_kinds_are_two_strings():
    strings, words = namesakes(20), Vocabulary()
    ids = [words.add(string, kind=kind) for string in strings for kind in (0, 1)]
    assert ids == list(range(40))
    assert [words.find(string, kind=kind) for string in strings for kind in (0, 1)] == ids


def test_namesakes_are_found_again_when_tables_were_freed():
    strings, words = namesakes(40), Vocabulary()
    ids = [words.add(string) for string in strings]
    words.drop_index()
    assert [words.find(string) for string in strings] == ids
    assert words.add(b"another string") == 40


def test_an_index_of_strings_with_one_key_is_given_up(monkeypatch):
    monkeypatch.setattr("linnet.core.extract.vocabulary.INDEXED", 1)
    words = Vocabulary()
    for string in namesakes(5000):
        words.add(string)
    assert words.index() is None


def chosen_pairs(bits, low, n, most):
    """Pairs of numbers below n whose hash by the constants that were used once ends in so many zeros."""
    found = []
    for top in range(1 << 2 * bits - low):
        x, every = top << low, 1 << 2 * bits
        for times in (OTHER, GOLDEN):
            x = (x ^ x >> bits) * pow(times, -1, every) % every
        if x >> bits < n and x % (1 << bits) < n:
            found.append((x >> bits, x % (1 << bits)))
        if len(found) == most:
            break
    return found


CHOSEN_GRAMS = f"""
import resource, sys
sys.path.insert(0, {str(__file__.rpartition("/")[0])!r})
from test_chosen_keys import chosen_pairs
from linnet.core.extract.vocabulary import Vocabulary
words = Vocabulary()
for k in range(66_000):
    words.add(b"w%d" % k)
pairs = [*dict.fromkeys(chosen_pairs(17, 18, 66_000, 40) + chosen_pairs(18, 26, 66_000, 200))]
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
ids = [words.add_pair(*pair) for pair in pairs]
more = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
print(len(pairs), ids == [*range(66_000, 66_000 + len(pairs))], more < 30_000)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the memory of a process is measured as Linux does")
def test_grams_of_one_line_do_not_let_the_table_grow():
    done = subprocess.run([sys.executable, "-c", CHOSEN_GRAMS], capture_output=True, text=True)
    n, as_added, small = done.stdout.split()
    assert int(n) > 80, done.stderr
    assert (as_added, small) == ("True", "True")


def loaded(info, pool):
    return Vocabulary.from_arrays(np.array(info, np.uint64), np.frombuffer(pool, np.uint8), len(info))


def test_entries_that_a_forged_model_has_many_times():
    n, name = 20_000, b"a string"
    strings = [STRING | len(name) << 40 | len(name) * k for k in range(n)]
    words = loaded([*strings, *[0 << 32 | 1] * n], name * n)
    found, taken = seconds(lambda: (words.find(name), words.find(b"another string")))
    assert found == (0, None)
    assert taken < 1
    assert words.add_pair(0, 1) == n


def test_strings_that_share_letters_are_refused():
    with pytest.raises(ValueError, match="entry 2 shares its letters with other strings"):
        loaded([STRING | 3 << 40, STRING | 2 << 40, STRING | 1 << 40], b"abcde")
    assert len(loaded([STRING | 3 << 40, STRING | 2 << 40 | 3], b"abcde")) == 2


def chosen_for_arrow(n):
    """Strings of 16 bytes that have one hash in the tables of Arrow: those of both halves are put together by XOR."""

    def hashed(number, times):
        return int.from_bytes((number * times & FULL).to_bytes(8, "little"), "big")

    head, tail, rng, found = 14029467366897019727, 11400714785074694791, random.Random(1), []
    for _ in range(n):
        first = rng.getrandbits(64)
        second = hashed(0x1234567 ^ hashed(first, head), 1) * pow(tail, -1, 1 << 64) & FULL
        found.append(first.to_bytes(8, "little") + second.to_bytes(8, "little"))
    return found


def test_different_strings_chosen_for_arrow():
    column = pa.array(chosen_for_arrow(30_000), pa.large_binary())
    buffers = column.buffers()
    column = pa.Array.from_buffers(pa.large_string(), len(column), buffers)
    (found, places), taken = seconds(lambda: different(column))
    assert len(found) == 30_000
    assert places.tolist() == list(range(30_000))
    assert taken < 0.5  # and 1.0 by Arrow


@pytest.mark.parametrize(
    "strings", [[], [""], ["b", "a", "b", "", "a", ""], ["x" * 9, "x" * 17, "x" * 16 + "y", "x" * 9]]
)
def test_different_strings_are_those_of_arrow(strings):
    column = pa.array(["before", *strings, "after"], pa.large_string()).slice(1, len(strings))
    found, places = different(column)
    expected = column.dictionary_encode()
    assert found.to_pylist() == expected.dictionary.to_pylist()
    assert places.tolist() == expected.indices.to_pylist()


def test_different_strings_of_a_column_with_nulls_are_refused():
    with pytest.raises(ValueError, match="nulls"):
        different(pa.array(["a", None], pa.large_string()))


def test_names_of_grams_that_share_a_long_word_are_cut():
    length = 500_000
    words = loaded([STRING | length << 40, 0, 1 << 32], b"x" * length)
    assert words.name(2) == " ".join(["x" * (1 << 14)] * 3)
