"""`linnet.answers`: a model as a function over batches of Arrow."""

import random

import pyarrow as pa
import pytest

import linnet

TEXTS = ["a good film", "a bad film"]


@pytest.fixture(scope="module")
def model():
    return linnet.train(["good", "fine", "bad", "poor"] * 5, ["+", "+", "-", "-"] * 5, learner="perceptron")


def rows(batches):
    return [row for batch in batches for row in batch.to_pylist()]


def test_answers_stand_behind_the_columns(model):
    found = rows(linnet.answers(model, pa.table({"id": [1, 2], "text": TEXTS}), proba=False))
    assert found == [
        {"id": 1, "text": "a good film", "prediction": "+"},
        {"id": 2, "text": "a bad film", "prediction": "-"},
    ]


def test_a_column_of_an_earlier_prediction_is_kept_beside_the_new_one(model):
    found = rows(linnet.answers(model, pa.table({"text": TEXTS, "prediction": ["?", "?"]})))
    assert [row["prediction"] for row in found] == ["?", "?"]
    assert [row["prediction_2"] for row in found] == ["+", "-"]


def test_batches_are_answered_one_by_one(model):
    batches = [pa.record_batch({"text": [text]}) for text in TEXTS]
    assert [row["prediction"] for row in rows(linnet.answers(model, iter(batches), keep=["text"]))] == ["+", "-"]


def test_the_text_may_have_another_name(model):
    table = pa.table({"text": ["poor", "fine"], "body": TEXTS})
    found = rows(linnet.answers(model, table, text="body", keep=["body"], proba=False))
    assert found == [{"body": "a good film", "prediction": "+"}, {"body": "a bad film", "prediction": "-"}]


def test_what_is_not_arrow_is_refused(model):
    with pytest.raises(linnet.UsageError, match="expected batches of Arrow, found list"):
        list(linnet.answers(model, [TEXTS]))


def test_batches_are_the_same_for_any_number_of_threads(model):
    rng = random.Random(0)
    texts = [" ".join(rng.choices(["a", "good", "bad", "fine", "film"], k=rng.randrange(1, 30))) for _ in range(5000)]
    table = pa.table({"id": range(len(texts)), "text": texts})
    batches = [table.slice(0, 3000), table.slice(3000, 10), table.slice(3010)]
    one = list(linnet.answers(model, batches, keep=["id"]))
    assert [len(batch) for batch in one] == [3000, 10, 1990]
    for threads in (2, 4, 8):
        found = list(linnet.answers(model, batches, keep=["id"], threads=threads))
        assert all(a.equals(b) for a, b in zip(found, one, strict=True))
