"""Trees, ratings and costs on the command line."""

import json

import pytest


@pytest.fixture(scope="module")
def files(folder):
    """Questions below two kinds, ratings of films, and what goes with them."""
    kinds = {"NUM:date": "when year", "NUM:count": "many number", "LOC:city": "where town", "LOC:land": "where land"}
    rows = [(f"{words} x{i}", label) for i in range(12) for label, words in kinds.items()]
    (folder / "questions.csv").write_text("text,label\n" + "".join(f"{text},{label}\n" for text, label in rows))
    stars = {"bad": "1", "fair": "2", "good": "5"}
    ratings = [(f"{word} film x{i}", rating) for i in range(12) for word, rating in stars.items()]
    (folder / "ratings.csv").write_text("text,stars\n" + "".join(f"{text},{rating}\n" for text, rating in ratings))
    named = {"1": "poor", "2": "fair", "5": "fine"}
    (folder / "words.csv").write_text("text,label\n" + "".join(f"{text},{named[y]}\n" for text, y in ratings))
    (folder / "costs.csv").write_text("pos,neg,1\nneg,pos,10\n")
    (folder / "typo.csv").write_text("pos,negg,1\n")
    (folder / "below.csv").write_text("below,0\nneg,pos,-1\n")
    (folder / "tree.csv").write_text("poor,any\nfair,any\n")
    return folder


def test_a_tree(run, files):
    done = run("train", "questions.csv", "-o", "tree.linnet", "--task", "hierarchy", "--learner", "logistic")
    assert done.code == 0
    found = json.loads(run("evaluate", "tree.linnet", "questions.csv", "--json").out)
    assert (found["accuracy"], found["tree_loss"], found["per_level"]) == (1, 0, [1, 1])
    shown = " ".join(run("evaluate", "tree.linnet", "questions.csv").out.split())
    assert "tree loss 0.0000 edges right down to each level: 100.00%, 100.00%" in shown
    done = run("predict", "tree.linnet", "-", "--at-least", "0.9", "--format", "lines", "--only", stdin="when\nwhere\n")
    assert done.out.splitlines() == ["prediction", "NUM:date", "LOC"]


def test_stopping_above_a_leaf_needs_probabilities(run, files):
    run("train", "questions.csv", "-o", "nodes.linnet", "--task", "hierarchy", "--set", "estimate=no")
    done = run("predict", "nodes.linnet", "questions.csv", "--at-least", "0.9")
    assert done.code == 2
    assert "the scores of learner 'nb-svm' are not probabilities" in done.err
    done = run("predict", "tree.linnet", "questions.csv", "--at-least", "9")
    assert done.code == 2


@pytest.mark.parametrize("score", ["own", "shared"])
def test_ratings(run, files, score):
    how = ("--task", "ordinal", "--set", f"score={score}")
    done = run("train", "ratings.csv", "-o", f"{score}.linnet", *how, "--label-col", "stars")
    assert done.code == 0
    found = json.loads(run("evaluate", f"{score}.linnet", "ratings.csv", "--label-col", "stars", "--json").out)
    assert (found["ratings"], found["mean_absolute_error"]) == (["1", "2", "5"], 0)
    assert found["confusion"] == [[12, 0, 0], [0, 12, 0], [0, 0, 12]]
    done = run("predict", f"{score}.linnet", "-", "--format", "lines", "--only", stdin="good\nbad\n")
    assert done.out.split() == ["prediction", "5", "1"]
    assert run("explain", f"{score}.linnet", "a good film").code == 0


def test_costs(run, files):
    done = run("train", "train.csv", "-o", "dear.linnet", "--set", "costs=costs.csv")
    assert done.code == 0
    found = json.loads(run("evaluate", "dear.linnet", "test.csv", "--json").out)
    # pos only where it is more probable than 10/11, which of forty examples nothing is: the three that are pos cost 1 each.
    assert found["mean_cost"] == 3 / 4
    assert "mean cost" in run("evaluate", "dear.linnet", "test.csv").out


def test_compare_by_what_matters(run, files):
    usual = ("--folds", "2", "--learners", "averaged-mira,logistic", "--features", "words:1")
    for arguments, measure in (
        (("ratings.csv", "--task", "ordinal", "--label-col", "stars"), "mean absolute error"),
        (("questions.csv", "--task", "hierarchy"), "tree loss"),
        (("train.csv", "--set", "costs=costs.csv"), "mean cost"),
    ):
        done = run("compare", *arguments, *usual)
        assert done.code == 0
        head = next(line for line in done.out.splitlines() if line.startswith("learner"))
        assert head.split() == ["learner", *measure.split(), "accuracy", "training", "seconds"]
        assert "0.0000 ± 0.0000" in done.out


def test_what_a_task_takes_is_listed(run):
    lines = run("list", "tasks").out.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("ordinal "))
    assert lines[at + 1].split()[0] == "order=:"
    assert any(line.split()[0] == "costs=:" for line in lines)


CASES = {
    "labels without a path": (("train.csv", "--task", "hierarchy"), 2, "expected labels with paths such as"),
    "a label that is not in the tree": (
        ("words.csv", "--task", "hierarchy", "--set", "tree=tree.csv"),
        1,
        "tree.csv: the label 'fine' of the data is not in the tree.",
    ),
    "words without an order": (
        ("words.csv", "--task", "ordinal"),
        2,
        "expected ratings that are numbers, found 'fair'. Give their order from the lowest up: --set order=fair,fine,poor.",
    ),
    "an order with a typo": (
        ("words.csv", "--task", "ordinal", "--set", "order=poor,fair,fien"),
        1,
        "words.csv: the rating 'fine' of the data is not in order=poor,fair,fien. Did you mean 'fien'?",
    ),
    "costs of an unknown label": (
        ("train.csv", "--set", "costs=typo.csv"),
        2,
        "there is a cost for the label 'negg', which is not in the data. Did you mean 'neg'?",
    ),
    "costs with too few fields": (
        ("train.csv", "--set", "costs=below.csv"),
        1,
        "below.csv:1: expected a label, the one",
    ),
    "costs that are nowhere": (
        ("train.csv", "--set", "costs=cost.csv"),
        1,
        "cost.csv: no such file. Did you mean 'costs.csv'?",
    ),
    "an empty file of costs": (("train.csv", "--set", "costs=empty.csv"), 1, "empty.csv: the file is empty."),
}


@pytest.mark.parametrize("name", CASES)
def test_faults(run, files, name):
    arguments, code, sentence = CASES[name]
    done = run("train", *arguments, "-o", "out.linnet")
    assert (done.code, done.err.startswith(f"linnet: {sentence}")) == (code, True), done.err
