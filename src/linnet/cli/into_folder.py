"""Predicting many files into a folder: an output for each input, which appears when it is whole.

A file in the folder, the mark, says which model and which options the answers are from, so that answers of two models
are not mixed. An output that is there already is not written again unless it is older than its input or than the mark.
So the same command goes on after an interruption, and several commands may share a folder.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, TypeAlias

from linnet.errors import UsageError
from linnet.io.bytes.atomic import atomic
from linnet.io.bytes.source import CODECS
from linnet.io.texts.writing import format_of
from linnet.model.file import identity

if TYPE_CHECKING:
    from linnet.cli.predict import Work

MADE_BY = ".linnet-answers.json"
"""The name of the mark: the file that says what the answers of a folder are from."""


Predict: TypeAlias = "Callable[[Work, str, str], int | str]"
"""A function that writes the answers to the examples of one file to another, and gives the number of rows, or what is wrong."""


def outputs_of(inputs: list[str], folder: str, as_text: bool) -> dict[str, str]:
    """The output for each input. `as_text`: whether the answers of the task are usually text, and not a table."""
    outputs: dict[str, str] = {}
    for path in inputs:
        if os.path.isdir(path) or path == "-":
            found = "standard input" if path == "-" else f"the folder {path!r}"
            raise UsageError(f"a folder of answers has one file for each input file, but found {found}. Name files.")
        output = os.path.join(folder, _name(os.path.basename(path), as_text))
        if _is_one_of(output, inputs):
            raise UsageError(
                f"the answers to {path!r} would be written over the input {output!r}. Name another folder."
            )
        other = next((one for one, taken in outputs.items() if taken == output), None)
        if other is not None:
            raise UsageError(f"the answers to {other!r} and {path!r} would be the same file, {output!r}. Rename one.")
        outputs[path] = output
    return outputs


def _is_one_of(path: str, others: list[str]) -> bool:
    return os.path.exists(path) and any(os.path.exists(one) and os.path.samefile(path, one) for one in others)


def _name(name: str, as_text: bool) -> str:
    """The name of the file of answers: that of the input without the ending of a compression, and with .csv added where
    that is not the name of a table."""
    stem, ending = os.path.splitext(name)
    if ending.lower() in CODECS:
        name = stem
    return name if as_text or format_of(name) else f"{name}.csv"


def is_done(path: str, output: str) -> bool:
    """Whether the answers to a file are there, are those that the mark of their folder speaks of, and the file has not
    changed since. What is older than the mark was in the folder before, from another model or not of linnet at all."""
    if not os.path.exists(output):
        return False
    before = (path, os.path.join(os.path.dirname(output), MADE_BY))
    return all(os.stat(one).st_mtime_ns <= os.stat(output).st_mtime_ns for one in before if os.path.exists(one))


Calls: TypeAlias = "Callable[[Predict, list[tuple[Work, str, str]]], Iterator[tuple[int, int | str]]]"
"""A function that calls another with each of these arguments, and yields the number of each call and its result when it
is ready."""


def predict_all(work: Work, outputs: dict[str, str], calls: Calls, predict: Predict) -> Iterator[tuple[str, int | str]]:
    """Predict the files whose output is not there yet; yield each output with what `predict` gives, as they become ready."""
    missing = [(path, output) for path, output in outputs.items() if not is_done(path, output)]
    for k, found in calls(predict, [(work, path, output) for path, output in missing]):
        yield missing[k][1], found


def on_cluster(calls: Calls, predict: Predict, wanted: list[tuple[Work, str, str]]) -> Iterator[tuple[int, int | str]]:
    """Make calls on the workers of a cluster, which may be in other folders: all files are named from the root."""
    full = os.path.abspath
    return calls(
        predict, [(work._replace(model=full(work.model)), full(path), full(output)) for work, path, output in wanted]
    )


def in_processes(
    workers: int, predict: Predict, wanted: list[tuple[Work, str, str]]
) -> Iterator[tuple[int, int | str]]:
    """Make calls in so many processes of this machine; in this process if one is enough."""
    if workers == 1 or len(wanted) < 2:
        for k, call in enumerate(wanted):
            yield k, predict(*call)
        return
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from multiprocessing import get_context

    # New processes are spawned, as the fork of a process that has threads may hang.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_end_with_parent) as pool:
        jobs = {pool.submit(predict, *call): k for k, call in enumerate(wanted)}
        try:
            for job in as_completed(jobs):
                yield jobs[job], job.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _end_with_parent() -> None:
    """Let this process end as soon as the one that began it has ended, even if that was killed and could tell nobody."""
    import threading
    from multiprocessing import parent_process

    parent = parent_process()
    assert parent is not None

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def claim(folder: str, work: Work, outputs: dict[str, str], force: bool) -> None:
    """Make the folder, and write down what its answers are from. Raise UsageError if it has other files in it, or
    answers from another model or with other options; with `force`, those of them that have the names of `outputs` are
    removed instead, and the others stay until their names are those of outputs."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, MADE_BY)
    made_by = json.dumps([identity(work.model), work.asked._replace(output=None)._asdict(), work.how])
    for name in (path, *outputs.values()):
        _check_file(name)
    found = _read(path, len(made_by) + 1)
    if found == made_by:
        return
    others = sorted(name for name in os.listdir(folder) if not name.startswith("."))
    if found is not None and others and not force:
        raise UsageError(
            f"the folder {folder!r} has answers of another model or with other options, which would be mixed with these. Name "
            "another folder, or add --force to replace them."
        )
    if found is None and others and not force:
        raise UsageError(
            f"the folder {folder!r} has files in it that linnet did not write, such as {others[0]!r}. Name a new folder, or "
            "add --force to replace those with the same names."
        )
    for output in outputs.values():
        with suppress(FileNotFoundError):
            os.unlink(output)
    with atomic(path) as file:
        file.write(made_by.encode())


def _check_file(path: str) -> None:
    """Raise UsageError for what would be written in a folder where something else than a file is: a folder, or a named pipe,
    which might never be read."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise UsageError(f"cannot write {path!r}: it is there and is no file. Remove it, or name another folder.")


def _read(path: str, most: int) -> str | None:
    """The beginning of a file, at most so many characters; None where there is no file."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(most)
    except FileNotFoundError:
        return None
