"""Fuzzing of the model loader: forged models of every kind are loaded and asked, each in a process of its own kind.

    python fuzz/models.py [--seconds 60] [--inputs N] [--kind "tag crf"] [--workers 2] [--save FOLDER]
    python fuzz/models.py --again "tag crf" 1234        one input once more, in this process, with its traceback

An input is a kind of model and a number. Whatever it holds, the answer must be a sentence (LinnetError), or a model that
answers: no crash, no other exception, nothing longer than 10 s, and no more memory than LIMIT beside that of a good model.
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
import warnings
from collections import Counter
from pathlib import Path
from random import Random
from typing import IO

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
LONGEST = 10.0
"""The most seconds that one input may take."""
LIMIT = 1 << 30
"""The most bytes of memory that one forged model, whose file has less than a megabyte, may need."""
GOOD = ("refused", "answered", "sentence")


def save_seeds(folder: Path, kinds: list[str]) -> None:
    """Train the good models, unless they are there already."""
    from seeds import SEEDS

    for kind in kinds:
        target = folder / f"{kind}.linnet"
        if target.exists():
            continue
        with tempfile.TemporaryDirectory() as work:
            model = SEEDS[kind].train(Path(work))
            if isinstance(model, Path):
                model.rename(target)
            else:
                model.save(target)


def outcome(folder: Path, kind: str, number: int, target: Path) -> str:
    """What becomes of one input: `refused` when it is loaded, `answered`, or some answers are a `sentence`."""
    from forge import forged
    from seeds import SEEDS, asked

    from linnet.errors import LinnetError

    target.write_bytes(forged(folder / f"{kind}.linnet", Random(f"{kind} {number}")))
    seed = SEEDS[kind]
    try:
        model = seed.opened(target)
    except LinnetError:
        return "refused"
    return "sentence" if "ModelError" in set(asked(seed, model)) else "answered"


def work(folder: Path) -> None:
    """Answer the lines of standard input, each a JSON list of kind and number, with a line that says what came out."""
    import traceback

    import linnet.training.checkpoint

    linnet.training.checkpoint._CHECKPOINT_SECONDS = 1e9
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as own:
        limited = False
        for line in sys.stdin:
            kind, number = json.loads(line)
            try:
                found = outcome(folder, kind, number, Path(own) / "forged.linnet")
            except MemoryError:
                found = "memory"
            except Exception as error:
                frame = next(
                    (f for f in traceback.extract_tb(error.__traceback__)[::-1] if "/linnet/" in f.filename), None
                )
                where = "" if frame is None else f" {frame.filename.rpartition('/linnet/')[2]}:{frame.lineno}"
                found = f"raw {type(error).__name__}{where}"
            print(json.dumps(found), flush=True)
            if not limited:
                size = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
                resource.setrlimit(resource.RLIMIT_AS, (size + LIMIT, size + LIMIT))
                limited = True


class Worker:
    """A process that tries one input at a time, and is replaced where it crashes or hangs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.given: tuple[str, int] | None = None
        self._start()

    def _start(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--work", str(self.folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        self.began = time.monotonic()

    def give(self, kind: str, number: int) -> None:
        assert self.process.stdin is not None
        self.given = (kind, number)
        self.began = time.monotonic()
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

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


def fuzz(
    folder: Path, kinds: list[str], seconds: float, inputs: float, workers: int, first: int = 0
) -> dict[str, Counter[str]]:
    """Try inputs of all kinds in turn until the time or the number is reached; count what came out of each kind."""
    pool = [Worker(folder) for _ in range(workers)]
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
            elif time.monotonic() - worker.began > LONGEST + 20 * (sum(map(Counter.total, counts.values())) < workers):
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
    for worker in pool:
        worker.stop()
    return counts


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--inputs", type=float, default=float("inf"))
    parser.add_argument("--first", type=int, default=0, help="the number of the first input of each kind")
    parser.add_argument("--kind", action="append", help="only this kind of model; may be given several times")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--save", type=Path, help="a folder for the good models, which are trained where they are missing"
    )
    parser.add_argument("--again", nargs=2, metavar=("KIND", "NUMBER"))
    parser.add_argument("--work", type=Path, help=argparse.SUPPRESS)
    how = parser.parse_args()
    if how.work:
        work(how.work)
        return 0
    warnings.simplefilter("ignore")
    from seeds import SEEDS

    with tempfile.TemporaryDirectory() as own:
        folder = how.save or Path(own)
        folder.mkdir(exist_ok=True)
        if how.again:
            save_seeds(folder, [how.again[0]])
            print(outcome(folder, how.again[0], int(how.again[1]), folder / "forged.linnet"))
            return 0
        kinds = how.kind or list(SEEDS)
        save_seeds(folder, kinds)
        counts = fuzz(folder, kinds, how.seconds, how.inputs, how.workers, how.first)
    total: Counter[str] = sum(counts.values(), Counter())
    for kind, found in [*counts.items(), ("all", total)]:
        print(f"{kind:28} {found.total():8}  " + "  ".join(f"{name} {n}" for name, n in sorted(found.items())))
    return int(any(name not in GOOD for name in total))


if __name__ == "__main__":
    sys.exit(main())
