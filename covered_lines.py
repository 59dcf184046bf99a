"""What share of the lines of linnet the tests reach, in Python and in Cython: `python covered_lines.py [TESTS...]`.

The core is built with the counters of gcc in build/sanitized/covered/, and the tests run over that build, under coverage.py
(`pip install coverage`). gcov says which lines of C ran. Cython writes before the C of each of its lines

    /* "linnet/core/keys.pyx":54

so a line of Cython was reached where any line of C up to the next such comment, or up to the code that ends the function, was.
All lines that no test reaches are written to build/sanitized/covered/missing.txt, as FILE:LINE.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from sanitized_tests import HERE, built, in_place_of_the_editable

OUT = HERE / "build" / "sanitized" / "covered"
MARK = re.compile(r'\s*/\* "([^"]+\.(?:pyx|pxd))":(\d+)$')
END = "/* function exit code */"
SETTINGS = """\
[run]
source_pkgs = linnet
parallel = true
patch = subprocess, _exit
disable_warnings = no-data-collected, module-not-imported, no-ctracer
[report]
exclude_also =
    if TYPE_CHECKING:
    @overload
    @abstractmethod
    ^\\s*\\.\\.\\.$
"""


def main(*tests: str) -> int:
    packages = built("covered", "-Db_coverage=true")
    for old in [*OUT.rglob("*.gcda"), *OUT.glob(".coverage*")]:
        old.unlink()
    settings = OUT / "coveragerc"
    settings.write_text(SETTINGS)
    environment = {
        **os.environ,
        **in_place_of_the_editable(packages),
        "COVERAGE_FILE": str(OUT / ".coverage"),
        "COVERAGE_RCFILE": str(settings),
    }
    command = [
        "-m",
        "coverage",
        "run",
        "-m",
        "pytest",
        "-q",
        "-n",
        "2",
        "-p",
        "no:cacheprovider",
        *(tests or ("tests",)),
    ]
    code = subprocess.run([sys.executable, *command], env=environment, cwd=HERE).returncode
    missing = {"Python": _missing_python(packages, environment), "Cython": _missing_cython(packages)}
    for language, (n, lines) in missing.items():
        print(f"{language}: {n - len(lines):,} of {n:,} lines, {100 * (n - len(lines)) / max(n, 1):.1f}%")
    (OUT / "missing.txt").write_text("".join(f"{line}\n" for _, lines in missing.values() for line in lines))
    return code


def _missing_python(packages: Path, environment: dict[str, str]) -> tuple[int, list[str]]:
    """The number of statements, and those that did not run."""
    tool = [sys.executable, "-m", "coverage"]
    subprocess.run([*tool, "combine", "-q", str(OUT)], env=environment, cwd=HERE)
    subprocess.run([*tool, "json", "-q", "-o", OUT / "python.json"], env=environment, cwd=HERE, check=True)
    n, missing = 0, []
    for name, file in sorted(json.loads((OUT / "python.json").read_text())["files"].items()):
        n += file["summary"]["num_statements"]
        missing += [f"{os.path.relpath(HERE / name, packages)}:{line}" for line in file["missing_lines"]]
    return n, missing


def _missing_cython(packages: Path) -> tuple[int, list[str]]:
    """The number of lines that became C, and those of which none of the C ran."""
    ran: dict[tuple[str, int], bool] = defaultdict(bool)
    for notes in sorted(OUT.rglob("*.gcno")):
        found = subprocess.run(["gcov", "--json-format", "--stdout", notes], capture_output=True, cwd=notes.parent)
        for report in map(json.loads, found.stdout.splitlines()):
            for file in report["files"]:
                if file["file"].endswith(".c"):
                    _add(ran, notes.parent, Path(report["current_working_directory"], file["file"]), file["lines"])
    return len(ran), [f"{name}:{line}" for (name, line), did in sorted(ran.items()) if not did]


def _add(ran: dict[tuple[str, int], bool], folder: Path, c_file: Path, lines: list[dict[str, int]]) -> None:
    """Add what ran of a file of C."""
    if not c_file.exists():
        return
    counts = {line["line_number"]: line["count"] for line in lines}
    at: tuple[str, int] | None = None
    for number, text in enumerate(c_file.read_text().splitlines(), 1):
        if mark := MARK.match(text):
            name = mark[1].partition("src/")[2] or mark[1]
            at = (name, int(mark[2])) if name.startswith("linnet/") else None
        elif END in text:
            at = None
        elif at is not None and number in counts:
            ran[at] |= counts[number] > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
