"""Training that goes on from a model: to the same bits as one run where the state was kept, else from the weights."""

import subprocess
import sys

import numpy as np
import pytest

import linnet
from linnet.errors import DataError, UsageError
from linnet.learners import LEARNERS

FIRST = [
    (f"{a} {b}", "+" if a == "good" or b == "film" else "-") for a in ("good", "bad", "dull") for b in ("film", "book")
]
MORE = [("fine play", "+"), ("poor play", "-"), ("so so", "0"), ("good play", "+"), ("dull day", "-")]
ONLINE = [name for name in LEARNERS if not LEARNERS[name].needs_all]
ONCE = {"features": "words:1", "epochs": 1, "shuffle": False}


def pair(rows):
    return [text for text, _ in rows], [label for _, label in rows]


def same(one, other):
    assert one.labels == other.labels
    assert one.features.names() == other.features.names()
    for a, b in zip(one.weights, other.weights, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("name", [name for name in ONLINE if LEARNERS[name].linear])
def test_two_runs_are_one(name):
    """A, and then B from there, is A and B in one pass; labels in the order of the alphabet, to have the same numbers."""
    options = {"eta": 0.5} if "eta" in LEARNERS[name].options else {}
    more = [(text, label) for text, label in MORE if label != "0"]
    first = linnet.train(pair(FIRST), learner=name, options=options, keep_state=True, **ONCE)
    then = linnet.train(pair(more), start=first, epochs=1, shuffle=False)
    assert then.report["start"] == "goes on from all that was learned"
    same(then, linnet.train(pair(FIRST + more), learner=name, options=options, **ONCE))


def test_a_file_keeps_the_state_on_request(tmp_path):
    plain, kept = (
        linnet.train(pair(FIRST), learner="averaged-mira", keep_state=keep, **ONCE) for keep in (False, True)
    )
    plain.save(tmp_path / "plain")
    kept.save(tmp_path / "kept")
    same(plain, kept)
    assert linnet.load(tmp_path / "plain").state is None
    for start in (tmp_path / "kept", str(tmp_path / "kept"), kept):
        same(linnet.train(pair(MORE), start=start, epochs=3), linnet.train(pair(MORE), start=kept, epochs=3))


def test_epochs_over_more_examples_go_on_where_the_first_stopped():
    """As two calls of a session would: three passes over A, then two over B."""
    first = linnet.train(
        pair(FIRST), features="words:1", learner="perceptron", epochs=3, shuffle=False, tol=0, keep_state=True
    )
    then = linnet.train(pair(MORE), start=first, epochs=2, shuffle=False, tol=0)
    session = first.session()
    for _ in range(2):
        session.learn(*pair(MORE))
    same(then, session.model())


def test_from_the_weights_alone_it_says_so():
    model = linnet.train(pair(FIRST), features="words:1")
    then = linnet.train(pair(MORE), start=model)
    assert (model.learner, then.learner) == ("nb-svm", "mira")
    assert then.report["start"] == "goes on from the weights alone, by 'mira'"
    assert then.predict(["so so", "poor play"]) == ["0", "-"]
    assert then.labels == ("+", "-", "0")
    assert then.provenance["start"]["examples"] == len(FIRST)


def test_an_interrupted_run_that_goes_on_is_resumed_to_the_same_bits(tmp_path, monkeypatch):
    monkeypatch.setattr("linnet.training.checkpoint._WORTH_KEEPING", 0.0)
    rng = np.random.default_rng(0)
    rows = [(" ".join(rng.choice(list("abcdefgh"), 6)), str(rng.integers(3))) for _ in range(700)]
    first = linnet.train(
        pair(rows[:100]), features="words:1-2", learner="averaged-mira", epochs=2, tol=0, keep_state=True
    )
    whole = linnet.train(pair(rows[100:]), start=first, epochs=4, tol=0)
    calls = []

    def stop(progress):
        calls.append(progress)
        if len(calls) == 5:
            raise KeyboardInterrupt

    how = {"start": first, "epochs": 4, "tol": 0, "checkpoint": tmp_path / "part"}
    half = linnet.train(pair(rows[100:]), progress=stop, **how)
    assert half.report["stopped"].startswith("interrupted")
    with pytest.raises(UsageError, match="is from other data"):
        linnet.train(pair(rows[100:]), resume=True, **how | {"start": half})
    same(linnet.train(pair(rows[100:]), resume=True, **how), whole)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"features": "words:2"}, "features can be chosen only when a model is first trained"),
        ({"calibrate": "sigmoid"}, "calibrate can be chosen only when a model is first trained"),
        ({"rerank": 5}, "rerank can be chosen only when a model is first trained"),
        ({"task": "tag"}, "the model to go on from is for task 'labels', not for 'tag'"),
    ],
)
def test_what_belongs_to_the_first_training(settings, message):
    model = linnet.train(pair(FIRST), features="words:1", learner="mira")
    with pytest.raises(UsageError, match=message):
        linnet.train(pair(MORE), start=model, **settings)


def test_a_learner_without_a_state_is_refused_before_it_learns():
    with pytest.raises(
        UsageError, match="learner 'nb-svm' needs all examples at once with these options, so there is no state"
    ):
        linnet.train(pair(FIRST), keep_state=True)


def test_a_label_without_costs_is_refused():
    model = linnet.train(pair(FIRST), features="words:1", learner="mira", options={"costs": {("+", "-"): 2}})
    with pytest.raises(DataError, match="the label '0' is new and has no costs"):
        linnet.train(pair(MORE), start=model)


def test_on_the_command_line(tmp_path):
    for name, rows in (("a.csv", FIRST), ("b.csv", MORE)):
        (tmp_path / name).write_text("text,label\n" + "".join(f"{text},{label}\n" for text, label in rows))

    def run(*arguments):
        command = [sys.executable, "-c", "from linnet.cli.main import main; main()", *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    first = run("train", "a.csv", "-o", "a.linnet", "--learner", "averaged-mira", "--set", "state=keep")
    assert first.returncode == 0, first.stderr
    then = run("train", "b.csv", "-o", "b.linnet", "--from", "a.linnet")
    assert then.returncode == 0, then.stderr
    assert "goes on from all that was learned" in then.stderr
    assert linnet.load(tmp_path / "b.linnet").predict(["so so"]) == ["0"]
    wrong = run("train", "b.csv", "-o", "c.linnet", "--set", "state=maybe")
    assert (wrong.returncode, wrong.stderr) == (2, "linnet: expected state=keep or state=drop, found 'maybe'.\n")


def test_labels_that_are_new_to_the_model_are_said():
    first = linnet.train((["good", "bad"] * 4, ["pos", "neg"] * 4), features="words:1")
    then = linnet.train((["fine", "so so", "good", "good"], ["POS", "mixed", "pos", "pos"]), start=first)
    assert then.report["problems"] == [
        "2 labels that the model did not have: 'POS', 'mixed'",
        "labels that differ only in case or blanks: 'POS', 'pos'. Make them one if they mean the same",
        "1 text that repeats an earlier one: row 4",
    ]
    assert linnet.train((["fine"], ["pos"]), start=first).report["problems"] == []
