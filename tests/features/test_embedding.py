"""A column of vectors as features, from whatever has columns; and a model of n-grams and vectors, from file to explanation."""

import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

import linnet
from linnet import DataError
from linnet.features.table import Table
from linnet.features.text import TextFeatures
from linnet.sklearn import LinearClassifier

N, D = 60, 8
SPEC = "words:1 embedding:minilm*0.7"


@pytest.fixture(scope="module")
def data():
    """Texts whose vectors tell their label, and whose words tell it in half of the texts."""
    rng = np.random.default_rng(5)
    label = np.arange(N) % 2
    vectors = rng.normal(size=(N, D)) + np.where(label[:, None] == 1, 1.0, -1.0) * np.eye(D)[0] * 3
    words = [["dull", "fine"][y] if rng.random() < 0.5 else "film" for y in label]
    texts = [f"a {word} one {i % 7}" for i, word in enumerate(words)]
    return texts, ["neg" if y == 0 else "pos" for y in label], vectors


@pytest.fixture(scope="module")
def model(data):
    return trained(data)


def trained(data, spec=SPEC):
    texts, labels, vectors = data
    return linnet.train({"text": texts, "label": labels, "minilm": vectors}, features=spec)


def columns_of(vectors):
    table = Table.from_texts([""] * len(vectors))
    return Table(table.text, pa.table({"minilm": vectors}))


def values_of(spec, column):
    features = TextFeatures(spec)
    rows = features.fit_transform(columns_of(column))
    return rows.values.reshape(len(column), -1)


def test_vectors_are_as_long_as_the_weight_or_as_they_are(data):
    vectors = data[2]
    lists = pa.array(vectors.tolist())
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    np.testing.assert_allclose(values_of("embedding:minilm*0.7", lists), 0.7 * unit, rtol=1e-6)
    np.testing.assert_allclose(values_of("embedding:minilm,raw*0.5", lists), 0.5 * vectors, rtol=1e-6)


def test_every_type_of_column_gives_the_same(data):
    lists = data[2].astype(np.float32).astype(np.float64).tolist()
    wanted = values_of("embedding:minilm", pa.array(lists))
    kinds = [pa.list_(pa.float32()), pa.large_list(pa.float64()), pa.list_(pa.float32(), D), pa.list_(pa.float64(), D)]
    columns = [pa.array(lists, kind) for kind in kinds]
    columns += [pa.array(map(json.dumps, lists)), pa.chunked_array([pa.array(lists[:7]), pa.array(lists[7:])])]
    columns += [pa.array([[0.0] * D, *lists, [1.0] * D], kind).slice(1, N) for kind in kinds]
    for column in columns:
        np.testing.assert_array_equal(values_of("embedding:minilm", column), wanted)


def test_a_vector_of_zeros_stays_one():
    np.testing.assert_allclose(values_of("embedding:minilm", pa.array([[0.0, 0], [3, 4]])), [[0, 0], [0.6, 0.8]])


@pytest.mark.parametrize(
    ("second", "said"),
    [
        ([1.0], r"expected 2 numbers in column 'minilm' of row 2, .* found 1"),
        (None, r"expected a list of numbers in column 'minilm' of row 2, 'bad', found none"),
        ([1.0, None], r"row 2, 'bad', found one with something else"),
        ([1.0, float("nan")], r"expected numbers between .* row 2, 'bad', found nan"),
        ([float("inf"), 1.0], r"found inf"),
        ([1e30, 1.0], r"found 1e\+30"),
    ],
)
def test_a_wrong_vector_is_an_error_with_the_row(second, said):
    table = Table(
        pa.chunked_array([pa.array(["good", "bad"], pa.large_string())]), pa.table({"minilm": [[1.0, 2.0], second]})
    )
    with pytest.raises(DataError, match=said):
        TextFeatures("embedding:minilm").fit_transform(table)


def test_files_name_the_line(tmp_path):
    path = tmp_path / "data.jsonl"
    rows = [
        {"text": t, "label": y, "minilm": v}
        for t, y, v in [("a", "x", [1.5, 2.0]), ("b", "y", [0.5]), ("c", "x", [1.0, 1.0])]
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(DataError, match=r"data.jsonl:2: expected 2 numbers"):
        linnet.train(path, features=SPEC)
    rows[1]["minilm"] = ["x"]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(DataError, match=r"data.jsonl:2: expected a list of numbers under 'minilm'"):
        linnet.train(path, features=SPEC)


def test_a_missing_column_is_an_error(data, model):
    with pytest.raises(DataError, match="expected a column 'minilm'"):
        model.predict(["a fine one"])


@pytest.mark.parametrize("form", ["jsonl", "parquet", "arrow", "csv"])
def test_files_of_all_formats_give_the_same_model(data, model, tmp_path, form):
    texts, labels, vectors = data
    path = tmp_path / f"data.{form}"
    table = pa.table({"text": texts, "label": labels, "minilm": vectors.tolist()})
    if form == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in table.to_pylist()))
    elif form == "parquet":
        pyarrow.parquet.write_table(table, path)
    elif form == "arrow":
        pyarrow.feather.write_feather(table, path, compression="uncompressed")
    else:
        table.to_pandas().assign(minilm=list(map(json.dumps, vectors.tolist()))).to_csv(path, index=False)
    found = linnet.train(path, features=SPEC)
    np.testing.assert_array_equal(found.V, model.V)
    assert found.evaluate(path).accuracy > 0.9
    answers = pa.concat_tables([found.answers(batch) for batch in found.batches(path)])
    assert answers["prediction"].to_pylist() == model.predict({"text": texts, "minilm": vectors})


def test_python_values_of_all_kinds(data, model):
    texts, _, vectors = data
    wanted = model.scores({"text": texts, "minilm": vectors})
    frame = pd.DataFrame({"text": texts, "minilm": list(vectors)})
    dicts = [{"text": text, "minilm": vector.tolist()} for text, vector in zip(texts, vectors, strict=True)]
    for given in (frame, dicts, pa.Table.from_pandas(frame), {"text": texts, "minilm": vectors.tolist()}):
        np.testing.assert_array_equal(model.scores(given), wanted)


def test_the_model_is_the_same_from_its_file(data, model, tmp_path):
    texts, _, vectors = data
    model.save(tmp_path / "m.linnet")
    again = linnet.load(tmp_path / "m.linnet")
    given = {"text": texts, "minilm": vectors}
    np.testing.assert_array_equal(again.scores(given), model.scores(given))


@pytest.mark.parametrize("learned", [0, -1, "8", 1 << 40])
def test_a_forged_length_is_refused(model, learned):
    header = model.features.header()
    with pytest.raises(ValueError, match="the length of the vectors"):
        TextFeatures.from_arrays({**header, "columns": [learned]}, model.features.arrays())


def test_contributions_of_words_and_of_the_vector_sum_to_the_score(data, model):
    texts, _, vectors = data
    given = {"text": texts[1], "minilm": vectors[1].tolist()}
    found = model.explain(given)
    scores = model.scores([given])[0]
    assert found.score == pytest.approx(abs(scores[0] - scores[1]), rel=1e-4)
    assert found.bias + sum(item.contribution for item in found.contributions) == pytest.approx(found.score)
    blocks = [item for item in found.contributions if item.feature == "embedding:minilm"]
    assert len(blocks) == 1
    assert blocks[0].contribution > 0
    assert found.elsewhere == pytest.approx(blocks[0].contribution)
    assert not any("#" in item.feature for item in found.contributions)
    assert not any("#" in one.feature for best in model.strongest(30).values() for one in best)


def test_vectors_alone_need_no_text(data):
    _, labels, vectors = data
    model = linnet.train({"label": labels, "minilm": vectors}, features="embedding:minilm")
    right = np.mean([a == b for a, b in zip(model.predict({"minilm": vectors}), labels, strict=True)])
    assert right > 0.9


def test_an_estimator_takes_columns(data, model):
    texts, labels, vectors = data
    frame = pd.DataFrame({"text": texts, "minilm": list(vectors)})
    found = LinearClassifier(features=SPEC).fit(frame, labels)
    assert list(found.predict(frame)) == model.predict({"text": texts, "minilm": vectors})


def test_learners_are_compared_over_vectors(data):
    texts, labels, vectors = data
    frame = pd.DataFrame({"text": texts, "label": labels, "minilm": list(vectors)})
    found = linnet.compare(frame, learners=["logistic", "svm"], features=["words:1", SPEC], folds=3)
    best = {row.system.features: row.score for row in found.rows if row.system.learner == "svm"}
    assert best[SPEC] > best["words:1"] + 0.1
