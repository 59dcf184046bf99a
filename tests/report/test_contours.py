import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet.report.contours import above, inner

X = Y = np.linspace(0, 100, 41)
GRID = np.meshgrid(X, Y)


def area(line):
    a, b = np.array(line).T
    return abs(np.sum(a * np.roll(b, -1) - b * np.roll(a, -1))) / 2


@given(st.floats(0, 2 * np.pi), st.floats(10, 90), st.floats(10, 90))
def test_the_line_of_a_linear_function_is_straight_and_exact(turn, a, b):
    f = np.cos(turn) * (GRID[0] - a) + np.sin(turn) * (GRID[1] - b)
    (line,) = above(f, X, Y)
    (part,) = inner(line, X, Y)
    assert len(part) == 2
    for x, y in part:
        assert np.cos(turn) * (x - a) + np.sin(turn) * (y - b) == pytest.approx(0, abs=0.06)
        assert min(x, y, 100 - x, 100 - y) == pytest.approx(0, abs=0.06)


def test_a_circle_and_what_is_around_it():
    f = 30 - np.hypot(GRID[0] - 50, GRID[1] - 50)
    (circle,) = above(f, X, Y)
    assert area(circle) == pytest.approx(np.pi * 900, rel=0.01)
    (part,) = inner(circle, X, Y)
    assert part[0] == part[-1]
    outer, hole = sorted(above(-f, X, Y), key=area, reverse=True)
    assert area(outer) == 10_000
    assert area(hole) == pytest.approx(np.pi * 900, rel=0.01)
    assert list(inner(outer, X, Y)) == []


def test_all_and_nothing():
    assert [area(line) for line in above(np.ones((41, 41)), X, Y)] == [10_000]
    assert above(-np.ones((41, 41)), X, Y) == []


@pytest.mark.parametrize("middle", [-1, 1])
def test_two_opposite_corners_are_joined_where_the_middle_is_above(middle):
    f = np.array([[1.0, -1.0], [-1.0, 1.0]]) + 0.2 * middle
    lines = above(f, np.array([0.0, 1.0]), np.array([0.0, 1.0]))
    assert len(lines) == (1 if middle > 0 else 2)


def test_a_line_that_leaves_the_edge_at_a_flat_angle_ends_there():
    """A part of the edge must not become a part of the line beside it."""
    f = GRID[1] - 99.99 + 0.004 * GRID[0]
    (line,) = above(f, X, Y)
    (part,) = inner(line, X, Y)
    assert all(abs(y - 99.99 + 0.004 * x) < 0.06 for x, y in part)
