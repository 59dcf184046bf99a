"""Run all targets of this folder, one after the other: every file but this one that has a `main` is a target.

python fuzz/run.py [--seconds 60]        the seconds are shared out equally
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def targets() -> list[Path]:
    """The files that are targets, in the order of their names."""
    found = sorted(HERE.glob("*.py"))
    return [path for path in found if path.name != Path(__file__).name and "\ndef main() -> int" in path.read_text()]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60.0)
    seconds = parser.parse_args().seconds / len(targets())
    failed = [
        path.name for path in targets() if subprocess.run([sys.executable, path, "--seconds", str(seconds)]).returncode
    ]
    print(f"failed: {', '.join(failed)}" if failed else f"all of {len(targets())} targets passed")
    return len(failed)


if __name__ == "__main__":
    sys.exit(main())
