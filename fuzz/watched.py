"""A command of linnet in a process that tells how far it is, so that fuzz/kills.py can interrupt it in any phase.

    python fuzz/watched.py EVENTS SENT COMMAND ...      EVENTS: a file descriptor; SENT: "learning:12:9", or "" for nothing

The profiler of Python sees every call. An event is the begin or the end of a function that is a phase of a command, or of a
call that changes files; each is written to EVENTS as a line `PHASE NUMBER WHAT`, numbered in its phase. At the events that SENT
names, the process sends itself a signal. State is kept after every piece of learning, so that there is much to interrupt;
nothing else is changed.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from io import BufferedIOBase
from types import BuiltinFunctionType, CodeType, FrameType
from typing import Any

SAME = ""
"""The phase of what is a part of several phases: that in which it is called."""
PHASES = {
    "cli/outputs.py:check_outputs": "checking-outputs",
    "fitting/reading.py:read_gold": "reading",
    "fitting/fitting.py:prepare": "counting",
    "features/rows_file.py:RowsFile._written": "rows-on-disk",
    "io/texts/on_disk.py:*": "rows-on-disk",
    "learners/learning.py:Learning._pieces": SAME,
    "training/auto.py:search": "auto",
    "tasks/sentences/own_tags.py:own_tags": "taggers",
    "training/job.py:run": "learning",
    "training/checkpoint.py:Checkpoints._write": "state",
    "training/checkpoint.py:Checkpoints.resumed": "going-on",
    "training/support.py:KeptSupport.finish": "support",
    "training/thresholds.py:Thresholds.finish": "thresholds",
    "training/reranking.py:Reranking.finish": "reranking",
    "training/calibration.py:Calibration.finish": "calibration",
    "training/estimate.py:Estimate.finish": "estimate",
    "training/stream.py:Stream.__next__": "stream",
    "cluster/spreading.py:spreading": "cluster",
    "cli/train.py:_written": "writing",
    "training/stream.py:Stream.save": "writing",
    "cli/into_folder.py:claim": "claiming",
    "cli/predict.py:_predict": "answering",
    "comparison/work.py:Work.run": "comparing",
    "cli/compare.py:_say": "writing",
    "cli/compact.py:run": "compacting",
}
"""The phases of commands, by the functions that they are: the file, and the name in it, or * for all in the file."""
CHANGES = {
    "open", "fsync", "replace", "unlink", "remove", "mkdir", "chmod", "pwrite", "write", "flush", "close", "link", "flock",
}  # fmt: skip
"""The calls into C that change files, by name."""


class Watch:
    """Counts the events, tells them, and sends the signals that are asked for."""

    def __init__(self, events: int, sent: str) -> None:
        moments = [one.split(":") for one in sent.split()]
        self.at = {(phase, int(number)): int(signal) for phase, number, signal in moments}
        self.events = events
        self.n: Counter[str] = Counter()
        self.stack = ["starting"]
        self.phase_of: dict[CodeType, str | None] = {}

    def __call__(self, frame: FrameType, event: str, arg: Any) -> None:
        if event == "call" or event == "return":
            self._python(frame.f_code, event == "call")
        elif isinstance(arg, BuiltinFunctionType) and arg.__name__ in CHANGES and _is_of_files(arg):
            self.tell(f"{'before' if event == 'c_call' else 'after'} {arg.__name__}")

    def _python(self, code: CodeType, begins: bool) -> None:
        try:
            phase = self.phase_of[code]
        except KeyError:
            phase = self.phase_of[code] = _phase(code)
        if phase is None:
            return
        if begins:
            self.stack.append(phase or self.stack[-1])
            self.tell("begin")
        else:
            self.tell("end")
            if len(self.stack) > 1:  # A generator that is thrown away ends without having been called again.
                self.stack.pop()

    def tell(self, what: str) -> None:
        phase = self.stack[-1]
        self.n[phase] += 1
        os.write(self.events, f"{phase} {self.n[phase]} {what}\n".encode())
        if (phase, self.n[phase]) in self.at:
            os.kill(os.getpid(), self.at[phase, self.n[phase]])


def _phase(code: CodeType) -> str | None:
    before, _, file = code.co_filename.rpartition("/linnet/")
    if not before or code.co_name == "<module>":
        return None
    return PHASES.get(f"{file}:{code.co_qualname}", PHASES.get(f"{file}:*"))


def _is_of_files(function: BuiltinFunctionType) -> bool:
    """Whether a call into C is one of the system, or of a file with a name that is open for writing."""
    of = function.__self__
    if getattr(of, "__name__", "") in ("posix", "fcntl"):
        return True
    return isinstance(of, BufferedIOBase) and "r" not in getattr(of, "mode", "r").replace("rb+", "")


def watched(events: int, sent: str, command: list[str]) -> None:
    """Run a command in this process, to the exit of it."""
    os.set_inheritable(events, False)
    watch = Watch(events, sent)
    watch.tell("begin")
    import linnet.training.checkpoint as checkpoint
    from linnet.cli.main import main as linnet

    checkpoint._CHECKPOINT_SECONDS = checkpoint._WORTH_KEEPING = 0.0
    checkpoint._SHARE_OF_WRITING = float("inf")
    sys.setprofile(watch)
    try:
        linnet(command)
    finally:
        sys.setprofile(None)


if __name__ == "__main__":
    watched(int(sys.argv[1]), sys.argv[2], sys.argv[3:])
