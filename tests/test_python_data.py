"""Whatever Python has can be handed to linnet, and it gives the same model, to the bit, as a file with the same rows."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import linnet
from linnet.errors import DataError, DataWarning, UsageError
from linnet.model.base import parts_of_model

WORDS = ["good", "fine", "bad", "poor", "so", "film", "cast", "plot"]
SPEC = "words:1-2"


def rows_of(n=60, seed=0):
    """Texts of some words: those with more good words than bad ones are `pos`."""
    rng = np.random.default_rng(seed)
    texts = [" ".join(rng.choice(WORDS, 6)) for _ in range(n)]
    return [{"text": text, "label": "pos" if _worth(text) > 0 else "neg", "year": 1990 + len(text)} for text in texts]


def _worth(text):
    return sum(text.count(word) for word in WORDS[:2]) - sum(text.count(word) for word in WORDS[2:4])


ROWS = rows_of()
TEXTS, LABELS = [row["text"] for row in ROWS], [row["label"] for row in ROWS]
COLUMNS = {name: [row[name] for row in ROWS] for name in ROWS[0]}
STARS = [5 if label == "pos" else 1 for label in LABELS]


@pytest.fixture(scope="module")
def reviews(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "reviews.csv"
    path.write_text(
        "text,label,year\n"
        + "".join(f"{text},{label},{year}\n" for text, label, year in zip(*COLUMNS.values(), strict=True))
    )
    return path


@pytest.fixture(scope="module")
def expected(reviews):
    return linnet.train(reviews, features=SPEC)


def same(model, other):
    """The two models have the same features and weights, to the bit."""
    (header, arrays), (expected, wanted) = parts_of_model(model), parts_of_model(other)
    for name in ("task", "labels", "features", "learner", "options"):
        assert header[name] == expected[name]
    assert list(arrays) == list(wanted)
    for name, array in arrays.items():
        assert np.array_equal(array, wanted[name])


KINDS = {
    "pandas": lambda: pd.DataFrame(COLUMNS),
    "pandas with an index": lambda: pd.DataFrame(COLUMNS, index=[f"row {i}" for i in range(len(ROWS))]),
    "pandas of Arrow": lambda: pd.DataFrame(COLUMNS).convert_dtypes(dtype_backend="pyarrow"),
    "pandas of categories": lambda: pd.DataFrame(COLUMNS).astype({"label": "category"}),
    "polars": lambda: pl.DataFrame(COLUMNS),
    "lazy polars": lambda: pl.DataFrame(COLUMNS).lazy(),
    "polars of categories": lambda: pl.DataFrame(COLUMNS).with_columns(pl.col("label").cast(pl.Categorical)),
    "an Arrow table": lambda: pa.table(COLUMNS),
    "a record batch": lambda: pa.RecordBatch.from_pydict(COLUMNS),
    "a reader of batches": lambda: pa.table(COLUMNS).to_reader(7),
    "a dict of lists": lambda: dict(COLUMNS),
    "a dict of arrays": lambda: {name: np.array(column) for name, column in COLUMNS.items()},
    "a list of dicts": lambda: [dict(row) for row in ROWS],
    "a generator of dicts": lambda: (dict(row) for row in ROWS),
    "a list of pairs": lambda: list(zip(TEXTS, LABELS, strict=True)),
    "a generator of pairs": lambda: ((row["text"], row["label"]) for row in ROWS),
    "an iterator of pairs": lambda: zip(TEXTS, LABELS, strict=True),
    "a pair": lambda: (TEXTS, LABELS),
    "a pair of iterators": lambda: (iter(TEXTS), iter(LABELS)),
    "a pair of series": lambda: (pd.Series(TEXTS), pd.Series(LABELS)),
    "a pair of Arrow columns": lambda: (pa.array(TEXTS), pa.chunked_array([LABELS])),
    "a table and labels": lambda: (pd.DataFrame({"text": TEXTS}), np.array(LABELS)),
    "a path": lambda: None,
}


@pytest.fixture(params=KINDS)
def brought(request, reviews):
    """What a user may bring, made anew at each call, as some of it can be read only once."""
    return lambda: KINDS[request.param]() or str(reviews) if request.param == "a path" else KINDS[request.param]()


def test_all_of_it_trains_the_same_model(brought, expected):
    same(linnet.train(brought(), features=SPEC), expected)


def test_all_of_it_is_evaluated_alike(brought, expected, reviews):
    report = expected.evaluate(reviews)
    assert (report.n, report.accuracy) == (60, 1.0)
    assert expected.evaluate(brought()).as_dict() == report.as_dict()


def test_all_of_it_is_compared_and_held_out_alike(brought):
    how = {"learners": ["perceptron"], "features": ["words:1"], "folds": 3}
    assert linnet.compare(brought(), **how).best.score == linnet.compare(TEXTS, LABELS, **how).best.score
    found = linnet.train(TEXTS, LABELS, learner="perceptron", features=SPEC, dev=brought())
    assert found.provenance["held_out"] == 60


@pytest.mark.parametrize(
    "kind", [kind for kind in KINDS if not any(word in kind for word in ("pair", "path", "labels"))]
)
def test_rows_are_predicted_whatever_they_come_in(expected, kind):
    assert expected.predict(KINDS[kind]()) == LABELS
    assert expected.answers(KINDS[kind]())["prediction"].to_pylist() == LABELS


def test_texts_and_paths_are_predicted(expected, reviews):
    for texts in (
        TEXTS,
        iter(TEXTS),
        (text for text in TEXTS),
        pd.Series(TEXTS),
        np.array(TEXTS),
        pa.array(TEXTS),
        reviews,
    ):
        assert expected.predict(texts) == LABELS
    with pytest.raises(DataError, match="expected many texts, found a single string"):
        expected.predict("a good film")


def test_two_arguments_are_examples_and_outputs(expected):
    same(linnet.train(TEXTS, LABELS, features=SPEC), expected)
    same(linnet.train((text for text in TEXTS), pd.Series(LABELS), features=SPEC), expected)
    same(linnet.train(TEXTS, pd.DataFrame({"any": LABELS}), features=SPEC), expected)
    assert expected.evaluate(TEXTS, LABELS).accuracy == 1.0


def test_hugging_face_datasets(expected, tmp_path):
    datasets = pytest.importorskip("datasets", reason="the package datasets of Hugging Face is not installed")
    data = datasets.Dataset.from_dict(COLUMNS)
    same(linnet.train(data, features=SPEC), expected)
    same(linnet.train(data.to_iterable_dataset(), features=SPEC), expected)
    same(linnet.train(data["text"], data["label"], features=SPEC), expected)
    assert expected.predict(data) == LABELS
    assert expected.evaluate(data.shuffle(seed=1)).accuracy == 1.0
    half = data.filter(lambda row: row["year"] % 2 == 0)
    assert expected.predict(half) == [row["label"] for row in ROWS if row["year"] % 2 == 0]
    with pytest.raises(DataError, match=r"^expected one table, found several under \['train'\], \['test'\]\. Pass one"):
        linnet.train(datasets.DatasetDict({"train": data, "test": data}))


def test_classes_of_hugging_face_are_numbers_as_labels_and_names_as_tags():
    datasets = pytest.importorskip("datasets", reason="the package datasets of Hugging Face is not installed")
    features = datasets.Features({"text": datasets.Value("string"), "label": datasets.ClassLabel(names=["neg", "pos"])})
    data = datasets.Dataset.from_dict(
        {"text": TEXTS, "label": [int(label == "pos") for label in LABELS]}, features=features
    )
    model = linnet.train(data, features=SPEC)
    assert model.predict(data) == data["label"][:]
    tags = datasets.List(datasets.ClassLabel(names=["O", "B-X"]))
    features = datasets.Features({"tokens": datasets.List(datasets.Value("string")), "ner_tags": tags})
    data = datasets.Dataset.from_dict(
        {"tokens": [["a", "dog"], ["cat"]] * 5, "ner_tags": [[0, 1], [1]] * 5}, features=features
    )
    tagger = linnet.train(data, features="w")
    assert tagger.predict([["a", "cat"]]) == [["O", "B-X"]]
    assert tagger.evaluate(data).token_accuracy == 1.0


def test_columns_are_named_and_remembered(tmp_path, expected):
    other = {"label": ["x"] * len(ROWS), "text": ["y"] * len(ROWS), "review": TEXTS, "stars": STARS}
    model = linnet.train(other, text="review", label="stars", features=SPEC)
    assert model.details["columns"] == {"text": "review", "label": "stars"}
    model.save(tmp_path / "m.linnet")
    again = linnet.load(tmp_path / "m.linnet")
    assert again.predict(pd.DataFrame(other)) == STARS
    assert again.evaluate(pl.DataFrame(other)).accuracy == 1.0
    assert again.evaluate(pd.DataFrame(other), STARS).accuracy == 1.0
    assert again.explain(dict(zip(other, ("x", "y", "good", 5), strict=True))).text == "good"
    assert again.predict([{"text": TEXTS[0]}]) == STARS[:1]
    assert again.evaluate({"a": TEXTS, "b": STARS}, text="a", label="b").accuracy == 1.0
    session = again.session()
    session.learn({"review": "a fine plot", "text": "bad"}, 5)
    assert session.model().details["columns"] == {"text": "review", "label": "stars"}
    gone_on = linnet.train(pl.DataFrame(other), start=again)
    assert gone_on.provenance["examples"] == 60


def test_the_columns_of_a_file_are_remembered(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("review,stars\n" + "".join(f"{text},{label}\n" for text, label in zip(TEXTS, LABELS, strict=True)))
    model = linnet.train(path, label="stars", features=SPEC)
    assert model.details["columns"] == {"text": "review", "label": "stars"}
    frame = pd.DataFrame({"text": ["bad"] * 60, "review": TEXTS, "label": "x", "stars": LABELS})
    frame.to_csv(tmp_path / "b.csv")
    for found in (frame, tmp_path / "b.csv"):
        assert model.predict(found) == LABELS
        assert model.evaluate(found).accuracy == 1.0
    assert [label for batch in model.batches(tmp_path / "b.csv") for label in model.predict(batch)] == LABELS


@pytest.mark.parametrize(
    ("labels", "kind", "arrow"),
    [
        (STARS, "int", pa.int64()),
        (np.array(STARS, np.uint8), "int", pa.int64()),
        ([np.int16(stars) for stars in STARS], "int", pa.int64()),
        (pd.Series(STARS), "int", pa.int64()),
        (pd.array(STARS, "Int64"), "int", pa.int64()),
        ([stars == 5 for stars in STARS], "bool", pa.bool_()),
        (np.array(STARS) == 5, "bool", pa.bool_()),
        ([stars / 2 for stars in STARS], "float", pa.float64()),
        ([2.5 if stars == 5 else 1 for stars in STARS], "float", pa.float64()),
        (LABELS, None, pa.large_string()),
        (np.array(LABELS), None, pa.large_string()),
    ],
)
def test_labels_come_back_as_they_came(tmp_path, labels, kind, arrow):
    wanted = labels if isinstance(labels, list) else labels.tolist()
    model = linnet.train(TEXTS, labels, features=SPEC, learner="logistic")
    model.save(tmp_path / "m.linnet")
    for one in (model, linnet.load(tmp_path / "m.linnet"), model.session().model()):
        found = one.predict(TEXTS)
        assert found == wanted
        assert (
            {type(label) for label in found} == {type(label) for label in one.label_values} <= {str, int, float, bool}
        )
        assert one.details.get("label_type") == kind
        assert one.answers(TEXTS)["prediction"].type == arrow
        assert one.answers(TEXTS, proba=True)["prediction"].to_pylist() == wanted
        assert one.answers(TEXTS, top=2)["prediction_1"].type == arrow
        assert one.evaluate(TEXTS, labels).accuracy == 1.0
        best = one.predict(["good"])[0]
        assert one.explain("good", label=best).label == one.labels[one.number(best)]


def test_labels_of_files_are_strings(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(
        "".join(json.dumps({"text": text, "label": label}) + "\n" for text, label in zip(TEXTS, STARS, strict=True))
    )
    model = linnet.train(path, features=SPEC)
    assert model.predict(["good"]) == ["5"]
    assert model.evaluate(TEXTS, STARS).accuracy == 1.0
    same(linnet.train(TEXTS, STARS, features=SPEC), model)


def test_numbers_in_sessions_weights_and_costs():
    model = linnet.train(TEXTS, STARS, features=SPEC, learner="averaged-mira", class_weight={5: 2.0, 1: 1.0})
    session = model.session()
    session.learn("so so plot", 3)
    session.learn(["so so", "so"], np.array([3, 3]))
    assert (session.predict("so so"), session.labels) == (3, ("1", "5", "3"))
    session.learn("fine", "5")  # as a file would have it
    with pytest.raises(
        DataError, match=r"^the labels of the model are of type int, and 'pos' is new and of another type"
    ):
        session.learn("fine", "pos")
    assert session.model().predict(["so so", "good"]) == [3, 5]
    assert model.update("so so plot", 3).predict(["so so plot"]) == [3]
    costly = linnet.train(TEXTS, STARS, features=SPEC, learner="logistic", options={"costs": {(1, 5): 1000.0}})
    assert costly.predict(["film"]) == [1]
    with pytest.raises(UsageError, match=r"^the model has no label 7\. It has: 1, 5\.$"):
        model.explain("good", 7)


def test_numbers_in_the_other_tasks():
    ratings = linnet.train(TEXTS, STARS, task="ordinal", features=SPEC)
    assert ratings.predict(["good good", "bad bad"]) == [5, 1]
    assert ratings.evaluate({"text": TEXTS, "label": STARS}).accuracy > 0.9
    sets = [[stars, 7] if "plot" in text else [stars] for text, stars in zip(TEXTS, STARS, strict=True)]
    for given in (sets, [set(one) for one in sets], [np.array(one) for one in sets]):
        model = linnet.train(TEXTS, given, features="words:1")
        assert model.task == "labelset"
        assert model.predict(["good plot"]) == [[5, 7]]
        assert model.answers(["good plot"]).schema.field("prediction").type == pa.list_(pa.int64())
        assert model.evaluate(TEXTS, given).micro_f1 > 0.9
    session = model.session()
    session.learn("cast and cast", [8])
    assert session.model().label_values == (1, 5, 7, 8)
    ranked = linnet.train(TEXTS, sets, task="ranking", features="words:1")
    assert sorted(ranked.predict(["good"])[0]) == [1, 5, 7]
    paths = [f"{'a' if stars == 5 else 'b'}:{stars}" for stars in STARS]
    tree = linnet.train(pd.DataFrame({"text": TEXTS, "label": paths}), task="hierarchy", features=SPEC)
    assert tree.predict(["good"]) == ["a:5"]
    assert tree.evaluate({"text": TEXTS, "label": paths}).accuracy == 1.0


def test_lists_of_labels_and_strings_with_commas_are_sets():
    sets = [["a", "b"] if "plot" in text else ["a"] for text in TEXTS]
    model = linnet.train(pl.DataFrame({"text": TEXTS, "labels": sets}), features="words:1")
    joined = linnet.train(
        pd.DataFrame({"text": TEXTS, "labels": [", ".join(one) for one in sets]}), task="labelset", features="words:1"
    )
    same(model, joined)
    assert (model.task, model.labels) == ("labelset", ("a", "b"))


@pytest.mark.parametrize("missing", [None, float("nan"), np.nan, pd.NA, pd.NaT, "", " ", "NaN", "null", "n/a", "N/A"])
def test_rows_without_a_label_are_left_out_and_counted(missing, expected):
    labels = [*LABELS, missing, missing]
    with pytest.warns(DataWarning, match="^2 of 62 rows have no label, and are left out.$"):
        model = linnet.train([*TEXTS, "x", "y"], labels, features=SPEC)
    same(model, expected)
    assert model.report["notes"] == ["2 of 62 rows have no label, and are left out."]
    rows = [*ROWS, {"text": "x", "label": missing}, {"text": "y", "label": missing}]
    with pytest.warns(DataWarning, match="^2 of 62 rows have no label, and are left out.$"):
        same(linnet.train(rows, features=SPEC), expected)
    with pytest.warns(DataWarning, match="^2 of 62 rows"):
        assert expected.evaluate(rows).n == 60


def test_numbers_with_gaps_stay_numbers():
    frame = pd.DataFrame({"text": [*TEXTS, "x"], "label": pd.array([*STARS, None], "Int64")})
    with pytest.warns(DataWarning, match="^1 of 61 rows"):
        assert linnet.train(frame, features=SPEC).predict(TEXTS) == STARS


def test_data_that_are_mostly_without_a_label_are_refused():
    with pytest.raises(DataError, match=r"^texts and labels: 31 of 60 rows have no label: None, NaN, an empty string"):
        linnet.train(TEXTS, [None] * 31 + LABELS[31:])
    with pytest.raises(DataError, match=r"^texts and labels: 1 of 1 rows have no label"):
        linnet.train(TEXTS, LABELS, features=SPEC).session().learn("good", None)


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA])
def test_missing_texts_are_empty_and_counted(missing):
    with pytest.warns(DataWarning, match="^1 of 61 texts are missing, and read as empty.$"):
        model = linnet.train([*TEXTS, missing], [*LABELS, "pos"], features=SPEC)
    assert model.provenance["examples"] == 61
    assert model.predict(["good", missing]) == model.predict(["good", ""])
    with pytest.warns(DataWarning, match="^1 of 61 texts are missing, and read as empty.$"):
        linnet.train(pd.DataFrame({"text": [*TEXTS, missing], "label": [*LABELS, "pos"]}), features=SPEC)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (
            lambda: pd.DataFrame({"Revue": TEXTS, "stars": LABELS}),
            "DataFrame: found no text column among 'Revue', 'stars'. Did you mean 'Revue'? Name the text column: --text-col on "
            "the command line, text= in Python.",
        ),
        (
            lambda: {"text": TEXTS, "verdict": LABELS},
            "dict: found no label column among 'text', 'verdict'. Name the label column: --label-col on the command line, "
            "label= in Python.",
        ),
        (
            lambda: (TEXTS, [1, "pos"] * 30),
            "expected labels of one type, found int (1) and str ('pos'). Make all of them strings, or all of them numbers.",
        ),
        (
            lambda: [{"text": "a", "label": True}, {"text": "b", "label": "x"}],
            "expected labels of one type, found bool (True) and str ('x'). Make all of them strings, or all of them numbers.",
        ),
        (
            lambda: (TEXTS, ["a", b"b"] * 30),
            "expected labels that are strings, integers, numbers or booleans, found bytes: b'b'. Give each label a name.",
        ),
        (
            lambda: (TEXTS, [["a"], ["b"]] * 30),
            "expected labels that are strings, integers, numbers or booleans, found list: ['b']. Several labels of one text "
            "need task='labelset'.",
        ),
        (lambda: (TEXTS, LABELS[1:]), "expected as many labels as texts, found 59 labels and 60 texts."),
        (
            lambda: {"text": TEXTS, "label": LABELS[1:]},
            "expected as many values in each column, found 60 under 'text', 59 under 'label'.",
        ),
        (
            lambda: {"text": "good", "label": "pos"},
            "expected a list of values under 'text', found str: 'good'. Pass a row in a list: [row].",
        ),
        (
            lambda: [{"text": "good", "label": "pos"}, "bad"],
            "expected a dict at position 1, as before it, found str: 'bad'.",
        ),
        (lambda: 42, "expected a path, a table, or examples and their outputs, found int: 42."),
        (
            lambda: pd.DataFrame([["a", "b", "c"]], columns=["text", "text", "label"]),
            "DataFrame: found the column 'text' twice. Rename one of the two.",
        ),
        (
            lambda: (TEXTS, pd.DataFrame(COLUMNS)),
            "expected one column of outputs, found 'text', 'label', 'year'. Pass one of them.",
        ),
    ],
)
def test_what_cannot_be_read_is_said_in_a_sentence(data, sentence):
    with pytest.raises(DataError) as caught:
        linnet.train(data(), task="labels" if isinstance(data(), tuple) else None)
    assert str(caught.value) == sentence


def test_columns_of_one_name_are_fine_if_they_are_not_used(expected):
    frame = pd.DataFrame(COLUMNS)
    twice = pd.concat([frame, frame[["year"]]], axis=1)
    same(linnet.train(twice, features=SPEC), expected)
    assert expected.predict(twice) == LABELS
    tagged = pa.Table.from_arrays([pa.array(TOKENS)] * 2 + [pa.array(TAGS)], names=["tokens", "tokens", "tags"])
    with pytest.raises(DataError, match=r"^Table: found the column 'tokens' twice\. Rename one of the two\.$"):
        linnet.train(tagged)


def test_a_path_is_no_column_of_labels():
    with pytest.raises(
        UsageError, match=r"^expected an output for each example, such as a list of labels, found the string 'dev\.csv'"
    ):
        linnet.train("train.csv", "dev.csv")
    with pytest.raises(UsageError, match=r"^text and label both name the column 'text'"):
        linnet.train(ROWS, text="text", label="text")


TOKENS = [["the", "dog", "barks"], ["a", "cat"], ["the", "cat", "barks"], ["a", "dog"]] * 3
TAGS = [["D", "N", "V"], ["D", "N"], ["D", "N", "V"], ["D", "N"]] * 3


def in_all_forms(x, y, outputs):
    """Examples as dicts of lists, lists of dicts, data frames, pairs and two arguments."""
    columns = {**x, **y}
    names = list(columns)
    rows = [dict(zip(names, values, strict=True)) for values in zip(*columns.values(), strict=True)]
    inputs = next(iter(x.values())) if len(x) == 1 else list(zip(*x.values(), strict=True))
    return [
        (columns,),
        (rows,),
        (iter(rows),),
        (pd.DataFrame(columns),),
        (pl.DataFrame(columns, strict=False),),
        (inputs, outputs),
        ((inputs, outputs),),
        (list(zip(inputs, outputs, strict=True)),),
    ]


def test_tags_in_all_forms(tmp_path):
    path = tmp_path / "a.conll"
    path.write_text(
        "\n".join("".join(f"{w} {t}\n" for w, t in zip(x, y, strict=True)) for x, y in zip(TOKENS, TAGS, strict=True))
    )
    expected = linnet.train(path, features="w[-1..0]")
    for given in in_all_forms({"tokens": TOKENS}, {"tags": TAGS}, TAGS):
        model = linnet.train(*given, features="w[-1..0]")
        same(model, expected)
    for given in in_all_forms({"tokens": TOKENS}, {"tags": TAGS}, TAGS):
        assert expected.evaluate(*given).token_accuracy == 1.0
    assert expected.evaluate(path).token_accuracy == 1.0
    for given in (TOKENS, iter(TOKENS), {"tokens": TOKENS}, pl.DataFrame({"tokens": TOKENS}), path):
        assert expected.predict(given) == TAGS
    for texts in (["the dog barks"], "the dog", pd.Series(["the dog"])):
        with pytest.raises(DataError, match=r"^expected each sentence as a list of words, found the string 't"):
            expected.predict(texts)
    other = {"w": TOKENS, "pos": TAGS, "tags": [["x"] * len(tags) for tags in TAGS]}
    same(linnet.train(other, task="tag", text="w", label="pos", features="w[-1..0]"), expected)
    with pytest.raises(
        DataError, match=r"^dict: found no column of tokens among 'pos', 'tags'\. Name the column of tokens: "
    ):
        linnet.train({"pos": TAGS, "tags": TAGS}, task="tag")


def test_kept_words_in_all_forms():
    keep = [[int(tag != "D") for tag in tags] for tags in TAGS]
    expected = linnet.train((TOKENS, keep), task="compress")
    for given in in_all_forms({"tokens": TOKENS}, {"keep": keep}, keep):
        same(linnet.train(*given), expected)
    for given in in_all_forms({"tokens": TOKENS}, {"keep": keep}, keep):
        assert expected.evaluate(*given).token_f1 == 1.0
    assert expected.predict({"tokens": [["the", "dog"]]}) == [["dog"]]


def test_trees_in_all_forms():
    heads = [[2, 3, 0] if len(x) == 3 else [2, 0] for x in TOKENS]
    relations = [["det", "nsubj", "root"] if len(x) == 3 else ["det", "root"] for x in TOKENS]
    trees = [list(zip(h, r, strict=True)) for h, r in zip(heads, relations, strict=True)]
    words = [list(zip(x, y, strict=True)) for x, y in zip(TOKENS, TAGS, strict=True)]
    how = {"options": {"tags": "given", "prune": 0}}
    expected = linnet.train((words, trees), task="parse", **how)
    table = {"tokens": TOKENS, "upos": TAGS, "heads": heads, "relations": relations}
    for given in ((words, trees), (table,), (pd.DataFrame(table),), (pl.DataFrame(table),)):
        same(linnet.train(*given, **how), expected)
        assert expected.evaluate(*given).las == 1.0
    assert [[arc.head for arc in tree] for tree in expected.predict(table)] == heads


def test_brackets_in_all_forms():
    trees = ["(S (NP (D the) (N dog)) (VP (V barks)))", "(NP (D a) (N cat))"] * 4
    words = [["the", "dog", "barks"], ["a", "cat"]] * 4
    how = {"features": "i.w j.w k.w", "options": {"tags": "given"}}
    expected = linnet.train((words, trees), task="brackets", **how)
    for given in ((words, trees), ({"tree": trees},), (pd.DataFrame({"tokens": words, "tree": trees}),)):
        same(linnet.train(*given, **how), expected)
        assert expected.evaluate(*given).f1 == 1.0


def test_links_in_all_forms():
    source, target = [["a", "dog"], ["a", "cat"]] * 4, [["un", "chien"], ["un", "chat"]] * 4
    links = [[(0, 0), (1, 1)]] * 8
    expected = linnet.train((list(zip(source, target, strict=True)), links), task="align")
    pairs = [[list(link) for link in some] for some in links]
    for given in in_all_forms({"source": source, "target": target}, {"sure": pairs}, links):
        same(linnet.train(*given), expected)
    assert expected.evaluate({"source": source, "target": target, "links": pairs, "possible": pairs}).aer == 0.0
    assert expected.predict(pl.DataFrame({"source": source, "target": target})) == links


def test_candidates_in_all_forms():
    rows = [{"candidates": [{"text": "a dog", "cost": 0.0}, {"text": "dog a", "cost": 1.0}]}] * 4
    expected = linnet.train(rows, task="rerank", features="words:1-2")
    bare = [[one["text"] for one in row["candidates"]] for row in rows]
    for given in ((rows,), (iter(rows),), (pd.DataFrame(rows),), (pl.DataFrame(rows),), (pa.Table.from_pylist(rows),)):
        same(linnet.train(*given, features="words:1-2"), expected)
    same(linnet.train(bare, [[0, 1]] * 4, task="rerank", features="words:1-2"), expected)
    assert expected.evaluate(pd.DataFrame(rows)).as_dict() == expected.evaluate(rows).as_dict()
    assert expected.predict(pl.DataFrame(rows)) == ["a dog"] * 4


def test_estimators_give_models_that_predict_the_same_classes(tmp_path):
    sklearn = pytest.importorskip("linnet.sklearn")
    stars = sklearn.LinearClassifier(features=SPEC).fit(TEXTS, STARS)
    stars.save(tmp_path / "m.linnet")
    assert linnet.load(tmp_path / "m.linnet").predict(TEXTS) == STARS
    stars.partial_fit(["so so"], [3])
    assert stars.model_.label_values == (1, 3, 5)
    assert stars.explain("so so", 3).label == "3"
    sets = sklearn.LabelsetClassifier(features=SPEC).fit(TEXTS, [[one, 7] for one in STARS])
    assert sets.model_.label_values == (1, 5, 7)
    ratings = sklearn.OrdinalClassifier("logistic", features=SPEC).partial_fit(TEXTS, STARS)
    assert ratings.model_.predict(["good good"]) == [5]


def test_a_string_is_a_text_and_a_path_object_a_file(expected, reviews):
    assert expected.predict([str(reviews)]) in (["pos"], ["neg"])
    assert expected.answers(Path(reviews)).num_rows == 60
