"""The command `linnet evaluate`."""

from __future__ import annotations

import os

from linnet import io
from linnet.cli.console import print_json, say, show
from linnet.tasks import load, named
from linnet.tasks.commands import Asked, Data


def run(
    *,
    model: str,
    data: list[str],
    html: str | None,
    as_json: bool,
    at_least: float | None,
    costs: str | None,
    format: str | None,
    encoding: str | None,
    delimiter: str | None,
    text_col: str | None,
    label_col: str | None,
) -> None:
    loaded = load(model)
    loaded.verify()
    commands, asked = named(loaded.task).commands, Asked(at_least=at_least, costs=costs)
    asked.check(loaded.task, commands)
    found = commands.evaluate(loaded, Data(data, format, text_col, label_col, encoding, delimiter, say), asked)
    if html is not None:
        title = f"{os.path.basename(model)} on {', '.join(map(os.path.basename, data))}"
        with io.atomic(html) as file:
            file.write(found.page(title).encode())
        say(f"wrote {html}")
    if as_json:
        print_json(found.report.as_dict())
    else:
        show(found.shown)
