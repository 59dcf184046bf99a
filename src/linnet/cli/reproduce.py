"""The command `linnet reproduce`: prints the commands that make a model file again, with the same bytes."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from linnet.cli.console import print_line, say
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
"""The flag of `linnet train` for each argument of linnet.train that has one."""
_SETTINGS = {"class_weight": "class-weight"}
"""The names after --set of arguments of linnet.train, where they differ from those in Python."""
_KEPT = {"keep_state": "state", "keep_support": "support"}
"""The arguments of linnet.train that are typed as `--set NAME=keep`, each with this NAME."""


def run(*, model: str) -> None:
    """Print the commands on stdout, and what they have to be run with on stderr.

    `provenance["asked"]` of a model has the arguments of linnet.train that were not the defaults, keyed by their names
    in Python (training/given.py): `data` is a path or a list of paths, `options` maps the options of the learner and
    the task to their values, and a value in memory, which no command line can name, has become None. Models of
    linnet.stream have `once`, too. `provenance["compacted"]` has an entry for each call of Model.compact, the first one
    first, whose own `asked` has the arguments of that call in the same form.
    """
    loaded = load(model)
    loaded.verify()
    asked, steps = loaded.provenance.get("asked"), loaded.provenance.get("compacted", [])
    version, fingerprint = loaded.provenance.get("linnet"), loaded.provenance.get("fingerprint")
    if "merged" in loaded.provenance:
        raise UsageError(
            f"{model} was made by merging {len(loaded.provenance['merged'])} models. Run `linnet reproduce` for each "
            "of them, and merge the models that the printed commands write."
        )
    if asked is None or fingerprint is None:
        raise UsageError(
            f"{model} does not say how it was made, and only models of `linnet train`, linnet.train and linnet.stream do. "
            f"Its learner is {loaded.learner!r}."
        )
    in_memory = [name for name, value in {**asked, **asked.get("options", {})}.items() if value is None]
    if in_memory:
        said = ", ".join(f"{name}={value!r}" for name, value in asked.items() if name not in in_memory)
        raise UsageError(
            f"{model} was made in Python, and the values of these arguments were in memory, where no command can read "
            f"them: {', '.join(in_memory)}. Its other arguments were: {said or 'the defaults'}."
        )
    if any(step["asked"].get("dev", "") is None for step in steps):
        raise UsageError(
            f"{model} was compacted in Python, and the examples of its argument dev were in memory, where no command "
            "can read them."
        )
    # The last command writes MODEL. Each one before it writes the model that the next one compacts: MODEL.whole,
    # MODEL.1, ...
    names = [f"{model}.{'whole' if k == 0 else k}" for k in range(len(steps))] + [model]
    print_line(shlex.join(["linnet", "train", *_arguments(asked), "-o", names[0]]))
    for step, before, after in zip(steps, names, names[1:], strict=False):
        print_line(shlex.join(["linnet", "compact", before, *_compacting(step["asked"]), "-o", after]))
    say(f"run with linnet {version}, on data with the fingerprint {fingerprint}, these commands write the same bytes")
    say("`linnet inspect` shows the fingerprint of the data that a model was trained on")


def _arguments(asked: Mapping[str, Json]) -> Iterator[str]:
    """The arguments of `linnet train` that ask for what linnet.train was asked for."""
    for path in map(str, _listed(asked["data"])):
        # A path that begins with a hyphen would be taken for an option.
        yield f"./{path}" if path.startswith("-") and path != "-" else path
    options = dict(asked.get("options", {}))
    for path in _listed(options.pop("parallel", [])):
        yield from ("--parallel", str(path))
    for name, value in asked.items():
        if name == "lexicon":
            for label, path in value.items():
                yield from ("--lexicon", f"{label}={path}")
        elif name in _FLAGS:
            for item in _listed(value):
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
    """The arguments of `linnet compact` that ask for what Model.compact was asked for."""
    for name, value in asked.items():
        yield from ["--8bit"] if name == "eight_bit" else (f"--{name}", str(value))


def _listed(value: Json) -> list[Json]:
    """The items of a list, or the value where it is one alone."""
    return value if isinstance(value, list) else [value]


def _spelled(value: Json) -> str:
    """A value as it is typed after --set."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ",".join(f"{label}={weight}" for label, weight in value.items())
    return str(value)
