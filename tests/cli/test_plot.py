"""`linnet plot` as users meet it."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest


@pytest.fixture(scope="module", autouse=True)
def points(folder):
    rows = [(i / 10, (i * 7 % 10) / 10, "left" if i < 10 else "right", "red") for i in range(20)]
    table = "x,y,label,colour\n" + "".join(f"{x},{y},{label},{colour}\n" for x, y, label, colour in rows)
    (folder / "points.csv").write_text(table)
    (folder / "one.csv").write_text(table.replace("right", "left"))
    return folder


@pytest.fixture
def drawn(run, folder):
    """The panels of a picture, by their titles."""

    def draw(*arguments):
        done = run("plot", *arguments, "-o", "picture.svg")
        assert (done.code, done.out, done.err) == (0, "", "wrote picture.svg\n")
        root = ET.parse(folder / "picture.svg").getroot()
        return [group[0].text for group in root.iter("{http://www.w3.org/2000/svg}g")]

    return draw


def test_each_kind_of_picture(drawn, logistic):
    assert drawn("losses") == ["losses"]
    assert "mean loss" in drawn(logistic)
    assert drawn("points.csv", "--x", "x", "--y", "y")[-5:] == [
        *("perceptron", "averaged-perceptron", "mira", "svm", "logistic")
    ]
    assert drawn("points.csv", "--x", "x", "--y", "y", "--learners", "svm", "--epochs", "2")[-2:] == [
        "epoch 1",
        "epoch 2",
    ]
    assert drawn("train.csv", "--x", "good", "--y", "bad", "--learners", "mira,svm", "--set", "C=2")[-2:] == [
        "mira",
        "svm",
    ]


def test_sizes(run, folder):
    rows = "".join(f"{'good' if i % 2 else 'bad'} number{i},{'pos' if i % 2 else 'neg'}\n" for i in range(120))
    (folder / "many.csv").write_text("text,label\n" + rows)
    done = run("plot", "many.csv", "--sizes", "--seeds", "2", "--learners", "naive-bayes,mira", "-o", "sizes.html")
    assert (done.code, done.err) == (0, "wrote sizes.html\n")
    page = (folder / "sizes.html").read_text()
    assert "2 models, each learned from its own part of the data" in page
    assert re.findall(r'role="img"><title>([\w-]+)<', page) == ["naive-bayes", "mira"]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("points.csv",), 2, "expected what to draw of the data: --x and --y"),
        (("points.csv", "--x", "x"), 2, "expected what to draw of the data: --x and --y"),
        (
            ("points.csv", "--x", "xx", "--y", "y"),
            1,
            "points.csv: expected a column 'xx' of numbers, found 'x', 'y', 'colour'.",
        ),
        (
            ("points.csv", "--x", "a", "--y", "b"),
            1,
            "points.csv: expected a column 'a' of numbers, found 'x', 'y', 'label'",
        ),
        (
            ("points.csv", "--x", "x", "--y", "colour"),
            1,
            "points.csv:2: expected a number in column 'colour', found 'red'.",
        ),
        (
            ("one.csv", "--x", "x", "--y", "y"),
            1,
            "one.csv: every row has the label 'left'; learning needs at least two.",
        ),
        (
            ("train.csv", "--x", "goood", "--y", "bad"),
            1,
            "found neither a column 'goood' nor that word in the texts. Did you mean 'good'?",
        ),
        (("points.csv", "--x", "x", "--y", "y", "--seeds", "3"), 2, "a picture of points has no option --seeds."),
        (("points.csv", "--sizes", "--x", "x"), 2, "a picture of bias and variance has no option --x."),
        (("losses", "--set", "C=1"), 2, "a picture of the losses has no option --set."),
        (("loses",), 2, "there is no file 'loses'. Did you mean 'losses'?"),
        (("points.csv", "--x", "x", "--y", "y", "--learners", "svn"), 2, "Did you mean 'svm'?"),
    ],
)
def test_errors(run, arguments, code, message):
    done = run("plot", *arguments, "-o", "refused.svg")
    assert done.code == code
    assert message in done.err


def test_other_commands_do_not_wait_for_pictures():
    code = (
        "import sys, linnet, linnet.cli.main; print([m for m in sys.modules if m.startswith(('linnet.plot', 'numpy'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_where_a_picture_may_be_written(run, folder):
    (folder / "own.svg").write_text("mine")
    done = run("plot", "losses", "-o", "own.svg")
    assert done.code == 2
    assert "which is not a picture that linnet drew. Name another file, or add --force" in done.err
    assert (folder / "own.svg").read_text() == "mine"
    assert run("plot", "losses", "-o", "own.svg", "--force").code == 0
    assert run("plot", "losses", "-o", "own.svg").code == 0
    assert "expected a file that ends in .svg or .html" in run("plot", "losses", "-o", "losses.png").err
    assert "it is an input of the command" in run("plot", "points.csv", "--x", "x", "--y", "y", "-o", "points.csv").err


def test_rows_without_a_label_are_counted_as_everywhere(run, folder):
    (folder / "gaps.csv").write_text("age,income,label\n1,2,a\n3,4,b\n,2,a\n5,7,\n")
    done = run("plot", "gaps.csv", "--x", "age", "--y", "income", "--learners", "mira", "-o", "gaps.html")
    assert done.err.splitlines() == [
        "gaps.csv: left out 1 of 4 rows without a label (empty), the first is line 5",
        "wrote gaps.html",
    ]
    assert "1 rows without a number or a label are left out." in (folder / "gaps.html").read_text()
