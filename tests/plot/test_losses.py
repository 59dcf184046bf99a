import numpy as np
import pytest

import linnet.plot
from linnet.losses.each import Each
from linnet.losses.hinge import Hinge
from linnet.losses.phi import Hinge as PhiHinge
from linnet.plot.losses import FORMULAS, of_margins
from linnet.plot.losses import LOSSES as DRAWN

LOSSES = {
    "perceptron": lambda m: np.maximum(0, -m),
    "hinge": lambda m: np.maximum(0, 1 - m),
    "log": lambda m: np.log1p(np.exp(-m)),
    "exponential": lambda m: np.exp(-m),
}


@pytest.mark.parametrize("name", LOSSES)
def test_the_points_of_a_curve_are_values_of_the_loss(name, lines_of):
    (panel,) = linnet.plot.losses().panels
    (line,) = lines_of(panel, f"curve {name}")
    margin = -3 + 6 * (line[:, 0] - 30) / (428 - 30)
    value = 4 * (276 - line[:, 1]) / (276 - 26)
    # Places are rounded to a tenth of a unit.
    assert np.abs(value - LOSSES[name](margin)).max() < 0.05
    assert margin[-1] == pytest.approx(3, abs=1e-3)
    assert value.max() <= 4
    assert f">{name}: {FORMULAS[name]}<" in "".join(panel.parts)


def test_a_curve_that_is_higher_than_the_picture_begins_at_its_top(lines_of):
    (line,) = lines_of(linnet.plot.losses().panels[0], "curve exponential")
    assert line[0, 1] == 26
    assert -3 + 6 * (line[0, 0] - 30) / 398 == pytest.approx(-np.log(4), abs=0.01)


def test_losses_are_those_of_the_learners():
    m = np.array([-1.0, 0.0, 0.5, 1.0, 2.0])
    values, slopes = of_margins(Hinge(), m)
    assert values.tolist() == [2, 1, 0.5, 0, 0]
    assert slopes.tolist() == [-1, -1, -1, 0, 0]
    # Two questions, each with half of the margin: 2 max(0, 1 - m/2).
    assert of_margins(Each(PhiHinge()), m)[0].tolist() == [3, 2, 1.5, 1, 0]


@pytest.mark.parametrize(("name", "loss"), DRAWN.items())
def test_slopes_are_those_of_the_curves(name, loss):
    m = np.array([-2.3, -0.7, 0.3, 0.9, 1.6, 2.8])
    _, slopes = of_margins(loss(), m)
    expected = (LOSSES[name](m + 1e-6) - LOSSES[name](m - 1e-6)) / 2e-6
    np.testing.assert_allclose(slopes, expected, atol=1e-5)
