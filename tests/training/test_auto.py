"""auto: folds, the race, and what becomes of it in training and on the command line."""

import json

import numpy as np
import pytest

import linnet
from linnet.errors import DataError, UsageError
from linnet.fitting.contract import Counts, Known, Plan
from linnet.tasks import named
from linnet.tasks.texts.presets import SHORT_FEATURES
from linnet.training import auto as search
from linnet.training.auto import Tried, _parts, _still_in

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
    assert tried[0].report() | {"seconds": 0} == {
        "features": "words:2",
        "learner": "perceptron",
        "options": {},
        "measure": "accuracy",
        "less_is_better": False,
        "score": 1.0,
        "n": 40,
        "seconds": 0,
    }


def test_what_cannot_be_told_apart_goes_over_all_parts_and_the_first_wins():
    plans = [Plan("words:2", "perceptron"), Plan("words:2-3", "perceptron")]
    plan, tried = search.search(named("labels"), plans, gold(), None, seconds=60, seed=0)
    assert plan is plans[0]
    assert [item.report()["n"] for item in tried] == [200, 200]


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
    assert task.candidates(None, long) == plans[:-4]


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

    monkeypatch.setattr("linnet.training.data_to_model.search", once)
    given = {"learner": "auto", "features": "words:1-2", "tol": 1e-9, "checkpoint": tmp_path / "m.part"}
    linnet.train(texts(60), progress=stop, **given)
    assert (tmp_path / "m.part").exists()
    model = linnet.train(texts(60), resume=True, **given)
    assert len(searched) == 1
    chosen = {"learner": searched[0].learner, "options": searched[0].options}
    whole = linnet.train(texts(60), **given | chosen)
    assert np.array_equal(model.weights, whole.weights)
    assert model.report["tried"][0]["options"] == dict(searched[0].options)


def test_one_group_cannot_be_held_out(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("text,label,author\n" + "good,pos,me\nbad,neg,me\n" * 4)
    with pytest.raises(DataError, match="^there is only one group of examples"):
        linnet.train(path, learner="auto")


def test_refusals(tmp_path):
    with pytest.raises(UsageError) as caught:
        linnet.train(texts(), learner="auto", options={"second": 3})
    assert str(caught.value) == "learner 'auto' has no option 'second'. Did you mean 'seconds'? It has: seconds."
    (tmp_path / "x.conll").write_text("the DT\nfilm NN\n\n" * 3)
    with pytest.raises(UsageError) as caught:
        linnet.train(tmp_path / "x.conll", learner="auto")
    assert str(caught.value) == "learner 'auto' chooses for labels only, not for task 'tag'. Name a learner."
