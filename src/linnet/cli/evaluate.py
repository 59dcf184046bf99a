"""linnet evaluate"""

from __future__ import annotations

from linnet import io
from linnet.cli.console import print_json, show
from linnet.model import load
from linnet.report.terminal import labels_report


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
    dataset = io.read(
        data if len(data) > 1 else data[0], format=format, text_col=text_col, label_col=label_col, least_labels=1
    )
    report = loaded.evaluate(dataset.text, dataset.label_list())
    if as_json:
        print_json(report.as_dict())
    else:
        show(labels_report(report))
