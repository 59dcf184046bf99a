"""Comparisons: the same figures as by hand with linnet.train, over the folds of the data, and what becomes of trouble."""

import json
import threading

import numpy as np
import pytest

import linnet
from linnet import comparison
from linnet.comparison import compare, work
from linnet.errors import UsageError
from linnet.evaluate.significance import mcnemar
from linnet.fitting import trials
from linnet.fitting.contract import Plan
from linnet.tasks import named
from linnet.tasks.tag.measures import evaluate_tags

LEARNERS = ["averaged-perceptron", "naive-bayes", "perceptron"]


def noisy(n, seed=0, share=0.75):
    """Texts of words that point to one label or the other, not always rightly."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, n)
    words = [
        [f"w{(rng.integers(30) * 2 + (label if rng.random() < share else 1 - label))}" for _ in range(8)]
        for label in labels
    ]
    return [" ".join(row) for row in words], ["np"[label] for label in labels]


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    texts, labels = noisy(240)
    path = tmp_path_factory.mktemp("comparison") / "data.jsonl"
    rows = [{"text": t, "label": y, "fold": "abc"[i % 3]} for i, (t, y) in enumerate(zip(texts, labels, strict=True))]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture(scope="module")
def result(file):
    return compare(file, learners=LEARNERS, features=["words:1", "words:1-2"])


def test_the_score_is_that_of_models_trained_by_hand(result):
    texts, labels = noisy(240)
    right = {}
    for learner in LEARNERS:
        found = []
        for fold in range(3):
            train, held = ([i for i in range(240) if (i % 3 == fold) == held] for held in (False, True))
            model = linnet.train(
                ([texts[i] for i in train], [labels[i] for i in train]), learner=learner, features="words:1"
            )
            found += [a == labels[i] for i, a in zip(held, model.predict([texts[i] for i in held]), strict=True)]
        right[learner] = np.array(found)
    rows = {row.system: row for row in result.rows}
    for learner in LEARNERS:
        row = rows["words:1", learner]
        p = right[learner].mean()
        assert row.score == pytest.approx(p)
        assert row.error == pytest.approx(np.sqrt(p * (1 - p) / 240))
        assert row.folds == pytest.approx([part.mean() for part in np.split(right[learner], 3)])
    names = [row.system for row in result.rows]
    a, b = right["averaged-perceptron"], right["perceptron"]
    i, j = names.index(("words:1", "averaged-perceptron")), names.index(("words:1", "perceptron"))
    raw = mcnemar(int((a & ~b).sum()), int((b & ~a).sum()))
    assert raw <= result.p[i, j] <= min(1, 15 * raw)  # Holm over 15 pairs


def test_all_systems_are_there_the_best_first(result):
    assert len(result.rows) == 6
    assert [row.score for row in result.rows] == sorted((row.score for row in result.rows), reverse=True)
    assert "a" in result.rows[0].letters
    assert result.measure == "accuracy"
    assert result.how == "each of the 3 folds of the column 'fold' once"
    assert result.confusion.sum() == 240
    assert np.trace(result.confusion) == round(240 * result.best.score)
    assert result.refused == []
    assert set(result.strongest) == {"n", "p"}
    assert all(int(item.feature.split()[0][1:]) % 2 == 1 for item in result.strongest["p"][:3])


@pytest.fixture(scope="module")
def rated():
    """Ratings 1, 2, 5 of texts in which a word points to the rating, not always rightly."""
    rng = np.random.default_rng(4)
    at = rng.integers(0, 3, 150)
    seen = np.where(rng.random(150) < 0.7, at, rng.integers(0, 3, 150))
    return [f"w{k} x{rng.integers(9)}" for k in seen], ["125"[k] for k in at]


def test_ratings_are_compared_by_their_absolute_error_and_less_is_better(rated):
    texts, ratings = rated
    learners = ["logistic", "averaged-mira", "naive-bayes", "perceptron"]
    found = compare(rated, task="ordinal", folds=3, learners=learners, features=["words:1"])
    assert (found.measure, found.less_is_better) == ("mean absolute error", True)
    assert [row.score for row in found.rows] == sorted(row.score for row in found.rows)
    assert found.refused == []
    fold_of = comparison._folds(named("ordinal").read(rated, {}), 3, 0, None)[0]
    off, right, scores = [], [], []
    for fold in range(3):
        train, held = np.flatnonzero(fold_of != fold), np.flatnonzero(fold_of == fold)
        model = linnet.train(
            ([texts[i] for i in train], [ratings[i] for i in train]), task="ordinal", learner="logistic", features="words:1",
            options={"runs": 3},
        )  # fmt: skip
        y_hat = model.predict([texts[i] for i in held])
        off += [abs(int(a) - int(ratings[i])) for a, i in zip(y_hat, held, strict=True)]
        right += [a == ratings[i] for a, i in zip(y_hat, held, strict=True)]
        scores.append(np.mean(off[-len(held) :]))
    row = next(row for row in found.rows if row.system.learner == "logistic")
    assert (row.score, row.accuracy) == (pytest.approx(np.mean(off)), pytest.approx(np.mean(right)))
    assert row.error == pytest.approx(np.std(off) / np.sqrt(150))
    assert row.curve.held[-1] == pytest.approx(np.mean(scores))
    assert "mean absolute error" in row.verdict.sentence
    assert found.as_dict()["less_is_better"] is True


def test_costs_are_what_systems_are_compared_by():
    texts, labels = noisy(120)
    costs = {"costs": {("n", "p"): 5.0}}
    found = compare((texts, labels), folds=2, learners=["logistic", "perceptron"], features=["words:1"], settings=costs)
    assert found.measure == "mean cost"
    C = np.array([[0, 5], [1, 0]])
    assert found.best.score == pytest.approx((found.confusion * C).sum() / 120)
    assert found.best.accuracy == pytest.approx(np.trace(found.confusion) / 120)


def test_trees_are_compared_by_their_loss():
    rng = np.random.default_rng(0)
    at = rng.integers(0, 4, 80)
    labels = [("a/x", "a/y", "b/x", "b/y")[k] for k in at]
    texts = [f"w{k if rng.random() < 0.8 else rng.integers(4)}" for k in at]
    found = compare((texts, labels), task="hierarchy", folds=2, learners=["averaged-mira"], features=["words:1"])
    edges = np.array([[0 if a == b else 2 if a // 2 == b // 2 else 4 for b in range(4)] for a in range(4)])
    assert found.measure == "tree loss"
    assert found.best.score == pytest.approx((found.confusion * edges).sum() / 80)


def test_auto_is_none_to_compare():
    with pytest.raises(UsageError, match="chooses among others by itself"):
        linnet.compare((["good", "bad"] * 10, ["+", "-"] * 10), learners=["auto", "mira"])


def test_curves_beliefs_and_verdicts(result):
    for row in result.rows:
        assert row.curve.sizes == (20, 40, 80, 160)
        assert row.curve.held[-1] == pytest.approx(1 - np.mean(row.folds))
        assert row.verdict.kind in ("fits", "overfits", "underfits")
        assert sum(row.reliability.size) == 240
        assert row.losses["0-1"] == pytest.approx(1 - row.score)
        assert 0 < row.log_loss < 3
    bayes = next(row for row in result.rows if row.system == ("words:1", "naive-bayes"))
    assert bayes.log_loss == pytest.approx(bayes.losses["log"], rel=1e-4)  # its scores are its probabilities


def test_the_most_wrong_are_wrong_and_the_worst_comes_first(result):
    texts, labels = noisy(240)
    assert [item.p for item in result.mistakes] == sorted(item.p for item in result.mistakes)
    for item in result.mistakes:
        assert item.gold != item.predicted
        assert (item.text, item.gold) == (texts[item.example], labels[item.example])


def test_as_json(result):
    found = json.loads(json.dumps(result.as_dict()))
    assert found["systems"][0]["learner"] == result.best.system.learner
    assert {
        "score",
        "error",
        "letters",
        "folds",
        "train",
        "seconds",
        "verdict",
        "curve",
        "log_loss",
        "ece",
        "losses",
    } <= set(found["systems"][0])
    assert len(found["p"]) == 6


def test_a_test_part_is_tried_too_and_does_not_change_the_rest(file, tmp_path, result):
    texts, labels = noisy(100, seed=1)
    texts[0] = noisy(240)[0][5].upper()
    test = tmp_path / "test.jsonl"
    test.write_text("".join(json.dumps({"text": t, "label": y}) + "\n" for t, y in zip(texts, labels, strict=True)))
    found = compare(file, test=test, learners=LEARNERS, features=["words:1"])
    model = linnet.train(file, learner="perceptron", features="words:1")
    row = next(row for row in found.rows if row.system.learner == "perceptron")
    assert row.test == pytest.approx(model.evaluate(texts, labels).accuracy)
    assert row.score == next(r.score for r in result.rows if r.system == row.system)
    assert found.duplicates.exact == [(5, 0)]
    alone = compare(file, test=test, folds=0, learners=["perceptron"], features=["words:1"])
    assert alone.best.score == row.test
    assert alone.best.test is None
    assert alone.best.curve.sizes == (30, 60, 120, 240)


def test_random_folds_keep_groups_together():
    class Grouped:
        y, labels, source = np.array([0, 1] * 20), ("a", "b"), "x"

        def __len__(self):
            return 40

        def column(self, name):
            return [i // 4 for i in range(40)] if name == "author" else None

    found, how = comparison._folds(Grouped(), None, 0, None)
    assert how == "each of 5 random folds once, those of one author together"
    assert all(len(set(found[4 * g : 4 * g + 4])) == 1 for g in range(10))


def test_who_refuses_is_listed_with_his_sentence(file):
    found = compare(file, learners=["perceptron"], features=["words:1 sequence", "words:1"], folds=3)
    assert [row.system.features for row in found.rows] == ["words:1"]
    ((system, reason),) = found.refused
    assert system.features == "words:1 sequence"
    assert reason.startswith(
        "features with 'sequence' have positions in the text as their values, which learner 'perceptron'"
    )
    with pytest.raises(UsageError, match="have positions in the text as their values"):
        compare(file, learners=["perceptron"], features=["words:1 sequence"], folds=3)


def test_features_that_leave_nothing_are_refused(file):
    found = compare(file, learners=["perceptron"], features=["words:1", "words:8 min=9"])
    assert [row.system.features for row in found.rows] == ["words:1"]
    assert found.refused[0][1].startswith("no feature of 'words:8 min=9' is left")


def test_features_that_leave_nothing_of_a_small_part_have_no_learning_curve(file):
    found = compare(file, learners=["perceptron"], features=["words:1", "words:1 min=12"])
    assert found.refused == []
    curves = {row.system.features: row.curve for row in found.rows}
    assert curves["words:1"] is not None
    assert curves["words:1 min=12"] is None


def test_tags_are_compared_by_the_f1_of_spans(tmp_path):
    rng = np.random.default_rng(0)
    words = {"B-NP": "the a", "I-NP": "film dog end", "B-VP": "ends runs film"}
    lines = []
    for _ in range(60):
        for tag in ("B-NP", "I-NP", "B-VP"):
            lines.append(f"{rng.choice(words[tag].split())} {tag if rng.random() > 0.1 else 'O'}")
        lines.append("")
    path = tmp_path / "chunks.conll"
    path.write_text("\n".join(lines) + "\n")
    found = compare(path, learners=["averaged-perceptron", "crf"], features=["w"], folds=3)
    assert found.measure == "F1"
    assert found.labels[0] == "O"
    # The counts of all held-out sentences together are those of conlleval.
    gold = linnet.tasks.named("tag").read(str(path), {})
    fold_of, _ = comparison._folds(gold, 3, 0, None)
    tags, predicted = [], []
    for fold in range(3):
        model = linnet.train(path, learner="averaged-perceptron", features="w")  # for its shape
        part, held = gold.part(np.flatnonzero(fold_of != fold)), gold.part(np.flatnonzero(fold_of == fold))
        ready = trials.make_ready(linnet.tasks.named("tag"), "w", part, held)
        trial = trials.attempt(ready, Plan("w", "averaged-perceptron"))
        tags += [model.labels[k] for k in held.y]
        predicted += [model.labels[k] for k in trial.y_hat]
    report = evaluate_tags(tags, predicted, np.arange(0, len(tags) + 1, 3))
    row = next(row for row in found.rows if row.system.learner == "averaged-perceptron")
    assert row.score == pytest.approx(report.f1)


def test_what_was_done_before_an_interruption_is_kept(file, monkeypatch):
    """Ctrl-C after the first fold: its figures stand, and the rest is not waited for."""
    first = threading.Event()
    real = work.as_completed

    def interrupted(jobs):
        for job in real(jobs):
            first.set()
            yield job
            raise KeyboardInterrupt

    monkeypatch.setattr(work, "as_completed", interrupted)
    monkeypatch.setattr(work, "available", lambda: 1)
    found = compare(file, learners=LEARNERS, features=["words:1"])
    assert first.is_set()
    assert found.interrupted
    assert len(found.rows) >= 1
    assert found.best.folds
    assert "were done" in found.how


def test_progress_ends_at_the_whole(file):
    steps = []
    compare(file, learners=LEARNERS[:2], features=["words:1", "words:8 min=9"], progress=steps.append)
    shares = [step.share for step in steps]
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1)
    assert steps[-1].left == pytest.approx(0)


def test_what_cannot_be_compared(file):
    with pytest.raises(UsageError, match="folds=0 compares on the test part alone, and there is none"):
        compare(file, folds=0)
    with pytest.raises(UsageError, match="unknown learner 'percepton'"):
        compare(file, learners=["percepton"])


def noisy_sets(n):
    """Each text has some of three labels, and words that point to them, not always rightly."""
    texts, _ = noisy(n)
    rng = np.random.default_rng(1)
    has = rng.random((n, 3)) < [0.1, 0.3, 0.5]
    words = [" ".join(f"l{k}" for k in range(3) if one[k] == (rng.random() < 0.8)) for one in has]
    return [f"{a} {b}" for a, b in zip(texts, words, strict=True)], [np.flatnonzero(one).tolist() for one in has]


@pytest.mark.parametrize("settings", [{}, {"thresholds": "none"}, {"costs": "subset"}])
def test_sets_are_compared_as_they_are_trained(settings):
    """With thresholds that come of the training part alone; by F1, or where whole sets are to be right by these."""
    texts, sets = noisy_sets(120)
    sets = [[str(k) for k in one] for one in sets]
    names = ["svm", "averaged-mira"]
    found = compare((texts, sets), learners=names, features=["words:1"], folds=2, settings=settings)
    fold_of = comparison.folds(120, 2, seed=0)
    for row in found.rows:
        right = total = 0
        for fold in range(2):
            train, held = np.flatnonzero(fold_of != fold), np.flatnonzero(fold_of == fold)
            model = linnet.train(
                ([texts[i] for i in train], [sets[i] for i in train]),
                learner=row.system.learner,
                features="words:1",
                options=settings,
            )
            for i, labels in zip(held, model.predict([texts[i] for i in held]), strict=True):
                if "costs" in settings:
                    right, total = right + (labels == sets[i]), total + 1
                else:
                    right, total = right + 2 * len({*labels} & {*sets[i]}), total + len(labels) + len(sets[i])
        assert row.score == pytest.approx(right / total)
    assert found.measure == ("accuracy" if "costs" in settings else "F1")


def skewed(n=120):
    """Texts of which a sixth has the label `rare`, told by a word that is missing now and then."""
    rng = np.random.default_rng(3)
    labels = ["rare" if i % 6 == 0 else "usual" for i in range(n)]
    texts = [f"{label if rng.random() < 0.8 else 'nothing'} w{rng.integers(6)}" for label in labels]
    return texts, labels


def test_a_measure_is_named_and_systems_are_ranked_by_it():
    texts, labels = skewed()
    found = {
        name: compare(
            (texts, labels), learners=["perceptron", "naive-bayes"], features=["words:1"], folds=3, measure=name
        )
        for name in ("accuracy", "macro-f1", "f1")
    }
    assert {name: one.measure for name, one in found.items()} == {
        "accuracy": "accuracy",
        "macro-f1": "macro F1",
        "f1": "F1 of rare",
    }
    for one in found.values():
        scores = [row.score for row in one.rows]
        assert scores == sorted(scores, reverse=True)
        assert one.chance.answer == "always usual"
    # Always `usual` has 5 of 6 right; an F1 of 10/11 for `usual`, and 0 for `rare`.
    assert found["accuracy"].chance.score == pytest.approx(5 / 6)
    assert found["macro-f1"].chance.score == pytest.approx(5 / 11)
    assert found["f1"].chance.score == 0
    table = found["f1"].confusion  # of the best by F1, gold labels in rows
    assert found["f1"].best.score == pytest.approx(2 * table[0, 0] / (table[0].sum() + table[:, 0].sum()))


def test_a_measure_that_the_task_does_not_have_is_refused_with_those_it_has():
    texts, labels = skewed()
    with pytest.raises(UsageError, match="expected accuracy or macro-f1 or f1, found 'recall'"):
        compare((texts, labels), measure="recall")
    with pytest.raises(UsageError, match="expected micro-f1 or macro-f1 or accuracy, found 'f2'"):
        compare((texts, [[label] for label in labels]), task="labelset", measure="f2")
    with pytest.raises(UsageError, match=r"^task 'ranking' has one measure only\. Leave out measure 'f2'\.$"):
        compare((texts, [[label] for label in labels]), task="ranking", measure="f2")
    with pytest.raises(UsageError, match=r"^task 'labels' has no setting 'order'\. It has: costs\.$"):
        compare((texts, labels), task="labels", settings={"order": "a,b"})


def test_no_system_is_better_than_chance_where_texts_tell_nothing():
    rng = np.random.default_rng(0)
    texts = [f"w{rng.integers(50)}" for _ in range(90)]
    labels = ["x" if i % 3 else "y" for i in range(90)]
    found = compare((texts, labels), learners=["naive-bayes"], features=["words:1"], folds=3)
    assert found.chance.score == pytest.approx(2 / 3)
    assert found.best_is_chance
    assert found.as_dict()["chance"]["answer"] == "always x"
