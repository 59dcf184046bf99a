"""The command `linnet inspect`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from linnet.cli.console import print_json, say, show
from linnet.model.base import Model
from linnet.model.file import is_model_file
from linnet.tasks import load, named
from linnet.tasks.commands import Data
from linnet.tasks.guessing import kind_of

if TYPE_CHECKING:
    from linnet.core.types import Json

# The fields of an epoch that are shown.
_OF_EPOCH = ("epoch", "loss", "mistakes", "updates", "moved", "gap", "support", "dev")


def run(
    *,
    what: str,
    task: str | None,
    as_json: bool,
    format: str | None,
    encoding: str | None,
    delimiter: str | None,
    text_col: str | None,
    label_col: str | None,
) -> None:
    if format is None and _is_model(what):
        facts = _model_facts(load(what), os.path.getsize(what))
    else:
        data = Data([what], format, text_col, label_col, encoding, delimiter, say)
        facts = named(task or kind_of(what, data.how, label_col)).commands.facts(data)
    if as_json:
        print_json(facts)
        return
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="dim")
    table.add_column()
    for name, value in facts.items():
        table.add_row(name.replace("_", " "), Text(_plain(value)))
    show(table)


def _is_model(path: str) -> bool:
    """Whether a file is a model, by its first bytes; or should be one, by its name."""
    return os.path.isfile(path) and (path.endswith(".linnet") or is_model_file(path))


def _plain(value: Json) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_plain(item)}" for key, item in value.items()) or "none"
    if isinstance(value, list):
        return "\n".join(map(_plain, value)) or "none"
    return f"{value:,}" if isinstance(value, int) else f"{value:.4g}" if isinstance(value, float) else str(value)


def _model_facts(model: Model, size: int) -> dict[str, Json]:
    epochs = model.report.get("epochs", [])
    return {
        "task": model.task,
        "learner": model.learner,
        "options": dict(model.options),
        "labels": list(model.labels) if len(model.labels) <= 50 else [*model.labels[:50], "..."],
        "n_labels": len(model.labels),
        "features": str(model.features.spec),
        "n_features": model.features.n_features,
        "epochs": [_known({key: epoch.get(key) for key in _OF_EPOCH}) for epoch in epochs],
        "stopped": model.report.get("stopped", ""),
        "best_epoch": model.report.get("best", 0),
        "theory": _known(model.report.get("theory") or {}),
        "provenance": _known(model.provenance),
        "bytes": size,
    }


def _known(facts: Mapping[str, Json]) -> dict[str, Json]:
    """The facts that are neither None nor nan."""
    return {key: value for key, value in facts.items() if value is not None and value == value}
