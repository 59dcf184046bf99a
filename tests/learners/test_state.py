"""States of learning from files: the numbers that JSON does not have, and names and types that are not the learner's."""

import math

import numpy as np
import pytest

from linnet.learners.state import checked_numbers

OWN = ({"v0": np.zeros((2, 2), np.float32)}, {"t": 0, "bound": 1.0, "averaged": True})
GOOD = {"t": 3, "bound": 0.5, "averaged": False}


def test_inf_is_a_number_again():
    assert checked_numbers(OWN, {}, {**GOOD, "bound": "inf"}, set()) == {**GOOD, "bound": math.inf}


WRONG = {
    "nan": ({}, {**GOOD, "bound": "nan"}),
    "a text": ({}, {**GOOD, "bound": "x"}),
    "half a step": ({}, {**GOOD, "t": 0.5}),
    "a number too many": ({}, {**GOOD, "more": 1}),
    "a number too few": ({}, {"t": 3}),
    "an array of another type": ({"v0": np.zeros((2, 2))}, GOOD),
    "an array of inf": ({"v0": np.full((2, 2), np.inf, np.float32)}, GOOD),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_state_of_another_learner_is_refused(what):
    with pytest.raises(ValueError, match="is not|is no|is missing|of another type|are not"):
        checked_numbers(OWN, *WRONG[what], set())
