"""Costs of wrong tags."""

import numpy as np
import pytest

from linnet.core.blocks import Block
from linnet.core.loops.online import Online
from linnet.errors import UsageError
from linnet.losses.hinge import Hinge
from linnet.steps.sgd import SGD
from linnet.structures.chain import Chain
from linnet.structures.costs import costs

LABELS = ("O", "B-X", "E-X", "S-Y")


def test_every_wrong_tag_costs_the_same():
    assert costs(LABELS).tolist() == (1 - np.eye(4)).tolist()


def test_a_lost_span_costs_more_than_a_spurious_one():
    table = costs(LABELS, "spans")
    assert table[0].tolist() == [0, 1, 1, 1]
    assert table[:, 0].tolist() == [0, 2, 2, 2]
    assert table[1, 3] == 2


def test_tags_have_weights():
    assert costs(("DT", "NN"), weights={"NN": 5}).tolist() == [[0, 1], [5, 0]]


@pytest.mark.parametrize(
    ("kind", "weights", "message"),
    [
        ("span", None, "^expected the costs of tags to be balanced, hamming, spans or tag=weight, found 'span'.$"),
        ("hamming", {"B-Z": 1}, "^weight for 'B-Z', but the labels are O, B-X, E-X, S-Y.$"),
        ("hamming", {"O": -1}, "^expected weights of 0 or more.$"),
        ("hamming", {"O": np.inf}, "^expected weights of 0 or more.$"),
    ],
)
def test_what_is_no_cost(kind, weights, message):
    with pytest.raises(UsageError, match=message):
        costs(LABELS, kind, weights)


@pytest.mark.parametrize("cost", [[[0, -1], [1, 0]], [[1, 1], [1, 0]], [[0, np.nan], [1, 0]]])
def test_a_chain_wants_costs_of_mistakes(cost):
    with pytest.raises(ValueError, match="^expected costs of 0 or more, and 0 for the right tag$"):
        Chain(2, cost=cost)


def test_the_margin_is_as_wide_as_the_cost():
    """At w = 0 the hinge is the largest cost there is: 5 for NN as DT, 1 for DT as NN."""
    gen = Chain(2, cost=costs(("DT", "NN"), weights={"NN": 5}))
    online = Online(gen, Hinge(), SGD(eta=0), (0, 0))
    tokens = Block(np.zeros(4, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32), np.array([0, 3], np.int64))
    shared = Block(np.zeros(2, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32))
    online.run((tokens, shared), np.array([0, 1, 0], np.int32), np.array([0, 3]), np.zeros(1, np.int64))
    assert online.total == 7
