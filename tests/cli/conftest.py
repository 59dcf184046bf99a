"""The command line as a user meets it: the script beside Python, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

SCRIPT = Path(sys.executable).with_name("linnet")
ENVIRONMENT = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "FORCE_COLOR", "TERM")}


class Result(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture(scope="session")
def script():
    if not SCRIPT.exists():
        pytest.skip(f"linnet is not installed beside {sys.executable}")
    return str(SCRIPT)


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """Data to train on, and data with something wrong."""
    path = tmp_path_factory.mktemp("cli")
    rows = [
        (f"{words} number{i}", label)
        for i in range(20)
        for words, label in (("a good and fine film", "pos"), ("a bad and dull film", "neg"))
    ]
    (path / "train.csv").write_text("text,label\n" + "".join(f"{text},{label}\n" for text, label in rows))
    (path / "new.csv").write_text("text\ngood\ndull and bad\n")
    (path / "test.csv").write_text("text,label\ngood,pos\nfine,pos\ndull,neg\nbad,pos\n")
    (path / "empty.csv").write_bytes(b"")
    (path / "latin1.csv").write_bytes(b"text,label\nna\xfeve,x\nb,y\n")
    (path / "one-label.csv").write_text("text,label\na,x\nb,x\n")
    (path / "no-column.csv").write_text("a,b\nc,d\n")
    (path / "subfolder").mkdir()
    return path


@pytest.fixture(scope="session")
def run(script, folder):
    """Run linnet in the folder of the data."""

    def call(*arguments, stdin=""):
        done = subprocess.run(
            [script, *map(str, arguments)],
            input=stdin.encode(),
            capture_output=True,
            cwd=folder,
            env=ENVIRONMENT,
            timeout=120,
            check=False,
        )
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    return call


@pytest.fixture(scope="session")
def training(run):
    """The run that wrote mira.linnet."""
    features = "words:1-2 bm25 min=2"
    return run("train", "train.csv", "-o", "mira.linnet", "--learner", "averaged-mira", "--features", features)


@pytest.fixture(scope="session")
def mira(training, folder):
    return folder / "mira.linnet"


@pytest.fixture(scope="session")
def logistic(run, folder):
    run("train", "train.csv", "-o", "logistic.linnet", "--learner", "logistic", "--features", "words:1 min=2")
    return folder / "logistic.linnet"


@pytest.fixture(scope="session")
def unsure(run, folder):
    """A model that cannot say how sure it is."""
    run("train", "train.csv", "-o", "unsure.linnet", "--learner", "averaged-mira", "--set", "estimate=no")
    return folder / "unsure.linnet"
