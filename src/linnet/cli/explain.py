"""The command `linnet explain`."""

from __future__ import annotations

import os
import sys
from dataclasses import replace

from linnet import io
from linnet.cli.console import print_json, say, show
from linnet.model.base import Model
from linnet.tasks import load, named
from linnet.tasks.commands import Data


def run(
    *,
    model: str,
    what: list[str] | None,
    html: str | None,
    top: int,
    sample: int | None,
    seed: int,
    as_json: bool,
    format: str | None,
    encoding: str | None,
    delimiter: str | None,
    text_col: str | None,
) -> None:
    loaded = load(model)
    if sample is not None:
        _show_sample(loaded, sample, seed, as_json)
        return
    data, text = _data_or_text(what or [], Data([], format, text_col, None, encoding, delimiter, say))
    explained = named(loaded.task).commands.explain(loaded, data, text, top)
    if html is not None:
        with io.atomic(html) as file:
            file.write(explained.page(f"Why: {os.path.basename(model)}", top).encode())
        say(f"wrote {html}")
    if as_json:
        print_json(explained.as_dict())
    elif html is None:
        for i, part in enumerate(explained.shown(top)):
            if i:
                show()
            show(part)


def _show_sample(model: Model, n: int, seed: int, as_json: bool) -> None:
    documents = [{"label": label, "text": text} for label, text in model.sample(n, seed)]
    if as_json:
        print_json({"documents": documents})
        return
    for document in documents:
        sys.stdout.write(f"{document['label']}\t{document['text']}\n")


def _data_or_text(what: list[str], data: Data) -> tuple[Data | None, str]:
    """What to explain: data if all arguments are names of files, otherwise the arguments as one text."""
    if what and all(os.path.exists(item) or item == "-" for item in what):
        return replace(data, paths=what), ""
    return None, " ".join(what)
