"""Checksums of what is learned: a SHA-256 of everything that each of these trainings writes into its model file.

    python benchmarks/bits.py > before.txt      # with one version of linnet installed
    python benchmarks/bits.py > after.txt       # with another one
    diff before.txt after.txt                   # nothing, where a change was not meant to change what is learned

The arrays of a model file are hashed one by one and the hashes sorted, so that it does not matter what the arrays are called or
in which order they stand; those that the file has packed are unpacked first. Nothing is measured here. The trainings cover
every task, each family of learners, and what is done after learning: calibration, thresholds, reranking, a parser's own tags.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

import linnet
from datasets import file_path, opened
from errors import MissingError

LINES = 1000
SENTENCES = 150


def hash_of(arrays: dict[str, Any]) -> str:
    """One hash of many arrays, which does not depend on their names."""
    each = []
    for array in arrays.values():
        values = np.ascontiguousarray(array)
        head = f"{values.dtype.str} {values.shape}".encode()
        each.append(hashlib.sha256(head + values.tobytes()).hexdigest())
    return hashlib.sha256(" ".join(sorted(each)).encode()).hexdigest()[:32]


def hash_of_file(model: Any) -> str:
    """The hash of all arrays that a model writes."""
    from safetensors import safe_open

    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "model.linnet")
        model.save(path)
        with safe_open(path, "np") as file:
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            return hash_of(unpacked(arrays, json.loads(file.metadata()["linnet"])["packed"]))


def unpacked(arrays: dict[str, Any], shapes: dict[str, list[int]]) -> dict[str, Any]:
    """The arrays as they were before they were packed, in whatever way the version of linnet at hand does it."""
    found = dict(arrays)
    for name, shape in shapes.items():
        if f"{name}.bits" in found:
            used = np.unpackbits(found.pop(f"{name}.bits"), count=int(np.prod(shape)), bitorder="little").astype(bool)
            whole = np.zeros(len(used), np.float32)
            whole[used] = found.pop(f"{name}.values")
        else:
            first, table, codes = (found.pop(f"{name}.{part}") for part in ("first", "table", "codes"))
            whole = np.concatenate([first, table[codes]])
        found[name] = whole.reshape(shape)
    return found


class Files:
    """The first lines or sentences of the data sets, as files of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def lines(self, name: str, n: int = LINES, every: int = 1) -> str:
        """The first n lines of a file, of those that are `every` lines apart."""
        source, path = file_path(name), self.folder / f"{every}-{n}-{name}"
        if not path.exists():
            with opened(source) as file:
                path.write_bytes(b"".join(islice(file, 0, n * every, every)))
        return str(path)

    def sentences(self, name: str, n: int = SENTENCES) -> str:
        """The first n sentences of a file with a blank line behind each."""
        source, path = file_path(name), self.folder / f"{n}-{name}"
        if not path.exists():
            with opened(source) as file:
                path.write_bytes(b"".join(_first_sentences(file, n)))
        return str(path)

    def trees(self, name: str, n: int = SENTENCES) -> str:
        """The first n bracketed trees, each of which begins at the start of a line."""
        source, path = file_path(name), self.folder / f"{n}-{name}"
        if not path.exists():
            with opened(source) as file:
                path.write_bytes(b"\n(".join(file.read().split(b"\n(")[:n]) + b"\n")
        return str(path)

    def ratings(self) -> str:
        """Reviews with their ratings as labels."""
        path = self.folder / "ratings.jsonl"
        if not path.exists():
            with open(self.lines("imdb-train.jsonl", every=40), encoding="utf-8") as file:
                rows = [json.loads(line) for line in file]
            text = "".join(json.dumps({"text": row["text"], "label": str(row["rating"])}) + "\n" for row in rows)
            path.write_text(text, encoding="utf-8")
        return str(path)

    def lists(self, name: str, n: int) -> str:
        """Translations with the ranks that people gave them, as lists of candidates."""
        path = self.folder / f"lists-{n}.jsonl"
        if not path.exists():
            with open(self.lines(name, n), encoding="utf-8") as file:
                rows = [json.loads(line) for line in file]
            path.write_text("".join(json.dumps(_as_list(row)) + "\n" for row in rows), encoding="utf-8")
        return str(path)

    def texts(self, name: str) -> tuple[list[str], list[str]]:
        with open(self.lines(name, every=40 if "imdb" in name else 1), encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
        return [row["text"] for row in rows], [row.get("label") or row["labels"] for row in rows]


def _as_list(row: dict[str, Any]) -> dict[str, Any]:
    pairs = zip(row["hypotheses"], row["rank"], strict=True)
    return {"source": row["reference"], "candidates": [{"text": text, "cost": rank} for text, rank in pairs]}


def _first_sentences(file: Any, n: int) -> Iterator[bytes]:
    for line in file:
        yield line
        n -= not line.strip()
        if n == 0:
            return


def _words(path: str) -> tuple[list[list[str]], list[list[str]]]:
    X: list[list[str]] = [[]]
    Y: list[list[str]] = [[]]
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        if line:
            word, *_, tag = line.split()
            X[-1].append(word)
            Y[-1].append(tag)
        elif X[-1]:
            X.append([])
            Y.append([])
    return [x for x in X if x], [y for y in Y if y]


def trainings(files: Files) -> dict[str, Callable[[], str]]:
    """The hash that each training gives, by a name that says what it is."""

    def train(data: Callable[[], Any], **settings: Any) -> Callable[[], str]:
        return lambda: hash_of_file(linnet.train(data(), **settings))

    def imdb() -> str:
        return files.lines("imdb-train.jsonl", every=40)

    def news() -> str:
        return files.lines("20news-train.jsonl")

    def trec() -> str:
        return files.lines("trec-train.jsonl")

    def topics() -> str:
        return files.lines("reuters-train.jsonl")

    def chunks() -> str:
        return files.sentences("conll2000-train.txt")

    def trees() -> str:
        return files.sentences("ewt-train.conllu")

    def crossing() -> str:
        return files.sentences("nl_lassysmall-train.conllu")

    def phrases() -> str:
        return files.trees("ptb-sample-train.mrg", 100)

    def links() -> str:
        return files.lines("align-en-fr.jsonl", 100)

    def shorter() -> str:
        return files.lines("compression-clarke-written.jsonl", 200)

    def lists() -> str:
        return files.lists("mt-ranking-cs-en.jsonl", 150)

    def estimator(make: Callable[[Any], Any], X: Any, y: Any, parts: Callable[[Any], dict[str, Any]]) -> str:
        import linnet.sklearn

        return hash_of(parts(make(linnet.sklearn).fit(X, y)))

    def classifier(learner: str, **settings: Any) -> Callable[[], str]:
        return lambda: estimator(
            lambda sk: sk.LinearClassifier(learner, features="words:1-2 tfidf", **settings),
            *files.texts("imdb-train.jsonl"),
            lambda fitted: {"w": fitted.coef_, "b": fitted.intercept_},
        )

    def in_parts() -> str:
        import linnet.sklearn as sk

        X, y = files.texts("20news-train.jsonl")
        fitted = sk.LinearClassifier("averaged-perceptron", features="words:1")
        for at in range(0, len(X), 50):
            fitted.partial_fit(X[at : at + 50], y[at : at + 50])
        return hash_of({"w": fitted.coef_, "b": fitted.intercept_})

    def scores_of(name: str, learner: str, data: str) -> Callable[[], str]:
        def run() -> str:
            X, y = files.texts(data)
            if name in ("LabelsetClassifier", "LabelRanker"):
                y = [list(one) for one in y]
            return estimator(
                lambda sk: getattr(sk, name)(learner, features="words:1 tfidf"),
                X,
                y,
                lambda fitted: {"theta": fitted.decision_function(X)},
            )

        return run

    def tagger(**settings: Any) -> Callable[[], str]:
        def parts(fitted: Any) -> dict[str, Any]:
            return {
                "w": np.array(list(fitted.state_features_.values())),
                "t": np.array(list(fitted.transition_features_.values())),
            }

        return lambda: estimator(lambda sk: sk.SequenceTagger(max_iterations=4, **settings), *_words(chunks()), parts)

    def span() -> str:
        class Span(linnet.Structure):
            outcomes = (1, 1, 1)

            def features(self, tokens: Any) -> Any:
                edges = [{"w": w, "next": v} for w, v in zip(tokens, [*tokens[1:], "</s>"], strict=True)]
                return [[{"w": w} for w in tokens], edges, edges]

            def mu(self, y: Any) -> Any:
                first, last = y
                return [*((0, t, 0) for t in range(first, last + 1)), (1, first, 0), (2, last, 0)]

            def outputs(self, places: Any) -> Any:
                return [(a, b) for a in range(places[0]) for b in range(a, places[0])]

        X = [words[:8] for words in _words(chunks())[0][:40]]
        Y = [(min(1, len(x) - 1), len(x) - 1) for x in X]
        return hash_of_file(linnet.learn(Span, X, Y, learner="crf"))

    learners = (
        "naive-bayes perceptron averaged-perceptron voted-perceptron mira averaged-mira pa2 arow scw svm nb-svm pegasos "
        "logistic boosting kernel-perceptron kernel-svm parzen neighbours feedforward"
    ).split()
    jobs: dict[str, Callable[[], str]] = {f"labels {name}": train(imdb, learner=name) for name in learners}
    jobs |= {
        "labels, 20 of them": train(news),
        "labels, of short texts": train(trec),
        "labels logistic by=lbfgs": train(news, learner="logistic", options={"by": "lbfgs"}, epochs=20),
        "labels logistic by=dual": train(news, learner="logistic", options={"by": "dual"}),
        "labels mira k=3": train(news, learner="mira", options={"k": 3}),
        "labels calibrated": train(imdb, learner="averaged-mira", calibrate="sigmoid"),
        "labels, balanced, early stopping": train(news, learner="averaged-mira", class_weight="balanced", dev=0.2),
        "labels auto": train(imdb, learner="auto", features="words:1", options={"seconds": 1e6}),
        "labels dropout and runs": train(imdb, learner="averaged-mira", options={"dropout": 0.3, "runs": 3}),
        "hierarchy": train(trec, task="hierarchy"),
        "hierarchy averaged-mira": train(trec, task="hierarchy", learner="averaged-mira"),
        "ordinal": train(files.ratings, task="ordinal"),
        "ordinal shared": train(files.ratings, task="ordinal", options={"score": "shared"}),
        "labelset with thresholds": train(topics),
        "labelset macro averaged-mira": train(topics, learner="averaged-mira", options={"thresholds": "macro"}),
        "labelset subset": train(topics, options={"costs": "subset"}),
        "labelset logistic": train(topics, learner="logistic"),
        "ranking": train(topics, task="ranking"),
        "tag": train(chunks, features="chunk-fast"),
        "tag of second order": train(chunks, features="ner", epochs=3),
        "tag averaged-mira": train(chunks, features="chunk-fast", learner="averaged-mira"),
        "tag hmm": train(chunks, features="w", learner="hmm"),
        "tag svm": train(chunks, features="w", learner="svm"),
        "tag crf by=lbfgs": train(chunks, features="chunk-fast", options={"by": "lbfgs"}, epochs=10),
        "tag reranked": train(chunks, features="chunk-fast", rerank=5, epochs=3),
        "tag feedforward": train(chunks, features="w[-1..1]", learner="feedforward", epochs=3),
        "parse, given tags, first order": train(trees, task="parse", options={"tags": "given", "order": 1}, epochs=3),
        "parse, given tags": train(trees, task="parse", options={"tags": "given"}, epochs=3),
        "parse, own tags": train(trees, task="parse", epochs=3),
        "parse reranked": train(trees, task="parse", options={"tags": "given", "order": 1}, rerank=5, epochs=2),
        "parse, arcs that cross": train(crossing, task="parse", options={"tags": "given", "order": 1}, epochs=2),
        "parse crf": train(trees, task="parse", learner="crf", options={"tags": "given", "order": 1}, epochs=2),
        "brackets": train(phrases, task="brackets", epochs=2),
        "brackets, given tags, crf": train(
            phrases, task="brackets", learner="crf", options={"tags": "given"}, epochs=2
        ),
        "align": train(links, task="align"),
        "align one-to-many": train(links, task="align", options={"search": "one-to-many"}),
        "align itg": train(links, task="align", options={"search": "itg"}, epochs=1),
        "compress": train(shorter),
        "compress crf": train(shorter, learner="crf"),
        "rerank": train(lists, options={"better": "more"}),
        "rerank pairs": train(lists, options={"better": "more", "loss": "pairs"}),
        "own crf": span,
        "LinearClassifier averaged-mira": classifier("averaged-mira"),
        "LinearClassifier logistic, dev": classifier("logistic", dev=0.2),
        "LinearClassifier svm": classifier("svm"),
        "LinearClassifier in parts": in_parts,
        "LabelsetClassifier": scores_of("LabelsetClassifier", "nb-svm", "reuters-train.jsonl"),
        "LabelRanker": scores_of("LabelRanker", "pa2", "reuters-train.jsonl"),
        "HierarchyClassifier": scores_of("HierarchyClassifier", "averaged-mira", "trec-train.jsonl"),
        "OrdinalClassifier": scores_of("OrdinalClassifier", "logistic", "trec-train.jsonl"),
        "SequenceTagger": tagger(features="w[-1..1] suffix:1-3"),
        "SequenceTagger lbfgs": tagger(algorithm="lbfgs", features="w[-1..1]"),
    }
    return jobs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="only trainings whose name holds one of these")
    wanted = parser.parse_args().names
    with tempfile.TemporaryDirectory() as folder:
        for name, run in trainings(Files(Path(folder))).items():
            if wanted and not any(part in name for part in wanted):
                continue
            began = time.perf_counter()
            try:
                found = run()
            except MissingError as error:
                found = f"left out: {error}"
            print(f"{found}  {name}", flush=True)
            print(f"  {time.perf_counter() - began:.1f} s  {name}", file=sys.stderr)


if __name__ == "__main__":
    main()
