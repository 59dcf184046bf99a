"""Models of typed weights, and tables without texts, on the command line."""

import csv
import io

import pytest

SIX = "number:x1 number:x2 number:x3 number:x4 number:x5 number:x6"
WEIGHTS = (2.5, -5.0, -1.2, 0.5, 2.0, 0.7)


@pytest.fixture(scope="module", autouse=True)
def files(folder):
    rows = [f"x{j},,{weight}\n" for j, weight in enumerate(WEIGHTS, 1)]
    (folder / "six.csv").write_text("feature,-,+\nbias,,0.1\n" + "".join(rows))
    (folder / "review.csv").write_text("x1,x2,x3,x4,x5,x6,label\n3,2,1,3,0,4.15,+\n")
    (folder / "typed.json").write_text(
        '{"features": "words:1-2",\n "labels": ["neg", "pos"],\n "weights": {"pos": {"bias": -0.1, "fine": 2, "not fine": -3}}}'
    )
    lights = ["red,red,broken"] + 3 * ["green,red,works"] + 3 * ["red,green,works"]
    (folder / "lights.csv").write_text("ns,ew,label\n" + "".join(f"{row}\n" for row in lights))
    (folder / "both-red.csv").write_text("ns,ew\nred,red\n")
    (folder / "football.csv").write_text("text,label\nfootball,SPORTS\n")


def table(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_the_weights_of_the_lecture(run):
    # Choi, eq. 5.6: sigma(0.805) = 0.69, and a loss of 0.37.
    made = run("make", "six.csv", "-o", "six.linnet", "--features", SIX)
    assert made.code == 0
    assert made.err.splitlines() == [
        f"six.csv: 18 features ({SIX}), labels -, +",
        "wrote six.linnet",
        "next: linnet explain six.linnet DATA",
    ]
    (answer,) = table(run("predict", "six.linnet", "review.csv").out)
    assert (answer["prediction"], answer["confidence"], answer["x6"]) == ("+", "0.691", "4.15")
    assert "log loss 0.3696" in run("evaluate", "six.linnet", "review.csv").out
    explained = run("explain", "six.linnet", "review.csv").out
    assert "score +0.805, bias +0.100" in explained
    assert "x1^2" not in explained  # what has no weight says nothing


def test_weights_in_json(run):
    assert run("make", "typed.json", "-o", "typed.linnet", "--quiet") == (0, "", "")
    assert "label neg" in run("explain", "typed.linnet", "not fine").out
    assert "learner     given" in run("inspect", "typed.linnet").out


def test_what_is_wrong_with_weights(run, folder):
    (folder / "bad.json").write_text('{"labels": ["a", "b"],\n "weights": {"a": {"Fine": 1}}}')
    made = run("make", "bad.json", "-o", "bad.linnet")
    assert made.code == 1
    assert made.err.startswith("linnet: bad.json:2: no text has the feature 'Fine' of 'words:1'. Did you mean 'fine'?")
    assert not (folder / "bad.linnet").exists()
    made = run("make", "typed.json", "-o", "typed.json")
    assert (made.code, made.err) == (
        2,
        "linnet: cannot write the model to 'typed.json': it is an input of the command, which would be lost. Name another "
        "file.\n",
    )
    made = run("make", "typed.json", "-o", "bad.linnet", "--labels", "neg,positive")
    assert "there are weights for label 'pos', but the labels are: neg, positive." in made.err


def test_traffic_lights_without_a_text(run):
    # Eisenstein, section 2.1: 4/28 to 6/28.
    spec = "column:ns column:ew"
    options = ("--learner", "naive-bayes", "--features", spec, "--set", "alpha=0", "--verbose")
    trained = run("train", "lights.csv", "-o", "lights.linnet", *options)
    assert trained.code == 0
    assert "lights.csv: 7 examples in the column 'label', task labels, 2 labels: works 6, broken 1" in trained.err
    # ln 1/7 + 6 ln (6/7 1/2 1/2)
    assert "joint likelihood of the data: ln P(x, y) = -11.1886, -1.598 per example on average" in trained.err
    assert run("predict", "lights.linnet", "both-red.csv").out == "ns,ew,prediction,confidence\nred,red,works,0.6\n"
    assert "accuracy 85.71%" in run("evaluate", "lights.linnet", "lights.csv").out
    assert "against broken: score +0.405" in run("explain", "lights.linnet", "both-red.csv").out
    assert "likelihood  -11.19" in run("inspect", "lights.linnet").out


@pytest.mark.parametrize("name", ["lights.jsonl", "lights.parquet"])
def test_tables_without_a_text_in_other_formats(run, folder, name):
    import pyarrow as pa
    from pyarrow import parquet as pq

    rows = [
        {"ns": "red", "ew": "red", "n": 1, "label": "broken"},
        {"ns": "red", "ew": "green", "n": 2, "label": "works"},
    ] * 3
    if name.endswith(".parquet"):
        pq.write_table(pa.Table.from_pylist(rows), folder / name)
    else:
        import json

        (folder / name).write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    options = ("--learner", "naive-bayes", "--features", "column:ns column:ew number:n", "--quiet")
    assert run("train", name, "-o", "other.linnet", *options) == (0, "", "")
    answers = table(run("predict", "other.linnet", name).out)
    assert [row["prediction"] for row in answers] == ["broken", "works"] * 3


def test_without_a_text_the_message_says_what_to_do(run):
    trained = run("train", "lights.csv", "-o", "none.linnet")
    assert (trained.code, trained.err) == (
        1,
        "linnet: lights.csv:1: found no text column among 'ns', 'ew', 'label'. Name the text column: --text-col on the command "
        'line, text= in Python. To learn from other columns alone, name them: --features "column:ns column:ew".\n',
    )
    assert '--features "number:x1 number:x2 ' in run("train", "review.csv", "-o", "none.linnet").err


def test_one_document_with_one_label(run):
    options = (
        "--learner",
        "naive-bayes",
        "--features",
        "words:1 unknown",
        "--set",
        "alpha=0",
        "--set",
        "impossible=zero",
    )
    trained = run("train", "football.csv", "-o", "football.linnet", *options)
    assert trained.code == 0
    assert "look: every row has the label 'SPORTS', so there is nothing to tell apart" in trained.err
    assert run("predict", "football.linnet", "-", stdin="text\nfootball\nbasketball game\n").out == (
        "text,prediction,confidence\nfootball,SPORTS,1.0\nbasketball game,SPORTS,0.0\n"
    )
    assert "label SPORTS  (score +0.000" in run("explain", "football.linnet", "football").out
    refused = run("train", "football.csv", "-o", "none.linnet", "--learner", "logistic")
    assert refused.err == (
        "linnet: football.csv: every row has the label 'SPORTS'; learning needs at least two. Add rows with another label.\n"
    )


def test_comparisons_of_tables_without_a_text(run, folder):
    rows = ["ns,ew,label\n", *(["red,red,broken\n", "green,red,works\n", "red,green,works\n"] * 10)]
    (folder / "more-lights.csv").write_text("".join(rows))
    spec = ("--features", "column:ns column:ew", "--learners", "naive-bayes,logistic", "--folds", "2")
    compared = run("compare", "more-lights.csv", *spec)
    assert compared.code == 0
    assert "logistic" in compared.out
