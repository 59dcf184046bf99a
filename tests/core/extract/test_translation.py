"""Expectations of EM against the enumeration of all alignments."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet.core.extract.likeness import Words, ratios
from linnet.core.extract.translation import Direction

STEPS, REACH = 20, 12


class Pair:
    """n and m words, each its own; t and c are random."""

    def __init__(self, model, n, m, back, seed):
        rng = np.random.default_rng(seed)
        self.model, self.back = model, back
        self.n, self.m = n, m
        self.O, self.I = (n, m) if back else (m, n)
        self.t = rng.random(n * m)
        self.t[rng.random(n * m) < 0.2] = 0
        self.none = rng.random(self.O)
        self.c = rng.random({"model1": 1, "model2": 2 * STEPS + 1, "hmm": 2 * REACH + 1}[model]) + 0.05
        self.p0 = float(rng.uniform(0.05, 0.5))

    def expect(self):
        direction = Direction(self.model, self.back, self.t, self.none, self.c, self.p0)
        cell, words = np.arange(self.n * self.m, dtype=np.int32), np.arange(self.O, dtype=np.int32)
        p, none = direction.expect(cell, np.array([0, self.n]), np.array([0, self.m]), words)
        return p.reshape(self.n, self.m), none, direction.counts

    def chance(self, a):
        """p(a, f | e) for a tuple with the word that each comes from, -1 for none."""
        total, q = 1.0, 0
        for o, s in enumerate(a):
            if s < 0:
                total *= (1 / (self.I + 1) if self.model == "model1" else self.p0) * max(self.none[o], 1e-9)
                continue
            place = o * self.m + s if self.back else s * self.m + o
            total *= self.prior(s, o, q) * max(self.t[place], 1e-9)
            q = s + 1
        return total

    def prior(self, s, o, q):
        if self.model == "model1":
            return 1 / (self.I + 1)
        of = [self.c[self.number(k, o, q)] for k in range(self.I)]
        return (1 - self.p0) * of[s] / sum(of)

    def number(self, s, o, q):
        if self.model == "model2":
            # as C rounds: halves away from 0
            x = STEPS * ((s + 0.5) / self.I - (o + 0.5) / self.O)
            return STEPS + int(np.sign(x) * np.floor(abs(x) + 0.5))
        return REACH + max(-REACH, min(REACH, s + 1 - q))


@pytest.mark.parametrize("model", ["model1", "model2", "hmm"])
@given(st.integers(1, 4), st.integers(1, 4), st.booleans(), st.integers(0, 2**32 - 1))
def test_posteriors_are_those_of_the_enumeration(model, n, m, back, seed):
    pair = Pair(model, n, m, back, seed)
    p, none, counts = np.zeros((n, m)), np.zeros(pair.O), np.zeros(len(pair.c))
    total = 0.0
    for a in itertools.product(range(-1, pair.I), repeat=pair.O):
        chance, q = pair.chance(a), 0
        total += chance
        for o, s in enumerate(a):
            if s < 0:
                none[o] += chance
                continue
            p[(o, s) if back else (s, o)] += chance
            if model != "model1":
                counts[pair.number(s, o, q)] += chance
            q = s + 1
    found = pair.expect()
    np.testing.assert_allclose(found[0], p / total, atol=2e-5)
    np.testing.assert_allclose(found[1], none / total, atol=2e-5)
    np.testing.assert_allclose(found[2], counts / total, atol=1e-4)


def test_words_that_are_not_known_come_from_anywhere_alike():
    direction = Direction("model1", False, np.array([0.5]), np.array([1e-9]))
    p, none = direction.expect(np.full(2, -1, np.int32), np.array([0, 2]), np.array([0, 1]), np.full(1, -1, np.int32))
    np.testing.assert_allclose([*p, *none], np.full(3, 1 / 3), rtol=1e-6)


def test_pairs_with_an_empty_sentence_have_no_places():
    direction = Direction("hmm", False, np.array([1.0]), np.array([0.5]))
    cell, words = np.zeros(1, np.int32), np.zeros(2, np.int32)
    p, none = direction.expect(cell, np.array([0, 0, 1]), np.array([0, 1, 2]), words)
    # The second word comes from the one word or from none: 0.9 x 1 to 0.1 x 0.5.
    np.testing.assert_allclose(p, [0.9 / 0.95], rtol=1e-5)
    np.testing.assert_allclose(none, [0, 0.05 / 0.95], rtol=1e-5)


def common(a, b):
    """The longest common subsequence, by trying all of the shorter word's."""
    short, long = sorted((a, b), key=len)
    for k in range(len(short), 0, -1):
        for some in itertools.combinations(short, k):
            rest = iter(long)
            if all(letter in rest for letter in some):
                return k
    return 0


@given(st.lists(st.tuples(st.text("abcé𝄞", max_size=6), st.text("abcé𝄞", max_size=6)), min_size=1, max_size=5))
def test_words_are_as_alike_as_their_longest_common_subsequence(pairs):
    source, target = zip(*pairs, strict=True)
    at = np.arange(len(pairs), dtype=np.int32)
    wanted = [common(a, b) / max(len(a), len(b)) if a or b else 1 for a, b in pairs]
    np.testing.assert_allclose(ratios(Words(source), Words(target), at, at), wanted, rtol=1e-6)


@pytest.mark.parametrize("back", [False, True])
def test_where_one_side_is_very_long_an_hmm_explains_each_word_by_itself(back):
    long, short = 20_000, 2  # a table of all moves would take 9.6 GB
    pair = Pair("hmm", short if back else long, long if back else short, back, seed=3)
    p, none, counts = pair.expect()
    t = np.maximum(pair.t.reshape(pair.n, pair.m), 1e-9)
    t = t if back else t.T  # one row for each of the two words that are explained
    joint = (1 - pair.p0) / long * t
    from_none = pair.p0 * np.maximum(pair.none, 1e-9)
    total = joint.sum(axis=1) + from_none
    np.testing.assert_allclose(p if back else p.T, joint / total[:, None], rtol=1e-5)
    np.testing.assert_allclose(none, from_none / total, rtol=1e-5)
    assert counts.tolist() == [0] * (2 * REACH + 1)
