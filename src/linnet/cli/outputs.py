"""Where a command may write: never over what it reads, and over other files only if linnet wrote them for the same purpose, or
the user says --force.

All is looked at before the command begins, so that no work is done that could not be kept.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, TypeGuard

from linnet.cli.kinds_of_output import ANSWERS, LABELLED, MODEL, PAGE, PICTURE, SUSPECTS, Kind
from linnet.errors import UsageError
from linnet.io.bytes.atomic import check_writable

if TYPE_CHECKING:
    from linnet.core.types import Setting

_PIECES = r"[\s,:=*|]+"
"""What separates the names of files from the rest of features and settings, such as lexicon:FILE or costs=FILE."""
_NO_FILES = (
    "task",
    "learner",
    "learners",
    "format",
    "encoding",
    "delimiter",
    "measure",
    "size",
    "labels",
    "text",
    "text_col",
    "label_col",
    "x",
    "y",
)
"""The arguments that are names of other things than files."""
_WITH_FILES = ("features", "settings")
"""The arguments in which names of files may occur."""

_WRITTEN: dict[str, dict[str, Kind]] = {
    "train": {"output": MODEL, "html": PAGE},
    "make": {"output": MODEL},
    "compact": {"output": MODEL},
    "predict": {"output": ANSWERS},
    "evaluate": {"html": PAGE},
    "compare": {"html": PAGE},
    "explain": {"html": PAGE},
    "inspect": {"suspects": SUSPECTS, "html": PAGE},
    "plot": {"output": PICTURE},
    "label": {"export": LABELLED},
}
"""What each command writes, keyed by the name of the argument that says where to."""


def check_outputs(command: str, arguments: Mapping[str, Setting], own: list[str], force: bool) -> None:
    """Raise UsageError if the command must not or cannot write where it is told to.

    own: the files of --with, which are inputs of every command. force: whether to replace files that linnet has not written.
    """
    written = _WRITTEN.get(command, {})
    inputs = [*own, *_inputs({name: value for name, value in arguments.items() if name not in written})]
    for name, kind in written.items():
        path = arguments.get(name)
        if command == "predict" and is_folder(path):
            check_folder(path, kind)
        elif path is not None and not (kind is ANSWERS and path == "-"):
            check_output(path, kind, inputs, force)
            if kind is MODEL and checkpoint_of(path) is not None:
                _check_checkpoint(f"{path}.part", inputs)
        elif kind is ANSWERS and name == "output":
            _check_input("standard output", kind, _status_of(1), inputs)


def check_output(path: str, kind: Kind, inputs: list[str], force: bool = False) -> None:
    """Raise UsageError if the path is an input or a folder, if it cannot be written, or if there is a file of another kind and
    force is not given."""
    where = f"cannot write the {kind.name} to {path!r}"
    if path == "-":
        raise UsageError(f"{where}: it is not written to standard output. Name a file, such as {kind.example}.")
    if os.path.isdir(path or os.curdir):
        raise UsageError(f"{where}: it is a folder. Name a file, as in {os.path.join(path, kind.example)}.")
    status = _status(path)
    _check_input(repr(path), kind, status, inputs)
    _check_folders(path, where, inputs)
    folder = os.path.dirname(os.path.realpath(path))
    if status is None and (path.endswith(os.sep) or not os.path.isdir(folder)):
        raise UsageError(f"{where}: there is no folder {os.path.dirname(path) or folder!r}. Make it first.")
    if status is not None and not stat.S_ISREG(status.st_mode):
        return
    check_writable(path)
    if status is None or not status.st_size or force:
        return
    if not os.access(path, os.R_OK | os.W_OK):
        raise UsageError(f"{where}: the file is protected. Name another file, or add --force to replace it.")
    if not kind.recognises(path):
        raise UsageError(
            f"{where}: there is a file of that name, {kind.unlike}. Name another file, or add --force to replace it."
        )


def is_folder(output: str | None) -> TypeGuard[str]:
    """Whether an output is meant as a folder."""
    return output is not None and (output.endswith(os.sep) or os.path.isdir(output))


def check_folder(path: str, kind: Kind) -> None:
    """Raise UsageError if a folder of answers cannot be made, or written to."""
    parent = os.path.dirname(os.path.realpath(path))
    if not os.path.isdir(path) and not os.path.isdir(parent):
        raise UsageError(f"cannot write the {kind.name} to {path!r}: there is no folder {parent!r}. Make it first.")
    check_writable(os.path.join(path if os.path.isdir(path) else parent, "linnet"))


def checkpoint_of(output: str) -> str | None:
    """The file that keeps the state of a training while it goes on. There is none beside a device or a pipe."""
    status = _status(output)
    return f"{output}.part" if status is None or stat.S_ISREG(status.st_mode) else None


def _check_checkpoint(path: str, inputs: list[str]) -> None:
    """Raise UsageError for what is in the place of the checkpoint and is no model, as training would delete it, or wait for the
    reader of a named pipe, or write where a link leads. --force makes no difference, as it is about the file that was
    named."""
    status = _status(path)
    _check_input(repr(path), MODEL, status, inputs)
    is_file = os.path.isfile(path) and not os.path.islink(path)
    if os.path.lexists(path) and not (is_file and (not os.path.getsize(path) or MODEL.recognises(path))):
        raise UsageError(
            f"{path!r} is not a model, but training keeps its state under that name while it goes on. Move it away, or "
            "name another output."
        )
    check_writable(path)


def _inputs(arguments: Mapping[str, Setting]) -> Iterator[str]:
    """Whatever in the arguments may be the name of an input."""
    for name, value in arguments.items():
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, str) and name in _WITH_FILES:
                yield from filter(os.path.isfile, [item.partition("=")[2], *re.split(_PIECES, item)])
            elif isinstance(item, str) and name not in _NO_FILES:
                yield item


def _check_input(name: str, kind: Kind, status: os.stat_result | None, inputs: list[str]) -> None:
    """Raise UsageError if a file is one of the inputs, by whatever name or link."""
    if status is None or not stat.S_ISREG(status.st_mode):
        return
    for path in inputs:
        found = next((one for one in _files(path) if _is_same(one, status)), None)
        if found is not None:
            known = "standard input" if found == "-" else f"the input {found!r}"
            said = "it is an input of the command" if name == repr(found) else f"it is the same file as {known}"
            raise UsageError(f"cannot write the {kind.name} to {name}: {said}, which would be lost. Name another file.")


def _files(path: str) -> Iterator[str]:
    """The file of that name; of a folder, the files that are read as texts."""
    if not os.path.isdir(path):
        yield path
        return
    has_labels = _has_labels(path)
    for folder, _, names in os.walk(path):
        if folder != path or not has_labels:
            yield from (os.path.join(folder, name) for name in names)


def _is_same(path: str, status: os.stat_result) -> bool:
    other = _status_of(0) if path == "-" else _status(path)
    return other is not None and os.path.samestat(other, status)


def _check_folders(path: str, where: str, inputs: list[str]) -> None:
    """Raise UsageError for a new file in a folder of texts, as it would be one of the texts from then on."""
    for folder in filter(os.path.isdir, inputs):
        inside = os.path.relpath(os.path.realpath(path), os.path.realpath(folder)).split(os.sep)
        if inside[0] != os.pardir and (len(inside) > 1 or not _has_labels(folder)):
            raise UsageError(
                f"{where}: it would become one of the texts of the input {folder!r}. Name a file outside of it."
            )


def _has_labels(folder: str) -> bool:
    """Whether there are folders of labels in a folder. The files beside them are not read."""
    with os.scandir(folder) as entries:
        return any(entry.is_dir() and not entry.name.startswith(".") for entry in entries)


def _status(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except OSError:
        return None


def _status_of(descriptor: int) -> os.stat_result | None:
    try:
        return os.fstat(descriptor)
    except OSError:
        return None
