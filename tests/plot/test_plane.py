import re

import numpy as np
import pytest

import linnet
import linnet.plot
from linnet.core.predictor import Predictor
from linnet.errors import DataError, UsageError
from linnet.features.sizes import Sizes
from linnet.fitting.fitting import Problem
from linnet.learners import Examples
from linnet.plot.courses import course
from linnet.plot.plane import LEARNERS
from linnet.plot.plane_panel import _CORNERS, _shape
from linnet.plot.points import points_of, rows
from linnet.plot.view import View
from linnet.structures.labels import Labels


def test_every_label_has_a_shape_of_its_own():
    shapes = [re.findall(r"([-.\d]+),([-.\d]+)", _shape(k, (0, 0), 4, "")) for k in range(len(_CORNERS))]
    assert len({frozenset((float(a), float(b)) for a, b in shape) for shape in shapes}) == len(_CORNERS)


@pytest.fixture
def learned():
    """The weights of a learner of points, the bias first, without a picture; and the learner."""

    def learn(points, learner):
        examples = Examples.labelled(rows(points.seen(points.at)), points.y)
        at_work = Problem(Labels(len(points.labels)), Sizes((2,)), examples.length2()).learning(learner, {})
        fit = at_work.run(examples)
        return fit.weights[0][:, : len(points.labels)].astype(float), at_work

    return learn


@pytest.fixture
def placed():
    """Places in the picture of points as points of the plane, as learners see them."""

    def back(points, places):
        axes = View(points, 0).axes
        box = axes.box
        share = (places - [box.x0, box.y1]) / [box.x1 - box.x0, box.y0 - box.y1]
        low, high = np.array([axes.across, axes.up]).T
        return points.seen(low + share * (high - low))

    return back


def points_from(data, **how):
    return points_of(*data, (None, None), {}, **({"raw": False} | how))


@pytest.mark.parametrize("raw", [False, True])
@pytest.mark.parametrize("learner", LEARNERS)
def test_the_boundary_follows_from_the_weights(learner, raw, mixed_clouds, learned, placed, lines_of):
    points = points_from(mixed_clouds, raw=raw)
    W, _ = learned(points, learner)
    w = W[:, 1] - W[:, 0]
    (line,) = lines_of(linnet.plot.plane(*mixed_clouds, learners=learner, raw=raw).panels[-1], "boundary")
    at = placed(points, line)
    unit = np.abs(placed(points, np.array([[1.0, 0.0]])) - placed(points, np.array([[0.0, 0.0]]))).max()
    assert len(line) == 2
    # Less than a tenth of a unit of the picture lies between the line and where both labels score the same.
    assert np.abs((w[0] + at @ w[1:]) / np.hypot(*w[1:])).max() < 0.1 * unit


@pytest.mark.parametrize(("learner", "asked"), [("mira", 1), ("svm", 2), ("nb-svm", 2)])
def test_the_margin_is_where_the_loss_becomes_0(learner, asked, mixed_clouds, learned, placed, lines_of):
    points = points_from(mixed_clouds)
    W, _ = learned(points, learner)
    w = W[:, 1] - W[:, 0]
    lines = lines_of(linnet.plot.plane(*mixed_clouds, learners=learner).panels[-1], "margin")
    ahead = [w[0] + placed(points, line) @ w[1:] for line in lines]
    assert sorted(round(float(np.mean(one))) for one in ahead) == [-asked, asked]
    for one in ahead:
        assert np.abs(np.abs(one) - asked).max() < 0.01 * np.hypot(*w[1:])


def test_without_such_a_place_the_margin_is_at_the_nearest_point(two_clouds, learned, placed, lines_of):
    points = points_from(two_clouds)
    W, _ = learned(points, "logistic")
    w = W[:, 1] - W[:, 0]
    nearest = np.abs(w[0] + points.seen(points.at) @ w[1:]).min()
    lines = lines_of(linnet.plot.plane(*two_clouds).panels[LEARNERS.index("logistic")], "margin")
    assert len(lines) == 2
    for line in lines:
        assert np.abs(w[0] + placed(points, line) @ w[1:]) == pytest.approx(nearest, abs=0.01 * np.hypot(*w[1:]))


def test_a_learner_that_separates_nothing_and_asks_for_no_margin_has_none(mixed_clouds, lines_of):
    panels = dict(zip(LEARNERS, linnet.plot.plane(*mixed_clouds).panels, strict=True))
    assert [len(lines_of(panels[name], "margin")) for name in LEARNERS] == [0, 0, 2, 2, 0]


def test_support_vectors_are_the_points_whose_alpha_is_not_0(mixed_clouds, learned):
    points = points_from(mixed_clouds)
    _, at_work = learned(points, "svm")
    alpha = at_work.state()[0]["m0"]
    axes = View(points, 0).axes
    expected = {f"{x:.1f},{y:.1f}" for x, y in map(axes.at, points.at[(alpha != 0).any(axis=1)].tolist())}
    panel = linnet.plot.plane(*mixed_clouds).panels[LEARNERS.index("svm")]
    rings = re.findall(r'<circle class="ring" cx="([\d.]+)" cy="([\d.]+)"', "".join(panel.parts))
    assert 0 < len(rings) < len(points)
    assert {",".join(ring) for ring in rings} == expected


def test_wrong_points_are_hollow_and_counted(mixed_clouds, learned):
    points = points_from(mixed_clouds)
    W, _ = learned(points, "svm")
    scores = W[0] + points.seen(points.at) @ W[1:]
    wrong = int((scores.argmax(axis=1) != points.y).sum())
    drawn = "".join(linnet.plot.plane(*mixed_clouds).panels[LEARNERS.index("svm")].parts)
    assert wrong > 0
    assert len(re.findall(r'class="point c\d wrong"', drawn)) == wrong
    assert f">{wrong} wrong<" in drawn


def test_the_last_picture_of_a_course_is_what_training_gives(mixed_clouds):
    points = points_from(mixed_clouds)
    for learner in ("perceptron", "averaged-perceptron", "svm", "logistic"):
        examples = points.examples()
        at_work = Problem(Labels(2), Sizes((2,)), examples.length2()).learning(learner, {})
        fit = at_work.run(examples)
        frames = course(points, learner, {})
        assert [frame.t for frame in frames if frame.t < 60] == [1, 5, 21]
        assert frames[-1].t == 60 * len(fit.history)
        scores = Predictor(Labels(2), at_work.scorer(fit.weights)).scores(examples.blocks)[0]
        assert np.array_equal(frames[-1].scores(points.at), scores)


def test_one_learner_is_shown_as_it_learns(mixed_clouds):
    picture = linnet.plot.plane(*mixed_clouds, learners="svm", epochs=4)
    assert [panel.title for panel in picture.panels] == [
        "1 example",
        "5 examples",
        "21 examples",
        "epoch 1",
        "epoch 2",
        "epoch 4",
    ]
    assert picture.title == "How svm learns"


def test_the_regions_are_where_the_labels_are_predicted(lines_of):
    rng = np.random.default_rng(0)
    at = np.concatenate([rng.normal(centre, 0.5, (20, 2)) for centre in ([0, 0], [3, 0], [1.5, 3])])
    labels = np.repeat(["a", "b", "c"], 20).tolist()
    picture = linnet.plot.plane(at, labels, learners=["logistic", "kernel-svm"])
    points = points_from((at, labels))
    for panel, learner in zip(picture.panels, ("logistic", "kernel-svm"), strict=True):
        y_hat = course(points, learner, {})[-1].scores(points.at).argmax(axis=1)
        regions = re.findall(r'<path class="region c(\d)" fill-rule="evenodd" d="M([^"]*)Z"', "".join(panel.parts))
        assert [int(k) for k, _ in regions] == [0, 1, 2]
        assert not lines_of(panel, "margin")
        for k, line in regions:
            edge = np.array([tuple(map(float, pair.split(","))) for pair in line.split()])
            inside = [holds(edge, View(points, 0).axes.at(tuple(place))) for place in points.at.tolist()]
            assert inside == (y_hat == int(k)).tolist()


def holds(edge, place):
    """Whether a polygon holds a place: a ray from there crosses its edge an odd number of times."""
    (x, y), odd = place, False
    for (a, b), (c, d) in zip(edge, np.roll(edge, -1, axis=0), strict=True):
        if (b > y) != (d > y) and x < a + (y - b) / (d - b) * (c - a):
            odd = not odd
    return odd


def test_both_axes_have_the_units_that_learners_see(two_clouds):
    for raw in (False, True):
        points = points_from(two_clouds, raw=raw)
        axes = View(points, 0).axes
        spans = [(high - low) / unit for (low, high), unit in zip((axes.across, axes.up), points.unit, strict=True)]
        assert spans[0] == pytest.approx(spans[1])
    assert points.unit.tolist() == [1, 1]


def test_points_at_the_same_place_are_one_mark_and_labels_stand_side_by_side():
    at = [(0, 0)] * 4 + [(0, 0)] + [(1, 1), (2, 2)]
    picture = linnet.plot.plane(at, ["a"] * 4 + ["b"] + ["a", "b"], learners="perceptron", epochs=1)
    drawn = "".join(picture.panels[-1].parts)
    (circle,) = re.findall(
        r'<circle class="point[^"]*" cx="([\d.]+)" cy="[\d.]+" r="([\d.]+)"><title>a: 4 points', drawn
    )
    x0 = View(points_from((at, ["a"] * 4 + ["b"] + ["a", "b"])), 0).axes.x(0)
    # Radii 6.4 and 3.2 beside each other, with the place in the middle.
    assert float(circle[1]) == 6.4
    assert float(circle[0]) == pytest.approx(x0 - 9.6 + 6.4, abs=0.1)


def test_words_are_counted_and_texts_without_them_left_out():
    texts = ["good good film", "bad film", "a film", "Good, bad", "bad bad"]
    points = points_of(texts, ["+", "-", "+", "+", "-"], ("bad", "good"), {}, raw=True)
    assert points.at.tolist() == [[0, 2], [1, 0], [1, 1], [2, 0]]
    assert points.neither == 1
    picture = linnet.plot.plane(texts, ["+", "-", "+", "+", "-"], x="bad", y="good")
    assert "1 texts that have neither word are left out." in picture.notes


def test_a_column_comes_before_a_word_and_may_stand_beside_one():
    table = {"text": ["good film", "bad", "good good"], "good": [7, 8, 9], "label": ["+", "-", "+"]}
    points = points_of(table, None, ("good", "film"), {}, raw=True)
    assert points.at.tolist() == [[7, 1], [8, 0], [9, 0]]


def test_rows_without_a_number_are_left_out():
    table = {"x": [1, None, 3, 4], "y": ["1", "2", "", "4"], "label": ["a", "b", "a", "b"]}
    points = points_of(table, None, ("x", "y"), {"label_col": "label"}, raw=True)
    assert points.at.tolist() == [[1, 1], [4, 4]]
    assert points.left_out == 2


def test_labels_may_stand_beside_a_table():
    table = {"text": ["good film", "bad", "good good"], "good": [7, 8, None], "y": [1, 2, 3]}
    points = points_of((table, ["+", "-", "+"]), None, ("good", "film"), {}, raw=True)
    assert (points.at.tolist(), points.left_out) == ([[7, 1], [8, 0]], 1)
    assert points_of((table, ["+", "-", "+"]), None, ("y", "film"), {}, raw=True).at.tolist() == [
        [1, 1],
        [2, 0],
        [3, 0],
    ]
    with pytest.raises(DataError, match=r"^points: expected as many labels as points, found 1 labels and 2 points\.$"):
        linnet.plot.plane([(1, 2), (3, 4)], ["a"])


@pytest.mark.parametrize(
    ("columns", "label", "message"),
    [
        (
            "x,y,kind",
            None,
            "column 'y' is read as the labels, so it cannot be an axis. Name the column of labels: --label-col on the "
            "command line, label= in Python.",
        ),
        (
            "x,y,kind",
            "kin",
            "expected a column 'kin', found 'x', 'y', 'kind'. Did you mean 'kind'? Name the column of labels",
        ),
        ("x,z,kind", None, "found no column of labels among 'x', 'z', 'kind'. Name the"),
    ],
)
def test_the_column_of_labels_is_named_where_it_is_not_plain(columns, label, message, tmp_path):
    path = tmp_path / "p.csv"
    path.write_text(f"{columns}\n1,2,a\n2,3,b\n")
    rows = [dict(zip(columns.split(","), row, strict=True)) for row in ((1, 2, "a"), (2, 3, "b"))]
    for data in (path, rows):
        with pytest.raises(DataError) as caught:
            linnet.plot.plane(data, x="x", y=columns[2], label=label)
        assert message in str(caught.value).replace("label column", "column of labels")
    assert len(linnet.plot.plane(path, x="x", y=columns[2], label="kind", learners=["mira", "svm"]).panels) == 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"x": "hieght"}, "expected a column 'hieght' of numbers, found 'height', 'colour'. Did you mean 'height'?"),
        ({"x": "colour"}, "expected a number in column 'colour', found 'red'. Name a column of numbers, or a word"),
        ({"label": ["a"] * 4}, "expected from 2 to 6 different labels in a picture, found only 'a'."),
        (
            {"label": list("abcdefgh"), "height": range(8)},
            "expected from 2 to 6 different labels in a picture, found 8.",
        ),
        ({"x": None}, "expected two features, x and y"),
        ({"options": {"D": 1}}, "no option 'D' is known to learner 'perceptron' or 'averaged-perceptron'"),
        ({"learners": "naive-bayes"}, "learner 'naive-bayes' counts, which numbers below 0 cannot be."),
        ({"learners": "percepton"}, "Did you mean 'perceptron'?"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_a_sentence(change, message):
    table = {"height": change.get("height", [1, 2, 3, 4]), "label": change.get("label", ["a", "b", "a", "b"])}
    table["colour"] = ["red"] * len(table["label"])
    how = {"x": "height", "y": "height", **change}
    for name in ("label", "height"):
        how.pop(name, None)
    with pytest.raises((DataError, UsageError)) as caught:
        linnet.plot.plane(table, **how)
    assert message in str(caught.value)


def test_options_go_to_the_learners_that_have_them(mixed_clouds, lines_of):
    wide, narrow = (
        lines_of(linnet.plot.plane(*mixed_clouds, options={"C": C}).panels[LEARNERS.index("svm")], "margin")
        for C in (0.01, 100)
    )
    between = [np.abs(lines[0][0] - lines[1][0]).sum() if len(lines) == 2 else np.inf for lines in (wide, narrow)]
    assert between[0] > between[1]


def test_many_points_are_drawn_in_part():
    rng = np.random.default_rng(0)
    at = rng.normal(size=(900, 2))
    picture = linnet.plot.plane(at, np.where(at[:, 0] > 0, "a", "b"), learners=["perceptron", "mira"])
    assert len(re.findall('class="point', "".join(picture.panels[0].parts))) == 500
    assert "500 of 900 places are drawn, chosen at random; all points are learned from." in picture.notes
