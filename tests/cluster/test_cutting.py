"""Shards have the examples k, k + n, ..., and number the features that they have."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

from linnet.cluster.cutting import shards_of
from linnet.core.blocks import Block
from linnet.core.extract.anchored import ARCS, A, Anchored, B
from linnet.core.extract.places import Places, n_places
from linnet.core.loops.scaled import scaled_block
from linnet.core.room import Room
from linnet.features import SparseRows
from linnet.features.rows_file import RowsFile
from linnet.learners import Examples
from linnet.structures.chain import Chain
from linnet.structures.trigrams import TrigramChain


def sentences():
    """Three sentences of 2, 1 and 3 tokens: block 0 has a row for each token, block 1 a row without features for each
    sentence."""
    tokens = Block(
        np.array([0, 1, 3, 4, 5, 5, 7]),
        np.array([4, 1, 9, 2, 4, 9, 1], np.uint32),
        np.arange(1, 8, dtype=np.float32),
        np.array([0, 2, 3, 6]),
    )
    pairs = Block(np.zeros(4, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32))
    weight = np.array([1, 2, 3], np.float32)
    return Examples((tokens, pairs), np.array([0, 1, 1, 0, 1, 0], np.int32), np.array([0, 2, 3, 6]), weight)


def test_every_nth_example_is_in_a_shard():
    whole = sentences()
    first, second = shards_of(whole, 2)
    assert [first.examples.y.tolist(), first.examples.y_at.tolist()] == [[0, 1, 0, 1, 0], [0, 2, 5]]
    assert [second.examples.y.tolist(), second.examples.y_at.tolist()] == [[1], [0, 1]]
    assert [first.examples.weight.tolist(), second.examples.weight.tolist()] == [[1, 3], [2]]
    for shard, numbers in ((first, [0, 2]), (second, [1])):
        for mine, i in enumerate(numbers):
            for g, rows in enumerate(shard.rows):
                found = [([int(rows[j + 1]) - 1 for j in js], x) for js, x in shard.examples.blocks[g].rows_of(mine)]
                assert found == whole.blocks[g].rows_of(i)


def test_a_shard_numbers_the_features_that_it_has():
    first, second = shards_of(sentences(), 2)
    assert [rows.tolist() for rows in first.rows] == [[0, 2, 5, 10], [0]]
    assert [rows.tolist() for rows in second.rows] == [[0, 3], [0]]
    assert second.examples.blocks[0].rows_of(0) == [([0], [4.0])]


def test_there_are_no_more_shards_than_examples():
    assert [len(shard.examples) for shard in shards_of(sentences(), 16)] == [1, 1, 1]


def arcs():
    """The arcs of sentences of 2, 1 and 3 words, whose rows are made on demand. Every second arc of the last is not allowed."""
    codes, starts = np.array([[0, 1, 2, 0, 3, 4]], np.int32), np.array([0, 2, 3, 6])
    of = Anchored([((A, 0, 0), (B, 0, 0))], (5,), ARCS).learn(codes, starts, np.array([0, 1, 0, 2, 0, 2], np.int32))
    n = n_places(ARCS, np.diff(starts))
    out = np.zeros(n.sum(), np.uint8)
    out[n[:2].sum() :: 2] = 1
    return Examples((Places(of, codes, starts, out),), np.zeros(6, np.int32), starts)


@pytest.mark.parametrize("copied", [False, True])
def test_rows_that_are_made_on_demand_are_cut_and_numbered(copied):
    whole = arcs()
    shards = shards_of(whole, 2)
    for shard, numbers in zip(pickle.loads(pickle.dumps(shards)) if copied else shards, ([0, 2], [1]), strict=True):
        used = set()
        for mine, i in enumerate(numbers):
            rows = shard.examples.blocks[0].rows_of(mine)
            used |= {j for js, _ in rows for j in js}
            assert [([int(shard.rows[0][j + 1]) - 1 for j in js], x) for js, x in rows] == whole.blocks[0].rows_of(i)
        assert used == set(range(len(shard.rows[0]) - 1))
    assert len(shards[1].rows[0]) < len(shards[0].rows[0])


@pytest.mark.parametrize("copied", [False, True])
@pytest.mark.parametrize("scaled", [False, True])
def test_rows_in_files_are_cut_as_those_in_memory(tmp_path, copied, scaled):
    whole = sentences()
    indptr, indices, values, places = map(np.asarray, whole.blocks[0].arrays())
    rows = SparseRows(indptr, indices, values)
    block = RowsFile(Room(tmp_path, 0), len(rows), [rows], places).block()
    if scaled:
        factors = np.arange(10, dtype=np.float32)
        block, whole = scaled_block(block, factors), replace(whole, blocks=(scaled_block(whole.blocks[0], factors),))
    filed, shards = (shards_of(replace(whole, blocks=(one,)), 2) for one in (block, whole.blocks[0]))
    for shard, mine in zip(pickle.loads(pickle.dumps(filed)) if copied else filed, shards, strict=True):
        assert shard.rows[0].tolist() == mine.rows[0].tolist()
        of_shard = range(len(mine.examples))
        assert [shard.examples.blocks[0].rows_of(i) for i in of_shard] == [
            mine.examples.blocks[0].rows_of(i) for i in of_shard
        ]
        assert shard.examples.blocks[0].starts().tolist() == mine.examples.blocks[0].starts().tolist()


def test_examples_pickle():
    whole = sentences()
    again = pickle.loads(pickle.dumps(whole))
    assert [again.blocks[0].rows_of(i) for i in range(3)] == [whole.blocks[0].rows_of(i) for i in range(3)]
    assert again.blocks[1].arrays()[3] is None


@pytest.mark.parametrize("kind", [Chain, TrigramChain])
def test_chains_pickle(kind):
    legal = np.array([[1, 0], [1, 1]], bool)
    chain = kind(2, observed=True, legal=legal, starts=[True, False], cost=np.array([[0, 2], [3, 0]]))
    again = pickle.loads(pickle.dumps(chain))
    assert type(again) is kind
    assert again.outcomes == chain.outcomes
    assert again.observed
    for y in ([0, 0], [0, 1], [1, 0], [1, 1]):
        assert again.allows(np.array(y, np.int32)) == chain.allows(np.array(y, np.int32))
    for y, y_hat in ((0, 1), (1, 0)):
        one = [np.array([tag], np.int32) for tag in (y, y_hat)]
        at = np.array([0, 1])
        assert again.accuracy(one[0], at, one[1], at) == chain.accuracy(one[0], at, one[1], at)
