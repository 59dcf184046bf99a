"""Constituent trees for people: drawn in the terminal and as SVG, the report, and explanations."""

import re

import pytest
from rich.console import Console

from linnet.tasks.brackets.measures import evaluate_brackets
from linnet.tasks.brackets.page import brackets_page
from linnet.tasks.brackets.page import drawn as picture
from linnet.tasks.brackets.terminal import brackets_explanation, brackets_report, drawn
from linnet.tasks.brackets.why import BracketExplanation, BracketsExplanation, SpanPart

WORDS, TAGS = ("the", "<b>dog", "barks"), ("DT", "NN", "VBZ")
BITS = ("(S(NP*", "*)", "(VP*))")
TREE = BracketsExplanation(
    WORDS,
    TAGS,
    BITS,
    (
        BracketExplanation(0, 2, "S", "", 2.0, (SpanPart(0, 2, "i.tag=DT", 1.5), SpanPart(0, 1, "bias", 0.5))),
        BracketExplanation(0, 1, "NP", "NX", -0.25, (SpanPart(0, 1, "i.tag=<DT>", -0.25),)),
        BracketExplanation(2, 2, "VP", "S+VP", 1.0, (SpanPart(2, 2, "j.lower=barks", 1.0),)),
    ),
)


def shown(what):
    console = Console(width=200)
    with console.capture() as captured:
        console.print(what)
    return captured.get()


@pytest.mark.parametrize(
    ("words", "bits", "lines"),
    [
        ("a b c", ["(S(NP*", "*)", "(VP*))"], ["S ┬ NP ┬ X a", "  │    └ X b", "  └ VP ─ X c"]),
        ("a b c", ["(S*", "(NP(N*))", "*)"], ["S ┬ X a", "  ├ NP ─ N ─ X b", "  └ X c"]),
        ("a b", ["*", "(NP*)"], [". ┬ X a", "  └ NP ─ X b"]),
        ("a", ["*"], [". ─ X a"]),
    ],
)
def test_trees_are_drawn(words, bits, lines):
    assert drawn(words.split(), ["X"] * len(bits), bits).splitlines() == lines


def test_the_report_has_its_figures():
    text = shown(brackets_report(evaluate_brackets(BITS, ["(S*", "(NP*)", "(VP*))"], TAGS, [0, 3])))
    # right: S and VP of three brackets each
    assert "3 brackets in 1 sentences   precision 66.67   recall 66.67   F1 66.67" in text
    assert "whole trees 0.00%   crossing brackets 0.00 a sentence, none in 100.00%" in text
    assert re.search(r"NP +0\.00 +0\.00 +0\.00 +1", text)


def test_explanations_have_a_row_for_each_constituent():
    lines = shown(brackets_explanation(TREE)).splitlines()
    assert lines[:3] == ["S ┬ NP ┬ DT the", "  │    └ NN <b>dog", "  └ VP ─ VBZ barks"]
    assert re.fullmatch(r"the <b>dog barks +S +none +\+2\.00 +i\.tag=DT \+1\.50, 1-2 bias \+0\.50 *", lines[5])
    assert re.fullmatch(r"the <b>dog +NP +NX +-0\.25 +i\.tag=<DT> -0\.25 *", lines[6])


def test_the_page_shows_them_and_nothing_in_it_is_markup():
    page = brackets_page("a title", [TREE])
    assert "<b>" not in page
    assert page.count("<tr id=s1b") == 3
    assert '<a href="#s1b0-1">' in page
    assert "1-2</bdi>:</span> <bdi>bias" in page
    assert "&lt;b&gt;dog" in page


def test_the_picture_has_a_line_from_each_node_to_each_of_its_parts():
    svg = picture(WORDS, TAGS, BITS)
    # S to NP and VP, NP to two tags, VP to one
    assert svg.count("<path") == 5
    heights = {label: float(y) for y, label in re.findall(r'y="([\d.]+)">(S|NP|VP|DT|VBZ)<', svg)}
    assert heights["S"] < heights["NP"] == heights["VP"] < heights["DT"] == heights["VBZ"]
    assert picture(("a",), ("X",), ("*",)).count("<path") == 0
