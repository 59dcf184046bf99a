"""Training from files without a name gives the same bits as training in memory."""

import bz2
import gc
import gzip
import json
import os
import random
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow as pa
import pytest

import linnet
from linnet.core import long_arrays, room
from linnet.core.room import Room
from linnet.errors import DataError, UsageError
from linnet.features import rows_file, text, tokens
from linnet.io.texts import reading
from linnet.learners import order
from linnet.training import data_to_model, estimate

WORDS = {"pos": ["good", "fine", "great", "bright"], "neg": ["bad", "dull", "poor", "grey"]}
LEARNERS = [
    "nb-svm",
    "svm",
    "logistic",
    "averaged-mira",
    "naive-bayes",
    "perceptron",
    "averaged-perceptron",
    "arow",
    "pegasos",
    "boosting",
    "kernel-perceptron",
    "kernel-svm",
    "feedforward",
    "neighbours",
    "mira",
]


def rows(n: int, label: Callable[[random.Random], tuple[list[str], object]]) -> list[dict[str, object]]:
    """Texts of words that depend on their labels, with others among them."""
    r = random.Random(1)
    found = []
    for i in range(n):
        kinds, gold = label(r)
        words = [r.choice(WORDS[kind]) for kind in kinds] + [
            f"w{int(r.expovariate(0.1))}" for _ in range(r.randrange(12))
        ]
        r.shuffle(words)
        found.append({"text": " ".join(words), "label": gold, "stars": i % 5})
    return found


def one_label(r: random.Random) -> tuple[list[str], object]:
    gold = r.choice(["pos", "neg"])
    return [gold if r.random() < 0.9 else "pos"] * 3, gold


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a few features and a few examples be in memory at a time, and shuffle few examples together."""
    monkeypatch.setattr(rows_file, "_PIECE", 100)
    monkeypatch.setattr(rows_file, "_MOST_EXAMPLES", 9)
    monkeypatch.setattr(text, "_SOME", 300)
    monkeypatch.setattr(text, "_STRETCH", 10)
    monkeypatch.setattr(room, "_SMALL", 0)
    monkeypatch.setattr(long_arrays, "PIECE", 16)
    monkeypatch.setattr(order, "BLOCK", 4)
    monkeypatch.setattr(order, "WINDOW", 32)
    monkeypatch.setattr(reading, "_KEPT_AT_A_TIME", 1000)
    monkeypatch.setattr(estimate, "_MOST_HELD", 20)


def written(path: Path, data: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in data))
    return path


def same_bits(data: Path | list[Path], tmp_path: Path, **how: object) -> bytes:
    """The model file of a training, which is the same from memory and from files."""
    found = []
    for memory in ("all", "rows"):
        linnet.train(data, memory=memory, checkpoint=tmp_path / "model.part", **how).save(
            tmp_path / "model", force=True
        )
        found.append((tmp_path / "model").read_bytes())
    assert found[0] == found[1]
    return found[1]


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize("learner", LEARNERS)
def test_every_learner_learns_the_same_bits_from_files(learner: str, tmp_path: Path) -> None:
    data = written(tmp_path / "data.jsonl", rows(120, one_label))
    same_bits(data, tmp_path, learner=learner, features="words:1-2 min=2", epochs=3)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data.jsonl", "model"]


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize(
    "features",
    [
        "words:1-2 punct bm25 min=2",
        "words:1 chars:2-4 tfidf l2",
        "words:1 hash=10",
        "words:1-2 top=20 presence",
        "words:1 number:stars min=2",
        "words:1 unknown min=3",
        "words:1 sentiment",
    ],
)
def test_all_features_are_the_same(features: str, tmp_path: Path) -> None:
    same_bits(written(tmp_path / "data.jsonl", rows(120, one_label)), tmp_path, features=features)


TASKS = pytest.mark.parametrize(
    ("task", "label"),
    [
        ("labelset", lambda r: ((kinds := [k for k in WORDS if r.random() < 0.5]), kinds)),
        ("ranking", lambda r: ((kinds := [k for k in WORDS if r.random() < 0.5]), kinds)),
        ("ordinal", lambda r: (["pos"] * (stars := r.randrange(1, 5)) + ["neg"] * (5 - stars), str(stars))),
        ("hierarchy", lambda r: ([(kind := r.choice(list(WORDS)))] * 3, f"{kind}/{r.choice('ab')}")),
        ("labels", one_label),
    ],
)


@pytest.mark.usefixtures("tiny")
@TASKS
def test_all_tasks_over_texts_learn_the_same_bits(task: str, label: Callable, tmp_path: Path) -> None:
    same_bits(written(tmp_path / "data.jsonl", rows(120, label)), tmp_path, task=task)


@pytest.mark.usefixtures("tiny")
@TASKS
def test_a_bounded_vocabulary_is_the_same_from_files(task: str, label: Callable, tmp_path: Path) -> None:
    data = written(tmp_path / "data.jsonl", rows(120, label))
    same_bits(data, tmp_path, task=task, features="words:1-2", most=12)
    model = linnet.load(tmp_path / "model")
    assert model.features.n_features == 12
    assert str(model.features.spec) == "words:1-2 most=12"
    assert all(note.startswith("most=12: features of up to ") for note in model.report.get("notes", []))
    assert task != "labels" or len(model.report["notes"]) == 1


def test_tags_have_a_bounded_number_of_features_too() -> None:
    sentences = [(["the", "dog", f"runs{i}"], ["D", "N", "V"]) for i in range(20)]
    model = linnet.train(sentences, task="tag", features="w w[-1]", most=4)
    # Five features are there 20 times each; of these w[-1]=the is the last by its name.
    assert sorted(model.features.names()) == ["w=dog", "w=the", "w[-1]=<s>", "w[-1]=dog"]
    assert model.predict([["the", "dog", "runs"]]) == [["D", "N", "V"]]


def conll(path: Path, n: int = 60) -> Path:
    """Sentences with tags of spans that depend on their words."""
    r = random.Random(2)
    kinds = {"O": ["the", "runs", "of", "x1"], "B-PER": ["Ann", "Bob"], "B-LOC": ["Rome", "Oslo"]}
    sentences = []
    for _ in range(n):
        tags = r.choices(list(kinds), [4, 1, 1], k=r.randrange(1, 9))
        sentences.append("".join(f"{r.choice(kinds[tag])} {tag}\n" for tag in tags))
    path.write_text("\n".join(sentences))
    return path


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize(
    "how",
    [
        {},
        {"learner": "averaged-perceptron", "features": "w[-1..1] suffix:1-2 y[-1]|w min=2"},
        {"learner": "crf", "options": {"by": "lbfgs"}, "features": "w w|w[-1]"},
        {"learner": "svm", "features": "w w[-1] amb"},
        {"learner": "nb-svm", "features": "w w[-1]"},
        {"learner": "naive-bayes", "features": "w"},
        {"learner": "averaged-mira", "features": "w near-left near-right y[-2]|y[-1]"},
        {"features": "w w|w[-1] w|w[1] y[-1]|w", "most": 9, "dev": 0.2},
    ],
    ids=str,
)
def test_tags_learn_the_same_bits(how: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "_PIECE", 7)
    data = conll(tmp_path / "data.conll")
    how = {"epochs": 3} | how
    same_bits(data, tmp_path, task="tag", **how)
    assert linnet.load(tmp_path / "model").features.n_features <= how.get("most", 10_000)


def test_what_cannot_be_bounded_is_said() -> None:
    with pytest.raises(UsageError, match=r"most=N is for features of texts and tags, not for task 'align'"):
        linnet.train([(["a"], ["b"], [(0, 0)])], task="align", most=5)


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize(
    "how",
    [
        {"dev": 0.2},
        {"calibrate": "sigmoid"},
        {"class_weight": "balanced"},
        {"learner": "logistic", "options": {"by": "lbfgs"}},
        {"options": {"dropout": 0.2}, "learner": "averaged-perceptron"},
        {"keep_support": True},
        {"estimate": False},
    ],
    ids=str,
)
def test_all_that_follows_learning_is_the_same(how: dict[str, object], tmp_path: Path) -> None:
    same_bits(written(tmp_path / "data.jsonl", rows(120, one_label)), tmp_path, features="words:1", **how)


def test_texts_go_into_files_when_they_turn_out_to_be_large(tmp_path: Path) -> None:
    data = written(tmp_path / "data.jsonl", rows(120, one_label))
    size = data.stat().st_size
    for most, on_disk in ((4 * size, False), (size // 10, True)):
        kept = Room(tmp_path, most)
        linnet.train(data, memory=kept)
        assert kept.on_disk is on_disk


def test_values_of_python_are_learned_from_files_too(tmp_path: Path) -> None:
    data = rows(60, one_label)
    texts, labels = [row["text"] for row in data], [row["label"] for row in data]
    found = [linnet.train(texts, labels, memory=memory).weights[0].tolist() for memory in ("all", "rows")]
    assert found[0] == found[1]


def test_standard_input_is_read_once(tmp_path: Path) -> None:
    data = written(tmp_path / "data.jsonl", rows(60, one_label))
    compressed = tmp_path / "data.jsonl.gz"
    compressed.write_bytes(gzip.compress(data.read_bytes()))
    command = [sys.executable, "-m", "linnet", "train", "-o", str(tmp_path / "model"), "--set", "memory=rows"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    piped = subprocess.run([*command, "-"], input=compressed.read_bytes(), capture_output=True, env=environment)
    assert piped.returncode == 0, piped.stderr
    assert b"kept in files beside the model" in piped.stderr
    model = linnet.load(tmp_path / "model")
    assert model.predict(["good fine great"]) == ["pos"]
    assert model.provenance["examples"] == 60
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data.jsonl", "data.jsonl.gz", "model"]


def of_command(tmp_path: Path, *arguments: str, given: bytes | None = None) -> bytes:
    """The model that a command writes."""
    command = [sys.executable, "-m", "linnet", "train", *arguments, "-o", str(tmp_path / "out" / "model"), "--force"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    (tmp_path / "out").mkdir(exist_ok=True)
    done = subprocess.run(
        [*command, "--set", "memory=rows", "--quiet"], input=given, capture_output=True, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["model"]
    return linnet.load(tmp_path / "out" / "model").weights[0].tobytes()


def test_shards_and_pipes_of_any_compression_are_the_same_data(tmp_path: Path) -> None:
    data = rows(90, one_label)
    (tmp_path / "in").mkdir()
    lines = [json.dumps(row).encode() + b"\n" for row in data]
    pressed = [bytes, gzip.compress, bz2.compress, lambda raw: pa.compress(raw, "zstd", asbytes=True)]
    for k, (press, end) in enumerate(zip(pressed, ("", ".gz", ".bz2", ".zst"), strict=True)):
        part = b"".join(lines[25 * k : 25 * (k + 1)])
        (tmp_path / "in" / f"part{k}.jsonl{end}").write_bytes(press(part))
    whole = written(tmp_path / "whole.jsonl", data)
    expected = linnet.train(whole, memory="all").weights[0].tobytes()
    assert of_command(tmp_path, str(whole)) == expected
    assert of_command(tmp_path, str(tmp_path / "in" / "*.jsonl*")) == expected, "a pattern"
    assert of_command(tmp_path, *map(str, sorted((tmp_path / "in").iterdir()))) == expected, "several files"
    assert of_command(tmp_path, "-", given=whole.read_bytes()) == expected, "standard input"
    assert of_command(tmp_path, "-", given=gzip.compress(whole.read_bytes())) == expected, "compressed"
    os.mkfifo(tmp_path / "pipe")
    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit((tmp_path / "pipe").write_bytes, whole.read_bytes())
        assert of_command(tmp_path, str(tmp_path / "pipe"), "--format", "jsonl") == expected, "a pipe with a name"
        writing.result()


@pytest.mark.usefixtures("tiny")
def test_files_with_other_columns_are_kept_together(tmp_path: Path) -> None:
    """The files differ in their columns, and in the type of one, so that they are kept apart and joined."""
    one = written(tmp_path / "one.jsonl", [{"text": f"good {i}", "label": "pos", "stars": i} for i in range(9)])
    other = written(
        tmp_path / "other.jsonl", [{"stars": 0.5 + i, "label": "neg", "text": f"bad {i}"} for i in range(9)]
    )
    third = written(tmp_path / "third.jsonl", [{"text": f"poor {i}", "label": "neg"} for i in range(9)])
    same_bits([one, other, third], tmp_path, features="words:1")
    assert linnet.load(tmp_path / "model").provenance["data"] == f"{one}, {other}, {third}"
    for files in ([one, other], [one, other, third]):
        features = "words:1 number:stars" if third not in files else "words:1"
        found = [
            linnet.train(files, memory=memory, features=features).weights[0].tolist() for memory in ("all", "rows")
        ]
        assert found[0] == found[1]


def peak(path: Path, folder: Path) -> int:
    """The most bytes of memory that a training from files has had for objects and arrays of Python."""
    linnet.train(path, memory=Room(folder, 0), features="words:1", epochs=2)  # All that is imported is there now.
    gc.collect()
    tracemalloc.start()
    try:
        linnet.train(path, memory=Room(folder, 0), features="words:1", epochs=2)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.usefixtures("tiny")
def test_memory_does_not_grow_with_the_number_of_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name in (
        (order, "WINDOW"),
        (long_arrays, "PIECE"),
        (rows_file, "_MOST_EXAMPLES"),
        (rows_file, "_PIECE"),
    ):
        monkeypatch.setattr(module, name, 512)
    monkeypatch.setattr(reading, "_KEPT_AT_A_TIME", 50_000)
    monkeypatch.setattr(data_to_model, "_MOST_LOOKED_AT", 0)
    monkeypatch.setattr(text, "_SOME", 5000)
    r = random.Random(0)
    peaks = []
    for n in (2000, 16_000):
        data = [
            {"text": " ".join(r.choices(WORDS[(kind := r.choice(list(WORDS)))], k=2)), "label": kind} for _ in range(n)
        ]
        peaks.append(peak(written(tmp_path / "data.jsonl", data), tmp_path))
    grown = (peaks[1] - peaks[0]) / 14_000
    assert grown < 4, f"{grown:.1f} bytes for each example"


def test_a_full_disk_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "pwrite", full)
    data = rows(60, one_label)
    with pytest.raises(DataError, match=r"cannot be kept in a file either: No space left on device\. Make room"):
        linnet.train([row["text"] for row in data], [row["label"] for row in data], memory=Room(tmp_path, 0))
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_kept_in_files_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"expected memory=rows or memory=all, found 'disk'\."):
        linnet.train(["a", "b"], ["x", "y"], memory="disk")
    with pytest.raises(UsageError, match=r"memory=rows is for texts and tags; task 'align' keeps all data in memory"):
        linnet.train([(["a"], ["b"], [(0, 0)])], task="align", memory="rows")
    model = linnet.train(["a", "b"], ["x", "y"])
    with pytest.raises(UsageError, match=r"memory=rows is for the first training of a model"):
        linnet.train(["a", "b"], ["x", "y"], start=model, memory="rows")
