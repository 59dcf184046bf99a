"""What all targets share: processes that try inputs one by one, and are replaced where they crash or hang.

A target is a file with a `Target`: the names of its kinds of inputs; `prepare(folder, kinds)`, which makes what inputs are made
of; and `outcome(folder, kind, number, file)`, which makes an input in a file, tries it, and says what came out: `refused`,
`answered` or `sentence`. An input is a kind and a number, so that each can be tried again.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import select
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

LONGEST = 10.0
"""The most seconds of a processor that one input may take; of the clock, PATIENCE times as many."""
PATIENCE = 12
LIMIT = 1 << 30
"""The most bytes of memory that one input, whose file has less than a megabyte, may need."""
GOOD = ("refused", "answered", "sentence")


@dataclass(frozen=True)
class Target:
    """A file of this folder that tries inputs."""

    file: str
    kinds: Sequence[str]
    prepare: Callable[[Path, list[str]], None]
    outcome: Callable[[Path, str, int, Path], str]


def tried(target: Target, folder: Path, kind: str, number: int, file: Path) -> str:
    """What became of an input: as the target says, or `memory`, or `raw` with the error that is none of linnet's."""
    try:
        return target.outcome(folder, kind, number, file)
    except MemoryError:
        return "memory"
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)[::-1]
        frame = next((frame for frame in frames if "/linnet/" in frame.filename), None)
        where = "" if frame is None else f" {frame.filename.rpartition('/linnet/')[2]}:{frame.lineno}"
        return f"raw {type(error).__name__}{where}"


def work(target: Target, folder: Path) -> None:
    """Answer the lines of standard input, each a JSON list of kind and number, with a line that says what came out."""
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as own:
        limited = False
        for line in sys.stdin:
            kind, number = json.loads(line)
            print(json.dumps(tried(target, folder, kind, number, Path(own) / "input")), flush=True)
            if not limited:
                size = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
                resource.setrlimit(resource.RLIMIT_AS, (size + LIMIT, size + LIMIT))
                limited = True


class Worker:
    """A process that tries one input at a time, and is replaced where it crashes or hangs."""

    def __init__(self, target: Target, folder: Path) -> None:
        self.target = target
        self.folder = folder
        self.given: tuple[str, int] | None = None
        self._start()

    def _start(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, self.target.file, "--work", str(self.folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        self.began, self.used, self.tried = time.monotonic(), 0.0, 0

    def give(self, kind: str, number: int) -> None:
        assert self.process.stdin is not None
        self.given = (kind, number)
        self.began, self.used = time.monotonic(), self._seconds()
        self.process.stdin.write(json.dumps(self.given) + "\n")
        self.process.stdin.flush()

    @property
    def out(self) -> IO[str]:
        assert self.process.stdout is not None
        return self.process.stdout

    def result(self) -> str:
        """What came out: a line, or how the process ended."""
        line = self.out.readline()
        if line:
            return str(json.loads(line))
        code = self.process.wait()
        self._start()
        return f"crash {signal.Signals(-code).name if code < 0 else code}"

    def _seconds(self) -> float:
        """The seconds of a processor that the process has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def hangs(self) -> bool:
        """Whether the input takes too long. The first one may take 20 seconds more, in which all is imported."""
        longest = LONGEST + 20 * (self.tried == 0)
        return self._seconds() - self.used > longest or time.monotonic() - self.began > PATIENCE * longest

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


def fuzz(
    target: Target, folder: Path, kinds: list[str], seconds: float, inputs: float, workers: int, first: int = 0
) -> dict[str, Counter[str]]:
    """Try inputs of all kinds in turn until the time or the number is reached; count what came out of each kind."""
    pool = [Worker(target, folder) for _ in range(workers)]
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in kinds}
    ends, tried = time.monotonic() + seconds, 0
    while True:
        more = time.monotonic() < ends and tried < inputs
        for worker in pool:
            if worker.given is None and more:
                worker.give(kinds[tried % len(kinds)], first + tried // len(kinds))
                tried += 1
        busy = [worker for worker in pool if worker.given is not None]
        if not busy:
            break
        ready = select.select([worker.out for worker in busy], [], [], 0.5)[0]
        for worker in busy:
            if worker.out in ready:
                found = worker.result()
            elif worker.hangs():
                worker.stop()
                worker._start()
                found = "hang"
            else:
                continue
            assert worker.given is not None
            kind, number = worker.given
            counts[kind][found if found in GOOD else found.split()[0]] += 1
            if found not in GOOD:
                print(f"{found}\t--again {kind!r} {number}", flush=True)
            worker.given = None
            worker.tried += 1
    for worker in pool:
        worker.stop()
    return counts


def main(target: Target, description: str) -> int:
    parser = argparse.ArgumentParser(description=description.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--inputs", type=float, default=float("inf"))
    parser.add_argument("--first", type=int, default=0, help="the number of the first input of each kind")
    parser.add_argument("--kind", action="append", help="only this kind of input; may be given several times")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--save", type=Path, help="a folder for what inputs are made of, which is made where it is missing"
    )
    parser.add_argument("--again", nargs=2, metavar=("KIND", "NUMBER"))
    parser.add_argument("--work", type=Path, help=argparse.SUPPRESS)
    how = parser.parse_args()
    if how.work:
        work(target, how.work)
        return 0
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as own:
        folder = how.save or Path(own)
        folder.mkdir(exist_ok=True)
        if how.again:
            target.prepare(folder, [how.again[0]])
            print(target.outcome(folder, how.again[0], int(how.again[1]), folder / "input"))
            return 0
        kinds = how.kind or list(target.kinds)
        target.prepare(folder, kinds)
        counts = fuzz(target, folder, kinds, how.seconds, how.inputs, how.workers, how.first)
    total: Counter[str] = sum(counts.values(), Counter())
    for kind, found in [*counts.items(), ("all", total)]:
        print(f"{kind:28} {found.total():8}  " + "  ".join(f"{name} {n}" for name, n in sorted(found.items())))
    return int(any(name not in GOOD for name in total))
