"""Make docs/reference.md from the docstrings of what users of linnet import.

python docs/make_reference.py            # write the page
python docs/make_reference.py --check    # end with 1 if the page is not what the docstrings say
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import linnet
import linnet.plot
import linnet.sklearn
from linnet.fitting.registry import TASKS
from linnet.model.base import Model

PAGE = Path(__file__).with_name("reference.md")
_HEAD = """# Reference

This page is made of the docstrings by `python docs/make_reference.py`.
[python.md](python.md) shows how things are used together.
"""
_WIDE = 100
"""The width at which a signature is broken into lines."""
_NAMED = re.compile(r"(\w+(?:, \w+)*): ")
"""The start of a line that says what parameters mean."""
_OF_MODELS = ("predict", "predict_proba", "answers", "explain", "evaluate")
"""The methods of a model that its task says."""


def page() -> str:
    """The whole page."""
    parts = [_HEAD, "## linnet\n"]
    parts += [entry(f"linnet.{name}", getattr(linnet, name)) for name in linnet.__all__]
    parts.append(
        "## Models of each task\n\n`linnet.train` and `linnet.load` return one of these; each is a `linnet.Model`.\n"
    )
    parts += [_model(name) for name in sorted(TASKS)]
    parts.append("## linnet.plot\n\n[pictures.md](pictures.md) shows these pictures.\n")
    parts += [entry(f"linnet.plot.{name}", getattr(linnet.plot, name)) for name in linnet.plot.__all__]
    parts.append("## linnet.sklearn\n")
    parts += [entry(f"linnet.sklearn.{name}", getattr(linnet.sklearn, name)) for name in linnet.sklearn.__all__]
    return "\n".join(parts)


def entry(name: str, thing: Any) -> str:
    """The section of a class or a function."""
    if not inspect.isclass(thing):
        return f"### {name}\n\n{_signature(name.rpartition('.')[2], thing)}\n{prose(thing)}"
    if issubclass(thing, Exception):
        return f"### {name}\n\n{prose(thing)}"
    title = name.rpartition(".")[2]
    made = "" if inspect.isabstract(thing) or thing.__init__ is object.__init__ else f"{_signature(title, thing)}\n"
    return f"### {name}\n\n{made}{prose(thing)}" + "".join(_members(thing))


def _model(task: str) -> str:
    kind = TASKS.named(task).model
    own = [getattr(kind, name) for name in _OF_MODELS if hasattr(kind, name)]
    return f"### {kind.__name__}: task `{task}`\n\n{prose(kind)}" + "".join(map(_method, own))


def _members(kind: type) -> Iterator[str]:
    """The public methods and properties of a class, as far as it has them from linnet."""
    for name in sorted(dir(kind)):
        member = inspect.getattr_static(kind, name)
        home = next(base for base in kind.__mro__ if name in vars(base))
        if re.match(r"_|set_\w+_request$", name) or not home.__module__.startswith("linnet") or _of_tasks(kind, name):
            continue
        if isinstance(member, property) and member.fget is not None and member.fget.__doc__:
            yield f"\n#### {name}\n\n{prose(member.fget)}"
        elif callable(getattr(kind, name)) and _documented(kind, name):
            yield _method(getattr(kind, name))


def _of_tasks(kind: type, name: str) -> bool:
    """Whether a method is for those who write tasks, not for users of a model."""
    return issubclass(kind, Model) and isinstance(inspect.getattr_static(kind, name), classmethod)


def _documented(kind: type, name: str) -> bool:
    return bool(inspect.getdoc(getattr(kind, name)))


def _method(function: Callable[..., Any]) -> str:
    return f"\n#### {function.__name__}\n\n{_signature(function.__name__, function)}\n{prose(function)}"


def _signature(name: str, thing: Callable[..., Any]) -> str:
    """The call with its parameters, on one line or one line for each."""
    told = inspect.signature(thing)
    parts, star = [], False
    for parameter in told.parameters.values():
        if parameter.name in ("self", "cls"):
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not star:
            parts.append("*")
        star = star or parameter.kind in (parameter.KEYWORD_ONLY, parameter.VAR_POSITIONAL)
        parts.append(_parameter(parameter))
    returned = (
        ""
        if inspect.isclass(thing) or told.return_annotation is told.empty
        else f" -> {_annotation(told.return_annotation)}"
    )
    line = f"{name}({', '.join(parts)}){returned}"
    if len(line) > _WIDE:
        line = f"{name}(\n" + "".join(f"    {part},\n" for part in parts) + f"){returned}"
    return f"```text\n{line}\n```\n"


def _parameter(parameter: inspect.Parameter) -> str:
    star = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    annotated = "" if parameter.annotation is parameter.empty else f": {_annotation(parameter.annotation)}"
    equals = " = " if annotated else "="
    default = "" if parameter.default is parameter.empty else f"{equals}{parameter.default!r}"
    return f"{star}{parameter.name}{annotated}{default}"


def _annotation(told: Any) -> str:
    return told if isinstance(told, str) else getattr(told, "__name__", str(told))


def prose(thing: Any) -> str:
    """A docstring as Markdown: parameters become a list, examples a block."""
    text = inspect.getdoc(thing) or ""
    lines = text.splitlines()
    out: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        if line.startswith(">>>"):
            end = next((k for k in range(at, len(lines)) if not lines[k].strip()), len(lines))
            out += ["```pycon", *lines[at:end], "```"]
            at = end
            continue
        named = _NAMED.match(line)
        if named and _is_list(lines, at):
            names = ", ".join(f"`{name}`" for name in named[1].split(", "))
            line = f"- {names}: {line[named.end() :]}"
        out.append(line if not line.startswith("    ") or not _in_list(out) else f"  {line.strip()}")
        at += 1
    return "\n".join(out).strip() + "\n"


def _is_list(lines: list[str], at: int) -> bool:
    """Whether the paragraph of a line is a list of parameters, which begins with the first of them."""
    first = next((k + 1 for k in range(at - 1, -1, -1) if not lines[k].strip()), 0)
    return bool(_NAMED.match(lines[first]))


def _in_list(out: list[str]) -> bool:
    """Whether the last lines are an item of a list, which an indented line goes on with."""
    return bool(out) and (out[-1].startswith("- ") or out[-1].startswith("  "))


if __name__ == "__main__":
    made = page()
    if "--check" in sys.argv[1:]:
        sys.exit(0 if PAGE.exists() and PAGE.read_text(encoding="utf-8") == made else f"{PAGE.name} is not up to date.")
    PAGE.write_text(made, encoding="utf-8")
