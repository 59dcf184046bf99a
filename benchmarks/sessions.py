"""Learning one example at a time, for every task: does a break change a bit, does undo, and how long does a lesson take?

    python benchmarks/sessions.py [names...] [--examples N]

Each task learns N examples of real data (1,000, or as many as there are), one after the other: once without a break;
once saved, loaded and taught further in the middle; and once with a wrong lesson in the middle that is taken back. The
hashes of all that was learned (weights, state, features) are compared. Two tasks have fewer examples: the Hansards 447
pairs, the translations 559 lists.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

from bits import hash_of
from datasets import file_path, opened
from errors import MissingError

BEGINS = 30
EXAMPLES = 1000


def json_lines(name: str, every: int = 1) -> Iterator[dict[str, Any]]:
    with opened(file_path(name)) as file:
        yield from map(json.loads, islice(file, 0, None, every))


def texts(name: str, label: str, every: int = 1) -> Callable[[int], list[tuple[Any, Any]]]:
    """Texts in a random order: some files are sorted by label."""

    def make(n: int) -> list[tuple[Any, Any]]:
        rows = [(row["text"], row[label]) for row in json_lines(name, every)]
        random.Random(0).shuffle(rows)
        return rows[:n]

    return make


def ratings(n: int) -> list[tuple[Any, Any]]:
    """The ratings of the first reviews are all that there are."""
    rows = [(row["text"], str(row["rating"])) for row in json_lines("imdb-train.jsonl", 23)]
    first = list({label: (text, label) for text, label in rows}.values())
    return [*first, *rows][:n]


def sentences(name: str, column: str | None = None) -> Any:
    from linnet import io

    return io.read_sentences(str(file_path(name)), label_col=column, framed=False)


def chunks(n: int) -> list[tuple[Any, Any]]:
    found = sentences("conll2000-train.txt")
    tokens = list(zip(found.columns["w"].to_pylist(), found.columns["col2"].to_pylist(), strict=True))
    tags = found.tags.to_pylist()
    return [(tokens[a:b], tags[a:b]) for a, b in islice(pairwise(found.starts.tolist()), n)]


def trees(n: int) -> list[tuple[Any, Any]]:
    found = sentences("ewt-train.conllu", "tree")
    tokens = list(zip(*(found.columns[name].to_pylist() for name in ("w", "upos", "xpos")), strict=True))
    arcs = [(int(head), relation) for head, relation in (tree.split("\t") for tree in found.tags.to_pylist())]
    return [(tokens[a:b], arcs[a:b]) for a, b in islice(pairwise(found.starts.tolist()), n)]


def brackets(n: int) -> list[tuple[Any, Any]]:
    from linnet.io.sentences.mrg import bracketed

    found = sentences("ptb-sample-train.mrg", "tree")
    words, tags = found.columns["w"].to_pylist(), found.columns["tag"].to_pylist()
    lines = bracketed(words, tags, found.tags.to_pylist(), found.starts)
    return [(words[a:b], tree) for (a, b), tree in islice(zip(pairwise(found.starts.tolist()), lines, strict=True), n)]


def links(n: int) -> list[tuple[Any, Any]]:
    rows = islice(json_lines("align-en-fr.jsonl"), n)
    return [
        ((row["source"], row["target"]), [[tuple(link) for link in row[k]] for k in ("sure", "possible")])
        for row in rows
    ]


def shorter(n: int) -> list[tuple[Any, Any]]:
    return [(row["tokens"], row["keep"]) for row in islice(json_lines("compression-clarke-written.jsonl"), n)]


def lists(n: int) -> list[tuple[Any, Any]]:
    rows = islice(json_lines("mt-ranking-cs-en.jsonl"), n)
    return [(row["hypotheses"], [-float(rank) for rank in row["rank"]]) for row in rows]


TASKS: dict[str, tuple[Callable[[int], list[tuple[Any, Any]]], dict[str, Any]]] = {
    "labels": (texts("20news-train.jsonl", "label", 7), {}),
    "labelset": (texts("reuters-train.jsonl", "labels"), {}),
    "ranking": (texts("reuters-train.jsonl", "labels"), {}),
    "hierarchy": (texts("trec-train.jsonl", "label"), {}),
    "ordinal": (ratings, {}),
    "tag": (chunks, {"features": "chunk-fast"}),
    "compress": (shorter, {}),
    "parse": (trees, {}),
    "brackets": (brackets, {}),
    "align": (links, {}),
    "rerank": (lists, {}),
}


def hash_of_session(session: Any) -> str:
    """A hash of all that a session has learned."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.linnet"
        session.save(path)
        from safetensors import safe_open

        with safe_open(path, "np") as file:
            return hash_of({name: file.get_tensor(name) for name in file.keys()})  # noqa: SIM118


def measured(name: str, n: int) -> dict[str, Any]:
    """Whether a break and an undo change a bit, and how long lessons take."""
    import linnet
    from linnet.tasks import named

    task: Any = named(name)
    if name in ("parse", "brackets"):
        task = replace(task, tags="given")
    make, settings = TASKS[name]
    examples = make(n)
    X, Y = map(list, zip(*examples[:BEGINS], strict=True))
    whole, broken, undone = (linnet.Session.begin(task, X, Y, **settings) for _ in range(3))
    seconds, half = [], len(examples) // 2
    with tempfile.TemporaryDirectory() as folder:
        for i, example in enumerate(examples[BEGINS:], BEGINS):
            began = time.perf_counter()
            whole.learn(*example)
            seconds.append(time.perf_counter() - began)
            broken.learn(*example)
            undone.learn(*example)
            if i == half:
                broken.save(Path(folder) / "half.linnet")
                broken = linnet.load(Path(folder) / "half.linnet").session()
                undone.learn(*examples[0])
                began = time.perf_counter()
                undone.undo()
                undo = time.perf_counter() - began
    hashes = [hash_of_session(session) for session in (whole, broken, undone)]
    model = whole.model()
    return {
        "examples": len(examples),
        "break": hashes[1] == hashes[0],
        "undo": hashes[2] == hashes[0],
        "ms": 1000 * statistics.mean(seconds),
        "median ms": 1000 * statistics.median(seconds),
        "undo ms": 1000 * undo,
        "labels": len(model.labels),
        "features": model.features.n_features,
        "hash": hashes[0],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help=f"which tasks: {', '.join(TASKS)}; all by default")
    parser.add_argument("--examples", type=int, default=EXAMPLES)
    options = parser.parse_args()
    for name in options.names or TASKS:
        try:
            found = measured(name, options.examples)
        except MissingError as error:
            print(f"{name}: left out: {error}", flush=True)
            continue
        same = {True: "same bits", False: "OTHER BITS"}
        print(
            f"{name}: {found['examples']:,} examples, break {same[found['break']]}, undo {same[found['undo']]}; a lesson "
            f"{found['ms']:.1f} ms on average, {found['median ms']:.1f} in the median, undo {found['undo ms']:.0f} ms; "
            f"{found['labels']} labels, {found['features']:,} features; {found['hash'][:12]}",
            flush=True,
        )


if __name__ == "__main__":
    main()
