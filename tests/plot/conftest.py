"""What the tests of pictures share: points, and how numbers are read back from a picture."""

from __future__ import annotations

import re

import numpy as np
import pytest


@pytest.fixture(scope="session")
def two_clouds():
    """Points of two labels that a line separates, with very different units on the two axes."""
    rng = np.random.default_rng(3)
    at = np.concatenate([rng.normal([2, 30], [0.6, 5], (25, 2)), rng.normal([4.6, 48], [0.6, 5], (25, 2))])
    return at, ["ham"] * 25 + ["spam"] * 25


@pytest.fixture(scope="session")
def mixed_clouds():
    """Points of two labels that no line separates."""
    rng = np.random.default_rng(5)
    at = np.concatenate([rng.normal([0, 0], 1, (30, 2)), rng.normal([1.5, 1], 1, (30, 2))])
    return at, ["a"] * 30 + ["b"] * 30


@pytest.fixture(scope="session")
def lines_of():
    """The points of all lines of a panel that have this class."""

    def read(panel, kind):
        found = re.findall(rf'<path class="{re.escape(kind)}" d="M([^"Z]*)"', "".join(panel.parts))
        return [
            np.array([tuple(map(float, pair.split(","))) for pair in line.replace("L", " ").split()]) for line in found
        ]

    return read
