"""The best outputs without a part of the best one, against the search with forced parts, which scores the example anew."""

import numpy as np
import pytest

from linnet.core.blocks import Block
from linnet.core.predictor import Predictor
from linnet.structures.alignment import OneToMany
from linnet.structures.brackets import Brackets
from linnet.structures.chain import Chain
from linnet.structures.compression import Compression
from linnet.structures.itg import Itg
from linnet.structures.matching import Matching
from linnet.structures.monotone import Monotone
from linnet.structures.trigrams import TrigramChain

L, T = 4, 6


def places_of(gen):
    """The number of places of each block of one example."""
    if isinstance(gen, Chain):
        return [T, 1, 1][: len(gen.outcomes)]
    if isinstance(gen, Compression):
        return [T, len(gen.pairs(T)[0])]
    if isinstance(gen, Brackets):
        return [gen.spans(T).shape[1], gen.splits(T).shape[1]]
    return [5 * T, T]


def scored(gen, rng):
    """A predictor, and blocks in which each place has a feature of its own."""
    places = places_of(gen)
    weights = [
        np.vstack([np.zeros((1, k)), rng.normal(size=(n, k))]).astype(np.float32)
        for n, k in zip(places, gen.outcomes, strict=True)
    ]
    blocks = []
    for n in places:
        at = np.arange(n + 1, dtype=np.int64)
        blocks.append(Block(at, at[:-1].astype(np.uint32), np.ones(n, np.float32), np.array([0, n], np.int64)))
    return Predictor(gen, weights), tuple(blocks)


def sources(y):
    """The source of each target token; -1 for none."""
    table = y.reshape(5, T)
    return [int(np.flatnonzero(table[:, j])[0]) if table[:, j].any() else -1 for j in range(T)]


def by_force(predictor, blocks, y, i, value):
    """The best output without a decision, and its score, where decisions are the integers of an output."""
    forced = np.full(len(y), -1, np.int32)
    forced[i] = -2 - y[i]
    other = predictor.argmax(blocks, forced)[0]
    return other, total(predictor, blocks, other)


def total(predictor, blocks, y):
    predictor_of_y = Predictor(predictor.gen, predictor.scorer)
    *_, score, _, _ = predictor_of_y.one(blocks, 0, y)
    return score


@pytest.mark.parametrize("gen", [Chain(L), TrigramChain(L), Compression(3), Brackets(L)], ids=lambda gen: gen.name)
@pytest.mark.parametrize("seed", range(5))
def test_without_each_integer(gen, seed):
    predictor, blocks = scored(gen, np.random.default_rng(seed))
    y = predictor.argmax(blocks)[0]
    used = np.flatnonzero(y > 0) if isinstance(gen, Brackets) else np.arange(len(y))
    first = 1 if isinstance(gen, Brackets) else 0  # Labels of spans begin at 1 in an output.
    asked = [(int(i), int(y[i]) - first) for i in used]
    found = list(predictor.others(blocks, asked))
    assert [i for i, *_ in found] == used.tolist()
    for i, other, score in found:
        expected, value = by_force(predictor, blocks, y, i, y[i])
        assert other.tolist() == expected.tolist()
        assert other[i] != y[i]
        assert score == pytest.approx(value, abs=1e-4)


@pytest.mark.parametrize("gen", [OneToMany(), Matching(), Monotone(), Itg()], ids=lambda gen: gen.name)
@pytest.mark.parametrize("seed", range(5))
def test_without_the_link_of_each_target_token_or_without_its_lack(gen, seed):
    predictor, blocks = scored(gen, np.random.default_rng(seed))
    y = predictor.argmax(blocks)[0]
    theta = predictor.scores(blocks)

    def value(y):
        return float(theta[0][y == 1].sum() + theta[1][y.reshape(5, T).sum(axis=0) == 0].sum())

    for j, other, score in predictor.others(blocks, list(enumerate(sources(y)))):
        demands = [(sources(y)[j], -3)] if sources(y)[j] >= 0 else [(k, 1) for k in range(5)]
        rivals = []
        for k, flag in demands:
            forced = np.full(len(y), -1, np.int32)
            forced[k * T + j] = flag
            rivals.append(predictor.argmax(blocks, forced)[0].copy())
        best = max(rivals, key=value)
        assert other.tolist() == best.tolist()
        assert score == pytest.approx(value(best), abs=1e-4)
        assert sources(other)[j] != sources(y)[j]
    assert -1 in sources(y) or seed not in (0, 1)


def test_where_there_is_no_other_the_score_says_so():
    predictor, blocks = scored(Chain(1), np.random.default_rng(0))
    assert [score for *_, score in predictor.others(blocks, [(2, 0)])] == [-np.inf]
