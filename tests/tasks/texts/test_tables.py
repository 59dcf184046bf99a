"""Texts with other columns beside them, from every table format and in every task over texts."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

import linnet
from linnet.errors import DataError, UsageError

SPEC = "words:1 column:country number:age"
N = 60


def people(n=N, seed=0):
    """The text says nothing; label `old` is above 50, or from FR."""
    rng = np.random.default_rng(seed)
    age = rng.integers(20, 80, n).astype(float)
    country = rng.choice(["DE", "FR", "US"], n)
    label = np.where((age > 50) | (country == "FR"), "old", "young")
    age[:2] = np.nan
    return pd.DataFrame({"text": ["some words"] * n, "label": label, "country": country, "age": age})


def write(frame, path):
    if path.suffix in (".csv", ".tsv"):
        frame.to_csv(path, index=False, sep="," if path.suffix == ".csv" else "\t")
    elif path.suffix == ".jsonl":
        rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    elif path.suffix == ".parquet":
        pyarrow.parquet.write_table(pa.table(frame), path)
    else:
        pyarrow.feather.write_feather(pa.table(frame), path, compression="uncompressed")
    return path


FORMATS = ["csv", "tsv", "jsonl", "parquet", "arrow"]


@pytest.fixture(scope="module")
def model():
    frame = people()
    return linnet.train((frame, frame.label), learner="logistic", features=SPEC, options={"by": "lbfgs", "lam": 1e-4})


@pytest.mark.parametrize("format", FORMATS)
def test_every_table_format_gives_the_same_model(model, tmp_path, format):
    path = write(people(), tmp_path / f"train.{format}")
    found = linnet.train(path, learner="logistic", features=SPEC, options={"by": "lbfgs", "lam": 1e-4})
    assert found.features.names() == model.features.names()
    assert found.weights[0] == pytest.approx(model.weights[0], abs=1e-5)


def test_what_the_text_does_not_say_is_learned_from_the_columns(model):
    new = people(200, 1)
    assert model.evaluate(new, new.label).accuracy > 0.95
    words = linnet.train((people().text, people().label), features="words:1")
    assert words.evaluate(new.text, new.label).accuracy < 0.8


def test_every_kind_of_table_is_predicted_alike(model):
    new = people(30, 1).drop(columns="label")
    expected = model.scores(new)
    rows = new.astype(object).where(new.notna(), None).to_dict("records")
    for table in (pa.table(new), pl.from_pandas(new), rows, pa.table(new).to_pydict(), pa.table(new).to_batches()[0]):
        assert model.scores(table) == pytest.approx(expected, abs=1e-6)


def test_more_rows_than_are_read_at_a_time(model):
    new = people(700, 2)
    pieces = [model.predict(new[start : start + 100]) for start in range(0, 700, 100)]
    assert model.predict(new) == [label for piece in pieces for label in piece]


def test_a_saved_model_looks_at_the_same_columns(model, tmp_path):
    model.save(tmp_path / "m.linnet")
    again = linnet.load(tmp_path / "m.linnet")
    new = people(30, 1)
    assert again.scores(new).tolist() == model.scores(new).tolist()


def test_an_explanation_has_the_columns_and_sums_to_the_score(model):
    row = {"text": "some words", "country": "FR", "age": 30}
    explanation = model.explain(row, "old", "young")
    names = {item.feature: item for item in explanation.contributions}
    assert set(names) == {"some", "words", "country=FR", "age", "age^2"}
    assert names["country=FR"].contribution > 0 > names["age"].contribution
    scores = dict(zip(model.labels, model.scores([row])[0], strict=True))
    assert explanation.score == pytest.approx(float(scores["old"] - scores["young"]), abs=1e-4)
    outside = sum(
        item.contribution for item in explanation.contributions if "=" in item.feature or "age" in item.feature
    )
    assert explanation.elsewhere == pytest.approx(outside)


def test_a_held_out_part_a_calibration_and_a_search_take_the_columns_along(tmp_path):
    path = write(people(), tmp_path / "train.csv")
    assert linnet.train(path, learner="naive-bayes", features=SPEC, dev=0.2).report["expected"]["accuracy"] > 0.6
    sure = linnet.train(path, learner="averaged-mira", features=SPEC, calibrate="sigmoid")
    assert sure.predict_proba([{"text": "", "country": "FR", "age": 75}])[0, 0] > 0.6
    best = linnet.train(path, learner="auto", features=SPEC, options={"seconds": 5})
    assert best.evaluate(people(200, 1), people(200, 1).label).accuracy > 0.85


def test_a_comparison_takes_the_columns_along(tmp_path):
    path = write(people(120), tmp_path / "train.csv")
    found = linnet.compare(path, learners=["naive-bayes", "nb-svm"], features=["words:1", SPEC], folds=3)
    score = {(row.system.features, row.system.learner): row.score for row in found.rows}
    for learner in ("naive-bayes", "nb-svm"):
        assert score[SPEC, learner] > 0.8 > score["words:1", learner]


def test_other_tasks_over_texts():
    frame = people(120)
    rating = np.where(frame.age.fillna(50) > 60, "3", np.where(frame.age.fillna(50) > 40, "2", "1"))
    ratings = linnet.train((frame, rating), task="ordinal", features="number:age")
    assert ratings.evaluate(frame, rating).accuracy > 0.8
    sets = [[label, country] for label, country in zip(frame.label, frame.country, strict=True)]
    labels = linnet.train((frame, sets), task="labelset", features=SPEC)
    assert labels.evaluate(frame, sets).micro_f1 > 0.9
    assert labels.explain({"text": "", "country": "US", "age": 30}, "US").contributions[0].feature == "country=US"


def test_columns_and_no_text():
    frame = people().drop(columns="text")
    model = linnet.train((frame, frame.label), learner="naive-bayes", features="column:country number:age")
    assert model.predict(frame) == model.predict(frame.assign(text="words"))
    with pytest.raises(DataError, match="^no feature of 'words:1 number:age' is left in these 60 texts"):
        linnet.train((frame, frame.label), features="words:1 number:age")


def test_what_is_missing_is_said_in_a_sentence(model, tmp_path):
    with pytest.raises(
        DataError, match=r"^expected a column 'country' of text or numbers beside the text, found none\. Pass"
    ):
        model.predict(["some words"])
    with pytest.raises(DataError, match=r"^found no column of text among 'country', 'age'\. Name it 'text'\.$"):
        model.predict(people()[["country", "age"]])
    path = write(people()[["text", "label", "age"]], tmp_path / "train.csv")
    with pytest.raises(DataError) as caught:
        linnet.train(path, features=SPEC)
    expected = f"{path}: expected a column 'country' of text or numbers beside the text, found 'age'."
    assert str(caught.value) == expected
    with pytest.raises(UsageError, match="^feature 'number' needs the name of a column"):
        linnet.train(path, features="number")


SENTENCE = (
    "expected a number in column 'age', found 'about 40'. Leave it empty where there is none, or take the values as they are: "
    "column:age."
)


@pytest.mark.parametrize("format", FORMATS)
def test_a_value_that_is_no_number_is_found_in_its_file(tmp_path, format):
    frame = people().astype({"age": str}).replace({"age": {"nan": ""}})
    frame.loc[1, "text"] = "two\nlines"
    frame.loc[7, "age"] = "about 40"
    path = write(frame, tmp_path / f"train.{format}")
    # the header, seven rows, and the second line of one of them
    where = {"csv": ":10", "tsv": ":10", "jsonl": ":8"}.get(format, "")
    with pytest.raises(DataError) as caught:
        linnet.train(path, features=SPEC)
    assert str(caught.value) == f"{path}{where}: {SENTENCE}"


def test_a_value_that_is_no_number_in_the_second_file(tmp_path):
    good = write(people(), tmp_path / "good.csv")
    bad = tmp_path / "bad.csv"
    bad.write_text("text,label,country,Age\nsome words,old,DE,about 40\n")
    good.write_text(good.read_text().replace(",age", ",Age", 1))
    with pytest.raises(DataError) as caught:
        linnet.train([good, bad], features=SPEC)
    assert str(caught.value) == f"{bad}:2: {SENTENCE}"
