"""auto: folds, the race, and what becomes of it in training and on the command line."""

import itertools
import json

import numpy as np
import pytest

import linnet
from linnet.errors import DataError, UsageError
from linnet.fitting.contract import Counts, Known, Plan
from linnet.learners import learner
from linnet.tasks import configured, named
from linnet.tasks.texts.presets import SHORT_FEATURES
from linnet.training import auto as search
from linnet.training.auto import Tried, _even, _parts, _still_in

LABELS = ("neg", "pos")


def texts(n=200, seed=0):
    """The label is whether `good` follows `not`: words alone cannot tell, pairs can."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    found = [("not good and bad", "not bad and good")[k] + f" x{rng.integers(50)}" for k in y]
    return found, [LABELS[k] for k in y]


WORDS, PAIRS = Plan("words:1", "perceptron"), Plan("words:2", "perceptron")


def gold(n=200):
    return named("labels").read(texts(n), {})


def test_what_is_worse_by_more_than_twice_the_standard_error_drops_out():
    # Of 100 examples one is right on 90. One that is wrong on 4 of these: d has mean 0.04 and standard error
    # sqrt(0.04 * 0.96 / 100) = 0.0196, so 0.04 > 2 x 0.0196 drops out; on 3 of them 0.03 <= 2 x 0.0171 does not.
    def tried(right):
        return Tried(WORDS, [Counts("accuracy", (np.arange(100) < right).astype(float), np.ones(100))])

    best, near, far, same = tried(90), tried(87), tried(86), tried(90)
    assert _still_in([near, best, far, same]) == [near, best, same]


def test_the_plan_that_is_right_wins_after_one_part():
    plan, tried = search.search(named("labels"), [WORDS, PAIRS], gold(), None, seconds=60, seed=0)
    assert plan is PAIRS
    assert [item.plan for item in tried] == [PAIRS, WORDS]
    assert tried[0].report() == {
        "features": "words:2",
        "learner": "perceptron",
        "options": {},
        "measure": "accuracy",
        "less_is_better": False,
        "score": 1.0,
        "n": 40,
    }


def test_what_cannot_be_told_apart_goes_over_all_parts_and_the_first_wins():
    plans = [Plan("words:2", "perceptron"), Plan("words:2-3", "perceptron")]
    plan, tried = search.search(named("labels"), plans, gold(), None, seconds=60, seed=0)
    assert plan is plans[0]
    assert [item.report()["n"] for item in tried] == [200, 200]


@pytest.mark.parametrize(("gained", "lost", "chosen"), [(0, 0, 0), (3, 2, 0), (5, 0, 1), (0, 5, 0)])
def test_the_usual_plan_gives_way_to_one_that_is_better_by_a_standard_error(monkeypatch, gained, lost, chosen):
    # 100 examples, of which the usual plan has 90: with 3 gained and 2 lost, d has a mean of 0.01 and a standard error of
    # sqrt(0.05 - 0.01^2) / 10 = 0.0223; with 5 gained, 0.05 and 0.0218.
    usual, other = np.arange(100) < 90, (np.arange(100) >= lost) & (np.arange(100) < 90 + gained)
    right = iter([usual, other])

    def trial(ready, tried, *rest):
        tried.held.append(Counts("accuracy", next(right).astype(float), np.ones(100)))
        return 1.0

    monkeypatch.setattr(search, "_try", trial)
    held = named("labels").read(texts(30, seed=1), {}, Known(gold().labels, {}))
    plan, tried = search.search(named("labels"), [WORDS, PAIRS], gold(), held, seconds=60, seed=0)
    assert plan is (WORDS, PAIRS)[chosen]
    assert tried[0].plan is plan


def test_without_time_the_first_features_are_taken():
    plan, tried = search.search(named("labels"), [WORDS, PAIRS], gold(), None, seconds=0, seed=0)
    assert (plan, len(tried)) == (WORDS, 1)


def test_held_out_data_of_ones_own_is_what_is_predicted():
    held = named("labels").read(texts(30, seed=1), {}, Known(gold().labels, {}))
    _, tried = search.search(named("labels"), [WORDS, PAIRS], gold(), held, seconds=60, seed=0)
    assert [item.report()["n"] for item in tried] == [30, 30]


def test_ctrl_c_takes_the_best_so_far(monkeypatch):
    task, seen = named("labels"), []

    def fit(spec, gold, steps, fit=task.fit):
        seen.append(spec)
        if spec == "words:1-2":
            raise KeyboardInterrupt
        return fit(spec, gold)

    monkeypatch.setattr(type(task), "fit", staticmethod(fit))
    plans = [WORDS, PAIRS, Plan("words:1-2", "perceptron")]
    plan, tried = search.search(task, plans, gold(), None, seconds=60, seed=0)
    assert plan is PAIRS
    assert (len(tried), seen) == (2, ["words:1", "words:2", "words:1-2"])


def test_training_learns_the_choice_from_all_data():
    model = linnet.train(texts(), learner="auto")
    tried = model.report["tried"]
    assert tried[0]["score"] == 1.0
    best = tried[0]
    again = linnet.train(texts(), learner=best["learner"], features=best["features"], options=best["options"])
    assert (model.learner, str(model.features.spec)) == (best["learner"], best["features"])
    assert np.array_equal(model.weights, again.weights)


def test_more_is_tried_where_texts_are_short():
    task = named("labels")
    short, long = (task.read((["What is it ?" * n] * 2, ["a", "b"]), {}) for n in (1, 20))
    plans = task.candidates(None, short)
    tried = [(plan.options["C"], plan.options["power"]) for plan in plans if plan.features == SHORT_FEATURES]
    assert tried == [(1, 0.5), (0.3, 0.5), (2, 0.5), (2, 0)]
    assert task.candidates(None, long) == plans[4:]


SENTENCES = [["the", "dog", "barks"], ["a", "cat", "sleeps"], ["dogs", "bark"], ["the", "cat"]] * 10
DATA = {
    "labels": (texts(40), "accuracy"),
    "labelset": ((texts(40)[0], [[y, "all"] for y in texts(40)[1]]), "F1"),
    "ranking": ((texts(40)[0], [[y] for y in texts(40)[1]]), "average precision"),
    "hierarchy": ((texts(40)[0], [f"A/{y}" if y == "pos" else f"B/{y}" for y in texts(40)[1]]), "tree loss"),
    "ordinal": ((texts(40)[0], ["1" if y == "pos" else "2" for y in texts(40)[1]]), "mean absolute error"),
    "tag": ((SENTENCES, [["D" if w in ("the", "a") else "W" for w in s] for s in SENTENCES]), "token accuracy"),
    "spans": ((SENTENCES, [["O" if w in ("the", "a") else "B-X" for w in s] for s in SENTENCES]), "F1"),
    "subset": ((texts(40)[0], [[y, "all"] for y in texts(40)[1]]), "accuracy"),
    "shared": ((texts(40)[0], ["1" if y == "pos" else "2" for y in texts(40)[1]]), "mean absolute error"),
}
SETTINGS = {
    "spans": ("tag", {}),
    "subset": ("labelset", {"costs": "subset"}),
    "shared": ("ordinal", {"score": "shared"}),
}


def searched(name):
    task, settings = SETTINGS.get(name, (name, {}))
    return configured(named(task), settings)[0], settings


def whole(plan):
    """A plan with all options of its learner."""
    return plan.features, plan.learner, learner(plan.learner).checked(plan.options)


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("spec", [None, "given"])
def test_the_usual_plan_is_first_and_the_same_features_stand_together(name, spec):
    task, _ = searched(name)
    data = task.read(DATA[name][0], {})
    spec = spec and ("w" if task.name == "tag" else "words:1")
    plans = task.candidates(spec, data)
    assert whole(plans[0]) == whole(task.plan(spec, data))
    assert 2 <= len(plans) <= 15
    assert len({str(whole(plan)) for plan in plans}) == len(plans)
    runs = [features for features, _ in itertools.groupby(plans, key=lambda plan: plan.features)]
    assert len(runs) == len(set(runs)) == (1 if spec else len(runs))


@pytest.mark.parametrize("name", DATA)
def test_every_task_with_several_plans_is_searched_by_its_measure(name):
    task, settings = searched(name)
    data, measure = DATA[name]
    spec = "w y[-1]|w" if task.name == "tag" else "words:1-2"
    model = linnet.train(data, task=task.name, learner="Auto", features=spec, options=settings | {"seconds": 600})
    tried = model.report["tried"]
    assert {item["measure"] for item in tried} == {measure}
    assert all(item["less_is_better"] == measure.endswith(("loss", "error")) for item in tried)
    assert len(tried) == len(task.candidates(spec, task.read(data, {})))
    best = tried[0]
    assert (model.learner, str(model.features.spec)) == (best["learner"], best["features"])
    assert best["score"] == (0.0 if best["less_is_better"] else 1.0)


def test_label_sets_are_tried_with_the_thresholds_that_training_sets():
    rng = np.random.default_rng(0)
    sets = [[name for name in "abc" if rng.random() < 0.3] for _ in range(300)]
    found = [" ".join([*(y for y in one if rng.random() < 0.6), "x", f"y{rng.integers(9)}"]) for one in sets]
    task = named("labelset")
    gold, plan = task.read((found[:200], sets[:200]), {}), Plan("words:1", "nb-svm")
    held = task.read((found[200:], sets[200:]), {}, Known(gold.labels, gold.details))
    _, (tried,) = search.search(task, [plan], gold, held, seconds=60, seed=0)
    model = linnet.train((found[:200], sets[:200]), task="labelset", features=plan.features, learner=plan.learner)
    assert model.report["thresholds"] == "micro"
    assert tried.report()["score"] == pytest.approx(model.evaluate(found[200:], sets[200:]).micro_f1)


def test_sentences_that_stand_together_are_held_out_together():
    task = named("tag")
    data = task.read(DATA["tag"][0], {})
    held = [test.sentences.columns["w"].to_pylist() for _, test in _parts(data.part(np.arange(20)), None, 0)]
    words = [word for sentence in SENTENCES[:20] for word in sentence]
    assert len(held) == 5
    assert sorted(word for part in held for word in part) == sorted(words)
    assert held[0][:3] == SENTENCES[0]


def test_a_part_that_only_some_plans_have_seen_does_not_count():
    part = Counts("accuracy", np.ones(2), np.ones(2))
    first, second, third = (Tried(WORDS, [part] * n) for n in (2, 1, 0))
    _even([first, second])
    assert (len(first.held), len(second.held)) == (1, 1)
    _even([first, third])
    assert (len(first.held), len(third.held)) == (1, 0)


def test_without_time_for_the_next_part_the_parts_before_decide(monkeypatch):
    """The second plan is better on the first part, and the time is over when the first has been tried on the second."""
    now, plans = [0.0], [Plan("words:2", "perceptron"), Plan("words:2-3", "perceptron")]
    right = iter([0.9, 1.0, 1.0])
    monkeypatch.setattr(search.time, "monotonic", lambda: now[0])

    def trial(ready, tried, *rest):
        now[0] += 10
        tried.held.append(Counts("accuracy", np.full(40, next(right)), np.ones(40)))
        return 10

    monkeypatch.setattr(search, "_try", trial)
    monkeypatch.setattr(search, "_still_in", lambda alive: alive)
    plan, tried = search.search(named("labels"), plans, gold(), None, seconds=49, seed=0)
    assert plan is plans[1]
    assert [len(item.held) for item in tried] == [1, 1]


def test_features_that_are_given_are_kept():
    model = linnet.train(texts(60), learner="auto", features="words:2")
    assert {item["features"] for item in model.report["tried"]} == {"words:2"}
    assert len({tuple(item["options"].values()) for item in model.report["tried"]}) > 3


def test_a_column_of_groups_is_honoured(tmp_path):
    rows = [{"text": t, "label": y, "thread": f"t{i // 10}"} for i, (t, y) in enumerate(zip(*texts(100), strict=True))]
    path = tmp_path / "data.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    data = named("labels").read(str(path), {})
    for training, test in _parts(data, None, 0):
        assert not set(training.column("thread")) & set(test.column("thread"))
        assert len(test) == 20
    model = linnet.train(str(path), dev=0.25, features="words:1-2")
    assert model.provenance["held_out"] == 30


def test_a_checkpoint_goes_on_with_what_was_chosen(tmp_path, monkeypatch):
    """Interrupted while learning from all data, it does not search again."""
    monkeypatch.setattr("linnet.training.checkpoint._WORTH_KEEPING", 0)
    searched, find = [], search.search

    def once(*arguments, **options):
        found = find(*arguments, **options)
        searched.append(found[0])
        return found

    def stop(progress):
        if searched and progress.epoch > 1:
            raise KeyboardInterrupt

    monkeypatch.setattr("linnet.training.auto.search", once)
    given = {"learner": "auto", "features": "words:1-2", "tol": 1e-9, "checkpoint": tmp_path / "m.part"}
    linnet.train(texts(60), progress=stop, **given)
    assert (tmp_path / "m.part").exists()
    model = linnet.train(texts(60), resume=True, **given)
    assert len(searched) == 1
    chosen = {"learner": searched[0].learner, "options": searched[0].options}
    whole = linnet.train(texts(60), **given | chosen)
    assert np.array_equal(model.weights, whole.weights)
    assert model.report["tried"][0]["options"] == dict(searched[0].options)


def test_the_same_search_writes_the_same_file(tmp_path):
    """How long each plan took is no part of the model."""
    for name in ("first", "second"):
        linnet.train(texts(60), learner="auto", features="words:1-2").save(tmp_path / name)
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()


def test_one_group_cannot_be_held_out(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("text,label,author\n" + "good,pos,me\nbad,neg,me\n" * 4)
    with pytest.raises(DataError, match="^there is only one group of examples"):
        linnet.train(path, learner="auto")


def test_refusals(tmp_path):
    with pytest.raises(UsageError) as caught:
        linnet.train(texts(), learner="auto", options={"second": 3})
    assert str(caught.value) == "learner 'auto' has no option 'second'. Did you mean 'seconds'? It has: seconds."
    (tmp_path / "x.mrg").write_text("( (S (NP (DT The) (NN film)) (VP (VBZ ends))))\n" * 3)
    with pytest.raises(UsageError) as caught:
        linnet.train(tmp_path / "x.mrg", learner="auto")
    assert str(caught.value) == (
        "task 'brackets' has one plan, so there is nothing for learner 'auto' to choose from. Leave the learner out, which "
        "takes 'averaged-mira', or name one."
    )
