"""Other columns of a table on the command line."""

import json

import pytest

import linnet

SPEC = "words:1 column:country number:age"


@pytest.fixture
def table(folder):
    """20 texts; `old` is from 50 on, and more often from FR."""
    lines = ["text,label,country,age"]
    for age in range(30, 70, 2):
        lines.append(f"some words,{'old' if age >= 50 else 'young'},{'FR' if age % 3 else 'DE'},{age}")
    (folder / "people.csv").write_text("\n".join(lines) + "\n")
    return folder / "people.csv"


@pytest.fixture
def bayes(run, table):
    done = run("train", "people.csv", "-o", "people.linnet", "--learner", "naive-bayes", "--features", SPEC)
    assert (done.code, done.out) == (0, "")
    data, *problems, learner, _, _, _, _ = done.err.splitlines()
    assert problems == [
        "look: 19 texts that repeat an earlier one: rows 2, 3, 4, 5, 6 and 14 more",
        "look: 10 texts that repeat an earlier one with other labels: rows 11, 12, 13, 14, 15 and 5 more",
    ]
    assert data == "people.csv: 20 examples in the columns 'text' and 'label', task labels, 2 labels: old 10, young 10"
    assert learner == "learner naive-bayes, 7 features: words:1 column:country number:age"
    return linnet.load(table.parent / "people.linnet")


def test_every_command_looks_at_the_columns(run, table, bayes):
    rows = [{"text": "some words", "country": "FR" if age % 3 else "DE", "age": age} for age in range(30, 70, 2)]
    predicted = bayes.predict(rows)
    assert predicted == ["young"] * 10 + ["old"] * 10
    assert run("predict", "people.linnet", "people.csv", "--only").out.split() == ["prediction", *predicted]
    assert json.loads(run("evaluate", "people.linnet", "people.csv", "--json").out)["accuracy"] == 1
    found = json.loads(run("explain", "people.linnet", "people.csv", "--json").out)["explanations"]
    assert [one["score"] for one in found] == [pytest.approx(bayes.explain(row).score) for row in rows[:5]]
    assert {item["feature"] for item in found[0]["contributions"]} == {"some", "words", "country=DE", "age", "age^2"}
    facts = json.loads(run("inspect", "people.linnet", "--json").out)
    assert (facts["features"], facts["n_features"]) == (SPEC, 7)
    assert json.loads(run("inspect", "people.csv", "--json").out)["other_columns"] == ["country", "age"]
    compared = run(
        "compare", "people.csv", "--learners", "naive-bayes,logistic", "--features", SPEC, "--folds", "2", "--json"
    )
    assert [row["features"] for row in json.loads(compared.out)["systems"]] == [SPEC] * 2


def test_documents_have_columns(run, bayes):
    done = run("explain", "people.linnet", "--sample", "2")
    (label, text), (other, last) = bayes.sample(2)
    assert [line.rstrip() for line in done.out.splitlines()] == [label, f"  {text}", "", other, f"  {last}"]
    assert all("country=" in text and "age=" in text for text in (text, last))


def test_what_is_not_there_or_no_number(run, table, bayes):
    done = run("explain", "people.linnet", "some words")
    message = (
        "expected a column 'country' of text or numbers beside the text, found none. Pass a table that has it, with values of "
        "one kind."
    )
    assert done == (1, "", f"linnet: {message}\n")
    table.write_text("text,country,age\nsome words,DE,30\nsome words,DE,thirty\n")
    done = run("predict", "people.linnet", "people.csv")
    assert done.code == 1
    assert done.err.startswith("linnet: people.csv:3: expected a number in column 'age', found 'thirty'.")
