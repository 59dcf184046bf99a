"""Fixed weights at work."""

import numpy as np
import pytest

from linnet.core.blocks import Block
from linnet.core.predictor import Predictor
from linnet.errors import DataError, ModelError, UsageError
from linnet.limits import BEST
from linnet.structures.chain import Chain
from linnet.structures.labels import Labels
from linnet.structures.labelset import Labelset
from linnet.structures.ranking import Ranking


@pytest.mark.parametrize("n_labels", [1, 2, 3, 4, 5, 8, 9, 17, 25, 33, 41, 49, 57, 64, 65, 150])
def test_scores_are_the_products_of_rows_and_weights(block_of, padded, n_labels):
    rng = np.random.default_rng(n_labels)
    W = rng.normal(size=(31, n_labels)).astype(np.float32)
    X = (rng.normal(size=(7, 30)) * (rng.random((7, 30)) < 0.6)).astype(np.float32)
    predictor = Predictor(Labels(n_labels), [padded(W)])
    expected = W[0].astype(float) + X.astype(float) @ W[1:]
    np.testing.assert_allclose(predictor.scores((block_of(X),))[0], expected, rtol=1e-4, atol=1e-5)
    y_hat, y_at = predictor.argmax((block_of(X),))
    assert y_hat.tolist() == np.argmax(expected, axis=1).tolist()
    assert y_at.tolist() == list(range(8))


def test_an_example_without_features_has_the_bias(block_of, padded):
    predictor = Predictor(Labels(2), [padded([[1, 2], [10, 20]])])
    assert predictor.scores((block_of([[0], [1], [0]]),))[0].tolist() == [[1, 2], [11, 22], [1, 2]]


def test_weights_of_another_width_are_refused():
    with pytest.raises(ValueError, match="^the weights of block 0 have rows of 2, not 4$"):
        Predictor(Labels(3), [np.zeros((2, 2), np.float32)])


def test_a_feature_without_a_weight_is_refused(block_of, padded):
    with pytest.raises(ValueError, match="^a feature has no weight$"):
        Predictor(Labels(2), [padded(np.zeros((2, 2)))]).scores((block_of([[0, 1]]),))


def test_as_many_blocks_as_the_structure_has(block_of, padded):
    with pytest.raises(ValueError, match="^labels has 1 blocks, not 2$"):
        Predictor(Labels(2), [padded(np.zeros((2, 2)))]).argmax((block_of([[1]]), block_of([[1]])))


def test_a_structure_without_k_best_says_so(block_of, padded):
    with pytest.raises(ValueError, match="^structure 'ranking' has no k best outputs$"):
        Predictor(Ranking(2), [padded(np.zeros((2, 2)))]).kbest((block_of([[1]]),), 2)


def test_forced_labels(block_of, padded):
    predictor = Predictor(Labels(3), [padded([[3, 2, 1]])])
    blocks = (block_of(np.zeros((4, 1))),)
    assert predictor.argmax(blocks, np.array([-1, 2, -2, -3], np.int32))[0].tolist() == [0, 2, 1, 0]
    p = predictor.marginals(blocks, np.array([-1, 2, -2, -3], np.int32))[0]
    assert p[1].tolist() == [0, 0, 1]
    assert p[2, 0] == 0
    assert p[2, 1] / p[2, 2] == pytest.approx(np.e, rel=1e-5)


@pytest.mark.parametrize("gen", [Labelset(3), Ranking(3)], ids=lambda gen: gen.name)
@pytest.mark.parametrize("forced", [[], [0], [5, 9, 9], [-3, 2**31 - 1]])
def test_outputs_without_parts_to_force_are_refused(block_of, padded, gen, forced):
    predictor = Predictor(gen, [padded(np.zeros((2, 3)))])
    with pytest.raises(ValueError, match=f"^no part of an output of structure '{gen.name}' can be forced$"):
        predictor.argmax((block_of([[1]]),), np.array(forced, np.int32))


@pytest.mark.parametrize("forced", [7, -9, 2**31 - 1, -(2**31)])
def test_labels_that_there_are_not_can_be_forced_without_harm(block_of, padded, forced):
    predictor = Predictor(Labels(3), [padded(np.zeros((2, 3)))])
    assert predictor.argmax((block_of([[1]]),), np.array([forced], np.int32))[0].tolist() in ([0], [1], [2])


@pytest.mark.parametrize("score", [np.nan, np.inf, 3e38, -3e38])
def test_scores_that_cannot_be_added_up_are_a_sentence(block_of, padded, score):
    predictor = Predictor(Labels(2), [padded([[0, 0], [0, score]])])
    assert predictor.argmax((block_of([[0], [0]]),))[0].tolist() == [0, 0]
    for ask in (predictor.argmax, predictor.scores, predictor.marginals, lambda blocks: predictor.kbest(blocks, 1)):
        with pytest.raises(ModelError, match="^the scores of example 1 are not finite"):
            ask((block_of([[0], [1]]),))


@pytest.mark.parametrize("score", [np.nan, -np.nan, np.inf, 1.0001e30, -1.0001e30, 3e38])
def test_such_a_score_is_found_among_many_wherever_it_is(block_of, padded, score):
    for at in range(41):
        row = np.full(41, 1e30)
        row[::3], row[1::3], row[at] = -np.inf, -1e30, score
        with pytest.raises(ModelError, match="^the scores of example 0 are not finite"):
            Predictor(Labels(41), [padded([np.zeros(41), row])]).argmax((block_of([[1]]),))


def test_minus_infinity_is_a_score(block_of, padded):
    predictor = Predictor(Labels(2), [padded([[-np.inf, 0], [0, 0]])])
    assert predictor.argmax((block_of([[1]]),))[0].tolist() == [1]


def test_each_example_is_scored_once_for_all_that_is_wanted(block_of, padded):
    rng = np.random.default_rng(0)
    predictor = Predictor(Labels(3), [padded(rng.normal(size=(5, 3)).astype(np.float32))])
    blocks = (block_of(rng.normal(size=(6, 4)).astype(np.float32)),)
    y_hat, y_at, theta, mu = predictor.each(blocks, scores=True, marginals=True)
    assert y_hat.tolist() == predictor.argmax(blocks)[0].tolist()
    assert y_at.tolist() == predictor.argmax(blocks)[1].tolist()
    assert theta[0].tobytes() == predictor.scores(blocks)[0].tobytes()
    assert mu[0].tobytes() == predictor.marginals(blocks)[0].tobytes()
    assert predictor.each(blocks, outputs=False) == (None, None, None, None)


def test_no_more_of_the_best_outputs_than_can_be_found(block_of, padded):
    predictor = Predictor(Labels(2), [padded(np.zeros((2, 2)))])
    ((rows, scores),) = predictor.kbest((block_of([[1]]),), BEST.most)
    assert (rows.shape, scores.tolist()) == ((2, 1), [0, 0])
    for asked in (0, BEST.most + 1):
        with pytest.raises(UsageError, match="expected 1 to 100,000 of the best outputs, found"):
            predictor.kbest((block_of([[1]]),), asked)


def test_best_outputs_that_need_too_much_memory_are_refused_before_they_are_looked_for(padded):
    empty = np.zeros(0, np.uint32), np.zeros(0, np.float32)
    blocks = tuple(Block(np.zeros(n + 1, np.int64), *empty, np.array([0, n], np.int64)) for n in (300_000, 1))
    predictor = Predictor(Chain(40), [padded(np.zeros((2, 40))), padded(np.zeros((2, 1600)))])
    with pytest.raises(
        DataError, match="the 1,000 best outputs of the longest example would take 48.0 GB, where 4.3 GB is"
    ):
        predictor.kbest(blocks, 1000)
