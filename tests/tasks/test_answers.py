"""Answers of every task: their values and types, the same through files, and on the command line."""

import json

import bitext
import numpy as np
import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet
import pytest
from treebank import conllu

import linnet
from linnet import io
from linnet.cli.main import main
from linnet.errors import UsageError
from linnet.tasks import named
from linnet.tasks.own.answers import as_json

TEXT, TEXTS = pa.large_string(), pa.list_(pa.large_string())
TREES = ["(S (NP (DT the) (NN dog)) (VP (VBZ barks)))", "(S (NP (PRP it)) (VP (VBZ barks)))"]
SETS = (
    '{"text": "corn wheat", "labels": ["corn", "wheat"]}\n'
    '{"text": "gold", "labels": ["gold"]}\n'
    '{"text": "nothing", "labels": []}\n'
)
LISTS = [
    {"source": noun, "candidates": [{"text": f"{noun} the", "cost": 1}, {"text": f"the {noun}", "cost": 0}]}
    for noun in ("dog", "cat", "cow", "hen")
]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A file of each task to learn from and to predict."""
    folder = tmp_path_factory.mktemp("answers")
    write = {
        "labels.csv": "text,label\n" + "good film,pos\nbad film,neg\n" * 6,
        "labelset.jsonl": SETS * 6,
        "hierarchy.csv": "text,label\n" + "how many,NUM:count\nwhen,NUM:date\nwhere,LOC:city\n" * 6,
        "ordinal.csv": "text,label\n" + "bad,1\nfine,2\nsuperb,3\n" * 6,
        "tag.conll": "the DT\ndog NN\n\nit PRP\nbarks VBZ\n\n" * 4,
        "compress.jsonl": '{"tokens": ["a", "very", "fine", "film"], "keep": [1, 0, 1, 1]}\n' * 4,
        "parse.conllu": conllu(40),
        "brackets.mrg": "\n".join(4 * TREES) + "\n",
        "align.jsonl": bitext.jsonl(20),
        "rerank.jsonl": "".join(f"{json.dumps(one)}\n" for one in LISTS),
    }
    for name, content in write.items():
        (folder / name).write_text(content)
    return folder


SETTINGS = {
    "labels": {"learner": "logistic", "features": "words:1"},
    "labelset": {"learner": "logistic", "features": "words:1"},
    "ranking": {"features": "words:1"},
    "hierarchy": {"learner": "logistic", "features": "words:1"},
    "ordinal": {"learner": "logistic", "features": "words:1"},
    "tag": {"learner": "crf", "features": "w", "epochs": 5},
    "compress": {"epochs": 10},
    "parse": {"learner": "crf", "options": {"tags": "own", "order": 1}, "epochs": 3},
    "brackets": {"learner": "crf", "options": {"tags": "given"}, "epochs": 5},
    "align": {},
    "rerank": {"learner": "logistic", "features": "start:1"},
}
FILES = {
    "labels": "labels.csv",
    "labelset": "labelset.jsonl",
    "ranking": "labelset.jsonl",
    "hierarchy": "hierarchy.csv",
    "ordinal": "ordinal.csv",
    "tag": "tag.conll",
    "compress": "compress.jsonl",
    "parse": "parse.conllu",
    "brackets": "brackets.mrg",
    "align": "align.jsonl",
    "rerank": "rerank.jsonl",
}


@pytest.fixture(scope="module")
def models(files):
    """The model of each task, learned when it is first asked for."""
    known = {}

    def of(task):
        if task not in known:
            known[task] = linnet.train(files / FILES[task], task=task, **SETTINGS[task])
        return known[task]

    return of


def first(table):
    return table.slice(0, 1).to_pylist()[0]


def test_labels(models):
    model = models("labels")
    texts = ["good film", "bad film"]
    assert model.answers(texts).to_pylist() == [{"prediction": "pos"}, {"prediction": "neg"}]
    assert model.answers(texts).schema == pa.schema([("prediction", TEXT)])
    sure = model.answers(texts, proba=True)
    assert sure["confidence"].to_pylist() == model.predict_proba(texts).max(axis=1).tolist()
    assert sure.schema.field("confidence").type == pa.float32()
    best = model.answers(texts, top=5)
    assert best.column_names == ["prediction_1", "confidence_1", "prediction_2", "confidence_2"]
    assert best["prediction_2"].to_pylist() == ["neg", "pos"]
    assert best["confidence_2"].to_pylist() == model.predict_proba(texts).min(axis=1).tolist()


def test_the_probability_is_that_of_the_label_that_is_said(models):
    """Where errors differ in cost that is not the most probable one."""
    found = first(models("labels").answers(["good film"], proba=True, costs={("neg", "pos"): 1e6}))
    assert found["prediction"] == "neg"
    assert found["confidence"] == models("labels").predict_proba(["good film"])[0].min()


def test_scores_of_labels():
    model = linnet.train((["good", "bad"] * 3, ["pos", "neg"] * 3), learner="averaged-mira", features="words:1")
    found = first(model.answers(["good"], top=1))
    assert found == {"prediction_1": "pos", "score_1": model.scores(["good"])[0, 1]}
    with pytest.raises(UsageError, match="the scores of learner 'averaged-mira' are not probabilities"):
        model.answers(["good"], proba=True)


def test_label_sets(models):
    model = models("labelset")
    texts = ["corn wheat", "nothing", "gold"]
    assert model.answers(texts).to_pydict() == {"prediction": [["corn", "wheat"], [], ["gold"]]}
    sure = model.answers(texts, proba=True, at_least=0)
    p = model.predict_proba(texts)
    assert sure.to_pydict() == {"prediction": [["corn", "gold", "wheat"]] * 3, "confidence": p.tolist()}
    assert sure.schema == pa.schema([("prediction", TEXTS), ("confidence", pa.list_(pa.float32()))])
    assert model.answers(["gold"], top=1).to_pydict() == {"prediction_1": ["gold"], "confidence_1": [p[2].max()]}


def test_sets_are_evaluated_as_they_are_asked_for(models):
    texts, sets = ["corn wheat", "gold"], [["corn", "wheat"], ["gold"]]
    assert models("labelset").evaluate(texts, sets).micro_f1 == 1
    assert models("labelset").evaluate(texts, sets, at_least=0).micro_f1 == pytest.approx(2 / 3)
    with pytest.raises(UsageError, match="a ranking has no probabilities"):
        models("ranking").evaluate(texts, sets, at_least=0)


def test_rankings(models):
    found = models("ranking").answers(["gold"])
    assert found.column_names == ["prediction"]
    assert sorted(first(found)["prediction"]) == ["corn", "gold", "wheat"]
    assert first(found)["prediction"][0] == first(models("ranking").answers(["gold"], top=1))["prediction_1"] == "gold"


def test_rankings_have_no_probabilities_whatever_the_learner():
    model = linnet.train(
        (["corn", "gold"] * 3, [["a"], ["b"]] * 3), task="ranking", learner="logistic", features="words:1"
    )
    assert not model.probabilistic
    assert first(model.answers(["corn"], top=1)).keys() == {"prediction_1", "score_1"}
    with pytest.raises(UsageError, match=r"^a ranking has no probabilities\. Train with --task labelset\.$"):
        model.predict_proba(["corn"])


def test_hierarchies(models):
    model = models("hierarchy")
    assert model.answers(["when"]).to_pylist() == [{"prediction": "NUM:date"}]
    p = model.predict_proba(["when"])[0]
    assert first(model.answers(["when"], proba=True))["confidence"] == p.max()
    above = first(model.answers(["when"], proba=True, at_least=float(p.max()) + 1e-3))
    assert above["prediction"] == "NUM"
    assert above["confidence"] == pytest.approx(p[[label.startswith("NUM") for label in model.labels]].sum())
    assert first(model.answers(["when"], proba=True, at_least=1)) == {"prediction": "", "confidence": 1}
    assert first(model.answers(["when"], top=1))["prediction_1"] == "NUM:date"


def test_ratings(models):
    model = models("ordinal")
    texts = ["bad", "fine", "superb", "film"]
    assert model.answers(texts)["prediction"].to_pylist() == model.predict(texts)
    found, p = model.answers(texts, proba=True), model.predict_proba(texts)
    numbers = [model.labels.index(label) for label in found["prediction"].to_pylist()]
    assert found["confidence"].to_pylist() == p[range(4), numbers].tolist()


def test_tags(models):
    model = models("tag")
    sentences = [["the", "dog"], [], ["it"]]
    assert model.answers(sentences).to_pydict() == {"tokens": sentences, "tags": [["DT", "NN"], [], ["PRP"]]}
    assert model.answers(sentences).schema == pa.schema([("tokens", TEXTS), ("tags", TEXTS)])
    sure = model.answers([["it"]], proba=True)
    assert first(sure)["probabilities"] == [pytest.approx(model.predict_proba([["it"]])[0].max())]
    assert sure.schema.field("probabilities").type == pa.list_(pa.float32())
    best = model.answers([["it"]], top=2)
    expected = [{"tags": tags, "score": score} for tags, score in model.predict_k_best([["it"]], 2)[0]]
    assert best.to_pylist() == [{"tokens": ["it"], "best": expected}]
    assert expected[0]["tags"] == ["PRP"]
    assert best.schema.field("best").type == pa.list_(pa.struct([("tags", TEXTS), ("score", pa.float64())]))
    assert first(model.answers([["it"]], forced=[["NN"]]))["tags"] == ["NN"]


@pytest.mark.parametrize("scheme", [["B-A", "I-A", "B-A"], ["I-A", "I-A", "B-A"], ["B-A", "E-A", "S-A"]])
def test_tags_of_spans_are_spelled_as_they_were(scheme, tmp_path):
    (tmp_path / "a.conll").write_text(
        "".join(f"{w} {t}\n" for w, t in zip("xyz", scheme, strict=True)) + "\n" + "o O\n\n"
    )
    model = linnet.train(tmp_path / "a.conll", task="tag", features="w", learner="averaged-perceptron")
    assert first(model.answers([["x", "y", "z"]]))["tags"] == scheme


def test_compressions(models):
    model = models("compress")
    words = ["a", "very", "fine", "film"]
    found = model.answers([words])
    assert found.to_pylist() == [
        {"tokens": words, "keep": [True, False, True, True], "words": ["a", "fine", "film"]},
    ]
    assert found.schema.field("keep").type == pa.list_(pa.bool_())
    assert first(model.answers([words], rate=0.25))["keep"].count(True) == 1
    best = first(model.answers([words], top=2))["best"]
    assert best[0]["words"] == ["a", "fine", "film"]
    assert best[0]["score"] > best[1]["score"]


def test_dependency_trees(models):
    model = models("parse")
    words = ["she", "likes", "the", "dog", "."]
    found = first(model.answers([words]))
    assert found == {
        "tokens": words,
        "upos": ["PRON", "VERB", "DET", "NOUN", "PUNCT"],
        "xpos": ["PRP", "VBZ", "DT", "NN", "."],
        "heads": [2, 0, 4, 2, 2],
        "relations": ["nsubj", "root", "det", "obj", "punct"],
    }
    sure = model.answers([words], proba=True)
    assert sure.schema.field("heads").type == pa.list_(pa.int32())
    assert first(sure)["heads"] == found["heads"]
    assert all(0.2 < p <= 1 for p in first(sure)["probabilities"])
    best = first(model.answers([words], top=2))
    assert list(best) == ["tokens", "best"]
    assert best["best"][0]["heads"] == found["heads"]
    assert best["best"][0]["relations"] == found["relations"]
    assert best["best"][0]["score"] > best["best"][1]["score"]


def test_constituent_trees(models):
    model = models("brackets")
    tokens = [("the", "DT"), ("dog", "NN"), ("barks", "VBZ")]
    spans = [("S", 0, 2), ("NP", 0, 1), ("VP", 2, 2)]
    found = first(model.answers([tokens]))
    assert found["tree"] == model.predict([tokens])[0]
    assert found["tokens"] == ["the", "dog", "barks"]
    assert [tuple(one.values()) for one in found["brackets"]] == spans
    sure = first(model.answers([tokens], proba=True))["brackets"]
    assert [(one["label"], one["first"], one["last"]) for one in sure] == spans
    assert all(0.2 < one["probability"] <= 1 for one in sure)
    best = first(model.answers([tokens], top=2))["best"]
    assert best[0]["tree"] == found["tree"]
    assert best[0]["score"] > best[1]["score"]


def test_alignments(models):
    ((source, target, links),) = bitext.pairs(1, seed=1)
    found = models("align").answers([(source, target)])
    named_links = [{"source": i, "target": j} for i, j in links]
    assert found.to_pylist() == [{"source": list(source), "target": list(target), "links": named_links}]
    best = first(models("align").answers([(source, target)], top=2))["best"]
    assert best[0]["links"] == named_links
    assert best[0]["score"] > best[1]["score"]


def test_candidates(models):
    model = models("rerank")
    found = model.answers(LISTS[:1])
    (scores,) = model.scores(LISTS[:1])
    assert found.to_pylist() == [{"text": "the dog", "order": [1, 0], "scores": [scores[1], scores[0]]}]
    sure = first(model.answers(LISTS[:1], proba=True))
    assert sum(sure["probabilities"]) == pytest.approx(1)
    assert first(model.answers(LISTS[:1], top=1)) == {"text": "the dog", "order": [1], "scores": [scores[1]]}


class Pick(linnet.Structure):
    """One of two."""

    outcomes = (2,)

    def features(self, x):
        return [[{"x": x}]]

    def mu(self, y):
        return [(0, 0, y["which"])]

    def outputs(self, places):
        return [{"which": 0}, {"which": 1}]


def test_structures_of_ones_own():
    model = linnet.learn(Pick, ["a", "b"] * 4, [{"which": 0}, {"which": 1}] * 4, learner="crf")
    assert model.answers(["a", "b"]).to_pydict() == {"output": ['{"which": 0}', '{"which": 1}']}
    sure = first(model.answers(["b"], proba=True))
    p = model.predict_proba(["b"])[0][0][0, 1]
    assert sure["parts"] == [{"block": 0, "place": 0, "outcome": 1, "probability": p}]
    best = first(model.answers(["b"], top=2))["best"]
    assert [one["output"] for one in best] == ['{"which": 1}', '{"which": 0}']
    for refused in (lambda: model.batches("a.csv"), lambda: model.explain("a")):
        with pytest.raises(UsageError, match="Pick"):
            refused()


def test_outputs_that_are_no_json():
    assert as_json({"at": {3, 1}, "y": np.array([1.5])}) == '{"at": [1, 3], "y": [1.5]}'
    with pytest.raises(
        UsageError, match="expected an output of lists, strings and numbers, which JSON can hold, found object"
    ):
        as_json([object()])


@pytest.mark.parametrize("task", FILES)
def test_batches_of_files_have_the_same_answers_as_values(models, files, task):
    """What is read of a file goes into `answers`, and comes out of every format of tables as it was."""
    model = models(task)
    table = pa.concat_tables([model.answers(batch) for batch in model.batches(files / FILES[task])])
    path = files / f"again-{task}.out"
    for extension, read in READ.items():
        with io.Writer.open(path.with_suffix(extension)) as writer:
            writer.write_table(table)
        assert read(path.with_suffix(extension)) == table.to_pylist()
    assert pyarrow.parquet.read_table(path.with_suffix(".parquet")).schema == table.schema


READ = {
    ".jsonl": lambda path: [json.loads(line) for line in path.read_text().splitlines()],
    ".parquet": lambda path: pyarrow.parquet.read_table(path).to_pylist(),
    ".arrow": lambda path: pyarrow.ipc.open_file(path).read_all().to_pylist(),
}


def command(*arguments):
    """The exit code."""
    with pytest.raises(SystemExit) as stopped:
        main([*map(str, arguments)])
    return stopped.value.code


@pytest.mark.parametrize("task", FILES)
def test_the_command_line_writes_tables_of_every_task(models, files, task):
    model = models(task)
    model.save(files / f"{task}.linnet")
    expected = pa.concat_tables([model.answers(batch) for batch in model.batches(files / FILES[task])])
    for extension in (".parquet", ".arrow"):
        path = files / f"found-{task}{extension}"
        assert command("predict", files / f"{task}.linnet", files / FILES[task], "--only", "-o", path) == 0
        assert READ[extension](path) == expected.to_pylist()


# As linnet reads them again; the others are rows of the table.
NATIVE = {
    "compress": lambda row: {"tokens": row["tokens"], "keep": [*map(int, row["keep"])]},
    "align": lambda row: {
        "source": row["source"],
        "target": row["target"],
        "sure": [[link["source"], link["target"]] for link in row["links"]],
    },
    "rerank": lambda row: [LISTS[0]["candidates"][c]["text"] for c in row["order"]],
}


@pytest.mark.parametrize("task", FILES)
def test_the_command_line_writes_json_of_every_task(models, files, task):
    model = models(task)
    model.save(files / f"{task}.linnet")
    path = files / f"found-{task}.jsonl"
    assert command("predict", files / f"{task}.linnet", files / FILES[task], "--only", "-o", path) == 0
    line = json.loads(path.read_text().splitlines()[0])
    row = first(model.answers(next(model.batches(files / FILES[task]))))
    if task == "align":
        line.pop("possible", None)
    if task == "rerank":
        line = [candidate["text"] for candidate in line["candidates"]]
    assert line == NATIVE.get(task, lambda row: row)(row)


def test_the_command_line_keeps_lists_of_labels_as_lists(models, files):
    models("labelset").save(files / "labelset.linnet")
    path = files / "kept.jsonl"
    assert command("predict", files / "labelset.linnet", files / FILES["labelset"], "-o", path) == 0
    kept = json.loads(path.read_text().splitlines()[0])
    assert kept["text"] == "corn wheat"
    assert kept["labels"] == kept["prediction"] == ["corn", "wheat"]


def test_a_json_file_comes_out_again_with_other_tags(models, files):
    models("tag").save(files / "tag.linnet")
    (files / "ids.jsonl").write_text('{"id": 7, "tokens": ["the", "dog"]}\n')
    assert command("predict", files / "tag.linnet", files / "ids.jsonl", "-o", files / "ids-out.jsonl") == 0
    assert (files / "ids-out.jsonl").read_text() == '{"id": 7, "tokens": ["the", "dog"], "tags": ["DT", "NN"]}\n'


REFUSED = {
    "lists in csv": (
        ("tag", "tag.conll", "-o", "out.csv"),
        "the answers of task 'tag' are lists, which csv cannot hold. Name the output .jsonl, .parquet or .arrow",
    ),
    "whole and single": (
        ("tag", "tag.conll", "--top", "2", "--proba"),
        "--top gives whole sequences, and --proba gives probabilities of",
    ),
    "probabilities of candidates as text": (("rerank", "rerank.jsonl", "--proba"), "Name the output: -o FILE.jsonl."),
    "a column of text for tokens": (
        ("tag", "tag.conll", "--text-col", "t"),
        "which have no text column. Leave out --text-col",
    ),
    "a column of text for lists": (("rerank", "rerank.jsonl", "--text-col", "t"), "Leave out --text-col."),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_is_one_sentence(models, files, name, capsys, monkeypatch):
    (task, *arguments), sentence = REFUSED[name]
    models(task).save(files / f"{task}.linnet")
    monkeypatch.chdir(files)
    before = sorted(files.iterdir())
    assert command("predict", f"{task}.linnet", *arguments) == 2
    said = capsys.readouterr()
    assert sentence in said.err
    assert said.err.count("\n") == 1
    assert said.out == ""
    assert sorted(files.iterdir()) == before


@pytest.mark.parametrize("task", FILES)
def test_only_naive_bayes_over_labels_writes_documents(models, task):
    with pytest.raises(
        UsageError, match="cannot write documents" if task == "labels" else f"not those of task '{task}'"
    ):
        models(task).sample(1)


@pytest.mark.parametrize("task", FILES)
def test_a_task_knows_its_commands(task):
    commands = named(task).commands
    assert commands.probable
    assert (commands.write is None) == (task in ("labels", "labelset", "ranking", "hierarchy", "ordinal"))


def test_candidates_are_numbered_over_batches(models, files, monkeypatch, capsys):
    monkeypatch.setattr("linnet.io.lists.reading.BATCH", 3)
    models("rerank").save(files / "rerank.linnet")
    command("predict", files / "rerank.linnet", files / "rerank.jsonl", "--top", "1")
    assert [line.split(" ||| ")[0] for line in capsys.readouterr().out.splitlines()] == ["0", "1", "2", "3"]


def test_scores_that_json_has_not_become_null(tmp_path):
    with io.Writer.open(tmp_path / "a.jsonl") as writer:
        writer.write_table(pa.table({"best": [[{"score": -np.inf}]]}))
    assert (tmp_path / "a.jsonl").read_text() == '{"best": [{"score": null}]}\n'


def test_candidates_on_a_page(models, files):
    models("rerank").save(files / "rerank.linnet")
    assert command("explain", files / "rerank.linnet", files / "rerank.jsonl", "--html", files / "why.html") == 0
    assert "the dog" in (files / "why.html").read_text()
