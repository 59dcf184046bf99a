"""Measure programs side by side: spawn, take turns, summarise.

Every measurement runs in a fresh process. Its wall time is read here; its CPU time (user + system, children included)
and its peak memory come from the kernel when the process ends (`os.wait4`). Contestants take turns (A B C A B C ...),
so that a busy machine slows all of them alike, and ratios are taken within a round before their median is. Before each
turn memory is touched and freed: a virtual machine often gets its memory from the host at the first touch, at seconds per
gigabyte, and who comes first should not pay for all.

A process can never report a smaller peak than that of the process which spawned it, so this module, and everything
that runs in the parent, imports nothing large and reads no data.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import json
import math
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from errors import FailedError, MissingError

Run = dict[str, float]

WORKER = Path(__file__).with_name("worker.py")
MAXRSS_PER_MB = 1e6 if sys.platform == "darwin" else 1e6 / 1024
TOUCHED_MB = 1500
TOUCH = """
import mmap, sys
n = int(sys.argv[1]) << 20
m = mmap.mmap(-1, n)
hasattr(mmap, "MADV_HUGEPAGE") and m.madvise(mmap.MADV_HUGEPAGE)
for i in range(0, n, 4096):
    m[i] = 1
"""
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


@dataclass(frozen=True)
class Usage:
    """The time and memory that one process took, or several one after the other."""

    wall: float
    cpu: float
    peak_mb: float

    def __add__(self, other: Usage) -> Usage:
        return Usage(self.wall + other.wall, self.cpu + other.cpu, max(self.peak_mb, other.peak_mb))

    def as_run(self) -> Run:
        return {"wall": self.wall, "cpu": self.cpu, "peak_mb": self.peak_mb}


def spawn(argv: Sequence[str | Path]) -> Usage:
    """Run a command to its end and return what it took. Raise FailedError with its last line of stderr if it went wrong."""
    with tempfile.TemporaryFile() as errors:
        started = time.perf_counter()
        process = subprocess.Popen(
            [str(word) for word in argv],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            env=os.environ | ONE_THREAD,
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            errors.seek(0)
            lines = errors.read().decode(errors="replace").split("\n")
            last = next((line.strip() for line in reversed(lines) if line.strip()), "nothing on stderr")
            raise FailedError(f"{Path(argv[0]).name} ended with {process.returncode}: {last}")
    return Usage(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / MAXRSS_PER_MB)


def job(target: str, **arguments: object) -> Run:
    """Run `module:function` of this folder in a fresh process.

    The run holds what the process took, and over it what the function returned: a job that times a part of its work
    with `section` reports that part.
    """
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "answer.json"
        usage = spawn([sys.executable, WORKER, target, json.dumps(arguments), answer])
        result = json.loads(answer.read_text(encoding="utf-8"))
    if "missing" in result:
        raise MissingError(result["missing"])
    return usage.as_run() | result


def turns(names: Sequence[str], rounds: int) -> Iterator[tuple[int, str]]:
    """Yield the names in turns, A B C, A B C, ..., so that each runs once before any runs twice."""
    return ((turn, name) for turn in range(rounds) for name in names)


@dataclass
class Contest:
    """All runs of all contestants; a contestant that is missing or failed has none."""

    runs: dict[str, list[Run]]
    missing: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)

    def median(self, name: str, key: str) -> float:
        return statistics.median(run[key] for run in self.runs[name])

    def ratio(self, ours: str, theirs: str, key: str) -> float:
        """The median over rounds of ours/theirs; both halves of each ratio were measured one after the other."""
        pairs = zip(self.runs[ours], self.runs[theirs], strict=True)
        return statistics.median(a[key] / b[key] if b[key] else math.inf for a, b in pairs)


def compete(contestants: Mapping[str, Callable[[], Run]], rounds: int) -> Contest:
    """Let the contestants take turns for a number of rounds."""
    contest = Contest({name: [] for name in contestants})
    for turn, name in turns(list(contestants), rounds):
        if name not in contest.runs:
            continue
        say(f"  round {turn + 1} of {rounds}: {name}")
        if rounds > 1:
            touch_memory()
        try:
            contest.runs[name].append(contestants[name]())
        except MissingError as reason:
            del contest.runs[name]
            contest.missing[name] = str(reason)
            say(f"  {name} is left out: {reason}.")
        except FailedError as reason:
            del contest.runs[name]
            contest.failed[name] = str(reason)
            say(f"  {name} is left out: {reason}")
    return contest


def touch_memory() -> None:
    """Touch memory and give it back, so that the machine has it ready for the next process."""
    pages, size = os.sysconf("SC_AVPHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    subprocess.run([sys.executable, "-S", "-c", TOUCH, str(min(TOUCHED_MB, pages * size >> 22))], check=True)


def exponent(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """The exponent b of cost = a * size^b, by least squares on the logarithms."""
    x = [math.log(size) for size in sizes]
    y = [math.log(cost) for cost in costs]
    x_mean, y_mean = statistics.fmean(x), statistics.fmean(y)
    covariance = sum((a - x_mean) * (b - y_mean) for a, b in zip(x, y, strict=True))
    return covariance / sum((a - x_mean) ** 2 for a in x)


def say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


# What follows is called within a job, to measure a part of it.


def cpu_seconds() -> float:
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


@contextlib.contextmanager
def section() -> Iterator[Run]:
    """Time the block; fill wall, cpu, rss_mb (before), peak_mb (within the block) and above_mb (the difference)."""
    run: Run = {}
    rss = _settle()
    wall, cpu = time.perf_counter(), cpu_seconds()
    yield run
    run["cpu"] = cpu_seconds() - cpu
    run["wall"] = time.perf_counter() - wall
    run["rss_mb"], run["peak_mb"] = rss, _peak_mb()
    run["above_mb"] = run["peak_mb"] - rss


def _settle() -> float:
    """Give freed memory back, forget the peak so far, and return the resident memory in MB."""
    gc.collect()
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
    with contextlib.suppress(OSError):  # Linux only; elsewhere the peak is that of the whole process so far
        Path("/proc/self/clear_refs").write_text("5")
    return _status_mb("VmRSS") or _peak_mb()


def _peak_mb() -> float:
    return _status_mb("VmHWM") or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MAXRSS_PER_MB


def _status_mb(key: str) -> float | None:
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 / 1e6 for line in status.splitlines() if line.startswith(key)), None)
