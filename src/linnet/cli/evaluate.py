"""linnet evaluate"""

from __future__ import annotations

from linnet.cli.console import print_json, show
from linnet.tasks import load
from linnet.tasks.commands import Answers, Data, face


def run(
    *,
    model: str,
    data: list[str],
    as_json: bool,
    at_least: float | None,
    costs: str | None,
    format: str | None,
    text_col: str | None,
    label_col: str | None,
) -> None:
    loaded = load(model)
    shown, answers = face(loaded.task), Answers(at_least=at_least, costs=costs)
    answers.check(loaded.task, shown.takes)
    report, rendered = shown.evaluate(loaded, Data(data, format, text_col, label_col), answers)
    if as_json:
        print_json(report.as_dict())
    else:
        show(rendered)
