"""Commands that are killed, interrupted, or run out of room: fuzz/kills.py, of which this is a short round."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

KILLS = Path(__file__).parents[2] / "fuzz" / "kills.py"
SCENES = ("labels rows on disk", "labels held out", "tag crf", "predict folder")


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="the harness looks for processes in /proc")
def test_a_round_of_kills_loses_nothing_and_goes_on_to_the_same_bits():
    """Some interruptions of a few commands; `make kills` does many more."""
    chosen = [item for scene in SCENES for item in ("--scene", scene)]
    done = subprocess.run(
        [sys.executable, KILLS, "--kills", "12", "--seed", "3", *chosen], capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
    n, _, rest = done.stdout.splitlines()[-1].partition(" interruptions in ")
    assert int(n) >= 12
    assert rest.endswith("0 with something wrong (seed 3)")
