"""Dependency trees: UAS, LAS and CLAS, time of an epoch, speed and memory, on UD English EWT and UD Dutch LassySmall.

The treebanks are {ewt,nl_lassysmall}-{train,dev,test}.conllu, plain or gzipped, in the folder named by LINNET_DATA. What was
chosen was chosen on the dev parts (LINNET_PART=dev parses those). ufal.udpipe needs minutes for an iteration over EWT, so
beside it both learn from the first sentences only, and parse the same part with given tags. Most sentences of the test part of
LassySmall are in its training part too: there they are left out of it.
"""

from __future__ import annotations

import os
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

import datasets
from measure import Run, compete, cpu_seconds, job, section
from report import Column, Table, contest_table

COLUMNS = (
    Column("UAS", "uas", ".2f"),
    Column("LAS", "las", ".2f"),
    Column("CLAS", "clas", ".2f"),
    Column("training CPU s", "cpu", ".0f"),
    Column("of it an epoch", "epoch", ".1f"),
    Column("peak MB", "peak_mb", ".0f"),
    Column("tokens/s", "speed", ",.0f"),
    Column("model MB", "model_mb", ".1f"),
)
EPOCHS = 8
FEW, FEW_EPOCHS, ITERATIONS = 500, 5, 10
PART = os.environ.get("LINNET_PART", "test")


def run(quick: bool = False, rounds: int = 1) -> list[Table]:
    """Run the benchmark; more rounds only make the times more reliable. With `quick`, it learns from few sentences."""
    few = 300 if quick else 0
    epochs = 2 if quick else EPOCHS
    tables = []
    english = {
        "given tags, first order": {"tags": "given", "order": 1},
        "given tags": {"tags": "given"},
        "own tags": {},
    }
    dutch = {
        "given tags, arcs may cross": {"tags": "given", "projective": "no", "wrong": "skip"},
        "given tags, no arcs cross": {"tags": "given", "projective": "yes", "wrong": "skip"},
    }
    for title, name, ways, apart in (("EWT", "ewt", english, False), ("LassySmall", "nl_lassysmall", dutch, True)):
        contestants = {
            f"linnet, {way}": partial(_linnet, name, options, few, epochs, apart) for way, options in ways.items()
        }
        tables.append(contest_table(f"{title}, {PART}", compete(contestants, rounds), COLUMNS))
    n = 100 if quick else FEW
    both = {
        "linnet": partial(_linnet, "ewt", {"tags": "given"}, n, FEW_EPOCHS),
        "UDPipe": partial(_udpipe, "ewt", n, 1 if quick else ITERATIONS),
    }
    tables.append(contest_table(f"EWT, {PART}, given tags, learned from {n} sentences", compete(both, rounds), COLUMNS))
    return tables


def _paths(name: str) -> dict[str, str]:
    return {part: str(datasets.file_path(f"{name}-{part}.conllu")) for part in ("train", PART)}


def _linnet(name: str, options: dict[str, Any], few: int, epochs: int, apart: bool = False) -> Run:
    return job("parsing:linnet_parses", paths=_paths(name), options=options, few=few, epochs=epochs, apart=apart)


def _udpipe(name: str, few: int, iterations: int) -> Run:
    return job("parsing:udpipe_parses", paths=_paths(name), few=few, iterations=iterations)


def linnet_parses(paths: dict[str, str], options: dict[str, Any], few: int, epochs: int, apart: bool) -> Run:
    """Learn and parse. apart: whether to leave out of learning the sentences that are to be parsed."""
    import linnet
    from linnet import io
    from linnet.io.sentences.conllu import TREE

    with tempfile.TemporaryDirectory() as folder:
        train = _some(paths["train"], few, paths[PART] if apart else None, Path(folder))
        with section() as used:
            model = linnet.train(train, task="parse", options=options, epochs=epochs, tol=0)
        model.save(Path(folder, "model"))
        size = Path(folder, "model").stat().st_size / 1e6
    seconds = [epoch["seconds"] for epoch in model.report["epochs"]]
    gold = io.read_sentences(paths[PART], label_col=TREE)
    model.parse(gold.first(1))
    began = cpu_seconds()
    report = model.evaluate(gold)
    speed = report.n_tokens / (cpu_seconds() - began)
    return used | {
        "uas": 100 * report.uas,
        "las": 100 * report.las,
        "clas": 100 * report.clas,
        "epoch": (seconds[-1] - seconds[0]) / max(len(seconds) - 1, 1),
        "speed": speed,
        "model_mb": size,
    }


def _some(path: str, few: int, other: str | None, folder: Path) -> str:
    """The file itself, or a file with its first sentences, or with those that are not in another file."""
    if not few and other is None:
        return path
    seen = set() if other is None else set(map(_words, _text(other).split("\n\n")))
    whole = [sentence for sentence in _text(path).split("\n\n") if _words(sentence) not in seen]
    found = folder / "some.conllu"
    found.write_text("\n\n".join(whole[: few or None]) + "\n\n", encoding="utf-8")
    return str(found)


def _words(sentence: str) -> tuple[str, ...]:
    return tuple(line.split("\t")[1] for line in sentence.split("\n") if "\t" in line)


def _text(path: str) -> str:
    with datasets.opened(Path(path)) as file:
        return file.read().decode()


def udpipe_parses(paths: dict[str, str], few: int, iterations: int) -> Run:
    from errors import MissingError

    try:
        from ufal import udpipe
    except ImportError:
        raise MissingError("ufal.udpipe is not installed") from None
    from linnet.tasks.parse.measures import evaluate_trees

    train, test = (_sentences(udpipe, paths[part], few if part == "train" else 0) for part in ("train", PART))
    fault = udpipe.ProcessingError()
    with section() as used:
        method = f"iterations={iterations}"
        made = udpipe.Trainer.train("morphodita_parsito", train, udpipe.Sentences(), "none", "none", method, fault)
    with tempfile.NamedTemporaryFile() as file:
        file.write(made)
        file.flush()
        model = udpipe.Model.load(file.name)
    gold, found, starts = [], [], [0]
    cpu = 0.0
    for sentence in test:
        gold += [(word.head, word.deprel) for word in list(sentence.words)[1:]]
        (sentence.unlinkAllNodes if hasattr(sentence, "unlinkAllNodes") else sentence.unlinkAllWords)()
        began = time.process_time()
        model.parse(sentence, udpipe.Model.DEFAULT)
        cpu += time.process_time() - began
        found += [(word.head, word.deprel) for word in list(sentence.words)[1:]]
        starts.append(len(gold))
    (heads, relations), (heads_hat, relations_hat) = zip(*gold, strict=True), zip(*found, strict=True)
    report = evaluate_trees(heads, relations, heads_hat, relations_hat, starts)
    return used | {
        "uas": 100 * report.uas,
        "las": 100 * report.las,
        "clas": 100 * report.clas,
        "epoch": used["cpu"] / iterations,
        "speed": len(gold) / cpu,
        "model_mb": len(made) / 1e6,
    }


def _sentences(udpipe: Any, path: str, few: int) -> Any:
    reader = udpipe.InputFormat.newConlluInputFormat()
    reader.setText(_text(path))
    found, fault = udpipe.Sentences(), udpipe.ProcessingError()
    while not few or len(found) < few:
        sentence = udpipe.Sentence()
        if not reader.nextSentence(sentence, fault):
            break
        found.append(sentence)
    return found


if __name__ == "__main__":
    from run import main

    main(["parsing"])
