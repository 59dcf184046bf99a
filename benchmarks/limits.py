"""Inputs far beyond the usual: the time and the memory that commands take, and how soon Ctrl-C ends them.

A row is a command over one input: it is run to its end, and once more with Ctrl-C (SIGINT) sent in the middle. Where an input
is refused, the sentence is shown. The last column has the CPU seconds between Ctrl-C and the end of the process.
"""

from __future__ import annotations

import gzip
import os
import random
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from measure import MAXRSS_PER_MB, ONE_THREAD, say
from report import Table

WORDS = "the dog saw a cat near its old house and they ran home very fast today".split()
TAGS = dict(zip(WORDS, "DT NN VB DT NN IN PR JJ NN CC PR VB RB RB RB NN".split(), strict=True))
QUICK = 20
LONGEST = 600.0
"""The seconds of the clock after which a command is given up."""


@dataclass(frozen=True)
class Case:
    """An input that is far too large, the command that reads it, and the model that it needs."""

    name: str
    arguments: list[str]
    make: Callable[[Path, int], None]
    """Writes the input into a folder, so many times smaller."""
    needs: str = ""


def _text(n: int, seed: int = 0) -> str:
    return " ".join(random.Random(seed).choices(WORDS, k=n))


def _conll(path: Path, n: int, sentences: int = 1, seed: int = 0) -> None:
    path.write_text(
        "\n".join("".join(f"{w}\t{TAGS[w]}\n" for w in _text(n, seed + i).split()) for i in range(sentences))
    )


def _conllu(path: Path, n: int, sentences: int = 1, seed: int = 0) -> None:
    def rows(i: int) -> str:
        words = _text(n, seed + i).split()
        return "".join(f"{k}\t{w}\t_\t{TAGS[w]}\t_\t_\t{k - 1}\tdep\t_\t_\n" for k, w in enumerate(words, 1))

    path.write_text("\n".join(map(rows, range(sentences))) + "\n")


def _trees(path: Path, n: int, sentences: int = 1) -> None:
    def tree(i: int) -> str:
        words = [f"({TAGS[w]} {w})" for w in _text(n, i).split()]
        return f"(S (NP {' '.join(words[: n // 2])}) (VP {' '.join(words[n // 2 :])}))"

    path.write_text("\n".join(map(tree, range(sentences))))


def _reviews(path: Path, n: int = 200) -> None:
    rows = (f"{_text(8, i)} {'fine' if i % 2 else 'poor'},{'pos' if i % 2 else 'neg'}\n" for i in range(n))
    path.write_text("text,label\n" + "".join(rows))


def _lines(path: Path, n: int) -> None:
    path.write_text("\n".join(_text(n).split()))


def _columns(path: Path, n: int) -> None:
    head = ",".join(["text", "label", *(f"c{i}" for i in range(n))])
    row = ",".join(["a fine film", "pos", *["1"] * n])
    path.write_text(f"{head}\n{row}\n{row.replace('pos', 'neg')}\n")


def _labels(path: Path, n: int) -> None:
    path.write_text("text,label\n" + "".join(f"{_text(4, i)} w{i},l{i}\n" for i in range(n)))


def _bomb(path: Path, n: int) -> None:
    with gzip.open(path, "wb", 9) as file:
        file.write(b"text,label\n")
        for _ in range(n):
            file.write(b"a,b\n" * 250_000)


MODELS: dict[str, tuple[Callable[[Path], None], list[str]]] = {
    "reviews": (lambda f: _reviews(f / "reviews.csv"), ["reviews.csv"]),
    "tagger": (lambda f: _conll(f / "tags.conll", 12, 100), ["tags.conll", "--task", "tag"]),
    "trees": (lambda f: _conllu(f / "trees.conllu", 12, 60), ["trees.conllu", "--task", "parse", "--epochs", "2"]),
    "brackets": (lambda f: _trees(f / "trees.mrg", 12, 60), ["trees.mrg", "--epochs", "2"]),
}
"""The models that commands need: what writes their data, and the arguments of `linnet train`."""
_FIRST_ORDER = ["--task", "parse", "--set", "order=1", "--set", "tags=given", "--set", "prune=0", "--force"]
CASES = [
    Case(
        "tag a sentence of 20,000 tokens",
        ["predict", "tagger", "long.conll", "-o", "out"],
        lambda f, k: _conll(f / "long.conll", 20_000 // k),
        "tagger",
    ),
    Case(
        "tag a sentence of 1,000,000 tokens",
        ["predict", "tagger", "longer.conll", "-o", "out"],
        lambda f, k: _conll(f / "longer.conll", 1_000_000 // k),
        "tagger",
    ),
    Case(
        "parse a sentence of 1,000 tokens",
        ["predict", "trees", "long.conllu", "-o", "out"],
        lambda f, k: _conllu(f / "long.conllu", 1000 // k),
        "trees",
    ),
    Case(
        "parse a sentence of 20,000 tokens",
        ["predict", "trees", "longer.conllu", "-o", "out"],
        lambda f, k: _conllu(f / "longer.conllu", 20_000 // k),
        "trees",
    ),
    Case(
        "learn a tree of 950 tokens, first order",
        ["train", "tree950.conllu", "-o", "out", *_FIRST_ORDER, "--epochs", "3"],
        lambda f, k: _conllu(f / "tree950.conllu", 950 // k),
    ),
    Case(
        "learn a tree of 400 tokens, second order",
        ["train", "tree400.conllu", "-o", "out", "--task", "parse", "--set", "tags=given", "--epochs", "2", "--force"],
        lambda f, k: _conllu(f / "tree400.conllu", 400 // k),
    ),
    Case(
        "learn a tree of 1,499 tokens",
        ["train", "tree1499.conllu", "-o", "out", *_FIRST_ORDER],
        lambda f, k: _conllu(f / "tree1499.conllu", 1499 // k),
    ),
    Case(
        "learn tags of 1,000,000 tokens",
        ["train", "tags1m.conll", "-o", "out", "--task", "tag", "--epochs", "2", "--force"],
        lambda f, k: _conll(f / "tags1m.conll", 1_000_000 // k),
    ),
    Case(
        "explain a tree of 400 tokens in 2 seconds",
        ["explain", "trees", "tree400.conllu", "--json", "--seconds", "2"],
        lambda f, k: _conllu(f / "tree400.conllu", 400 // k),
        "trees",
    ),
    Case(
        "bracket a sentence of 400 tokens",
        ["predict", "brackets", "long.mrg", "-o", "out"],
        lambda f, k: _trees(f / "long.mrg", 400 // k),
        "brackets",
    ),
    Case(
        "bracket a sentence of 1,000 tokens",
        ["predict", "brackets", "longer.mrg", "-o", "out"],
        lambda f, k: _trees(f / "longer.mrg", 1000 // k),
        "brackets",
    ),
    Case(
        "predict a text of 50 MB",
        ["predict", "reviews", "book.txt", "-o", "out.csv"],
        lambda f, k: (f / "book.txt").write_text(_text(12_000_000 // k)) and None,
        "reviews",
    ),
    Case(
        "explain a text of 5 MB",
        ["explain", "reviews", "book5.txt", "--json"],
        lambda f, k: (f / "book5.txt").write_text(_text(1_250_000 // k)) and None,
        "reviews",
    ),
    Case(
        "explain a text of 50 MB",
        ["explain", "reviews", "book50.txt", "--html", "out.html"],
        lambda f, k: (f / "book50.txt").write_text(_text(12_500_000 // k)) and None,
        "reviews",
    ),
    Case(
        "learn from a text of 50 MB",
        ["train", "books.jsonl", "-o", "out"],
        lambda f, k: (
            (f / "books.jsonl").write_text(
                f'{{"text": "{_text(12_000_000 // k)}", "label": "a"}}\n{{"text": "x", "label": "b"}}\n' * 2
            )
            and None
        ),
    ),
    Case(
        "learn a table of 100,000 columns",
        ["train", "wide.csv", "-o", "out"],
        lambda f, k: _columns(f / "wide.csv", 100_000 // k),
    ),
    Case(
        "learn 1,000,000 labels",
        ["train", "labels.csv", "-o", "out", "--epochs", "1", "--force"],
        lambda f, k: _labels(f / "labels.csv", 1_000_000 // k),
    ),
    Case(
        "learn from 1 GB in a .gz of 3 MB",
        ["train", "bomb.csv.gz", "-o", "out"],
        lambda f, k: _bomb(f / "bomb.csv.gz", 1000 // k),
    ),
]


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    wall: float
    cpu: float
    peak_mb: float
    said: str


def _cpu_of(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _ended(folder: Path, arguments: list[str], interrupted_at: float = float("inf")) -> tuple[Ended, float]:
    """Run a command; send SIGINT when it has used so many CPU seconds. Return how it ended, and what it used from then on."""
    from peers import linnet_command

    for left in ("out", "out.csv", "out.html"):
        (folder / left).unlink(missing_ok=True)
    with tempfile.TemporaryFile() as errors:
        begun, at, used = time.perf_counter(), 0.0, 0.0
        process = subprocess.Popen(
            [linnet_command(), *arguments], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors,
            env=os.environ | ONE_THREAD,
        )  # fmt: skip
        while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
            used = _cpu_of(process.pid)
            if used >= interrupted_at and not at:
                at = used
                process.send_signal(signal.SIGINT)
            if time.perf_counter() - begun > LONGEST:
                process.kill()
            time.sleep(0.01)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        lines = [line for line in errors.read().decode(errors="replace").splitlines() if line.startswith("linnet:")]
    cpu = usage.ru_utime + usage.ru_stime
    said = lines[-1] if lines and process.returncode == 1 else ""
    ended = Ended(process.returncode, time.perf_counter() - begun, cpu, usage.ru_maxrss / MAXRSS_PER_MB, said)
    return ended, cpu - at if at else float("nan")


def run(quick: bool = False, rounds: int = 1) -> list[Table]:
    smaller = QUICK if quick else 1
    signal.signal(signal.SIGINT, signal.default_int_handler)  # Commands of a job in the background would ignore it.
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for model, (make, arguments) in MODELS.items():
            make(folder)
            found, _ = _ended(folder, ["train", *arguments, "-o", model])
            assert found.code == 0, (model, found.said)
        rows = [_row(folder, case, smaller) for case in CASES]
    headings = ["", "CPU s", "peak MB", "ended with", "Ctrl-C: exit code", "CPU s until the end"]
    return [Table("limits: inputs far beyond the usual, and Ctrl-C in the middle", headings, rows)]


def _row(folder: Path, case: Case, smaller: int) -> list[str]:
    say(f"  {case.name}")
    case.make(folder, smaller)
    whole, _ = _ended(folder, case.arguments)
    stopped, heard = _ended(folder, case.arguments, max(0.3, whole.cpu / 2))
    how = whole.said or ("killed after 10 minutes" if whole.code < 0 else str(whole.code))
    row = [case.name, f"{whole.cpu:.1f}", f"{whole.peak_mb:.0f}", how, str(stopped.code), f"{heard:.2f}"]
    say(f"    {row[1:]}")
    return row


if __name__ == "__main__":
    from run import main

    main(["limits"])
