"""linnet compare, as a user meets it."""

import json

from linnet.tasks.texts.presets import SHORT_FEATURES


def test_a_table_a_page_and_who_is_left_out(run, folder):
    done = run(
        "compare", "train.csv", "--folds", "4", "--learners", "naive-bayes, averaged-mira", "--features", "words:1,words:1-2",
        "--html", "compared.html", "--test", "test.csv",
    )  # fmt: skip
    assert done.code == 0
    lines = done.out.splitlines()
    assert done.out.startswith("40 examples, 4 systems in ")
    head = next(line for line in lines if line.startswith("learner"))
    assert head.split() == ["learner", "accuracy", "features", "test", "accuracy", "training", "seconds"]
    rows = [line.split() for line in lines if line.startswith(("naive-bayes ", "averaged-mira ")) and "±" in line]
    assert sorted((row[0], row[5]) for row in rows) == [
        (learner, spec) for learner in ("averaged-mira", "naive-bayes") for spec in ("words:1", "words:1-2")
    ]
    for row in rows:
        assert row[1:5] == ["100.00", "±", "0.00", "a"]
        assert row[6:9] == ["75.00", "±", "21.65"]  # 3 of 4; sqrt(0.75 0.25 / 4)
    assert "wrote compared.html" in done.err
    assert (folder / "compared.html").read_text().startswith("<!doctype html>")


def test_a_system_that_is_left_out_is_told_from_one_that_is_not(run):
    done = run(
        "compare", "train.csv", "--folds", "2", "--learners", "perceptron", "--features", "words:1,words:8 min=9"
    )
    assert done.code == 0
    assert done.err.startswith(
        "perceptron (words:8 min=9) is left out: no feature of 'words:8 min=9' is left in these 20"
    )


def test_json(run):
    done = run("compare", "train.csv", "--folds", "2", "--learners", "perceptron", "--json")
    assert done.code == 0
    found = json.loads(done.out)
    assert found["n"] == 40
    assert found["held_out"] == "each of 2 random folds once"
    assert found["systems"][0]["learner"] == "perceptron"
    assert found["systems"][0]["score"] == 1
    assert found["systems"][0]["features"] == SHORT_FEATURES


def test_a_comma_of_a_feature_set_stays_where_there_is_an_option_for_each(run, folder):
    (folder / "good.txt").write_text("good\nfine\n")
    (folder / "bad.txt").write_text("bad\ndull\n")
    done = run(
        "compare", "train.csv", "--folds", "2", "--learners", "perceptron", "--json",
        "--features", "sentiment:good.txt,bad.txt", "--features", "words:1",
    )  # fmt: skip
    assert {system["features"] for system in json.loads(done.out)["systems"]} == {
        "sentiment:good.txt,bad.txt",
        "words:1",
    }


def test_errors(run):
    for arguments, code, message in (
        (("train.csv", "--learners", "percepton"), 2, "unknown learner 'percepton'. Did you mean 'perceptron'?"),
        (("train.csv", "--features", "wrods:1"), 2, "unknown feature 'wrods:1'"),
        (("train.csv", "--folds", "0"), 2, "folds=0 compares on the test part alone, and there is none."),
        (("train.csv", "--folds", "41"), 2, "expected from 2 to 40 folds for 40 examples, found 41."),
        (("nowhere.csv",), 1, "nowhere.csv: no such file."),
        (("one-label.csv",), 1, "every row has the label 'x'"),
    ):
        done = run("compare", *arguments)
        assert (done.code, done.out) == (code, "")
        assert message in done.err
