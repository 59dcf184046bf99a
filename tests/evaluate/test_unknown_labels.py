"""Gold labels that a model does not know are said by the reports of every task over texts."""

import pytest
from rich.console import Console

import linnet
from linnet.evaluate.unknown_labels import said, unknown_labels
from linnet.tasks.hierarchy.terminal import hierarchy_report
from linnet.tasks.labelset.terminal import labelset_report
from linnet.tasks.ordinal.terminal import ordinal_report


def test_the_sentence_is_cut():
    unknown = unknown_labels([f"l{k}" for k in range(8)] + ["l3"], ["a"])
    assert said(unknown).startswith("9 examples have a label that the model does not know: 'l3' (2), 'l0' (1), ")
    assert said(unknown).endswith(" and 3 more. Each counts as an error.")
    assert said({}) == ""
    assert unknown_labels(["a"], []) == {}


@pytest.mark.parametrize(
    ("task", "labels", "test", "render"),
    [
        ("hierarchy", ["A:x", "B:y"], ["A:x", "B:z"], hierarchy_report),
        ("ordinal", ["1", "3"], ["1", "2"], ordinal_report),
        ("labelset", [["x"], ["y"]], [["x"], ["z"]], labelset_report),
    ],
)
def test_each_task_says_it(task, labels, test, render):
    model = linnet.train((["a b", "c d"] * 5, labels * 5), task=task, features="words:1")
    report = model.evaluate(["a b", "c d"], test)
    (name,) = report.unknown
    assert name == (test[1] if isinstance(test[1], str) else test[1][0])
    assert report.as_dict()["unknown"] == {name: 1}
    assert "unknown" not in model.evaluate(["a b"], test[:1]).as_dict()
    console = Console(width=120, color_system=None)
    with console.capture() as shown:
        console.print(render(report))
    assert f"1 example has a label that the model does not know: {name!r} (1)." in shown.get()
