"""The tutorial, from its first line to its last in one folder: every example runs, and prints what the page shows.

Words and whole numbers are compared as they are. Numbers with a point may differ a little, as they do between machines, and
times and sizes may be any. Line breaks do not count, and `...` stands for anything.
"""

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "tutorial.md"
GUIDE = ROOT / "docs" / "guide.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
REAL = re.compile(r"[+-]?\d[\d,]*\.\d+")
ANY = re.compile(r"(?<=in )[\d.]+ s\b|[\d.]+(?= MB)")
SECONDS = re.compile(r"(±.*)\b\d+\.\d+ *$", re.MULTILINE)
"""The last column of the table of `linnet compare`."""


def shell(code: str, folder: Path) -> tuple[str, bool]:
    """What commands print on the terminal, and whether all went well."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", code],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        env=os.environ | {"PATH": path, "COLUMNS": "80"},
        check=False,
    )
    return done.stdout, done.returncode == 0


def python(code: str, names: dict) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(code, "tutorial", "exec"), names)
    return printed.getvalue()


def words_and_numbers(text: str) -> tuple[str, list[float]]:
    """The text in one line with # for each number that has a point, and these numbers."""
    text = ANY.sub("some", " ".join(SECONDS.sub(r"\1some", text).split()))
    return REAL.sub("#", text), [float(number.replace(",", "")) for number in REAL.findall(text)]


def assert_shown(shown: str, printed: str) -> None:
    """Compare what the page shows with what was printed, part by part between the `...`."""
    all_words, all_numbers = words_and_numbers(printed)
    end = 0
    parts = [part for part in shown.split("...\n") if part.strip()]
    for n, part in enumerate(parts):
        words, numbers = words_and_numbers(part)
        start = all_words.find(words, end)
        assert start >= 0, f"not printed: {words}\nprinted: {all_words[end:]}"
        assert n > 0 or shown.startswith("...") or start == 0
        first = all_words[:start].count("#")
        assert numbers == pytest.approx(all_numbers[first : first + len(numbers)], rel=0.05, abs=0.05)
        end = start + len(words)
    assert shown.endswith("...\n") or end == len(all_words)


def test_the_comparison_sees_what_differs():
    assert_shown("a 1.00\n  b\n...\nd 2\n", "a 1.01 b c\nd 2")
    assert_shown("wrote m (0.2 MB) in 0.1 s\n", "wrote m (0.3 MB) in 1.7 s\n")
    for shown in ("a 1.20 b\n...\n", "a 1.00 b\n", "b\n...\n", "a 1.00 b\n...\nd 3\n"):
        with pytest.raises(AssertionError):
            assert_shown(shown, "a 1.01 b c\nd 2")


def test_the_tutorial_shows_what_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(ROOT / "examples" / "tickets.py", tmp_path)
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    printed, went_well, n_shown = "", True, 0
    for language, code in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if language == "text":
            assert_shown(code, printed)
            assert went_well or "linnet: " in code, printed
            n_shown, went_well = n_shown + 1, True
            continue
        assert went_well, printed
        if language == "sh":
            printed, went_well = shell(code, tmp_path)
        else:
            printed = python(code, names)
    assert went_well, printed
    assert n_shown > 8


def test_the_guide_explains_the_comparison_of_the_tutorial() -> None:
    (table,) = [code for language, code in BLOCK.findall(GUIDE.read_text(encoding="utf-8")) if language == "text"]
    assert words_and_numbers(table)[0] in words_and_numbers(PAGE.read_text(encoding="utf-8"))[0]


def test_the_files_of_the_tutorial_are_as_messy_as_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    subprocess.run([sys.executable, ROOT / "examples" / "tickets.py"], check=True)
    raw = Path("tickets.csv").read_bytes()
    with pytest.raises(UnicodeDecodeError):
        raw.decode("utf-8")
    header, *rows = raw.decode("cp1252").splitlines()
    assert header == "Ticket No.;Customer message;Team (final)"
    labels = {row.rpartition(";")[2] for row in rows}
    assert {"delivery", "DELIVERY", "Delivery", "delivery ", "", "n/a", "NULL"} <= labels
    assert any("<br />" in row for row in rows)
    assert len(set(rows)) < len(rows)
