"""Sets of labels from files and from Python: learned, predicted, kept, explained, evaluated."""

import json

import numpy as np
import pytest

import linnet
from linnet.errors import DataError, UsageError
from linnet.tasks import guess

ROWS = [
    ("wheat and corn", ["corn", "wheat"]),
    ("corn", ["corn"]),
    ("gold", ["gold"]),
    ("gold and wheat", ["gold", "wheat"]),
    ("nothing", []),
] * 6
TEXTS, SETS = [text for text, _ in ROWS], [labels for _, labels in ROWS]


@pytest.fixture(scope="module")
def model():
    return linnet.train((TEXTS, SETS), features="words:1")


def test_lists_of_labels_make_a_set(model):
    assert (model.task, model.labels) == ("labelset", ("corn", "gold", "wheat"))
    assert model.predict(["gold and corn", "nothing", "wheat"]) == [["corn", "gold"], [], ["wheat"]]
    assert model.predict([]) == []


def test_a_model_is_the_same_after_it_was_kept(model, tmp_path):
    model.save(tmp_path / "m.linnet")
    again = linnet.load(tmp_path / "m.linnet")
    assert again.predict(TEXTS) == model.predict(TEXTS) == SETS


def test_contributions_sum_to_the_score_of_one_label(model):
    found = model.explain("gold and corn", "corn")
    theta = model.scores(["gold and corn"])[0]
    assert (found.label, found.against) == ("corn", "")
    assert found.bias + sum(part.contribution for part in found.contributions) == pytest.approx(theta[0], abs=1e-5)
    between = model.explain("gold and corn", "corn", "gold")
    assert between.score == pytest.approx(theta[0] - theta[1], abs=1e-5)
    with pytest.raises(UsageError, match="has no label 'crn'. Did you mean 'corn'"):
        model.explain("x", "crn")


def test_probabilities_choose_more_or_fewer_labels():
    model = linnet.train((TEXTS, SETS), features="words:1", learner="logistic")
    p = model.predict_proba(["gold and corn"])[0]
    for least in (0.0, 0.3, 0.9, 1.0):
        expected = [label for label, one in zip(model.labels, p, strict=True) if one >= least]
        assert model.predict(["gold and corn"], at_least=least) == [expected]
    with pytest.raises(UsageError, match="between 0 and 1, found 2"):
        model.predict(["x"], at_least=2)


def test_probabilities_of_a_margin_are_refused():
    model = linnet.train((TEXTS, SETS), features="words:1", learner="averaged-mira")
    with pytest.raises(UsageError, match="are not probabilities"):
        model.predict(["x"], at_least=0.5)


def test_a_label_that_was_never_learned_counts_as_missed(model):
    report = model.evaluate(["corn", "gold"], [["corn", "rye"], ["gold"]])
    assert (report.micro_precision, report.micro_recall) == (1.0, pytest.approx(2 / 3))
    assert report.per_label["rye"].recall == 0


FILES = {
    "a.jsonl": "".join(json.dumps({"text": text, "labels": labels}) + "\n" for text, labels in ROWS),
    "a.txt": "".join(
        "".join(f"__label__{label} " for label in labels) + f"{text}\n" for text, labels in ROWS if labels
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_the_task_is_guessed_from_lists_in_files(name, tmp_path):
    path = tmp_path / name
    path.write_text(FILES[name])
    assert guess(str(path), {}).name == "labelset"
    assert linnet.train(path, features="words:1").predict(["wheat and corn"]) == [["corn", "wheat"]]


@pytest.mark.parametrize(("separator", "mark"), [(None, ","), (";", ";"), ("|", "|")])
def test_labels_in_one_string_have_a_separator(separator, mark, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("text,labels\n" + "".join(f'{text},"{mark.join(labels)}"\n' for text, labels in ROWS))
    options = {} if separator is None else {"separator": separator}
    model = linnet.train(path, task="labelset", options=options, features="words:1")
    assert model.predict(["gold and corn"]) == [["corn", "gold"]]
    assert model.details["separator"] == separator


def test_without_any_label_there_is_nothing_to_learn():
    with pytest.raises(DataError, match="expected rows with labels to learn from, found none"):
        linnet.train((["a", "b"], [[], []]), task="labelset")


def test_one_label_is_enough():
    model = linnet.train((["good", "bad", "fine"], [["x"], [], ["x"]]), features="words:1")
    assert model.predict(["good", "bad"]) == [["x"], []]


def test_class_weights_are_refused():
    with pytest.raises(UsageError, match="class weights are for labels and tags, not for task .labelset."):
        linnet.train((TEXTS, SETS), class_weight="balanced")


def test_held_out_sets_stop_learning_early():
    model = linnet.train((TEXTS, SETS), features="words:1", dev=(["corn", "rye"], [["corn"], ["rye"]]))
    assert model.report["epochs"][-1]["dev"] == pytest.approx(2 / 3)


def test_an_option_with_a_typo_is_meant_for_the_task():
    with pytest.raises(UsageError, match="no option 'treshold'. Did you mean 'thresholds' of task 'labelset'"):
        linnet.train((TEXTS, SETS), options={"treshold": "micro"})


def test_thresholds_are_chosen_for_a_measure_and_kept_in_the_bias():
    plain = linnet.train((TEXTS, SETS), features="words:1", options={"thresholds": "none"})
    micro = linnet.train((TEXTS, SETS), features="words:1", options={"thresholds": "micro"})
    assert ("thresholds" in plain.report, micro.report["thresholds"]) == (False, "micro")
    moved = micro.scores(TEXTS) - plain.scores(TEXTS)
    assert moved == pytest.approx(np.tile(moved[0], (len(TEXTS), 1)), abs=1e-5)
    assert micro.predict(TEXTS) == SETS
    with pytest.raises(UsageError, match="expected thresholds to be auto or micro or macro or none, found 'some'"):
        linnet.train((TEXTS, SETS), options={"thresholds": "some"})


def test_learners_that_must_learn_again_have_thresholds_too():
    model = linnet.train((TEXTS, SETS), features="words:1", learner="averaged-mira")
    assert model.report["thresholds"] == "micro"
    assert model.predict(TEXTS) == SETS


def test_whole_sets_are_to_be_right_where_it_is_asked_for(tmp_path):
    given = {"features": "words:1", "learner": "pa"}
    one, whole = (linnet.train((TEXTS, SETS), **given, options={"costs": costs}) for costs in ("hamming", "subset"))
    assert one.predict(TEXTS) == whole.predict(TEXTS) == SETS
    assert not np.array_equal(one.scores(TEXTS), whole.scores(TEXTS))
    whole.save(tmp_path / "m.linnet")
    again = linnet.load(tmp_path / "m.linnet")
    assert (again.details["costs"], again.predict(TEXTS)) == ("subset", SETS)
    assert linnet.train((TEXTS, SETS), options={"costs": "subset"}).learner == "averaged-mira"
    with pytest.raises(UsageError, match="expected costs to be hamming or subset, found 'sets'"):
        linnet.train((TEXTS, SETS), options={"costs": "sets"})
