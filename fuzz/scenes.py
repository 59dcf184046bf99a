"""The commands that fuzz/kills.py interrupts, each with its files: every task and every family of learners, on tiny data."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from seeds import ARCS, CHUNKS, LISTS, PAIRS, TREES

MODEL = "model.linnet"
"""The model that trainings write, and other commands read."""
ANSWERS = "answers"
"""The folder of answers."""


@dataclass(frozen=True)
class Scene:
    """A command with what it reads and writes, in a folder of its own."""

    command: tuple[str, ...]
    inputs: dict[str, str]
    """The contents of the files that the command reads, by name."""
    output: str = MODEL
    """The file or folder that the command writes."""
    kind: str = "train"
    """What the command is called in the table."""
    resumes: bool = True
    """Whether the command goes on with --resume; others are given again as they are."""
    stdin: str | None = None
    """The file that standard input comes from."""
    before: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The commands that make the models that the command needs, by the names of these."""
    alone: bool = False
    """Whether the command needs a process that is begun for it, as it begins others itself."""
    often: float = 1.0
    """How often the command is interrupted, compared with others."""

    def again(self) -> tuple[str, ...]:
        """The command that goes on after an interruption."""
        return (*self.command, "--resume") if self.resumes else self.command


def words(n: int, seed: int = 0) -> Iterator[tuple[str, int]]:
    """Texts of some words with a number from 0 to 2 that can be told from them, though not always."""
    random = Random(seed)
    signs = ("good fine", "dull film", "bad poor")
    for _ in range(n):
        k = random.randrange(3)
        told = random.choice(signs[k if random.random() < 0.9 else random.randrange(3)].split())
        yield f"{told} {' '.join(f'w{int(random.expovariate(0.05))}' for _ in range(8))}", k


def csv(outputs: list[str], n: int = 320, column: str = "label") -> str:
    return f"text,{column}\n" + "".join(f"{text},{outputs[k]}\n" for text, k in words(n))


def lines(rows: list[object]) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def conll(sentences: list[tuple[list[str], list[str]]]) -> str:
    return "\n".join("".join(f"{w} {t}\n" for w, t in zip(*one, strict=True)) for one in sentences)


TEXTS = {"data.csv": csv(["pos", "mid", "neg"])}
SETS = {"data.jsonl": lines([{"text": text, "labels": [["a"], ["a", "b"], []][k]} for text, k in words(320)])}
PATHS = {"data.csv": csv(["A:x", "A:y", "B:z"])}
GRADES = {"data.csv": csv(["1", "2", "3"])}
TAGGED = {"data.conll": conll(CHUNKS * 20)}
SHORT = {
    "data.jsonl": lines(
        [{"tokens": ["a", "very", "fine", f"film{i % 7}"], "keep": [1, i % 2, 1, 1]} for i in range(60)]
    )
}
ARC_FILE = {"data.conllu": ARCS}
TREE_FILE = {"data.mrg": "\n".join(TREES * 4)}
PAIR_FILE = {"data.jsonl": lines(PAIRS * 4)}
LIST_FILE = {"data.jsonl": lines(LISTS * 8)}


def training(inputs: dict[str, str], *options: str, **how: object) -> Scene:
    return Scene(("train", next(iter(inputs)), "-o", MODEL, *options), inputs, **how)  # type: ignore[arg-type]


def using(
    options: tuple[str, ...], output: str, kind: str, inputs: dict[str, str], made: tuple[str, ...], **how: object
) -> Scene:
    """A command that needs a model, which another command makes."""
    how = {"resumes": False, **how}
    return Scene(options, inputs, output, kind, before={MODEL: made}, **how)  # type: ignore[arg-type]


LABELS = ("train", "data.csv", "-o", MODEL)
TAGS = ("train", "data.conll", "-o", MODEL, "--epochs", "2")
MANY = {f"part{i}.csv": csv(["pos", "mid", "neg"], 40 + i) for i in range(4)}
SCENES: dict[str, Scene] = {
    **{f"labels {name}": training(TEXTS, "--learner", name, "--epochs", "4") for name in (
        "logistic", "svm", "naive-bayes", "averaged-mira", "averaged-perceptron", "voted-perceptron", "boosting",
        "kernel-perceptron", "kernel-svm", "parzen", "neighbours", "feedforward", "arow", "scw", "pegasos", "pa",
    )},
    "labels nb-svm": training(TEXTS),
    "labels rows on disk": training(TEXTS, "--set", "memory=rows"),
    "labels logistic rows on disk": training(
        TEXTS, "--learner", "logistic", "--epochs", "3", "--set", "memory=rows", "--set", "calibrate=sigmoid"
    ),
    "labels calibrated": training(TEXTS, "--learner", "svm", "--set", "calibrate=sigmoid", often=2),
    "labels held out": training(TEXTS, "--learner", "averaged-perceptron", "--dev", "0.2", "--epochs", "6"),
    "labels costs held out": training(
        TEXTS | {"costs.csv": "pos,neg,3\n"}, "--dev", "0.2", "--set", "costs=costs.csv", "--epochs", "6"
    ),
    "labels auto": training(TEXTS, "--learner", "auto", "--set", "seconds=1000", often=2),
    "labels auto costs": training(
        TEXTS | {"costs.csv": "pos,neg,3\n"}, "--learner", "auto", "--set", "seconds=1000", "--set", "costs=costs.csv"
    ),
    "labels state": training(TEXTS, "--learner", "averaged-perceptron", "--set", "state=keep", "--epochs", "3"),
    "labels support": training(TEXTS, "--learner", "svm", "--set", "support=keep", often=2),
    "labels runs": training(
        TEXTS, "--learner", "averaged-mira", "--set", "runs=3", "--set", "dropout=0.2", "--epochs", "3"
    ),
    "labels traced": training(TEXTS, "--learner", "mira", "--epochs", "3", "--trace", "200", "--json"),
    "labels from": using(
        ("train", "more.csv", "-o", "more.linnet", "--from", MODEL, "--epochs", "3"), "more.linnet", "train",
        TEXTS | {"more.csv": csv(["pos", "new", "neg"])}, (*LABELS, "--learner", "averaged-perceptron"), resumes=True,
    ),
    "labelset svm": training(SETS, "--learner", "svm", often=2),
    "labelset logistic": training(SETS, "--learner", "logistic", "--epochs", "3", often=2),
    "labelset auto": training(SETS, "--learner", "auto", "--set", "seconds=1000"),
    "ranking": training(SETS, "--task", "ranking", "--epochs", "3"),
    "hierarchy": training(PATHS, "--task", "hierarchy", "--set", "separator=:"),
    "ordinal": training(GRADES, "--task", "ordinal"),
    "ordinal shared": training(
        GRADES, "--task", "ordinal", "--learner", "averaged-perceptron", "--set", "score=shared", "--epochs", "3"
    ),
    "tag crf": training(TAGGED, "--epochs", "3"),
    "tag hmm": training(TAGGED, "--learner", "hmm"),
    "tag reranked": training(TAGGED, "--features", "w y[-1]", "--epochs", "2", "--rerank", "3", often=2),
    "compress": training(SHORT, "--epochs", "4"),
    "parse own tags": training(ARC_FILE, "--task", "parse", "--epochs", "2", "--set", "tags=own", "--set", "order=1", often=2),
    "parse reranked": training(
        ARC_FILE, "--task", "parse", "--epochs", "2", "--set", "tags=own", "--set", "order=2", "--rerank", "3"
    ),
    "brackets": training(TREE_FILE, "--epochs", "3", "--set", "tags=own", often=2),
    "align": training(PAIR_FILE, "--epochs", "3"),
    "candidates": training(LIST_FILE, "--features", "start:1 length unknown overlap", "--learner", "logistic"),
    "once": Scene(
        ("train", "-", "-o", MODEL, "--once", "--format", "csv", "--learner", "averaged-perceptron", "--set", "every=0.0001"),
        {"data.csv": csv(["pos", "mid", "neg"], 2000)}, kind="train --once", resumes=False, stdin="data.csv",
    ),
    "once tag": Scene(
        ("train", "data.conll", "-o", MODEL, "--once", "--learner", "averaged-perceptron", "--set", "every=0.0001"),
        {"data.conll": conll(CHUNKS * 200)}, kind="train --once", resumes=False,
    ),
    "shards": training(TEXTS, "--learner", "averaged-mira", "--shards", "3", "--epochs", "3", kind="train --shards"),
    "cluster": training(
        TEXTS, "--learner", "averaged-mira", "--cluster", "local:2", "--shards", "3", "--epochs", "3",
        kind="train --cluster", often=0.4, alone=True,
    ),
    **{
        f"predict {end}": using(
            ("predict", MODEL, "new.csv", "-o", f"out.{end}"), f"out.{end}", "predict file",
            TEXTS | {"new.csv": csv(["?"] * 3)}, LABELS,
        )
        for end in ("csv", "jsonl", "parquet")
    },
    "predict tags": using(
        ("predict", MODEL, "new.conll", "-o", "out.conll", "--force"), "out.conll", "predict file",
        TAGGED | {"new.conll": conll(CHUNKS * 50)}, TAGS,
    ),
    "predict folder": using(
        ("predict", MODEL, *MANY, "-o", f"{ANSWERS}/"), ANSWERS, "predict folder", TEXTS | MANY, LABELS, often=3
    ),
    "predict folder, 2 workers": using(
        ("predict", MODEL, *MANY, "-o", f"{ANSWERS}/", "--workers", "2"), ANSWERS, "predict --workers", TEXTS | MANY, LABELS,
        alone=True,
    ),
    "compare": Scene(
        ("compare", "data.csv", "--folds", "3", "--learners", "naive-bayes,mira", "--html", "page.html"),
        TEXTS, "page.html", "compare", False, often=2,
    ),
    "compact": using(
        ("compact", MODEL, "-o", "small.linnet", "--size", "50%", "--8bit"), "small.linnet", "compact", TEXTS, LABELS, often=2
    ),
    "evaluate": using(("evaluate", MODEL, "data.csv", "--html", "page.html"), "page.html", "evaluate", TEXTS, LABELS),
}  # fmt: skip
"""The commands by name."""
