"""The report of tags on the terminal."""

import io

from rich.console import Console

from linnet.tasks.tag.measures import evaluate_tags
from linnet.tasks.tag.terminal import tags_report


def shown(report):
    file = io.StringIO()
    Console(file=file, width=100).print(tags_report(report))
    return [line.rstrip() for line in file.getvalue().splitlines()]


def test_spans_are_shown_by_type():
    gold, predicted = ["B-X", "I-X", "O", "B-Y"], ["B-X", "I-X", "O", "B-X"]
    lines = shown(evaluate_tags(gold, predicted, [0, 3, 4], known=[True, True, True, False]))
    assert lines[:4] == [
        "4 tokens in 2 sentences   accuracy 75.00%   whole sentences 50.00%",
        "known words 100.00%   unknown words 0.00%",
        "spans: precision 50.00   recall 50.00   F1 50.00",
        "",
    ]
    assert [line.split() for line in lines[4:]] == [
        ["type", "precision", "recall", "F1", "gold", "predicted"],
        ["X", "50.00", "100.00", "66.67", "1", "2"],
        ["Y", "0.00", "0.00", "0.00", "1", "0"],
    ]


def test_plain_tags_are_shown_by_tag():
    lines = shown(evaluate_tags(["DT", "NN", "NN"], ["DT", "NN", "DT"], [0, 3]))
    assert lines[:2] == ["3 tokens in 1 sentences   accuracy 66.67%   whole sentences 0.00%", ""]
    assert [line.split() for line in lines[2:]] == [
        ["tag", "precision", "recall", "F1", "tokens"],
        ["DT", "50.00", "100.00", "66.67", "1"],
        ["NN", "100.00", "50.00", "66.67", "2"],
    ]


def test_tags_are_shown_as_they_are():
    assert shown(evaluate_tags(["[red]x"], ["[red]x"], [0, 1]))[-1].startswith("[red]x")
    assert "\x1b" not in "".join(shown(evaluate_tags(["B-\x1b[2J"], ["O"], [0, 1])))
