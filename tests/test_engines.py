"""The examples in examples/engines: each engine gives the answers that the model itself gives."""

import importlib.util
import os
from pathlib import Path

import pytest

import linnet

# What engines warn of in their own code is theirs to mend.
pytestmark = pytest.mark.filterwarnings("ignore")

FOLDER = Path(__file__).parent.parent / "examples" / "engines"
TEXTS = [f"{word} film {i}" for i in range(40) for word in ("good", "bad")]
ROWS = {"id": list(range(len(TEXTS))), "text": TEXTS}


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("engines") / "films.linnet"
    linnet.train(["good film", "fine film", "bad film", "poor film"] * 10, ["+", "+", "-", "-"] * 10).save(path)
    return str(path)


@pytest.fixture(scope="module")
def expected(model):
    loaded = linnet.load(model)
    return dict(zip(ROWS["id"], loaded.predict(TEXTS), strict=True))


def example(engine, package=None):
    pytest.importorskip(package or engine, reason=f"{package or engine} is not installed")
    spec = importlib.util.spec_from_file_location(engine, FOLDER / f"with_{engine}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_polars(model, expected):
    made = example("polars")
    import polars as pl

    found = made.answered(pl.LazyFrame(ROWS), model).collect()
    assert dict(found.select("id", "prediction").rows()) == expected
    assert found["confidence"].min() > 0.5


def test_duckdb(model, expected):
    made = example("duckdb")
    import duckdb
    import pyarrow as pa

    connection = duckdb.connect()
    connection.register("films", pa.table(ROWS))
    answered = connection.cursor().from_arrow(made.answered(connection, "select * from films", model))
    assert dict(answered.project("id, prediction").fetchall()) == expected


def test_dask(model, expected):
    made = example("dask")
    import dask.dataframe as dd
    import pandas as pd

    found = made.answered(dd.from_pandas(pd.DataFrame(ROWS), npartitions=3), model).compute(scheduler="sync")
    assert dict(zip(found["id"], found["prediction"], strict=True)) == expected


@pytest.mark.skipif("LINNET_TEST_RAY" not in os.environ, reason="set LINNET_TEST_RAY to start a cluster of Ray")
def test_ray(model, expected):
    made = example("ray")
    import ray

    found = made.answered(ray.data.from_items([{"id": i, "text": text} for i, text in enumerate(TEXTS)]), model)
    assert {row["id"]: row["prediction"] for row in found.take_all()} == expected


@pytest.mark.skipif("JAVA_HOME" not in os.environ, reason="Spark needs Java, which JAVA_HOME names")
def test_spark(model, expected):
    made = example("spark", "pyspark")
    from pyspark.sql import SparkSession

    session = SparkSession.builder.master("local[1]").getOrCreate()
    frame = session.createDataFrame(list(zip(ROWS["id"], TEXTS, strict=True)), "id long, text string")
    assert {row["id"]: row["prediction"] for row in made.answered(frame, model).collect()} == expected


def test_datatrove(model, expected):
    made = example("datatrove")
    from datatrove.data import Document

    documents = [Document(text, str(i)) for i, text in enumerate(TEXTS)]
    kept = made.LinnetFilter(model, "+").run(iter(documents))
    assert [int(one.id) for one in kept] == [i for i, label in expected.items() if label == "+"]
