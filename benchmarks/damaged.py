"""Damaged model files of linnet, CRFsuite and fastText: how many are refused, accepted in silence, crash or hang.

A small model of each is saved, and a thousand copies are damaged: cut, or with some of their bytes changed, removed or doubled.
Each is loaded and asked in a process of its own, which is given ten seconds and two gigabytes. All programs get the same kinds
of damage. This says nothing of forged files, whose checksums are right: for those of linnet see fuzz/models.py.
"""

from __future__ import annotations

import os
import random
import resource
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from errors import FailedError, MissingError
from measure import job, say
from report import Table

FILES = 1000
QUICK = 50
SECONDS = 10
MEMORY = 2 << 30
TEXTS = ["a good film", "a fine day", "a bad film", "a poor day"] * 5
LABELS = ["pos", "pos", "neg", "neg"] * 5
WORDS, TAGS = [["the", "dog", "barks"], ["it", "barks", "well"]] * 4, [["DT", "NN", "VB"], ["PR", "VB", "RB"]] * 4
SAME, OTHER, REFUSED, MEMORY_ERROR = 0, 10, 11, 12
OUTCOMES = {
    SAME: "accepted, the same answers",
    OTHER: "accepted, other answers",
    REFUSED: "refused",
    MEMORY_ERROR: "out of memory",
    -signal.SIGALRM: "longer than 10 s",
}
COLUMNS = [*OUTCOMES.values(), "crashed"]

Answers = Callable[[Path], Any]


def linnet_labels(path: Path) -> Answers:
    import linnet

    linnet.train(TEXTS, LABELS, features="words:1", learner="logistic").save(path)
    return lambda file: linnet.load(file).answers(TEXTS[:4], proba=True).to_pylist()


def linnet_tags(path: Path) -> Answers:
    import linnet

    linnet.train(WORDS, TAGS, task="tag", learner="crf").save(path)
    return lambda file: linnet.load(file).predict(WORDS[:2])


def crfsuite(path: Path) -> Answers:
    import pycrfsuite

    trainer = pycrfsuite.Trainer(verbose=False)
    for words, tags in zip(WORDS, TAGS, strict=True):
        trainer.append([[f"w={word}"] for word in words], tags)
    trainer.train(str(path))

    def answers(file: Path) -> Any:
        tagger = pycrfsuite.Tagger()
        tagger.open(str(file))
        return [tagger.tag([[f"w={word}"] for word in words]) for words in WORDS[:2]]

    return answers


def fasttext(path: Path) -> Answers:
    import fasttext

    lines = path.with_suffix(".txt")
    lines.write_text("".join(f"__label__{label} {text}\n" for text, label in zip(TEXTS, LABELS, strict=True)))
    _train_fasttext(lines).save_model(str(path))

    def answers(file: Path) -> Any:
        # What the Python class adds is left out: it asks for a form of arrays that newer versions of numpy refuse.
        return [fasttext.load_model(str(file)).f.predict(text + "\n", 2, 0.0, "strict") for text in TEXTS[:4]]

    return answers


def _train_fasttext(lines: Path) -> Any:
    """A model of fastText, at the first attempt that succeeds: with few lines it looks at a loss before there is one, and ends
    with "Encountered NaN" whenever that memory happens to hold no number."""
    import fasttext

    for _ in range(1000):
        with suppress(RuntimeError):
            return fasttext.train_supervised(str(lines), dim=10, bucket=50, thread=1, verbose=0)
    raise FailedError("fastText has not learned in 1,000 attempts")


PROGRAMS = {
    "linnet, labels": linnet_labels,
    "linnet, tags": linnet_tags,
    "CRFsuite (python-crfsuite)": crfsuite,
    "fastText": fasttext,
}


def damaged(data: bytes, number: int) -> bytes:
    """The data with damage of the kind and at the place that follow from a number."""
    r = random.Random(number)
    at, n = r.randrange(len(data)), r.choice([1, 2, 4, 8, 16])
    changes = [
        lambda: data[:at],
        lambda: data[:at] + bytes([data[at] ^ (1 << r.randrange(8))]) + data[at + 1 :],
        lambda: data[:at] + r.randbytes(n) + data[at + n :],
        lambda: data[:at] + b"\xff" * n + data[at + n :],
        lambda: data[:at] + b"\0" * n + data[at + n :],
        lambda: data[:at] + data[at + n :],
        lambda: data[:at] + data[at : at + n] + data[at:],
    ]
    found = changes[number % len(changes)]()
    return found if found != data else data[:-1]


def tried(name: str, files: int) -> dict[str, int]:
    """How many damaged files of a program came to which end. This is a job: it runs in a process of its own."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        path, file = Path(folder, "model"), Path(folder, "damaged")
        answers = PROGRAMS[name](path)
        data, right = path.read_bytes(), answers(path)
        for number in range(files):
            file.write_bytes(damaged(data, number))
            counts[_ended(answers, file, right)] += 1
    return counts


def _ended(answers: Answers, file: Path, right: Any) -> str:
    """What becomes of one file, in a process that is forked for it."""
    child = os.fork()
    if not child:
        _quiet()
        code = REFUSED
        try:
            code = SAME if answers(file) == right else OTHER
        except MemoryError:
            code = MEMORY_ERROR
        except Exception:
            code = REFUSED
        finally:
            os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return OUTCOMES.get(code, "crashed")


def _quiet() -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.alarm(SECONDS)


def run(quick: bool = False, rounds: int = 1) -> list[Table]:
    rows, details = [], {}
    for name in PROGRAMS:
        try:
            found = job("damaged:tried", name=name, files=QUICK if quick else FILES)
        except (MissingError, FailedError) as reason:
            say(f"  {name} is left out: {reason}.")
            continue
        details[name] = found
        rows.append([name, *(str(int(found.get(column, 0))) for column in COLUMNS)])
    title = f"damaged: {QUICK if quick else FILES:,} damaged model files of each program"
    return [Table(title, ["", *COLUMNS], rows, details=details)]


if __name__ == "__main__":
    from run import main

    main([Path(sys.argv[0]).stem])
