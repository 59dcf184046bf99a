"""What a training was asked for, as a model file keeps it, so that `linnet reproduce` can print the command.

A value in memory, which no command line can name, is None. No argument is None that was given.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from linnet.core.types import Data, Json
from linnet.io.python_values import are_files

_USUAL = {
    "seed": 0,
    "patience": 3,
    "tol": 1e-3,
    "shuffle": True,
    "keep_state": False,
    "keep_support": False,
    "refit": True,
    "estimate": True,
}
"""The defaults of `train` that are not None."""
_DECIDE_NOTHING = ("progress", "checkpoint", "resume", "memory", "watch", "cluster", "tls", "threads")
"""The arguments that have no influence on what is learned."""


def given_of(arguments: Mapping[str, Any]) -> dict[str, Json]:
    """The arguments that are not the defaults, in a form that a model file can keep."""
    given: dict[str, Json] = {}
    for name, value in arguments.items():
        if value is None or name in _DECIDE_NOTHING or (name in _USUAL and value == _USUAL[name]):
            continue
        if name in ("data", "dev", "start"):
            given[name] = in_files(value)
        elif name == "unlabelled":
            given[name] = in_files(value) if are_files(value) else None
        elif name == "lexicon":
            is_files = all(isinstance(words, str | os.PathLike) for words in value.values())
            given[name] = {label: os.fspath(words) for label, words in value.items()} if is_files else None
        elif name == "options":
            given |= {name: {option: _in_json(chosen) for option, chosen in value.items()}} if value else {}
        else:
            given[name] = _in_json(value)
    return given


def _in_json(value: Any) -> Json:
    """A value as JSON holds it, or None for one that it cannot hold."""
    try:
        return json.loads(json.dumps(value))
    except (TypeError, ValueError):
        return None


def in_files(data: Data) -> Json:
    """The names of files, a share, or None for what is in memory."""
    if isinstance(data, str | os.PathLike):
        return os.fspath(data)
    if isinstance(data, float | int):
        return data
    is_paths = isinstance(data, list | tuple) and bool(data) and all(isinstance(one, str | os.PathLike) for one in data)
    return [os.fspath(one) for one in data] if is_paths else None
