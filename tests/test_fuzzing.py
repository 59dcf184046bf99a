"""The fuzzer finds what it looks for: an input that crashes, hangs, raises or takes too much memory is told by its number."""

import subprocess
import sys
from pathlib import Path

FUZZ = Path(__file__).parents[1] / "fuzz"
TARGET = f"""
import mmap, os, sys, time
sys.path.insert(0, {str(FUZZ)!r})
import driving

driving.LONGEST, driving.LIMIT = 0.5, 1 << 27

def outcome(folder, kind, number, file):
    if number == 8:
        if kind == "raw":
            [][number]
        if kind == "hang":
            while True:
                pass
        if kind == "memory":
            bytearray(2 * driving.LIMIT)
        if kind == "addresses":  # which are only reserved, and no memory
            mmap.mmap(-1, 4 * driving.LIMIT)
        if kind == "endless":
            bytearray(64 * driving.LIMIT)
        if kind == "crash":
            os.abort()
    return "answered" if number % 2 else "refused"

kinds = ["good", "raw", "hang", "memory", "crash", "addresses", "endless"]
sys.exit(driving.main(driving.Target(__file__, kinds, lambda folder, kinds: None, outcome), "A target with faults."))
"""


def test_faults_are_told_by_their_numbers(tmp_path):
    (tmp_path / "target.py").write_text(TARGET)
    command = [sys.executable, tmp_path / "target.py", "--inputs", "63", "--first", "1", "--workers", "1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    lines = [line.split() for line in done.stdout.splitlines()]
    faults = {tuple(line[-2:]): line[0] for line in lines if "--again" in line}
    kinds = {"raw": "raw", "hang": "hang", "memory": "memory", "crash": "crash", "endless": "memory"}
    assert faults == {(f"'{kind}'", "8"): fault for kind, fault in kinds.items()}
    counts = {line[0]: line[1:] for line in lines if "--again" not in line}
    # Two kinds ended one input early, which the first one has made up for.
    assert counts["good"] == ["11", "answered", "6", "refused", "5"]
    assert counts["raw"] == ["9", "answered", "5", "raw", "1", "refused", "3"]
    assert done.returncode == 1


def test_a_short_campaign_over_connections_has_no_faults():
    """How soon /health is answered is looked at where the machine is quiet."""
    command = [sys.executable, FUZZ / "connections.py", "--inputs", "70", "--seconds", "30"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert lines[-1] == "no faults"
    assert int(lines[0].partition(" ")[0]) > 20, "of 70 inputs, the more the faster the machine is"
    assert "200 " in lines[1]
    assert "400 " in lines[1]
