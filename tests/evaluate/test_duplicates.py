"""Texts that are in both parts."""

import numpy as np

from linnet.evaluate.duplicates import across


def test_case_and_spaces_do_not_matter():
    found = across(["A fine film.", "dull", "a fine film."], ["dull ", "  A FINE\tfilm. ", "a fine film"])
    assert found.exact == [(1, 0), (0, 1)]
    assert found.near == []
    assert found.as_dict() == {"exact": 2, "near": 0}


def test_a_few_other_words_are_near():
    rng = np.random.default_rng(0)
    words = np.array([f"w{i}" for i in range(500)])
    first = [" ".join(rng.choice(words, 200)) for _ in range(30)]
    second = [" ".join(rng.choice(words, 200)) for _ in range(30)]
    changed = first[7].split()
    changed[50] = "other"  # five of 196 runs of five words: 191 / 201 = 0.95
    second[3] = " ".join(changed)
    half = first[9].split()[:100] + second[4].split()[:100]
    second[5] = " ".join(half)  # about a third of the runs: not near
    assert across(first, second).near == [(7, 3)]


def test_texts_without_five_words():
    assert across(["a b c", ""], ["a b d", "x"]).near == []
