"""The command `linnet reproduce`: the command that makes a model file again, bit by bit."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from linnet.cli.console import say
from linnet.errors import UsageError
from linnet.tasks import load

if TYPE_CHECKING:
    from linnet.core.types import Json

_FLAGS = {
    "task": "--task",
    "learner": "--learner",
    "features": "--features",
    "epochs": "--epochs",
    "dev": "--dev",
    "seed": "--seed",
    "rerank": "--rerank",
    "shards": "--shards",
    "start": "--from",
    "unlabelled": "--unlabelled",
    "format": "--format",
    "encoding": "--encoding",
    "delimiter": "--delimiter",
    "text": "--text-col",
    "label": "--label-col",
}
"""The flags of `linnet train`, by the names of the arguments in Python."""
_SETTINGS = {"class_weight": "class-weight"}
"""The names after --set, where they differ from those in Python."""
_KEPT = {"keep_state": "state", "keep_support": "support"}
"""What a model may keep, by the names of the arguments in Python."""


def run(*, model: str) -> None:
    loaded = load(model)
    loaded.verify()
    asked, steps = loaded.provenance.get("asked"), loaded.provenance.get("compacted", [])
    if "merged" in loaded.provenance:
        raise UsageError(
            f"{model} was merged of {len(loaded.provenance['merged'])} models. Ask for the commands of these, and merge them "
            "again."
        )
    if asked is None:
        raise UsageError(
            f"{model} does not say how it was made: learner {loaded.learner!r} was not run by `linnet train` or linnet.train."
        )
    in_memory = [name for name, value in {**asked, **asked.get("options", {})}.items() if value == "Python"]
    if in_memory:
        said = ", ".join(f"{name}={value!r}" for name, value in asked.items() if name not in in_memory)
        raise UsageError(
            f"{model} was made in Python, by linnet.train, with values that no file has: {', '.join(in_memory)}. Its other "
            f"arguments were: {said or 'the defaults'}."
        )
    if any(step["asked"].get("dev") == "Python" for step in steps):
        raise UsageError(f"{model} was made smaller in Python, by examples in memory that no file has.")
    # The last command writes MODEL, and those before it write what is to be made smaller.
    names = [f"{model}.{'whole' if k == 0 else k}" for k in range(len(steps))] + [model]
    print(shlex.join(["linnet", "train", *_arguments(asked), "-o", names[0]]))
    for step, before, after in zip(steps, names, names[1:], strict=False):
        print(shlex.join(["linnet", "compact", before, *_compacting(step["asked"]), "-o", after]))
    say(
        f"with linnet {loaded.provenance['linnet']} and data with the fingerprint {loaded.provenance['fingerprint']}, which"
    )
    say("`linnet inspect` shows, it writes the same bytes")


def _arguments(asked: Mapping[str, Json]) -> Iterator[str]:
    """The arguments of `linnet train`, by what linnet.train was given."""
    data = asked["data"]
    yield from data if isinstance(data, list) else [data]
    options = dict(asked.get("options", {}))
    for path in options.pop("parallel", []):
        yield from ("--parallel", path)
    for name, value in asked.items():
        if name == "lexicon":
            for label, path in value.items():
                yield from ("--lexicon", f"{label}={path}")
        elif name in _FLAGS:
            for item in value if isinstance(value, list) else [value]:
                yield from (_FLAGS[name], str(item))
        elif name == "once":
            yield "--once"
        elif name in _KEPT:
            yield from ("--set", f"{_KEPT[name]}=keep")
        elif name not in ("data", "options"):
            yield from ("--set", f"{_SETTINGS.get(name, name)}={_spelled(value)}")
    for name, value in options.items():
        yield from ("--set", f"{name}={_spelled(value)}")


def _compacting(asked: Mapping[str, Json]) -> Iterator[str]:
    """The arguments of `linnet compact`, by what Model.compact was given."""
    for name, value in asked.items():
        yield from ["--8bit"] if name == "eight_bit" else (f"--{name}", str(value))


def _spelled(value: Json) -> str:
    """A value as it is typed after --set."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ",".join(f"{label}={weight}" for label, weight in value.items())
    return str(value)
