"""The readers of fuzz/readers.py under valgrind, which sees what sanitizers cannot: the libraries that linnet does not compile.

    python fuzz/under_valgrind.py [--inputs 40] [--kind parquet]        `make valgrind`

So many changed files of each kind are read. It is an error where a reader of linnet, Arrow or the reader of
Excel files reads or writes memory that is not its own. Decisions by memory that nobody wrote are not looked for: the
interpreter and its libraries make too many that are harmless. Some 50 times slower than readers.py.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import readers  # noqa: E402

SETTINGS = {
    "PYTHONMALLOC": "malloc",
    "ARROW_DEFAULT_MEMORY_POOL": "system",  # so that every buffer has an end that is watched
    "ARROW_USER_SIMD_LEVEL": "AVX2",  # valgrind knows no AVX-512
    "OPENBLAS_CORETYPE": "Haswell",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
}
SUPPRESSED = """
{
   the loader and Python compare strings a word at a time
   Memcheck:Addr8
   ...
   obj:*/ld-linux-x86-64.so.2
}
"""
WRONG = 99


def inside(kinds: list[str], inputs: int) -> None:
    """Read the files of some kinds, in the process that is watched."""
    with tempfile.TemporaryDirectory() as own:
        for kind in kinds:
            path = Path(own) / f"input.{kind}"
            found = Counter(readers.outcome(Path(own), kind, number, path) for number in range(inputs))
            print(f"{kind:20} {dict(found)}", flush=True)


def watched(kinds: list[str], inputs: int) -> int:
    """Run `inside` under valgrind; 1 where it has found something."""
    with tempfile.NamedTemporaryFile("w", suffix=".supp") as suppressed:
        suppressed.write(SUPPRESSED)
        suppressed.flush()
        command = [
            *(
                "valgrind",
                "-q",
                "--undef-value-errors=no",
                f"--error-exitcode={WRONG}",
                f"--suppressions={suppressed.name}",
                "--num-callers=30",
            ),
            *(sys.executable, __file__, "--inside", "--inputs", str(inputs)),
            *(part for kind in kinds for part in ("--kind", kind)),
        ]
        return subprocess.run(command, env=os.environ | SETTINGS).returncode


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--inputs", type=int, default=40)
    parser.add_argument("--kind", action="append")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    how = parser.parse_args()
    some = how.kind or list(readers.seeds())
    sys.exit(inside(some, how.inputs) if how.inside else watched(some, how.inputs))
