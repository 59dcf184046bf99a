"""Verdicts and learning curves by hand."""

from itertools import pairwise

import numpy as np
import pytest

from linnet.evaluate.curves import Curve, subsets
from linnet.evaluate.verdict import KINDS, verdict


def test_gain_by_hand():
    # 0.4 / sqrt(n): at 1, 4 and 16 examples 0.4, 0.2 and 0.1, and at 32 0.1 / sqrt(2).
    assert Curve((1, 4, 16), (0, 0, 0), (0.4, 0.2, 0.1)).gain() == pytest.approx(0.1 - 0.1 / np.sqrt(2))
    assert Curve((1, 2, 4), (0, 0, 0), (0.2, 0.2, 0.21)).gain() == 0
    assert Curve((1, 2, 4), (0, 0, 0), (0.2, 0.1, 0.0)).gain() == 0
    assert Curve((2, 4), (0, 0), (0.2, 0.1)).gain() is None


def test_parts_grow_and_each_is_in_the_next():
    parts = subsets(400)
    assert [len(part) for part in parts] == [50, 100, 200]
    for small, large in pairwise(parts):
        assert set(small) < set(large)
    assert [len(part) for part in subsets(100)] == [25, 50]  # 12 are too few
    assert np.array_equal(subsets(400)[0], parts[0])


@pytest.mark.parametrize(
    ("train", "held", "kind"),
    [
        (0.00, 0.100, "overfits"),  # the best itself
        (0.00, 0.115, "overfits"),  # within two standard errors of it
        (0.09, 0.100, "fits"),  # as right on new data as on its own, and none is better
        (0.11, 0.100, "fits"),
        (0.14, 0.150, "underfits"),  # as wrong on both, and others are better
        (0.00, 0.150, "overfits"),
        (0.09, 0.150, "overfits"),
        (0.12, 0.150, "underfits"),  # worse on its own data than the best on new ones
    ],
)
def test_kinds(train, held, kind):
    found = verdict(train, held, 0.01, 0.10)
    assert found.kind == kind
    right = f"accuracy {100 - 100 * train:.1f}% on its training data, {100 - 100 * held:.1f}% on new"
    assert found.sentence.startswith(f"{kind}: {right}")
    assert kind in KINDS


def test_the_curve_says_whether_more_data_would_help():
    steep, flat = (Curve((1, 2, 4), (0, 0, 0), held) for held in ((0.4, 0.2, 0.1), (0.101, 0.1, 0.1)))
    assert "; twice the data might bring 5.0 points." in verdict(0, 0.1, 0.01, 0.1, steep).sentence
    assert "; more data would bring little." in verdict(0, 0.1, 0.01, 0.1, flat).sentence


def test_where_training_and_new_data_agree_the_features_are_the_limit():
    assert "; richer features may help." in verdict(0.095, 0.1, 0.01, 0.1).sentence
    assert "none here does better on new" in verdict(0.0, 0.1, 0.01, 0.1).sentence
    # One that is a little behind the best is not said to be the best.
    assert "none here is better on new by two standard errors" in verdict(0.0, 0.115, 0.01, 0.1).sentence
    assert "regularisation or fewer features may help" in verdict(0.0, 0.15, 0.01, 0.1).sentence


def test_costs_are_said_by_their_name():
    steep = Curve((100, 200, 400), (0, 0, 0), (4.0, 2.0, 1.0))
    found = verdict(0.25, 1.0, 0.01, 0.9, steep, "tree loss", less_is_better=True).sentence
    assert found.startswith("overfits: tree loss 0.25 on its training data, 1.00 on new;")
    assert found.endswith("; twice the data might bring 0.50.")
