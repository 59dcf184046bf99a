"""Interruptions of commands at random moments: whatever happens, nothing is lost, and going on gives the same bits.

    python fuzz/kills.py [--kills 1000] [--seconds 60] [--seed 0] [--scene "tag crf"] [--fault kill] [--fast]
    python fuzz/kills.py --again "tag crf" kill 12        one trial once more, with all that the commands say

A trial is a command (scenes.py), a fault and a number. The command runs in a process that tells in which phase it is
(watched.py), and is interrupted in a phase that is drawn from all of them, at an event of it or between two. Then everything in
its folder is looked at, the command is given again, with --resume where there is that, perhaps interrupted again, and at last
left to its end. What must be so after each step is in `Folder`.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from random import Random
from types import FrameType

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from scenes import SCENES, Scene  # noqa: E402
from watched import watched  # noqa: E402

LONGEST = 120
"""The most seconds that one command may take."""
LAST = 15.0
"""The seconds after which no process of a command may be left that was killed."""
FRESH = 0.1
"""The share of commands that are begun in a process of their own, which takes ten times as long."""
SAID = 600
"""The bytes of messages for which there is always room; they are in a file, too. Every output is larger."""
NOBODY = 65534
"""The user whom a folder is read-only for, where the harness runs as root, to whom nothing is."""


class WrongError(Exception):
    """Raised with what should not be so."""


def expect(holds: object, wrong: str) -> None:
    if not holds:
        raise WrongError(wrong)


@dataclass(frozen=True)
class Event:
    """What a watched process has told: the phase that it is in, and what it does there; with the time."""

    phase: str
    number: int
    """The number of the event in its phase, from 1."""
    what: str
    at: float


@dataclass(frozen=True)
class Moment:
    """When a signal is sent: at an event, by the process itself, or some seconds after it, from outside."""

    phase: str = ""
    number: int = 0
    """The number of the event in its phase."""
    signal: int = signal.SIGKILL
    after: float | None = None
    again: int = 0
    """The number of the event in the same phase at which the signal is sent once more."""

    @property
    def sent(self) -> str:
        """What the process sends itself."""
        numbers = [0 if self.after is not None else self.number, self.again]
        return " ".join(f"{self.phase}:{number}:{int(self.signal)}" for number in numbers if number)


NEVER = Moment()


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    events: list[Event]
    said: str

    @property
    def phase(self) -> str:
        return self.events[-1].phase if self.events else "starting"

    def expect(self, *codes: int) -> None:
        """Raise WrongError unless the command ended with one of these exit codes, and without a traceback."""
        expect(self.code in codes, f"ended with {self.code}, expected {' or '.join(map(str, codes))}: {self.said}")
        # Processes that a killed one has begun may complain, and so does Python before it has come to linnet.
        if self.code != -signal.SIGKILL and len(self.events) != 1:
            expect("Traceback" not in self.said, f"a traceback: {self.said}")


class Folder:
    """The folder of a trial: the files of a scene, and perhaps an older output."""

    def __init__(self, path: Path, scene: Scene, good: Reference | None = None) -> None:
        self.path, self.scene, self.good = path, scene, good
        self.inputs: dict[str, bytes] = {}

    def run(self, command: tuple[str, ...], moment: Moment = NEVER, **how: object) -> Ended:
        """Run a command, with a signal at a moment; `how` goes to `begun`."""
        stdin = self.path / (self.scene.stdin or os.devnull)
        with stdin.open("rb") as given, tempfile.TemporaryFile() as said:
            reading, writing = os.pipe()
            process = begun(self, command, moment, (given.fileno(), said.fileno(), writing), **how)  # type: ignore[arg-type]
            os.close(writing)
            signal.alarm(LONGEST)
            try:
                events = list(followed(process, reading, moment, time.monotonic()))
                code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
            except TimeoutError:
                os.kill(process, signal.SIGKILL)
                os.waitpid(process, 0)
                raise WrongError(f"takes longer than {LONGEST} seconds: linnet {' '.join(command)}") from None
            finally:
                signal.alarm(0)
            if self.scene.alone:
                self._no_process_is_left(process)
            said.seek(0)
            return Ended(code, events, said.read().decode(errors="replace").strip())

    def _no_process_is_left(self, session: int) -> None:
        ends = time.monotonic() + LAST
        while left := processes_of(session):
            if time.monotonic() > ends:
                for process in left:
                    os.kill(process, signal.SIGKILL)
                raise WrongError(f"processes of the command are left: {left}")
            time.sleep(0.05)

    def files(self) -> dict[str, bytes]:
        """The files in the folder and in those below it, but the folders of Python's cache."""
        found = (path for path in sorted(self.path.rglob("*")) if path.is_file())
        return {str(path.relative_to(self.path)): path.read_bytes() for path in found}

    def begin(self, older: bool) -> None:
        """Put the files of the scene there, and an older output, if there is to be one."""
        assert self.good is not None
        self.inputs = dict(self.good.inputs)
        if older:
            self.inputs |= self.good.older
        for name, content in self.inputs.items():
            path = self.path / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)

    def check(self, *, interrupted: bool = False) -> None:
        """Whatever is there after a command was stopped is as it was, or new and whole. `interrupted`: whether the command
        could write what it had done until then."""
        assert self.good is not None
        files = self.files()
        for name, content in self.inputs.items():
            expect(name in files, f"{name} is gone")
            if name not in self.good.outputs:
                expect(files[name] == content, f"{name} has changed")
        for name, content in files.items():
            if name in self.inputs and content == self.inputs[name]:
                continue
            if name.endswith(".part"):
                self._loads(name)
            elif name in self.good.outputs:
                whole = content == self.good.outputs[name] or is_whole_page(name, content)
                if not whole and (interrupted or self.scene.kind == "train --once"):
                    self._loads(name)
                    whole = True
                expect(whole, f"{name} is neither the older one nor the new one")
            else:
                expect(is_temporary(name), f"{name} is left")

    def check_end(self) -> None:
        """After the command has come to its end, there are its outputs, the same bits as ever, and nothing else."""
        assert self.good is not None
        files = self.files()
        expect(
            set(files) == set(self.good.inputs) | set(self.good.outputs),
            f"expected the files {sorted(self.good.outputs)} beside the inputs, found {sorted(files)}",
        )
        for name, content in self.good.outputs.items():
            same = files[name] == content or is_whole_page(name, files[name])
            expect(same, f"{name} has other bits: {digest(files[name])}, not {digest(content)}")

    def _loads(self, name: str) -> None:
        from linnet.errors import LinnetError
        from linnet.tasks import load

        try:
            load(self.path / name)
        except LinnetError as error:
            raise WrongError(f"{name} cannot be opened: {error}") from None


@dataclass(frozen=True)
class Reference:
    """What a command does when nothing happens: its files before and after, and its events."""

    inputs: dict[str, bytes]
    outputs: dict[str, bytes]
    older: dict[str, bytes]
    """Other outputs, which an earlier command may have left."""
    events: list[Event]

    def moment(self, random: Random, number: int = signal.SIGKILL) -> Moment:
        """A moment in a phase that is drawn from all of them."""
        phase = random.choice(sorted({event.phase for event in self.events}))
        at = random.choice([k for k, event in enumerate(self.events) if event.phase == phase])
        event = self.events[at]
        if at and random.random() < 0.5:
            return Moment(phase, event.number, number)
        ends = self.events[at + 1].at if at + 1 < len(self.events) else event.at + 0.05
        return Moment(phase, event.number, number, random.uniform(0, ends - event.at))


def reference(scene: Scene, folder: Path) -> Reference:
    """Let a command run to its end, twice: with the same bits."""
    own = Folder(folder, scene)
    for name, content in scene.inputs.items():
        (folder / name).write_text(content)
    for command in scene.before.values():
        own.run((*command, "--quiet")).expect(0)
    inputs = own.files()
    ended = own.run(scene.command)
    ended.expect(0)
    outputs = {name: content for name, content in own.files().items() if name not in inputs}
    expect(outputs, "the command writes nothing")
    older = {name: older_than(own, name, content) for name, content in outputs.items()}
    older = {} if None in older.values() else {name: content for name, content in older.items() if content is not None}
    return Reference(inputs, outputs, older, ended.events)


def older_than(folder: Folder, name: str, content: bytes) -> bytes | None:
    """What an earlier command may have left under that name: another file of the same kind. None where one is passed over."""
    if "/" in name:
        return None
    if name.endswith(".linnet"):
        (folder.path / "older.csv").write_text("text,label\ngood,+\nbad,-\n")
        folder.run(("train", "older.csv", "-o", "older.linnet", "--learner", "perceptron", "--quiet")).expect(0)
        return (folder.path / "older.linnet").read_bytes()
    return content + b"\n" if name.endswith((".csv", ".jsonl", ".html", ".conll")) else None


def begun(
    folder: Folder,
    command: tuple[str, ...],
    moment: Moment,
    files: tuple[int, int, int],
    *,
    fresh: bool = False,
    limit: int | None = None,
    user: int | None = None,
) -> int:
    """The number of a process in a session of its own that runs a command.

    files: standard input, where messages go, and where events are told. fresh: whether the process begins from nothing; else it
    is a copy of this one, which knows linnet already. limit: the largest size of a file. user: who runs the command.
    """
    process = os.fork()
    if process:
        return process
    try:
        signal.alarm(0)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        given, said, events = files
        os.setsid()
        os.chdir(folder.path)
        for k, file in enumerate((given, said, said)):
            os.dup2(file, k)
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        if user is not None:
            os.setuid(user)
        if fresh or folder.scene.alone:
            os.set_inheritable(events, True)
            os.execv(sys.executable, [sys.executable, str(HERE / "watched.py"), str(events), moment.sent, *command])
        os._exit(in_this_process(events, moment.sent, command))
    finally:
        os._exit(99)


def in_this_process(events: int, sent: str, command: tuple[str, ...]) -> int:
    """Run a command in this process, as Python would; returns its exit code."""
    code: object = 0
    try:
        watched(events, sent, list(command))
    except SystemExit as end:
        code = end.code or 0
    except BaseException as error:
        with suppress(OSError):
            traceback.print_exc()
        code = 128 + signal.SIGINT if isinstance(error, KeyboardInterrupt) else 1
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):  # The process of a command does so, too: where there is no room, its code says so.
            stream.flush()
    return int(code) if isinstance(code, int) else 1


def followed(process: int, reading: int, moment: Moment, began: float) -> Iterator[Event]:
    """Yield what a process tells, and send it the signal where that is to come from outside."""
    with os.fdopen(reading) as lines:
        for line in lines:
            phase, number, what = line.rstrip("\n").split(" ", 2)
            yield Event(phase, int(number), what, time.monotonic() - began)
            if (phase, int(number)) == (moment.phase, moment.number) and moment.after is not None:
                time.sleep(moment.after)
                os.kill(process, moment.signal)


def processes_of(session: int) -> list[int]:
    """The processes of a session that have not ended."""
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            fields = Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(int(entry))
    return found


def is_temporary(name: str) -> bool:
    base = os.path.basename(name)
    return base.startswith(".") and base.endswith(".tmp")


def is_whole_page(name: str, content: bytes) -> bool:
    """Whether it is a page, which has times in it and so is never the same twice, and ends as pages do."""
    return name.endswith(".html") and content.rstrip().endswith(b"</html>")


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:12]


Seen = list[tuple[str, str]]
"""The interruptions of a trial: the kind of the command, and the phase."""
Fault = Callable[[Folder, Random, Seen], None]
"""What happens to a command in a trial."""


def go_on(folder: Folder, random: Random, seen: Seen, number: int = signal.SIGKILL, times: int = 2) -> None:
    """Give the command again, interrupted a few times, and then to its end; then all is as if nothing had happened."""
    assert folder.good is not None
    scene = folder.scene
    kind = f"{scene.kind} --resume" if scene.resumes else scene.kind
    for _ in range(random.randrange(times + 1)):
        ended = folder.run(scene.again(), folder.good.moment(random, number))
        if ended.code == 0:
            folder.check_end()
            return
        seen.append((kind, ended.phase))
        stopped_by(ended, number)
        folder.check(interrupted=number != signal.SIGKILL)
    ended = folder.run(scene.again())
    ended.expect(0)
    folder.check_end()


def stopped_by(ended: Ended, number: int) -> None:
    """A command that gets a signal ends with it or, where it handles it, with 128 and its number; or it was done already."""
    ended.expect(0, -number, 128 + number)


def kill(folder: Folder, random: Random, seen: Seen) -> None:
    """SIGKILL: the process ends at once."""
    assert folder.good is not None
    folder.begin(older=random.random() < 0.5)
    ended = folder.run(folder.scene.command, folder.good.moment(random), fresh=random.random() < FRESH)
    stopped_by(ended, signal.SIGKILL)
    seen.append((folder.scene.kind, ended.phase))
    folder.check()
    go_on(folder, random, seen)


def interrupt(number: int, twice: bool) -> Fault:
    """SIGINT or SIGTERM, once, or once more a few events later."""

    def fault(folder: Folder, random: Random, seen: Seen) -> None:
        assert folder.good is not None
        folder.begin(older=random.random() < 0.5)
        moment = folder.good.moment(random, number)
        if twice:
            moment = Moment(moment.phase, moment.number, number, again=moment.number + random.randint(1, 9))
        ended = folder.run(folder.scene.command, moment, fresh=random.random() < FRESH)
        stopped_by(ended, number)
        seen.append((folder.scene.kind, ended.phase))
        folder.check(interrupted=True)
        go_on(folder, random, seen, number, times=1)

    return fault


def full(folder: Folder, random: Random, seen: Seen) -> None:
    """Files cannot grow above a size that is less than that of the output: the disk is full."""
    assert folder.good is not None
    folder.begin(older=random.random() < 0.5)
    largest = max(map(len, folder.good.outputs.values()))
    limit = random.randrange(SAID, max(largest, SAID + 1))
    ended = folder.run(folder.scene.command, limit=limit)
    seen.append((folder.scene.kind, ended.phase))
    ended.expect(1)
    # A trace, which goes to the same file as messages here, may have left no room for them.
    says = "File too large" in ended.said and "Make room" in ended.said
    expect(says or len(ended.said.encode()) >= limit, f"does not say what is full: {ended.said}")
    expect(not any(map(is_temporary, folder.files())), f"left {sorted(folder.files())}")
    folder.check()
    go_on(folder, random, seen)


def read_only(folder: Folder, random: Random, seen: Seen) -> None:
    """The folder cannot be written to. Another user than root may not be able to begin a new process with this Python."""
    if folder.scene.alone and os.geteuid() == 0:
        return
    folder.begin(older=False)
    target = folder.path if folder.scene.output.count("/") == 0 else (folder.path / folder.scene.output).parent
    os.chmod(target, 0o555)
    try:
        ended = folder.run(folder.scene.command, user=NOBODY if os.geteuid() == 0 else None)
    finally:
        os.chmod(target, 0o755)
    seen.append((folder.scene.kind, ended.phase))
    ended.expect(2)
    expect("Permission denied" in ended.said, f"does not say that the folder is read-only: {ended.said}")
    expect(folder.files() == folder.inputs, "something has changed")


def _killed_with_state(folder: Folder, random: Random, seen: Seen) -> bool:
    """Kill a training after it has kept some state, if it does."""
    assert folder.good is not None
    folder.begin(older=True)
    written = [e.number for e in folder.good.events if e.phase == "state" and e.what == "end"]
    if not written or not folder.scene.resumes:
        return False
    ended = folder.run(folder.scene.command, Moment("state", random.choice(written)))
    stopped_by(ended, signal.SIGKILL)
    seen.append((folder.scene.kind, ended.phase))
    folder.check()
    return True


def _refused(folder: Folder, codes: tuple[int, ...], words: tuple[str, ...]) -> None:
    """The command that goes on refuses, with a sentence that has one of these words, and touches nothing."""
    before = folder.files()
    ended = folder.run(folder.scene.again())
    ended.expect(*codes)
    expect(any(word in ended.said for word in words), f"does not say what is wrong: {ended.said}")
    expect(folder.files() == before, "a command that refuses has changed files")


def changed(folder: Folder, random: Random, seen: Seen) -> None:
    """The data change while the training does not run, or vanish."""
    if not _killed_with_state(folder, random, seen):
        return
    name = folder.scene.command[1]
    content = (folder.path / name).read_bytes()
    if random.random() < 0.5:
        (folder.path / name).unlink()
        _refused(folder, (1,), ("no such file",))
    else:
        half = content[: content.index(b"\n", len(content) // 2) + 1]
        cut = half if name.endswith((".csv", ".jsonl", ".mrg")) else half.rpartition(b"\n\n")[0] + b"\n\n"
        more = cut.partition(b"\n")[2] if name.endswith(".csv") else cut  # without a second header
        (folder.path / name).write_bytes(content + more if random.random() < 0.5 else cut)
        _refused(folder, (2,), ("is from other data", "from other options"))
    (folder.path / name).write_bytes(content)
    go_on(folder, random, seen)


def damaged(folder: Folder, random: Random, seen: Seen) -> None:
    """A byte of the state is changed, or the end of it is missing."""
    if not _killed_with_state(folder, random, seen):
        return
    path = folder.path / f"{folder.scene.output}.part"
    content = path.read_bytes()
    at = random.randrange(1, len(content))
    path.write_bytes(
        content[:at] if random.random() < 0.5 else content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]
    )
    _refused(folder, (1, 2), ("damaged", "not a linnet model", "is not a model"))
    path.write_bytes(content)
    go_on(folder, random, seen)


def pipe(folder: Folder, random: Random, seen: Seen) -> None:
    """The reader of standard output, and perhaps of messages too, leaves after some bytes."""
    folder.begin(older=False)
    both = random.random() < 0.5
    command = folder.scene.command
    if command[0] == "predict" and not folder.scene.output.startswith("answers"):
        command = command[: command.index("-o")]
    process = subprocess.Popen(
        [sys.executable, "-m", "linnet", *command], cwd=folder.path, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if both else subprocess.PIPE,
        stdin=(folder.path / folder.scene.stdin).open("rb") if folder.scene.stdin else subprocess.DEVNULL,
    )  # fmt: skip
    assert process.stdout is not None
    process.stdout.read(random.randrange(100))
    process.stdout.close()
    said = "" if process.stderr is None else process.stderr.read().decode()
    seen.append((folder.scene.kind, "standard output"))
    Ended(process.wait(LONGEST), [], said).expect(0)
    folder.check() if command != folder.scene.command else folder.check_end()


FAULTS: dict[str, Fault] = {
    "kill": kill,
    "int": interrupt(signal.SIGINT, twice=False),
    "int twice": interrupt(signal.SIGINT, twice=True),
    "term": interrupt(signal.SIGTERM, twice=False),
    "term twice": interrupt(signal.SIGTERM, twice=True),
    "full disk": full,
    "read-only folder": read_only,
    "other data": changed,
    "damaged state": damaged,
    "closed pipe": pipe,
}
"""The faults by name."""


class Harness:
    """Trials, with the references that they are compared with, which are made once."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.references: dict[str, Reference] = {}
        self.counts: dict[str, Counter[tuple[str, str]]] = {fault: Counter() for fault in FAULTS}
        self.by_scene: Counter[str] = Counter()
        self.wrong: list[str] = []

    def trial(self, name: str, fault: str, number: int) -> None:
        """Do one trial, and keep what it has shown."""
        scene, seen, random = SCENES[name], [], Random(f"{self.seed} {name} {fault} {number}")
        wrong = None
        try:
            if name not in self.references:
                with tempfile.TemporaryDirectory() as folder:
                    self.references[name] = reference(scene, Path(folder))
            with tempfile.TemporaryDirectory() as path:
                os.chmod(path, 0o755)
                FAULTS[fault](Folder(Path(path), scene, self.references[name]), random, seen)
        except WrongError as error:
            wrong = str(error)
        self.counts[fault].update(seen)
        self.by_scene[name] += len(seen)
        if wrong is not None:
            said = f"--again {name!r} {fault!r} {number}   ({', '.join(f'{k} in {p}' for k, p in seen)}): {wrong}"
            self.wrong.append(said)
            print(said, flush=True)

    @property
    def n(self) -> int:
        return sum(map(Counter.total, self.counts.values()))

    def table(self) -> Iterator[str]:
        """The number of interruptions by command and phase, a column for each fault."""
        faults = [fault for fault in FAULTS if self.counts[fault]]
        rows = sorted({row for counts in self.counts.values() for row in counts})
        yield f"{'command':25} {'phase':18}" + "".join(f"{fault:>17}" for fault in faults)
        for kind, phase in rows:
            yield f"{kind:25} {phase:18}" + "".join(f"{self.counts[fault][kind, phase]:17,}" for fault in faults)
        least, most = min(self.by_scene.values(), default=0), max(self.by_scene.values(), default=0)
        yield f"{len(self.by_scene)} commands, each interrupted {least} to {most} times"
        yield f"{'all':44}" + "".join(f"{self.counts[fault].total():17,}" for fault in faults)


def drawn(scenes: list[str], faults: list[str], random: Random) -> Iterator[tuple[str, str]]:
    """Yield commands and faults: all commands in turn, some more often than others, and half of the trials are kills."""
    while True:
        order = [name for name in scenes if random.random() < SCENES[name].often]
        order += [name for name in scenes for _ in range(int(SCENES[name].often) - 1)]
        random.shuffle(order)
        for name in order:
            is_kill = "kill" in faults and random.random() < 0.5
            yield name, "kill" if is_kill else random.choice(faults)


def import_all() -> None:
    """Import linnet here, so that processes which are copies of this one need not."""
    import linnet

    for module in walk_packages(linnet.__path__, "linnet."):
        if not module.name.startswith(("linnet.sklearn", "linnet.plot", "linnet.cluster", "linnet.__main__")):
            import_module(module.name)


def too_long(number: int, frame: FrameType | None) -> None:
    raise TimeoutError


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kills", type=float, default=float("inf"), help="the number of interruptions")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--scene", action="append", choices=SCENES, help="only this command; may be given several times"
    )
    parser.add_argument("--fault", action="append", choices=FAULTS, help="only this fault; may be given several times")
    parser.add_argument("--again", nargs=3, metavar=("SCENE", "FAULT", "NUMBER"))
    how = parser.parse_args()
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGALRM, too_long)
    import_all()
    harness = Harness(how.seed)
    if how.again:
        harness.trial(how.again[0], how.again[1], int(how.again[2]))
        return len(harness.wrong)
    ends, number = time.monotonic() + how.seconds, 0
    for name, fault in drawn(how.scene or list(SCENES), how.fault or list(FAULTS), Random(how.seed)):
        if harness.n >= how.kills or time.monotonic() > ends:
            break
        harness.trial(name, fault, number)
        number += 1
    print("\n".join(harness.table()))
    print(
        f"{harness.n:,} interruptions in {number:,} trials, {len(harness.wrong)} with something wrong (seed {how.seed})"
    )
    return int(bool(harness.wrong))


if __name__ == "__main__":
    sys.exit(main())
