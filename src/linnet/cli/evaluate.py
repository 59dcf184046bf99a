"""linnet evaluate"""

from __future__ import annotations

from typing import Any

from linnet import io
from linnet.cli.console import print_json, show
from linnet.errors import UsageError
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
    paths = data if len(data) > 1 else data[0]
    report: Any
    render: Any
    if loaded.task in ("tag", "compress"):
        if loaded.task == "tag":
            from linnet.report.sequences import tags_report as render
        else:
            from linnet.report.compression import compression_report as render
        if text_col is not None:
            raise UsageError(f"{model} is for tokens: --text-col is for labels. Leave it out.")
        report = loaded.evaluate(io.read_sentences(paths, format=format, label_col=label_col))
    else:
        from linnet.report.terminal import labels_report as render

        dataset = io.read(paths, format=format, text_col=text_col, label_col=label_col, least_labels=1)
        report = loaded.evaluate(dataset.text, dataset.label_list())
    if as_json:
        print_json(report.as_dict())
    else:
        show(render(report))
