"""Every small input that ever broke something is tried again, in processes that are watched: fuzz/replay.py."""

import subprocess
import sys
from pathlib import Path

FUZZ = Path(__file__).parents[1] / "fuzz"


def test_nothing_that_broke_something_breaks_it_again():
    known = [path for path in (FUZZ / "known").glob("*/*") if path.stat().st_size < 1 << 16]
    assert {path.parent.name for path in known} == {"files", "models", "requests"}
    command = [sys.executable, FUZZ / "replay.py", "--inputs", str(len(known)), "--workers", "2"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    lines = done.stdout.splitlines()
    assert [line for line in lines if "--again" in line] == []
    assert {line.split()[0] for line in lines} == {*(f"{path.parent.name}/{path.name}" for path in known), "all"}
    assert done.returncode == 0, done.stderr
