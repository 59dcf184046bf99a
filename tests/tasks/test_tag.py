"""Tagging from files and from Python: the same learners, another structure."""

import numpy as np
import pytest

import linnet
from linnet import io
from linnet.errors import DataError, UsageError
from linnet.learners import LEARNERS
from linnet.tasks import guess
from linnet.tasks.tag import TagModel

TAGGERS = list(LEARNERS)
WORDS = {"DT": ["the", "a"], "NN": ["dog", "cat", "end"], "VB": ["sees", "eats"], "NNP": ["Ann", "Bob"]}
PATTERNS = (["DT", "NN", "VB", "NNP"], ["NNP", "VB", "DT", "NN"], ["NNP", "NNP", "VB", "DT", "NN"])
CHUNK = {"DT": "B-NP", "NN": "I-NP", "VB": "B-VP", "NNP": "B-NP"}


def sentences(n=60, seed=0):
    rng = np.random.default_rng(seed)
    for _ in range(n):
        tags = PATTERNS[rng.integers(len(PATTERNS))]
        yield [(str(rng.choice(WORDS[tag])), tag, _chunk(tags, t)) for t, tag in enumerate(tags)]


def _chunk(tags, t):
    return "I-NP" if tags[t] == "NNP" and t and tags[t - 1] == "NNP" else CHUNK[tags[t]]


def text_of(rows, columns=slice(None)):
    return "\n\n".join("\n".join(" ".join(token[columns]) for token in sentence) for sentence in rows) + "\n"


@pytest.fixture
def conll(tmp_path):
    (tmp_path / "train.txt").write_text(text_of(sentences()))
    (tmp_path / "test.txt").write_text(text_of(sentences(20, seed=1)))
    return tmp_path


@pytest.mark.parametrize("name", TAGGERS)
def test_every_learner_learns_a_chain(conll, name):
    model = linnet.train(conll / "train.txt", learner=name)
    assert isinstance(model, TagModel)
    report = model.evaluate(io.read_sentences(conll / "test.txt"))
    assert report.token_accuracy == 1
    assert report.f1 == 1


def test_tags_of_lists_of_words(conll):
    model = linnet.train(conll / "train.txt", features="w suffix:1-2 w[-1]")
    assert model.predict([["the", "dog", "sees", "Ann"], [], ["Bob"]]) == [
        ["B-NP", "I-NP", "B-VP", "B-NP"],
        [],
        ["B-NP"],
    ]
    assert model.features.columns == ("w",)


def test_columns_by_name(conll):
    model = linnet.train(conll / "train.txt", features="col2[-1..1]")
    assert model.predict([[("unseen", "DT"), ("words", "NN")]]) == [["B-NP", "I-NP"]]
    with pytest.raises(DataError, match=r"^expected 2 values for each token \(w, col2\), found \('dog',\)"):
        model.predict([["dog"]])


def test_a_model_file_keeps_all(conll):
    model = linnet.train(conll / "train.txt")
    model.save(conll / "m.linnet")
    again = linnet.load(conll / "m.linnet")
    data = io.read_sentences(conll / "test.txt", labelled=False)
    assert again.tag(data) == model.tag(data)
    assert again.labels == model.labels == ("B-NP", "E-NP", "S-NP", "S-VP")
    assert again.details == model.details == {"scheme": "bio", "repaired": 0}
    assert again.features.names() == model.features.names()


def test_nothing_illegal_comes_out(conll):
    model = linnet.train(conll / "train.txt", features="w", epochs=1)
    rng = np.random.default_rng(0)
    words = [[str(rng.choice(["zz", "dog", "Ann", "eats"])) for _ in range(rng.integers(1, 9))] for _ in range(200)]
    for tags in model.predict(words):
        for before, tag in zip(["O", *tags], tags, strict=False):
            assert not tag.startswith("I-") or before[2:] == tag[2:]


@pytest.mark.parametrize(
    ("scheme", "tags"),
    [("bio", ["B-X", "I-X", "B-X", "O"]), ("iob1", ["I-X", "I-X", "B-X", "O"]), ("bioes", ["B-X", "E-X", "S-X", "O"])],
)
def test_tags_come_out_as_they_went_in(tmp_path, scheme, tags):
    lines = "".join(f"{word} {tag}\n" for word, tag in zip("abcd", tags, strict=True))
    (tmp_path / "s.conll").write_text(
        (lines + "\n") * 9 + "d O\n\na " + ("I-X" if scheme == "iob1" else "S-X" if scheme == "bioes" else "B-X") + "\n"
    )
    model = linnet.train(tmp_path / "s.conll", features="w w[-1] w[1]")
    assert model.details == {"scheme": scheme, "repaired": 0}
    assert model.predict([list("abcd")]) == [tags]


def test_what_no_scheme_allows_is_repaired(tmp_path):
    (tmp_path / "s.conll").write_text("a B-X\nb I-X\n\nc O\nd I-Y\n\n" * 5)
    model = linnet.train(tmp_path / "s.conll", features="w")
    assert model.details == {"scheme": "bio", "repaired": 5}
    assert model.predict([["c", "d"]]) == [["O", "B-Y"]]


def test_held_out_sentences_stop_learning(conll):
    model = linnet.train(conll / "train.txt", dev=0.2, epochs=9)
    assert model.provenance["held_out"] == 12
    assert model.report["epochs"][0]["dev"] is not None
    assert model.report["best"] < 9


def test_interrupted_and_resumed(conll, monkeypatch):
    monkeypatch.setattr(linnet.training, "_WORTH_KEEPING", 0.0)
    whole = linnet.train(conll / "train.txt", epochs=4, tol=0.0)

    def progress(seen):
        if seen.epoch == 3:
            raise KeyboardInterrupt

    linnet.train(conll / "train.txt", epochs=4, tol=0.0, checkpoint=conll / "part", progress=progress)
    resumed = linnet.train(conll / "train.txt", epochs=4, tol=0.0, checkpoint=conll / "part", resume=True)
    assert all(np.array_equal(a, b) for a, b in zip(resumed.weights, whole.weights, strict=True))


def test_prose_is_cut_into_sentences(conll):
    (conll / "prose.txt").write_text("Ann sees the dog. The cat eats.\n\nBob sees Ann.\n")
    model = linnet.train(conll / "train.txt", features="w suffix:1-2")
    batches = list(model.batches(conll / "prose.txt"))
    assert [len(batch) for batch in batches] == [3]
    assert batches[0].columns["w"].to_pylist()[:5] == ["Ann", "sees", "the", "dog", "."]


@pytest.mark.parametrize(
    ("name", "content", "task"),
    [
        ("a.conll", "the DT\n", "tag"),
        ("a.txt", "the DT\ndog NN\n\nAnn NNP\n", "tag"),
        ("a.jsonl", '{"tokens": ["a", "b"], "tags": ["x", "y"]}\n', "tag"),
        ("a.jsonl", '{"text": "a tokens", "label": "x"}\n{"text": "b", "label": "y"}\n', "labels"),
        ("a.csv", "text,label\na,x\nb,y\n", "labels"),
        ("a.txt", "__label__x a good film\n__label__y a bad film\n", "labels"),
    ],
)
def test_the_task_is_guessed(tmp_path, name, content, task):
    (tmp_path / name).write_text(content)
    assert guess(tmp_path / name, {}).name == task


def test_what_does_not_go_with_tags(conll):
    with pytest.raises(UsageError, match="^class weights are for labels"):
        linnet.train(conll / "train.txt", class_weight="balanced")
    with pytest.raises(UsageError, match="^sentences of tokens have no text column"):
        linnet.train(conll / "train.txt", text_col="w")
    with pytest.raises(UsageError, match="^there is no task 'parse' yet. There are: labels, tag"):
        linnet.train(conll / "train.txt", task="parse")
    (conll / "one.conll").write_text("a X\nb X\n")
    with pytest.raises(DataError, match="every token has the tag 'X'"):
        linnet.train(conll / "one.conll")


def test_chunking_real_text(shared_data):
    model = linnet.train(shared_data / "conll2000-train.txt.gz", epochs=2)
    report = model.evaluate(io.read_sentences(shared_data / "conll2000-test.txt.gz"))
    assert report.f1 > 0.925
