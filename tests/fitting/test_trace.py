"""Traces: every learner over every structure, each step of the real run; and what a step says in words."""

import itertools
import json

import numpy as np
import pytest
from test_every_structure import PROBLEMS, every

import linnet
from linnet.fitting.notation import Notation
from linnet.fitting.trace import Tracer
from linnet.learners.contract import StepsByExample
from linnet.learners.learning import end_of
from linnet.learners.weights import Compressed
from linnet.learners.weights import blocks as blocks_of


@pytest.fixture(scope="module")
def problems():
    return {structure: make() for structure, make in PROBLEMS.items()}


PLAIN = Notation(
    text="x",
    feature=lambda block, j: f"{block} {j}",
    outcome=lambda block, k: f"{block} {k}",
    output=lambda y: " ".join(map(str, y)),
    place=lambda block, place: f"{block} {place}",
)
PASSES = {"epochs": 2, "tol": 0, "seed": 3}


def bits(weights):
    return [w.tobytes() for w in weights]


def replayed(steps, name, shape, g, table):
    """A table as the changes of all steps make it from zeros; rows and columns are named by their numbers."""
    for step in steps:
        for changes in step.changes:
            for change in changes.largest if changes.name == name else ():
                block, k = map(int, change.outcome.split())
                row = 0 if change.row == "bias" else 1 + int(change.row.split()[1])
                if block == g:
                    assert table[row, k] == np.float32(change.before)
                    table[row, k] = np.float32(change.after)
    assert table.shape == shape
    return table


@every
def test_the_steps_are_those_of_training(problems, structure, name, options):
    problem = problems[structure]
    whole = problem.learning(name, options).run(problem.examples, **PASSES)
    watched = problem.learning(name, options)
    tracer = Tracer(watched, problem.examples, lambda i: PLAIN, most=2)
    steps = []
    n = len(problem.examples)
    fit = tracer.tell(watched.course(problem.examples, **PASSES), lambda step: steps.append(step) or len(steps) < n + 1)
    assert bits(fit.weights) == bits(whole.weights)
    assert [epoch.loss for epoch in fit.history] == [epoch.loss for epoch in whole.history]
    epochs = len(whole.history)
    assert len(steps) == (min(n * epochs, n + 1) if isinstance(watched.online, StepsByExample) else epochs)
    assert [step.t for step in steps] == list(range(1, len(steps) + 1))


@pytest.mark.parametrize("structure", PROBLEMS)
@pytest.mark.parametrize(
    "name", ["perceptron", "averaged-mira", "pegasos", "arow", "crf", "naive-bayes", "svm", "boosting"]
)
def test_the_changes_of_all_steps_make_the_weights(problems, structure, name):
    problem = problems[structure]
    watched = problem.learning(name, {})
    course = watched.course(problem.examples, **PASSES)
    steps = list(itertools.islice(Tracer(watched, problem.examples, lambda i: PLAIN).steps(course), 70))
    of = "count" if name == "naive-bayes" else "w"
    for g, table in enumerate(blocks_of(watched.online.last(), watched.gen)):
        assert not isinstance(table, Compressed)
        found = replayed(steps, of, table.shape, g, np.zeros_like(table))
        np.testing.assert_array_equal(found, table)


def test_rows_that_hold_only_what_was_changed_are_compared_where_the_example_is(problems, monkeypatch):
    monkeypatch.setattr("linnet.learners.preset.LARGE", -np.inf)
    problem = problems["labels"]
    watched = problem.learning("perceptron", {})
    course = watched.course(problem.examples, **PASSES)
    steps = list(itertools.islice(Tracer(watched, problem.examples, lambda i: PLAIN).steps(course), 70))
    (table,) = blocks_of(watched.online.last(), watched.gen)
    assert isinstance(table, Compressed)
    whole = table[np.arange(12)]
    np.testing.assert_array_equal(replayed(steps, "w", whole.shape, 0, np.zeros_like(whole)), whole)


def test_after_some_steps_training_goes_on_as_if_nobody_had_watched(problems):
    problem = problems["chain"]
    whole = problem.learning("crf", {}).run(problem.examples, **PASSES)
    watched = problem.learning("crf", {})
    course = watched.course(problem.examples, **PASSES)
    steps = list(itertools.islice(Tracer(watched, problem.examples, lambda i: PLAIN).steps(course), 7))
    assert watched.online.t == len(steps) == 7
    assert bits(end_of(course).weights) == bits(whole.weights)


TEXTS = ["a good film", "a bad film", "good and fine", "bad and poor"]
GOLD = ["+", "-", "+", "-"]


def steps_of(learner, n=None, **how):
    return list(linnet.trace(TEXTS, GOLD, learner=learner, features="words:1", shuffle=False, steps=n, **how))


def test_a_step_of_mira_in_the_notation_of_the_lectures():
    first, second = steps_of("mira", 2)
    assert (first.t, first.epoch, first.example, first.x, first.y, first.y_hat) == (1, 1, 0, "a good film", "+", "+")
    assert [(one.name, one.value) for one in first.features] == [("a", 1), ("good", 1), ("film", 1)]
    # ||f(x, +) - f(x, -)||^2 is 2 (3 + 1), with the bias, and the margin of 1 is missing.
    assert (first.loss, first.tau) == (1, 1 / 8)
    (chart,) = first.charts
    assert [(name, cell.score, cell.r, cell.y, cell.y_hat) for name, (cell,) in chart.rows] == [
        ("+", 0, -1, 1, 1),
        ("-", 0, 1, 0, 0),
    ]
    (w,) = first.changes
    assert (w.name, w.n) == ("w", 8)
    assert {(one.row, one.outcome): (one.before, one.after) for one in w.largest} == {
        (word, label): (0, sign / 8) for word in ("bias", "a", "good", "film") for label, sign in (("+", 1), ("-", -1))
    }
    # Three of four features are those of the first example: w.f(x, +) = 3/8, so that the margin is 3/4 on the wrong side.
    assert (second.y, second.y_hat, second.score, second.score_of_y) == ("-", "+", 3 / 8, -3 / 8)
    assert (second.loss, second.tau) == (1.75, 1.75 / 8)


def test_the_trace_of_training_ends_with_its_model():
    model = linnet.train(TEXTS, GOLD, learner="averaged-perceptron", features="words:1", epochs=3)
    steps = list(linnet.trace(TEXTS, GOLD, learner="averaged-perceptron", features="words:1", epochs=3, changes=None))
    assert len(steps) == 4 * len(model.report["epochs"])


def test_watching_a_training_does_not_change_it():
    seen = []
    how = {"learner": "pegasos", "features": "words:1", "epochs": 4}
    plain = linnet.train(TEXTS, GOLD, **how)
    model = linnet.train(TEXTS, GOLD, **how, watch=lambda step: seen.append(step) or len(seen) < 5)
    assert bits(model.weights) == bits(plain.weights)
    assert [step.t for step in seen] == [1, 2, 3, 4, 5]


def test_naive_bayes_counts():
    first, second, *_ = steps_of("naive-bayes")
    assert (first.y_hat, first.loss, first.tau) == (None, None, None)
    assert [(one.row, one.outcome, one.before, one.after) for one in second.changes[0].largest] == [
        ("bias", "-", 0, 1),
        ("a", "-", 0, 1),
        ("film", "-", 0, 1),
        ("bad", "-", 0, 1),
    ]
    assert second.changes[0].name == "count"


def test_the_dual_has_alphas():
    (first,) = steps_of("svm", 1, options={"loss": "multiclass-hinge", "C": 1})
    w, alpha = first.changes
    assert (w.name, alpha.name) == ("w", "alpha")
    # As MIRA's first step: alpha = loss / ||f(x, +) - f(x, -)||^2.
    assert [(one.row, one.outcome, one.before, one.after) for one in alpha.largest] == [
        ("example 0", "+", 0, 1 / 8),
        ("example 0", "-", 0, -1 / 8),
    ]


def test_kernels_and_neighbours_say_what_they_keep():
    steps = steps_of("kernel-perceptron", 4, options={"kernel": "linear"})
    found = [[(one.row, one.outcome, one.after) for one in step.changes[0].largest] for step in steps]
    expected = [[(f"example {i}", "+", sign), (f"example {i}", "-", -sign)] for i, sign in enumerate([1, -1, 1, -1])]
    assert found == [alphas if step.tau else [] for step, alphas in zip(steps, expected, strict=True)]
    assert found[1]
    (first,) = steps_of("neighbours", 1)
    assert [(one.row, one.outcome, one.after) for one in first.changes[0].largest] == [("example 0", "+", 1)]


def test_a_batch_learner_has_a_step_for_each_pass():
    first, second = steps_of("logistic", 2, options={"by": "lbfgs"})
    assert (first.example, first.changes[0].n) == (None, 0)
    assert first.numbers["objective F(w)"][1] == pytest.approx(np.log(2))
    assert second.numbers["objective F(w)"][1] < np.log(2)
    # At w = 0, p = 1/2: 1/4 sum_i x_i (1/2 - y_i) is 1/4 for good and for bad, 1/8 for fine and for poor, each with both signs.
    assert first.numbers["|gradient|"][1] == pytest.approx(np.sqrt(4 * (1 / 16 + 1 / 64)))
    assert second.numbers["|gradient|"][1] < first.numbers["|gradient|"][1]


def test_boosting_has_a_step_for_each_round_with_its_distribution():
    first, second = steps_of("boosting", 2, options={"by": "stumps"})
    assert first.distribution == tuple((text, 0.25) for text in TEXTS)
    changed = {one.row for one in first.changes[0].largest}
    assert changed <= {"bias", "good", "bad"}
    assert sum(share for _, share in second.distribution) == pytest.approx(1)


SENTENCES = [["the", "dog", "barks"], ["dogs", "bark"]]
TAGS = [["D", "N", "V"], ["N", "V"]]


@pytest.mark.parametrize("features", ["w", "w y[-2]|y[-1]"])
def test_tags_have_the_table_of_viterbi(features):
    steps = list(
        linnet.trace(SENTENCES, TAGS, task="tag", features=features, learner="averaged-perceptron", epochs=4, steps=6)
    )
    for step in steps:
        viterbi, emissions, *_ = step.charts
        words = step.x.split()
        assert list(viterbi.columns) == words
        last = [(cells[-1].score, tag) for tag, cells in viterbi.rows]
        assert max(last)[0] == pytest.approx(step.score)
        best = dict(viterbi.rows)
        tag, found = step.y_hat.split()[-1], []
        for t in range(len(words) - 1, -1, -1):
            found.insert(0, tag)
            tag = best[tag][t].back
        if features == "w" and (step.right or step.score != step.score_of_y):  # else y_hat is another of the best
            assert " ".join(found) == step.y_hat
        assert [tag for tag, cells in emissions.rows for cell in cells[:1] if cell.y] == [step.y.split()[0]]


def test_trees_have_arcs_with_scores(tmp_path):
    text = "1\tdogs\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    path = tmp_path / "t.conllu"
    path.write_text(text * 3, encoding="utf-8")
    first, *_ = linnet.trace(
        str(path), task="parse", learner="averaged-perceptron", steps=1, options={"tags": "given", "prune": "0"}
    )
    assert first.y == "bark >nsubj> dogs, ROOT >root> bark"
    arcs = first.charts[0]
    assert (arcs.columns, [name for name, _ in arcs.rows]) == (("dogs", "bark"), ["ROOT", "dogs", "bark"])
    assert [[cell.y for cell in cells] for _, cells in arcs.rows] == [[0, 1], [0, 0], [1, 0]]


def test_a_step_is_plain_values_for_json():
    (first,) = steps_of("perceptron", 1)
    plain = json.loads(json.dumps(first.as_dict()))
    assert {"t", "epoch", "example", "x", "y", "y_hat", "features", "charts", "loss", "tau", "changes"} <= set(plain)
    assert "distribution" not in plain


@pytest.mark.parametrize("how", [{"shards": 4}, {"cluster": "local:2"}])
def test_a_trace_is_of_one_machine(how):
    with pytest.raises(linnet.UsageError, match="a trace is for learning on one machine"):
        linnet.trace(TEXTS, GOLD, learner="mira", **how)


def test_a_trace_begins_from_nothing():
    with pytest.raises(linnet.UsageError, match="a trace begins from nothing, and takes no start"):
        linnet.trace(TEXTS, GOLD, start="m.linnet")
    with pytest.raises(linnet.UsageError, match="unknown learner 'mirra'"):
        linnet.trace(TEXTS, GOLD, learner="mirra")


class Marks(linnet.Structure):
    """Which letters to mark: never two side by side."""

    outcomes = (2,)

    def features(self, x):
        return [[{"letter": letter} for letter in x]]

    def mu(self, y):
        return [(0, t, k) for t, k in enumerate(y)]

    def outputs(self, places):
        every = itertools.product((0, 1), repeat=places[0])
        return [y for y in every if not any(a and b for a, b in itertools.pairwise(y))]


def test_a_structure_of_ones_own_is_watched():
    X, Y = ["aba", "ba"], [(1, 0, 1), (0, 1)]
    seen = []
    watched = linnet.learn(Marks, X, Y, learner="mira", watch=lambda step: seen.append(step) or len(seen) < 2)
    plain = linnet.learn(Marks, X, Y, learner="mira")
    assert bits(watched.weights) == bits(plain.weights)
    assert {step.x: step.y for step in seen} == {"aba": "(1, 0, 1)", "ba": "(0, 1)"}
    assert {one.name for one in seen[0].features} == {"letter:a", "letter:b"}
    assert seen[0].y_hat in map(str, itertools.product((0, 1), repeat=len(seen[0].x)))


@pytest.mark.parametrize("seed", range(6))
def test_a_tie_is_shown_as_the_mistake_that_it_is(seed):
    """With weights of 0 all labels tie, so that the first example moves the weights, whichever it is."""
    first = next(linnet.trace(["good", "bad"], ["+", "-"], learner="perceptron", features="words:1", seed=seed))
    assert first.y_hat != first.y
    assert not first.right
    assert first.tau == 1
