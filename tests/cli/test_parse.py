"""Dependency trees on the command line."""

import json

import pytest
from treebank import conllu


@pytest.fixture(scope="module")
def parser(run, folder):
    (folder / "trees.conllu").write_text(conllu(80))
    (folder / "more.conllu").write_text(conllu(10, seed=5))
    (folder / "prose.txt").write_text("The old dog sees a cat. She likes it!\n")
    done = run("train", "trees.conllu", "--task", "parse", "--epochs", "3", "-o", "parser.linnet")
    assert done.code == 0, done.err
    assert "80 examples, task parse, 8 labels" in done.err
    return "parser.linnet"


def test_text_comes_out_as_conllu(run, parser):
    rows = [line.split("\t") for line in run("predict", parser, "prose.txt").out.splitlines()]
    assert [row[0] for row in rows if len(row) == 10] == ["1", "2", "3", "4", "5", "6", "7", "1", "2", "3", "4"]
    assert [row[6] for row in rows[:7]] == ["3", "3", "4", "0", "6", "4", "4"]
    assert rows[0][3:5] == ["DET", "DT"]


def test_a_treebank_keeps_all_but_its_trees(run, parser, folder):
    blank = conllu(10, seed=5)
    (folder / "blank.conllu").write_text("".join(_without(line) + "\n" for line in blank.splitlines()))
    out = run("predict", parser, "blank.conllu").out
    assert out == blank


def _without(line):
    columns = line.split("\t")
    return line if len(columns) < 10 else "\t".join([*columns[:3], "_", "_", "_", "_", "_", *columns[8:]])


def test_tagged_words_in_other_columns_are_parsed(run, parser, folder):
    (folder / "words.conll").write_text("The X\ndog X\nsees X\na X\ncat X\n. X\n\n")
    rows = [line.split("\t") for line in run("predict", parser, "words.conll").out.splitlines()]
    assert [row[6] for row in rows if len(row) == 10] == ["2", "3", "0", "5", "3", "3"]


def test_evaluate(run, parser):
    report = json.loads(run("evaluate", parser, "more.conllu", "--json").out)
    assert report["las"] > 0.95
    assert "UAS" in run("evaluate", parser, "more.conllu").out


def test_k_best_trees(run, parser):
    first, second = (json.loads(line) for line in run("predict", parser, "prose.txt", "--top", 3).out.splitlines())
    assert len(first["best"]) == len(second["best"]) == 3
    scores = [tree["score"] for tree in first["best"]]
    assert scores == sorted(scores, reverse=True)
    assert first["best"][0]["heads"] == [3, 3, 4, 0, 6, 4, 4]


def test_explanations(run, parser, folder):
    assert "nsubj" in run("explain", parser, "The old dog sees a cat.").out
    run("explain", parser, "prose.txt", "--html", "trees.html")
    page = (folder / "trees.html").read_text()
    assert page.count("<svg") == 2
    assert "nsubj" in run("explain", parser).out


def test_probabilities_come_from_a_learner_that_has_them(run, parser, folder):
    done = run("predict", parser, "prose.txt", "--proba")
    assert done.code != 0
    assert "Train with --learner crf" in done.err
    settings = ("--task", "parse", "--learner", "crf", "--set", "tags=own", "--set", "order=1", "--epochs", "3")
    assert run("train", "trees.conllu", *settings, "-o", "crf.linnet").code == 0
    rows = [line.split("\t") for line in run("predict", "crf.linnet", "prose.txt", "--proba").out.splitlines()]
    assert all(0 <= float(row[9].removeprefix("p=")) <= 1 for row in rows if len(row) == 10)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("train", "trees.conllu", "--task", "parse", "--features", "h.upos|m.upso"), "upso"),
        (("train", "trees.conllu", "--task", "parse", "--features", "upos"), "as in h.upos, m.upos"),
        (("train", "trees.conllu", "--task", "prase"), "Did you mean 'parse'"),
        (("train", "trees.conllu", "--task", "parse", "--set", "order=9"), "expected order=1 or order=2"),
        (("train", "train.csv", "--task", "parse"), "train.csv"),
        (("train", "empty.csv", "--task", "parse"), "the file is empty"),
    ],
)
def test_errors_are_one_sentence(run, parser, arguments, message):
    done = run(*arguments, "-o", "never.linnet")
    assert done.code != 0
    assert message in done.err
    assert "Traceback" not in done.err
