"""What all targets share: processes that try thousands of inputs each, and are replaced where they crash or hang.

A target is a file with a `Target`: the names of its kinds of inputs; `prepare(folder, kinds)`, which makes what inputs are made
of; and `outcome(folder, kind, number, file)`, which makes an input in a file, tries it, and says what came out: `refused`,
`answered` or `sentence`. An input is a kind and a number, so that each can be tried again.
"""

from __future__ import annotations

import argparse
import json
import mmap
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
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

LONGEST = 10.0
"""The most seconds of a processor that one input may take; of the clock, PATIENCE times as many."""
PATIENCE = 12
LIMIT = 1 << 30
"""The most bytes of memory that one input, whose file has less than a megabyte, may need."""
RESERVED = 16
"""How many times as many addresses as LIMIT a process may have. Threads and allocators reserve addresses that they never use,
more with each input, so that addresses tell little of memory; this only ends what would take all of it."""
SLICE = 0.5
"""The most seconds of a processor for which a worker tries inputs of one kind before it goes on with another one."""
QUICK = "/dev/shm" if os.path.isdir("/dev/shm") else None
"""A folder in memory, where a system has one."""
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


class Board:
    """Memory that a worker shares with its parent: the number of the input that it tries, and how often each good outcome
    was seen. So whatever becomes of the worker, it is known which input it was at, and nothing that it counted is lost."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            path.write_bytes(bytes(8 * (1 + len(GOOD))))
        with open(path, "r+b") as file:
            self.cells = memoryview(mmap.mmap(file.fileno(), 0)).cast("q")

    @property
    def number(self) -> int:
        return self.cells[0]

    @number.setter
    def number(self, number: int) -> None:
        self.cells[0] = number

    def count(self, found: str) -> None:
        self.cells[1 + GOOD.index(found)] += 1

    def taken(self) -> Counter[str]:
        """What was counted since this was asked last."""
        counts = Counter({name: self.cells[1 + k] for k, name in enumerate(GOOD) if self.cells[1 + k]})
        for k in range(len(GOOD)):
            self.cells[1 + k] = 0
        return counts


def work(target: Target, folder: Path, board: Board) -> None:
    """Try inputs as the lines of standard input say, each a JSON list of a kind, the first number, the most inputs and
    the seconds of a processor after which the slice ends. Each fault is answered by a line with its number and its name, the
    end of a slice by an empty line."""
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory(dir=QUICK) as own:
        for line in sys.stdin:
            kind, first, most, seconds = json.loads(line)
            ends = time.process_time() + seconds
            before = _peak()
            for number in range(first, first + most):
                board.number = number
                found = tried(target, folder, kind, number, Path(own) / "input")
                if _peak() > before + LIMIT:
                    found, before = "memory", _peak()
                if found in GOOD:
                    board.count(found)
                else:
                    print(json.dumps([number, found]), flush=True)
                if number == first:  # by now everything is imported
                    _limit_addresses()
                    before = _peak()
                if time.process_time() > ends:
                    break
            print(flush=True)


def _peak() -> int:
    """The most bytes of memory that this process has had so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def _limit_addresses() -> None:
    """Let this process reserve no more than RESERVED times LIMIT bytes beside those that it has."""
    size = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (size + RESERVED * LIMIT, resource.RLIM_INFINITY))


class Worker:
    """A process that tries one slice of inputs after another, and is replaced where it crashes or hangs."""

    def __init__(self, target: Target, folder: Path, board: Path) -> None:
        self.command = [sys.executable, target.file, "--work", str(folder), str(board)]
        self.board = Board(board)
        self.kind: str | None = None
        self.process = self._started()

    def _started(self) -> subprocess.Popen[bytes]:
        self.fresh, self.told = True, b""
        return subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            env={**os.environ, "MALLOC_ARENA_MAX": "2"},  # so that threads do not reserve memory that is never used
            start_new_session=True,  # so that Ctrl-C reaches the parent alone
        )

    def give(self, kind: str, first: int, most: int, seconds: float) -> None:
        """Let the process try a slice of inputs."""
        assert self.process.stdin is not None
        self.kind, self.board.number = kind, first
        self._look()
        self.process.stdin.write(json.dumps([kind, first, most, seconds]).encode() + b"\n")

    @property
    def out(self) -> IO[bytes]:
        assert self.process.stdout is not None
        return self.process.stdout

    def _look(self) -> None:
        """Note which input the process is at, and when that was seen first."""
        self.at, self.looked, self.waited, self.used = self.board.number, time.monotonic(), 0.0, self._seconds()

    def faults(self) -> list[tuple[int, str]]:
        """The numbers and names of faults that the process tells of, its end among them. `kind` is None when a slice is
        done."""
        some = os.read(self.out.fileno(), 1 << 16)
        if not some:
            code = self.process.wait()
            return self._replaced(f"crash {signal.Signals(-code).name if code < 0 else code}")
        *lines, self.told = (self.told + some).split(b"\n")
        if b"" in lines:
            self.kind, self.fresh = None, False
        return [tuple(json.loads(line)) for line in lines if line]

    def hangs(self) -> list[tuple[int, str]]:
        """The input that takes too long. The first one may take 20 seconds more, in which all is imported."""
        if self.board.number != self.at:
            self._look()
        now, longest = time.monotonic(), LONGEST + 20 * self.fresh
        self.waited += min(now - self.looked, 1.0)  # more than a second passes where this process was stopped, too
        self.looked, used = now, self._seconds() - self.used
        late = used > longest or self.waited > PATIENCE * longest
        return self._replaced(f"hang of {used:.1f} s of a processor") if late else []

    def _replaced(self, found: str) -> list[tuple[int, str]]:
        self.stop()
        self.kind, self.process = None, self._started()
        return [(self.board.number, found)]

    def _seconds(self) -> float:
        """The seconds of a processor that the process has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


class Tally:
    """What came out of the inputs of each kind."""

    def __init__(self, kinds: list[str], first: int) -> None:
        self.counts: dict[str, Counter[str]] = {kind: Counter() for kind in kinds}
        self.next = dict.fromkeys(kinds, first)
        self.total = 0

    def add(self, kind: str, counts: Counter[str]) -> None:
        self.counts[kind] += counts
        self.total += counts.total()

    def show(self) -> None:
        everything: Counter[str] = sum(self.counts.values(), Counter())
        for kind, found in [*self.counts.items(), ("all", everything)]:
            print(f"{kind:28} {found.total():9}  " + "  ".join(f"{name} {n}" for name, n in sorted(found.items())))

    @property
    def good(self) -> bool:
        return all(name in GOOD for found in self.counts.values() for name in found)


def fuzz(
    target: Target, folder: Path, kinds: list[str], seconds: float, inputs: float, workers: int, first: int
) -> Tally:
    """Try inputs until the time or the number is reached, or a signal asks for the end. Each kind has a slice in turn, so
    that a kind whose inputs are quick has more of them."""
    ends, tally, waiting = time.monotonic() + seconds, Tally(kinds, first), deque(kinds)
    # However little is asked for, every kind has its turn.
    slice, share = min(SLICE, seconds * workers / len(kinds) / 4), max(1, int(min(inputs / len(kinds), 10**6)))
    stopped: list[int] = []
    for end in (signal.SIGINT, signal.SIGTERM):
        signal.signal(end, lambda number, frame: stopped.append(number))
    with tempfile.TemporaryDirectory(dir=QUICK) as own:
        pool = [Worker(target, folder, Path(own) / str(k)) for k in range(min(workers, len(kinds)))]
        while True:
            for worker in pool:
                if worker.kind is None and time.monotonic() < ends and tally.total < inputs and not stopped:
                    kind = waiting.popleft()
                    worker.give(kind, tally.next[kind], int(min(inputs - tally.total, share)), slice)
            busy = [worker for worker in pool if worker.kind is not None]
            if not busy:
                break
            ready = select.select([worker.out for worker in busy], [], [], 0.5)[0]
            for worker in busy:
                assert worker.kind is not None
                kind = worker.kind
                for number, found in worker.faults() if worker.out in ready else worker.hangs():
                    tally.add(kind, Counter({found.split()[0]: 1}))
                    print(f"{found}\t--again {kind!r} {number}", flush=True)
                if worker.kind is None:
                    tally.next[kind] = worker.board.number + 1
                    tally.add(kind, worker.board.taken())
                    waiting.append(kind)
        for worker in pool:
            worker.stop()
    return tally


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
    parser.add_argument("--work", nargs=2, type=Path, help=argparse.SUPPRESS)
    how = parser.parse_args()
    if how.work:
        work(target, how.work[0], Board(how.work[1]))
        return 0
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory(dir=QUICK) as own:
        folder = how.save or Path(own)
        folder.mkdir(exist_ok=True)
        if how.again:
            target.prepare(folder, [how.again[0]])
            print(target.outcome(folder, how.again[0], int(how.again[1]), folder / "input"))
            return 0
        kinds = how.kind or list(target.kinds)
        target.prepare(folder, kinds)
        tally = fuzz(target, folder, kinds, how.seconds, how.inputs, how.workers, how.first)
    tally.show()
    return int(not tally.good)
