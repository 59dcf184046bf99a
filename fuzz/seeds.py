"""Good models of every kind, small, from which forged ones are made: each with what asks it all that a user may ask."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import linnet
import linnet.training.checkpoint
from linnet.cli import inspect, reproduce
from linnet.core import schema
from linnet.core.extract import vocabulary as words
from linnet.errors import LinnetError
from linnet.model import base, file
from linnet.plot.learning import learning
from linnet.plot.model_page import model_page
from linnet.tasks import load

TEXTS = ["good film", "bad film here", "a fine good day", "poor bad day"] * 3
LABELS = ["pos", "neg"] * 6
NEW = ["good bad film", "", "unknown words only, and a very fine film of the day!"]
SENTENCES = [(["the", "dog", "barks"], ["DT", "NN", "VBZ"]), (["it", "barks", "well"], ["PRP", "VBZ", "RB"])] * 3
CHUNKS = [
    (["Ann", "Lee", "saw", "Rome"], ["B-PER", "I-PER", "O", "B-LOC"]),
    (["it", "was", "Rome"], ["O", "O", "B-LOC"]),
] * 3
TREES = ["(S (NP (DT the) (NN dog)) (VP (VBZ barks)))", "(S (NP (PRP it)) (VP (VBZ barks) (NP (NN well))))"] * 3
ARCS = (
    "1\tthe\t_\tDT\t_\t_\t2\tdet\t_\t_\n2\tdog\t_\tNN\t_\t_\t3\tsubj\t_\t_\n3\tbarks\t_\tVB\t_\t_\t0\troot\t_\t_\n"
    "4\tat\t_\tIN\t_\t_\t3\tprep\t_\t_\n5\tcats\t_\tNN\t_\t_\t4\tpobj\t_\t_\n\n"
    "1\tit\t_\tPR\t_\t_\t2\tsubj\t_\t_\n2\tbarks\t_\tVB\t_\t_\t0\troot\t_\t_\n3\tloud\t_\tRB\t_\t_\t2\tadv\t_\t_\n\n"
) * 12
PAIRS = [
    {"source": ["das", "haus"], "target": ["the", "house"], "sure": [[0, 0], [1, 1]]},
    {"source": ["ein", "kleines", "haus"], "target": ["a", "small", "house"], "sure": [[0, 0], [1, 1], [2, 2]]},
] * 4
LISTS = [
    {"source": noun, "candidates": [{"text": f"{noun} the", "cost": 1}, {"text": f"the {noun}", "cost": 0}]}
    for noun in ("dog", "cat", "cow", "hen")
]
PEOPLE = {
    "text": TEXTS,
    "age": [float(20 + i) for i in range(12)],
    "town": ["Rome", "Paris", "Bonn"] * 4,
    "label": LABELS,
}
TOKENS = [["the", "dog", "barks", "well"], ["cats"], ["it", "saw", "Rome", "and", "Ann", "Lee", "at", "home"]]


@dataclass(frozen=True)
class Seed:
    """A kind of model: how it is trained, what is asked of it, and how its file is opened."""

    train: Callable[[Path], Any]
    new: Any
    decide: tuple[dict[str, Any], ...] = ({}, {"proba": True}, {"top": 2})
    learn: Callable[[Any], object] | None = None
    opened: Callable[[Path], Any] = load


def asked(seed: Seed, model: Any, path: Path, rng: Random | None = None) -> Iterator[str]:
    """Let the model of a file predict, and ask it and the file all other questions, or some of them where `rng` chooses; yield
    the name of each sentence with which one refuses an answer. A thousand models that are asked a third of everything show more
    than three hundred that are asked all."""
    questions: list[Callable[[], object]] = [lambda how=how: model.answers(seed.new, **how) for how in seed.decide]
    questions += [
        lambda x=x: model.explain(*x) if isinstance(x, tuple) else model.explain(x) for x in (seed.new[0], seed.new[-1])
    ]
    questions += [lambda: model.strongest(3), lambda: repr(model), model.support_vectors, lambda: seed.learn(model)]
    if not seed.learn:
        questions.pop()
    if seed.opened is load:
        questions += [lambda: str(model), lambda: shown(path), lambda: model_page("page", model)]
        questions += [lambda: learning(model), lambda: reproduce.run(model=str(path))]
    some = questions if rng is None else rng.sample(questions, k=len(questions) // 3)
    for question in [lambda: model.predict(seed.new), *some]:
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                question()
        except LinnetError as error:
            yield type(error).__name__


def shown(path: Path) -> None:
    """Print what is in a model, as `linnet inspect` does."""
    data = dict.fromkeys(("task", "suspects", "html", "format", "encoding", "delimiter", "text_col", "label_col"))
    for as_json in (True, False):
        inspect.run(what=str(path), support=False, as_json=as_json, **data)


def _texts(task: str, learner: str | None, labels: list[Any], features: str = "words:1", **how: Any) -> Seed:
    return Seed(lambda _: linnet.train((TEXTS, labels), task=task, learner=learner, features=features, **how), NEW)


def _costs() -> Seed:
    def train(folder: Path) -> Any:
        (folder / "costs.csv").write_text("pos,neg,3\n")
        options = {"costs": str(folder / "costs.csv")}
        return linnet.train((TEXTS, LABELS), task="labels", learner="logistic", features="words:1", options=options)

    return Seed(train, NEW)


def _file(name: str, content: str, new: Any, decide: tuple[dict[str, Any], ...] = ({}, {"top": 2}), **how: Any) -> Seed:
    def train(folder: Path) -> Any:
        (folder / name).write_text(content)
        return linnet.train(folder / name, **how)

    return Seed(train, new, decide)


def _compacted() -> Seed:
    """A model that `linnet reproduce` can print the commands of."""
    rows = "".join(f"{text},{label}\n" for text, label in zip(TEXTS, LABELS, strict=True))
    whole = _file("texts.csv", f"text,label\n{rows}", NEW, learner="averaged-mira", epochs=3, dev=0.3)
    return replace(whole, train=lambda folder: whole.train(folder).compact(eight_bit=True))


def _conll(sentences: list[tuple[list[str], list[str]]]) -> str:
    return "\n".join("".join(f"{w} {t}\n" for w, t in zip(*one, strict=True)) for one in sentences)


def _lines(rows: list[Any]) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def _session(learner: str, **how: Any) -> Seed:
    """A model that has kept the state of its learning, which goes on learning."""
    seed = _texts("labels", learner, LABELS, keep_state=True, epochs=3, **how)
    return Seed(seed.train, NEW, learn=lambda model: model.update("good new film", "pos"))


def _checkpoint(learner: str) -> Seed:
    """A training that was interrupted. To open its file is to go on."""
    texts, labels = [f"{text} {i % 7}" for i, text in enumerate(TEXTS * 6)], [LABELS[i * i % 11] for i in range(72)]

    def run(path: Path, **how: Any) -> Any:
        return linnet.train(
            (texts, labels), task="labels", learner=learner, features="words:1", epochs=4, tol=0.0, dev=0.2, patience=9,
            checkpoint=path, estimate=False, **how,
        )  # fmt: skip

    def stop(seen: Any) -> None:
        if seen.epoch == 3:
            raise KeyboardInterrupt

    def train(folder: Path) -> Path:
        linnet.training.checkpoint._WORTH_KEEPING = 0.0
        with contextlib.suppress(KeyboardInterrupt):
            run(folder / "checkpoint.part", progress=stop)
        return folder / "checkpoint.part"

    def resumed(path: Path) -> Any:
        load(path)
        return run(path, resume=True)

    return Seed(train, NEW, ({},), opened=resumed)


class _Own(linnet.Structure):
    """The smallest structure of one's own: which of three."""

    outcomes = (3,)

    def features(self, x: str) -> Any:
        return [[x.split()]]

    def mu(self, y: int) -> list[tuple[int, int, int]]:
        return [(0, 0, y)]

    def outputs(self, places: object) -> Any:
        return range(3)


def _own() -> Seed:
    learned = lambda _: linnet.learn(_Own, TEXTS, [0, 1, 2, 1] * 3, learner="averaged-perceptron")  # noqa: E731
    return Seed(learned, NEW, opened=lambda path: linnet.load(path, structure=_Own))


@contextlib.contextmanager
def _everything_is_large() -> Iterator[None]:
    """Let small models be taken for large ones: with an index in the file, and not checked when they are loaded, or ever."""
    words.WORTH = 1 << 40
    large = {(schema, "LARGE"): 1, (file, "LARGE"): 1, (words, "INDEXED"): 1, (base, "Checking"): lambda *_: None}
    before = {(module, name): getattr(module, name) for module, name in large}
    for (module, name), value in large.items():
        setattr(module, name, value)
    try:
        yield
    finally:
        for (module, name), value in before.items():
            setattr(module, name, value)


def _large(task: str, learner: str, labels: list[Any], features: str) -> Seed:
    """A model that answers before the arrays of its file have been checked."""
    seed = _texts(task, learner, labels, features)

    def saved(folder: Path) -> Path:
        with _everything_is_large():
            seed.train(folder).save(folder / "large.linnet")
        return folder / "large.linnet"

    def opened(path: Path) -> Any:
        with _everything_is_large():
            return load(path)

    return Seed(saved, NEW, opened=opened, learn=lambda model: model.update("good new film", labels[0]))


GRADES = ["1", "2", "3", "2"] * 3
PATHS = ["A:x", "A:y", "B:z", "B:z"] * 3
SETS = [["corn", "wheat"], ["gold"], [], ["corn"]] * 3
SHORT = "w w[-1] suffix:1-2 y[-1]"
SUBSEQUENCE = {"kernel": "subsequence", "length": 2}
SEEDS: dict[str, Seed] = {
    **{f"labels {name}": _texts("labels", name, LABELS) for name in (
        "logistic", "svm", "naive-bayes", "averaged-mira", "perceptron", "voted-perceptron", "boosting", "nb-svm",
        "kernel-perceptron", "kernel-svm", "parzen", "neighbours", "feedforward", "arow",
    )},
    "labels rich features": _texts("labels", "logistic", LABELS, "words:1-2 chars:2-3 sentiment bm25 not"),
    "labels vectors": _texts("labels", None, LABELS, "words:1 vectors:6*0.7 topics:4*0.7", unlabelled=TEXTS * 2),
    "labels hashed": _texts("labels", "logistic", LABELS, "words:1 hash=10 tfidf"),
    "labels calibrated": _texts("labels", "svm", LABELS, calibrate="sigmoid"),
    "labels costs": _costs(),
    "labels numbers": _texts("labels", "logistic", [1, 2, 3, 2] * 3),
    "labels compacted": _compacted(),
    "labels columns": Seed(
        lambda _: linnet.train(PEOPLE, label="label", features="words:1 number:age column:town", learner="logistic"),
        [dict(zip(PEOPLE, row, strict=True)) for row in zip(*PEOPLE.values(), strict=True)][:3],
    ),
    "labels subsequence svm": _texts("labels", "kernel-svm", LABELS, "words:1 sequence", options=SUBSEQUENCE),
    "labels subsequence parzen": _texts("labels", "parzen", LABELS, "words:1 sequence", options={"metric": "subsequence"}),
    "large labels": _large("labels", "logistic", LABELS, "words:1-3 chars:2-3 skip:1 tfidf sentiment"),
    "large ratings": _large("ordinal", "averaged-perceptron", GRADES, "words:1-2"),
    "labelset": _texts("labelset", "logistic", SETS),
    "labelset svm": _texts("labelset", "svm", SETS),
    "labelset parzen": _texts("labelset", "parzen", SETS),
    "ranking": _texts("ranking", None, SETS),
    "hierarchy": _texts("hierarchy", "logistic", PATHS, options={"separator": ":"}),
    "ordinal": _texts("ordinal", "logistic", GRADES),
    "ordinal shared": _texts("ordinal", "averaged-perceptron", GRADES, options={"score": "shared"}),
    "tag crf": _file("a.conll", _conll(SENTENCES), TOKENS, task="tag", learner="crf", epochs=3),
    **{f"tag {name}": _file("a.conll", _conll(SENTENCES), TOKENS, task="tag", learner=name, features=SHORT, epochs=3)
        for name in ("averaged-perceptron", "naive-bayes", "neighbours", "feedforward")},
    "tag amb trigrams": _file(
        "b.conll", _conll(SENTENCES), TOKENS, task="tag", features="w amb near suffix:2 w|w[-1] y[-1] y[-2]|y[-1]", epochs=3
    ),
    "tag spans reranked": _file("c.conll", _conll(CHUNKS * 8), TOKENS, task="tag", features="w y[-1]", epochs=3, rerank=3),
    "compress": _file(
        "d.jsonl", _lines([{"tokens": ["a", "very", "fine", "film"], "keep": [1, 0, 1, 1]}] * 4), TOKENS, epochs=4
    ),
    "parse own tags": _file("e.conllu", ARCS, TOKENS, task="parse", epochs=2, options={"tags": "own"}),
    "parse crf": _file("e.conllu", ARCS, TOKENS, task="parse", learner="crf", epochs=2, options={"tags": "own", "order": 1}),
    "parse projective pruned": _file(
        "e.conllu", ARCS, TOKENS, task="parse", epochs=2, options={"tags": "own", "order": 2, "projective": "yes"}, rerank=3
    ),
    "brackets": _file("f.mrg", "\n".join(TREES), TOKENS, epochs=3, options={"tags": "own"}),
    "align": _file("g.jsonl", _lines(PAIRS), [(["das", "haus"], ["the", "house"]), (["x"], ["a", "b"])]),
    "align itg": _file(
        "g.jsonl", _lines(PAIRS), [(["das", "haus"], ["the", "house"]), (["x"], ["a", "b"])], options={"search": "itg"}
    ),
    "rerank": _file("h.jsonl", _lines(LISTS), LISTS[:2], features="start:1 length unknown overlap", learner="logistic"),
    "own": _own(),
    **{f"state {name}": _session(name) for name in (
        "averaged-perceptron", "logistic", "arow", "feedforward", "voted-perceptron",
    )},
    **{f"checkpoint {name}": _checkpoint(name) for name in (
        "averaged-perceptron", "logistic", "svm", "kernel-perceptron", "voted-perceptron", "feedforward", "mira", "boosting",
    )},
}  # fmt: skip
"""The kinds of models by name."""
