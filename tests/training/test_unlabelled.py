"""Training with texts that nobody has labelled."""

import json

import numpy as np
import pytest

import linnet
from linnet.fitting.choosing_student import best
from linnet.fitting.shares import in_shares, shares
from linnet.fitting.student import Use
from linnet.training.in_words import learned

GOOD = ["fine", "grand", "lovely", "superb", "moving", "witty", "tender", "bright"]
BAD = ["dull", "poor", "dreary", "awful", "clumsy", "stale", "tedious", "flat"]
NEITHER = ["film", "story", "the", "a", "scene", "plot", "cast", "and", "of", "it"]


def texts(n, seed):
    """Short reviews. Words that speak for the same label stand near each other."""
    rng = np.random.default_rng(seed)
    for i in range(n):
        words = [*rng.choice((GOOD, BAD)[i % 2], 3), *rng.choice(NEITHER, 5)]
        yield " ".join(rng.permutation(words)), ("good", "bad")[i % 2]


POOL = [text for text, _ in texts(600, 1)]
TEST = list(texts(200, 2))
FEW = [("a fine film", "good"), ("the grand story", "good"), ("a dull film", "bad"), ("the poor story", "bad")] * 5


def accuracy(model):
    return np.mean(
        [label == right for label, (_, right) in zip(model.predict([x for x, _ in TEST]), TEST, strict=True)]
    )


@pytest.fixture(scope="module")
def taught():
    return linnet.train(FEW, unlabelled=POOL)


def test_words_that_no_label_has_are_learned_from_their_neighbours(taught):
    alone = linnet.train(FEW)
    assert accuracy(alone) < 0.8
    assert accuracy(taught) > 0.95
    assert taught.predict(["superb witty scene", "stale tedious plot"]) == ["good", "bad"]


def test_it_is_said(taught):
    assert str(taught.features.spec).endswith("vectors:200*0.7 topics:100*0.7")
    assert taught.report["unlabelled"] == {"examples": 600, "model": "sum of teacher and student", "other kind": False}


def test_the_estimate_is_of_teacher_and_student(taught):
    assert taught.report["expected"]["n"] == 20
    assert taught.has_probabilities


def test_an_explanation_sums_to_the_score(taught):
    for text, _ in TEST[:20]:
        why = taught.explain(text)
        scores = dict(zip(taught.labels, taught.scores([text])[0].tolist(), strict=True))
        difference = scores[why.label] - scores[why.against]
        assert why.score == pytest.approx(difference, abs=1e-5)
        assert why.bias + sum(item.contribution for item in why.contributions) == pytest.approx(why.score, abs=1e-9)
        of_words = sum(word.contribution for word in why.words)
        assert why.bias + of_words + why.elsewhere == pytest.approx(why.score, abs=1e-9)


def test_an_explanation_names_the_words_of_vectors(taught):
    why = taught.explain("superb scene")
    found = {item.feature: item for item in why.contributions}
    assert found["vectors=superb"].contribution > 0
    assert found["vectors=superb"].spans == ((0, 6),)
    assert not any("#" in item.feature for item in why.contributions)


def test_the_strongest_features_are_words(taught):
    strongest = taught.strongest(5)
    assert [len(best) for best in strongest.values()] == [5, 5]
    assert not any("#" in item.feature for best in strongest.values() for item in best)


def test_a_saved_model_gives_the_same_scores(taught, tmp_path):
    taught.save(tmp_path / "few.linnet")
    again = linnet.load(tmp_path / "few.linnet")
    inputs = [text for text, _ in TEST]
    np.testing.assert_array_equal(taught.scores(inputs), again.scores(inputs))


def test_the_same_data_give_the_same_bits(taught):
    again = linnet.train(FEW, unlabelled=POOL)
    for ours, theirs in zip(taught.weights, again.weights, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_files_tables_and_texts_are_the_same(taught, tmp_path):
    path = tmp_path / "pool.jsonl"
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in POOL))
    for pool in (path, str(path), [str(path)], {"text": POOL}):
        model = linnet.train(FEW, unlabelled=pool)
        np.testing.assert_array_equal(model.weights[0], taught.weights[0])


@pytest.mark.parametrize("learner", ["logistic", "svm", "averaged-mira"])
def test_other_learners_have_students_too(learner):
    assert accuracy(linnet.train(FEW, unlabelled=POOL, learner=learner)) > 0.9


def test_a_file_that_is_not_there_is_no_text(tmp_path):
    (tmp_path / "few.csv").write_text("text,label\n" + "".join(f"{text},{label}\n" for text, label in FEW))
    (tmp_path / "pool.txt").write_text("\n".join(POOL))
    with pytest.raises(linnet.DataError, match="pol.txt: no such file. Did you mean '.*pool.txt'"):
        linnet.train(tmp_path / "few.csv", unlabelled=[tmp_path / "pol.txt"])
    with pytest.raises(linnet.DataError, match="no such file"):
        linnet.train(tmp_path / "few.csv", unlabelled=str(tmp_path / "pol.txt"))


def test_features_of_ones_own_need_no_vectors():
    model = linnet.train(FEW, unlabelled=POOL, features="words:1")
    assert model.report["unlabelled"] == {"examples": 600, "model": "sum of teacher and student", "other kind": False}
    assert not any("#" in name for name in model.features.names())


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"memory": "rows"}, "memory=rows"),
        ({"learner": "naive-bayes"}, "no story of how vectors"),
        ({"unlabelled": "nowhere.txt"}, "nowhere.txt"),
    ],
)
def test_what_cannot_be_is_refused(how, said):
    with pytest.raises(linnet.LinnetError, match=said):
        linnet.train(FEW, **{"unlabelled": POOL, **how})


def test_other_tasks_are_refused():
    sentences = [(["a", "fine", "film"], [1, 0, 1])] * 4
    with pytest.raises(linnet.UsageError, match="for dependency trees; this is task 'compress'"):
        linnet.train(sentences, task="compress", unlabelled=POOL)


def test_sets_of_labels_are_learned_from_their_neighbours():
    few = [(text, [label]) for text, label in FEW] + [("a scene", [])] * 5
    alone, taught = (linnet.train(few, task="labelset", **how) for how in ({}, {"unlabelled": POOL}))
    wanted = [[right] for _, right in TEST]
    right = [
        np.mean([a == b for a, b in zip(model.predict([x for x, _ in TEST]), wanted, strict=True)])
        for model in (alone, taught)
    ]
    assert right[0] < 0.6
    assert right[1] > 0.8
    assert taught.report["expected"]["n"] == 25


def test_rankings_are_learned_from_their_neighbours():
    few = [(text, [label]) for text, label in FEW]
    taught = linnet.train(few, task="ranking", unlabelled=POOL)
    first = [ranking[0] for ranking in taught.predict([x for x, _ in TEST])]
    assert np.mean([a == right for a, (_, right) in zip(first, TEST, strict=True)]) > 0.95


@pytest.mark.parametrize(("task", "labels"), [("ordinal", {"good": "2", "bad": "1"}), ("hierarchy", {})])
def test_ratings_and_hierarchies_are_learned_from_their_neighbours(task, labels):
    few = [(text, labels.get(label, f"film/{label}")) for text, label in FEW]
    taught = linnet.train(few, task=task, unlabelled=POOL)
    wanted = [labels.get(right, f"film/{right}") for _, right in TEST]
    assert np.mean([a == b for a, b in zip(taught.predict([x for x, _ in TEST]), wanted, strict=True)]) > 0.9


def test_rows_without_a_label_count_as_unlabelled(tmp_path):
    path, rest = tmp_path / "all.csv", tmp_path / "rest.csv"
    path.write_text("text,label\n" + "".join(f"{x},{y}\n" for x, y in [*FEW, *((x, "") for x in POOL)]))
    rest.write_text("text\n" + "".join(f"{x}\n" for x in POOL))
    with pytest.raises(linnet.DataError, match="rows have no label"):
        linnet.train(path)
    wanted = linnet.train(FEW, unlabelled=POOL).weights[0]
    np.testing.assert_array_equal(linnet.train(path, unlabelled=path).weights[0], wanted)
    np.testing.assert_array_equal(linnet.train(str(path), unlabelled=[str(path)]).weights[0], wanted)
    table = {"text": [x for x, _ in FEW] + POOL, "label": [y for _, y in FEW] + [None] * len(POOL)}
    np.testing.assert_array_equal(linnet.train(table, unlabelled=table).weights[0], wanted)
    both = linnet.train(path, unlabelled=[path, rest])
    assert both.report["unlabelled"]["examples"] == 2 * len(POOL)


def test_data_without_such_rows_are_refused():
    table = {"text": [x for x, _ in FEW], "label": [y for _, y in FEW]}
    with pytest.raises(linnet.DataError, match="every row has a label"):
        linnet.train(table, unlabelled=table)


def test_a_set_without_labels_is_no_text_without_labels():
    table = {"text": ["a", "b"], "labels": [["x"], []]}
    with pytest.raises(linnet.UsageError, match="file of their own"):
        linnet.train(table, task="labelset", unlabelled=table)


def test_held_out_examples_judge_the_student_too():
    held = TEST[:60]
    judged = linnet.train(FEW, unlabelled=POOL, dev=held).report["expected"]
    assert judged["n"] == 60
    assert judged["accuracy"] == pytest.approx(accuracy(linnet.train(FEW, unlabelled=POOL)), abs=0.06)
    tried = linnet.train(FEW, unlabelled=POOL, dev=0.2)
    assert tried.report["expected"]["n"] == 4
    assert tried.report["unlabelled"]["examples"] == 600


def test_a_pool_that_is_too_large_is_sampled(tmp_path, monkeypatch):
    path = tmp_path / "pool.txt"
    path.write_text("\n".join(POOL))
    monkeypatch.setattr("linnet.tasks.texts.unlabelled.MOST_BYTES", 10_000)
    monkeypatch.setattr("linnet.tasks.texts.unlabelled._AT_A_TIME", 2_000)
    model, again = (linnet.train(FEW, unlabelled=path) for _ in range(2))
    n = model.report["unlabelled"]["examples"]
    assert 150 < n < 600
    assert f"learned from {n} of its 600 texts" in model.report["notes"][-1]
    np.testing.assert_array_equal(model.weights[0], again.weights[0])


def test_labels_come_in_the_shares_that_people_gave_them():
    rng = np.random.default_rng(0)
    scores = rng.standard_normal((2000, 3)).astype(np.float32) + np.array([2, 0, 0], np.float32)
    assert np.bincount(scores.argmax(1))[0] > 1600
    found = np.bincount(in_shares(scores, np.array([0.2, 0.3, 0.5]))) / 2000
    assert 0.4 < found[0] < 0.6
    assert found[2] > found[1] + 0.02
    own = scores.argmax(1)
    assert np.mean(in_shares(scores, np.bincount(own) / 2000) == own) > 0.99
    np.testing.assert_allclose(shares(np.array([0, 0, 0, 2], np.int32), 3), [4 / 7, 1 / 7, 2 / 7])


def test_the_sum_stays_unless_another_is_better_by_a_standard_error():
    both = np.zeros(100)
    a_little, much = both.copy(), both.copy()
    a_little[:1], much[:9] = 1, 1
    assert best(both, a_little, both) is Use.BOTH
    assert best(both, both, much) is Use.TEACHER
    assert best(both, much, a_little) is Use.STUDENT
    assert best(both, -much, -much) is Use.BOTH


def test_all_of_the_shares_are_met_for_texts_of_another_kind():
    scores = np.random.default_rng(0).standard_normal((2000, 2)).astype(np.float32) + np.array([2, 0], np.float32)
    half, whole = (np.mean(in_shares(scores, np.array([0.5, 0.5]), strength) == 0) for strength in (0.5, 1.0))
    assert half > 0.7
    assert whole == pytest.approx(0.5, abs=0.02)


def test_texts_of_another_kind_are_found():
    labelled = [(f"{text} by and by, as everyone says", label) for text, label in texts(60, 3)]
    same, other = [f"{text} by and by, as everyone says" for text in POOL], POOL
    assert linnet.train(labelled, unlabelled=same).report["unlabelled"]["other kind"] is False
    model = linnet.train(labelled, unlabelled=other)
    assert model.report["unlabelled"] == {"examples": 600, "model": "sum of teacher and student", "other kind": True}
    assert any("which are of another kind than those with labels" in line for line in learned(model))
    assert accuracy(model) > 0.95


def test_labels_that_were_drawn_otherwise_are_no_other_kind():
    rows = list(texts(80, 4))
    few = [*rows[::2], *rows[1:20:2]]  # 40 that are good, 10 that are bad
    assert linnet.train(few, unlabelled=POOL).report["unlabelled"]["other kind"] is False


def test_words_of_a_lexicon_are_not_taken_for_another_kind():
    rows = list(texts(60, 5))
    words = {"good": GOOD, "bad": BAD}
    assert linnet.train(rows, unlabelled=POOL, lexicon=words).report["unlabelled"]["other kind"] is False
