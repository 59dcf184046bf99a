"""The command `linnet inspect`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING

from linnet.cli.console import print_json, say, show
from linnet.cli.model_page import write_page
from linnet.errors import UsageError
from linnet.model.base import Model
from linnet.model.file import is_model_file
from linnet.tasks import load, named
from linnet.tasks.commands import Data
from linnet.tasks.guessing import task_of_file
from linnet.tasks.problems import listed

if TYPE_CHECKING:
    from linnet.comparison.suspects import Suspect
    from linnet.core.types import Json

# The fields of an epoch that are shown.
_OF_EPOCH = ("epoch", "loss", "mistakes", "updates", "moved", "gap", "support", "dev")

_MOST = 20
"""The number of labels, and of other things of one kind, that are shown; --json has all of them."""
_MOST_EPOCHS = 5
"""The number of epochs that are shown: the first ones, and the last one."""


def run(
    *,
    what: str,
    task: str | None,
    suspects: str | None,
    support: bool,
    html: str | None,
    as_json: bool,
    format: str | None,
    encoding: str | None,
    delimiter: str | None,
    text_col: str | None,
    label_col: str | None,
) -> None:
    if format is None and is_model(what):
        if suspects is not None:
            raise UsageError("--suspects looks for wrong labels in data, but found a model. Name a data file.")
        model = load(what)
        model.verify()
        if support:
            _show_support(model, as_json)
            return
        if html is not None:
            write_page(html, what, model)
        facts = _model_facts(model, os.path.getsize(what))
    else:
        if support:
            raise UsageError("--support shows what a model is made of, but found data. Name a model file.")
        data = Data([what], format, text_col, label_col, encoding, delimiter, say)
        kind = task or task_of_file(what, data.how, label_col)
        facts = named(kind).commands.facts(data)
        found = _write_suspects(suspects, kind, data) if suspects is not None else []
        if html is not None:
            _write_data_page(html, what, facts, found)
    if as_json:
        print_json(facts)
        return
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="dim")
    table.add_column()
    for name, value in facts.items():
        lines = _lines(value) if name == "problems" else _epochs(value) if name == "epochs" else _plain(value)
        table.add_row(name.replace("_", " "), Text(lines))
    show(table)


def _show_support(model: Model, as_json: bool) -> None:
    """Show the support vectors of a model, a line for each."""
    vectors = model.support_vectors()
    if as_json:
        print_json({"support_vectors": [vector.as_dict() for vector in vectors]})
        return
    from rich.table import Table
    from rich.text import Text

    from linnet.report.printable import visible

    show(
        f"{len(vectors):,} support vectors of {model.provenance.get('examples', 0):,} examples, learner {model.learner}"
    )
    table = Table(box=None, pad_edge=False)
    table.add_column("row", justify="right")
    table.add_column("alpha")
    table.add_column("text", no_wrap=True, overflow="ellipsis")
    for vector in vectors[:_MOST]:
        alpha = ", ".join(f"{visible(name)} {number:+.4g}" for name, number in vector.alpha.items())
        row = "" if vector.row is None else f"{vector.row:,}"
        table.add_row(row, Text(alpha), Text(visible(vector.text)))
    show(table)
    if len(vectors) > _MOST:
        show(f"and {len(vectors) - _MOST:,} more, which --json shows")


def _write_data_page(path: str, data: str, facts: Mapping[str, Json], suspects: Sequence[Suspect]) -> None:
    from linnet import io
    from linnet.comparison.data_page import data_page

    with io.atomic(path) as file:
        file.write(data_page(os.path.basename(data), facts, suspects).encode())
    say(f"wrote {path}")


def _write_suspects(path: str, task: str, data: Data) -> list[Suspect]:
    """Write the labels of the data that are probably wrong to a file, a row for each, and say how many there are."""
    from linnet.comparison.suspects import Suspect
    from linnet.comparison.suspects import suspects as find
    from linnet.io import write_columns

    told_already = data._replace(note=None)
    found = find(data.source, task=task, text=data.text_col, label=data.label_col, **told_already.how)
    names = [field.name for field in fields(Suspect)]
    if any(one.line is None for one in found):
        names.remove("line")
    write_columns(path, {name: [getattr(one, name) for one in found] for name in names})
    labels = "label" if len(found) == 1 else "labels"
    say(f"wrote {len(found):,} {labels} that may be wrong to {path}, the most suspicious first")
    return found


def is_model(path: str) -> bool:
    """Whether a file is a model, by its first bytes; or should be one, by its name."""
    return os.path.isfile(path) and (path.endswith(".linnet") or is_model_file(path))


def _lines(values: Sequence[Json]) -> str:
    return "\n".join(map(_plain, values)) or "none"


def _epochs(epochs: Sequence[Json]) -> str:
    """The first epochs and the last one, a line for each, with the number of those that are left out between them."""
    left_out = len(epochs) - _MOST_EPOCHS
    if left_out <= 1:
        return _lines(epochs)
    return f"{_lines(epochs[: _MOST_EPOCHS - 1])}\nand {left_out:,} more\n{_plain(epochs[-1])}"


def _plain(value: Json) -> str:
    if isinstance(value, dict):
        from linnet.report.printable import visible

        return (
            listed([f"{visible(key).replace('_', ' ')} {_plain(item)}" for key, item in value.items()], _MOST) or "none"
        )
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return listed(value, _MOST) or "none"
    if isinstance(value, list):
        return _lines(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:.4g}" if isinstance(value, float) else str(value)


def _model_facts(model: Model, size: int) -> dict[str, Json]:
    epochs = model.report.get("epochs", [])
    return {
        "task": model.task,
        "learner": model.learner,
        "options": dict(model.options),
        "labels": list(model.labels),
        "n_labels": len(model.labels),
        "features": str(model.features.spec),
        "n_features": model.features.n_features,
        "epochs": [_known({key: epoch.get(key) for key in _OF_EPOCH}) for epoch in epochs],
        "stopped": model.report.get("stopped", ""),
        **({"warning": model.report["warning"]} if "warning" in model.report else {}),
        "best_epoch": model.report.get("best", 0),
        "expected": _expected(model.report.get("expected") or {}),
        "theory": _known(model.report.get("theory") or {}),
        **({"likelihood": model.report["likelihood"]} if "likelihood" in model.report else {}),
        "provenance": _known(model.provenance),
        "bytes": size,
    }


def _expected(found: Mapping[str, Json]) -> dict[str, Json]:
    """What held-out examples say about the model; costs only where errors differ in cost."""
    costly = bool(found.get("cost_name"))
    return {name: value for name, value in _known(found).items() if costly or "cost" not in name}


def _known(facts: Mapping[str, Json]) -> dict[str, Json]:
    """The facts that are neither None nor nan."""
    return {key: value for key, value in facts.items() if value is not None and value == value}
