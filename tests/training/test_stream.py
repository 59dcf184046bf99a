"""Learning from a stream: predicted before learned, the same bits however it is cut, for every online learner and task."""

import io
import random

import numpy as np
import pyarrow as pa
import pytest

import linnet
from linnet.errors import DataError, UsageError
from linnet.fitting.opening import OPENING
from linnet.learners import LEARNERS
from linnet.training import stream as streams

ONLINE = [name for name in LEARNERS if not LEARNERS[name].needs_all]
WORDS = {"pos": "good fine great", "neg": "bad dull poor", "so-so": "fair usual", "new": "odd strange"}


def made(n, labels=("pos", "neg"), seed=0):
    """Texts of a few words, most of them of their label; some words are only in one text."""
    draw = random.Random(seed)
    for i in range(n):
        label = draw.choice(labels)
        own = WORDS[label if draw.random() < 0.8 else draw.choice(list(labels))].split()
        yield f"{draw.choice(own)} {draw.choice(own)} film {draw.choice('abcde')} w{i // 3}", label


def late(n=600):
    """A stream in which two labels come up late, one of them within a few examples of the other."""
    rows = list(made(n))
    rows[n // 2 + 5 :] = made(n - n // 2 - 5, ("pos", "neg", "so-so"), 1)
    rows[n // 2 + 30 :] = made(n - n // 2 - 30, tuple(WORDS), 2)
    return rows


def run(data, *, features="words:1-2", **how):
    learning = linnet.stream(data, features=None if "start" in how else features, keep_state=True, **how)
    for _ in learning:
        pass
    return learning.model()


def same(one, other):
    """Two models have the same labels, features and weights, and the same state of learning."""
    assert one.labels == other.labels
    assert one.details == other.details
    for a, b in zip(one.weights, other.weights, strict=True):
        np.testing.assert_array_equal(a, b)
    for a, b in ((one.features.arrays(), other.features.arrays()), (one.state[0], other.state[0])):
        assert a.keys() == b.keys()
        for name in a:
            np.testing.assert_array_equal(a[name], b[name])
    counts = ("total", "updates", "decoded", "wrong", "asks")  # of this stream, not of those before
    for name in set(one.state[1]["online"]) - set(counts):
        assert one.state[1]["online"][name] == other.state[1]["online"][name], name


def one_by_one(rows):
    """The lots of a stream of one example each, after the opening."""
    yield {"text": [x for x, _ in rows[:OPENING]], "label": [y for _, y in rows[:OPENING]]}
    for x, y in rows[OPENING:]:
        yield {"text": [x], "label": [y]}


@pytest.mark.parametrize("name", ONLINE)
def test_half_and_the_other_half_are_one_run(name):
    """VW's own case: learn from half of the data, save, and go on with the other half, in which labels are new."""
    rows = late()
    first = run(iter(rows[:290]), learner=name)
    then = run(iter(rows[290:]), start=first)
    assert then.report["start"] == "goes on from all that was learned"
    same(then, run(iter(rows), learner=name))


@pytest.mark.parametrize("name", ONLINE)
def test_lots_of_one_example_teach_the_same(name):
    rows = late(420)
    lots = (pa.table(lot) for lot in one_by_one(rows))
    same(run(lots, learner=name), run(({"text": x, "label": y} for x, y in rows), learner=name))


@pytest.mark.parametrize("name", [name for name in ONLINE if name != "naive-bayes"])
def test_each_example_is_predicted_before_it_is_learned_from(name):
    """A session that predicts and then learns, one example after the other, makes as many mistakes."""
    rows = list(made(OPENING + 60, seed=3))
    learning = linnet.stream(iter(rows), learner=name, features="words:1", keep_state=True)
    opening = next(learning)
    session = learning.model().session()
    (seen,) = list(learning)
    mistakes = 0
    for x, y in rows[OPENING:]:
        mistakes += session.predict(x) != y
        session.learn(x, y)
    found = seen.all.since(opening.all)
    assert (found.examples, found.judged, seen.examples) == (60, 60, len(rows))
    if (
        LEARNERS[name].averaged or name == "voted-perceptron"
    ):  # The last weights predict while learning, and others later.
        assert 0 < found.mistakes < 30
    else:
        assert found.mistakes == mistakes


def test_learners_that_count_predict_with_what_they_had_counted():
    rows = list(made(4 * OPENING, seed=5))
    learning = linnet.stream(iter(rows), learner="naive-bayes", features="words:1")
    seen = list(learning)[-1]
    expected = 0
    for a, b in ((OPENING, 2 * OPENING), (2 * OPENING, 4 * OPENING)):
        before = linnet.stream(iter(rows[:a]), learner="naive-bayes", features="words:1")
        list(before)
        found = before.model().predict([x for x, _ in rows[a:b]])
        expected += sum(y != y_hat for (_, y), y_hat in zip(rows[a:b], found, strict=True))
    assert (seen.all.judged, seen.all.mistakes) == (3 * OPENING, expected)
    assert expected > 0
