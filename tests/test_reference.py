"""The reference is what the docstrings say, and has every public name."""

import re
import runpy
from pathlib import Path

import linnet
import linnet.plot
import linnet.sklearn

DOCS = Path(__file__).resolve().parents[1] / "docs"


def test_the_reference_is_up_to_date():
    made = runpy.run_path(str(DOCS / "make_reference.py"))["page"]()
    assert made == (DOCS / "reference.md").read_text(encoding="utf-8"), "Do: python docs/make_reference.py"


def test_the_reference_has_every_public_name_with_a_sentence():
    page = (DOCS / "reference.md").read_text(encoding="utf-8")
    names = [f"{room.__name__}.{name}" for room in (linnet, linnet.plot, linnet.sklearn) for name in room.__all__]
    assert re.findall(r"^### (linnet\.\S+)$", page, flags=re.MULTILINE) == names
    for section in re.split(r"^###+ ", page, flags=re.MULTILINE)[1:]:
        told = re.sub(r"```.*?```", "", section.partition("\n")[2], flags=re.DOTALL)
        assert len(told.split()) > 2, section


def test_parameters_become_a_list_and_examples_a_block():
    prose = runpy.run_path(str(DOCS / "make_reference.py"))["prose"]

    def add(a, b):
        """Add two numbers.

        a: the first one, which
            may be large. b: the other.
        b, c: others

        >>> 1 + 1
        2
        """

    assert prose(add) == (
        "Add two numbers.\n\n- `a`: the first one, which\n  may be large. b: the other.\n- `b`, `c`: others\n\n"
        "```pycon\n>>> 1 + 1\n2\n```\n"
    )
