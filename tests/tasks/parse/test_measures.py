"""Trees, counted by hand."""

import pytest

from linnet.errors import DataError
from linnet.tasks.parse.measures import evaluate_trees


def test_by_hand():
    heads, relations = [2, 0, 2, 2, 0], ["det", "root", "obj", "punct", "root"]
    heads_hat, relations_hat = [2, 0, 1, 2, 0], ["det", "root", "obj", "obl", "root:x"]
    found = evaluate_trees(heads, relations, heads_hat, relations_hat, [0, 4, 5])
    assert (found.n_tokens, found.n_sentences) == (5, 2)
    assert (found.uas, found.las, found.ucm) == (4 / 5, 3 / 5, 1 / 2)
    # of content: gold root, obj, root; predicted root, obj, obl, root; right both roots
    assert found.clas == pytest.approx(2 * 2 / (3 + 4))
    assert found.per_relation["obj"].recall == 0
    assert (found.per_relation["root"].f1, found.per_relation["root"].count) == (1, 2)


def test_what_cannot_be_compared_is_refused():
    with pytest.raises(DataError, match="found 1 and 2"):
        evaluate_trees([0, 1], ["a", "b"], [0], ["a"], [0, 2])
    with pytest.raises(DataError, match="no tokens"):
        evaluate_trees([], [], [], [], [0])
