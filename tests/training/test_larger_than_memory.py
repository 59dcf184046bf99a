"""Training from files without a name gives the same bits as training in memory."""

import gzip
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import linnet
from linnet.core.room import Room
from linnet.errors import DataError, UsageError
from linnet.features import rows_file, text

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
    """Let a few features be in memory at a time."""
    monkeypatch.setattr(rows_file, "_PIECE", 50)
    monkeypatch.setattr(text, "_SOME", 300)


def written(path: Path, data: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in data))
    return path


def same_bits(data: Path, tmp_path: Path, **how: object) -> bytes:
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


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize(
    ("task", "label"),
    [
        ("labelset", lambda r: ((kinds := [k for k in WORDS if r.random() < 0.5]), kinds)),
        ("ranking", lambda r: ((kinds := [k for k in WORDS if r.random() < 0.5]), kinds)),
        ("ordinal", lambda r: (["pos"] * (stars := r.randrange(1, 5)) + ["neg"] * (5 - stars), str(stars))),
        ("hierarchy", lambda r: ([(kind := r.choice(list(WORDS)))] * 3, f"{kind}/{r.choice('ab')}")),
        ("labels", one_label),
    ],
)
def test_all_tasks_over_texts_learn_the_same_bits(task: str, label: Callable, tmp_path: Path) -> None:
    same_bits(written(tmp_path / "data.jsonl", rows(120, label)), tmp_path, task=task)


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
        room = Room(tmp_path, most)
        linnet.train(data, memory=room)
        assert room.on_disk is on_disk


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
    with pytest.raises(UsageError, match=r"memory=rows is for tasks over texts; task 'tag' keeps all data in memory"):
        linnet.train([(["a", "b"], ["X", "Y"])], task="tag", memory="rows")
    model = linnet.train(["a", "b"], ["x", "y"])
    with pytest.raises(UsageError, match=r"memory=rows is for the first training of a model"):
        linnet.train(["a", "b"], ["x", "y"], start=model, memory="rows")
