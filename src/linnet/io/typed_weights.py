"""Small files of weights that a person types: for each label, features with their weights.

    {"features": "words:1-2", "labels": ["neg", "pos"], "weights": {"pos": {"bias": 0.1, "fine": 2.5, "not fine": -5}}}

or a table, a column for each label, with commas, semicolons or tabs between them. An empty cell is no weight:

    feature,neg,pos
    bias,,0.1
    fine,,2.5
    not fine,,-5
"""

from __future__ import annotations

import csv
import json
import math
import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from linnet.core.types import Json
from linnet.errors import DataError, meant
from linnet.io.bytes.encoding import check
from linnet.io.bytes.source import Source

_KEY = re.compile(r'("(?:[^"\\]|\\.)*+")\s*:')
_KEYS = ("features", "labels", "weights")
_EXPECTED = 'Expected JSON, {"weights": {LABEL: {FEATURE: NUMBER}}}, or a table with the columns feature, LABEL, LABEL'


@dataclass(frozen=True)
class TypedWeights:
    """Weights as they stand in a file."""

    weights: Mapping[str, Mapping[str, float]]
    """For each label that has weights, those of its features."""
    source: str
    labels: Sequence[Json] | None = None
    """All labels in their order, if they are named."""
    features: str | None = None
    """The specification of the features, if it is there."""
    lines: Mapping[str, int] = field(default_factory=dict)
    """The line on which each feature first stands, where that is known."""


def read_weights(path: str | os.PathLike[str]) -> TypedWeights:
    """Read a file of weights. Raise DataError, with the line, for what is no weight."""
    with Source(os.fspath(path), "utf-8") as source:
        if source.is_folder:
            raise DataError(f"is a folder. {_EXPECTED}.", source.name)
        with source.open() as stream:
            raw = stream.read()
    check(raw, source.name, 1, "Save the file as UTF-8.")
    text = raw.decode()
    if not text.strip():
        raise DataError(f"the file is empty. {_EXPECTED}.", source.name)
    return _from_json(text, source.name) if text.lstrip()[0] in "{[" else _from_table(text, source.name)


def weight_of(value: Json) -> float | None:
    """A weight as a number; None for what is no finite number."""
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _from_json(text: str, name: str) -> TypedWeights:
    def fault(message: str, key: str | None = None) -> NoReturn:
        raise DataError(message, name, None if key is None else _lines(text).get(key))

    def distinct(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        twice = next((key for key, times in Counter(key for key, _ in pairs).items() if times > 1), None)
        if twice is not None:
            fault(f"{twice!r} is given twice. Leave one out.", twice)
        return dict(pairs)

    try:
        found = json.loads(text, object_pairs_hook=distinct)
    except json.JSONDecodeError as error:
        raise DataError(f"is no JSON: {error.msg}. {_EXPECTED}.", name, error.lineno) from None
    except RecursionError:
        raise DataError(f"the JSON is nested too deeply. {_EXPECTED}.", name) from None
    except DataError:
        raise
    except ValueError:
        raise DataError("a number has thousands of digits. Round it.", name) from None
    if not isinstance(found, dict) or not isinstance(found.get("weights"), dict):
        fault(f"found no object of weights. {_EXPECTED}.")
    for key in found:
        if key not in _KEYS:
            fault(f"unknown key {key!r}.{meant(key, _KEYS)} There are: {', '.join(_KEYS)}.", key)
    labels, features = found.get("labels"), found.get("features")
    if labels is not None and not isinstance(labels, list):
        fault(f"expected a list of labels, found {labels!r:.60}.", "labels")
    if features is not None and not isinstance(features, str):
        fault(f'expected features as one string, such as "words:1-2", found {features!r:.60}.', "features")
    for label, of_label in found["weights"].items():
        if not isinstance(of_label, dict):
            fault(
                f"expected an object of features with their weights for label {label!r}, found {of_label!r:.60}.", label
            )
        for feature, value in of_label.items():
            if isinstance(value, str) or weight_of(value) is None:
                fault(
                    f"expected a number as the weight of {feature!r} for label {label!r}, found {value!r:.60}.", feature
                )
    names = {feature for of_label in found["weights"].values() for feature in of_label}
    lines = {key: line for key, line in _lines(text).items() if key in names}
    return TypedWeights(found["weights"], name, labels, features, lines)


def _lines(text: str) -> dict[str, int]:
    """The line on which each key of JSON first stands."""
    found: dict[str, int] = {}
    line, at = 1, 0
    for match in _KEY.finditer(text):
        line, at = line + text.count("\n", at, match.start()), match.start()
        found.setdefault(json.loads(match[1], strict=False), line)
    return found


def _from_table(text: str, name: str) -> TypedWeights:
    first = text.lstrip().splitlines()[0]
    rows = csv.reader(text.splitlines(), delimiter=next((mark for mark in "\t;" if mark in first), ","))
    header: list[str] = []
    weights: dict[str, dict[str, float]] = {}
    lines: dict[str, int] = {}
    for row in rows:
        cells = [cell.strip() for cell in row]
        if not any(cells):
            continue
        if not header:
            header = _header(cells, name, rows.line_num)
            weights = {label: {} for label in header[1:]}
        else:
            _add_row(weights, lines, row[0], cells, header, name, rows.line_num)
    return TypedWeights(weights, name, header[1:], None, lines)


def _header(cells: list[str], name: str, line: int) -> list[str]:
    labels = cells[1:]
    if cells[0].casefold() != "feature" or not labels or not all(labels):
        raise DataError(f"expected the columns feature, LABEL, LABEL, found {', '.join(cells)!r:.60}.", name, line)
    twice = next((label for at, label in enumerate(labels) if label in labels[:at]), None)
    if twice is not None:
        raise DataError(f"the label {twice!r} has two columns. Leave one out.", name, line)
    return cells


def _add_row(
    weights: Mapping[str, dict[str, float]],
    lines: dict[str, int],
    feature: str,
    cells: list[str],
    header: list[str],
    name: str,
    line: int,
) -> None:
    """Add the weights of one feature. Blanks at the start and the end of its name are part of the name, since n-grams
    of characters may have them."""
    feature = feature if cells[0] not in ("", "bias") else cells[0]
    if len(cells) != len(header):
        raise DataError(f"expected {len(header)} cells, {', '.join(header)}, found {len(cells)}.", name, line)
    if not feature:
        raise DataError("expected the name of a feature in the first column, found nothing.", name, line)
    if feature in lines:
        raise DataError(f"{feature!r} is given twice, first on line {lines[feature]}. Leave one out.", name, line)
    lines[feature] = line
    for label, cell in zip(header[1:], cells[1:], strict=True):
        number = weight_of(cell) if cell else 0.0
        if number is None:
            raise DataError(
                f"expected a number as the weight of {feature!r} for label {label!r}, found {cell!r:.60}.", name, line
            )
        if cell:
            weights[label][feature] = number
