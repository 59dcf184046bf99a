"""Models and outputs are the same bytes for any number of threads: every learner, every task, and learning from shards."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from bitext import jsonl
from treebank import conllu

from linnet.cli import main
from linnet.features import counting
from linnet.io.sentences.reading import read_sentence_batches
from linnet.learners import LEARNERS
from linnet.tasks.texts import model as texts

THREADS = (1, 2, 4, 8)
SHARDED = ["naive-bayes", "averaged-perceptron", "averaged-mira", "arow", "logistic"]
TASKS = {
    "labelset": ("sets.jsonl", ["--learner", "nb-svm"]),
    "labelset by logistic": ("sets.jsonl", ["--task", "labelset", "--learner", "logistic"]),
    "hierarchy": ("paths.csv", ["--task", "hierarchy"]),
    "hierarchy by svm": ("paths.csv", ["--task", "hierarchy", "--learner", "svm"]),
    "ordinal": ("stars.csv", ["--task", "ordinal"]),
    "ranking": ("sets.jsonl", ["--task", "ranking"]),
    "calibrated": ("labels.csv", ["--learner", "averaged-mira", "--set", "calibrate=sigmoid"]),
    "a third held out": ("labels.csv", ["--dev", "0.34"]),
    "rows in a file": ("labels.csv", ["--set", "memory=rows"]),
    "tag": ("tags.conll", []),
    "tag by crf": ("tags.conll", ["--learner", "crf"]),
    "tag, reranked": ("tags.conll", ["--rerank", "3"]),
    "parse": ("trees.conllu", []),
    "brackets": ("trees.mrg", []),
    "align": ("pairs.jsonl", []),
    "compress": ("shorter.jsonl", []),
    "rerank": ("lists.jsonl", []),
}


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch):
    """Cut what is small into parts and batches, as if it were large."""
    monkeypatch.setattr(counting, "_LEAST", 100)
    monkeypatch.setattr(texts, "_BATCH_BYTES", 500)
    monkeypatch.setitem(read_sentence_batches.__kwdefaults__, "batch_bytes", 200)


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    rng = np.random.default_rng(0)
    rows = [(k, [f"w{10 * k + j if rng.random() < 0.5 else 10 * other + j}" for j, other in enumerate(rng.integers(0, 3, 8))])
            for k in rng.integers(0, 3, 150).tolist()]  # fmt: skip

    def table(labels: list[str]) -> str:
        return "text,label\n" + "".join(f"{' '.join(words)},{labels[k]}\n" for k, words in rows)

    (folder / "labels.csv").write_text(table(["a", "b", "c"]))
    (folder / "paths.csv").write_text(table(["NUM:date", "NUM:count", "LOC:city"]))
    (folder / "stars.csv").write_text(table(["1", "2", "3"]))
    sets = [{"text": " ".join(words), "labels": sorted({"abc"[k], "abd"[len(words[0]) % 3]})} for k, words in rows]
    (folder / "sets.jsonl").write_text("".join(json.dumps(one) + "\n" for one in sets))
    sentences = [" ".join(words) for _, words in rows[:60]]
    tags = ["\n".join(f"{word} {'XYZ'[int(word[1:]) % 3]}" for word in line.split()) for line in sentences]
    (folder / "tags.conll").write_text("\n\n".join(tags) + "\n")
    (folder / "trees.conllu").write_text(conllu(30))
    (folder / "pairs.jsonl").write_text(jsonl(20))
    tree = "( (S (NP (DT The) (NN film)) (VP (VBZ ends))))\n( (S (NP (PRP It)) (VP (VBZ ends))))\n"
    (folder / "trees.mrg").write_text(8 * tree)
    shorter = [{"tokens": words, "keep": [int(word[1:]) % 2 for word in words]} for _, words in rows[:30]]
    (folder / "shorter.jsonl").write_text("".join(json.dumps(one) + "\n" for one in shorter))
    lists = (
        '{"source": "x", "candidates": [{"text": "a film", "score": 1, "cost": 0}, {"text": "film a", "cost": 1}]}\n'
    )
    (folder / "lists.jsonl").write_text(20 * lists)
    return folder


def hashes(path: Path, folder: Path, *options: str) -> set[tuple[str, ...]]:
    """The hashes of the model that is trained from a file, and of the answers to this file, for each number of threads."""
    return {_hashes(path, folder / str(n), str(n), options) for n in THREADS}


def _hashes(path: Path, folder: Path, threads: str, options: tuple[str, ...]) -> tuple[str, ...]:
    folder.mkdir()
    model, answers = folder / "x.linnet", folder / "answers.jsonl"
    learned = ["train", str(path), "-o", str(model), "-q", "--epochs", "2", "--threads", threads, *options]
    predicted = ["predict", str(model), str(path), "-o", str(answers), "-q", "--threads", threads]
    for command in (learned, predicted):
        with pytest.raises(SystemExit) as ended:
            main.main(command)
        assert not ended.value.code, command
    return tuple(hashlib.sha256(file.read_bytes()).hexdigest() for file in (model, answers))


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_learner_gives_one_model_and_one_output(data, tmp_path, learner):
    assert len(hashes(data / "labels.csv", tmp_path, "--learner", learner, "--features", "words:1-2 min=2")) == 1


@pytest.mark.parametrize("task", TASKS)
def test_a_task_gives_one_model_and_one_output(data, tmp_path, task):
    name, options = TASKS[task]
    assert len(hashes(data / name, tmp_path, *options)) == 1


@pytest.mark.parametrize("learner", SHARDED)
def test_shards_give_one_model_and_one_output(data, tmp_path, learner):
    assert len(hashes(data / "labels.csv", tmp_path, "--learner", learner, "--shards", "4")) == 1


def test_shards_of_sentences_give_one_model_and_one_output(data, tmp_path):
    assert len(hashes(data / "tags.conll", tmp_path, "--learner", "averaged-perceptron", "--shards", "4")) == 1


def test_at_least_one_thread_is_asked_for(run):
    done = run("train", "train.csv", "-o", "none.linnet", "--threads", "0")
    assert done.code == 2
    assert "--threads" in done.err


def test_a_stream_has_one_thread(run):
    done = run("train", "train.csv", "-o", "none.linnet", "--once", "--threads", "2")
    assert done.code == 2
    assert "--threads" in done.err
