"""The walk of `linnet train reviews.csv` in docs/design.md is the one that the code takes."""

import re
import sys
from pathlib import Path

import pytest

from linnet.cli.main import main

PAGE = Path(__file__).parent.parent / "docs" / "design.md"
STEP = re.compile(r"^\| (\d+) \| `([\w.]+)` \|", re.MULTILINE)
LAST = "learners.learning.Learning.course"
REVIEWS = "text,label\n" + "a fine film,pos\na dull film,neg\n" * 10


def called(argv: list[str], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The functions of linnet that a command calls from another module, each where it is first called, up to the learner."""
    found: dict[str, None] = {}

    def look(frame, event, _):
        module = frame.f_globals.get("__name__", "")
        if event != "call" or not module.startswith("linnet.") or LAST in found:
            return
        name = f"{module.removeprefix('linnet.')}.{frame.f_code.co_qualname}"
        if frame.f_back.f_globals.get("__name__") != module or name == LAST:
            found.setdefault(name)

    monkeypatch.setattr(sys, "argv", ["linnet", *argv])
    before = sys.getprofile()
    sys.setprofile(look)
    try:
        with pytest.raises(SystemExit) as end:
            main()
    finally:
        sys.setprofile(before)
    assert end.value.code in (0, None)
    return list(found)


def test_training_takes_the_walk_of_the_design(tmp_path, monkeypatch):
    (tmp_path / "reviews.csv").write_text(REVIEWS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    walk = STEP.findall(PAGE.read_text(encoding="utf-8"))
    assert [int(number) for number, _ in walk] == list(range(1, 21))
    steps = [step for _, step in walk]
    taken = [name for name in called(["train", "reviews.csv", "-o", "reviews.linnet"], monkeypatch) if name in steps]
    assert taken == steps
