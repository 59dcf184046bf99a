"""Answers in threads: the same bytes, in the same order, whatever their number."""

import random

import pyarrow as pa
import pytest

import linnet
from linnet.tasks.answering import answered

WORDS = "a the film is not good bad dull fine it don't never plot actor scene ending , . !".split()


@pytest.fixture(scope="module")
def texts():
    rng = random.Random(0)
    return [" ".join(rng.choices(WORDS, k=rng.randrange(1, 30))) for _ in range(5000)]


@pytest.fixture(scope="module")
def model(tmp_path_factory, texts):
    path = tmp_path_factory.mktemp("threads") / "films.linnet"
    linnet.train(texts[:400], ["+" if "good" in text else "-" for text in texts[:400]]).save(path)
    return str(path)


def test_batches_are_the_same_for_any_number_of_threads(model, texts):
    table = pa.table({"id": range(len(texts)), "text": texts})
    batches = [table.slice(0, 3000), table.slice(3000, 10), table.slice(3010)]
    one = list(linnet.answers(model, batches, keep=["id"]))
    assert [len(batch) for batch in one] == [3000, 10, 1990]
    assert [batch.column_names for batch in one] == [["id", "prediction", "confidence"]] * 3
    for threads in (2, 4, 8):
        found = list(linnet.answers(model, batches, keep=["id"], threads=threads))
        assert all(a.equals(b) for a, b in zip(found, one, strict=True))


def test_what_goes_wrong_in_a_thread_is_raised(model):
    table = pa.table({"text": ["a"] * 4000})

    def answer(some):
        raise ValueError("no answer")

    with pytest.raises(ValueError, match="^no answer$"):
        list(answered([table, table], answer, 2))


def test_batches_that_are_no_tables_are_answered_one_after_the_other():
    found = answered([["a"], ["b", "c"]], lambda some: pa.table({"n": [len(some)]}), 4)
    assert [(batch, answers["n"].to_pylist()) for batch, answers in found] == [(["a"], [1]), (["b", "c"], [2])]
