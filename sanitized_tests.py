"""Build the compiled core with checks in it, in build/sanitized/, and run tests over it: `python sanitized_tests.py KIND`.

    address    AddressSanitizer and UndefinedBehaviorSanitizer, and Cython checks every index (boundscheck, initializedcheck)
    thread     ThreadSanitizer, for the tests of threads

Tests may be named behind KIND. What is found ends the tests, with the line of the C file that Cython has made. The editable
install stays as it is: for these tests Python is told to leave it alone, and finds the other build first.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
SANITIZERS = {"address": "address,undefined", "thread": "thread"}
LIBRARIES = {"address": ("libasan.so", "libubsan.so"), "thread": ("libtsan.so",)}
TESTS = {
    "address": (
        "tests/core", "tests/structures", "tests/losses", "tests/steps", "tests/io", "tests/features",
        "tests/learners/test_extremes.py", "tests/model/test_forged.py", "tests/test_hostile_values.py",
    ),
    # ThreadSanitizer does not follow threads that a forked process starts.
    "thread": (
        "tests/model/test_threads.py", "tests/core/test_threads.py", "tests/core/extract/test_vocabulary.py",
        "tests/core/extract/test_text_rows.py", "tests/core/unlabelled/test_directions.py", "tests/features/test_counting.py",
        "tests/io/test_jsonl_threads.py", "tests/core/test_read_ahead.py", "-k", "not forked",
    ),
}  # fmt: skip
CHECKS = re.compile(r"\b(boundscheck|initializedcheck)=False\b")
SUPPRESSED = {"thread": "race:libarrow.so\n"}
"""Reports that are left out. Arrow is not built with ThreadSanitizer, which so does not see how threads take turns in its
allocator and in its pool."""
SETTINGS = {
    "ASAN_OPTIONS": "detect_leaks=0:halt_on_error=1:allocator_may_return_null=1",
    "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
    "PYTHONMALLOC": "malloc",  # so that every object of Python has an end that is watched
}


def copied(kind: str) -> Path:
    """The sources, in a folder of their own; for `address` with all checks of Cython."""
    folder = HERE / "build" / "sanitized" / kind
    for name in ("meson.build", "cython_to_c.py", "pyproject.toml", "README.md", "LICENSE"):
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy2(HERE / name, folder / name)
    for path in (HERE / "src").rglob("*"):
        target = folder / path.relative_to(HERE)
        if path.is_dir() or "__pycache__" in path.parts:
            continue
        text = path.read_bytes()
        if kind == "address" and path.suffix == ".pyx":
            text = CHECKS.sub(r"\1=True", text.decode()).encode()
        if not target.exists() or target.read_bytes() != text:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text)
    return folder


def built(kind: str, *options: str) -> Path:
    """The folder in which the package of this build is installed."""
    # meson and ninja are where this Python is, whether that is activated or not.
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    folder = copied(kind)
    build, found = folder / "out", folder / "installed"
    if not (build / "build.ninja").exists():
        usual = ["--buildtype=debugoptimized", "-Doptimization=1", f"--prefix={found}"]
        subprocess.run(["meson", "setup", build, folder, *options, *usual], check=True)
    subprocess.run(["ninja", "-C", build], check=True)
    shutil.rmtree(found, ignore_errors=True)
    subprocess.run(["meson", "install", "-C", build, "--quiet", "--no-rebuild"], check=True)
    return next(found.rglob("linnet/__init__.py")).parent.parent


def in_place_of_the_editable(packages: Path) -> dict[str, str]:
    """What makes Python find another build before the editable install."""
    skipped = HERE / "build" / f"cp{sys.version_info.major}{sys.version_info.minor}"
    found = {"PYTHONPATH": str(packages), "MESONPY_EDITABLE_SKIP": str(skipped)}
    asked = [sys.executable, "-c", "from importlib.util import find_spec; print(find_spec('linnet').origin)"]
    used = subprocess.run(asked, env=os.environ | found, check=True, capture_output=True, text=True).stdout.strip()
    if not Path(used).is_relative_to(packages):
        raise SystemExit(f"these tests would run over {used}: run them by the Python of {HERE / '.venv'}.")
    return found


def libraries(kind: str) -> str:
    """The libraries of the sanitizers, which must be there before Python is."""
    names = [["gcc", f"-print-file-name={name}"] for name in LIBRARIES[kind]]
    return " ".join(subprocess.run(name, check=True, capture_output=True, text=True).stdout.strip() for name in names)


def main(kind: str, *tests: str) -> int:
    packages = built(kind, f"-Db_sanitize={SANITIZERS[kind]}", "-Db_lundef=false")
    suppressed = HERE / "build" / "sanitized" / kind / "suppressed"
    suppressed.write_text(SUPPRESSED.get(kind, ""))
    environment = {
        **os.environ,
        **SETTINGS,
        "TSAN_OPTIONS": f"halt_on_error=0:exitcode=66:suppressions={suppressed}",
        "LD_PRELOAD": libraries(kind),
        **in_place_of_the_editable(packages),
    }
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--capture=sys", *(tests or TESTS[kind])]
    return subprocess.run(command, env=environment, cwd=HERE).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
