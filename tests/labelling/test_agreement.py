"""Agreement against values that were computed by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from linnet.fitting.contract import Counts
from linnet.labelling.agreement import cohens_kappa, interval, kappas, krippendorffs_alpha
from linnet.labelling.progress import gained, share


def test_cohens_kappa_of_a_table_of_two_by_two():
    # 20 both yes, 15 both no, 5 yes/no, 10 no/yes: p_o = 35/50, p_e = (25 * 30 + 25 * 20) / 2500 = 0.5, kappa = 0.4.
    one = ["y"] * 25 + ["n"] * 25
    other = ["y"] * 20 + ["n"] * 5 + ["y"] * 10 + ["n"] * 15
    kappa, n = cohens_kappa(dict(enumerate(one)), dict(enumerate(other)))
    assert kappa == pytest.approx(0.4)
    assert n == 50


def test_kappa_is_over_common_texts_and_may_be_undefined():
    kappa, n = cohens_kappa({1: "a", 2: "b"}, {3: "a"})
    assert math.isnan(kappa)
    assert n == 0
    assert math.isnan(cohens_kappa({1: "a"}, {1: "a"})[0])
    assert list(kappas({"b": {1: "x"}, "a": {2: "x"}})) == []


def test_krippendorffs_alpha_by_hand():
    # Four texts and two annotators: aa, ab, bb, bb. Values: 3 a, 5 b of n = 8.
    # D_o: one text differs, 2 ordered pairs / (2 - 1) = 2. D_e: 2 * 3 * 5 / 7 = 30 / 7. alpha = 1 - 14 / 30 = 8 / 15.
    one, other = {1: "a", 2: "a", 3: "b", 4: "b"}, {1: "a", 2: "b", 3: "b", 4: "b"}
    assert krippendorffs_alpha([one, other]) == (pytest.approx(8 / 15), 4)


def test_alpha_of_krippendorffs_own_example():
    # Krippendorff (2011), "Computing Krippendorff's alpha-reliability", section C: four observers, missing values.
    rows = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    ]
    each = [{i: value for i, value in enumerate(row) if value is not None} for row in rows]
    assert krippendorffs_alpha(each)[0] == pytest.approx(0.743, abs=5e-4)
    assert krippendorffs_alpha(each, interval)[0] == pytest.approx(0.849, abs=5e-4)
    assert krippendorffs_alpha(each)[1] == 11


def counts(right: list[float], total: list[float] | None = None) -> Counts:
    return Counts("accuracy", np.array(right, float), np.ones(len(right)) if total is None else np.array(total, float))


def test_wilson_by_hand():
    # 8 of 10: z = 1.96, (0.8 + 0.19207) / 1.38415 = 0.71674 -+ 1.96 / 1.38415 sqrt(0.016 + 0.0096036) = 0.22658.
    found = share(counts([1] * 8 + [0] * 2))
    assert (found.low, found.high) == (pytest.approx(0.4902, abs=1e-4), pytest.approx(0.9433, abs=1e-4))
    nothing = share(counts([]))
    assert (nothing.n, nothing.low, nothing.high) == (0, 0, 1)
    assert share(counts([1] * 10)).high == pytest.approx(1)


def test_parts_of_one_text_are_not_drawn_one_by_one():
    """Ten texts of ten tokens each: where texts are wholly right or wholly wrong, there are only ten draws; where each has
    about the same share of right tokens, there are many more."""
    together = share(counts([10] * 8 + [0] * 2, [10] * 10))
    assert (together.low, together.high) == (pytest.approx(0.4902, abs=1e-4), pytest.approx(0.9433, abs=1e-4))
    spread = share(counts([9, 7, 8, 8, 10, 6, 8, 9, 7, 8], [10] * 10))
    assert spread.share == together.share == 0.8
    assert spread.high - spread.low < 0.5 * (together.high - together.low)


def test_gains_on_the_same_texts():
    # 3 better, 1 worse of 100: the mean 0.02 * 100 / 102 = 0.0196 -+ 1.96 sqrt(4 - 0.04 + 1) / 102 = 0.0428.
    gain, low, high = gained(counts([0] * 3 + [1] * 97), counts([1] * 3 + [0] + [1] * 96))
    assert gain == pytest.approx(0.02)
    assert (low, high) == (pytest.approx(-0.0232, abs=1e-4), pytest.approx(0.0624, abs=1e-4))
