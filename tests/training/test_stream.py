"""Learning from a stream: predicted before learned, the same bits however it is cut, for every online learner and task."""

import random

import numpy as np
import pyarrow as pa
import pytest

import linnet
from linnet.errors import DataError, UsageError
from linnet.fitting.opening import OPENING
from linnet.learners import LEARNERS

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


def test_the_tables_of_the_opening_are_joined_with_the_columns_of_all():
    rows = list(made(OPENING))
    tables = [{"text": [x], "label": [y]} | ({"where": [x[0]]} if i % 2 else {}) for i, (x, y) in enumerate(rows)]
    whole = {"text": [x for x, _ in rows], "label": [y for _, y in rows]}
    where = [x[0] if i % 2 else None for i, (x, _) in enumerate(rows)]
    how = {"learner": "averaged-perceptron", "features": "words:1 column:where"}
    same(run(map(pa.table, tables), **how), run(iter([pa.table(whole | {"where": where})]), **how))
    with pytest.raises(DataError, match="expected a column 'where' of text or numbers beside the text, found none"):
        run(map(pa.table, [*tables, whole]), **how)


@pytest.mark.parametrize("thing", [3, "a text", None])
def test_what_is_no_example_in_a_stream_is_refused(thing):
    message = (
        f"expected pairs of an example and its output, dicts or tables in the stream, found {type(thing).__name__}: "
    )
    with pytest.raises(DataError, match=f"{message}{thing!r}"):
        run(iter([thing]))


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


def tagged(n, seed=0):
    """Sentences whose tags follow from the words, mostly; a tag of its own comes late."""
    draw = random.Random(seed)
    for i in range(n):
        words = [draw.choice(["the", "a", "dog", "film", "ends", "barks"]) for _ in range(draw.randint(1, 4))]
        tags = [{"the": "D", "a": "D", "dog": "N", "film": "N"}.get(word, "V") for word in words]
        yield words, ["X" if i > n // 2 and word == "ends" else tag for word, tag in zip(words, tags, strict=True)]


def sets(n, seed=0):
    """Texts with any number of labels, of which some come late."""
    draw = random.Random(seed)
    topics = {"wheat": "grain corn", "gold": "mine ounce", "late": "last end", "again": "more much"}
    for i in range(n):
        own = [name for name in (list(topics) if i > n // 2 else list(topics)[:2]) if draw.random() < 0.4]
        yield " ".join([*(word for name in own for word in topics[name].split()), f"w{i // 5}"]), own


def leaves(n, seed=0):
    """Questions whose labels are leaves of a tree that grows."""
    for i, (text, label) in enumerate(made(n, seed=seed)):
        yield text, f"A:{label}" if i < n // 2 or i % 3 else f"{'B' if i % 2 else 'A'}:{label}er"


def rated(n, seed=0):
    draw = random.Random(seed)
    for _ in range(n):
        stars = draw.randint(1, 4)
        yield " ".join(["star"] * stars + [draw.choice("abc")]), str(stars)


TASKS = {"labelset": sets, "ranking": sets, "hierarchy": leaves, "ordinal": rated, "tag": tagged}


@pytest.mark.parametrize("learner", ["averaged-perceptron", "mira", "arow", "pegasos", "naive-bayes"])
@pytest.mark.parametrize("task", TASKS)
def test_every_task_has_the_same_bits_in_one_run_and_in_two(task, learner):
    rows = [(x, y) for x, y in TASKS[task](520) if task != "ranking" or y]
    spec = "w suffix:1-2 y[-1]|w" if task == "tag" else "words:1"
    first = run(iter(rows[:270]), task=task, learner=learner, features=spec)
    then = run(iter(rows[270:]), start=first)
    whole = run(iter(rows), task=task, learner=learner, features=spec)
    same(then, whole)
    assert then.predict([rows[0][0]]) == whole.predict([rows[0][0]])
    assert whole.report["progressive"]["all"]["examples"] == len(rows)
    found = whole.report["progressive"]["all"]
    assert found["mistakes"] < found["judged"]
    assert found["mistakes"] > 0 or learner == "naive-bayes"  # It is not asked about the first examples.


def test_mistakes_over_tags_are_counted_after_going_on_too():
    rows = list(tagged(600))
    how = {"task": "tag", "learner": "mira"}
    first = run(iter(rows[:300]), features="w", **how)
    then = run(iter(rows[300:]), start=first)
    whole = run(iter(rows), features="w", **how)
    n = [model.report["progressive"]["all"]["mistakes"] for model in (first, then, whole)]
    assert n[0] + n[1] == n[2]
    assert n[1] > 0


def test_the_report_has_the_mistakes_over_all_and_over_the_last_part():
    learning = linnet.stream(made(1100), learner="perceptron", features="words:1")
    course = list(learning)
    assert [seen.examples for seen in course] == [256, 512, 768, 1024, 1100]
    at = {seen.examples: seen.all for seen in course}
    assert course[-1].last == at[1100].since(at[512])
    assert course[1].last == at[512].since(at[256])
    report = learning.model().report["progressive"]
    assert [mark["examples"] for mark in report["course"]] == [256, 512, 1024]
    assert report["all"] == {
        "examples": 1100,
        "judged": 1100,
        "mistakes": at[1100].mistakes,
        "loss": at[1100].loss / 1100,
    }
    assert report["last"]["examples"] == 588
    assert learning.stopped == "the stream has ended after 1,100 examples"


def test_a_model_on_the_way_is_not_changed_by_what_follows():
    learning = linnet.stream(made(2000), learner="averaged-mira", features="words:1", keep_state=True)
    next(learning)
    model = learning.model()
    before = [np.array(block) for block in model.weights], model.features.names()
    state = {name: np.array(array) for name, array in model.state[0].items()}
    list(learning)
    assert model.features.names() == before[1]
    for a, b in zip(model.weights, before[0], strict=True):
        np.testing.assert_array_equal(a, b)
    for name, array in model.state[0].items():
        np.testing.assert_array_equal(array, state[name])
    same(run(iter(list(made(2000))[256:]), start=model), learning.model())


def test_a_stream_without_end_is_left_when_there_is_enough():
    def forever():
        seed = 0
        while True:
            yield from made(100, seed=seed)
            seed += 1

    learning = linnet.stream(forever(), learner="perceptron", features="words:1")
    for seen in learning:
        if seen.examples >= 2000:
            break
    learning.stop("left")
    assert learning.stopped == "left after 2,048 examples"
    assert learning.model().report["progressive"]["all"]["examples"] == 2048
    assert next(learning, None) is None


def test_an_interrupt_while_reading_keeps_what_was_learned():
    def broken():
        yield from made(700)
        raise KeyboardInterrupt

    learning = linnet.stream(broken(), learner="perceptron", features="words:1")
    with pytest.raises(KeyboardInterrupt):
        list(learning)
    learning.stop()
    assert learning.stopped == "interrupted after 512 examples"
    same_as = linnet.stream(iter(list(made(700))[:512]), learner="perceptron", features="words:1")
    list(same_as)
    np.testing.assert_array_equal(learning.model().weights[0], same_as.model().weights[0])


def test_labels_that_come_late_are_waited_for():
    """The opening is twice as long, and so on, until there are two labels."""
    rows = [("bad film", "neg")] * 700 + [("good film", "pos")] * 400
    model = run(iter(rows), learner="perceptron", features="words:1")
    assert model.labels == ("neg", "pos")
    assert [mark["examples"] for mark in model.report["progressive"]["course"]] == [1024]
    with pytest.raises(DataError, match="every row has the label 'neg'"):
        run(iter(rows[:700]), learner="perceptron")


def test_files_are_streamed_as_values_are(tmp_path):
    rows = late()
    for name, part in (("a.csv", rows[:300]), ("b.csv", rows[300:]), ("all.csv", rows)):
        (tmp_path / name).write_text("text,label\n" + "".join(f"{x},{y}\n" for x, y in part))
    both = run([str(tmp_path / "a.csv"), str(tmp_path / "b.csv")], learner="pa2")
    whole = run(str(tmp_path / "all.csv"), learner="pa2")
    same(both, whole)
    values = run(({"text": x, "label": y} for x, y in rows), learner="pa2")
    np.testing.assert_array_equal(whole.weights[0], values.weights[0])
    assert whole.provenance["asked"]["once"]
    assert whole.provenance["examples"] == 600


def test_examples_and_labels_apart():
    rows = list(made(300))
    one = run([x for x, _ in rows], labels=[y for _, y in rows], learner="perceptron")
    same(one, run(iter(rows), learner="perceptron"))


@pytest.mark.parametrize("name", sorted(set(LEARNERS) - set(ONLINE)))
def test_learners_that_need_all_examples_are_refused(name):
    with pytest.raises(
        UsageError, match="These learn from one example at a time: naive-bayes, perceptron, averaged-perc"
    ):
        linnet.stream(made(300), learner=name)


def test_what_needs_all_examples_is_refused():
    with pytest.raises(UsageError, match="needs all examples at once with by=lbfgs"):
        list(linnet.stream(made(300), learner="logistic", options={"by": "lbfgs"}))
    with pytest.raises(UsageError, match="needs all examples at once with runs=3"):
        list(linnet.stream(made(300), learner="perceptron", options={"runs": 3}))
    with pytest.raises(UsageError, match="Use --features 'words:1 log l2'"):
        list(linnet.stream(made(300), features="words:1 bm25 min=2"))
    batch = linnet.train(list(made(50)), features="words:1 tfidf")
    with pytest.raises(UsageError, match="Leave out --once to go on from it"):
        linnet.stream(made(300), start=batch)
    with pytest.raises(UsageError, match="Leave them out to go on from one"):
        linnet.stream(made(300), start=batch, features="words:1")
    with pytest.raises(DataError, match="there are no examples"):
        list(linnet.stream(iter([])))


def test_the_usual_features_and_learner_grow():
    learning = linnet.stream(made(300))
    list(learning)
    model = learning.model()
    assert model.learner == "averaged-mira"
    assert "idf" not in str(model.features.spec)
    assert "min=" not in str(model.features.spec)


def test_a_new_rating_is_refused_with_what_to_do():
    rows = [*rated(300), ("star", "9")]
    with pytest.raises(DataError, match="the rating '9' is new to the model"):
        list(linnet.stream(iter(rows), task="ordinal", learner="perceptron", features="words:1"))
