"""`linnet train --trace`: the steps of learning on the terminal, as JSON and as a page; and a learner of one's own."""

import json

import pytest

import linnet

REVIEWS = "text,label\na good film,+\na bad film,-\ngood and fine,+\nbad and poor,-\n"
MINE = """
import linnet
from linnet.learners import LEARNERS, Preset


class Half(linnet.Step):
    def tau(self, loss, norm2, t):
        return 0.5


class Mine(linnet.Loss):
    def evaluate(self, x):
        y_hat = x.argmax()
        return x.score(y_hat) - x.score(x.y), x.mu(y_hat) - x.mu(x.y)


LEARNERS.add(Preset("mine", "half a perceptron", lambda options: Mine(), lambda options: Half()))
"""


@pytest.fixture
def train(run, tmp_path):
    (tmp_path / "r.csv").write_text(REVIEWS)
    (tmp_path / "mine.py").write_text(MINE)

    def call(*arguments, before=(), learner="mira"):
        out = tmp_path / "m.linnet"
        how = ("-o", out, "--learner", learner, "--features", "words:1")
        return run(*before, "train", tmp_path / "r.csv", *how, *arguments)

    return call


def test_steps_on_the_terminal(train):
    done = train("--trace", "2", "-q")
    assert done.code == 0
    # With seed 0, example 2 comes first.
    assert done.out.startswith("step 1  mira, epoch 1, example 2\n  x     good and fine\n  y     +\n")
    assert "\nstep 2  mira, epoch 1, example 0\n" in done.out
    assert "step 3" not in done.out
    assert "  loss  1   tau   0.125\n" in done.out
    assert "  good  +         0   0.125\n" in done.out


def test_steps_as_json_lines(train):
    done = train("--trace", "5", "--json", "-q")
    steps = [json.loads(line) for line in done.out.splitlines()]
    assert [step["t"] for step in steps] == [1, 2, 3, 4, 5]
    assert steps[0]["loss"] == 1
    assert steps[0]["changes"][0]["largest"][0]["before"] == 0


def test_steps_as_a_page(train, tmp_path):
    page = tmp_path / "steps.html"
    done = train("--trace", "3", "--html", page)
    assert done.code == 0
    assert f"wrote {page}" in done.err
    assert done.out == ""
    html = page.read_text(encoding="utf-8")
    assert html.count("<section class=step") == 3
    assert 'href="#s1" rel=next' in html
    assert 'href="#s1" rel=prev' in html
    assert "<script" not in html
    assert "http" not in html


def test_the_model_is_the_same(train, tmp_path):
    train("--trace", "3", "-q", learner="pegasos")
    watched = linnet.load(tmp_path / "m.linnet")
    train(learner="pegasos")
    assert watched.weights[0].tobytes() == linnet.load(tmp_path / "m.linnet").weights[0].tobytes()


def test_json_needs_a_trace(train):
    done = train("--json")
    assert done.code == 2
    assert done.err.strip() == "linnet: --json is for the steps of learning. Add --trace N."


def test_a_loss_and_a_step_in_python(train, tmp_path):
    done = train("--trace", "2", "--json", "-q", before=("--with", tmp_path / "mine.py"), learner="mine")
    assert done.code == 0, done.err
    assert [json.loads(line)["tau"] for line in done.out.splitlines()] == [0, 0]
    done = train("--trace", "4", "--json", "-q", before=("--with", tmp_path / "mine.py"), learner="mine")
    steps = [json.loads(line) for line in done.out.splitlines()]
    moved = next(step for step in steps if step["tau"])
    assert moved["tau"] == 0.5
    assert {abs(change["after"] - change["before"]) for change in moved["changes"][0]["largest"]} == {0.5}
