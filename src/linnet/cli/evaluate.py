"""linnet evaluate"""

from __future__ import annotations

from linnet.cli.console import print_json, show
from linnet.cli.faces import Data, face
from linnet.tasks import load


def run(
    *,
    model: str,
    data: list[str],
    as_json: bool,
    format: str | None,
    text_col: str | None,
    label_col: str | None,
) -> None:
    loaded = load(model)
    report, rendered = face(loaded.task).evaluate(loaded, Data(data, format, text_col, label_col))
    if as_json:
        print_json(report.as_dict())
    else:
        show(rendered)
