"""Results on the terminal: what they say is plain text, whatever it looks like."""

import io
import re

import numpy as np
import pytest
from rich.console import Console

import linnet
from linnet.explain import Strong
from linnet.report.printable import visible
from linnet.report.terminal import strongest
from linnet.tasks.labels.measures import evaluate_labels
from linnet.tasks.labels.terminal import labels_report
from linnet.tasks.texts.terminal import coloured as coloured_text
from linnet.tasks.texts.terminal import explanation


def shown(result, **options):
    file = io.StringIO()
    Console(file=file, width=100, **options).print(result)
    return file.getvalue()


@pytest.fixture(scope="module")
def model():
    return linnet.train((["good day", "bad day"], ["+", "-"]), features="words punct", learner="logistic")


def test_an_explanation_is_plain_where_there_is_no_terminal(model):
    why = model.explain("good day [b]not bold[/b]")
    lines = shown(explanation(why)).splitlines()
    assert "\x1b" not in "".join(lines)
    assert lines[0] == f"label +  (against -: score {why.score:+.3f}, bias {why.bias:+.3f})"
    assert lines[2] == "good day [b]not bold[/b]"
    feature, value, weight, contribution = re.split(r" +", lines[5].strip())
    assert (feature, value) == ("good", "1.000")
    assert float(contribution) == pytest.approx(float(value) * float(weight), abs=1e-3)


def test_features_beyond_the_top_are_summed(model):
    why = model.explain("good day bad")
    last = shown(explanation(why, top=1)).splitlines()[-1]
    rest = sum(item.contribution for item in why.contributions[1:])
    assert last.split() == ["2", "more", f"{rest:+.4f}"]


def test_control_characters_of_a_text_do_not_reach_the_terminal(model):
    # ESC [ 2 J clears the screen, ESC ] 0 ; sets the title of the window: texts come from anywhere.
    assert "\x1b" not in shown(explanation(model.explain("good \x1b[2J\x1b]0;title\x07")))


def test_colours_on_a_terminal(model):
    coloured = shown(coloured_text(model.explain("good bad", "+", "-")), force_terminal=True, color_system="standard")
    good, bad = re.search(r"\x1b\[([\d;]+)mgood", coloured), re.search(r"\x1b\[([\d;]+)mbad", coloured)
    assert "42" in good.group(1).split(";")  # on green
    assert "41" in bad.group(1).split(";")  # on red


def test_the_strongest_features_side_by_side():
    best = {"x": [Strong("a", 1.5), Strong("b", 1)], "y": [Strong("[red]c", 2)]}
    lines = [line.split() for line in shown(strongest(best)).splitlines()]
    assert lines == [["x", "y"], ["a", "+1.50", "[red]c", "+2.00"], ["b", "+1.00"]]


def test_the_strongest_features_of_many_labels_in_lines():
    best = {f"[red]{k}": [Strong("[b]a", 1.0), Strong("c", 0.5)] for k in range(5)}
    assert shown(strongest(best)).splitlines() == [f"[red]{k}: [b]a, c" for k in range(5)]


def test_a_label_that_looks_like_markup_is_shown_as_it_is():
    assert shown(strongest({"[red]x": [], "y": []})).split() == ["[red]x", "y"]


def test_the_report_of_labels():
    report = evaluate_labels(list("aaab"), list("aabb"), "ab")
    lines = shown(labels_report(report)).splitlines()
    assert lines[0] == "4 examples   accuracy 75.00%   macro F1 73.33"
    assert [line.split() for line in lines[2:]] == [
        ["label", "precision", "recall", "F1", "examples"],
        ["a", "100.00", "66.67", "80.00", "3"],
        ["b", "50.00", "100.00", "66.67", "1"],
        [],
        ["gold,", "predicted", "a", "b"],
        ["a", "2", "1"],
        ["b", "0", "1"],
    ]


def test_of_many_labels_the_pairs_that_are_confused_most():
    gold = list("abcdefghi")
    report = evaluate_labels([*gold, *"aab"], [*gold, *"cca"])
    assert shown(labels_report(report)).splitlines()[-3:] == [
        "confused most often",
        "2 x a taken for c",
        "1 x b taken for a",
    ]


def test_the_log_loss_where_there_is_one():
    report = evaluate_labels("a", "a", "ab", np.array([[0.5, 0.5]]))
    assert shown(labels_report(report)).splitlines()[1] == "log loss 0.6931   Brier 0.5000   ECE 50.00"


def test_losses_calibration_and_the_most_wrong_in_the_report():
    p = np.array([[0.75, 0.25], [0.25, 0.75]])
    report = evaluate_labels(
        "aa", "ab", "ab", p, np.array([[2.0, 0.0], [0.0, 1.0]]), ["fine", "a [b]dull\n\x1b " + "x" * 300]
    )
    lines = shown(labels_report(report)).splitlines()
    at = next(k for k, line in enumerate(lines) if line.startswith("mean loss"))
    assert [line.split() for line in lines[at : at + 4]] == [
        ["mean", "loss", "0-1", "hinge", "log", "ranking", "exp"],
        ["here", "0.500", "1.049", "0.837", "0.500", "1.667"],
        ["believed", "0.250", "0.525", "0.562", "0.250"],
        [],
    ]
    assert lines[at + 4].split() == ["sure", "right", "examples", "0", "1"]
    assert lines[at + 5].split() == ["75.0%", "50.0%", "2", "━" * 20, "┃"]  # half of 40; the mark is at 30
    assert lines[at + 7] == "the worst errors: score ahead of the right label, predicted label, right label, row, text"
    assert "".join(lines[at + 8 :]).startswith("1 b, not a  2 a [b]dull \ufffd xxx")
    assert "".join(lines[at + 8 :]).endswith("x…")


def test_labels_in_the_report_are_plain_too():
    assert "[bold]x" in shown(labels_report(evaluate_labels(["[bold]x"], ["[bold]x"])))


def test_spaces_at_the_ends_of_names_can_be_seen():
    assert [visible(name) for name in ("a b", " ab", "chars=a b", "ab ")] == ["a b", "␣ab", "chars=a␣b", "ab␣"]
