"""Label sets, hierarchies, ratings and costs on the command line."""

import csv
import io
import json

import pytest

import linnet
from linnet.tasks.texts import model as texts


@pytest.fixture(scope="module")
def files(folder):
    rows = [("wheat and corn", ["corn", "wheat"]), ("corn", ["corn"]), ("gold", ["gold"]), ("nothing", [])] * 6
    (folder / "sets.jsonl").write_text("".join(json.dumps({"text": t, "labels": ls}) + "\n" for t, ls in rows))
    tree = [
        ("how many", "NUM:count"),
        ("when", "NUM:date"),
        ("where", "LOC:city"),
        ("which country", "LOC:country"),
    ] * 6
    (folder / "tree.csv").write_text("text,label\n" + "".join(f"{text},{label}\n" for text, label in tree))
    stars = [("bad", 1), ("poor", 2), ("fine", 4), ("superb", 5)] * 6
    (folder / "stars.csv").write_text("text,rating\n" + "".join(f"{text},{n}\n" for text, n in stars))
    (folder / "costs.csv").write_text("pos,neg,100\n")
    return folder


def train(run, data, model, *more):
    done = run("train", data, "-o", model, "--features", "words:1", *more)
    assert done.code == 0, done.err
    return done


def test_sets(run, files):
    done = train(run, "sets.jsonl", "sets.linnet")
    assert done.err.startswith("sets.jsonl: 24 examples in the columns 'text' and 'labels', task labelset, 3 labels\n")
    assert run("predict", "sets.linnet", "sets.jsonl", "--only").out.splitlines()[:5] == [
        "prediction",
        '"corn,wheat"',
        "corn",
        "gold",
        '""',
    ]
    run("predict", "sets.linnet", "sets.jsonl", "-o", "out.jsonl", "--only")
    assert json.loads((files / "out.jsonl").read_text().splitlines()[0]) == {"prediction": ["corn", "wheat"]}
    top = next(csv.DictReader(io.StringIO(run("predict", "sets.linnet", "sets.jsonl", "--top", "2").out)))
    assert {top["prediction_1"], top["prediction_2"]} == {"corn", "wheat"}
    found = json.loads(run("evaluate", "sets.linnet", "sets.jsonl", "--json").out)
    names = ("micro_f1", "macro_f1", "subset_accuracy", "hamming_loss", "one_error", "coverage", "average_precision")
    assert [found[name] for name in names] == [1, 1, 1, 0, 0, pytest.approx(1 / 3), 1]
    assert "micro F1 100.00" in run("evaluate", "sets.linnet", "sets.jsonl").out
    assert run("explain", "sets.linnet", "corn").out.startswith("label corn")
    inspected = json.loads(run("inspect", "sets.jsonl", "--json").out)
    assert inspected["labels_per_text"] == {"least": 0, "mean": 1.0, "most": 2}
    assert inspected["texts_without_a_label"] == 6


def test_probabilities_of_sets(run, files):
    train(run, "sets.jsonl", "p.linnet", "--learner", "logistic")
    row = next(csv.DictReader(io.StringIO(run("predict", "p.linnet", "sets.jsonl", "--proba", "--at-least", "0").out)))
    assert row["prediction"] == "corn,gold,wheat"
    assert len(row["confidence"].split(",")) == 3


def test_a_hierarchy(run, files):
    train(run, "tree.csv", "tree.linnet", "--task", "hierarchy", "--learner", "logistic")
    found = json.loads(run("evaluate", "tree.linnet", "tree.csv", "--json").out)
    assert (found["accuracy"], found["tree_loss"], found["per_level"]) == (1, 0, [1, 1])
    assert run("predict", "tree.linnet", "tree.csv", "--only").out.split()[:3] == [
        "prediction",
        "NUM:count",
        "NUM:date",
    ]
    unsure = run("predict", "tree.linnet", "tree.csv", "--at-least", "1", "--only").out.split("\n")
    assert unsure[1] == '""'


def test_ratings(run, files):
    train(run, "stars.csv", "stars.linnet", "--task", "ordinal", "--label-col", "rating")
    found = json.loads(run("evaluate", "stars.linnet", "stars.csv", "--label-col", "rating", "--json").out)
    assert found["ratings"] == ["1", "2", "4", "5"]
    assert found["mean_absolute_error"] <= 1
    assert "mean absolute error" in run("evaluate", "stars.linnet", "stars.csv", "--label-col", "rating").out


def test_costs(run, files):
    train(run, "train.csv", "costs.linnet", "--set", "costs=costs.csv")
    done = run("predict", "costs.linnet", "-", "--format", "csv", "--only", stdin="text\nfilm\n")
    assert done.out == "prediction\npos\n"
    assert "mean_cost" in json.loads(run("evaluate", "costs.linnet", "test.csv", "--json").out)
    train(run, "train.csv", "plain.linnet", "--learner", "logistic")
    assert "mean_cost" not in json.loads(run("evaluate", "plain.linnet", "test.csv", "--json").out)
    given = json.loads(run("evaluate", "plain.linnet", "test.csv", "--costs", "costs.csv", "--json").out)
    assert given["mean_cost"] >= 0


REFUSED = {
    "--at-least is for label sets and hierarchies, but the model is for task 'labels'": (
        "mira.linnet",
        "--at-least",
        "0.5",
    ),
    "--costs is for labels, but the model is for task 'labelset'": ("sets.linnet", "--costs", "costs.csv"),
}


@pytest.mark.parametrize("sentence", REFUSED)
def test_what_a_task_has_no_use_for_is_refused(sentence, run, files, mira):
    train(run, "sets.jsonl", "sets.linnet")
    model, *flags = REFUSED[sentence]
    done = run("predict", model, "new.csv", *flags)
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err


def test_texts_come_few_at_a_time_where_labels_are_many(monkeypatch, tmp_path):
    model = linnet.train((["u v", "w", "x"], ["a", "b", "c"]), features="words:1", learner="perceptron")
    (tmp_path / "new.txt").write_text("u\nv\nw\nx\ny\n")
    monkeypatch.setattr(texts, "_CELLS", 6)
    found = [batch.text.to_pylist() for batch in model.batches(tmp_path / "new.txt")]
    assert found == [["u", "v"], ["w", "x"], ["y"]]
