"""linnet among other processes: pipes, Ctrl-C, and how much it loads to say hello."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import linnet


@pytest.mark.parametrize("arguments", [["--help"], ["train", "--help"], ["--version"]])
def test_help_does_not_wait_for_arrow(arguments):
    code = (
        "import sys\n"
        "from linnet.cli.main import main\n"
        "try:\n"
        f"    main({arguments!r})\n"
        "except SystemExit as end:\n"
        "    loaded = [name for name in ('numpy', 'pyarrow', 'scipy', 'safetensors') if name in sys.modules]\n"
        "    print(end.code, loaded)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines()[-1] == "0 []"
    assert len(done.stdout.splitlines()) > 1


def test_a_process_ends_at_once_with_its_code_and_all_that_was_said(folder, mira):
    """Functions that others have registered are called, and what Python would take apart stays as it is."""
    code = (
        "import atexit, sys\n"
        "from linnet.cli.process import process\n"
        "class Kept:\n"
        "    def __del__(self):\n"
        "        print('taken apart')\n"
        "sys.kept = Kept()\n"
        "sys.argv[:1] = ['linnet']\n"
        "import linnet.cli.main as cli\n"
        "before = cli.main\n"
        "cli.main = lambda: (atexit.register(print, 'registered'), before())\n"
        "process()\n"
    )

    def ended(*arguments):
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments],
            capture_output=True,
            text=True,
            cwd=folder,
            timeout=60,
            check=False,
        )
        assert done.stdout.endswith("registered\n"), done.stderr
        return done.returncode, done.stdout.removesuffix("registered\n")

    (folder / "one.txt").write_text("good\n")
    assert ended("predict", str(mira), "one.txt", "--only", "--quiet") == (0, "prediction\npos\n")
    assert ended("predict", str(mira), "no.txt") == (1, "")
    assert ended("predict", "--no-such-option") == (2, "")


NOT_FOR_A_PREDICTION = """
    _hashlib asyncio concurrent.futures email http importlib.metadata multiprocessing pandas rich scipy secrets shlex sklearn
    sqlite3 statistics unittest xml numpy.ma numpy.polynomial numpy.random numpy.testing
    pyarrow.compute pyarrow.csv pyarrow.dataset pyarrow.feather pyarrow.fs pyarrow.parquet
    linnet.cli.into_folder linnet.cluster linnet.comparison linnet.core.filed linnet.core.loops linnet.evaluate.calibration
    linnet.evaluate.label_counts linnet.explain linnet.features.counting linnet.features.rows_file linnet.features.typed_names
    linnet.fitting.contract linnet.fitting.fitting linnet.fitting.progress linnet.fitting.shares linnet.io.python_values
    linnet.io.sentences.sentences linnet.io.texts.arrow_files linnet.io.texts.careful_rows linnet.io.texts.delimited
    linnet.io.texts.delimiters linnet.io.texts.excel linnet.io.texts.fasttext linnet.io.texts.folder
    linnet.io.texts.line_of_value linnet.io.texts.lines linnet.io.texts.missing_labels linnet.io.texts.on_disk
    linnet.io.texts.parquet linnet.learners.around linnet.learners.boosting linnet.learners.contract linnet.learners.crf
    linnet.learners.examples linnet.learners.fit linnet.learners.kernel linnet.learners.learning linnet.learners.naive_bayes
    linnet.learners.scaled linnet.learners.theory linnet.model.support linnet.plot linnet.tasks.defaults
    linnet.tasks.equal_texts linnet.tasks.evaluated linnet.tasks.guessing linnet.tasks.labels.task linnet.tasks.problems
    linnet.tasks.tag linnet.tasks.texts.gold linnet.tasks.texts.lexicon linnet.tasks.texts.presets linnet.tasks.texts.task
    linnet.tasks.texts.unlabelled linnet.training
""".split()
"""Modules that would make `linnet predict` start later, and that no prediction of labels from JSON lines needs."""


def test_a_prediction_loads_only_what_it_needs(folder, mira):
    (folder / "new.jsonl").write_text('{"text": "good"}\n')
    code = (
        "import sys\n"
        "from linnet.cli.main import main\n"
        "try:\n"
        f"    main(['predict', {str(mira)!r}, 'new.jsonl', '-o', 'loaded.csv', '--only'])\n"
        "except SystemExit as end:\n"
        f"    print(end.code, [name for name in {NOT_FOR_A_PREDICTION!r} if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=folder, check=True)
    assert done.stdout.splitlines()[-1] == "0 []"
    assert (folder / "loaded.csv").read_text() == "prediction\npos\n"


NOT_FOR_TRAINING = """
    asyncio concurrent.futures email http importlib.metadata multiprocessing pandas rich scipy sklearn statistics unittest
    numpy.ma numpy.polynomial numpy.testing pyarrow.compute pyarrow.dataset pyarrow.parquet
    linnet.cluster linnet.comparison linnet.fitting.session linnet.fitting.trials linnet.io.lists.lists linnet.learners.boosting
    linnet.learners.crf linnet.learners.kernel linnet.plot linnet.training.auto linnet.training.reranking
    linnet.training.thresholds
""".split()
"""Modules that would make `linnet train` slower, and that a training of one label from JSON lines does not need."""


def test_training_loads_only_what_it_needs(folder):
    rows = [{"text": f"a {word} film {i}", "label": word} for i in range(20) for word in ("good", "bad")]
    (folder / "train.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    code = (
        "import sys\n"
        "from linnet.cli.main import main\n"
        "try:\n"
        "    main(['train', 'train.jsonl', '-o', 'loaded.linnet'])\n"
        "except SystemExit as end:\n"
        f"    print(end.code, [name for name in {NOT_FOR_TRAINING!r} if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=folder, check=True)
    assert done.stdout.splitlines()[-1] == "0 []"
    assert "expected on new data like these: 100.0% right" in done.stderr


def test_only_the_command_that_runs_is_built():
    code = (
        "from typer.main import get_command\n"
        "from linnet.cli.main import app\n"
        "group = get_command(app)\n"
        "group.get_command(None, 'reproduce')\n"
        "print(list(group.commands._built), len(group.list_commands(None)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "['reproduce'] 14\n"


@pytest.fixture(scope="module")
def head(script, folder, mira):
    """`linnet predict ... | head -1`: the reader leaves after a line, with more to come than a pipe holds."""
    (folder / "many.csv").write_text("text\n" + "a good film\n" * 100_000)
    writer = subprocess.Popen(
        [script, "predict", str(mira), "many.csv"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder
    )
    first = writer.stdout.readline()
    writer.stdout.close()
    errors = writer.stderr.read()
    writer.stderr.close()
    return first, errors, writer.wait(timeout=60)


def test_a_reader_that_leaves_sees_no_traceback(head):
    first, errors, _ = head
    assert (first, errors) == (b"text,prediction,confidence\n", b"")


def test_a_reader_that_leaves_is_no_error(head):
    assert head[2] == 0


@pytest.mark.parametrize("buffered", [True, False])
@pytest.mark.parametrize(
    "command", [("list",), ("evaluate", "mira.linnet", "test.csv"), ("inspect", "mira.linnet", "--json")]
)
def test_a_reader_that_left_before_the_first_line_is_no_error(script, folder, mira, command, buffered):
    env = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    env |= {} if buffered else {"PYTHONUNBUFFERED": "1"}
    writer = subprocess.Popen([script, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder, env=env)
    writer.stdout.close()
    assert writer.stderr.read() == b""
    writer.stderr.close()
    assert writer.wait(timeout=60) == 0


TRACED = ("train", "train.csv", "--learner", "mira", "--features", "words:1", "--epochs", "40", "--trace", "1600")


@pytest.mark.parametrize("how", [("--json",), ()], ids=["json", "drawn"])
def test_a_reader_of_steps_that_leaves_does_not_end_the_training(script, folder, tmp_path, how):
    path = tmp_path / "traced.linnet"
    process = subprocess.Popen(
        [script, *TRACED, "-o", path, *how], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder
    )
    process.stdout.readline()
    process.stdout.close()
    errors = process.stderr.read().decode()
    process.stderr.close()
    assert (process.wait(timeout=60), f"wrote {path}" in errors) == (0, True)
    assert linnet.load(path).predict(["dull"]) == ["neg"]


def test_a_reader_of_messages_that_leaves_does_not_end_the_training(script, folder, tmp_path):
    path = tmp_path / "unheard.linnet"
    process = subprocess.Popen([script, "train", "train.csv", "-o", path], stderr=subprocess.PIPE, cwd=folder)
    process.stderr.close()
    assert process.wait(timeout=60) == 0
    assert linnet.load(path).predict(["dull"]) == ["neg"]


class Terminal:
    """A process whose messages go to a terminal, where it shows its progress."""

    def __init__(self, command, folder):
        self.end, other = pty.openpty()
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=other,
            cwd=folder,
            env=os.environ | {"TERM": "xterm", "COLUMNS": "120"},
        )
        os.close(other)
        self.seen = b""

    def read(self, until=None, seconds=60):
        """Up to some bytes, or to the end."""
        limit = time.monotonic() + seconds
        while time.monotonic() < limit and (until is None or until not in self.seen):
            if select.select([self.end], [], [], 0.1)[0]:
                try:
                    self.seen += os.read(self.end, 4096)
                except OSError:  # the other end is closed
                    break
        assert until is None or until in self.seen, self.seen
        return self.seen

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.end)


# A terminal shows progress ten times a second, so an epoch is to be seen well before the last of so many.
LONG = ("--learner", "logistic", "--features", "words:1", "--set", "tol=0", "--set", "eta=0.01")


@pytest.fixture(scope="module")
def interrupted(script, folder):
    """A long training that gets Ctrl-C while it learns."""
    (folder / "long.csv").write_text((folder / "train.csv").read_text() + "a good film,neg\n" * 500)
    terminal = Terminal([script, "train", "long.csv", "-o", "long.linnet", "--epochs", "10000000", *LONG], folder)
    try:
        terminal.read(until=b"loss")  # of the last epoch, so that there was one
        time.sleep(1.2)  # after a second the state is worth keeping
        terminal.process.send_signal(signal.SIGINT)
        messages = terminal.read().decode()
        code = terminal.process.wait(timeout=60)
    finally:
        terminal.close()
    return code, messages


def test_ctrl_c_writes_the_model_and_the_state(interrupted, folder):
    code, messages = interrupted
    assert "Traceback" not in messages
    assert "interrupted after" in messages
    assert (
        "long.linnet.part keeps the state of the training: run the same command with --resume to go on from there"
        in messages
    )
    assert code == 130
    model = linnet.load(folder / "long.linnet")
    assert model.report["stopped"].startswith("interrupted after ")
    assert model.predict(["dull"]) == ["neg"]
    # Ctrl-C may come after an epoch and before its state is kept: then the state is that of the epoch before.
    behind = len(model.report["epochs"]) - len(linnet.load(folder / "long.linnet.part").report["epochs"])
    assert behind in (0, 1)


def test_resume_goes_on_to_the_same_bits(interrupted, run, folder):
    n = len(linnet.load(folder / "long.linnet").report["epochs"]) + 2
    done = run("train", "long.csv", "-o", "long.linnet", "--epochs", n, *LONG, "--resume")
    assert done.code == 0, done.err
    whole = linnet.train(
        folder / "long.csv", learner="logistic", features="words:1", epochs=n, tol=0, options={"eta": 0.01}
    )
    resumed = linnet.load(folder / "long.linnet")
    assert np.array_equal(resumed.weights, whole.weights)
    assert resumed.report["stopped"] == f"all {n} epochs are done"
    assert not (folder / "long.linnet.part").exists()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_other_commands_end_at_once_and_leave_nothing_behind(script, tmp_path, mira, number, code):
    process = subprocess.Popen(
        [script, "predict", str(mira), "-", "--format", "jsonl", "-o", "out.jsonl"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path,
    )  # fmt: skip
    line = (json.dumps({"text": "good " * 100}) + "\n").encode()
    try:
        process.stdin.write(line * 20_000)  # more than a pipe holds: once this returns, linnet is reading
        process.stdin.flush()
        process.send_signal(number)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait()
    assert (process.returncode, errors) == (code, b"")
    assert os.listdir(tmp_path) == []


def test_sigterm_writes_the_model_too(script, folder, interrupted):
    terminal = Terminal([script, "train", "long.csv", "-o", "term.linnet", "--epochs", "10000000", *LONG], folder)
    try:
        terminal.read(until=b"loss")
        terminal.process.terminate()
        messages = terminal.read().decode()
        code = terminal.process.wait(timeout=60)
    finally:
        terminal.close()
    assert (code, "Traceback" in messages) == (143, False)
    assert linnet.load(folder / "term.linnet").report["stopped"].startswith("interrupted after ")


def test_a_comparison_shows_what_it_has(script, folder, interrupted):
    terminal = Terminal([script, "compare", "long.csv", "--folds", "20"], folder)
    try:
        terminal.read(until=b"s left")
        terminal.process.send_signal(signal.SIGINT)
        messages = terminal.read().decode()
        code = terminal.process.wait(timeout=60)
    finally:
        terminal.close()
    assert (code, "Traceback" in messages) == (130, False)
    assert "interrupted: the table shows what was done until then" in messages


@pytest.mark.parametrize(("learned", "said"), [(False, ""), (True, "Ctrl-C once more ends it now")])
def test_a_training_that_has_learned_nothing_ends_in_the_middle_of_a_compiled_loop(learned, said, tmp_path):
    """The loop takes a minute. A training that has learned something asks for another Ctrl-C before it is ended."""
    program = f"""
import hashlib, os, signal, threading, time
import linnet.cli.train
from linnet.cli.main import main
from linnet.learners import Progress

def training(data, progress, **how):
    if {learned}:
        progress(Progress(1, 2, 0.5, 1.0, None))
    for after in (0.1, 1.5)[: 1 + {learned}]:
        threading.Timer(after, os.kill, (os.getpid(), signal.SIGINT)).start()
    hashlib.pbkdf2_hmac("sha256", b"a", b"b", 10**8)

linnet.cli.train.training = training
main(["train", "a.csv", "-o", "m"])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=40, cwd=tmp_path)
    assert done.returncode == 130
    assert said in done.stderr
    assert bool(said) == bool(done.stderr)


@pytest.mark.parametrize("projective", ["yes", "no"])
def test_learning_from_a_long_sentence_ends_in_the_middle_of_its_search_and_keeps_what_was_learned(projective):
    """One pass over a tree of 900 tokens takes a second or more."""
    program = f"""
import os, signal, threading, time
import linnet
from linnet.cli import stopping

stopping.Stopping()
stopping.begin()
n, sent = 900, []

def stop():
    sent.append(time.process_time())
    os.kill(os.getpid(), signal.SIGINT)

def progress(_):
    stopping.keep()
    if not sent and threading.active_count() == 2:  # this thread and that of the signals
        threading.Timer(0.3, stop).start()

words = [(f"w{{m % 7}}", "ABCD"[m % 4], "_") for m in range(n)]
tree = [(m, "dep") for m in range(n)]
options = {{"order": 1, "tags": "given", "prune": 0, "projective": "{projective}"}}
learner = "crf"
model = linnet.train([words], [tree], task="parse", options=options, learner=learner, epochs=99, progress=progress)
print(time.process_time() - sent[0])
print(model.report["stopped"])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    seconds, stopped = done.stdout.splitlines()
    assert float(seconds) < 0.5
    assert re.fullmatch("interrupted after [0-9]+ of 99 epochs", stopped)
    assert "Ctrl-C once more" not in done.stderr


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_before_the_command_begins_is_no_traceback(number, code):
    program = (
        "import os\n"
        "from linnet.cli import main\n"
        f"main.app = lambda args, obj: os.kill(os.getpid(), {int(number)})\n"
        "main.main([])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (code, "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_after_the_command_has_ended_is_no_traceback(number):
    program = (
        "import os\n"
        "from linnet.cli import main\n"
        "try:\n"
        "    main.main(['--version'])\n"
        "except SystemExit:\n"
        f"    os.kill(os.getpid(), {int(number)})\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (-number, "")


_ON_IMPORT = """
import os, signal, sys

class Interrupted:
    def find_spec(self, name, *_):
        if name == {name!r}:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupted())
sys.argv = ["linnet", "list"]
from linnet.cli.process import process
process()
"""


@pytest.mark.parametrize("name", ["linnet.cli.main", "typer", "linnet.cli.showing"])
def test_ctrl_c_ends_a_command_that_has_hardly_begun_without_a_traceback(name):
    program = _ON_IMPORT.format(name=name)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


_ON_ENDING = """
import os, signal
from linnet.cli import main, stopping

real = {module}.{function}

def interrupted(*arguments):
    {module}.{function} = real
    os.kill(os.getpid(), signal.{name})
    return real(*arguments)

{module}.{function} = interrupted
main.main({arguments})
"""


@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143)])
@pytest.mark.parametrize(
    ("module", "function", "arguments"),
    [
        ("main", "printable", ["predict", "nothing.linnet", "nothing.csv"]),
        ("stopping", "_deaf", ["list", "learners"]),
        ("stopping.Stopping", "end", ["list", "learners"]),
    ],
)
def test_a_signal_that_comes_when_a_command_has_ended_is_no_traceback(name, code, module, function, arguments):
    program = _ON_ENDING.format(name=name, module=module, function=function, arguments=arguments)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert "Traceback" not in done.stderr
    assert done.returncode == (128 - code if function == "_deaf" else code)  # When it is deaf, the system ends it.


def test_resume_without_a_state_begins_from_the_start_and_says_so(run, folder, tmp_path):
    path = tmp_path / "m.linnet"
    done = run("train", "train.csv", "-o", path, "--learner", "mira", "--resume")
    assert done.code == 0
    assert done.err.startswith(f"there is no {path}.part to go on from, so training begins from the start\n")
    whole = tmp_path / "whole.linnet"
    assert run("train", "train.csv", "-o", whole, "--learner", "mira").code == 0
    assert path.read_bytes() == whole.read_bytes()


def test_a_signal_that_is_ignored_stays_ignored(script, folder):
    code = (
        "import os, signal, sys\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "from linnet.cli.stopping import Stopping\n"
        "stopping = Stopping()\n"
        "os.kill(os.getpid(), signal.SIGINT)\n"
        "print(stopping.code)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "0\n"


_COMPUTING = """
import hashlib, os, signal, threading, time
from linnet.cli.stopping import Stopping

stopping = Stopping()
stopping.begun, stopping.keeps = True, {keeps}

def interrupt():
    for _ in range({times}):
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGINT)
        begun = time.process_time()
        while time.process_time() - begun < 1.5:
            time.sleep(0.02)
    os._exit(77)

threading.Thread(target=interrupt, daemon=True).start()
hashlib.pbkdf2_hmac("sha256", b"", b"", (1 << 31) - 1)  # a compiled loop that takes minutes, in which Python hears no signal
"""


@pytest.mark.parametrize(("keeps", "times", "code", "said"), [(False, 1, 130, 0), (True, 1, 77, 1), (True, 2, 130, 1)])
def test_ctrl_c_ends_a_compiled_loop(keeps, times, code, said):
    """A command that keeps what it has done is only told to end, and goes on, until Ctrl-C comes once more."""
    program = _COMPUTING.format(keeps=keeps, times=times)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr.count("Ctrl-C once more ends it now")) == (code, said)


def test_the_package_is_a_command_too(script, folder):
    by_name = subprocess.run([script, "--version"], capture_output=True, text=True, timeout=60, check=True)
    module = [sys.executable, "-m", "linnet"]
    done = subprocess.run([*module, "--version"], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == by_name.stdout == f"linnet {linnet.__version__}\n"
    failed = subprocess.run([*module, "inspect", "gone.csv"], capture_output=True, text=True, timeout=60, check=False)
    assert (failed.returncode, failed.stderr) == (1, "linnet: gone.csv: no such file.\n")


def test_long_messages_are_broken_between_words_on_a_terminal(script, tmp_path):
    labels = ["positive", "Positive", "POSITIVE", "positive ", " positive", "negative"]
    (tmp_path / "t.csv").write_text(
        "text,label\n" + "".join(f"good {i},{label}\n" for i, label in enumerate(labels * 5))
    )
    terminal = Terminal([script, "train", "t.csv", "-o", "t.linnet", "--features", "words:1"], tmp_path)
    try:
        seen = terminal.read().decode()
    finally:
        terminal.close()
    said = seen[seen.index("t.csv: 30 examples") :].splitlines()
    assert max(map(len, said)) <= 120
    at = next(i for i, line in enumerate(said) if line.startswith("look: labels that differ only in case or blanks: "))
    assert said[at].endswith(("(5),", "(5).", "'"))
    assert said[at + 1].startswith("  ")
    assert " ".join(said[at : at + 2]).endswith("Make them one if they mean the same")
